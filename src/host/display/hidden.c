#include "base/error.h"
#include "base/memory/memory.h"
#include "host/display/offscreen.h"
#include "host/display/window.h"

struct offscreen {
  window *window;
};

/* The window's own framebuffer is not used: the renderer keeps its pictures. */
offscreen *offscreen_create(sinew_error *error) {
  offscreen *made = mem_alloc_zeroed(sizeof *made);
  if (!made) {
    error_memory(error, "an offscreen context", sizeof *made);
    return NULL;
  }
  made->window = window_create(&(window_def){.width = 16, .height = 16}, error);
  if (made->window) return made;
  mem_free(made);
  return NULL;
}

void offscreen_destroy(offscreen *context) {
  if (!context) return;
  window_destroy(context->window);
  mem_free(context);
}

void *offscreen_proc(const char *name) { return window_proc(name); }
