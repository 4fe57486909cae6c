/* sinew.build_model: equal tables make the same model, so a save that does not change them leaves it alone. */
#include "api/model/build_table.h"

enum { MODELS_AT_ONCE = 256 };

/* Pushes the model that an epoch has made from this content. */
static bool push_known(lua_State *L, void (*push_models)(lua_State *L, const char *field), lua_Integer key) {
  push_models(L, "built");
  if (lua_istable(L, -1)) {
    if (lua_rawgeti(L, -1, key) == LUA_TUSERDATA) {
      lua_remove(L, -2);
      return model_check(L, -1) != NULL;
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return false;
}

static void push_new(lua_State *L, const sinew_model_def *def, int kept) {
  sinew_error error;
  sinew_scene *scene = scene_of(L);
  budget_charge(L, scene->def.instruction_limit / MODELS_AT_ONCE); /* the work is not the script's own */
  sinew_model **box = api_new(L, "model", sizeof *box, ++scene->declarations.next_id);
  *box = sinew_model_build(def, &error);
  if (!*box) luaL_error(L, "sinew.build_model: %s", error.message);
  if (kept) lua_pushvalue(L, kept), lua_setiuservalue(L, -2, 2);
  api_remember(L, -(lua_Integer)(uintptr_t)*box);
  budget_rest(scene);
}

void model_push_built(lua_State *L, const sinew_model_def *def, int kept) {
  lua_Integer key = (lua_Integer)build_hash(def);
  if (!push_known(L, epoch_push, key) && !push_known(L, epoch_push_current, key)) push_new(L, def, kept);
  if (!scene_of(L)->loading) return; /* a model made at run time belongs to whoever holds it */
  epoch_push(L, "built");
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, key);
  lua_pop(L, 1);
}

static int call_build_model(lua_State *L) {
  build_reader r = {.L = L, .kept = 2, .names = 3};
  lua_settop(L, 1);
  lua_newtable(L);
  lua_newtable(L);
  build_read(&r, 1);
  model_push_built(L, &r.def, r.kept);
  return 1;
}

const api_entry api_build_entries[] = {
    {"sinew", "build_model", API_FUNCTION, "description: build_options", "model",
     "Makes a model from tables: joints, meshes with weights, clips. Equal tables make the same model. When a save "
     "changes them, the actors get the new model and keep their stride.",
     .call = call_build_model, .cost = 2000},
    {0}};
