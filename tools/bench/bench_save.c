#include "bench/bench_save.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "bench/bench_process.h"

#include <sinew_lua.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SAVES = 15, FRAMES = 300 };
static const double frame_seconds = 1.0 / 60;

static bool write_scene(const char *path, double x, sinew_error *error) {
  FILE *file = fopen(path, "w");
  bool good =
      file && text_print(file,
                         "local sinew = require 'sinew'\n"
                         "local hero = sinew.actor('hero', sinew.model 'hero.glb', { position = { %g, 0, 0 } })\n"
                         "hero:play 'Walk'\n",
                         x) > 0;
  good = file && fclose(file) == 0 && good;
  return good || error_set(error, "%s cannot be written", path);
}

static void sleep_until(double until) {
  double left = until - clock_seconds();
  if (left > 0) nanosleep(&(struct timespec){0, (long)(left * 1e9)}, NULL);
}

/* Saves the scene `later` seconds after a frame, and runs frames as a window does until one shows the actor where the
 * file puts it. An atomic save writes beside the file, and counts from the rename. */
static bool measure(sinew_host *host, const sinew_scene *scene, const bench_save *b, double x, double later,
                    double *seconds, sinew_error *error) {
  char beside[BENCH_PATH + 4];
  double frame_begin = clock_seconds();
  snprintf(beside, sizeof beside, "%s.new", b->path);
  if (b->atomic && !write_scene(beside, x, error)) return false;
  sleep_until(frame_begin + later);
  double begin = clock_seconds();
  if (b->atomic ? rename(beside, b->path) != 0 : !write_scene(b->path, x, error))
    return error_set(error, "%s cannot be saved", b->path);
  for (int frame = 1; frame <= FRAMES; frame++) {
    sleep_until(frame_begin + frame * frame_seconds);
    if (!sinew_host_step(host, frame_seconds, error)) return false;
    sinew_transform position = sinew_actor_transform(sinew_host_stage(host), sinew_scene_find_actor(scene, "hero"));
    *seconds = clock_seconds() - begin;
    if (position.translation.x == (float)x) return true;
  }
  return error_set(error, "%s was saved, and nothing changed", b->path);
}

/* Saves are spread evenly over a frame's time. */
static bool measure_saves(sinew_host *host, const sinew_scene *scene, const bench_save *b, double *seconds,
                          sinew_error *error) {
  for (int i = 0; i < SAVES; i++)
    if (!measure(host, scene, b, i + 1, frame_seconds * i / SAVES, &seconds[i], error)) return false;
  return true;
}

static bool measure_all(const bench_save *b, double *seconds, sinew_error *error) {
  sinew_host_def def = sinew_host_def_default();
  def.output = SINEW_OUTPUT_NONE;
  def.watch = true;
  if (!write_scene(b->path, 0, error)) return false;
  sinew_host *host = sinew_host_create(&def, error);
  sinew_scene *scene = host ? sinew_scene_create(host, b->path, NULL, error) : NULL;
  bool good = scene;
  if (good) {
    sinew_app app = sinew_scene_app(scene);
    sinew_host_set_app(host, &app);
    good = sinew_host_step(host, frame_seconds, error) && measure_saves(host, scene, b, seconds, error);
  }
  if (host) sinew_host_set_app(host, &(sinew_app){0});
  sinew_scene_destroy(scene);
  sinew_host_destroy(host);
  return good;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void be_silent(void *user, sinew_log_level level, const char *line) { (void)user, (void)level, (void)line; }

bool bench_save_run(bench_save *b, sinew_error *error) {
  char path[BENCH_PATH];
  double seconds[SAVES];
  int file = bench_make_file(path, ".lua");
  if (file < 0) return error_set(error, "%s cannot be made", path);
  close(file);
  b->path = path;
  sinew_set_log(be_silent, NULL); /* each save has a line */
  bool good = measure_all(b, seconds, error);
  sinew_set_log(NULL, NULL);
  b->path = NULL;
  remove(path);
  if (!good) return false;
  qsort(seconds, SAVES, sizeof *seconds, compare);
  b->median = seconds[SAVES / 2];
  b->least = seconds[0];
  return true;
}
