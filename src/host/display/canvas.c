/* A canvas of a web page in the place of a window. The page's script sends the input (sinew_host_send_key …) and sets
 * the canvas' size, and the browser shows the picture when a frame's function returns. */
#include "base/error.h"
#include "base/memory/memory.h"
#include "host/display/offscreen.h"
#include "host/display/window.h"

#include <emscripten/html5.h>

struct window {
  EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context;
  char *clipboard;
};

static const char canvas[] = "#sinew";

window *window_create(const window_def *def, sinew_error *error) {
  (void)def;
  EmscriptenWebGLContextAttributes wanted;
  emscripten_webgl_init_context_attributes(&wanted);
  wanted.majorVersion = 2;
  wanted.alpha = wanted.depth = wanted.antialias = false; /* the renderer has its own */
  window *w = mem_alloc_zeroed(sizeof *w);
  if (!w) return error_memory(error, "a canvas", sizeof *w), NULL;
  w->context = emscripten_webgl_create_context(canvas, &wanted);
  if (w->context > 0 && emscripten_webgl_make_context_current(w->context) == EMSCRIPTEN_RESULT_SUCCESS) return w;
  error_set(error, "no picture: this browser has no WebGL 2, or it is switched off");
  window_destroy(w);
  return NULL;
}

void window_destroy(window *w) {
  if (!w) return;
  if (w->context > 0) emscripten_webgl_destroy_context(w->context);
  mem_free(w->clipboard);
  mem_free(w);
}

void window_poll(window *w, double seconds) { (void)w, (void)seconds; }
void window_swap(window *w) { (void)w; }
bool window_is_closing(const window *w) { return (void)w, false; }

void window_size(const window *w, int *width, int *height) {
  (void)w;
  if (emscripten_get_canvas_element_size(canvas, width, height) != EMSCRIPTEN_RESULT_SUCCESS) *width = *height = 0;
}

float window_scale(const window *w) { return (void)w, (float)emscripten_get_device_pixel_ratio(); }

/* The page shows the cursor and covers the display. */
void window_set_cursor(window *w, int shape) { (void)w, (void)shape; }
void window_set_fullscreen(window *w, bool on) { (void)w, (void)on; }
bool window_is_fullscreen(const window *w) { return (void)w, false; }

/* A page may read the system's clipboard only with a permission, so panels have one of their own. */
void window_set_clipboard(window *w, const char *text) {
  mem_free(w->clipboard);
  w->clipboard = mem_copy_string(text);
}

const char *window_clipboard(const window *w) { return w->clipboard; }

void *window_proc(const char *name) { return emscripten_webgl_get_proc_address(name); }

offscreen *offscreen_create(sinew_error *error) {
  error_set(error, "a web page draws on its canvas only");
  return NULL;
}

void offscreen_destroy(offscreen *context) { (void)context; }
void *offscreen_proc(const char *name) { return window_proc(name); }
