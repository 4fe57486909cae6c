#include "render/gl/load.h"

#include "base/error.h"

#include <glad/gl.h>

#include <string.h>

/* glad's loader returns a function, ours an object pointer, as callers of GLFW write it. */
static void *(*find_proc)(const char *name);
static bool is_es;

static GLADapiproc load_proc(const char *name) {
  void *found = find_proc(name);
  GLADapiproc function;
  memcpy(&function, &found, sizeof function);
  return function;
}

bool gl_is_es(void) { return is_es; }

bool gl_load(void *(*proc_address)(const char *name), sinew_error *error) {
  static const char es_prefix[] = "OpenGL ES ";
  if (!proc_address) return error_set(error, "the renderer needs proc_address to find OpenGL");
  find_proc = proc_address;
  PFNGLGETSTRINGPROC get_string = (PFNGLGETSTRINGPROC)load_proc("glGetString");
  const char *name = get_string ? (const char *)get_string(GL_VERSION) : NULL;
  if (!name) return error_set(error, "no OpenGL context is current; OpenGL 3.3 core or OpenGL ES 3.0 is needed");
  is_es = strncmp(name, es_prefix, sizeof es_prefix - 1) == 0;
  if (is_es) GLAD_GL_VERSION_4_3 = 0; /* of another context in this process */
  int version = is_es ? gladLoadGLES2(load_proc) : gladLoadGL(load_proc);
  if (version >= (is_es ? GLAD_MAKE_VERSION(3, 0) : GLAD_MAKE_VERSION(3, 3))) return true;
  return error_set(error, "found OpenGL%s %d.%d by %s, but OpenGL 3.3 core or OpenGL ES 3.0 is needed",
                   is_es ? " ES" : "", GLAD_VERSION_MAJOR(version), GLAD_VERSION_MINOR(version),
                   (const char *)glGetString(GL_RENDERER));
}
