#include "bench/bench_script.h"

#include "base/clock.h"
#include "base/error.h"
#include "bench/bench_process.h"

#include <sinew_lua.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 61, WARM = 5 };

#define MODEL "local sinew = require 'sinew'\nlocal man = sinew.model 'hero.glb'\n"
#define ACTORS                                                                                                         \
  MODEL "local all, list = {}, { speed = 0, turn = 0, lean = 0 }\n"                                                    \
        "for i = 1, 1000 do all[i] = sinew.actor('actor ' .. i, man, { params = list }) end\n"
#define CROWD                                                                                                          \
  MODEL "local crowd = sinew.crowd(man, 1000, { params = { a = 1, b = 0, c = 0 },\n"                                   \
        "  graph = sinew.blend { sync = true, { 'Idle', 'a' }, { 'Walk', 'b' }, { 'Run', 'c' } } })\n"                 \
        "local a, b, c = crowd.params.a, crowd.params.b, crowd.params.c\n"

const bench_script bench_scripts[] = {
    {"script: 3 numbers of 1000 in a crowd",
     CROWD "function sinew.update() for i = 1, 1000 do a[i] = 0.5 b[i] = i c[i] = sinew.time end end\n", "ms", 1e3, 1},
    {"script: 3 tables of 1000 for a crowd",
     CROWD "local t = a:read()\nfunction sinew.update() crowd.params.a = t crowd.params.b = t crowd.params.c = t end\n",
     "ms", 1e3, 1},
    {"script: 3 parameters of 1000 actors",
     ACTORS "function sinew.update() for i = 1, 1000 do\n"
            "  local p = all[i].params p.speed = i p.turn = 0.5 p.lean = sinew.time\nend end\n",
     "ms", 1e3, 1},
    {"script: a method call on an actor", ACTORS "function sinew.update() for i = 1, 1000 do all[i]:state() end end\n",
     "ns", 1e6, 100},
};
const int bench_script_count = sizeof bench_scripts / sizeof *bench_scripts;

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static bool run(sinew_host *host, const sinew_scene *scene, const sinew_app *app, double *rounds, sinew_error *error) {
  sinew_host_set_app(host, app);
  for (int i = 0; i < WARM; i++)
    if (!sinew_host_step(host, 1.0 / 60, error)) return false;
  for (int i = 0; i < ROUNDS; i++) {
    double begin = clock_seconds();
    app->update(app->user, 1.0 / 60);
    rounds[i] = clock_seconds() - begin;
  }
  const char *problem = sinew_scene_problem(scene);
  return !problem || error_set(error, "%s", problem);
}

static bool run_file(const bench_script *wanted, const char *path, double *rounds, sinew_error *error) {
  sinew_host_def def = sinew_host_def_default();
  def.output = SINEW_OUTPUT_NONE;
  FILE *file = fopen(path, "w");
  if (!file || fputs(wanted->text, file) < 0) return error_set(error, "%s cannot be written", path);
  fclose(file);
  sinew_host *host = sinew_host_create(&def, error);
  sinew_scene_def scene_def = sinew_scene_def_default();
  scene_def.count_instructions = false; /* as in a window */
  sinew_scene *scene = host ? sinew_scene_create(host, path, &scene_def, error) : NULL;
  sinew_app app = scene ? sinew_scene_app(scene) : (sinew_app){0};
  bool good = scene && run(host, scene, &app, rounds, error);
  if (host) sinew_host_set_app(host, &(sinew_app){0});
  sinew_scene_destroy(scene);
  sinew_host_destroy(host);
  return good;
}

bool bench_script_run(const bench_script *wanted, double *median, double *least, sinew_error *error) {
  double rounds[ROUNDS];
  char path[BENCH_PATH];
  int file = bench_make_file(path, ".lua");
  if (file < 0) return error_set(error, "%s cannot be made", path);
  close(file);
  bool good = run_file(wanted, path, rounds, error);
  remove(path);
  if (!good) return false;
  qsort(rounds, ROUNDS, sizeof *rounds, compare);
  *median = rounds[ROUNDS / 2];
  *least = rounds[0];
  return true;
}
