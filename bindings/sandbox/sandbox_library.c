/* string, utf8, os and math in a scene: a function whose time or memory depends on a number is charged for it first. */
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
static void copy_library(lua_State *L, const char *name) {
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
                                     {"byte", string_byte},   {"format", string_walk},
                                     {"pack", string_pack},   {"packsize", string_pack},
                                     {"unpack", string_pack}, {NULL, NULL}};
  copy_library(L, LUA_STRLIBNAME);
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
  copy_library(L, LUA_UTF8LIBNAME);
  sandbox_wrap(L, wrapped);
}

/* Reading a number scans all of its text, however long. */
void sandbox_numbers(lua_State *L) {
  static const luaL_Reg wrapped[] = {{"tonumber", string_walk}, {NULL, NULL}};
  sandbox_wrap(L, wrapped);
}

/* ---- random numbers: one sequence for each run, and another for loads, so that a save does not shift the first ----
 */

static uint64_t rotate(uint64_t x, int n) { return (x << n) | (x >> (64 - n)); }

/* xoshiro256**, Blackman and Vigna 2018. */
static uint64_t next_random(random_state *state) {
  uint64_t *s = state->s, result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate(s[3], 45);
  return result;
}

/* splitmix64, Steele, Lea and Flood 2014, spreads the seed. */
void random_seed(random_state *state, uint64_t seed) {
  for (int i = 0; i < 4; i++) {
    uint64_t z = (seed += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    state->s[i] = z ^ (z >> 31);
  }
}

static random_state *random_in_force(lua_State *L) {
  sinew_scene *scene = scene_of(L);
  return scene->loading ? &scene->load_random : &scene->random;
}

static lua_Unsigned below(random_state *state, lua_Unsigned range) {
  lua_Unsigned limit = UINT64_MAX - UINT64_MAX % range, value;
  do value = next_random(state);
  while (value >= limit);
  return value % range;
}

static int math_random(lua_State *L) {
  random_state *state = random_in_force(L);
  lua_Integer low = 1, high;
  int count = lua_gettop(L);
  if (count == 0) {
    lua_pushnumber(L, (lua_Number)(next_random(state) >> 11) * 0x1p-53);
    return 1;
  }
  if (count > 2) return luaL_error(L, "wrong number of arguments");
  if (count == 2) low = luaL_checkinteger(L, 1);
  high = luaL_checkinteger(L, count);
  if (count == 1 && high == 0) return lua_pushinteger(L, (lua_Integer)next_random(state)), 1;
  luaL_argcheck(L, low <= high, count, "interval is empty");
  lua_Unsigned range = (lua_Unsigned)high - (lua_Unsigned)low + 1;
  lua_Unsigned value = range == 0 ? next_random(state) : below(state, range);
  lua_pushinteger(L, (lua_Integer)(value + (lua_Unsigned)low));
  return 1;
}

/* An integer is its own seed, a float its bits. */
static lua_Integer seed_option(lua_State *L) {
  lua_Number number = luaL_optnumber(L, 1, 0);
  lua_Integer seed = 0;
  if (lua_numbertointeger(number, &seed)) return lua_isinteger(L, 1) ? lua_tointeger(L, 1) : seed;
  memcpy(&seed, &number, sizeof seed);
  return seed;
}

static int math_randomseed(lua_State *L) {
  sinew_scene *scene = scene_of(L);
  lua_Integer seed = seed_option(L);
  random_seed(random_in_force(L), (uint64_t)seed);
  if (scene->loading) {
    scene->next_seed = seed;
    scene->next_seed_set = true;
  }
  return 0;
}

void sandbox_math(lua_State *L) {
  copy_library(L, LUA_MATHLIBNAME);
  lua_pushcfunction(L, math_random);
  lua_setfield(L, -2, "random");
  lua_pushcfunction(L, math_randomseed);
  lua_setfield(L, -2, "randomseed");
}
