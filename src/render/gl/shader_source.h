/* shader_source – GLSL files put together: #include "other.glsl", each file once, with #line directives from which
 * a compiler's complaint is led back to file and line. */
#ifndef SINEW_RENDER_SHADER_SOURCE_H
#define SINEW_RENDER_SHADER_SOURCE_H

#include <sinew/base.h>

enum { SHADER_MAX_FILES = 16, SHADER_MAX_NAME = 64 };

typedef struct shader_source {
  char *text; /* begins with #version 330 core; that of a .comp file with 430 */
  size_t length, capacity;
  char files[SHADER_MAX_FILES][SHADER_MAX_NAME]; /* line l of file i is number 10,000 i + l in #line */
  int file_count;
} shader_source;

/* Reads folder/name; `defines` (lines of GLSL, or NULL) come before it. False and an error message that names file and
 * line of what went wrong. Free with shader_source_release either way. */
bool shader_source_load(shader_source *source, const char *folder, const char *name, const char *defines,
                        sinew_error *error);
void shader_source_release(shader_source *source);

/* The first complaint of a compiler's log as "mesh.frag:12: undeclared identifier"; drivers write "0:12(5): error: …",
 * "0(12) : error …" or "ERROR: 0:12: …". */
void shader_source_explain(const shader_source *source, const char *log, char *out, size_t size);

#endif
