#ifndef SINEW_CLI_BENCH_PROCESS_H
#define SINEW_CLI_BENCH_PROCESS_H

#include <stdbool.h>

enum { BENCH_PATH = 4096 };

typedef struct bench_process {
  double seconds;   /* from the start to the end */
  double megabytes; /* the most memory that was resident, 10⁶ bytes; 0 on Windows, where it is not known */
} bench_process;

/* Runs `sinew run SCENE` offscreen for that many frames in a process of its own, silently. */
bool bench_run_scene(const char *scene, int frames, bench_process *result);

/* A new file where temporary files belong, open to be written, for the caller to close and remove; below 0 where there
 * can be none. */
int bench_make_file(char path[BENCH_PATH], const char *extension);

#endif
