/* Bakes in progress: a key in each frame, until the time is over or the actor is removed. */
#include "core/api.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Tolerance for frame times, which are sums of steps. */
static const double slack = 1e-6, shortest_step = 1e-3;

enum { MOST_CURVES = 64 }; /* that a clip may have */

/* Writes all keys so far, if there are any. The caller reports the error. */
static bool finish(sinew_scene *scene, bake *b, sinew_error *error) {
  char line[SCENE_PATH + 128];
  bool written = sinew_baked_clip_key_count(b->clip) == 0 || !b->writes ||
                 sinew_baked_clip_write(b->clip, b->path, b->name, error);
  if (written)
    snprintf(line, sizeof line, "baked %d keys, %.3g s: %s", sinew_baked_clip_key_count(b->clip), b->elapsed, b->path);
  if (written) scene_print(scene, SINEW_LOG_INFO, line);
  sinew_baked_clip_destroy(b->clip);
  *b = (bake){0};
  return written;
}

void bakes_advance(sinew_scene *scene, double dt) {
  for (int i = 0; i < SCENE_BAKES; i++)
    if (scene->bakes[i].started && dt > 0) scene->bakes[i].elapsed += dt;
}

static void finish_and_tell(sinew_scene *scene, bake *b) {
  sinew_error error;
  if (!finish(scene, b, &error)) scene_print(scene, SINEW_LOG_ERROR, error.message);
}

/* A curve begins when a playing clip first has it; before that, and whenever no playing clip has it, it counts as 0. */
static bool record_curves(const declarations *all, const bake *b, sinew_actor actor, sinew_error *error) {
  const sinew_model *model = sinew_baked_clip_model(b->clip);
  const char *name;
  for (int i = 0; i < MOST_CURVES && (name = sinew_stage_curve_name(all->stage, model, i)) != NULL; i++) {
    double value = sinew_actor_curve(all->stage, actor, name, 0);
    bool begun = sinew_baked_clip_has_curve(b->clip, name);
    bool plays = value != 0 || sinew_actor_curve(all->stage, actor, name, 1) != 1;
    if (!plays && !begun) continue;
    if (!begun && b->started && !sinew_baked_clip_add_curve_key(b->clip, name, b->last, 0, error)) return false;
    if (!sinew_baked_clip_add_curve_key(b->clip, name, b->elapsed, value, error)) return false;
  }
  return true;
}

static void record(sinew_scene *scene, bake *b) {
  const declarations *all = &scene->declarations;
  const actor_record *actor = declarations_actor(all, b->actor);
  sinew_error error;
  if (!actor || sinew_actor_model(all->stage, actor->actor) != sinew_baked_clip_model(b->clip)) {
    finish_and_tell(scene, b);
    return;
  }
  if (b->started && b->elapsed < b->next - slack) return;
  sinew_transform position = sinew_actor_transform(all->stage, actor->actor);
  bool added = sinew_baked_clip_add_key(b->clip, b->elapsed, sinew_actor_pose(all->stage, actor->actor),
                                        b->with_position ? &position : NULL, &error);
  if (added) added = record_curves(all, b, actor->actor, &error);
  if (!added) scene_print(scene, SINEW_LOG_ERROR, error.message);
  b->started = true;
  b->last = b->elapsed;
  if (b->next <= b->elapsed + slack) b->next += b->step * (floor((b->elapsed + slack - b->next) / b->step) + 1);
  if (!added || b->elapsed >= b->seconds - slack) finish_and_tell(scene, b);
}

void bakes_record(sinew_scene *scene) {
  for (int i = 0; i < SCENE_BAKES; i++)
    if (scene->bakes[i].clip) record(scene, scene->bakes + i);
}

bool sinew_scene_end_bakes(sinew_scene *scene, sinew_error *error) {
  bool written = true;
  for (int i = 0; i < SCENE_BAKES; i++)
    if (scene->bakes[i].clip) written &= finish(scene, scene->bakes + i, error);
  return written;
}

/* ---- beginning ---- */

static bake *free_bake(sinew_scene *scene) {
  for (int i = 0; i < SCENE_BAKES; i++)
    if (!scene->bakes[i].clip) return scene->bakes + i;
  return NULL;
}

static bool begin(sinew_scene *scene, bake made, sinew_error *error) {
  const actor_record *actor = declarations_actor(&scene->declarations, made.actor);
  bake *position = free_bake(scene);
  if (!position) return declarations_fail(error, "at most %d animations can be baked at once", SCENE_BAKES);
  made.clip = sinew_baked_clip_create(sinew_actor_model(scene->declarations.stage, actor->actor), error);
  if (made.clip) *position = made;
  return made.clip != NULL;
}

static void name_after_file(char name[DECLARED_NAME], const char *file) {
  const char *slash = strrchr(file, '/');
  declarations_copy(name, DECLARED_NAME, slash ? slash + 1 : file);
  char *dot = strrchr(name, '.');
  if (dot) *dot = 0;
}

bool sinew_scene_bake(sinew_scene *scene, const char *name, const char *path, sinew_error *error) {
  const actor_record *actor = declarations_find_actor(&scene->declarations, name);
  if (!actor) return declarations_fail(error, "there is no actor '%s' to bake", name);
  struct stat info;
  if (lstat(path, &info) == 0 && !scene_is_take(path))
    return declarations_fail(error, "'%s' exists and was not baked by Sinew; it is not replaced", path);
  bake made = {.actor = actor->head.id, .seconds = HUGE_VAL, .step = shortest_step, .writes = true};
  declarations_copy(made.path, sizeof made.path, path);
  name_after_file(made.name, path);
  return begin(scene, made, error);
}

static int call_bake(lua_State *L) {
  sinew_scene *scene = scene_of(L);
  const actor_record *actor = actor_check(L, 1);
  sinew_error error;
  lua_settop(L, 3);
  refuse_while_loading(L, "actor:bake", "begin later");
  bake made = {.actor = actor->head.id, .seconds = option_number(L, 3, "seconds", 1)};
  made.step = fmax(1 / option_number(L, 3, "rate", 60), shortest_step);
  made.with_position = flag_option(L, 3, "movement", false);
  made.writes = !scene->is_recorded;
  name_after_file(made.name, lua_tostring(L, 2));
  if (option_push(L, 3, "name")) declarations_copy(made.name, DECLARED_NAME, lua_tostring(L, -1));
  if (made.seconds > 600) return luaL_error(L, "actor:bake: at most 600 seconds");
  if (!scene_resolve_bake(scene, lua_tostring(L, 2), made.path, &error))
    return luaL_error(L, "actor:bake: %s", error.message);
  if (!begin(scene, made, &error)) return luaL_error(L, "actor:bake: %s", error.message);
  return 0;
}

const api_entry api_bake_entries[] = {{"actor", "bake", API_METHOD, "file: string, options?: bake_options", "",
                                       "Records its final pose from the next frame on, and writes a glTF "
                                       "animation of its joints and curves: a .glb in the scene's own folder. It "
                                       "replaces only a file that Sinew baked.",
                                       .call = call_bake, .cost = 2000, .waits = true},
                                      {0}};
