#include "bench/bench_past.h"

#include "base/error.h"
#include "base/file.h"
#include "bench/bench_process.h"
#include "host/past/past_marks.h"
#include "host/past/ring.h"
#include "host/rerun/rerun.h"

#include <sinew_lua.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
  ACTORS = 50,
  MEMBERS = 100,
  RATE = 60,
  SECONDS = 60,
  HALF_HOUR = 30 * SECONDS * RATE,
  AGAIN = 10 * RATE,
  TURNS = 9
};

/* ---- the minute that is kept ---- */

static bool add_crowd(sinew_stage *stage, sinew_model *model, sinew_error *error) {
  sinew_crowd_def def = sinew_crowd_def_default();
  def.model = model, def.count = MEMBERS, def.slot_count = 2;
  def.clips[1] = sinew_model_clip_count(model) - 1;
  sinew_crowd_characters all = sinew_crowd_view(stage, sinew_crowd_create(stage, &def, error));
  for (int i = 0; i < all.count; i++) {
    all.slots[0].time[i] = all.slots[1].time[i] = 0.1 * i;
    all.slots[1].weight[i] = 0.5f;
  }
  return all.count > 0;
}

/* Moves the members of the crowd, which walk. */
static void move_crowd(const sinew_stage *stage) {
  sinew_crowd_characters all = sinew_crowd_view(stage, sinew_stage_crowd(stage, 0));
  for (int i = 0; i < all.count; i++) {
    all.transform[i].translation.x += 0.01f;
    all.transform[i].translation.z += 0.02f;
  }
}

static sinew_stage *make_stage(sinew_model *model, sinew_error *error) {
  sinew_stage *stage = sinew_stage_create(error);
  sinew_play_def play = sinew_play_def_default();
  bool good = stage && sinew_model_clip_count(model) > 0;
  for (int i = 0; good && i < ACTORS; i++) {
    char name[16];
    snprintf(name, sizeof name, "a%d", i);
    sinew_actor actor = sinew_actor_create(stage, name, model, error);
    play.clip = i % sinew_model_clip_count(model);
    play.time = 0.1 * i;
    good = actor.id && sinew_actor_play(stage, actor, &play, error).id;
  }
  if (good && add_crowd(stage, model, error)) return stage;
  if (stage) sinew_stage_destroy(stage);
  return NULL;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Seconds per frame in each second of a minute, in ascending order; `kept` NULL: without a past. Measures processor
 * time, because the difference is small compared with other programs' load. */
static void run_minute(sinew_stage *stage, ring *kept, past_marks *marks, double seconds[SECONDS]) {
  static const sinew_app no_words = {0};
  for (int second = 0; second < SECONDS; second++) {
    clock_t begin = clock();
    for (int i = 1; i <= RATE; i++) {
      int frame = second * RATE + i;
      move_crowd(stage);
      if (kept) past_marks_watch(marks, stage);
      sinew_stage_update(stage, 1.0 / RATE);
      if (!kept) continue;
      ring_update(kept, stage, (double)frame / RATE, frame);
      past_marks_update(marks, stage, &no_words, (double)frame / RATE, ring_time(kept, kept->first));
    }
    seconds[second] = (double)(clock() - begin) / CLOCKS_PER_SEC / RATE;
  }
  qsort(seconds, SECONDS, sizeof *seconds, compare);
}

bool bench_past_keep(sinew_model *model, bench_past *result, sinew_error *error) {
  double without[SECONDS], with[SECONDS];
  sinew_stage *alone = make_stage(model, error), *kept = alone ? make_stage(model, error) : NULL;
  ring moments = {0};
  past_marks marks = {.most_watched = PAST_WATCHED};
  if (kept) {
    run_minute(alone, NULL, NULL, without);
    run_minute(kept, &moments, &marks, with);
    *result = (bench_past){.frame_seconds = with[SECONDS / 2] - without[SECONDS / 2],
                           .least = with[0] - without[0],
                           .ring_bytes = (double)ring_bytes(&moments)};
  }
  ring_release(&moments);
  past_marks_release(&marks);
  if (alone) sinew_stage_destroy(alone);
  if (kept) sinew_stage_destroy(kept);
  return kept;
}

/* ---- the recording ---- */

static bool make_log(const char *path, sinew_error *error) {
  sinew_host_def def = sinew_host_def_default();
  def.output = SINEW_OUTPUT_NONE;
  def.record_input = path;
  sinew_host *host = sinew_host_create(&def, error);
  bool good = host;
  for (int i = 0; good && i < HALF_HOUR; i++) {
    sinew_host_send_mouse(host, 640 + 300 * sinf((float)i * 0.01f), 360 + 200 * cosf((float)i * 0.013f));
    if (i % 30 < 2) sinew_host_send_key(host, "w", i % 30 == 0);
    good = sinew_host_step(host, 1.0 / RATE, error);
  }
  sinew_host_destroy(host);
  return good;
}

bool bench_past_log(double *bytes, sinew_error *error) {
  char path[BENCH_PATH];
  int file = bench_make_file(path, ".rec");
  if (file < 0) return error_set(error, "%s cannot be made", path);
  close(file);
  remove(path);
  bool good = make_log(path, error);
  FILE *made = good ? fopen(path, "rb") : NULL;
  if (made) {
    fseek(made, 0, SEEK_END);
    *bytes = (double)ftell(made);
    fclose(made);
  }
  remove(path);
  return made;
}

/* ---- seconds again ---- */

static bool record(const char *scene_path, const char *log, ring *then, sinew_error *error) {
  sinew_host_def def = sinew_host_def_default();
  def.output = SINEW_OUTPUT_NONE;
  def.record_input = log;
  sinew_host *host = sinew_host_create(&def, error);
  sinew_scene *scene = host ? sinew_scene_create(host, scene_path, NULL, error) : NULL;
  bool good = scene;
  sinew_app app = scene ? sinew_scene_app(scene) : (sinew_app){0};
  if (good) sinew_host_set_app(host, &app);
  for (int i = 1; good && i <= AGAIN; i++) {
    good = sinew_host_step(host, 1.0 / RATE, error);
    ring_update(then, sinew_host_stage(host), sinew_host_time(host), i);
  }
  sinew_scene_destroy(scene);
  sinew_host_destroy(host);
  return good;
}

static double time_again(rerun *r, const rerun_def *def, const ring *then) {
  rerun_start(r, def);
  while (!rerun_poll(r, then) && rerun_is_running(r)) nanosleep(&(struct timespec){0, 200000}, NULL);
  return r->has_result ? r->seconds : -1;
}

/* The first run does not count, because the simulator may not be ready yet. */
static bool time_all(const char *program, const char *scene, const char *log, const ring *then, double times[TURNS]) {
  rerun r = {0};
  rerun_def def = {.program = program, .recording = log, .edit_at = 2, .from = 2, .to = AGAIN};
  rerun_prepare(&r, &def);
  rerun_add_file(&r, scene);
  bool good = time_again(&r, &def, then) >= 0;
  for (int i = 0; good && i < TURNS; i++) good = (times[i] = time_again(&r, &def, then)) >= 0;
  rerun_release(&r);
  return good;
}

bool bench_past_again(double *seconds, double *least, sinew_error *error) {
  char program[BENCH_PATH], scene[4096], log[BENCH_PATH];
  double times[TURNS];
  ring then = {0};
  int file = bench_make_file(log, ".rec");
  if (file < 0) return error_set(error, "%s cannot be made", log);
  close(file);
  remove(log);
  bool good = bench_find_sinew(program) &&
              path_join(scene, sizeof scene, sinew_home(), "scripts/examples/01_hello.lua") &&
              record(scene, log, &then, error) && time_all(program, scene, log, &then, times);
  ring_release(&then);
  remove(log);
  if (!good) return error_set(error, "ten seconds of 01_hello.lua could not be run again");
  qsort(times, TURNS, sizeof *times, compare);
  *seconds = times[TURNS / 2];
  *least = times[0];
  return true;
}
