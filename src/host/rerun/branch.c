#include "host/rerun/branch.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"
#include "host/drawing/shaders.h"
#include "host/host.h"

#include <stdio.h>
#include <string.h>

static const double slice = 0.012; /* seconds of each frame of the window that go to the branch */

/* ---- changing places ---- */

static void swap_bytes(void *a, void *b, size_t size) {
  unsigned char *p = a, *q = b;
  for (size_t i = 0; i < size; i++) {
    unsigned char byte = p[i];
    p[i] = q[i];
    q[i] = byte;
  }
}

#define SWAP(member) swap_bytes(&a->member, &b->member, sizeof a->member)

static void swap_runs(sinew_host *a, sinew_host *b) {
  SWAP(app), SWAP(ends_app), SWAP(stage);
  SWAP(camera), SWAP(light), SWAP(orbit), SWAP(has_orbit), SWAP(has_view_keys);
  SWAP(log), SWAP(replay), SWAP(replayed), SWAP(log_path), SWAP(replay_dt);
  SWAP(ring), SWAP(past), SWAP(review), SWAP(rerun), SWAP(rerun_replay);
  SWAP(inspector), SWAP(selection), SWAP(messages), SWAP(trails);
  SWAP(skins_on_cpu), SWAP(skin_stage);
  SWAP(frame), SWAP(time), SWAP(dt), SWAP(lets_one_pass);
  SWAP(input.app_keys), SWAP(input.app_buttons), SWAP(input.app_strengths);
}

/* Open panels stay open; what the scene sees belongs to its run. */
static void swap_views(sinew_host *a, sinew_host *b) {
  sinew_view_options here = a->view;
  SWAP(view);
  a->view.inspector = here.inspector;
  a->view.console = here.console;
  a->view.stats = here.stats;
  a->view.paused = false;
}

/* A run that returns continues from now. */
static void leave_past(sinew_host *host) {
  if (!host->review.is_on) return;
  host->review.is_on = false;
  rerun_rest(&host->rerun);
  host->camera = host->review.camera;
  orbit_adopt(&host->orbit, &host->camera);
}

static void change_places(sinew_host *host) {
  sinew_host *other = host->branch.other;
  leave_past(host);
  sinew_host_unwatch_all(host);
  if (host->watch && host->renderer) shaders_watch(host);
  swap_runs(host, other);
  swap_views(host, other);
  if (host->renderer && !host->skins_on_cpu) sinew_renderer_set_skin_stage(host->renderer, host->skin_stage, NULL);
  host->drag_button = 0;
  if (other->app.moved) other->app.moved(other->app.user, other);
  if (host->app.moved) host->app.moved(host->app.user, host);
}

/* ---- replaying up to the branch's start ---- */

/* "walk-12.rec", "walk-12.2.rec", "walk-12.3.rec" … */
static char *next_path(const sinew_host *host, int number) {
  const char *path = host->log_path, *file = path_file(path), *dot = strrchr(file, '.');
  size_t size = strlen(path) + 16;
  char *made = mem_alloc(size);
  int stem = (int)(dot ? dot - path : (int)strlen(path));
  if (!made) return NULL;
  for (const char *c = dot ? dot - 1 : file; c > file; c--) { /* without the number of an earlier one */
    if (*c == '.' && number > 2) stem = (int)(c - path);
    if (*c < '0' || *c > '9') break;
  }
  snprintf(made, size, "%.*s.%d%s", stem, path, number, dot ? dot : "");
  return made;
}

static sinew_host *create(sinew_host *host, int64_t frame, bool edited, sinew_error *error) {
  const rerun *saved = &host->rerun;
  char *path = next_path(host, host->branch.count + 2);
  sinew_rerun edits = {.edit_at = saved->from_start ? 0 : saved->edit_at,
                       .from = frame,
                       .to = frame,
                       .files = (const char *const *)saved->files,
                       .file_count = saved->file_count};
  sinew_host_def def = sinew_host_def_default();
  def.output = SINEW_OUTPUT_NONE;
  def.replay_input = host->log_path;
  def.record_input = path;
  def.record_is_temporary = host->def.record_is_temporary;
  def.rerun_program = host->self;
  def.keeps_past = true;
  if (edited) def.rerun = &edits;
  sinew_host *made = path ? sinew_host_create(&def, error) : NULL;
  if (!path) error_set(error, "out of memory for a run");
  mem_free(path);
  if (made && !made->log) error_set(error, "its recording cannot be written");
  if (!made || made->log) return made;
  sinew_host_destroy(made);
  return NULL;
}

/* Saves that are in none of its frames arrive with its next one. */
static void hand_on_saves(sinew_host *host, sinew_host *made) {
  for (int i = 0; i < host->rerun.file_count; i++) rerun_add_file(&made->rerun, host->rerun.files[i]);
}

void branch_begin(sinew_host *host, int64_t frame, bool edited) {
  sinew_error error = {{0}};
  branch *b = &host->branch;
  branch_drop(host);
  b->problem[0] = '\0';
  b->frame = frame;
  b->is_edited = edited;
  bool can = host->app.again && host->log_path;
  if (!can) error_set(&error, "this run is not recorded, or cannot be repeated");
  b->other = can ? create(host, frame, edited, &error) : NULL;
  if (b->other) {
    b->other->is_branch = b->other->ends_app = true;
    b->other->has_view_keys = host->has_view_keys;
    b->is_on_its_way = host->app.again(host->app.user, b->other, &b->other->app, &error);
    if (!b->is_on_its_way) b->other->app = (sinew_app){0}, branch_drop(host);
  }
  if (b->other) b->count++;
  else snprintf(b->problem, sizeof b->problem, "cannot play on from here: %.180s", error.message);
}

static bool stop(sinew_host *host, const char *reason) {
  branch_drop(host);
  snprintf(host->branch.problem, sizeof host->branch.problem, "cannot play on from here: %.180s", reason);
  return false;
}

/* Plays one frame of the recording. */
static bool step(sinew_host *other, sinew_error *error) {
  double dt;
  other->input.is_deaf = false;
  bool read = run_log_read(other->replay, &dt, &other->width, &other->height, &other->input);
  other->input.is_deaf = true;
  other->replay_dt = dt;
  if (!read) return error_set(error, "the recording ends before it");
  if (run_log_strike(other->replay)[0])
    return error_set(error, "'%s' took longer than allowed in frame %lld", run_log_strike(other->replay),
                     (long long)other->frame + 1);
  return sinew_host_step(other, dt, error);
}

/* Pointers into the recording may still be in use, so it stays open. */
static void end_replay(sinew_host *host) {
  host->replayed = host->replay;
  host->replay = NULL;
  host->replay_dt = 0;
  rerun_replay_release(&host->rerun_replay);
}

bool branch_advance(sinew_host *host) {
  branch *b = &host->branch;
  double until = clock_seconds() + slice;
  sinew_error error;
  while (b->is_on_its_way && b->other->frame < b->frame && clock_seconds() < until)
    if (!step(b->other, &error)) return stop(host, error.message);
  if (!b->is_on_its_way || b->other->frame < b->frame) return false;
  if (!b->is_edited) hand_on_saves(host, b->other);
  b->is_on_its_way = b->other->is_branch = false;
  change_places(host);
  end_replay(host);
  return true;
}

bool branch_take_back(sinew_host *host) {
  if (!host->branch.other || host->branch.is_on_its_way) return false;
  change_places(host);
  return true;
}

/* The application of the first run is not ours, and its stage lives as long as the host: the owner ends both. */
void branch_drop(sinew_host *host) {
  branch *b = &host->branch;
  if (b->other && !b->other->ends_app) b->first = b->other;
  else sinew_host_destroy(b->other);
  b->other = NULL;
  b->is_on_its_way = false;
}

void branch_note_save(sinew_host *host, const char *path) {
  const branch *b = &host->branch;
  if (b->other && !b->is_on_its_way) rerun_add_file(&b->other->rerun, path);
}

void branch_release(sinew_host *host) {
  branch_drop(host);
  sinew_host_destroy(host->branch.first);
  host->branch.first = NULL;
}
