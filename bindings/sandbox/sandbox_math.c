/* math in a scene: its own random numbers, and functions whose results do not depend on the C library. */
#include "core/scene.h"

#include <string.h>

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

/* ---- functions with the same bits everywhere ---- */

/* What x ^ y calls in a Lua that is linked into the program (cmake/Dependencies.cmake). */
double __wrap_pow(double base, double exponent);
double __wrap_pow(double base, double exponent) { return sinew_pow(base, exponent); }

/* The functions that the C library rounds as it likes. */
#define MATH_FUNCTION(name)                                                                                            \
  static int math_##name(lua_State *L) {                                                                               \
    lua_pushnumber(L, sinew_##name(luaL_checknumber(L, 1)));                                                           \
    return 1;                                                                                                          \
  }
MATH_FUNCTION(sin)
MATH_FUNCTION(cos)
MATH_FUNCTION(tan)
MATH_FUNCTION(asin)
MATH_FUNCTION(acos)
MATH_FUNCTION(exp)
MATH_FUNCTION(log10)
#undef MATH_FUNCTION

static int math_atan(lua_State *L) {
  lua_Number y = luaL_checknumber(L, 1);
  lua_pushnumber(L, sinew_atan2(y, luaL_optnumber(L, 2, 1)));
  return 1;
}

static int math_log(lua_State *L) {
  lua_Number x = luaL_checknumber(L, 1), base = luaL_optnumber(L, 2, 0);
  if (lua_isnoneornil(L, 2)) lua_pushnumber(L, sinew_ln(x));
  else if (base == 2) lua_pushnumber(L, sinew_log2(x));
  else if (base == 10) lua_pushnumber(L, sinew_log10(x));
  else lua_pushnumber(L, sinew_ln(x) / sinew_ln(base));
  return 1;
}

static int math_pow(lua_State *L) {
  lua_pushnumber(L, sinew_pow(luaL_checknumber(L, 1), luaL_checknumber(L, 2)));
  return 1;
}

static const luaL_Reg replaced[] = {{"random", math_random},
                                    {"randomseed", math_randomseed},
                                    {"sin", math_sin},
                                    {"cos", math_cos},
                                    {"tan", math_tan},
                                    {"asin", math_asin},
                                    {"acos", math_acos},
                                    {"atan", math_atan},
                                    {"exp", math_exp},
                                    {"log", math_log},
                                    {"log10", math_log10},
                                    {"pow", math_pow},
                                    {NULL, NULL}};

/* Of a Lua that has the hyperbolic functions of its version 5.2, scenes see none. */
void sandbox_math(lua_State *L) {
  static const char *const old[] = {"cosh", "sinh", "tanh"};
  sandbox_copy(L, LUA_MATHLIBNAME);
  luaL_setfuncs(L, replaced, 0);
  for (size_t i = 0; i < sizeof old / sizeof *old; i++) {
    lua_pushnil(L);
    lua_setfield(L, -2, old[i]);
  }
}
