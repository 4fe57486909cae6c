/* Retargeting poses: the match of two models is computed once, and kept. */
#include "api/model/model_request.h"
#include "api/pose/pose_object.h"

#include <string.h>

/* Maps are kept for this many pairs of models; then a new one replaces the oldest. */
enum { KNOWN_MAPS = 16 };

/* Instructions per joint of a model: to find its match, and to apply it. */
enum { MATCH_COST = 100, JOINT_COST = 50 };

/* The registry's key for a table of maps by key, and of the keys by 1 .. KNOWN_MAPS. */
static const char maps_key;

static int collect(lua_State *L) {
  sinew_retarget_map **map = lua_touserdata(L, 1);
  sinew_retarget_map_destroy(*map);
  *map = NULL;
  return 0;
}

static void push_maps(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &maps_key) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &maps_key);
}

void retarget_close(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &maps_key);
  int maps = lua_gettop(L);
  lua_pushnil(L);
  while (lua_istable(L, maps) && lua_next(L, maps)) {
    sinew_retarget_map **map = lua_touserdata(L, -1);
    if (map) sinew_retarget_map_destroy(*map), *map = NULL;
    lua_pop(L, 1);
  }
  lua_settop(L, maps - 1);
}

/* A map keeps its models alive, so no other model can have their addresses. */
static void push_key(lua_State *L, const sinew_model *from, const sinew_model *to, const sinew_joint_pair *pairs,
                     int count) {
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  lua_pushfstring(L, "%p %p", (const void *)from, (const void *)to);
  luaL_addvalue(&b);
  for (int i = 0; i < count; i++) {
    lua_pushfstring(L, ";%s>%s", pairs[i].theirs, pairs[i].ours ? pairs[i].ours : "");
    luaL_addvalue(&b);
  }
  luaL_pushresult(&b);
}

/* The stack: the key at `key`, the table of all maps below the top, the new map at the top. */
static void remember(lua_State *L, int key, int maps) {
  lua_getfield(L, maps, "next");
  lua_Integer position = 1 + lua_tointeger(L, -1) % KNOWN_MAPS;
  lua_pop(L, 1);
  lua_pushinteger(L, position);
  lua_setfield(L, maps, "next");
  if (lua_rawgeti(L, maps, position) == LUA_TSTRING) {
    lua_pushnil(L);
    lua_rawset(L, maps); /* under the oldest key */
  } else {
    lua_pop(L, 1);
  }
  lua_pushvalue(L, key);
  lua_rawseti(L, maps, position);
  lua_pushvalue(L, key);
  lua_pushvalue(L, -2);
  lua_rawset(L, maps);
}

static sinew_retarget_map *make_map(lua_State *L, const char *what, sinew_model *from, sinew_model *to,
                                    const sinew_joint_pair *pairs, int count) {
  sinew_error error;
  budget_charge(L, 100000 + (int64_t)(sinew_model_joint_count(from) + sinew_model_joint_count(to)) * MATCH_COST);
  sinew_retarget_map **map = lua_newuserdatauv(L, sizeof *map, 0);
  *map = NULL;
  if (luaL_newmetatable(L, "retarget_map")) {
    lua_pushcfunction(L, collect);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  *map = sinew_retarget_map_create(from, to, pairs, count, &error);
  if (!*map) luaL_error(L, "%s: %s", what, error.message);
  return *map;
}

/* Pushes the object that keeps it alive. */
static const sinew_retarget_map *push_map(lua_State *L, const char *what, const sinew_model *from, sinew_model *to) {
  sinew_error error;
  sinew_joint_pair pairs[REQUEST_PAIRS];
  lua_newtable(L);
  int keep = lua_gettop(L), count = 0;
  if (option_push(L, 3, "map")) count = joint_pairs_read(L, lua_gettop(L), keep, pairs, &error);
  if (count < 0) luaL_error(L, "%s: %s", what, error.message);
  push_key(L, from, to, pairs, count);
  int key = lua_gettop(L);
  push_maps(L);
  lua_pushvalue(L, key);
  sinew_retarget_map *const *known = lua_rawget(L, key + 1) == LUA_TUSERDATA ? lua_touserdata(L, -1) : NULL;
  if (known && !*known) luaL_error(L, "%s: the match of the models has been freed", what);
  if (known) return *known;
  lua_pop(L, 1);
  sinew_retarget_map *map = make_map(L, what, (sinew_model *)(uintptr_t)from, to, pairs, count);
  remember(L, key, key + 1);
  return map;
}

static int call_retarget(lua_State *L) {
  lua_settop(L, 3);
  const sinew_posed *a = &pose_check(L, 1)->posed;
  sinew_model *to = model_check(L, 2);
  size_t count = (size_t)a->pose.joint_count + 2 * (size_t)sinew_model_joint_count(to);
  const sinew_retarget_map *map = push_map(L, "pose:retarget", a->model, to);
  budget_charge(L, (int64_t)count * JOINT_COST);
  sinew_transform *scratch = lua_newuserdatauv(L, count * sizeof *scratch, 0);
  const sinew_posed *out = pose_push_new(L, to);
  sinew_retarget_job job = {map, a->pose, scratch, out->pose};
  sinew_retarget(&job);
  pose_settle(out, 0);
  return 1;
}

/* ---- model:match ---- */

enum { REPORT_MATCHED = 1, REPORT_GUESSED, REPORT_MISSING, REPORT_LISTS };

static void report_joint(lua_State *L, int report, const sinew_retarget_map *map, int joint) {
  sinew_match_kind kind;
  const sinew_model *to = sinew_retarget_map_to(map);
  int source = sinew_retarget_map_joint(map, joint, &kind);
  if (source < 0) {
    joint_push(L, to, joint);
    lua_rawseti(L, report + REPORT_MISSING, (lua_Integer)lua_rawlen(L, report + REPORT_MISSING) + 1);
    return;
  }
  joint_push(L, to, joint);
  joint_push(L, sinew_retarget_map_from(map), source);
  lua_rawset(L, report + (kind == SINEW_MATCH_GUESS ? REPORT_GUESSED : REPORT_MATCHED));
}

static int call_match(lua_State *L) {
  static const char *const fields[REPORT_LISTS] = {NULL, "matched", "guessed", "missing"};
  lua_settop(L, 3);
  sinew_model *to = model_check(L, 2);
  const sinew_retarget_map *map = push_map(L, "model:match", model_check(L, 1), to);
  lua_newtable(L);
  int report = lua_gettop(L), count = sinew_model_joint_count(to);
  budget_charge(L, (int64_t)count * JOINT_COST);
  for (int i = 1; i < REPORT_LISTS; i++) lua_newtable(L);
  for (int i = 1; i < count; i++) report_joint(L, report, map, i);
  for (int i = REPORT_LISTS - 1; i > 0; i--) lua_setfield(L, report, fields[i]);
  lua_pushnumber(L, (lua_Number)sinew_retarget_map_scale(map));
  lua_setfield(L, report, "scale");
  return 1;
}

const api_entry api_retarget_entries[] = {
    {"pose", "retarget", API_METHOD, "model: model, options?: retarget_options", "pose",
     "Transfers the pose to another model. Sinew matches the two models once and keeps the result.",
     .call = call_retarget, .cost = 2000},
    {"model", "match", API_METHOD, "other: model, options?: retarget_options", "match_report",
     "Reports how pose:retarget matches the joints of this model with those of another.", .call = call_match,
     .cost = 2000},
    {0}};
