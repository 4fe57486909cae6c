/* bench_save – how long it takes from the save of a scene to the first frame that shows it, at 60 frames in a second.
 */
#ifndef SINEW_CLI_BENCH_SAVE_H
#define SINEW_CLI_BENCH_SAVE_H

#include <sinew/base.h>

/* Seconds, of many saves. False and a sentence on failure. */
bool bench_save_run(double *median, double *least, sinew_error *error);

#endif
