/* The environment of a scene: fresh for every load, so that nothing of an old load remains. */
#include "core/scene.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static const char *const basics[] = {"assert", "error",  "ipairs", "next",     "rawequal", "rawget",
                                     "rawlen", "rawset", "select", "tonumber", "type",     "_VERSION"};
static const char *const absent[] = {"io", "debug", "package", "dofile", "loadfile", "loadstring", "warn", "module"};

/* Names that Lua programs expect but scenes lack explain themselves, instead of "a nil value". */
static int missing(lua_State *L) {
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
    if (strcmp(absent[i], name) != 0) continue;
    return luaL_error(L,
                      "'%s' is not available to scenes, which cannot access files or processes themselves; sinew run "
                      "--trust opens all of Lua",
                      name);
  }
  return 0;
}

static void lock(lua_State *L) {
  lua_newtable(L);
  lua_pushcfunction(L, missing);
  lua_setfield(L, -2, "__index");
  lua_pushliteral(L, "locked");
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
}

static void push_library(lua_State *L, const char *name) {
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_getfield(L, -1, name);
  lua_remove(L, -2);
}

static void copy_fields(lua_State *L, int from, int to) {
  from = lua_absindex(L, from);
  to = lua_absindex(L, to);
  lua_pushnil(L);
  while (lua_next(L, from)) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, to);
  }
}

static void copy_some(lua_State *L, const char *library, const char *const *names, size_t count) {
  push_library(L, library);
  for (size_t i = 0; i < count; i++) {
    lua_getfield(L, -1, names[i]);
    lua_setfield(L, -3, names[i]);
  }
  lua_pop(L, 1);
}

static void set_libraries(lua_State *L) {
  static const char *const clock[] = {"clock", "date", "difftime", "time"};
  sandbox_string(L);
  lua_setfield(L, -2, LUA_STRLIBNAME);
  sandbox_table(L);
  lua_setfield(L, -2, LUA_TABLIBNAME);
  sandbox_coroutine(L);
  lua_setfield(L, -2, LUA_COLIBNAME);
  lua_newtable(L);
  copy_some(L, LUA_OSLIBNAME, clock, sizeof clock / sizeof *clock);
  sandbox_os(L);
  lua_setfield(L, -2, LUA_OSLIBNAME);
  sandbox_utf8(L);
  lua_setfield(L, -2, LUA_UTF8LIBNAME);
}

void environment_push(lua_State *L) {
  lua_newtable(L);
  if (scene_of(L)->def.trust) {
    lua_pushglobaltable(L);
    copy_fields(L, -1, -2);
    lua_pop(L, 1);
  } else {
    copy_some(L, LUA_GNAME, basics, sizeof basics / sizeof *basics);
    sandbox_base(L);
    sandbox_numbers(L);
    set_libraries(L);
  }
  sandbox_math(L);
  lua_setfield(L, -2, LUA_MATHLIBNAME);
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, LUA_GNAME);
  if (!scene_of(L)->def.trust) lock(L);
}

/* Methods of strings: ("x"):rep is the limited one, and scripts cannot reach this table. */
static void set_string_methods(lua_State *L) {
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  sandbox_string(L);
  lua_setfield(L, -2, "__index");
  lua_pushliteral(L, "string");
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 2);
}

/* Even with all of Lua open, because the budget must know which coroutine runs. */
static void replace_coroutines(lua_State *L) {
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  sandbox_coroutine(L);
  lua_pushvalue(L, -1);
  lua_setglobal(L, LUA_COLIBNAME);
  lua_setfield(L, -2, LUA_COLIBNAME);
  lua_pop(L, 1);
}

void environment_open(lua_State *L) {
  static const luaL_Reg safe[] = {{LUA_GNAME, luaopen_base},       {LUA_STRLIBNAME, luaopen_string},
                                  {LUA_TABLIBNAME, luaopen_table}, {LUA_MATHLIBNAME, luaopen_math},
                                  {LUA_UTF8LIBNAME, luaopen_utf8}, {LUA_COLIBNAME, luaopen_coroutine},
                                  {LUA_OSLIBNAME, luaopen_os},     {NULL, NULL}};
  if (scene_of(L)->def.trust) luaL_openlibs(L);
  for (const luaL_Reg *library = safe; library->name; library++) {
    luaL_requiref(L, library->name, library->func, 1);
    lua_pop(L, 1);
  }
  if (scene_of(L)->def.trust) replace_coroutines(L);
  else set_string_methods(L);
}

/* ---- Input from outside that scripts read (files, clocks) ---- */

bool outside_recall_text(const sinew_scene *scene, const char *kind, const char *name, sinew_answer *answer,
                         sinew_error *error) {
  if (!sinew_host_recall(scene->host, kind, name, SINEW_RECALL_LAST, answer)) return false;
  if (answer->refused) declarations_fail(error, "%.*s", (int)answer->size, (const char *)answer->data);
  return true;
}

const char *outside_source(const sinew_scene *scene) {
  return sinew_host_has_bundle(scene->host) ? "bundle (sinew bundle --frames N runs a scene for longer)" : "recording";
}

void outside_note_text(const sinew_scene *scene, const char *kind, const char *name, const char *text, size_t size) {
  sinew_host_note(scene->host, kind, name, &(sinew_answer){.data = text, .size = size});
}

void outside_note_refusal(const sinew_scene *scene, const char *kind, const char *name, const sinew_error *error) {
  sinew_host_note(scene->host, kind, name,
                  &(sinew_answer){.data = error->message, .size = strlen(error->message), .refused = true});
}

/* ---- clocks ---- */

/* Pushes the clock's number in base 16, which restores each bit. */
static void push_as_it_was(lua_State *L, const char *clock, double now) {
  const sinew_scene *scene = scene_of(L);
  sinew_answer answer;
  char text[64];
  if (sinew_host_recall(scene->host, "clock", clock, SINEW_RECALL_LAST, &answer)) {
    lua_pushlstring(L, answer.data, answer.size);
    if (!lua_stringtonumber(L, lua_tostring(L, -1))) lua_pushnumber(L, 0);
    lua_remove(L, -2);
    return;
  }
  int size = snprintf(text, sizeof text, "%a", now);
  outside_note_text(scene, "clock", clock, text, (size_t)size);
  lua_pushnumber(L, now);
}

static void push_time(lua_State *L) {
  push_as_it_was(L, "time", (double)time(NULL));
  lua_Integer whole = 0;
  lua_numbertointeger(lua_tonumber(L, -1), &whole); /* a recording may hold anything */
  lua_pop(L, 1);
  lua_pushinteger(L, whole);
}

static int os_clock(lua_State *L) {
  push_as_it_was(L, "clock", (double)clock() / CLOCKS_PER_SEC);
  return 1;
}

/* Lua's own function is upvalue 1. With an explicit time the result does not depend on the clock. */
static int forward(lua_State *L) { return lua_tocfunction(L, lua_upvalueindex(1))(L); }

static int os_time(lua_State *L) {
  if (!lua_isnoneornil(L, 1)) return forward(L);
  push_time(L);
  return 1;
}

static int note_date(lua_State *L, const char *format) {
  size_t size;
  forward(L);
  const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &size) : NULL;
  if (text) outside_note_text(scene_of(L), "date", format, text, size);
  return 1;
}

/* os.date without a time uses os.time, in this machine's time zone. */
static int os_date(lua_State *L) {
  sinew_answer answer;
  const char *format = luaL_optstring(L, 1, "%c");
  if (strlen(format) > 1000) return luaL_error(L, "os.date: the format is too long");
  budget_charge(L, 10000);
  if (!lua_isnoneornil(L, 2)) return forward(L);
  lua_settop(L, 1);
  if (lua_isnil(L, 1)) lua_pushstring(L, format), lua_replace(L, 1);
  push_time(L);
  if (!sinew_host_recall(scene_of(L)->host, "date", format, SINEW_RECALL_LAST, &answer)) return note_date(L, format);
  lua_pushlstring(L, answer.data, answer.size);
  return 1;
}

void sandbox_os(lua_State *L) {
  static const luaL_Reg wrapped[] = {{"clock", os_clock}, {"time", os_time}, {"date", os_date}, {NULL, NULL}};
  sandbox_wrap(L, wrapped);
}
