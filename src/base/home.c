#include "base/file.h"
#include "base/process/self.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_home(const char *folder) {
  char path[4096];
  return path_join(path, sizeof path, folder, "shaders/mesh.vert") && file_exists(path);
}

/* The nearest folder above `path` with the files: the checkout, or PREFIX/share/sinew. */
static bool find_above(char *path, char *out, size_t size) {
  for (char *slash = strrchr(path, '/'); slash && slash != path; slash = strrchr(path, '/')) {
    *slash = '\0';
    if (is_home(path)) return snprintf(out, size, "%s", path) < (int)size;
    char share[4096];
    if (path_join(share, sizeof share, path, "share/sinew") && is_home(share))
      return snprintf(out, size, "%s", share) < (int)size;
  }
  return false;
}

static bool find(char *out, size_t size) {
  char path[4096];
  if (self_program(path, sizeof path) && find_above(path, out, size)) return true;
  return self_library(path, sizeof path) && find_above(path, out, size);
}

const char *sinew_home(void) {
  static char home[4096];
  if (home[0]) return home;
  const char *wanted = getenv("SINEW_HOME");
  if (wanted && wanted[0]) snprintf(home, sizeof home, "%s", wanted);
  else if (!find(home, sizeof home)) snprintf(home, sizeof home, "%s", SINEW_INSTALLED_HOME);
  return home;
}
