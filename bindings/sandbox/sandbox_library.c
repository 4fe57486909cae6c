/* string, utf8 and os in a scene: a function whose time or memory depends on a number is charged for it first. */
#include "core/scene.h"

#include <string.h>

enum { BYTES_PER_STEP = 16 };

void sandbox_limit(lua_State *L, lua_Integer count, const char *what) {
  if (count > scene_of(L)->def.instruction_limit) luaL_error(L, "%s: %I is too many", what, (LUAI_UACINT)count);
  budget_charge(L, count);
}

/* Calls Lua's own function (upvalue 1) with unchanged arguments: it has no upvalues, so no real call is needed. */
static int forward(lua_State *L) { return lua_tocfunction(L, lua_upvalueindex(1))(L); }

static int string_rep(lua_State *L) {
  size_t size, separator;
  luaL_checklstring(L, 1, &size);
  luaL_optlstring(L, 3, "", &separator);
  lua_Integer count = luaL_checkinteger(L, 2);
  double bytes = (double)count * (double)(size + separator);
  if (bytes > 8.0 * 1024 * 1024)
    return luaL_error(L, "string.rep: the result would have %f bytes, and 8 MiB is the limit", bytes);
  if (count > 0) {
    budget_charge(L, count); /* even for an empty text, because Lua counts to it */
    budget_charge(L, 1 + (int64_t)bytes / BYTES_PER_STEP);
  }
  return forward(L);
}

/* A function that reads a whole string is charged by its length. */
static int string_walk(lua_State *L) {
  size_t size = 0;
  if (lua_type(L, 1) == LUA_TSTRING) lua_tolstring(L, 1, &size);
  budget_charge(L, (int64_t)size / BYTES_PER_STEP);
  return forward(L);
}

/* Lua's own shows addresses for %s and %p. */
static int string_format(lua_State *L) {
  size_t size;
  const char *at = luaL_checklstring(L, 1, &size), *end = at + size;
  budget_charge(L, (int64_t)size / BYTES_PER_STEP);
  for (int argument = 1; at < end;) {
    if (*at++ != '%') continue;
    at += strspn(at, "-+ #0123456789.");
    if (*at == 'p') return luaL_error(L, "string.format: %%p is an address, which differs from run to run; use %%s");
    if (*at++ == '%') continue;
    argument++;
    if (at[-1] != 's' || argument > lua_gettop(L)) continue;
    sandbox_push_text(L, argument);
    lua_replace(L, argument);
  }
  return forward(L);
}

/* A few bytes can produce many values, each of which is copied wherever they are passed as "...". */
enum { VALUES = 65536 };

static int string_byte(lua_State *L) {
  size_t size;
  luaL_checklstring(L, 1, &size);
  lua_Integer first = luaL_optinteger(L, 2, 1), last = luaL_optinteger(L, 3, first);
  if (size > VALUES && (last < 0 || first < 0 || last - first >= VALUES)) {
    return luaL_error(L, "string.byte: more than %d values at once", VALUES);
  }
  budget_charge(L, (int64_t)(size < VALUES ? size : VALUES) / BYTES_PER_STEP);
  return forward(L);
}

/* It returns as many values as characters. */
static int utf8_codepoint(lua_State *L) {
  size_t size;
  luaL_checklstring(L, 1, &size);
  if (size > VALUES && lua_gettop(L) > 2) return luaL_error(L, "utf8.codepoint: more than %d values at once", VALUES);
  return string_walk(L);
}

/* string.pack("c1000000000", "") asks for memory by a number in its format. */
static int string_pack(lua_State *L) {
  const char *format = luaL_checkstring(L, 1);
  for (int digits = 0; *format; format++) {
    digits = *format >= '0' && *format <= '9' ? digits + 1 : 0;
    if (digits > 6) return luaL_error(L, "string.pack: a size in the format is too large");
  }
  return string_walk(L);
}

void sandbox_wrap(lua_State *L, const luaL_Reg *functions) {
  for (; functions->name; functions++) {
    lua_getfield(L, -1, functions->name);
    lua_pushcclosure(L, functions->func, 1);
    lua_setfield(L, -2, functions->name);
  }
}

/* A new table with the fields of Lua's own library. */
void sandbox_copy(lua_State *L, const char *name) {
  lua_newtable(L);
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_getfield(L, -1, name);
  lua_remove(L, -2);
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -5);
  }
  lua_pop(L, 1);
}

void sandbox_string(lua_State *L) {
  static const luaL_Reg own[] = {{"find", sandbox_find}, {"match", sandbox_match}, {"gmatch", sandbox_gmatch},
                                 {"gsub", sandbox_gsub}, {"dump", NULL},           {NULL, NULL}};
  static const luaL_Reg wrapped[] = {{"rep", string_rep},     {"upper", string_walk},
                                     {"lower", string_walk},  {"reverse", string_walk},
                                     {"byte", string_byte},   {"format", string_format},
                                     {"pack", string_pack},   {"packsize", string_pack},
                                     {"unpack", string_pack}, {NULL, NULL}};
  sandbox_copy(L, LUA_STRLIBNAME);
  sandbox_wrap(L, wrapped);
  for (const luaL_Reg *f = own; f->name; f++) {
    if (f->func) {
      lua_pushcfunction(L, f->func);
    } else {
      lua_pushnil(L);
    }
    lua_setfield(L, -2, f->name);
  }
}

void sandbox_utf8(lua_State *L) {
  static const luaL_Reg wrapped[] = {
      {"len", string_walk}, {"codepoint", utf8_codepoint}, {"offset", string_walk}, {NULL, NULL}};
  sandbox_copy(L, LUA_UTF8LIBNAME);
  sandbox_wrap(L, wrapped);
}

/* Reading a number scans all of its text, however long. */
void sandbox_numbers(lua_State *L) {
  static const luaL_Reg wrapped[] = {{"tonumber", string_walk}, {NULL, NULL}};
  sandbox_wrap(L, wrapped);
}
