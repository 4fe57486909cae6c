#include "bench/bench_lua.h"

#include "base/error.h"
#include "base/process/process.h"
#include "bench/bench_process.h"

#include <sinew_lua.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const bench_lua bench_luas[BENCH_LUA_COUNT] = {
    {"Lua: fib(27)", "local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end\n"
                     "local function work() return fib(27) end\n"},
    {"Lua: a loop over a table",
     "local t = {} for i = 1, 1000 do t[i] = i end\n"
     "local function work() local s = 0\n"
     "  for _ = 1, 1000 do for i = 1, #t do s = s + t[i] t[i] = s % 7 end end return s end\n"},
    {"Lua: building text",
     "local function work() local t = {}\n"
     "  for i = 1, 20000 do t[#t + 1] = ('%d:%s'):format(i, 'x' .. i) end return #table.concat(t, ',') end\n"},
};

/* Prints the nanoseconds of the fastest of three runs as an integer. */
static const char measure[] = "local times = {}\n"
                              "for i = 1, 3 do local began = os.clock() work() times[i] = os.clock() - began end\n"
                              "table.sort(times) print(math.floor(times[1] * 1e9))\n";

static void on_print(void *user, const char *line) { *(double *)user = (double)atoll(line) * 1e-9; }

static bool run_scene(const char *path, double *seconds, sinew_error *error) {
  sinew_host_def host_def = sinew_host_def_default();
  sinew_scene_def def = sinew_scene_def_default();
  host_def.output = SINEW_OUTPUT_NONE;
  def.count_instructions = false;
  def.instruction_limit = 1000000000; /* counted if there is no watchdog: fib alone takes 100 million */
  def.print = on_print;
  def.print_user = seconds;
  sinew_host *host = sinew_host_create(&host_def, error);
  sinew_scene *scene = host ? sinew_scene_create(host, path, &def, error) : NULL;
  bool fine = scene != NULL;
  sinew_scene_destroy(scene);
  sinew_host_destroy(host);
  return fine;
}

static bool run_plain(const char *path, double *seconds) {
  const char *const words[] = {"/usr/bin/env", "lua5.4", path, NULL};
  process_def def = process_def_default();
  char text[32] = "";
  def.arguments = words;
  process *child = process_start(&def, NULL);
  if (!child) return false;
  while (!process_wait(child, 60)) continue;
  process_bytes out = process_output(child);
  bool fine = process_status(child) == 0 && out.size < sizeof text;
  if (fine) memcpy(text, out.data, out.size);
  process_destroy(child);
  *seconds = (double)atoll(text) * 1e-9;
  return fine;
}

/* Both take short turns, and the fastest turn of each counts: a shared machine is quiet only at times. */
static bool run_both(const char *path, int turns, double *scene, double *plain, sinew_error *error) {
  double seconds, best = HUGE_VAL, best_plain = HUGE_VAL;
  bool has_plain = true;
  for (int i = 0; i < turns; i++) {
    has_plain = has_plain && run_plain(path, &seconds);
    if (has_plain) best_plain = fmin(best_plain, seconds);
    if (!run_scene(path, &seconds, error)) return false;
    best = fmin(best, seconds);
  }
  *scene = best;
  *plain = has_plain ? best_plain : 0;
  return true;
}

bool bench_lua_run(const bench_lua *wanted, int turns, double *scene, double *plain, sinew_error *error) {
  char path[BENCH_PATH];
  int descriptor = bench_make_file(path, ".lua");
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
  if (!file) return error_set(error, "%s cannot be made", path);
  bool written = fprintf(file, "%s%s", wanted->text, measure) > 0;
  written = fclose(file) == 0 && written;
  bool fine = written ? run_both(path, turns, scene, plain, error) : error_set(error, "%s cannot be written", path);
  remove(path);
  return fine;
}
