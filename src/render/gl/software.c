#include "render/gl/software.h"

#include <glad/gl.h>

#include <string.h>

bool gl_is_software(void) {
  static const char *const names[] = {"llvmpipe", "softpipe", "SwiftShader", "Software", "GDI Generic"};
  const char *name = (const char *)glGetString(GL_RENDERER);
  for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
    if (strstr(name, names[i])) return true;
  return false;
}
