#include "host/system/driver_cache.h"

#include "base/file.h"

#include <sinew/base.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };
#define ROOM_NEEDED (16.0 * 1024 * 1024)

static bool join_environment(char out[PATH_SIZE], const char *name, const char *more) {
  const char *folder = getenv(name);
  return folder && *folder && path_join(out, PATH_SIZE, folder, more);
}

/* The folder in which Mesa looks for it (docs.mesa3d.org/envvars.html). */
static bool find_folder(char out[PATH_SIZE]) {
  return join_environment(out, "MESA_SHADER_CACHE_DIR", "mesa_shader_cache") ||
         join_environment(out, "XDG_CACHE_HOME", "mesa_shader_cache") ||
         join_environment(out, "HOME", ".cache/mesa_shader_cache");
}

/* True if the disk of the folder, or of its nearest existing parent, is full. */
static bool is_full(const char *folder) {
  char path[PATH_SIZE], parent[PATH_SIZE];
  struct statvfs info;
  snprintf(path, sizeof path, "%s", folder);
  while (statvfs(path, &info) != 0) {
    if (errno != ENOENT || !path_folder(parent, sizeof parent, path) || strcmp(parent, path) == 0) return false;
    memcpy(path, parent, sizeof path);
  }
  return (double)info.f_bavail * (double)info.f_frsize < ROOM_NEEDED;
}

void driver_cache_guard(void) {
  char folder[PATH_SIZE];
  if (getenv("MESA_SHADER_CACHE_DISABLE") || !find_folder(folder) || !is_full(folder)) return;
  setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
  sinew_log(SINEW_LOG_WARNING, "%s: the disk is full; the graphics driver keeps no shaders there", folder);
}

#if defined(__linux__)

static void fill_holes(const char *path) {
  struct stat info;
  int file = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return;
  bool filled = fstat(file, &info) == 0 && posix_fallocate(file, 0, info.st_size) == 0;
  if (!filled) sinew_log(SINEW_LOG_WARNING, "%s: has no room on its disk; a disk that fills can end this run", path);
  close(file);
}

void driver_cache_hold(void) {
  char line[PATH_SIZE + 128];
  FILE *maps = file_open("/proc/self/maps");
  while (maps && fgets(line, sizeof line, maps)) {
    const char *path = strchr(line, '/');
    if (!path || !strstr(line, " rw-s ") || !strstr(path, "/mesa_shader_cache")) continue;
    line[strcspn(line, "\n")] = '\0';
    fill_holes(path);
  }
  if (maps) fclose(maps);
}

#else

void driver_cache_hold(void) {}

#endif
