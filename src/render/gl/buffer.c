#include "render/gl/buffer.h"

#include "base/memory/memory.h"
#include "render/gl/load.h"

#include <string.h>

void *buffer_begin(buffer_write *made, GLenum target, size_t offset, size_t size) {
  *made = (buffer_write){target, (GLintptr)offset, (GLsizeiptr)size, NULL};
  made->memory =
      gl_is_es() ? mem_alloc(size)
                 : glMapBufferRange(target, made->offset, made->size, GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT);
  return made->memory;
}

bool buffer_end(buffer_write *made) {
  if (!gl_is_es()) return glUnmapBuffer(made->target);
  glBufferSubData(made->target, made->offset, made->size, made->memory);
  mem_free(made->memory);
  return true;
}

void buffer_read(GLenum target, size_t size, void *bytes) {
  const void *memory = glMapBufferRange(target, 0, (GLsizeiptr)size, GL_MAP_READ_BIT);
  if (memory) memcpy(bytes, memory, size), (void)glUnmapBuffer(target);
}
