/* load – finds the functions of the current context: OpenGL 3.3 core or newer, or OpenGL ES 3.0 or newer, of which
 * WebGL 2 is a form. The renderer uses what both have; where they differ, it asks gl_is_es. */
#ifndef SINEW_RENDER_GL_LOAD_H
#define SINEW_RENDER_GL_LOAD_H

#include <sinew/base.h>

/* False and an error message that says what was found. */
bool gl_load(void *(*proc_address)(const char *name), sinew_error *error);
/* Of the functions loaded last. */
bool gl_is_es(void);

#endif
