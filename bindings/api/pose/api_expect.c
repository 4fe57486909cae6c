/* sinew.expect_pose: compares an actor's pose with a file. Uses only functions that scripts can call. */
#include "core/api.h"

enum { ACTOR = 1, FILE_NAME, OPTIONS, SHOWN };

/* Calls a method of the object at `index` with the value at `argument` (0: none); leaves its results. */
static void call_method(lua_State *L, int index, const char *name, int argument, int results) {
  lua_getfield(L, index, name);
  lua_pushvalue(L, index);
  if (argument) lua_pushvalue(L, argument);
  lua_call(L, argument ? 2 : 1, results);
}

static void load_expected(lua_State *L) {
  lua_pushcfunction(L, api_push_sinew);
  lua_call(L, 0, 1);
  lua_getfield(L, -1, "load_pose");
  lua_pushvalue(L, FILE_NAME);
  lua_getfield(L, ACTOR, "model");
  if (lua_pcall(L, 2, 2, 0) == LUA_OK) return;
  budget_check(L);
  luaL_error(L, "%s (sinew test --update writes it)", lua_tostring(L, -1));
}

/* Raises an error if the list in that field of the report at the top is not empty. */
static void check_names(lua_State *L, const char *field, const char *what) {
  lua_getfield(L, -1, field);
  if (lua_rawlen(L, -1) > 0 && lua_rawgeti(L, -1, 1))
    luaL_error(L, "sinew.expect_pose: %s %s '%s'", lua_tostring(L, FILE_NAME), what, lua_tostring(L, -1));
  lua_pop(L, 1);
}

static int call_expect_pose(lua_State *L) {
  lua_settop(L, OPTIONS);
  double tolerance = option_number(L, OPTIONS, "tolerance", 1e-3);
  call_method(L, ACTOR, "pose", 0, 1);
  if (scene_of(L)->def.update_poses) {
    call_method(L, SHOWN, "save", FILE_NAME, 0);
    return 0;
  }
  load_expected(L);
  check_names(L, "missing", "lacks the joint");
  check_names(L, "unknown", "has a joint that the model lacks:");
  lua_pop(L, 1);
  call_method(L, SHOWN, "compare", lua_gettop(L), 2);
  double distance = lua_tonumber(L, -2);
  if (distance <= tolerance) return 0;
  lua_getfield(L, ACTOR, "name");
  return luaL_error(L,
                    "sinew.expect_pose: '%s' is %f m from %s at %s (%f m are allowed); sinew test --update accepts it",
                    lua_tostring(L, -1), distance, lua_tostring(L, FILE_NAME), lua_tostring(L, -2), tolerance);
}

const api_entry api_expect_entries[] = {{"sinew", "expect_pose", API_FUNCTION,
                                         "actor: actor, file: string, options?: expect_options", "",
                                         "Raises an error if a joint of the actor is farther from the saved pose than "
                                         "the tolerance. `sinew test --update` writes the file instead.",
                                         .call = call_expect_pose, .cost = 20000},
                                        {0}};
