/* What the script of the page calls. The page has one host, with one scene; files are in the module's memory. */
#include "host/host.h"
#include "host/system/web/page_files.h"

#include <sinew/recording.h>
#include <sinew_lua.h>

#include <emscripten.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
  sinew_host *host;
  sinew_scene *scene;
  char message[sizeof((sinew_error *)0)->message];
} page;

/* The reason why the last call returned false. */
EMSCRIPTEN_KEEPALIVE const char *page_message(void) { return page.message; }

static bool refuse(const sinew_error *error) {
  snprintf(page.message, sizeof page.message, "%s", error->message);
  return false;
}

/* With `draws` 0 the scene only runs, without a canvas, in steps of 1/60 s. */
EMSCRIPTEN_KEEPALIVE bool page_open(int draws) {
  sinew_error error;
  sinew_host_def def = sinew_host_def_default();
  setenv("SINEW_HOME", "/sinew", 1);
  setenv("SINEW_CACHE", "off", 1);
  def.output = draws ? SINEW_OUTPUT_WINDOW : SINEW_OUTPUT_NONE;
  def.keeps_past = true;
  page.host = sinew_host_create(&def, &error);
  return page.host || refuse(&error);
}

EMSCRIPTEN_KEEPALIVE void page_close_scene(void) {
  sinew_scene_destroy(page.scene);
  page.scene = NULL;
}

static bool is_bundle(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && strcmp(dot, ".sinewbundle") == 0;
}

/* Runs the scene in this file, or this bundle, in place of the one before. */
EMSCRIPTEN_KEEPALIVE bool page_open_scene(const char *path) {
  sinew_error error;
  page_close_scene();
  if (!sinew_host_set_bundle(page.host, is_bundle(path) ? path : NULL, &error)) return refuse(&error);
  page.scene = sinew_scene_create(page.host, is_bundle(path) ? NULL : path, NULL, &error);
  if (!page.scene) return refuse(&error);
  sinew_app app = sinew_scene_app(page.scene);
  sinew_host_set_app(page.host, &app);
  sinew_host_set_view_keys(page.host, false);
  return true;
}

EMSCRIPTEN_KEEPALIVE bool page_frame(double dt) {
  sinew_error error;
  return sinew_host_step(page.host, dt, &error) || refuse(&error);
}

EMSCRIPTEN_KEEPALIVE int page_frames(void) { return (int)sinew_host_frame(page.host); }

EMSCRIPTEN_KEEPALIVE bool page_saved(const char *path) { return page_file_changed(path, true); }
EMSCRIPTEN_KEEPALIVE bool page_removed(const char *path) { return page_file_changed(path, false); }

/* The first error of the scene's scripts since they were loaded, with its traceback; NULL: none. */
EMSCRIPTEN_KEEPALIVE const char *page_problem(void) { return page.scene ? sinew_scene_problem(page.scene) : NULL; }
EMSCRIPTEN_KEEPALIVE const char *page_summary(void) { return page.scene ? sinew_scene_summary(page.scene) : ""; }

/* What the host suggests to look at ("hero: …: F9 goes back to it"), which the page then shows in its place; NULL:
 * nothing new. */
EMSCRIPTEN_KEEPALIVE const char *page_take_hint(void) {
  static char text[320];
  messages *m = &page.host->messages;
  if (!m->hint) return NULL;
  snprintf(text, sizeof text, "%s", m->hint);
  messages_set_hint(m, NULL, 0);
  return text;
}

EMSCRIPTEN_KEEPALIVE const char *page_evaluate(const char *line) {
  static char answer[16384];
  if (!page.scene) return "there is no scene";
  sinew_scene_evaluate(page.scene, line, answer, sizeof answer);
  return answer;
}

/* NULL if the text is Lua, else the message with its line. */
EMSCRIPTEN_KEEPALIVE const char *page_check(const char *name, const char *text) {
  static char message[1024];
  return sinew_lua_parses(name, text, message, sizeof message) ? NULL : message;
}

/* Lines: the position in `text` from which the names that follow replace it, then the names. */
EMSCRIPTEN_KEEPALIVE const char *page_complete(const char *text) {
  static char answer[16384];
  int from = 0, head = 16;
  answer[head] = '\0';
  if (page.scene) sinew_scene_complete(page.scene, text, &from, answer + head, sizeof answer - (size_t)head);
  int length = snprintf(answer, (size_t)head, "%d\n", from);
  memmove(answer + length, answer + head, strlen(answer + head) + 1);
  return answer;
}

/* ---- input: pixels of the canvas, names of keys as in Lua ---- */

EMSCRIPTEN_KEEPALIVE bool page_key(const char *key, int down) { return sinew_host_send_key(page.host, key, down); }
EMSCRIPTEN_KEEPALIVE void page_character(unsigned character) { sinew_host_send_character(page.host, character); }
EMSCRIPTEN_KEEPALIVE void page_mouse(float x, float y) { sinew_host_send_mouse(page.host, x, y); }
EMSCRIPTEN_KEEPALIVE void page_button(int button, int down) { sinew_host_send_button(page.host, button, down); }
EMSCRIPTEN_KEEPALIVE void page_wheel(float notches) { sinew_host_send_wheel(page.host, notches); }
EMSCRIPTEN_KEEPALIVE void page_drop(const char *path) { sinew_host_send_drop(page.host, path); }
EMSCRIPTEN_KEEPALIVE bool page_strength(const char *key, double strength) {
  return sinew_host_send_strength(page.host, key, strength);
}

int main(void) { return 0; } /* the page's script calls the rest */
