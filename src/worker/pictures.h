/* pictures – sinew-import --pictures: unpacks pictures on all threads. */
#ifndef SINEW_WORKER_PICTURES_H
#define SINEW_WORKER_PICTURES_H

#include <stdbool.h>

/* Requests this many pictures by number, and writes each as an answer; false if one could not be written. */
bool run_pictures(int count);

#endif
