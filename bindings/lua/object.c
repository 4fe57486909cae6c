/* Our objects in Lua: full userdata, distinguished by their metatables. */
#include "core/api.h"

#include <string.h>

static const char objects_key;

void objects_open(lua_State *L) {
  lua_newtable(L); /* id → object, weak: a thing has a single object as long as a script holds it */
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "v");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &objects_key);
}

void *api_new(lua_State *L, const char *owner, size_t size, lua_Integer serial) {
  void *memory = lua_newuserdatauv(L, size, 2);
  memset(memory, 0, size);
  lua_pushinteger(L, serial);
  lua_setiuservalue(L, -2, 1);
  luaL_setmetatable(L, owner);
  return memory;
}

/* luaL_testudata looks the name up each time, which would dominate the time of a method call. */
static const void *metatable_of(lua_State *L, const char *owner) {
  known_type *known = scene_of(L)->known_types + ((uintptr_t)owner * 0x9E3779B1u >> 8) % KNOWN_TYPES;
  if (known->name == owner) return known->metatable;
  luaL_getmetatable(L, owner);
  const void *metatable = lua_topointer(L, -1);
  lua_pop(L, 1);
  if (metatable) *known = (known_type){owner, metatable};
  return metatable;
}

static void *find_object(lua_State *L, int index, const void *metatable) {
  void *object = lua_touserdata(L, index);
  if (!object || !lua_getmetatable(L, index)) return NULL;
  bool is = lua_topointer(L, -1) == metatable;
  lua_pop(L, 1);
  return is ? object : NULL;
}

void *api_test(lua_State *L, int index, const char *owner) { return find_object(L, index, metatable_of(L, owner)); }

bool api_is_self(lua_State *L, const api_member *member) { return find_object(L, 1, member->metatable); }

void *api_check(lua_State *L, int index, const char *owner) {
  const checked_self *self = &scene_of(L)->self;
  const void *metatable = metatable_of(L, owner);
  void *object = lua_touserdata(L, index);
  bool checked = index == 1 && object && object == self->object && metatable == self->metatable;
  if (!checked) object = find_object(L, index, metatable);
  return object ? object : luaL_checkudata(L, index, owner);
}

void api_push_objects(lua_State *L) { lua_rawgetp(L, LUA_REGISTRYINDEX, &objects_key); }

bool api_push_known(lua_State *L, lua_Integer key) {
  api_push_objects(L);
  bool known = lua_rawgeti(L, -1, key) == LUA_TUSERDATA;
  if (!known) lua_pop(L, 1);
  lua_remove(L, known ? -2 : -1);
  return known;
}

void api_remember(lua_State *L, lua_Integer key) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &objects_key);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, key);
  lua_pop(L, 1);
}

bool api_push_part(lua_State *L, const char *name) {
  int top = lua_gettop(L);
  bool kept = lua_getiuservalue(L, 1, 2) == LUA_TTABLE && lua_getfield(L, -1, name) != LUA_TNIL;
  if (kept) lua_remove(L, -2);
  else lua_settop(L, top);
  return kept;
}

void api_keep_part(lua_State *L, const char *name) {
  if (lua_getiuservalue(L, 1, 2) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, 1, 2);
  }
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}
