/* gl_debug – logs the driver's error messages. */
#ifndef SINEW_RENDER_GL_DEBUG_H
#define SINEW_RENDER_GL_DEBUG_H

#include <sinew/base.h>

/* In a debug context of the desktop's OpenGL, logs every message of the driver (except notes on performance) as a
 * warning and adds one to *count, which must live until gl_debug_stop. */
void gl_debug_start(int *count);
void gl_debug_stop(void);

/* Reads all pending OpenGL errors; false and "WHAT: GL_OUT_OF_MEMORY" if there was one. */
bool gl_check(const char *what, sinew_error *error);

#endif
