/* Replaces window.c and egl.c in programs linked without GLFW and EGL: there is no display. */
#include "base/error.h"
#include "host/display/offscreen.h"
#include "host/display/window.h"

static const char reason[] = "pictures: this program was built without a display and can only simulate";

window *window_create(const window_def *def, sinew_error *error) {
  (void)def;
  error_set(error, "%s", reason);
  return NULL;
}

void window_destroy(window *w) { (void)w; }

void window_poll(window *w, double seconds) {
  (void)w;
  (void)seconds;
}

void window_swap(window *w) { (void)w; }

bool window_is_closing(const window *w) {
  (void)w;
  return true;
}

void window_size(const window *w, int *width, int *height) {
  (void)w;
  *width = *height = 0;
}

float window_scale(const window *w) {
  (void)w;
  return 1;
}

void window_set_cursor(window *w, int shape) {
  (void)w;
  (void)shape;
}

void window_set_fullscreen(window *w, bool on) {
  (void)w;
  (void)on;
}

bool window_is_fullscreen(const window *w) {
  (void)w;
  return false;
}

void window_set_clipboard(window *w, const char *text) {
  (void)w;
  (void)text;
}

const char *window_clipboard(const window *w) {
  (void)w;
  return NULL;
}

void *window_proc(const char *name) {
  (void)name;
  return NULL;
}

offscreen *offscreen_create(sinew_error *error) {
  error_set(error, "%s", reason);
  return NULL;
}

void offscreen_destroy(offscreen *context) { (void)context; }

void *offscreen_proc(const char *name) {
  (void)name;
  return NULL;
}
