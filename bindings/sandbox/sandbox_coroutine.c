/* Coroutines that share the scene's one budget: making and resuming one is charged, and an error from a spent budget
 * passes through resume. */
#include "core/scene.h"

enum { CREATE_COST = 1000, RESUME_COST = 50 };

/* The hook ended it, and Lua leaves hooks off in such a coroutine: none of its code (a __close) may ever run again. The
 * hook sets its own count to 1 when it ends one. */
static bool was_stopped(lua_State *co) {
  int status = lua_status(co);
  return status != LUA_OK && status != LUA_YIELD && lua_gethookcount(co) == 1;
}

static lua_State *check_thread(lua_State *L) {
  lua_State *co = lua_tothread(L, 1);
  luaL_argexpected(L, co, 1, "coroutine");
  return co;
}

static int coroutine_create(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  budget_charge(L, CREATE_COST);
  lua_State *co = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, co, 1);
  return 1;
}

/* Its __close functions run on it. They may close other coroutines, and Lua counts C calls from zero in each: only this
 * limit keeps the C stack from overflowing. Each level may use the 200 C calls that Lua allows. */
static int reset(lua_State *L, lua_State *co) {
  enum { DEEPEST = 8 };
  sinew_scene *scene = scene_of(L);
  if (scene->closing == DEEPEST)
    return luaL_error(L, "C stack overflow: more than %d coroutines close each other", DEEPEST);
  lua_State *before = budget_run(scene, co);
  bool inside = call_lock_resume(L);
  scene->closing++;
  int status = lua_resetthread(co); /* no error leaves it */
  scene->closing--;
  call_lock_resumed(scene, inside);
  budget_run(scene, before);
  budget_check(L);
  return status;
}

/* The number of results on L, or -1 with the error on top. */
static int resume(lua_State *L, lua_State *co, int arguments) {
  int results;
  budget_charge(L, RESUME_COST);
  if (!lua_checkstack(co, arguments)) {
    lua_pushliteral(L, "too many arguments to resume");
    return -1;
  }
  lua_xmove(L, co, arguments);
  sinew_scene *scene = scene_of(L);
  lua_State *before = budget_run(scene, co);
  bool inside = call_lock_resume(L);
  int status = lua_resume(co, L, arguments, &results);
  call_lock_resumed(scene, inside);
  budget_run(scene, before);
  if (status != LUA_OK && status != LUA_YIELD) {
    lua_xmove(co, L, 1);
    budget_check(L);
    if (status == LUA_ERRMEM) lua_memory_push_reason(L);
    return -1;
  }
  if (!lua_checkstack(L, results + 1)) {
    lua_pop(co, results);
    lua_pushliteral(L, "too many results to resume");
    return -1;
  }
  lua_xmove(co, L, results);
  return results;
}

static int coroutine_resume(lua_State *L) {
  lua_State *co = check_thread(L);
  int results = resume(L, co, lua_gettop(L) - 1);
  lua_pushboolean(L, results >= 0);
  lua_insert(L, -(results < 0 ? 2 : results + 1));
  return results < 0 ? 2 : results + 1;
}

static int wrapped(lua_State *L) {
  lua_State *co = lua_tothread(L, lua_upvalueindex(1));
  int results = resume(L, co, lua_gettop(L));
  if (results >= 0) return results;
  int status = lua_status(co);
  budget_check(L);
  if (status != LUA_OK && status != LUA_YIELD && !was_stopped(co)) reset(L, co);
  if (lua_type(L, -1) == LUA_TSTRING) { /* adds its position, as Lua's own wrap does */
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

static int coroutine_wrap(lua_State *L) {
  coroutine_create(L);
  lua_pushcclosure(L, wrapped, 1);
  return 1;
}

static int coroutine_close(lua_State *L) {
  lua_State *co = check_thread(L);
  lua_Debug info;
  int status = lua_status(co);
  bool dead_or_fresh = status == LUA_OK && !lua_getstack(co, 0, &info);
  if (status == LUA_OK && !dead_or_fresh) return luaL_error(L, "cannot close a running coroutine");
  if (was_stopped(co)) return luaL_error(L, "this coroutine ran too long and was stopped");
  status = reset(L, co);
  lua_pushboolean(L, status == LUA_OK);
  if (status == LUA_OK) return 1;
  lua_xmove(co, L, 1);
  return 2;
}

void sandbox_coroutine(lua_State *L) {
  static const luaL_Reg functions[] = {{"create", coroutine_create},
                                       {"resume", coroutine_resume},
                                       {"wrap", coroutine_wrap},
                                       {"close", coroutine_close},
                                       {NULL, NULL}};
  static const char *const own[] = {"isyieldable", "running", "status", "yield"};
  lua_newtable(L);
  luaL_setfuncs(L, functions, 0);
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_getfield(L, -1, LUA_COLIBNAME);
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
    lua_getfield(L, -1, own[i]);
    lua_setfield(L, -4, own[i]);
  }
  lua_pop(L, 2);
}
