/* offscreen – an OpenGL context without a window or a display. Only display/egl.c uses EGL; on systems without it,
 * display/hidden.c takes the context of a window that is never shown. */
#ifndef SINEW_HOST_OFFSCREEN_H
#define SINEW_HOST_OFFSCREEN_H

#include <sinew/base.h>

typedef struct offscreen offscreen;

/* Makes an OpenGL 3.3 core context (or newer) and makes it current on this thread. It may lack a framebuffer: the
 * renderer keeps its pictures (sinew_renderer_read). With SINEW_GL_DEBUG in the environment it is a debug context. With
 * SINEW_GL_ES there it is one of OpenGL ES 3.0 instead, which draws as a web page does; display/hidden.c knows only the
 * first. NULL and an error message that says what was found and what is needed. */
offscreen *offscreen_create(sinew_error *error);
void offscreen_destroy(offscreen *context); /* NULL is allowed */

/* Finds an OpenGL function by name; for sinew_renderer_def.proc_address. */
void *offscreen_proc(const char *name);

#endif
