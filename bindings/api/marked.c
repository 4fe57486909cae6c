/* Tables that functions of sinew return: copies of their arguments, marked with a kind and a line. */
#include "api/graph/item_lines.h"

static const char line_key, items_key;

int marked_push(lua_State *L, const void *kind_key, int kind) {
  char line[DECLARED_LINE];
  scene_line(L, line);
  lua_newtable(L);
  lua_pushnil(L);
  while (lua_next(L, 1)) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
  lua_pushinteger(L, kind);
  lua_rawsetp(L, -2, kind_key);
  lua_pushstring(L, line);
  lua_rawsetp(L, -2, &line_key);
  item_lines_push(L, 1);
  lua_rawsetp(L, -2, &items_key);
  return 1;
}

bool marked_is(lua_State *L, int index, const void *kind_key) {
  if (!lua_istable(L, index)) return false;
  bool is = lua_rawgetp(L, index, kind_key) == LUA_TNUMBER;
  lua_pop(L, 1);
  return is;
}

const char *marked_line(lua_State *L, int index) {
  lua_rawgetp(L, index, &line_key);
  const char *line = lua_tostring(L, -1);
  lua_pop(L, 1);
  return line;
}

/* Replaces the key at the top by its value in the table; nil if there is no table. */
static void look_up(lua_State *L) {
  if (lua_istable(L, -2)) lua_rawget(L, -2);
  else lua_pop(L, 1), lua_pushnil(L);
  lua_remove(L, -2);
}

/* The lines live as long as the marked table. */
static const char *take_line(lua_State *L, int index) {
  const char *line = lua_tostring(L, -1);
  lua_pop(L, 1);
  return line ? line : marked_line(L, index);
}

const char *marked_item_line(lua_State *L, int index, int position) {
  lua_rawgetp(L, index, &items_key);
  lua_pushinteger(L, position);
  look_up(L);
  return take_line(L, index);
}

const char *marked_inner_line(lua_State *L, int index, const char *field, int position, const char *key) {
  lua_rawgetp(L, index, &items_key);
  lua_pushstring(L, field);
  look_up(L);
  if (key) lua_pushstring(L, key);
  else lua_pushinteger(L, position);
  look_up(L);
  return take_line(L, index);
}
