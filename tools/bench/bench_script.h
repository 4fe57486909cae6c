/* bench_script – measures scripts: the update of a scene with its bindings, without the update of the stage. */
#ifndef SINEW_BENCH_SCRIPT_H
#define SINEW_BENCH_SCRIPT_H

#include <sinew/base.h>

typedef struct bench_script {
  const char *name, *text;
  const char *unit;
  double scale, goal; /* the value is the seconds of one update × scale; the goal applies to it */
} bench_script;

extern const bench_script bench_scripts[];
extern const int bench_script_count;

/* Seconds of one update: the median and the minimum of many. False and an error message on failure. */
bool bench_script_run(const bench_script *wanted, double *median, double *least, sinew_error *error);

#endif
