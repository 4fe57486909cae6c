/* Vectors and quaternions are values: x, y, z, w or numbers read their parts, and arithmetic works on them. They cannot
 * be written into, so that `actor.position.x = 1`, which could have no effect, is an error. */
#include "core/api.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct vector {
  int count;
  float v[4];
} vector;

static const char letters[] = "xyzw";

static vector *check(lua_State *L, int index) { return api_check(L, index, "vector"); }

void vector_push(lua_State *L, const float *values, int count) {
  vector *v = lua_newuserdatauv(L, sizeof *v, 0);
  *v = (vector){.count = count};
  memcpy(v->v, values, (size_t)count * sizeof *values);
  luaL_setmetatable(L, "vector");
}

void vector_push_field(lua_State *L, const char *name, const float *values, int count) {
  const vector *kept = api_push_part(L, name) ? lua_touserdata(L, -1) : NULL;
  if (kept && memcmp(kept->v, values, (size_t)count * sizeof *values) == 0) return;
  if (kept) lua_pop(L, 1);
  vector_push(L, values, count);
  api_keep_part(L, name);
}

static bool read_table(lua_State *L, int index, float *values, int count) {
  for (int i = 0; i < count; i++) {
    if (lua_rawgeti(L, index, i + 1) == LUA_TNIL) {
      lua_pop(L, 1);
      lua_pushlstring(L, letters + i, 1);
      lua_rawget(L, index);
    }
    bool number = lua_type(L, -1) == LUA_TNUMBER;
    values[i] = (float)lua_tonumber(L, -1);
    lua_pop(L, 1);
    if (!number || !isfinite(values[i])) return false;
  }
  return true;
}

/* A vector may hold what is not finite: arithmetic makes it. */
static bool read_any(lua_State *L, int index, float *values, int count) {
  index = lua_absindex(L, index);
  const vector *v = api_test(L, index, "vector");
  if (v && v->count == count) memcpy(values, v->v, (size_t)count * sizeof *values);
  if (v) return v->count == count;
  return lua_istable(L, index) && read_table(L, index, values, count);
}

bool vector_read(lua_State *L, int index, float *values, int count) {
  bool finite = read_any(L, index, values, count);
  for (int i = 0; finite && i < count; i++) finite = isfinite(values[i]);
  return finite;
}

bool rotation_read(lua_State *L, int index, float values[4]) {
  float length = 0;
  if (lua_type(L, index) == LUA_TNUMBER) {
    sinew_quat q = sinew_quat_from_axis_angle((sinew_vec3){0, 1, 0}, (float)lua_tonumber(L, index));
    memcpy(values, &q, sizeof q);
    return isfinite((float)lua_tonumber(L, index));
  }
  if (!vector_read(L, index, values, 4)) return false;
  for (int i = 0; i < 4; i++) length += values[i] * values[i];
  return length > 1e-12f && isfinite(length);
}

static int component(lua_State *L, const vector *v) {
  if (lua_isinteger(L, 2)) {
    lua_Integer i = lua_tointeger(L, 2);
    return i >= 1 && i <= v->count ? (int)i - 1 : -1;
  }
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  const char *letter = name[0] && !name[1] ? strchr(letters, name[0]) : NULL;
  return letter && letter - letters < v->count ? (int)(letter - letters) : -1;
}

static int vector_index(lua_State *L) {
  const vector *v = check(L, 1);
  int i = component(L, v);
  if (i < 0 && lua_type(L, 2) == LUA_TSTRING) {
    return luaL_error(
        L, "a vector has no '%s'; it has x, y, z%s and 1 .. %d, and sinew.vec has length, normalize and more",
        lua_tostring(L, 2), v->count == 4 ? ", w" : "", v->count);
  }
  if (i < 0) return 0;
  lua_pushnumber(L, (lua_Number)v->v[i]);
  return 1;
}

static int vector_newindex(lua_State *L) {
  return luaL_error(L, "a vector is a value and cannot be changed in place: assign a whole one, such as "
                       "actor.position = {x, y, z}");
}

static int vector_length(lua_State *L) {
  lua_pushinteger(L, check(L, 1)->count);
  return 1;
}

static void operands(lua_State *L, float a[3], float b[3]) {
  if (!read_any(L, 1, a, 3) || !read_any(L, 2, b, 3)) luaL_error(L, "only vectors of three can be added");
}

static int vector_add(lua_State *L) {
  float a[3], b[3];
  operands(L, a, b);
  for (int i = 0; i < 3; i++) a[i] += b[i];
  vector_push(L, a, 3);
  return 1;
}

static int vector_sub(lua_State *L) {
  float a[3], b[3];
  operands(L, a, b);
  for (int i = 0; i < 3; i++) a[i] -= b[i];
  vector_push(L, a, 3);
  return 1;
}

static int vector_mul(lua_State *L) {
  float a[3];
  int number = lua_type(L, 1) == LUA_TNUMBER ? 1 : 2;
  if (lua_type(L, number) != LUA_TNUMBER || !read_any(L, 3 - number, a, 3)) {
    return luaL_error(L, "a vector of three can be multiplied by a number");
  }
  for (int i = 0; i < 3; i++) a[i] *= (float)lua_tonumber(L, number);
  vector_push(L, a, 3);
  return 1;
}

static int vector_unm(lua_State *L) {
  float a[3];
  if (!read_any(L, 1, a, 3)) return luaL_error(L, "only a vector of three has an opposite");
  for (int i = 0; i < 3; i++) a[i] = -a[i];
  vector_push(L, a, 3);
  return 1;
}

static int vector_eq(lua_State *L) {
  const vector *a = api_test(L, 1, "vector"), *b = api_test(L, 2, "vector");
  lua_pushboolean(L, a && b && a->count == b->count && memcmp(a->v, b->v, (size_t)a->count * sizeof(float)) == 0);
  return 1;
}

static int vector_tostring(lua_State *L) {
  const vector *v = check(L, 1);
  char text[96];
  int used = snprintf(text, sizeof text, "{");
  for (int i = 0; i < v->count; i++) {
    used += snprintf(text + used, sizeof text - (size_t)used, "%s%g", i ? ", " : "", (double)v->v[i]);
  }
  snprintf(text + used, sizeof text - (size_t)used, "}");
  lua_pushstring(L, text);
  return 1;
}

void vector_open(lua_State *L) {
  static const luaL_Reg functions[] = {{"__index", vector_index},       {"__newindex", vector_newindex},
                                       {"__len", vector_length},        {"__add", vector_add},
                                       {"__sub", vector_sub},           {"__mul", vector_mul},
                                       {"__unm", vector_unm},           {"__eq", vector_eq},
                                       {"__tostring", vector_tostring}, {NULL, NULL}};
  luaL_newmetatable(L, "vector");
  luaL_setfuncs(L, functions, 0);
  lua_pushliteral(L, "vector");
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
}

void transform_read(lua_State *L, int index, sinew_transform *transform) {
  vector_option(L, index, "position", &transform->translation.x, 3);
  vector_option(L, index, "scale", &transform->scale.x, 3);
  if (!option_push(L, index, "rotation")) return;
  float r[4] = {0, 0, 0, 1};
  rotation_read(L, -1, r);
  transform->rotation = sinew_quat_normalize((sinew_quat){r[0], r[1], r[2], r[3]});
  lua_pop(L, 1);
}

void transform_push(lua_State *L, const sinew_transform *transform) {
  lua_createtable(L, 0, 3);
  vector_push(L, &transform->translation.x, 3);
  lua_setfield(L, -2, "position");
  vector_push(L, &transform->rotation.x, 4);
  lua_setfield(L, -2, "rotation");
  vector_push(L, &transform->scale.x, 3);
  lua_setfield(L, -2, "scale");
}
