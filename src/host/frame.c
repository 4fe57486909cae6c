/* The frame: input ▸ update ▸ evaluate ▸ draw ▸ picture. */
#include "host/frame.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"
#include "host/drawing/shaders.h"
#include "host/host.h"
#include "host/look_back.h"
#include "host/panels/joints.h"
#include "host/past/state_check.h"
#include "host/system/editor.h"
#include "host/timeline/timeline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- input ------------------------------------------------------------------------------------------------- */

static void tell_file_deleted(sinew_host *host, const char *path) {
  char text[512];
  if (host->app.has_file && !host->app.has_file(host->app.user, path)) return;
  snprintf(text, sizeof text, "%s was deleted; the last version runs on", path_file(path));
  sinew_log(SINEW_LOG_WARNING, "%s", text);
  sinew_host_toast(host, text);
}

/* Tells the application before a frame of all files that have changed. */
static void note_file_changed(void *user, const char *path, bool exists) {
  sinew_host *host = user;
  if (!exists) {
    tell_file_deleted(host, path);
    return;
  }
  if (shaders_changed(host, path) || !host->app.files_changed) return;
  char *copy = mem_copy_string(path);
  char **place =
      copy ? array_grow((void **)&host->changed, &host->changed_count, &host->changed_capacity, sizeof *place) : NULL;
  if (!place) {
    mem_free(copy);
    return;
  }
  *place = copy;
  if (host->log) run_log_write_save(host->log, path);
  branch_note_save(host, path);
}

static void tell_files_changed(sinew_host *host) {
  char **paths = host->changed;
  int count = host->changed_count;
  host->changed = NULL;
  host->changed_count = host->changed_capacity = 0;
  if (count > 0) host->app.files_changed(host->app.user, (const char *const *)paths, count);
  for (int i = 0; i < count; i++) mem_free(paths[i]);
  mem_free(paths);
}

static void toggle_view(sinew_host *host, const char *key) {
  sinew_view_options *view = &host->view;
  const struct {
    const char *key;
    bool *option;
  } toggles[] = {{"w", &view->wireframe}, {"b", &view->skeleton},  {"n", &view->names},      {"x", &view->axes},
                 {"o", &view->bounds},    {"r", &view->root_path}, {"c", &view->contacts},   {"g", &view->ground},
                 {"m", &view->scale},     {"f3", &view->stats},    {"f1", &view->inspector}, {"f10", &view->graph}};
  for (size_t i = 0; i < sizeof toggles / sizeof *toggles; i++)
    if (strcmp(key, toggles[i].key) == 0) *toggles[i].option = !*toggles[i].option;
  if (strcmp(key, "v") == 0) view->surface = (sinew_surface)((view->surface + 1) % SINEW_SURFACE_COUNT);
}

/* F6 to F9: time. */
static void change_time(sinew_host *host, const char *key) {
  sinew_view_options *view = &host->view;
  if (strcmp(key, "f9") == 0) look_back_open(host);
  if (strcmp(key, "f6") == 0) view->paused = !view->paused;
  if (strcmp(key, "f7") == 0) view->paused = host->lets_one_pass = true;
  if (strcmp(key, "f8") == 0) view->speed = view->speed == 0.25f ? 0.0625f : view->speed == 0.0625f ? 1 : 0.25f;
}

static bool has_ctrl(const sinew_host *host) {
  return sinew_host_is_down(host, "left_ctrl") || sinew_host_is_down(host, "right_ctrl");
}

bool host_is_console_key(const sinew_host *host, const input_event *event) {
  const bool *keys = host->input.keys;
  bool ctrl = keys[input_find_key("left_ctrl")] || keys[input_find_key("right_ctrl")];
  return ctrl && event->code == input_find_key("grave") && !host->input.app_keys[event->code];
}

static bool has_shift(const sinew_host *host) {
  return host->input.keys[input_find_key("left_shift")] || host->input.keys[input_find_key("right_shift")];
}

/* True if an event is for a panel and not for the application; in a replay, the recording decides. */
static bool withhold(sinew_host *host, const input_event *event, bool ours) {
  if (host->replay) ours = event->withheld;
  if (ours && host->log) run_log_write_withheld(host->log, host->telling);
  return ours;
}

/* Esc releases pinned parameters, and Ctrl+Z undoes a stroke of the brush. */
static bool take_back(sinew_host *host, int key) {
  if (key == input_find_key("escape")) return change_unpin(host);
  return key == input_find_key("z") && has_ctrl(host) && mask_undo(host);
}

/* Tells the application about a key. A key that it knows as pressed stays pressed until its release is reported. */
static void tell_key(sinew_host *host, const input_event *event) {
  bool *told = &host->input.app_keys[event->code];
  bool is_typing = host->ui && ui_has_keyboard(host->ui);
  if (host_is_console_key(host, event)) {
    if (event->down) host->view.console = !host->view.console;
    return;
  }
  if (*told == event->down) return;
  if (event->down && withhold(host, event, is_typing || take_back(host, event->code))) return;
  *told = event->down;
  const char *key = sinew_key_name(event->code);
  if (event->down && strcmp(key, "f11") == 0) sinew_host_set_fullscreen(host, !sinew_host_is_fullscreen(host));
  if (event->down && host->has_view_keys && !has_ctrl(host)) toggle_view(host, key);
  if (event->down) change_time(host, key);
  if (event->down && strcmp(key, "slash") == 0 && host->view.paused && has_shift(host))
    host->shows_keys = !host->shows_keys;
  if (host->app.key) host->app.key(host->app.user, key, event->down, has_ctrl(host));
}

/* The message under the mouse, if it has a location; or −1. */
static int problem_at_mouse(const sinew_host *host) {
  float x = host->input.mouse_x, y = host->input.mouse_y;
  for (int i = 0; i < PROBLEM_LIMIT; i++) {
    const float *box = host->problem_boxes[i];
    if (x >= box[0] && y >= box[1] && x < box[2] && y < box[3] && host->messages.problems[i].path) return i;
  }
  return -1;
}

/* True if the press was on a message. */
static bool open_problem(sinew_host *host, const input_event *event) {
  sinew_error error;
  int slot = event->down && event->code == 1 ? problem_at_mouse(host) : -1;
  if (slot < 0) return false;
  const problem *p = &host->messages.problems[slot];
  if (!editor_open(p->path, p->line, &error)) sinew_host_toast(host, error.message);
  return true;
}

static bool is_over_panel(const sinew_host *host) { return host->ui && ui_has_mouse(host->ui); }

/* Takes a press on a message, on a panel, or on something to pick and drag in the picture. */
static bool take_button(sinew_host *host, const input_event *event) {
  if (host->replay) return false;
  if (open_problem(host, event)) return true;
  if (!event->down && picking_release(host, event->code)) return true;
  if (host->input.app_buttons[event->code - 1] == event->down) return false;
  return (event->down && is_over_panel(host)) || picking_button(host, event->code, event->down);
}

static void tell_button(sinew_host *host, const input_event *event) {
  bool *told = &host->input.app_buttons[event->code - 1];
  if (withhold(host, event, take_button(host, event)) || *told == event->down) return;
  *told = event->down;
  if (event->down && host->drag_button == 0) {
    host->drag_button = event->code;
    host->input.moved_x = host->input.moved_y = 0; /* forgets the movement before the press */
  }
  if (!event->down && host->drag_button == event->code) host->drag_button = 0;
  if (host->app.mouse) host->app.mouse(host->app.user, event->code, event->down);
}

static void tell(sinew_host *host, const input_event *event) {
  if (event->kind == EVENT_KEY) tell_key(host, event);
  if (event->kind == EVENT_STRENGTH) host->input.app_strengths[event->code] = event->x;
  if (event->kind == EVENT_BUTTON) tell_button(host, event);
  if (event->kind == EVENT_WHEEL && !withhold(host, event, is_over_panel(host))) host->wheel += event->y;
  if (event->kind == EVENT_DROP && host->app.drop) host->app.drop(host->app.user, event->path);
}

/* The events of a frame are copied before each call, because a callback may send input, which may move the queue. */
static void tell_all(sinew_host *host) {
  for (int i = 0; i < host->input.taken; i++) {
    input_event event = host->input.events[i];
    host->telling = i;
    tell(host, &event);
    changes_replay(host, i);
  }
  host->telling = SET_IN_PANELS;
}

void host_turn_camera(sinew_host *host, double dt) {
  const input *in = &host->input;
  orbit_input moved = {.height = host->height};
  if (host->drag_button == 1) moved.turn_x = in->moved_x, moved.turn_y = in->moved_y;
  if (host->drag_button > 1) moved.shift_x = in->moved_x, moved.shift_y = in->moved_y;
  moved.zoom = host->wheel;
  orbit_update(&host->orbit, &host->camera, &moved, dt);
}

/* A minimised window only waits for events. */
void host_take_window(sinew_host *host) {
  if (!host->window) return;
  bool is_minimised = host->width == 0 || host->height == 0;
  window_poll(host->window, is_minimised && host->def.fixed_dt <= 0 ? 0.05 : 0);
  if (!host->replay) window_size(host->window, &host->width, &host->height);
  host_follow_scale(host);
}

/* Notes the saves of the recording or of its new code, and those that happened during a look back. */
static void note_saves(sinew_host *host) {
  bool drops = rerun_replay_drops(&host->rerun_replay, host->frame);
  for (int i = 0; host->replay && !drops && run_log_save(host->replay, i); i++)
    note_file_changed(host, run_log_save(host->replay, i), true);
  for (int i = 0; rerun_replay_save(&host->rerun_replay, host->frame, i); i++)
    note_file_changed(host, rerun_replay_save(&host->rerun_replay, host->frame, i), true);
  for (int i = 0; i < host->rerun.file_count; i++) note_file_changed(host, host->rerun.files[i], true);
  rerun_forget(&host->rerun);
}

static void take_input(sinew_host *host, double dt) {
  host_take_window(host);
  input_begin_frame(&host->input);
  if (host->log) run_log_write(host->log, dt, host->width, host->height, &host->input);
  if (host->ui) ui_begin_frame(host->ui, &host->input, host->width, host->height, dt);
  if (host->watch) watch_poll(host->watch, note_file_changed, host);
  note_saves(host);
  tell_files_changed(host);
  tell_all(host);
}

/* The callback's frame continues afterwards, but open panels are closed in it. Before the first frame, it is a picture
 * without panels. */
void sinew_host_refresh(sinew_host *host) {
  if (!host->ui) return;
  bool in_frame = ui_is_in_frame(host->ui);
  if (!in_frame && !host->window) return;
  if (!in_frame) host_take_window(host);
  if (!in_frame) ui_begin_frame(host->ui, &host->input, host->width, host->height, 0);
  host_show_again(host);
  if (in_frame) host_take_window(host);
  if (in_frame) ui_begin_frame(host->ui, &host->input, host->width, host->height, 0);
}

/* The press that cancels is no longer told to anybody. */
bool sinew_host_is_cancelled(sinew_host *host) {
  const int escape = input_find_key("escape");
  if (host->quits || (host->window && window_is_closing(host->window))) return true;
  for (int i = host->input.taken; i < host->input.count; i++) {
    input_event *event = host->input.events + i;
    if (event->kind != EVENT_KEY || event->code != escape || !event->down) continue;
    event->down = false;
    return true;
  }
  return false;
}

/* ---- the frame --------------------------------------------------------------------------------------------- */

/* The part of a frame's time that the scene gets. */
static double scene_dt(sinew_host *host, double dt) {
  const sinew_view_options *view = &host->view;
  bool passes = host->lets_one_pass;
  host->lets_one_pass = false;
  if (view->paused) return passes ? 1.0 / 60 : 0;
  return view->speed > 0 && isfinite(view->speed) ? dt * (double)view->speed : dt;
}

static void begin_frame(sinew_host *host, double dt) {
  host->is_in_frame = true;
  host->frame++;
  host->dt = scene_dt(host, dt);
  host->time += host->dt;
  host->wheel = 0;
  line_list_clear(&host->lines);
  line_list_clear(&host->lines_on_top);
  messages_update(&host->messages, dt);
}

static void update(sinew_host *host) {
  if (host->app.update) host->app.update(host->app.user, host->dt);
  changes_replay(host, SET_IN_PANELS);
  picking_update(host);
  inspector_draw(host);
  joints_draw(host);
  graph_panel_draw(host);
  console_draw(host);
}

/* Notes the state in the recording, or compares it with the recorded one. */
static void check_state(sinew_host *host) {
  uint64_t recorded;
  if (host->log && host->frame % RUN_LOG_CHECKS == 0) run_log_write_check(host->log, state_check(host->stage));
  bool compares = host->replay && !host->differs_at && run_log_check(host->replay, &recorded);
  if (compares && recorded != state_check(host->stage)) host->differs_at = host->frame;
}

static void evaluate(sinew_host *host) {
  sinew_stage_set_bind_pose(host->stage, host->view.bind_pose);
  look_back_watch(host);
  sinew_stage_update(host->stage, host->dt);
  check_state(host);
  if (host->dt > 0) look_back_keep(host);
  if (host->review.is_on) look_back_pose(host); /* since F9 in this frame */
}

static void draw(sinew_host *host, double dt) {
  if (host->app.draw) host->app.draw(host->app.user);
  selection_draw(host);
  graph_treadmill_draw(host);
  timeline_draw_lines(host); /* since F9 in this frame */
  if (host->has_orbit) host_turn_camera(host, dt);
}

bool host_end_frame(sinew_host *host, sinew_error *error) {
  bool shown = host_show(host, error);
  input_end_frame(&host->input);
  host->is_in_frame = false;
  return shown;
}

bool sinew_host_step(sinew_host *host, double dt, sinew_error *error) {
  if (host->is_in_frame) return error_set(error, "a frame cannot begin within a frame");
  if (!isfinite(dt)) dt = 0;
  if (host->review.is_on) return look_back_step(host, dt, error);
  void *locale = sinew_enter_c_locale(); /* for the panels and the application */
  begin_frame(host, dt);
  take_input(host, dt);
  update(host);
  evaluate(host);
  draw(host, dt);
  bool shown = host_end_frame(host, error);
  sinew_leave_c_locale(locale);
  return shown;
}

/* ---- the run ----------------------------------------------------------------------------------------------- */

static double next_step(sinew_host *host) {
  double now = clock_seconds();
  if (host->def.fixed_dt > 0) return host->def.fixed_dt;
  if (host->recording.capture) return 1 / host->recording.rate;
  return host->window ? pacing_step(&host->pacing, now) : 1.0 / 60;
}

static bool is_over(const sinew_host *host, int64_t first) {
  if (rerun_replay_is_over(&host->rerun_replay, host->frame)) return true;
  if (host->quits || (host->window && window_is_closing(host->window))) return true;
  return host->def.frame_limit > 0 && host->frame - first >= host->def.frame_limit;
}

/* A window stays open over a failing scene, so that its author can fix it; a replay continues as the recorded run did.
 */
static bool has_failed(const sinew_host *host) {
  return !host->window && !host->replay && host->app.failed && host->app.failed(host->app.user);
}

/* The time of the next frame; false past the end of a recording. */
static bool begin_step(sinew_host *host, double *dt) {
  if (!host->replay) return *dt = next_step(host), true;
  host->input.is_deaf = false;
  bool goes_on = run_log_read(host->replay, dt, &host->width, &host->height, &host->input);
  host->input.is_deaf = true;
  host->replay_dt = *dt;
  return goes_on && !run_log_strike(host->replay)[0];
}

/* A process that was asked for a rerun becomes the replay that makes it. */
static bool follow(sinew_host *host, sinew_error *error) {
  sinew_rerun wanted;
  while (host->def.follows && host->frame >= host->follow_to) {
    simulator_step asked = simulator_serve(&host->follow_to, &wanted);
    host->def.follows = asked == SIMULATOR_FOLLOWS || asked == SIMULATOR_HOLDS;
    if (asked == SIMULATOR_ENDS) host->quits = true;
    if (asked == SIMULATOR_MAKES) return rerun_replay_begin(&host->rerun_replay, &wanted, error);
    if (host->def.follows && !run_log_follow(host->replay, asked == SIMULATOR_HOLDS))
      return error_set(error, "out of memory for a recording");
  }
  return true;
}

/* Lists keys that are hard to guess; those of `view` have their own line. */
static void say_keys(sinew_host *host) {
  if (!host->window || host->has_view_keys) return;
  messages_set_hint(&host->messages,
                    "F9 looks back: what jumped, and why    F1 inspector    F6 pauses; then ? lists all keys", 12);
}

bool sinew_host_run(sinew_host *host, sinew_error *error) {
  int64_t first = host->frame;
  say_keys(host);
  double dt;
  bool fine = follow(host, error);
  while (fine && !is_over(host, first) && begin_step(host, &dt)) {
    fine = sinew_host_step(host, dt, error);
    if (host->capture && host->def.progress)
      host->def.progress(host->def.progress_user, host->frame - first, host->def.frame_limit);
    if (fine && has_failed(host))
      fine = error_set(error, "the application failed in frame %lld", (long long)host->frame);
    fine = fine && follow(host, error);
  }
  const char *strike = host->replay && fine ? run_log_strike(host->replay) : "";
  if (strike[0])
    fine = error_set(error,
                     "in frame %lld of the recording '%s' took longer than allowed and was suspended: the replay ends "
                     "here",
                     (long long)host->frame + 1, strike);
  host_end_recording(host);
  fine = fine && rerun_replay_end(&host->rerun_replay, error);
  return host_finish_capture(host, fine ? error : NULL) && fine;
}

void sinew_host_quit(sinew_host *host) { host->quits = true; }

/* ---- the length of a frame in scene time ---- */

double pacing_step(pacing *p, double now) {
  double interval = p->count > 0 ? now - p->last : 1.0 / 60;
  if (!(interval > 0)) interval = 0;
  if (interval > 0.1) interval = 0.1;
  if (p->count == 0)
    for (int i = 0; i < PACING_HISTORY; i++) p->history[i] = interval;
  p->history[p->count % PACING_HISTORY] = interval;
  p->count = p->count % (PACING_HISTORY * 1000) + 1;
  p->last = now;
  double sum = 0;
  for (int i = 0; i < PACING_HISTORY; i++) sum += p->history[i];
  return sum / PACING_HISTORY;
}
