#ifndef SINEW_BENCH_AGAINST_H
#define SINEW_BENCH_AGAINST_H

#include <stdbool.h>

/* `sinew-dev bench --against OLD`: this program and another build of it measure in turns, each in a separate process,
 * and the minima are printed side by side, as text or as JSON. `model` and `filter` may be NULL. Returns the exit
 * status.
 */
int bench_against(const char *old, const char *model, const char *filter, int turns, bool json);

#endif
