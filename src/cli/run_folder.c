/* Keeps the recording of a window's run in a folder beside the cache while the run lasts. If the run crashes, the
 * recording stays there for a week. */
#include "cli/run_folder.h"

#include "base/text.h"

#include "base/file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { DAY = 86400, KEPT = 7 * DAY, STILL = 10 }; /* seconds; a running window writes in each frame */

static const char extension[] = ".rec";

static bool find_folder(char folder[RUN_FOLDER_PATH]) {
  char cache[RUN_FOLDER_PATH];
  const char *temporary = getenv("TMPDIR");
  if (sinew_cache_folder(cache, sizeof cache)) return path_join(folder, RUN_FOLDER_PATH, cache, "runs");
  return path_join(folder, RUN_FOLDER_PATH, temporary && temporary[0] ? temporary : "/tmp", "sinew-runs");
}

/* "walk-1234.rec" for "walk.lua"; "my_scene-1234.rec" for "my_scene/main.lua", "my_scene/", and "." inside it. */
static void name_of(const char *scene, char name[128]) {
  char folder[RUN_FOLDER_PATH];
  const char *file = path_file(scene);
  bool is_main = strcmp(file, "main.lua") == 0;
  char *real = is_main || strcspn(file, ".") == 0 ? realpath(scene, NULL) : NULL;
  if (real) file = path_file(real);
  if (real && is_main && path_folder(folder, sizeof folder, real)) file = path_file(folder);
  int length = (int)(strcspn(file, ".") < 100 ? strcspn(file, ".") : 100);
  snprintf(name, 128, "%.*s", length ? length : 5, length ? file : "scene");
  free(real);
}

static bool is_of(const char *name, const char *scene) {
  size_t size = strlen(scene);
  return strncmp(name, scene, size) == 0 && name[size] == '-' &&
         name[size + 1 + strspn(name + size + 1, "0123456789")] == '.';
}

/* Removes old recordings, and reports the latest one of this scene whose run did not end properly. */
static void look_through(const char *folder, const char *scene) {
  char path[RUN_FOLDER_PATH], last[RUN_FOLDER_PATH] = "";
  struct stat info;
  time_t now = time(NULL), latest = 0;
  DIR *opened = opendir(folder);
  for (struct dirent *one = opened ? readdir(opened) : NULL; one; one = readdir(opened)) {
    if (strcmp(path_extension(one->d_name), extension + 1) != 0 || !path_join(path, sizeof path, folder, one->d_name) ||
        stat(path, &info) != 0)
      continue;
    if (info.st_mtime < now - KEPT) remove(path);
    else if (is_of(one->d_name, scene) && info.st_mtime < now - STILL && info.st_mtime > latest) {
      latest = info.st_mtime;
      snprintf(last, sizeof last, "%s", path);
    }
  }
  if (opened) closedir(opened);
  if (last[0]) text_show(stdout, "The last run of %s ended unexpectedly: sinew replay %s repeats it.\n", scene, last);
}

bool run_folder_name(const char *scene, char path[RUN_FOLDER_PATH]) {
  char folder[RUN_FOLDER_PATH], name[128], file[192];
  sinew_error error;
  name_of(scene, name);
  snprintf(file, sizeof file, "%s-%ld%s", name, (long)getpid(), extension);
  if (!find_folder(folder) || !folder_create(folder, &error)) return false;
  look_through(folder, name);
  return path_join(path, RUN_FOLDER_PATH, folder, file);
}
