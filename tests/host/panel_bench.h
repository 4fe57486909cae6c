/* panel_bench – a host without a window, and the clicks, drags and keys of a person. */
#ifndef SINEW_TESTS_PANEL_BENCH_H
#define SINEW_TESTS_PANEL_BENCH_H

#include "host_fixture.h"

#include "host/capture/picture.h"
#include "host/host.h"

enum { WIDTH = 960, HEIGHT = 540 };

/* Where no picture is looked at, none is made: panels work without. */
static inline sinew_host *bench_host_of(int width, int height, float scale, bool drawn) {
  sinew_error error = {{0}};
  sinew_host_def def = sinew_host_def_default();
  def.output = SINEW_OUTPUT_OFFSCREEN;
  def.width = (int)((float)width * scale), def.height = (int)((float)height * scale), def.scale = scale;
  def.panels_only = !drawn;
  def.samples = 1, def.shadow_size = 0;
  sinew_host *host = sinew_host_create(&def, &error);
  if (!host) fail_msg("%s", error.message);
  return host;
}

static inline sinew_host *bench_host(float scale, bool drawn) { return bench_host_of(WIDTH, HEIGHT, scale, drawn); }

static inline sinew_model *bench_hero(void) {
  sinew_error error = {{0}};
  sinew_model *model = sinew_model_load(SINEW_SOURCE "/assets/hero.glb", NULL, &error);
  if (!model) fail_msg("%s", error.message);
  return model;
}

static inline void bench_step(sinew_host *host, int frames) {
  sinew_error error = {{0}};
  for (int i = 0; i < frames; i++)
    if (!sinew_host_step(host, 1.0 / 60, &error)) fail_msg("%s", error.message);
}

static inline void bench_find(const sinew_host *host, const char *label, float box[4]) {
  if (!ui_find_item(host->ui, label, box)) fail_msg("there is no '%s'", label);
}

static inline bool bench_shows(const sinew_host *host, const char *text) {
  float box[4];
  return ui_find_item(host->ui, text, box);
}

/* Pressed at one place of the window, let go at another. */
static inline void bench_drag(sinew_host *host, float x, float y, float to_x, float to_y) {
  sinew_host_send_mouse(host, x, y);
  bench_step(host, 1);
  sinew_host_send_button(host, 1, true);
  bench_step(host, 1);
  sinew_host_send_mouse(host, to_x, to_y);
  bench_step(host, 1);
  sinew_host_send_button(host, 1, false);
  bench_step(host, 2);
}

static inline void bench_middle(const sinew_host *host, const char *label, float *x, float *y) {
  float box[4];
  bench_find(host, label, box);
  *x = (box[0] + box[2]) / 2, *y = (box[1] + box[3]) / 2;
}

static inline void bench_click(sinew_host *host, const char *label) {
  float x, y;
  bench_middle(host, label, &x, &y);
  bench_drag(host, x, y, x, y);
}

static inline void bench_press(sinew_host *host, const char *key) {
  for (int down = 1; down >= 0; down--) {
    assert_true(sinew_host_send_key(host, key, down));
    bench_step(host, 2);
  }
}

static inline void bench_type(sinew_host *host, const char *text) {
  for (; *text; text++) input_push_character(&host->input, (unsigned char)*text);
  bench_step(host, 2);
}

/* Where the renderer's own matrices put a point of the world. */
static inline void bench_project(const sinew_host *h, sinew_vec3 p, float out[2]) {
  const sinew_camera camera = sinew_host_shown_camera(h);
  sinew_mat4 view = sinew_camera_view(&camera);
  sinew_mat4 projection = sinew_camera_projection(&camera, (float)h->width / (float)h->height);
  const float from[4] = {p.x, p.y, p.z, 1};
  float eye[4] = {0}, clip[4] = {0};
  for (int r = 0; r < 4; r++)
    for (int k = 0; k < 4; k++) eye[r] += view.m[4 * k + r] * from[k];
  for (int r = 0; r < 4; r++)
    for (int k = 0; k < 4; k++) clip[r] += projection.m[4 * k + r] * eye[k];
  out[0] = (clip[0] / clip[3] * 0.5f + 0.5f) * (float)h->width;
  out[1] = (0.5f - clip[1] / clip[3] * 0.5f) * (float)h->height;
}

/* For eyes: SINEW_PICTURES=folder keeps what it looks like, as NAME-1x.png. */
static inline void bench_picture(sinew_host *host, const char *name, int scale) {
  char path[512];
  picture p;
  sinew_error error = {{0}};
  snprintf(path, sizeof path, "%s/%s-%dx.png", getenv("SINEW_PICTURES"), name, scale);
  assert_true(picture_create(&p, host->width, host->height, NULL));
  if (!sinew_renderer_read(host->renderer, p.width, p.height, p.rgba, &error)) fail_msg("%s", error.message);
  assert_true(png_write(path, &p, NULL));
  picture_release(&p);
}

#endif
