/* Commands for actors and crowds whose model is still being loaded. They are queued, and run in order once it is
 * loaded. Commands from the top level then run as declarations, so that later saves find them declared. A command that
 * fails then reports the line that issued it. */
#include "core/crowd_object.h"
#include "scene/loads.h"

#include <stdio.h>
#include <string.h>

enum { LIMIT = 4096 };

/* The handles of actors, their morphs, layers and actions all begin with the actor's id. */
static const int64_t *actor_of(lua_State *L, int index) {
  static const char *const types[] = {"actor", "layer", "action", "actor_morphs", "actor_modifiers", "actor_modifier"};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    const int64_t *id = luaL_testudata(L, index, types[i]);
    if (id) return id;
  }
  return NULL;
}

/* The model of the actor or the crowd; NULL if it has been removed. */
static const sinew_model *model_of(lua_State *L, int index) {
  const declarations *all = &scene_of(L)->declarations;
  const int64_t *id = actor_of(L, index);
  const actor_record *actor = id ? declarations_actor(all, *id) : NULL;
  const crowd_record *crowd = id ? NULL : crowd_find(L, index);
  return actor ? declarations_actor_model(all, actor) : crowd ? declarations_crowd_values(all, crowd)->model : NULL;
}

static model_load *load_of(lua_State *L, int index) {
  const sinew_scene *scene = scene_of(L);
  return scene->load_count > 0 ? load_find(scene, model_of(L, index)) : NULL;
}

const actor_record *queue_actor(lua_State *L, int index) {
  const int64_t *id = actor_of(L, index);
  return id ? declarations_actor(&scene_of(L)->declarations, *id) : NULL;
}

bool queue_is_there(lua_State *L, int index) { return model_of(L, index) != NULL; }

bool queue_holds(lua_State *L, int index) { return load_of(L, index) != NULL; }

/* Those of the top level, or of callbacks. */
static void push_list(lua_State *L) { epoch_push(L, scene_of(L)->loading ? "queue" : "commands"); }

/* ---- adding ---- */

/* The object that scripts hold until the command creates the real one. */
static bool push_promise(lua_State *L, const char *result, const int64_t *of) {
  bool layer = strcmp(result, "layer") == 0;
  if (!of || (!layer && strcmp(result, "action") != 0)) return false;
  int64_t actor = *of;
  if (layer) {
    layer_handle *handle = api_new(L, result, sizeof *handle, ++scene_of(L)->declarations.next_id);
    *handle = (layer_handle){.actor = actor, .layer = INT64_MAX};
  } else {
    action_push(L, &(action_handle){.actor = actor});
  }
  return true;
}

/* Makes { arguments …, n =, call =, line =, file =, number = } from the function at the top and everything below it. */
static void push_item(lua_State *L) {
  char line[DECLARED_LINE];
  int count = lua_gettop(L) - 1;
  scene_line(L, line);
  const char *number = strrchr(line, ':');
  lua_createtable(L, count, 6);
  lua_insert(L, 1);
  lua_setfield(L, 1, "call");
  lua_pushstring(L, line);
  lua_setfield(L, 1, "line");
  lua_pushstring(L, scene_chunk(L));
  lua_setfield(L, 1, "file");
  lua_pushstring(L, number ? number + 1 : "0");
  lua_setfield(L, 1, "number");
  lua_pushinteger(L, count);
  lua_setfield(L, 1, "n");
  for (int i = count; i > 0; i--) lua_rawseti(L, 1, i);
}

int queue_add(lua_State *L, const char *result) {
  const model_load *load = load_of(L, 1);
  const int64_t *actor = actor_of(L, 1);
  luaL_checkstack(L, 12, NULL);
  push_item(L);
  if (push_promise(L, result, actor)) {
    lua_pushvalue(L, -1);
    lua_setfield(L, 1, "promise");
  } else {
    lua_pushnil(L);
  }
  if (load->failed) return 1; /* nothing to wait for */
  push_list(L);
  lua_Integer count = (lua_Integer)lua_rawlen(L, -1);
  if (count == LIMIT) return luaL_error(L, "more than %d commands wait for the model %s", LIMIT, load->name);
  lua_pushvalue(L, 1);
  lua_rawseti(L, -2, count + 1);
  lua_pop(L, 1);
  return 1;
}

/* Finds, in the list at the top, the item that assigns to the same field of the same object. */
static bool push_same(lua_State *L, int object, int field) {
  for (lua_Integer i = (lua_Integer)lua_rawlen(L, -1); i > 0; i--) {
    lua_rawgeti(L, -1, i);
    lua_getfield(L, -1, "set");
    lua_rawgeti(L, -2, 1);
    lua_rawgeti(L, -3, 2);
    bool same = lua_toboolean(L, -3) && lua_rawequal(L, -2, object) && lua_rawequal(L, -1, field);
    lua_pop(L, 3);
    if (same) return true;
    lua_pop(L, 1);
  }
  return false;
}

void queue_set(lua_State *L) {
  luaL_checkstack(L, 12, NULL);
  push_list(L);
  if (push_same(L, 1, 2)) {
    lua_pushvalue(L, 3);
    lua_rawseti(L, -2, 3);
    return;
  }
  lua_pop(L, 1);
  queue_add(L, "");
  lua_pushboolean(L, 1);
  lua_setfield(L, 1, "set");
}

/* ---- running ---- */

/* Blames the item at the top of the stack for the scene's failure. */
static void blame(lua_State *L) {
  sinew_scene *scene = scene_of(L);
  char message[SCENE_PROBLEM];
  lua_getfield(L, -1, "line");
  lua_getfield(L, -2, "file");
  lua_getfield(L, -3, "number");
  snprintf(message, sizeof message, "%.90s: %.*s", lua_tostring(L, -3), (int)sizeof message - 200, scene->failure);
  declarations_copy(scene->failure, sizeof scene->failure, message);
  declarations_copy(scene->failure_location, sizeof scene->failure_location, lua_tostring(L, -2));
  scene->failure_line = (int)lua_tointeger(L, -1);
  lua_pop(L, 3);
  scene_show_problem(scene, SLOT_QUEUE, "");
}

/* Runs the item at the top of the stack, and leaves the stack as it was. */
static void run(lua_State *L) {
  int item = lua_gettop(L);
  lua_getfield(L, item, "n");
  int count = (int)lua_tointeger(L, -1);
  luaL_checkstack(L, count + 12, NULL);
  lua_getfield(L, item, "call");
  for (int i = 1; i <= count; i++) lua_rawgeti(L, item, i);
  bool fine = scene_call(scene_of(L), count, 1);
  if (fine && lua_getfield(L, item, "promise") == LUA_TUSERDATA && lua_type(L, -2) == LUA_TUSERDATA)
    memcpy(lua_touserdata(L, -1), lua_touserdata(L, -2), lua_rawlen(L, -1));
  lua_settop(L, item);
  if (!fine) blame(L);
}

/* Runs and removes the items of the list at the top whose actors no longer wait; drops those of removed actors. */
static void run_list(lua_State *L) {
  int list = lua_gettop(L);
  lua_Integer count = (lua_Integer)lua_rawlen(L, list), kept = 0;
  for (lua_Integer i = 1; i <= count; i++) {
    lua_rawgeti(L, list, i);
    lua_rawgeti(L, -1, 1);
    bool waits = queue_holds(L, -1);
    bool there = queue_is_there(L, -1);
    lua_pop(L, 1);
    lua_pushnil(L);
    lua_rawseti(L, list, i);
    if (waits) {
      lua_pushvalue(L, -1);
      lua_rawseti(L, list, ++kept);
    } else if (there) {
      run(L);
    }
    lua_settop(L, list);
  }
}

static int run_declared(lua_State *L) {
  epoch_push_current(L, "queue");
  if (lua_istable(L, -1)) run_list(L);
  return 0;
}

static int run_others(lua_State *L) {
  epoch_push_current(L, "commands");
  if (lua_istable(L, -1)) run_list(L);
  return 0;
}

void queue_run(sinew_scene *scene) {
  budget_begin_frame(scene);
  declarations_begin_arrivals(&scene->declarations);
  bool fine = scene_protect(scene, run_declared, NULL);
  if (!fine) scene_show_problem(scene, SLOT_QUEUE, "");
  declarations_end_arrivals(&scene->declarations);
  if (!scene_protect(scene, run_others, NULL)) scene_show_problem(scene, SLOT_QUEUE, "");
}
