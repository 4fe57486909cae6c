#include "render/gl/shader_source.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"
#include "render/gl/load.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
