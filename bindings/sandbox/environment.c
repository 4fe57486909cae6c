/* The environment of a scene: fresh for every load, so that nothing of an old load remains. */
#include "core/scene.h"

#include <string.h>

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
