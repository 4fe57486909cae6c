#include "sandbox/sort.h"

#include "core/scene.h"

enum { BYTES_PER_STEP = 64 };

void sort_charge(lua_State *L) {
  bool is_text = lua_type(L, -1) == LUA_TSTRING && lua_type(L, -2) == LUA_TSTRING;
  lua_Unsigned a = is_text ? lua_rawlen(L, -1) : 0, b = is_text ? lua_rawlen(L, -2) : 0;
  budget_charge(L, 1 + (int64_t)(a < b ? a : b) / BYTES_PER_STEP);
}

typedef struct sorting {
  int from, to; /* plain tables on the stack */
  sort_order *comes_before;
} sorting;

/* The later item goes first only if it must: equal ones keep their order. */
static bool is_before(lua_State *L, const sorting *s, lua_Integer later, lua_Integer earlier) {
  lua_rawgeti(L, s->from, later);
  lua_rawgeti(L, s->from, earlier);
  bool before = s->comes_before(L);
  lua_pop(L, 2);
  return before;
}

/* Merges two adjacent runs, [low, middle) and [middle, high). */
static void merge(lua_State *L, const sorting *s, lua_Integer low, lua_Integer middle, lua_Integer high) {
  lua_Integer left = low, right = middle;
  for (lua_Integer i = low; i < high; i++) {
    bool takes_right = left == middle || (right < high && is_before(L, s, right, left));
    lua_rawgeti(L, s->from, takes_right ? right++ : left++);
    lua_rawseti(L, s->to, i);
  }
}

static lua_Integer least(lua_Integer a, lua_Integer b) { return a < b ? a : b; }

void sort_list(lua_State *L, int list, lua_Integer count, sort_order *comes_before) {
  luaL_checkstack(L, 8, NULL);
  lua_createtable(L, count < 65536 ? (int)count : 0, 0);
  sorting s = {.from = list, .to = lua_gettop(L), .comes_before = comes_before};
  for (lua_Integer width = 1; width < count; width *= 2) {
    for (lua_Integer low = 1; low <= count; low += 2 * width)
      merge(L, &s, low, least(low + width, count + 1), least(low + 2 * width, count + 1));
    int from = s.from;
    s.from = s.to;
    s.to = from;
  }
  for (lua_Integer i = 1; s.from != list && i <= count; i++) {
    lua_rawgeti(L, s.from, i);
    lua_rawseti(L, list, i);
  }
  lua_pop(L, 1);
}
