/* What an application or a panel asks of a host, and tells it. */
#include "host/host.h"

#include "base/clock.h"
#include "base/memory/memory.h"
#include "host/drawing/lines.h"
#include "math/elementary.h"

#include <math.h>
#include <string.h>

void sinew_host_set_app(sinew_host *host, const sinew_app *app) { host->app = app ? *app : (sinew_app){0}; }

/* ---- answers ---- */

bool sinew_host_recorded(const sinew_host *host) { return run_log_is_whole(host->log); }
sinew_output sinew_host_output(const sinew_host *host) { return host->def.output; }
void sinew_host_begin_callback(sinew_host *host) { host->stats.callback_begun = clock_seconds(); }

void sinew_host_end_callback(sinew_host *host, const char *name) {
  double seconds = clock_seconds() - host->stats.callback_begun;
  for (int i = 0; i < STATS_CALLBACKS; i++) {
    callback_stats *c = host->stats.callbacks + i;
    if (c->name && strcmp(c->name, name) != 0) continue;
    c->seconds = c->name ? c->seconds + 0.05 * (seconds - c->seconds) : seconds;
    c->name = name;
    return;
  }
}

const char *sinew_host_renderer(const sinew_host *host) { return host->stats.renderer; }
int64_t sinew_host_frame(const sinew_host *host) { return host->frame; }
int64_t sinew_host_differs_at(const sinew_host *host) { return host->differs_at; }
double sinew_host_time(const sinew_host *host) { return host->time; }

void sinew_host_size(const sinew_host *host, int *width, int *height) {
  *width = host->width;
  *height = host->height;
}

void sinew_host_set_fullscreen(sinew_host *host, bool on) {
  if (host->window) window_set_fullscreen(host->window, on);
}

bool sinew_host_is_fullscreen(const sinew_host *host) { return host->window && window_is_fullscreen(host->window); }

sinew_stage *sinew_host_stage(sinew_host *host) { return host->stage; }
sinew_camera *sinew_host_camera(sinew_host *host) { return &host->camera; }
sinew_light *sinew_host_light(sinew_host *host) { return &host->light; }
sinew_view_options *sinew_host_view(sinew_host *host) { return &host->view; }

void sinew_host_set_orbit(sinew_host *host, bool on) {
  if (on && !host->has_orbit) orbit_notice(&host->orbit, &host->camera);
  host->has_orbit = on;
}

bool sinew_host_has_orbit(const sinew_host *host) { return host->has_orbit; }
void sinew_host_set_view_keys(sinew_host *host, bool on) { host->has_view_keys = on; }

void sinew_host_frame_box(sinew_host *host, sinew_vec3 minimum, sinew_vec3 maximum) {
  float aspect = host->width > 0 && host->height > 0 ? (float)host->width / (float)host->height : 1;
  orbit_frame_box(&host->orbit, &host->camera, minimum, maximum, aspect);
}

/* Keeps its height within the area that panels leave free, and centres it there. */
sinew_camera sinew_host_shown_camera(const sinew_host *host) {
  const float least = 0.2f;
  sinew_camera camera = host->camera;
  float area[4], width = (float)host->width, height = (float)host->height;
  if (!host->ui || host->width <= 0 || host->height <= 0) return camera;
  ui_seen_area(host->ui, area);
  float fraction = (area[3] - area[1]) / height;
  if (fraction < least || area[2] - area[0] < least * width) return camera;
  if (fraction < 1) camera.fov_y = 2 * float_atan(float_tan(camera.fov_y / 2) / fraction);
  camera.shift_x += (area[0] + area[2]) / width - 1;
  camera.shift_y += 1 - (area[1] + area[3]) / height;
  return camera;
}

/* ---- lines ---- */

void sinew_host_draw_line(sinew_host *host, const sinew_line *line, bool on_top) {
  if (host->renderer && line) line_list_add(on_top ? &host->lines_on_top : &host->lines, line);
}

void sinew_host_draw_skeleton(sinew_host *host, sinew_actor actor) {
  const sinew_mat3x4 *joints = sinew_actor_joints(host->stage, actor);
  if (!host->renderer || !joints) return;
  const sinew_model *model = sinew_actor_model(host->stage, actor);
  if (!array_reserve((void **)&host->marks, &host->mark_capacity, sinew_model_joint_count(model), 1)) return;
  skeleton_mark(model, host->marks);
  sinew_transform transform = sinew_actor_transform(host->stage, actor);
  skeleton_lines_add(&host->lines_on_top, model, host->marks, &transform, joints);
}

void sinew_host_draw_text(sinew_host *host, float x, float y, const uint8_t color[4], const char *text) {
  if (!host->ui || !text) return;
  ui_style style = {UI_BEHIND, UI_TEXT, ui_color(255, 204, 51, 1)};
  if (color) style.color = ui_color(color[0], color[1], color[2], (float)color[3] / 255);
  else {
    const ui_style back = {UI_BEHIND, UI_TEXT, ui_color(12, 14, 17, 0.74f)};
    float width, height, edge = 3 * ui_scale(host->ui);
    ui_text_size(host->ui, UI_TEXT, text, &width, &height);
    ui_draw_box(host->ui, &back, (float[4]){x - edge, y - edge / 2, x + width + edge, y + height + edge / 2}, edge);
  }
  ui_draw_text(host->ui, &style, x, y, text);
}

/* ---- input ---- */

bool sinew_host_is_down(const sinew_host *host, const char *key) {
  int index = input_find_key(key);
  return index >= 0 && host->input.app_keys[index];
}

double sinew_host_strength(const sinew_host *host, const char *key) {
  int index = input_find_key(key);
  if (index < 0) return 0;
  if (!input_has_strength(index)) return host->input.app_keys[index];
  return (double)host->input.app_strengths[index];
}

bool sinew_host_is_mouse_down(const sinew_host *host, int button) {
  return button >= 1 && button <= BUTTON_COUNT && host->input.app_buttons[button - 1];
}

void sinew_host_mouse(const sinew_host *host, float *x, float *y) {
  *x = host->input.mouse_x;
  *y = host->input.mouse_y;
}

float sinew_host_wheel(const sinew_host *host) { return host->wheel; }

bool sinew_host_send_strength(sinew_host *host, const char *key, double strength) {
  int index = input_find_key(key);
  if (!input_has_strength(index) || !(strength >= 0 && strength <= 1)) return false;
  input_push_strength(&host->input, index, (float)strength);
  input_push_key(&host->input, index, strength >= 0.5);
  return true;
}

bool sinew_host_send_key(sinew_host *host, const char *key, bool down) {
  int index = input_find_key(key);
  if (input_has_strength(index)) input_push_strength(&host->input, index, down);
  if (index >= 0) input_push_key(&host->input, index, down);
  return index >= 0;
}

void sinew_host_send_mouse(sinew_host *host, float x, float y) { input_push_move(&host->input, x, y); }

void sinew_host_send_character(sinew_host *host, unsigned character) { input_push_character(&host->input, character); }
void sinew_host_send_wheel(sinew_host *host, float notches) { input_push_wheel(&host->input, notches); }

void sinew_host_send_button(sinew_host *host, int button, bool down) { input_push_button(&host->input, button, down); }

void sinew_host_send_drop(sinew_host *host, const char *path) {
  if (path) input_push_drop(&host->input, path);
}

/* ---- messages ---- */

void sinew_host_log(sinew_host *host, sinew_log_level level, const char *line) {
  messages_add_line(&host->messages, level, line);
  if (line) rerun_replay_print(&host->rerun_replay, line, host->frame);
  console_add(&host->console, level == SINEW_LOG_WARNING || level == SINEW_LOG_ERROR ? (int)level : SINEW_LOG_INFO,
              line);
}

void sinew_host_toast(sinew_host *host, const char *text) {
  messages_add_toast(&host->messages, text);
  console_add(&host->console, SINEW_LOG_INFO, text);
}

void sinew_host_set_progress(sinew_host *host, const char *text) { messages_set_progress(&host->messages, text); }
const char *sinew_host_progress(const sinew_host *host) { return host->messages.progress; }

void sinew_host_set_problem(sinew_host *host, int slot, const char *title, const char *text) {
  const char *before = sinew_host_problem(host, slot);
  if (text && (!before || strcmp(before, text) != 0)) console_add(&host->console, SINEW_LOG_ERROR, text);
  messages_set_problem(&host->messages, slot, title, text);
}

const char *sinew_host_problem(const sinew_host *host, int slot) {
  return slot >= 0 && slot < PROBLEM_LIMIT ? host->messages.problems[slot].text : NULL;
}

void sinew_host_set_problem_location(sinew_host *host, int slot, const char *path, int line) {
  messages_set_location(&host->messages, slot, path, line);
}

bool sinew_host_problem_box(const sinew_host *host, int slot, float box[4]) {
  if (slot < 0 || slot >= PROBLEM_LIMIT || host->problem_boxes[slot][2] <= 0) return false;
  memcpy(box, host->problem_boxes[slot], sizeof host->problem_boxes[slot]);
  return true;
}

bool sinew_host_set_clipboard(sinew_host *host, const char *text) {
  if (host->window) {
    window_set_clipboard(host->window, text);
    return true;
  }
  char *copy = mem_copy_string(text);
  if (!copy) return false;
  mem_free(host->clipboard);
  host->clipboard = copy;
  return true;
}

const char *sinew_host_clipboard(const sinew_host *host) {
  return host->window ? window_clipboard(host->window) : host->clipboard;
}

void sinew_host_set_help(sinew_host *host, const char *text) { messages_set_help(&host->messages, text); }

/* ---- files ---- */

bool sinew_host_watch(sinew_host *host, const char *path, sinew_error *error) {
  return !host->watch || watch_add(host->watch, path, error);
}

void sinew_host_unwatch_all(sinew_host *host) {
  if (host->watch) watch_clear(host->watch);
}
