/* inspected – a scene under the inspector, used with the mouse. */
#ifndef SINEW_TESTS_BINDINGS_SCENE_INSPECTED_H
#define SINEW_TESTS_BINDINGS_SCENE_INSPECTED_H

#include "harness.h"

#include "host/host.h"

enum { WIDE = 1000, HIGH = 1800 };

#define PREFIX                                                                                                         \
  "local sinew = require 'sinew'\n"                                                                                    \
  "local hero = sinew.actor('hero', sinew.model 'hero.glb', { params = { pace = 1, turn = 0 } })\n"

/* A host, and how it is before a scene. */
typedef struct bench {
  sinew_host *host;
  sinew_view_options view;
  sinew_camera camera;
  sinew_light light;
  char skinner[32];
} bench;

/* One that draws and one that does not serve all scenes, one after the other: compiling shaders takes longest. */
static bench benches[2];

static inline void make_bench(bench *b, bool panels_wanted) {
  sinew_error error;
  sinew_host_def def = sinew_host_def_default();
  def.output = panels_wanted ? SINEW_OUTPUT_OFFSCREEN : SINEW_OUTPUT_NONE;
  def.width = WIDE, def.height = HIGH, def.panels_only = panels_wanted, def.fixed_dt = 1.0 / 60;
  def.samples = 1, def.shadow_size = 0;
  b->host = sinew_host_create(&def, &error);
  if (!b->host) fail_msg("%s", error.message);
  b->view = *sinew_host_view(b->host);
  b->camera = *sinew_host_camera(b->host);
  b->light = *sinew_host_light(b->host);
  snprintf(b->skinner, sizeof b->skinner, "%s", sinew_host_skinner(b->host));
}

static inline void clear_bench(bench *b) {
  sinew_error error;
  sinew_app none = {0};
  sinew_host_set_app(b->host, &none);
  *sinew_host_view(b->host) = b->view;
  *sinew_host_camera(b->host) = b->camera;
  *sinew_host_light(b->host) = b->light;
  sinew_host_set_orbit(b->host, true);
  if (strcmp(sinew_host_skinner(b->host), b->skinner) != 0) sinew_host_set_skinner(b->host, b->skinner, &error);
  changes_clear(&b->host->inspector.changes);
  sinew_host_set_clipboard(b->host, "");
}

static inline int destroy_benches(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++)
    if (benches[i].host) sinew_host_destroy(benches[i].host);
  return 0;
}

/* Runs PREFIX and `text`. Only a host that could draw knows skinners. */
static inline void open_inspected(harness *h, const char *text, bool panels_wanted) {
  char whole[8192];
  bench *b = benches + panels_wanted;
  memset(h, 0, sizeof *h);
  snprintf(h->folder, sizeof h->folder, "/tmp/sinew-test-XXXXXX");
  assert_non_null(mkdtemp(h->folder));
  snprintf(h->path, sizeof h->path, "%s/scene.lua", h->folder);
  if (!b->host) make_bench(b, panels_wanted);
  clear_bench(b);
  h->host = b->host;
  snprintf(whole, sizeof whole, "%s%s\n", PREFIX, text);
  if (!harness_load(h, whole, NULL)) fail_msg("%s\n%s", h->error.message, whole);
  sinew_host_view(h->host)->inspector = true;
  harness_step(h, 3);
}

static inline void close_scene(harness *h) {
  sinew_scene_destroy(h->scene);
  unlink(h->path);
  assert_int_equal(rmdir(h->folder), 0);
  for (int i = 0; i < 2; i++)
    if (benches[i].host) clear_bench(benches + i);
}

/* The hero's thing of that kind, or its model, or what belongs to no actor. */
static inline sinew_edit edit_of(const harness *h, sinew_edit_kind kind) {
  return (sinew_edit){.kind = kind, .actor = sinew_scene_find_actor(h->scene, "hero")};
}

static inline sinew_control control_at(const harness *h, const sinew_edit *of, int index) {
  sinew_control c;
  assert_true(h->host->app.control(h->host->app.user, of, index, &c));
  return c;
}

/* The index of the control of that name. */
static inline int find_control(const harness *h, const sinew_edit *of, const char *name) {
  sinew_control c;
  for (int i = 0; h->host->app.control(h->host->app.user, of, i, &c); i++)
    if (strcmp(c.name, name) == 0) return i;
  fail_msg("there is no control '%s'", name);
  return -1;
}

static inline bool is_same(const sinew_control *a, const sinew_control *b) {
  bool same = true;
  for (int i = 0; i < 3; i++)
    same = same && ((isnan(a->values[i]) && isnan(b->values[i])) || /* a target that there is none of */
                    fabsf(a->values[i] - b->values[i]) <= 1e-4f * (1 + fabsf(a->values[i])));
  return same;
}

static inline void read_script(const harness *h, char out[4096]) {
  FILE *file = fopen(h->path, "rb");
  assert_non_null(file);
  out[fread(out, 1, 4095, file)] = 0;
  fclose(file);
}

/* ---- the mouse ---- */

static inline void drag_from(harness *h, float x, float y, float by) {
  for (int i = 0; i < 4; i++) {
    sinew_host_send_mouse(h->host, i < 2 ? x : x + by, y);
    if (i == 1 || i == 3) sinew_host_send_button(h->host, 1, i == 1);
    harness_step(h, 1);
  }
  harness_step(h, 2);
}

/* The time of a marker lies above its `sync`; the first of that label is an action's. */
static inline bool find_box(const harness *h, const char *label, float box[4]) {
  float sync[4], silent[4];
  bool of_marker = strcmp(label, "time") == 0 && ui_find_item(h->host->ui, "sync", sync);
  if (!of_marker || !ui_find_item(h->host->ui, "silent", silent)) return ui_find_item(h->host->ui, label, box);
  memcpy(box, sync, sizeof sync);
  box[1] -= silent[1] - sync[1], box[3] -= silent[1] - sync[1];
  return true;
}

static inline bool drag(harness *h, const char *label, float share, float by) {
  float box[4];
  if (!find_box(h, label, box)) return false;
  drag_from(h, box[0] + (box[2] - box[0]) * share, (box[1] + box[3]) / 2, by);
  return true;
}

static inline bool click(harness *h, const char *label) { return drag(h, label, 0.05f, 0); }

#endif
