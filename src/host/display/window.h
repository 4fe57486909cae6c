/* window – a window with an OpenGL 3.3 core context, and its input. Only display/window.c uses GLFW; display/none.c
 * replaces it in programs without a display. */
#ifndef SINEW_HOST_WINDOW_H
#define SINEW_HOST_WINDOW_H

#include "host/input/input.h"

typedef struct window window;

typedef struct window_def {
  const char *title;
  int width, height; /* pixels */
  bool vsync;
  input *in; /* receives the events, and outlives the window. NULL: the window stays hidden and only provides its
                context */
} window_def;

/* Opens the window and makes its context current. With SINEW_GL_DEBUG in the environment it is a debug context. NULL
 * and an error message that says what was found and what is needed. */
window *window_create(const window_def *def, sinew_error *error);
void window_destroy(window *w); /* NULL is allowed */

/* Moves the system's events into the input queue; waits up to `seconds` for the first one. */
void window_poll(window *w, double seconds);
/* Shows the picture. If the display does not wait although vsync is on, waits for the right time itself. */
void window_swap(window *w);

bool window_is_closing(const window *w);
/* The size of the framebuffer in pixels, which is not the window's on a dense display; 0 × 0 while minimised. */
void window_size(const window *w, int *width, int *height);
/* One of ui_cursor. */
void window_set_cursor(window *w, int shape);
/* The factor by which text should be enlarged: 1, 1.5, 2 … */
float window_scale(const window *w);
/* Covers the display that most of the window is on, or returns to the old place. */
void window_set_fullscreen(window *w, bool on);
bool window_is_fullscreen(const window *w);

void window_set_clipboard(window *w, const char *text);
const char *window_clipboard(const window *w); /* or NULL; lives until the next call of either */

/* Finds an OpenGL function by name; for sinew_renderer_def.proc_address. */
void *window_proc(const char *name);

#endif
