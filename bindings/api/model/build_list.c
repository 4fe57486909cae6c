#include "api/model/build_table.h"

#include <math.h>
#include <string.h>

enum { CANDIDATES = 512, LONGEST = 1 << 25, COST = 4 };

void *build_keep(build_reader *r, size_t count, size_t size) {
  size_t bytes = count * size;
  void *memory = lua_newuserdatauv(r->L, bytes ? bytes : 1, 0);
  memset(memory, 0, bytes);
  lua_rawseti(r->L, r->kept, (lua_Integer)lua_rawlen(r->L, r->kept) + 1);
  return memory;
}

const char *build_keep_text(build_reader *r, int index, const char *path) {
  size_t size;
  const char *text = lua_tolstring(r->L, index, &size);
  if (strlen(text) != size) luaL_error(r->L, "%s: a name with a zero byte in it", path);
  lua_pushvalue(r->L, index);
  lua_rawseti(r->L, r->kept, (lua_Integer)lua_rawlen(r->L, r->kept) + 1);
  return text;
}

static int unknown_joint(const build_reader *r, const char *name, const char *path, const char *where) {
  const char *names[CANDIDATES];
  int count = r->def.joint_count < CANDIDATES ? r->def.joint_count : CANDIDATES;
  for (int i = 0; i < count; i++) names[i] = r->def.joints[i].name;
  lua_pushfstring(r->L, "%s: no joint", path);
  return api_unknown(r->L, lua_tostring(r->L, -1), name, where, names, count);
}

int build_joint(const build_reader *r, int index, const char *path, const char *where) {
  lua_State *L = r->L;
  lua_Integer number = lua_isinteger(L, index) ? lua_tointeger(L, index) : 0;
  if (lua_type(L, index) == LUA_TSTRING) {
    lua_pushvalue(L, index);
    lua_rawget(L, r->names);
    number = lua_tointeger(L, -1);
    lua_pop(L, 1);
    if (!number) return unknown_joint(r, lua_tostring(L, index), path, where);
  }
  if (number >= 1 && number <= r->def.joint_count) return (int)number - 1;
  return luaL_error(L, "%s: a joint is its name, or its number from 1 to %d (got %s)", path, r->def.joint_count,
                    luaL_tolstring(L, index, NULL));
}

/* ---- lists ---- */

static lua_Integer list_length(const build_reader *r, int list, const char *path) {
  lua_Integer length = lua_istable(r->L, list) ? (lua_Integer)lua_rawlen(r->L, list) : -1;
  if (length < 0) luaL_error(r->L, "%s must be a list (got %s)", path, luaL_typename(r->L, list));
  if (length > LONGEST) luaL_error(r->L, "%s: %d are too many", path, (int)length);
  budget_charge(r->L, length * COST);
  return length;
}

static bool is_flat(lua_State *L, int list) {
  bool flat = lua_rawgeti(L, list, 1) == LUA_TNUMBER;
  lua_pop(L, 1);
  return flat;
}

static double number_at(const build_reader *r, int list, lua_Integer i, const char *path) {
  bool number = lua_rawgeti(r->L, list, i) == LUA_TNUMBER;
  double value = lua_tonumber(r->L, -1);
  if (!number || !isfinite(value) || fabs(value) > 1e30)
    luaL_error(r->L, "%s[%d] must be a finite number (got %s)", path, (int)i, luaL_tolstring(r->L, -1, NULL));
  lua_pop(r->L, 1);
  return value;
}

static const int widths[] = {2, 3, 4, 4, 4};

static bool read_item(lua_State *L, build_kind kind, float *out) {
  if (kind == BUILD_QUATERNIONS) return rotation_read(L, -1, out);
  if (kind != BUILD_COLORS) return vector_read(L, -1, out, widths[kind]);
  out[3] = 1;
  return vector_read(L, -1, out, 4) || (out[3] = 1, vector_read(L, -1, out, 3));
}

static void read_items(const build_reader *r, int list, const char *path, build_kind kind, float *out, int count) {
  static const char *const whats[] = {"{ u, v }", "{ x, y, z }", "{ red, green, blue }", "a quaternion { x, y, z, w }",
                                      "{ x, y, z, w }"};
  for (int i = 0; i < count; i++) {
    lua_rawgeti(r->L, list, i + 1);
    if (!read_item(r->L, kind, out + (size_t)i * (size_t)widths[kind]))
      luaL_error(r->L, "%s[%d] must be %s, finite numbers (got %s)", path, i + 1, whats[kind],
                 luaL_tolstring(r->L, -1, NULL));
    lua_pop(r->L, 1);
  }
}

const float *build_floats(build_reader *r, int list, const char *path, build_kind kind, int *count) {
  lua_Integer length = list_length(r, list, path);
  int width = widths[kind];
  bool flat = is_flat(r->L, list);
  if (flat && length % width) luaL_error(r->L, "%s: %d numbers cannot be %d for each", path, (int)length, width);
  *count = (int)(flat ? length / width : length);
  float *out = build_keep(r, (size_t)*count * (size_t)width, sizeof *out);
  if (!flat) read_items(r, list, path, kind, out, *count);
  for (lua_Integer i = 1; flat && i <= length; i++) out[i - 1] = (float)number_at(r, list, i, path);
  return out;
}

const double *build_times(build_reader *r, int list, const char *path, int *count) {
  lua_Integer length = list_length(r, list, path);
  double *out = build_keep(r, (size_t)length, sizeof *out);
  *count = (int)length;
  for (lua_Integer i = 1; i <= length; i++) out[i - 1] = number_at(r, list, i, path);
  return out;
}

/* The vertex on the top. */
static uint32_t pop_index(const build_reader *r, lua_Integer i, const char *path) {
  int whole;
  lua_Integer vertex = lua_tointegerx(r->L, -1, &whole);
  if (!whole || vertex < 1 || vertex > LONGEST)
    luaL_error(r->L, "%s[%d] must be the number of a vertex, from 1 on (got %s)", path, (int)i,
               luaL_tolstring(r->L, -1, NULL));
  lua_pop(r->L, 1);
  return (uint32_t)vertex - 1;
}

static void read_triangle(const build_reader *r, lua_Integer i, const char *path, uint32_t *out) {
  if (!lua_istable(r->L, -1) || lua_rawlen(r->L, -1) != 3)
    luaL_error(r->L, "%s[%d] must be a triangle, the numbers of three vertices", path, (int)i);
  for (int k = 0; k < 3; k++) {
    lua_rawgeti(r->L, -1, k + 1);
    out[k] = pop_index(r, i, path);
  }
}

const uint32_t *build_indices(build_reader *r, int list, const char *path, int *count) {
  lua_Integer length = list_length(r, list, path);
  bool flat = is_flat(r->L, list);
  *count = (int)(flat ? length : length * 3);
  uint32_t *out = build_keep(r, (size_t)*count, sizeof *out);
  for (lua_Integer i = 1; i <= length; i++) {
    lua_rawgeti(r->L, list, i);
    if (flat) {
      out[i - 1] = pop_index(r, i, path);
    } else {
      read_triangle(r, i, path, out + (i - 1) * 3);
      lua_pop(r->L, 1);
    }
  }
  return out;
}
