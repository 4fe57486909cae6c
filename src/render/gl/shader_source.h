/* shader_source – assembles GLSL files: #include "other.glsl", each file once, with #line directives that map a
 * compiler's errors back to file and line. */
#ifndef SINEW_RENDER_SHADER_SOURCE_H
#define SINEW_RENDER_SHADER_SOURCE_H

#include <sinew/base.h>

enum { SHADER_MAX_FILES = 16, SHADER_MAX_NAME = 64 };

typedef struct shader_source {
  char *text; /* begins with #version 330 core; that of a .comp file with 430; in OpenGL ES with 300 es */
  size_t length, capacity;
  char files[SHADER_MAX_FILES][SHADER_MAX_NAME]; /* line l of file i is number 10,000 i + l in #line */
  int file_count;
} shader_source;

/* Reads folder/name; `defines` (lines of GLSL, or NULL) are inserted before it. False and an error message with file
 * and line on failure. Free with shader_source_release in any case. */
bool shader_source_load(shader_source *source, const char *folder, const char *name, const char *defines,
                        sinew_error *error);
void shader_source_release(shader_source *source);

/* The first error in a compiler's log as "mesh.frag:12: undeclared identifier"; drivers write "0:12(5): error: …",
 * "0(12) : error …" or "ERROR: 0:12: …". */
void shader_source_explain(const shader_source *source, const char *log, char *out, size_t size);

#endif
