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

static void push_new(lua_State *L, const build_reader *r) {
  sinew_error error;
  sinew_scene *scene = scene_of(L);
  budget_charge(L, scene->def.instruction_limit / MODELS_AT_ONCE); /* the work is not the script's own */
  sinew_model **box = api_new(L, "model", sizeof *box, ++scene->declarations.next_id);
  *box = sinew_model_build(&r->def, &error);
  if (!*box) luaL_error(L, "sinew.build_model: %s", error.message);
  lua_pushvalue(L, r->kept); /* so that the memory limit counts roughly what the model takes */
  lua_setiuservalue(L, -2, 2);
  api_remember(L, -(lua_Integer)(uintptr_t)*box);
  budget_rest(scene);
}

static int call_build_model(lua_State *L) {
  build_reader r = {.L = L, .kept = 2, .names = 3};
  lua_settop(L, 1);
  lua_newtable(L);
  lua_newtable(L);
  build_read(&r, 1);
  lua_Integer key = (lua_Integer)build_hash(&r.def);
  if (!push_known(L, epoch_push, key) && !push_known(L, epoch_push_current, key)) push_new(L, &r);
  if (scene_of(L)->loading) { /* a model made at run time belongs to whoever holds it */
    epoch_push(L, "built");
    lua_pushvalue(L, -2);
    lua_rawseti(L, -2, key);
    lua_pop(L, 1);
  }
  return 1;
}

const api_entry api_build_entries[] = {
    {"sinew", "build_model", API_FUNCTION, "description: build_options", "model",
     "Makes a model from tables: joints, meshes with weights, clips. Equal tables make the same model. When a save "
     "changes them, the actors get the new model and keep their stride.",
     .call = call_build_model, .cost = 2000},
    {0}};
