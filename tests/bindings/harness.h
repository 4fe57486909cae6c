/* harness – a host without pictures, a scene from text, and frames. */
#ifndef SINEW_TESTS_BINDINGS_HARNESS_H
#define SINEW_TESTS_BINDINGS_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sinew_lua.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct harness {
  sinew_host *host;
  sinew_scene *scene;
  char folder[64], path[96];
  char printed[65536];
  sinew_error error;
} harness;

static inline void harness_write(const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static inline void harness_print(void *user, const char *line) {
  harness *h = user;
  size_t used = strlen(h->printed);
  snprintf(h->printed + used, sizeof h->printed - used, "%s\n", line);
}

static inline void harness_open_host(harness *h) {
  sinew_host_def def = sinew_host_def_default();
  memset(h, 0, sizeof *h);
  def.output = SINEW_OUTPUT_NONE;
  def.fixed_dt = 1.0 / 60;
  h->host = sinew_host_create(&def, &h->error);
  assert_non_null(h->host);
  snprintf(h->folder, sizeof h->folder, "/tmp/sinew-test-XXXXXX");
  assert_non_null(mkdtemp(h->folder));
  snprintf(h->path, sizeof h->path, "%s/scene.lua", h->folder);
}

/* With widgets, which only pictures have. False, with nothing open, where there can be none. */
static inline bool harness_open_panels(harness *h) {
  sinew_host_def def = sinew_host_def_default();
  harness_open_host(h);
  sinew_host_destroy(h->host);
  def.output = SINEW_OUTPUT_OFFSCREEN, def.panels_only = true;
  def.width = 640, def.height = 480;
  h->host = sinew_host_create(&def, &h->error);
  if (!h->host) rmdir(h->folder);
  return h->host != NULL;
}

/* False, with h->error, where the scene does not load. */
static inline bool harness_load(harness *h, const char *text, const sinew_scene_def *base) {
  sinew_scene_def def = base ? *base : sinew_scene_def_default();
  def.print = harness_print;
  def.print_user = h;
  harness_write(h->path, text);
  h->scene = sinew_scene_create(h->host, h->path, &def, &h->error);
  if (!h->scene) return false;
  sinew_app app = sinew_scene_app(h->scene);
  sinew_host_set_app(h->host, &app);
  return true;
}

static inline void harness_open(harness *h, const char *text) {
  harness_open_host(h);
  if (!harness_load(h, text, NULL)) fail_msg("%s", h->error.message);
}

/* The host becomes one without pictures that records to a file, or plays it back. */
static inline void harness_use_log(harness *h, const char *log, bool replays) {
  sinew_host_def def = sinew_host_def_default();
  sinew_host_destroy(h->host);
  def.output = SINEW_OUTPUT_NONE;
  *(replays ? &def.replay_input : &def.record_input) = log;
  h->host = sinew_host_create(&def, &h->error);
  if (!h->host) fail_msg("%s", h->error.message);
}

/* Plays a recording back, up to its first frame. */
static inline void harness_open_replay(harness *h, const char *log) {
  harness_use_log(h, log, true);
  sinew_scene_def def = sinew_scene_def_default();
  def.print = harness_print;
  def.print_user = h;
  h->scene = sinew_scene_create(h->host, NULL, &def, &h->error);
  if (!h->scene) fail_msg("%s", h->error.message);
  sinew_app app = sinew_scene_app(h->scene);
  sinew_host_set_app(h->host, &app);
}

static inline void harness_close(harness *h) {
  char command[128];
  sinew_scene_destroy(h->scene);
  sinew_host_destroy(h->host);
  snprintf(command, sizeof command, "rm -r '%s'", h->folder);
  assert_int_equal(system(command), 0);
}

static inline void harness_step(harness *h, int frames) {
  for (int i = 0; i < frames; i++) assert_true(sinew_host_step(h->host, 1.0 / 60, &h->error));
}

static inline bool harness_reload(harness *h, const char *text) {
  harness_write(h->path, text);
  return sinew_scene_reload(h->scene, &h->error);
}

/* A key is pressed and let go. */
static inline void harness_key(harness *h, const char *name) {
  sinew_app app = sinew_scene_app(h->scene);
  app.key(app.user, name, true, false);
  app.key(app.user, name, false, false);
}

static inline void harness_expect(const char *text, const char *part) {
  if (!text || !strstr(text, part)) fail_msg("'%s' is not in: %s", part, text ? text : "(nothing)");
}

/* A scene of both texts does not load, and the reason says so. */
static inline void harness_refused(const char *before, const char *text, const char *reason) {
  static harness h;
  char whole[4096];
  snprintf(whole, sizeof whole, "%s%s\n", before, text);
  harness_open_host(&h);
  if (harness_load(&h, whole, NULL)) fail_msg("not refused: %s", text);
  harness_expect(h.error.message, reason);
  harness_close(&h);
}

#endif
