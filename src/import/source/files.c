#include "import/source/files.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"
#include "import/source/sniff.h"
#include "import/source/utf16.h"

#include <string.h>

static bool check_head(vfs *fs, const char *path, sinew_error *error) {
  file_bytes head = {0};
  if (!fs->read_head(fs, path, &head, error)) return false;
  bool fits = sniff_head(path, head.data, head.size, error);
  fs->release(&head);
  return fits;
}

bool files_open(import_files *files, vfs *fs, const char *path, sinew_error *error) {
  *files = (import_files){.path = path, .fs = fs};
  if (!check_head(fs, path, error) || !fs->read(fs, path, NULL, &files->own, error)) return false;
  files->size = files->own.size;
  if (!utf16_to_utf8(files->own.data, files->own.size, &files->text, &files->size)) {
    files_close(files);
    return error_memory(error, path, files->size);
  }
  files->data = files->text ? files->text : files->own.data;
  if (files->size > 0) return true;
  files_close(files);
  return error_set(error, "%s: is empty", path);
}

void files_close(import_files *files) {
  mem_free(files->text);
  if (files->fs) files->fs->release(&files->own);
  files->data = files->text = NULL;
}

static const char *last_part(const char *path) {
  const char *part = path;
  for (const char *c = path; *c; c++)
    if (*c == '/' || *c == '\\') part = c + 1;
  return part;
}

/* Assimp puts the main file's folder in front of the name in the file. */
static const char *without_folder(const char *path, const char *name) {
  size_t length = (size_t)(path_file(path) - path);
  return length > 0 && strncmp(path, name, length) == 0 ? name + length : name;
}

bool files_read(const import_files *files, const char *name, served_file *found) {
  const char *last = last_part(name);
  for (int i = 0; i < files->served_count; i++)
    if (strcmp(files->served[i].name, last) == 0) {
      *found = files->served[i];
      return true;
    }
  if (strcmp(name, files->path) == 0) {
    *found = (served_file){last, files->data, files->size};
    return true;
  }
  file_bytes bytes = {0};
  if (!files->fs || !files->fs->read(files->fs, files->path, without_folder(files->path, name), &bytes, NULL))
    return false;
  *found = (served_file){NULL, bytes.data, bytes.size};
  return true;
}

void files_free(const import_files *files, served_file *found) {
  file_bytes bytes = {(unsigned char *)(uintptr_t)found->data, found->size};
  if (found->name == NULL && files->fs) files->fs->release(&bytes);
}
