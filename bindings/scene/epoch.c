/* An epoch is the product of one load of the scripts: a table with env, handlers, keep and modules. A load fills the
 * next epoch, and its commit is a single assignment. */
#include "core/scene.h"

#include <string.h>

/* The largest number of handlers of one event: each has its own budget. */
enum { HANDLERS = 64 };

static const char current_key, next_key;
static const char *const events[SCENE_EVENTS + 1] = {"update",       "draw",          "key_pressed",
                                                     "key_released", "mouse_pressed", "mouse_released",
                                                     "file_dropped", "reloaded",      NULL};

const char *event_name(int index) { return index >= 0 && index < SCENE_EVENTS ? events[index] : NULL; }

int event_index(const char *event) {
  for (int i = 0; i < SCENE_EVENTS; i++)
    if (strcmp(events[i], event) == 0) return i;
  return -1;
}

void epoch_push_all(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, scene_of(L)->loading ? &next_key : &current_key);
}

void epoch_push(lua_State *L, const char *field) {
  epoch_push_all(L);
  lua_getfield(L, -1, field);
  lua_remove(L, -2);
}

void epoch_set(lua_State *L, const char *field, int index) {
  epoch_push_all(L);
  lua_pushvalue(L, index);
  lua_setfield(L, -2, field);
  lua_pop(L, 1);
}

void epoch_push_current(lua_State *L, const char *field) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &current_key);
  if (lua_istable(L, -1)) {
    lua_getfield(L, -1, field);
  } else {
    lua_pushnil(L);
  }
  lua_remove(L, -2);
}

void epoch_set_current(lua_State *L, const char *field, int index) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &current_key);
  lua_pushvalue(L, index);
  lua_setfield(L, -2, field);
  lua_pop(L, 1);
}

void epoch_begin(lua_State *L) {
  static const char *const fields[] = {
      "handlers", "keep",      "modules", "models", "graphs",    "actor_handlers", "marker_data", "queue",
      "commands", "modifiers", "built",   "tests",  "texts",     "constructors",   "motors",      "velocities",
      "spelling", "copies",    "born",    "pages",  "forgotten", "forgotten_next", "levels"};
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &current_key) == LUA_TNIL) { /* so that the commit allocates nothing */
    lua_pushboolean(L, 0);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &current_key);
  }
  lua_pop(L, 1);
  lua_newtable(L);
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    lua_newtable(L);
    lua_setfield(L, -2, fields[i]);
  }
  lua_getfield(L, -1, "handlers");
  for (int i = 0; i < SCENE_EVENTS; i++) {
    lua_newtable(L);
    lua_setfield(L, -2, events[i]);
  }
  lua_pop(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &next_key);
}

void epoch_set_environment(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &next_key);
  environment_push(L);
  lua_setfield(L, -2, "env");
  lua_pop(L, 1);
}

void epoch_end(lua_State *L, bool commit) {
  if (commit) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &next_key);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &current_key);
  }
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &next_key) != LUA_TNIL) {
    lua_pushboolean(L, 0);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &next_key);
  }
  lua_pop(L, 1);
}

void epoch_forget(lua_State *L) {
  lua_pushboolean(L, 0);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &current_key);
}

/* ---- handlers ---- */

static void push_list(lua_State *L, const char *event) {
  epoch_push(L, "handlers");
  lua_getfield(L, -1, event);
  lua_remove(L, -2);
}

/* The position of the assigned callback in the list at the top, or 0. */
static lua_Integer assigned_position(lua_State *L) {
  lua_Integer count = (lua_Integer)lua_rawlen(L, -1);
  for (lua_Integer i = 1; i <= count; i++) {
    lua_rawgeti(L, -1, i);
    lua_getfield(L, -1, "assigned");
    bool assigned = lua_toboolean(L, -1);
    lua_pop(L, 2);
    if (assigned) return i;
  }
  return 0;
}

void event_push_assigned(lua_State *L, const char *event) {
  push_list(L, event);
  lua_Integer position = assigned_position(L);
  if (position) {
    lua_rawgeti(L, -1, position);
    lua_getfield(L, -1, "call");
    lua_replace(L, -3);
    lua_pop(L, 1);
  } else {
    lua_pushnil(L);
    lua_replace(L, -2);
  }
}

/* If two files define the same callback, each would expect its own to run. */
static void check_single(lua_State *L, const char *event, lua_Integer position) {
  lua_rawgeti(L, -1, position);
  lua_getfield(L, -1, "file");
  lua_getfield(L, -2, "line");
  if (scene_of(L)->loading && strcmp(lua_tostring(L, -2), scene_chunk(L)) != 0) {
    luaL_error(L, "sinew.%s is already defined at %s: use sinew.on(\"%s\", function) in a module", event,
               lua_tostring(L, -1), event);
  }
  lua_pop(L, 3);
}

static void push_entry(lua_State *L, int function_index, bool assigned) {
  char line[DECLARED_LINE];
  scene_line(L, line);
  lua_createtable(L, 0, 6);
  lua_pushboolean(L, !scene_of(L)->loading);
  lua_setfield(L, -2, "runtime");
  lua_pushvalue(L, function_index);
  lua_setfield(L, -2, "call");
  lua_pushstring(L, line);
  lua_setfield(L, -2, "line");
  lua_pushstring(L, scene_chunk(L));
  lua_setfield(L, -2, "file");
  lua_pushboolean(L, assigned);
  lua_setfield(L, -2, "assigned");
}

/* Whether a load has declared what the entry at the position of the list on the top was before; at 0 there is none. */
static bool is_declared(lua_State *L, lua_Integer position) {
  lua_rawgeti(L, -1, position);
  bool declared = lua_istable(L, -1);
  if (declared) {
    lua_getfield(L, -1, "runtime");
    lua_getfield(L, -2, "declared");
    declared = !lua_toboolean(L, -2) || lua_toboolean(L, -1);
    lua_pop(L, 2);
  }
  lua_pop(L, 1);
  return declared;
}

void event_add(lua_State *L, const char *event, int function_index, bool assigned) {
  push_list(L, event);
  lua_Integer position = assigned ? assigned_position(L) : 0;
  if (position) check_single(L, event, position);
  if (!position) position = (lua_Integer)lua_rawlen(L, -1) + 1;
  if (position > HANDLERS) luaL_error(L, "sinew.on: more than %d handlers for '%s'", HANDLERS, event);
  bool declared = position && is_declared(L, position);
  push_entry(L, function_index, assigned); /* a hole would end the list */
  lua_pushboolean(L, declared);
  lua_setfield(L, -2, "declared");
  lua_rawseti(L, -2, position);
  lua_pop(L, 1);
}

/* The lists of one event: of the running epoch and of the next. What a callback has assigned stays assigned, in the
 * place of what both loads declare, or where none does. */
static void carry_event(lua_State *L, int from, int to) {
  int top = lua_gettop(L);
  for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, from); i++) {
    lua_rawgeti(L, from, i);
    lua_getfield(L, top + 1, "runtime");
    lua_getfield(L, top + 1, "assigned");
    bool carries = lua_toboolean(L, top + 2), assigned = lua_toboolean(L, top + 3);
    lua_pushvalue(L, to);
    lua_Integer position = assigned ? assigned_position(L) : 0;
    lua_getfield(L, top + 1, "declared");
    carries = carries && (!assigned || lua_toboolean(L, -1) == (position != 0));
    lua_pushvalue(L, top + 1);
    if (carries) lua_rawseti(L, to, position ? position : (lua_Integer)lua_rawlen(L, to) + 1);
    lua_pushboolean(L, false);
    lua_setfield(L, top + 1, "suspended");
    lua_settop(L, top);
  }
}

void events_carry(lua_State *L) {
  int top = lua_gettop(L);
  epoch_push_current(L, "commands");
  if (lua_istable(L, -1)) epoch_set(L, "commands", top + 1);
  lua_settop(L, top);
  epoch_push_current(L, "handlers");
  epoch_push(L, "handlers");
  for (int i = 0; i < SCENE_EVENTS && lua_istable(L, top + 1); i++) {
    lua_getfield(L, top + 1, events[i]);
    lua_getfield(L, top + 2, events[i]);
    carry_event(L, top + 3, top + 4);
    lua_settop(L, top + 2);
  }
  lua_settop(L, top);
}

typedef struct fire_job {
  const char *event;
  const event_argument *arguments;
  int count, handlers;
} fire_job;

static int count_handlers(lua_State *L) {
  fire_job *job = lua_touserdata(L, 1);
  push_list(L, job->event);
  for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, -1); i++) {
    lua_rawgeti(L, -1, i);
    if (lua_getfield(L, -1, "call") != LUA_TNIL) job->handlers++;
    lua_pop(L, 2);
  }
  return 0;
}

int event_count(sinew_scene *scene, const char *event) {
  fire_job job = {.event = event};
  if (event_index(event) < 0) return 0;
  return scene_protect(scene, count_handlers, &job) ? job.handlers : 0;
}

static void suspend(lua_State *L, const fire_job *job) {
  sinew_scene *scene = scene_of(L);
  int index = event_index(job->event);
  lua_pushboolean(L, 1);
  lua_setfield(L, -2, "suspended");
  scene->suspended[index]++;
  scene_show_problem(scene, index + 1, job->event);
}

/* The entry is on the top. */
static void fire_one(lua_State *L, const fire_job *job) {
  if (!budget_allows(scene_of(L))) return;
  lua_getfield(L, -1, "suspended");
  lua_getfield(L, -2, "call");
  if (lua_toboolean(L, -2) || lua_isnil(L, -1)) {
    lua_pop(L, 2);
    return;
  }
  for (int i = 0; i < job->count; i++) {
    if (job->arguments[i].field) {
      epoch_push_current(L, job->arguments[i].field);
    } else if (job->arguments[i].text) {
      lua_pushstring(L, job->arguments[i].text);
    } else if (job->arguments[i].whole) {
      lua_pushinteger(L, (lua_Integer)job->arguments[i].number);
    } else {
      lua_pushnumber(L, job->arguments[i].number);
    }
  }
  bool fine = scene_call(scene_of(L), job->count, 0);
  lua_pop(L, 1);
  if (!fine) suspend(L, job);
}

static int fire(lua_State *L) {
  const fire_job *job = lua_touserdata(L, 1);
  luaL_checkstack(L, 16, NULL);
  push_list(L, job->event);
  lua_Integer count = (lua_Integer)lua_rawlen(L, -1);
  for (lua_Integer i = 1; i <= count; i++) {
    lua_rawgeti(L, -1, i);
    fire_one(L, job);
    lua_pop(L, 1);
  }
  return 0;
}

void event_fire(sinew_scene *scene, const char *event, const event_argument *arguments, int count) {
  fire_job job = {.event = event, .arguments = arguments, .count = count};
  if (!scene->loaded_once) return;
  if (!scene_protect(scene, fire, &job)) scene_show_problem(scene, event_index(event) + 1, event);
}
