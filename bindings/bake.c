/* Takes that scenes record: a key in each frame, until their time is over or their actor is gone. */
#include "api.h"

#include <stdio.h>
#include <string.h>

/* Frames whose times are sums of steps. */
static const double slack = 1e-6;

static void finish(sinew_scene *scene, bake *b) {
  char line[SCENE_PATH + 128];
  sinew_error error = {""};
  bool written = sinew_take_key_count(b->take) == 0 || sinew_take_write(b->take, b->path, b->name, &error);
  if (written) {
    snprintf(line, sizeof line, "baked %d keys, %.3g s: %s", sinew_take_key_count(b->take), b->elapsed, b->path);
  }
  scene_print(scene, written ? SINEW_LOG_INFO : SINEW_LOG_ERROR, written ? line : error.message);
  sinew_take_destroy(b->take);
  *b = (bake){0};
}

void bakes_advance(sinew_scene *scene, double dt) {
  for (int i = 0; i < SCENE_BAKES; i++)
    if (scene->bakes[i].started && dt > 0) scene->bakes[i].elapsed += dt;
}

static void record(sinew_scene *scene, bake *b) {
  const world *w = &scene->world;
  const actor_record *actor = world_actor(w, b->actor);
  if (!actor || sinew_actor_model(w->stage, actor->actor) != sinew_take_model(b->take)) {
    finish(scene, b);
    return;
  }
  if (b->started && b->elapsed < b->next - slack) return;
  sinew_error error;
  sinew_transform place = sinew_actor_transform(w->stage, actor->actor);
  bool added = sinew_take_add(b->take, b->elapsed, sinew_actor_pose(w->stage, actor->actor),
                              b->with_place ? &place : NULL, &error);
  if (!added) scene_print(scene, SINEW_LOG_ERROR, error.message);
  b->started = true;
  while (b->next <= b->elapsed + slack) b->next += b->step;
  if (!added || b->elapsed >= b->seconds - slack) finish(scene, b);
}

void bakes_record(sinew_scene *scene) {
  for (int i = 0; i < SCENE_BAKES; i++)
    if (scene->bakes[i].take) record(scene, scene->bakes + i);
}

void bakes_finish(sinew_scene *scene) {
  for (int i = 0; i < SCENE_BAKES; i++)
    if (scene->bakes[i].take) finish(scene, scene->bakes + i);
}

/* ---- actor:bake ---- */

static bake *free_bake(sinew_scene *scene) {
  for (int i = 0; i < SCENE_BAKES; i++)
    if (!scene->bakes[i].take) return scene->bakes + i;
  return NULL;
}

static void read_name(lua_State *L, char name[WORLD_NAME]) {
  const char *file = lua_tostring(L, 2), *slash = strrchr(file, '/');
  snprintf(name, WORLD_NAME, "%s", slash ? slash + 1 : file);
  char *dot = strrchr(name, '.');
  if (dot) *dot = 0;
  if (option_push(L, 3, "name")) world_copy(name, WORLD_NAME, lua_tostring(L, -1));
  lua_settop(L, 3);
}

static int call_bake(lua_State *L) {
  sinew_scene *scene = scene_of(L);
  const actor_record *actor = actor_check(L, 1);
  sinew_error error;
  lua_settop(L, 3);
  refuse_while_loading(L, "actor:bake", "begin later");
  bake made = {.actor = actor->id, .seconds = option_number(L, 3, "seconds", 1)};
  made.step = 1 / option_number(L, 3, "rate", 60);
  made.with_place = flag_option(L, 3, "place", false);
  read_name(L, made.name);
  if (made.seconds > 600) return luaL_error(L, "actor:bake: at most 600 seconds");
  if (!scene_resolve_bake(scene, lua_tostring(L, 2), made.path, &error))
    return luaL_error(L, "actor:bake: %s", error.message);
  bake *place = free_bake(scene);
  if (!place) return luaL_error(L, "actor:bake: at most %d takes at once", SCENE_BAKES);
  made.take = sinew_take_create(sinew_actor_model(scene->world.stage, actor->actor), &error);
  if (!made.take) return luaL_error(L, "actor:bake: %s", error.message);
  *place = made;
  return 0;
}

const api_entry api_bake_entries[] = {
    {"actor", "bake", API_METHOD, "file: string, options?: bake_options", "",
     "Records what it shows from the next frame on, and writes it as a glTF animation of its joints: a .glb in the "
     "scene's own folder, new or baked before.",
     .call = call_bake, .cost = 2000, .waits = true},
    {0}};
