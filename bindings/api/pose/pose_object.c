#include "api/pose/pose_object.h"

static const char living_key;

pose_object *pose_check(lua_State *L, int index) {
  pose_object *pose = api_check(L, index, "pose");
  if (!pose->posed.model)
    luaL_error(L, "this pose was an actor's, and was valid only while the function of a "
                  "modifier ran");
  if (pose->model && *pose->model != pose->posed.model)
    luaL_error(L, "the model of this pose has been freed, or was still loading when the pose was made");
  return pose;
}

void pose_settle(const sinew_posed *posed, int joint) {
  sinew_local_to_model_job job = {posed->model, posed->pose, posed->joints, joint};
  sinew_local_to_model(&job);
}

/* The same object serves all calls, so that they leave no garbage. */
void pose_push_living(lua_State *L, const sinew_posed *posed) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &living_key) != LUA_TUSERDATA) {
    lua_pop(L, 1);
    api_new(L, "pose", sizeof(pose_object), ++scene_of(L)->declarations.next_id);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &living_key);
  }
  *(pose_object *)lua_touserdata(L, -1) = (pose_object){.posed = *posed};
}

void pose_end_living(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &living_key) == LUA_TUSERDATA)
    *(pose_object *)lua_touserdata(L, -1) = (pose_object){0};
  lua_pop(L, 1);
}
