/* pictures – sinew-import --pictures: unpacks pictures on all threads. */
#ifndef SINEW_WORKER_PICTURES_H
#define SINEW_WORKER_PICTURES_H

#include <stdbool.h>

/* Requests a picture by number for each digit, and writes each as an answer, halved as often as its digit says; false
 * if one could not be written. */
bool run_pictures(const char *halvings);

#endif
