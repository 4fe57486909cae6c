/* bench_lua – measures Lua alone: the same chunks in a scene, as a window runs it, and in lua5.4. */
#ifndef SINEW_BENCH_LUA_H
#define SINEW_BENCH_LUA_H

#include <sinew/base.h>

typedef struct bench_lua {
  const char *name; /* "Lua: fib(27)" */
  const char *text; /* defines work() */
} bench_lua;

enum { BENCH_LUA_COUNT = 3 };
extern const bench_lua bench_luas[BENCH_LUA_COUNT];

/* Seconds of one work(): the median over several runs of the fastest turns; `plain` is 0 if lua5.4 is not installed.
 * False and an error message on failure. */
bool bench_lua_run(const bench_lua *wanted, int turns, double *scene, double *plain, sinew_error *error);

#endif
