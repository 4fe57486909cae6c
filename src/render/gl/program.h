/* program – linked shaders from shaders/, and their uniforms by name. */
#ifndef SINEW_RENDER_PROGRAM_H
#define SINEW_RENDER_PROGRAM_H

#include <glad/gl.h>
#include <sinew/base.h>
#include <sinew/model.h>

enum { PROGRAM_MAX_UNIFORMS = 48 };

/* Texture units are the same in every program: a sampler called `name` reads its own unit. */
typedef enum texture_unit {
  UNIT_PALETTE,
  UNIT_MORPH_LIST,
  UNIT_MORPHS,
  UNIT_SHADOW,
  UNIT_CONTACT,
  UNIT_MATERIAL, /* and those of the other roles (sinew_texture_role) */
  UNIT_IMAGE = UNIT_MATERIAL + SINEW_TEXTURE_ROLES,
  UNIT_SHOWN_WEIGHTS,
  UNIT_GLOW,
  UNIT_FADED_SHADOW,
  UNIT_FADED_OPACITY,
  UNIT_ENVIRONMENT,
  UNIT_REFLECTANCE
} texture_unit;

typedef struct program_def {
  const char *folder;          /* NULL: sinew_home()/shaders */
  const char *vertex;          /* file names */
  const char *fragment;        /* NULL for a program that only outputs vertices */
  const char *compute;         /* instead of both; needs OpenGL 4.3 */
  const char *defines;         /* lines of GLSL, or NULL */
  const char *const *feedback; /* names of varyings, ending with NULL; or NULL */
} program_def;

typedef struct program {
  GLuint id;
  struct program_uniform {
    char name[32];
    GLint location;
  } uniforms[PROGRAM_MAX_UNIFORMS];
  int uniform_count;
} program;

/* Compiles and links; binds samplers to their units and the block `Frame` to binding 0. False and an error message with
 * the file and line of the first error. */
bool program_create(program *made, const program_def *def, sinew_error *error);
void program_destroy(program *made);

void program_use(const program *used);
/* For the program in use. A uniform that the compiler has removed is ignored. */
void program_set_int(const program *used, const char *name, int value);
void program_set_ivec4(const program *used, const char *name, const int *value); /* 4 integers */
void program_set_float(const program *used, const char *name, float value);
void program_set_vec4(const program *used, const char *name, const float *value); /* 4 floats */
void program_set_vec4s(const program *used, const char *name, const float *values,
                       int count); /* the array's 4 × count */
void program_set_mat4(const program *used, const char *name, const sinew_mat4 *value);

/* Assembles GLSL files: #include "other.glsl", each file once, with #line directives that map a compiler's errors back
 * to file and line. */

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
