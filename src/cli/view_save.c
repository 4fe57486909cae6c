#include "cli/view.h"

#include "base/error.h"
#include "base/file.h"
#include "cli/scene_template.h"

#include <stdio.h>
#include <string.h>

/* "models/Fox.glb" → "Fox.lua", or "Fox_2.lua" … where that is taken. */
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

static bool save(const viewer *v, char *name, size_t size, sinew_error *error) {
  const sinew_camera *camera = sinew_host_camera(v->host);
  sinew_transform transform = sinew_actor_transform(sinew_host_stage(v->host), v->actor);
  scene_template options = scene_template_default();
  options.clip = v->clip;
  options.speed = (double)v->speed;
  options.has_camera = true;
  options.camera_position = camera->position;
  options.camera_target = camera->target;
  options.position = transform.translation;
  options.clip_files = v->clip_files;
  options.clip_file_count = v->clip_file_count;
  return free_name(name, size, v->path, error) && scene_template_write(name, v->path, v->model, &options, error);
}

void view_save_scene(viewer *v) {
  char name[512], text[640];
  sinew_error error;
  if (!v->model) return;
  if (!save(v, name, sizeof name, &error)) {
    sinew_host_log(v->host, SINEW_LOG_ERROR, error.message);
    sinew_log(SINEW_LOG_ERROR, "%s", error.message);
    return;
  }
  snprintf(text, sizeof text, "saved: sinew run %s", name);
  sinew_host_toast(v->host, text);
  sinew_log(SINEW_LOG_INFO, "%s", text);
}
