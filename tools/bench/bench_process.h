#ifndef SINEW_BENCH_PROCESS_H
#define SINEW_BENCH_PROCESS_H

#include <stdbool.h>

enum { BENCH_PATH = 4096 };

typedef struct bench_process {
  double seconds;   /* from the start to the end */
  double megabytes; /* the peak resident memory, 10⁶ bytes; 0 on Windows, where it is not known */
} bench_process;

/* The program `sinew` of this build, beside this one. */
bool bench_find_sinew(char path[BENCH_PATH]);

/* Runs `sinew run SCENE` offscreen for that many frames in a separate process, silently. */
bool bench_run_scene(const char *scene, int frames, bench_process *result);

/* Creates a temporary file, open for writing, which the caller closes and removes; below 0 on failure. */
int bench_make_file(char path[BENCH_PATH], const char *extension);

#endif
