/* pictures – sinew-import --pictures: unpacks pictures on all threads. */
#ifndef SINEW_WORKER_PICTURES_H
#define SINEW_WORKER_PICTURES_H

#include <stdbool.h>

/* Asks for this many pictures by their numbers, and writes each as an answer; false where one could not be written. */
bool run_pictures(int count);

#endif
