#include "cli/view/view.h"

#include "base/error.h"
#include "base/file.h"
#include "cli/new/scene_template.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "models/Fox.glb" → "Fox.lua", or "Fox_2.lua" … if that is taken. */
static bool free_name(char *out, size_t size, const char *model_path, sinew_error *error) {
  const char *file = path_file(model_path);
  int length = (int)(strrchr(file, '.') ? strrchr(file, '.') - file : (ptrdiff_t)strlen(file));
  for (int number = 1; number < 1000; number++) {
    int written = number == 1 ? snprintf(out, size, "%.*s.lua", length, file)
                              : snprintf(out, size, "%.*s_%d.lua", length, file, number);
    if (written > 0 && (size_t)written < size && !file_exists(out)) return true;
  }
  return error_set(error, "%s: no name for a scene is free beside it", file);
}

/* The name by which a scene in the current folder reads a file. A scene reads its own folder and Sinew's assets by
 * relative names; *allow is set if it also needs permission to read the file's folder. */
typedef struct scene_path {
  char name[4096];
} scene_path;

static void name_in_scene(scene_path *out, const char *path, bool *allow) {
  char assets[4096], *real = realpath(path, NULL), *real_assets = NULL;
  if (path_join(assets, sizeof assets, sinew_home(), "assets")) real_assets = realpath(assets, NULL);
  size_t length = real_assets ? strlen(real_assets) : 0;
  bool is_asset = real && length > 0 && strncmp(real, real_assets, length) == 0 && real[length] == '/';
  bool is_here = !path_is_absolute(path) && !strstr(path, "..");
  snprintf(out->name, sizeof out->name, "%s", is_asset ? real + length + 1 : is_here || !real ? path : real);
  *allow = *allow || (!is_asset && !is_here);
  free(real);
  free(real_assets);
}

static bool has_newline(const char *text) { return strpbrk(text, "\r\n") != NULL; }

static bool save(const viewer *v, char *name, size_t size, sinew_error *error) {
  static scene_path paths[VIEW_FILE_LIMIT + 1]; /* too large for a small stack; commands run on one thread */
  const char *clip_files[VIEW_FILE_LIMIT];
  char folder[4096];
  bool allow = false;
  const sinew_camera *camera = sinew_host_camera(v->host);
  sinew_transform transform = sinew_actor_transform(sinew_host_stage(v->host), v->actor);
  scene_template options = scene_template_default();
  name_in_scene(&paths[0], v->path, &allow);
  for (int i = 0; i < v->clip_file_count; i++) {
    name_in_scene(&paths[i + 1], v->clip_files[i], &allow);
    clip_files[i] = paths[i + 1].name;
  }
  if (allow && path_folder(folder, sizeof folder, paths[0].name) && !has_newline(folder)) options.allow = folder;
  options.clip = v->clip;
  options.speed = (double)v->speed;
  options.has_camera = true;
  options.camera_position = camera->position;
  options.camera_target = camera->target;
  options.position = transform.translation;
  options.clip_files = clip_files;
  options.clip_file_count = v->clip_file_count;
  options.load = v->load;
  return free_name(name, size, v->path, error) && scene_template_write(name, paths[0].name, v->model, &options, error);
}

bool view_save_scene(viewer *v) {
  char name[512], text[640];
  sinew_error error;
  if (!v->model) return false;
  if (!save(v, name, sizeof name, &error)) {
    sinew_host_log(v->host, SINEW_LOG_ERROR, error.message);
    sinew_log(SINEW_LOG_ERROR, "%s", error.message);
    return false;
  }
  snprintf(text, sizeof text, "saved: sinew run %s", name);
  sinew_host_toast(v->host, text);
  sinew_log(SINEW_LOG_INFO, "%s", text);
  return true;
}
