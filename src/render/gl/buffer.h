/* buffer – the bound buffer's memory, written and read by the CPU. WebGL maps none, so in OpenGL ES the bytes are
 * copied. */
#ifndef SINEW_RENDER_GL_BUFFER_H
#define SINEW_RENDER_GL_BUFFER_H

#include <sinew/base.h>

#include <glad/gl.h>

/* A part of a buffer that is being written. */
typedef struct buffer_write {
  GLenum target;
  GLintptr offset;
  GLsizeiptr size;
  void *memory;
} buffer_write;

/* Memory for all bytes of that part, which must be written and not read; NULL if there is none. */
void *buffer_begin(buffer_write *made, GLenum target, size_t offset, size_t size);
/* Hands them to the GPU. False if the system has taken the memory away. */
bool buffer_end(buffer_write *made);

void buffer_read(GLenum target, size_t size, void *bytes);

#endif
