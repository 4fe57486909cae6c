#include "render/gl/program.h"

#include "base/error.h"
#include "base/file.h"
#include "render/gl/shader_source.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  texture_unit unit;
} samplers[] = {
    {"u_palette", UNIT_PALETTE},
    {"u_morph_list", UNIT_MORPH_LIST},
    {"u_morphs", UNIT_MORPHS},
    {"u_shadow", UNIT_SHADOW},
    {"u_contact", UNIT_CONTACT},
    {"u_image", UNIT_IMAGE},
    {"u_shown_weights", UNIT_SHOWN_WEIGHTS},
    {"u_glow", UNIT_GLOW},
    {"u_environment", UNIT_ENVIRONMENT},
    {"u_reflectance", UNIT_REFLECTANCE},
    {"u_faded_shadow", UNIT_FADED_SHADOW},
    {"u_faded_opacity", UNIT_FADED_OPACITY},
    {"u_base_color_image", UNIT_MATERIAL + SINEW_TEXTURE_BASE_COLOR},
    {"u_normal_image", UNIT_MATERIAL + SINEW_TEXTURE_NORMAL},
    {"u_mr_image", UNIT_MATERIAL + SINEW_TEXTURE_METALLIC_ROUGHNESS},
    {"u_emissive_image", UNIT_MATERIAL + SINEW_TEXTURE_EMISSIVE},
    {"u_occlusion_image", UNIT_MATERIAL + SINEW_TEXTURE_OCCLUSION},
    {"u_clearcoat_image", UNIT_MATERIAL + SINEW_TEXTURE_CLEARCOAT},
    {"u_clearcoat_roughness_image", UNIT_MATERIAL + SINEW_TEXTURE_CLEARCOAT_ROUGHNESS},
    {"u_sheen_color_image", UNIT_MATERIAL + SINEW_TEXTURE_SHEEN_COLOR},
    {"u_sheen_roughness_image", UNIT_MATERIAL + SINEW_TEXTURE_SHEEN_ROUGHNESS},
    {"u_clearcoat_normal_image", UNIT_MATERIAL + SINEW_TEXTURE_CLEARCOAT_NORMAL},
};

static GLuint compile(GLenum kind, const char *folder, const char *name, const char *defines, sinew_error *error) {
  shader_source source;
  GLuint shader = 0;
  if (shader_source_load(&source, folder, name, defines, error)) {
    shader = glCreateShader(kind);
    const GLchar *text = source.text;
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    GLint good = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (!good) {
      char log[4096] = "", sentence[512];
      glGetShaderInfoLog(shader, sizeof log, NULL, log);
      shader_source_explain(&source, log, sentence, sizeof sentence);
      error_set(error, "%s/%s", folder, sentence);
      glDeleteShader(shader);
      shader = 0;
    }
  }
  shader_source_release(&source);
  return shader;
}

static bool attach(program *made, GLenum kind, const char *folder, const char *name, const char *defines,
                   sinew_error *error) {
  if (!name) return true;
  GLuint shader = compile(kind, folder, name, defines, error);
  if (!shader) return false;
  glAttachShader(made->id, shader);
  glDeleteShader(shader); /* with the program */
  return true;
}

static bool link_program(const program *made, const program_def *def, sinew_error *error) {
  if (def->feedback) {
    GLsizei count = 0;
    while (def->feedback[count]) count++;
    glTransformFeedbackVaryings(made->id, count, def->feedback, GL_INTERLEAVED_ATTRIBS);
  }
  glLinkProgram(made->id);
  GLint good = GL_FALSE;
  glGetProgramiv(made->id, GL_LINK_STATUS, &good);
  if (good) return true;
  char log[512] = "";
  glGetProgramInfoLog(made->id, sizeof log, NULL, log);
  log[strcspn(log, "\n")] = '\0';
  if (def->compute) return error_set(error, "shader %s cannot be linked: %s", def->compute, log);
  return error_set(error, "shaders %s and %s cannot be linked: %s", def->vertex,
                   def->fragment ? def->fragment : "(none)", log);
}

static void find_uniforms(program *made) {
  GLint count = 0;
  glGetProgramiv(made->id, GL_ACTIVE_UNIFORMS, &count);
  for (GLint i = 0; i < count && made->uniform_count < PROGRAM_MAX_UNIFORMS; i++) {
    struct program_uniform *uniform = &made->uniforms[made->uniform_count];
    GLint size;
    GLenum type;
    glGetActiveUniform(made->id, (GLuint)i, sizeof uniform->name, NULL, &size, &type, uniform->name);
    uniform->location = glGetUniformLocation(made->id, uniform->name);
    uniform->name[strcspn(uniform->name, "[")] = '\0';
    if (uniform->location >= 0) made->uniform_count++; /* members of blocks have no location */
  }
}

static GLint location_of(const program *used, const char *name) {
  for (int i = 0; i < used->uniform_count; i++)
    if (strcmp(used->uniforms[i].name, name) == 0) return used->uniforms[i].location;
  return -1;
}

static void bind_names(program *made) {
  find_uniforms(made);
  glUseProgram(made->id);
  for (size_t i = 0; i < sizeof samplers / sizeof samplers[0]; i++)
    glUniform1i(location_of(made, samplers[i].name), (GLint)samplers[i].unit);
  GLuint block = glGetUniformBlockIndex(made->id, "Frame");
  if (block != GL_INVALID_INDEX) glUniformBlockBinding(made->id, block, 0);
  glUseProgram(0);
}

bool program_create(program *made, const program_def *def, sinew_error *error) {
  char home[4096];
  *made = (program){0};
  if (!path_join(home, sizeof home, sinew_home(), "shaders"))
    return error_set(error, "the path of shaders/ is too long");
  const char *folder = def->folder ? def->folder : home;
  made->id = glCreateProgram();
  bool good = attach(made, GL_VERTEX_SHADER, folder, def->vertex, def->defines, error) &&
              attach(made, GL_FRAGMENT_SHADER, folder, def->fragment, def->defines, error) &&
              attach(made, GL_COMPUTE_SHADER, folder, def->compute, def->defines, error) &&
              link_program(made, def, error);
  if (good) bind_names(made);
  else program_destroy(made);
  return good;
}

void program_destroy(program *made) {
  glDeleteProgram(made->id);
  *made = (program){0};
}

void program_use(const program *used) { glUseProgram(used->id); }

void program_set_int(const program *used, const char *name, int value) { glUniform1i(location_of(used, name), value); }

void program_set_ivec2(const program *used, const char *name, int x, int y) {
  glUniform2i(location_of(used, name), x, y);
}

void program_set_ivec4(const program *used, const char *name, const int *value) {
  glUniform4iv(location_of(used, name), 1, value);
}

void program_set_float(const program *used, const char *name, float value) {
  glUniform1f(location_of(used, name), value);
}

void program_set_vec4(const program *used, const char *name, const float *value) {
  glUniform4fv(location_of(used, name), 1, value);
}

void program_set_vec4s(const program *used, const char *name, const float *values, int count) {
  glUniform4fv(location_of(used, name), count, values);
}

void program_set_mat4(const program *used, const char *name, const sinew_mat4 *value) {
  glUniformMatrix4fv(location_of(used, name), 1, GL_FALSE, value->m);
}
