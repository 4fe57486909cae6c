/* bench_crowd – the measurements of crowds: 1 to 10,000 characters, each with its own clips and times, in one thread
 * and in all. */
#ifndef SINEW_BENCH_CROWD_H
#define SINEW_BENCH_CROWD_H

#include "bench/bench_cases.h"

typedef struct bench_crowd {
  bench_case measured;
  int clips; /* that a character plays at once */
  bool shared;
  const char *frame; /* the name of the whole update if that is a measurement, too; or NULL */
} bench_crowd;

extern const bench_crowd bench_crowds[];
extern const int bench_crowd_count;

/* Gives scene->crowd the characters. `threads`: for those that are shared. False and an error message on failure. */
bool bench_crowd_open(const bench_crowd *wanted, int threads, bench_scene *scene, sinew_error *error);
void bench_crowd_close(bench_scene *scene);

#endif
