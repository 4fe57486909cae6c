#include "host/drawing/shaders.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "host/host.h"

#include <dirent.h>
#include <string.h>

enum { PATH_SIZE = 4096 };

static bool shader_folder(char out[PATH_SIZE]) { return path_join(out, PATH_SIZE, sinew_home(), "shaders"); }

static void watch_files_of(watch *w, const char *folder) {
  char path[PATH_SIZE];
  const struct dirent *entry;
  DIR *directory = opendir(folder);
  while (directory && (entry = readdir(directory))) {
    sinew_error ignored; /* without watching, saves are simply not noticed */
    if (strchr(entry->d_name, '.') > entry->d_name && path_join(path, sizeof path, folder, entry->d_name))
      watch_add(w, path, &ignored);
  }
  if (directory) closedir(directory);
}

void shaders_watch(sinew_host *host) {
  char folder[PATH_SIZE], include[PATH_SIZE];
  if (!shader_folder(folder)) return;
  watch_files_of(host->watch, folder);
  if (path_join(include, sizeof include, folder, "include")) watch_files_of(host->watch, include);
}

bool shaders_changed(sinew_host *host, const char *path) {
  char folder[PATH_SIZE], text[128];
  sinew_error error;
  if (!host->renderer || !shader_folder(folder)) return false;
  size_t length = strlen(folder);
  if (strncmp(path, folder, length) != 0 || path[length] != '/') return false;
  double begun = clock_seconds();
  bool fine = sinew_renderer_reload(host->renderer, &error);
  sinew_host_set_problem(host, PROBLEM_LIMIT - 1, fine ? NULL : "shaders: the previous ones stay in use",
                         fine ? NULL : error.message);
  text_format(text, sizeof text, "shaders reloaded in %.0f ms", (clock_seconds() - begun) * 1e3);
  if (fine) sinew_host_toast(host, text);
  else sinew_log(SINEW_LOG_ERROR, "%s", error.message);
  return true;
}
