#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_home(const char *folder) {
  char path[4096];
  return path_join(path, sizeof path, folder, "shaders/skinning.glsl") && file_exists(path);
}

/* The nearest folder above the running executable that holds the files: the checkout, or PREFIX/share/sinew. */
static bool find_above_executable(char *out, size_t size) {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) return false;
  path[length] = '\0';
  for (char *slash = strrchr(path, '/'); slash && slash != path; slash = strrchr(path, '/')) {
    *slash = '\0';
    if (is_home(path)) return snprintf(out, size, "%s", path) < (int)size;
    char share[4096];
    if (path_join(share, sizeof share, path, "share/sinew") && is_home(share))
      return snprintf(out, size, "%s", share) < (int)size;
  }
  return false;
}

const char *sinew_home(void) {
  static char home[4096];
  if (home[0]) return home;
  const char *wanted = getenv("SINEW_HOME");
  if (wanted && wanted[0]) snprintf(home, sizeof home, "%s", wanted);
  else if (!find_above_executable(home, sizeof home)) snprintf(home, sizeof home, "%s", SINEW_INSTALLED_HOME);
  return home;
}
