#include "render/gl/program.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"
#include "render/gl/gl.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
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
  GLuint frame = glGetUniformBlockIndex(made->id, "Frame");
  if (frame != GL_INVALID_INDEX) glUniformBlockBinding(made->id, frame, 0);
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

/* Assembles GLSL files: #include "other.glsl", each file once, with #line directives that map a compiler's errors back
 * to file and line. */

enum { FILE_LIMIT = 1 << 20 };

static bool append(shader_source *source, const char *text, size_t length, sinew_error *error) {
  if (source->length + length + 1 > source->capacity) {
    size_t capacity = (source->length + length + 1) * 2;
    char *grown = mem_resize(source->text, capacity);
    if (!grown) return error_memory(error, "a shader", capacity);
    source->text = grown;
    source->capacity = capacity;
  }
  memcpy(source->text + source->length, text, length);
  source->length += length;
  source->text[source->length] = '\0';
  return true;
}

/* Mesa 22 confuses the numbers of files in its messages, so line numbers include the file's. */
enum { LINES_PER_FILE = 10000 };

static bool append_line_directive(shader_source *source, int line, int file, sinew_error *error) {
  char text[48];
  int length = snprintf(text, sizeof text, "#line %d %d\n", file * LINES_PER_FILE + line, file);
  return append(source, text, (size_t)length, error);
}

static int find_file(const shader_source *source, const char *name) {
  for (int i = 0; i < source->file_count; i++)
    if (strcmp(source->files[i], name) == 0) return i;
  return -1;
}

/* The name in `#include "name"`, or false if the line is something else. */
static bool parse_include(const char *line, const char *end, char name[SHADER_MAX_NAME]) {
  static const char word[] = "#include";
  while (line < end && isspace((unsigned char)*line)) line++;
  if ((size_t)(end - line) < sizeof word || memcmp(line, word, sizeof word - 1) != 0) return false;
  const char *open = memchr(line, '"', (size_t)(end - line));
  const char *close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
  size_t length = close ? (size_t)(close - open - 1) : SHADER_MAX_NAME;
  name[0] = '\0';
  if (length >= SHADER_MAX_NAME) return true;
  memcpy(name, open + 1, length);
  name[length] = '\0';
  return true;
}

static bool load_file(shader_source *source, const char *folder, const char *name, const char *from, int from_line,
                      sinew_error *error);

static bool append_text(shader_source *source, const char *folder, int file, const char *text, sinew_error *error) {
  int line = 1;
  for (const char *at = text; *at; line++) {
    const char *end = strchr(at, '\n');
    end = end ? end : at + strlen(at);
    char name[SHADER_MAX_NAME];
    if (parse_include(at, end, name)) {
      if (!load_file(source, folder, name, source->files[file], line, error)) return false;
      if (!append_line_directive(source, line + 1, file, error)) return false;
    } else if (!append(source, at, (size_t)(end - at), error) || !append(source, "\n", 1, error)) {
      return false;
    }
    at = *end ? end + 1 : end;
  }
  return true;
}

static bool load_file(shader_source *source, const char *folder, const char *name, const char *from, int from_line,
                      sinew_error *error) {
  char path[4096];
  if (name[0] == '\0')
    return error_set(error, "%s/%s:%d: #include needs a file name in quotes", folder, from ? from : "", from_line);
  if (find_file(source, name) >= 0) return true;
  if (source->file_count == SHADER_MAX_FILES || strlen(name) >= SHADER_MAX_NAME)
    return error_set(error, "%s/%s: a shader is made of %d files at most", folder, name, SHADER_MAX_FILES);
  if (!path_join(path, sizeof path, folder, name)) return error_set(error, "%s/%s: the path is too long", folder, name);
  sinew_error reason;
  size_t size;
  unsigned char *text = file_read(path, FILE_LIMIT, &size, &reason);
  if (!text && from) return error_set(error, "%s/%s:%d: #include: %s", folder, from, from_line, reason.message);
  if (!text) return error_set(error, "%s; SINEW_HOME must name the folder that holds shaders/", reason.message);
  int file = source->file_count++;
  snprintf(source->files[file], SHADER_MAX_NAME, "%s", name);
  bool good =
      append_line_directive(source, 1, file, error) && append_text(source, folder, file, (const char *)text, error);
  mem_free(text);
  return good;
}

bool shader_source_load(shader_source *source, const char *folder, const char *name, const char *defines,
                        sinew_error *error) {
  static const char es[] =
      "#version 300 es\nprecision highp float;\nprecision highp int;\n"
      "precision highp sampler2D;\nprecision highp sampler2DShadow;\nprecision highp samplerCube;\n";
  const char *dot = strrchr(name, '.');
  const char *version = gl_is_es()                         ? es
                        : dot && strcmp(dot, ".comp") == 0 ? "#version 430 core\n"
                                                           : "#version 330 core\n";
  *source = (shader_source){0};
  return append(source, version, strlen(version), error) &&
         (!defines || append(source, defines, strlen(defines), error)) &&
         load_file(source, folder, name, NULL, 0, error);
}

void shader_source_release(shader_source *source) {
  mem_free(source->text);
  *source = (shader_source){0};
}

/* "0:10012(5): error: text" → line 12 of file 1 and the text; NULL if the line does not begin like that. */
static const char *parse_complaint(const char *text, long *file, long *line) {
  static const char prefix[] = "ERROR: ";
  if (strncmp(text, prefix, sizeof prefix - 1) == 0) text += sizeof prefix - 1;
  char *end;
  strtol(text, &end, 10);
  if (end == text || (*end != ':' && *end != '(')) return NULL;
  text = end + 1;
  long number = strtol(text, &end, 10);
  if (end == text) return NULL;
  *file = number / LINES_PER_FILE;
  *line = number % LINES_PER_FILE;
  while (*end && strchr("():, 0123456789", *end)) end++;
  return end;
}

void shader_source_explain(const shader_source *source, const char *log, char *out, size_t size) {
  const char *rest = NULL;
  long file = 0, line = 0;
  for (const char *at = log; at && *at && !rest; at = strchr(at, '\n'), at = at ? at + 1 : NULL)
    rest = parse_complaint(at, &file, &line);
  if (!rest || file < 0 || file >= source->file_count) {
    const char *name = source->file_count > 0 ? source->files[0] : "shader";
    snprintf(out, size, "%s: %.*s", name, (int)strcspn(log, "\n"), log);
    return;
  }
  snprintf(out, size, "%s:%ld: %.*s", source->files[file], line, (int)strcspn(rest, "\n"), rest);
}
