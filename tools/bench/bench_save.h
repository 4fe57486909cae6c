/* bench_save – measures the time from saving a scene to the first frame that shows the change, at 60 frames per second.
 */
#ifndef SINEW_BENCH_SAVE_H
#define SINEW_BENCH_SAVE_H

#include <sinew/base.h>

typedef struct bench_save {
  bool atomic;          /* written beside the file and renamed; else written in place */
  const char *path;     /* of the scene, while it runs */
  double median, least; /* seconds, of many saves */
} bench_save;

/* Measures one kind of save. False and an error message on failure. */
bool bench_save_run(bench_save *b, sinew_error *error);

#endif
