#ifndef SINEW_CLI_BENCH_PROCESS_H
#define SINEW_CLI_BENCH_PROCESS_H

#include <stdbool.h>

typedef struct bench_process {
  double seconds;   /* from the start to the end */
  double megabytes; /* the most memory that was resident, 10⁶ bytes */
} bench_process;

/* Runs `sinew run SCENE` offscreen for that many frames in a process of its own, silently. */
bool bench_run_scene(const char *scene, int frames, bench_process *result);

#endif
