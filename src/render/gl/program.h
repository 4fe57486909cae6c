/* program – linked shaders from shaders/, and their uniforms by name. */
#ifndef SINEW_RENDER_PROGRAM_H
#define SINEW_RENDER_PROGRAM_H

#include <sinew/model.h>

#include <glad/gl.h>

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
void program_set_ivec2(const program *used, const char *name, int x, int y);
void program_set_ivec4(const program *used, const char *name, const int *value); /* 4 integers */
void program_set_float(const program *used, const char *name, float value);
void program_set_vec4(const program *used, const char *name, const float *value); /* 4 floats */
void program_set_vec4s(const program *used, const char *name, const float *values,
                       int count); /* the array's 4 × count */
void program_set_mat4(const program *used, const char *name, const sinew_mat4 *value);

#endif
