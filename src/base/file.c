#include "base/file.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/system.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool stat_readable(const char *path, size_t limit, size_t *size, sinew_error *error) {
  struct stat info;
  if (stat(path, &info) != 0) {
    if (errno == ENOENT) return error_set(error, "%s: no such file", path);
    return error_set(error, "%s: %s", path, strerror(errno));
  }
  if (S_ISDIR(info.st_mode)) return error_set(error, "%s: is a folder, not a file", path);
  if (!S_ISREG(info.st_mode)) return error_set(error, "%s: is not a regular file", path);
  if ((uint64_t)info.st_size > limit)
    return error_set(error, "%s: is %lld bytes, more than the %zu that are read", path, (long long)info.st_size, limit);
  *size = (size_t)info.st_size;
  return true;
}

unsigned char *file_read(const char *path, size_t limit, size_t *size, sinew_error *error) {
  size_t wanted = 0;
  if (!stat_readable(path, limit, &wanted, error)) return NULL;
  FILE *file = fopen(path, "rb");
  if (!file) {
    error_set(error, "%s: %s", path, strerror(errno));
    return NULL;
  }
  unsigned char *data = mem_alloc(wanted + 1);
  if (!data) {
    error_memory(error, path, wanted + 1);
  } else {
    *size = fread(data, 1, wanted, file);
    data[*size] = 0;
    if (ferror(file)) {
      error_set(error, "%s: cannot be read: %s", path, strerror(errno));
      mem_free(data);
      data = NULL;
    }
  }
  fclose(file);
  return data;
}

bool file_write(const char *path, const void *data, size_t size, sinew_error *error) {
  char beside[4096];
  int length = snprintf(beside, sizeof beside, "%s.%ld.part", path, (long)getpid());
  if (length < 0 || length >= (int)sizeof beside) return error_set(error, "%s: the path is too long", path);
  FILE *file = fopen(beside, "wb");
  if (!file) return error_set(error, "%s: cannot be written: %s", path, strerror(errno));
  bool written = size == 0 || fwrite(data, 1, size, file) == size;
  written = fclose(file) == 0 && written;
  if (written && system_rename(beside, path)) return true;
  error_set(error, "%s: cannot be written: %s", path, strerror(errno));
  remove(beside);
  return false;
}

bool file_exists(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool folder_exists(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool folder_create(const char *path, sinew_error *error) {
  char part[4096];
  size_t length = strlen(path);
  if (length >= sizeof part) return error_set(error, "%s: the path is too long", path);
  for (size_t i = 1; i <= length; i++) {
    if (path[i] != '/' && path[i] != '\0') continue;
    memcpy(part, path, i);
    part[i] = '\0';
    if (!system_make_folder(part) && errno != EEXIST && !folder_exists(part))
      return error_set(error, "%s: cannot be created: %s", part, strerror(errno));
  }
  return folder_exists(path) || error_set(error, "%s: is a file, not a folder", path);
}

bool path_is_absolute(const char *path) {
#ifdef _WIN32
  if (path[0] == '\\' || (path[0] && path[1] == ':')) return true;
#endif
  return path[0] == '/';
}

bool path_join(char *out, size_t size, const char *folder, const char *name) {
  bool alone = path_is_absolute(name) || strcmp(folder, ".") == 0 || folder[0] == '\0';
  size_t end = strlen(folder);
  const char *between = end > 0 && folder[end - 1] == '/' ? "" : "/";
  int length = alone ? snprintf(out, size, "%s", name) : snprintf(out, size, "%s%s%s", folder, between, name);
  return length >= 0 && (size_t)length < size;
}

bool path_folder(char *out, size_t size, const char *path) {
  const char *slash = strrchr(path, '/');
  int length = slash == path ? 1 : slash ? (int)(slash - path) : 0;
  int written = length ? snprintf(out, size, "%.*s", length, path) : snprintf(out, size, ".");
  return written >= 0 && (size_t)written < size;
}

const char *path_file(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const char *path_extension(const char *path) {
  const char *dot = strrchr(path_file(path), '.');
  return dot && dot != path_file(path) ? dot + 1 : "";
}
