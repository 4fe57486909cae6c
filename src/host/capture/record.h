/* record – a video that an application records while it runs, in addition to the capture of the whole run
 * (host->capture). */
#ifndef SINEW_HOST_RECORD_H
#define SINEW_HOST_RECORD_H

#include "host/capture/capture.h"

typedef struct recording {
  capture *capture; /* NULL: nothing is recorded */
  char target[4096];
  double rate;   /* pictures in a second of scene time */
  int64_t count; /* pictures so far */
  int64_t limit; /* of them; 0: none */
} recording;

#endif
