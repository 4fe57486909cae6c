/* The velocities of clips. Finding one takes a millisecond for each second of the clip, too long for a save, so a load
 * reuses those that the running scripts have found. */
#include "core/api.h"
#include "core/scene.h"

/* Pushes the table { [clip] = velocity, model = userdata } that an epoch has for the model; returns false, and pushes
 * nothing, if it has none. The table keeps the model alive, so no other can be at the same address. */
static bool push_known(lua_State *L, void (*push)(lua_State *L, const char *field), const sinew_model *model) {
  int top = lua_gettop(L);
  push(L, "velocities");
  bool known = lua_istable(L, -1) && lua_rawgetp(L, -1, model) == LUA_TTABLE;
  if (known) lua_replace(L, top + 1);
  lua_settop(L, known ? top + 1 : top);
  return known;
}

static void push_table(lua_State *L, sinew_model *model) {
  if (push_known(L, epoch_push, model)) return;
  epoch_push(L, "velocities");
  if (!push_known(L, epoch_push_current, model)) {
    lua_newtable(L);
    model_push(L, model);
    lua_setfield(L, -2, "model");
  }
  lua_pushvalue(L, -1);
  lua_rawsetp(L, -3, model);
  lua_remove(L, -2);
}

/* The table is on the top. */
static bool find(lua_State *L, const sinew_model *model, int clip, sinew_vec3 *velocity) {
  bool known = sinew_clip_velocity(model, clip, velocity);
  if (known) vector_push(L, &velocity->x, 3);
  else lua_pushboolean(L, false);
  lua_rawseti(L, -2, clip);
  return known;
}

bool clip_velocity(lua_State *L, const sinew_model *model, int clip, sinew_vec3 *velocity) {
  int top = lua_gettop(L);
  *velocity = (sinew_vec3){0, 0, 0};
  if (!scene_of(L)->loading) return sinew_clip_velocity(model, clip, velocity);
  luaL_checkstack(L, 8, NULL);
  push_table(L, (sinew_model *)(size_t)model);
  int type = lua_rawgeti(L, -1, clip);
  bool known = type == LUA_TUSERDATA && vector_read(L, lua_gettop(L), &velocity->x, 3);
  if (type == LUA_TNIL) lua_pop(L, 1), known = find(L, model, clip, velocity);
  lua_settop(L, top);
  return known;
}
