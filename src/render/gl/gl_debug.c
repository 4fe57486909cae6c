#include "render/gl/gl_debug.h"

#include "base/error.h"
#include "render/gl/load.h"

#include <glad/gl.h>

#include <string.h>

static const char *error_name(GLenum code) {
  switch (code) {
  case GL_INVALID_ENUM: return "GL_INVALID_ENUM";
  case GL_INVALID_VALUE: return "GL_INVALID_VALUE";
  case GL_INVALID_OPERATION: return "GL_INVALID_OPERATION";
  case GL_INVALID_FRAMEBUFFER_OPERATION: return "GL_INVALID_FRAMEBUFFER_OPERATION";
  case GL_OUT_OF_MEMORY: return "GL_OUT_OF_MEMORY";
  default: return "an unknown OpenGL error";
  }
}

static void GLAD_API_PTR on_message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                                    const GLchar *message, const void *user) {
  (void)source, (void)length;
  if (severity == GL_DEBUG_SEVERITY_NOTIFICATION || type == GL_DEBUG_TYPE_PERFORMANCE || type == GL_DEBUG_TYPE_OTHER)
    return;
  int *count;
  memcpy(&count, &user, sizeof count); /* the API's type is const, but the pointer passed to it was not */
  *count += 1;
  sinew_log(SINEW_LOG_WARNING, "OpenGL message %u: %s", id, message);
}

void gl_debug_start(int *count) {
  GLint flags = 0;
  if (gl_is_es()) return;
  glGetIntegerv(GL_CONTEXT_FLAGS, &flags);
  if (!(flags & GL_CONTEXT_FLAG_DEBUG_BIT) || !glDebugMessageCallback) return;
  glEnable(GL_DEBUG_OUTPUT);
  glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
  glDebugMessageCallback(on_message, count);
}

void gl_debug_stop(void) {
  if (!gl_is_es() && glDebugMessageCallback) glDebugMessageCallback(NULL, NULL);
}

bool gl_check(const char *what, sinew_error *error) {
  GLenum first = glGetError();
  /* a lost context returns GL_CONTEXT_LOST for ever */
  for (int i = 0; i < 16 && first != GL_NO_ERROR && glGetError() != GL_NO_ERROR; i++) continue;
  return first == GL_NO_ERROR || error_set(error, "%s: %s", what, error_name(first));
}
