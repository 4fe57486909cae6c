#include "api/graph/item_lines.h"

#include "lua/constructors.h"

#include <stdlib.h>
#include <string.h>

/* Pushes the constructors of a file, which are read at the first call; NULL and nil if there is no text. */
static constructors *push_constructors(lua_State *L, const char *chunk) {
  int tables, items, top = lua_gettop(L);
  size_t size;
  epoch_push(L, "constructors");
  if (lua_getfield(L, -1, chunk) != LUA_TUSERDATA) {
    epoch_push(L, "texts");
    lua_getfield(L, -1, chunk);
    const char *text = lua_tolstring(L, -1, &size);
    if (!text) return lua_settop(L, top), lua_pushnil(L), NULL;
    constructors_count(text, size, &tables, &items);
    budget_charge(L, (int64_t)size);
    size_t heads = (size_t)tables * sizeof(constructor), rest = (size_t)items * sizeof(constructor_item);
    constructors *all = lua_newuserdatauv(L, sizeof *all + heads + rest, 1);
    *all = (constructors){(constructor *)(all + 1), (constructor_item *)(void *)((char *)(all + 1) + heads), 0, 0};
    constructors_read(text, size, all);
    lua_pushvalue(L, -2);
    lua_setiuservalue(L, -2, 1); /* the text that it points into */
    lua_pushvalue(L, -1);
    lua_setfield(L, top + 1, chunk);
  }
  lua_replace(L, top + 1);
  lua_settop(L, top + 1);
  return lua_touserdata(L, -1);
}

/* ---- finding the constructor of a table ---- */

static int count_names(lua_State *L, int index) {
  int count = 0;
  lua_pushnil(L);
  while (lua_next(L, index)) {
    count += lua_type(L, -2) == LUA_TSTRING;
    lua_pop(L, 1);
  }
  return count;
}

static int count_shared(lua_State *L, int index, const constructors *all, int table) {
  int count = 0;
  for (int i = all->tables[table].first; i < all->item_count; i++) {
    const constructor_item *item = all->items + i;
    if (item->table != table || !item->key.begin) continue;
    lua_pushlstring(L, item->key.begin, item->key.size);
    count += lua_rawget(L, index) != LUA_TNIL;
    lua_pop(L, 1);
  }
  return count;
}

static int fit(lua_State *L, int index, const constructors *all, int table, int depth);

/* Compares the tables written inside: two machines on one line differ in the names of their states. */
static int fit_inside(lua_State *L, int index, const constructors *all, int table, int depth) {
  int sum = 0, top = lua_gettop(L);
  for (int i = all->tables[table].first; i < all->item_count; i++) {
    const constructor_item *item = all->items + i;
    if (item->table != table || item->value < 0 || (!item->position && !item->key.begin)) continue;
    if (item->position) lua_pushinteger(L, item->position);
    else lua_pushlstring(L, item->key.begin, item->key.size);
    int how = lua_rawget(L, index) == LUA_TTABLE ? fit(L, top + 1, all, item->value, depth + 1) : 0;
    sum += how > 0 ? how : 0;
    lua_settop(L, top);
  }
  return sum;
}

/* How well the table at the index matches a constructor; −1: not at all. */
static int fit(lua_State *L, int index, const constructors *all, int table, int depth) {
  enum { DEPTH = 3 };
  const constructor *c = all->tables + table;
  int length = (int)lua_rawlen(L, index), shared = count_shared(L, index, all, table);
  bool fits = c->open ? length >= c->positions - 1 : length == c->positions && shared == count_names(L, index);
  if (!fits) return -1;
  budget_charge(L, length + shared);
  return shared + (length == c->positions) + (depth < DEPTH ? fit_inside(L, index, all, table, depth) : 0);
}

static const char *end_of(const constructor *c) { return c->text.begin + c->text.size; }

/* If several fit equally, successive calls take successive ones: calls happen in the order in which braces close. */
static int find(lua_State *L, int index, constructors *all, int line) {
  int found = -1, best = -1;
  for (int i = 0; i < all->table_count; i++) {
    const constructor *c = all->tables + i, *other = all->tables + (found < 0 ? i : found);
    if (c->line != line && c->call != line && c->prefix != line) continue;
    int how = fit(L, index, all, i, 0);
    bool sooner = how == best && (c->uses < other->uses || (c->uses == other->uses && end_of(c) < end_of(other)));
    if (how < 0 || (how <= best && !sooner)) continue;
    found = i;
    best = how;
  }
  if (found >= 0) all->tables[found].uses++;
  return found;
}

/* ---- lines ---- */

static void push_line(lua_State *L, const char *file, int line) { lua_pushfstring(L, "%s:%d", file, line); }

static void push_lines(lua_State *L, const constructors *all, int table, const char *file, bool deeper) {
  luaL_checkstack(L, 6, NULL);
  lua_newtable(L);
  for (int i = all->tables[table].first; i < all->item_count; i++) {
    const constructor_item *item = all->items + i;
    if (item->table != table || (!item->position && !item->key.begin)) continue;
    int value = item->name.begin ? constructors_assigned(all, item->name, item->line) : item->value;
    if (item->position) lua_pushinteger(L, item->position);
    else lua_pushlstring(L, item->key.begin, item->key.size);
    if (deeper && item->key.begin && value >= 0) push_lines(L, all, value, file, false);
    else push_line(L, file, item->line);
    lua_rawset(L, -3);
  }
}

void item_lines_push(lua_State *L, int index) {
  char line[DECLARED_LINE];
  int top = lua_gettop(L);
  scene_line(L, line);
  constructors *all = push_constructors(L, scene_line_chunk(L));
  char *colon = strrchr(line, ':');
  int table = all && colon ? find(L, index, all, atoi(colon + 1)) : -1;
  if (table >= 0) {
    *colon = 0;
    push_lines(L, all, table, line, true);
  } else {
    lua_pushnil(L);
  }
  lua_replace(L, top + 1);
  lua_settop(L, top + 1);
}
