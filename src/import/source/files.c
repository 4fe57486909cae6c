#include "import/source/files.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool files_open(import_files *files, const char *path, source_list *sources, sinew_error *error) {
  *files = (import_files){.path = path, .sources = sources};
  files->data = source_read(sources, path, files_limit, &files->size, error);
  if (!files->data) return false;
  if (files->size > 0) return true;
  files_close(files);
  return error_set(error, "%s: is empty", path);
}

void files_close(import_files *files) {
  mem_free(files->data);
  files->data = NULL;
}

/* Both paths as the disk knows them, so that neither ".." nor a link leads out. */
static bool is_inside(const char *folder, const char *path) {
  char *real_folder = realpath(folder, NULL), *real_path = realpath(path, NULL);
  bool inside = false;
  if (real_folder && real_path) {
    size_t length = strlen(real_folder);
    bool at_root = length == 1;
    inside = strncmp(real_folder, real_path, length) == 0 && (at_root || real_path[length] == '/');
  }
  free(real_folder);
  free(real_path);
  return inside;
}

static const char *last_part(const char *path) {
  const char *part = path;
  for (const char *c = path; *c; c++)
    if (*c == '/' || *c == '\\') part = c + 1;
  return part;
}

bool files_read(const import_files *files, const char *path, served_file *found) {
  const char *name = last_part(path);
  for (int i = 0; i < files->served_count; i++)
    if (strcmp(files->served[i].name, name) == 0) {
      *found = files->served[i];
      return true;
    }
  if (strcmp(path, files->path) == 0) {
    *found = (served_file){name, files->data, files->size};
    return true;
  }
  char folder[4096];
  if (!path_folder(folder, sizeof folder, files->path) || !is_inside(folder, path)) {
    source_exists(files->sources, path);
    return false;
  }
  size_t size;
  unsigned char *data = source_read(files->sources, path, files_limit, &size, NULL);
  *found = (served_file){NULL, data, size};
  return data != NULL;
}

void files_free(const import_files *files, served_file *found) {
  (void)files;
  if (found->name == NULL) mem_free((void *)(uintptr_t)found->data);
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Backslashes become slashes, %20 a blank. */
static bool clean_name(char *out, size_t size, const char *name) {
  size_t n = 0;
  for (; *name && n + 1 < size; name++) {
    int high = name[0] == '%' ? hex_digit(name[1]) : -1, low = high >= 0 ? hex_digit(name[2]) : -1;
    out[n++] = low >= 0 ? (char)(high * 16 + low) : *name == '\\' ? '/' : *name;
    if (low >= 0) name += 2;
    if (out[n - 1] == '\0') return false;
  }
  out[n] = '\0';
  return n > 0 && *name == '\0';
}

bool files_find(source_list *sources, const char *model_path, const char *name, char *out, size_t size) {
  char clean[1024], folder[4096], textures[4096];
  if (!clean_name(clean, sizeof clean, name) || !path_folder(folder, sizeof folder, model_path) ||
      !path_join(textures, sizeof textures, folder, "textures"))
    return false;
  const char *folders[] = {folder, folder, textures}, *names[] = {clean, path_file(clean), path_file(clean)};
  for (int i = 0; i < 3; i++)
    if (path_join(out, size, folders[i], names[i]) && source_exists(sources, out) && is_inside(folder, out))
      return true;
  return false;
}
