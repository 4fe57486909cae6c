#include "import/tidy.h"

#include "base/file.h"

#include <string.h>
#include <strings.h>

static bool has_extension(const import_files *files, const char *extension) {
  return strcasecmp(path_extension(files->path), extension) == 0;
}

static bool serve(raw_model *raw, import_files *files, const char *name, const unsigned char *text, size_t size) {
  if (!files->served) files->served = raw_alloc(raw, 2, sizeof *files->served);
  if (!files->served) return false;
  files->served[files->served_count++] = (served_file){name, text, size};
  return true;
}

/* ---- Collada ---- */

static bool is_space(unsigned char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static bool tidy_collada(raw_model *raw, import_files *files) {
  unsigned char *text = raw_alloc(raw, files->size, 1);
  size_t size = 0;
  bool begins = false; /* since the end of a tag nothing but white space was seen */
  if (!text) return false;
  for (size_t i = 0; i < files->size; i++) {
    unsigned char c = files->data[i];
    if (begins && is_space(c)) continue;
    begins = c == '>';
    text[size++] = c;
  }
  return serve(raw, files, path_file(files->path), text, size);
}

/* ---- MD5 ---- */

static bool end_lines(raw_model *raw, import_files *files, const char *name, const served_file *from) {
  unsigned char *text = raw_alloc(raw, from->size, 2);
  size_t size = 0;
  if (!text) return false;
  for (size_t i = 0; i < from->size; i++) {
    if (from->data[i] == '\n' && (i == 0 || from->data[i - 1] != '\r')) text[size++] = '\r';
    text[size++] = from->data[i];
  }
  return serve(raw, files, name, text, size);
}

/* Of hero.md5mesh Assimp reads hero.md5anim, too. */
static bool tidy_animation_beside(raw_model *raw, import_files *files) {
  served_file found;
  char *path = raw_string(raw, files->path);
  if (!path) return false;
  memcpy(path + strlen(path) - 4, "anim", 4);
  if (!files_read(files, path, &found)) return true;
  bool tidied = end_lines(raw, files, path_file(path), &found);
  files_free(files, &found);
  return tidied;
}

static bool tidy_md5(raw_model *raw, import_files *files) {
  served_file own = {NULL, files->data, files->size};
  return (!has_extension(files, "md5mesh") || tidy_animation_beside(raw, files)) &&
         end_lines(raw, files, path_file(files->path), &own);
}

bool tidy_text(raw_model *raw, import_files *files) {
  if (raw->format == RAW_MD5) return tidy_md5(raw, files);
  return !has_extension(files, "dae") || tidy_collada(raw, files);
}
