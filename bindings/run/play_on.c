/* Runs the same scene again from a recording, to play on from a past moment. */
#include "core/scene.h"
#include "declare/kinds/declared_crowd.h"

/* The limits of a window, measured by the clock, may allow this many times more than counted ones. */
enum { REPLAY_TIMES = 20 };

static void print_nothing(void *user, const char *line) {
  (void)user;
  (void)line;
}

bool scene_again(void *user, sinew_host *host, sinew_app *app, sinew_error *error) {
  const sinew_scene *scene = user;
  sinew_scene_def def = scene->live;
  def.count_instructions = true;
  def.instruction_limit *= REPLAY_TIMES;
  def.print = print_nothing;
  sinew_scene *made = sinew_scene_create(host, NULL, &def, error);
  if (!made) return false;
  made->live = scene->live;
  *app = sinew_scene_app(made);
  return true;
}

void scene_end(void *user) { sinew_scene_destroy(user); }

/* From now on it reads the disk, or its bundle, prints, and has the limits of a running scene. */
static void go_live(sinew_scene *scene) {
  loads_settle(scene);
  scene->is_recorded = sinew_host_has_bundle(scene->host);
  scene->def = scene->live;
  scene->counts = scene->live.count_instructions || !scene->watchdog.ticks;
  scene_init_roots(scene);
}

static void watch_all(sinew_scene *scene) {
  for (int i = 0; i < scene->file_count; i++) scene_watch(scene, scene->files[i].path);
  for (int i = 0; i < scene->declarations.actors.count; i++) {
    const sinew_model *model = actor_at(&scene->declarations, i)->model;
    if (model) scene_watch_sources(scene, model);
  }
  for (int i = 0; i < scene->declarations.crowds.count; i++)
    scene_watch_sources(scene, crowd_at(&scene->declarations, i)->last.model);
}

void scene_moved(void *user, sinew_host *host) {
  sinew_scene *scene = user;
  scene->host = scene->declarations.host = host;
  if (scene->is_recorded && sinew_host_is_replay(host)) go_live(scene);
  sinew_host_set_help(host, scene->help[0] ? scene->help : NULL);
  watch_all(scene);
}
