/* Reads and writes files of scenes, while other programs edit, move or replace them. */
#include "core/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

FILE *script_open(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
}

char *script_read(declarations *all, const char *path, size_t *size) {
  FILE *file = script_open(path);
  long end = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  bool fits = end >= 0 && end < SCENE_FILE_LIMIT && fseek(file, 0, SEEK_SET) == 0;
  char *text = fits ? declarations_allocate(all, (size_t)end + 1) : NULL;
  if (text) *size = fread(text, 1, (size_t)end, file);
  bool whole = text && *size == (size_t)end;
  if (file) fclose(file);
  if (whole) return text;
  declarations_free(all, text);
  return NULL;
}

/* A symbolic link stays one: its target is written. */
bool script_write_file(const char *path, const char *text, size_t size) {
  sinew_error error;
  char *target = realpath(path, NULL);
  bool good = target && sinew_file_write(target, text, size, &error);
  free(target);
  return good;
}

const char *script_file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}
