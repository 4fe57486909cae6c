/* The module in a Lua program of its own that closes its state: finalizers of the program call everything then. */
#include "harness.h"

#include <lauxlib.h>
#include <lualib.h>

int luaopen_sinew(lua_State *L);

typedef struct told {
  int calls;
  char passed[4096]; /* what worked on an object that was gone */
} told;

static int tell(lua_State *L) {
  told *t = lua_touserdata(L, lua_upvalueindex(1));
  size_t used = strlen(t->passed);
  if (strcmp(lua_tostring(L, 1), "calls") == 0) t->calls += (int)lua_tointeger(L, 2);
  else snprintf(t->passed + used, sizeof t->passed - used, " %s", lua_tostring(L, 2));
  return 0;
}

static told run(const char *when) {
  told t = {0};
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, luaopen_sinew);
  lua_setfield(L, -2, "sinew");
  lua_settop(L, 0);
  if (luaL_loadfile(L, SINEW_SOURCE "/tests/bindings/closed.lua") != LUA_OK) fail_msg("%s", lua_tostring(L, -1));
  lua_pushstring(L, when);
  lua_pushliteral(L, SINEW_SOURCE "/assets/hero.glb");
  lua_pushlightuserdata(L, &t);
  lua_pushcclosure(L, tell, 1);
  if (lua_pcall(L, 3, 0, 0) != LUA_OK) fail_msg("%s: %s", when, lua_tostring(L, -1));
  lua_close(L);
  return t;
}

static void test_finalizers_at_the_end(void **state) {
  static const char *const orders[] = {"module", "model", "last", "freed"};
  (void)state;
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    told t = run(orders[i]);
    if (t.passed[0]) fail_msg("%s:%s", orders[i], t.passed);
    assert_true(t.calls > 500);
  }
}

/* A scene with all of Lua has finalizers, too. */
static void test_trusted_scene(void **state) {
  static harness h;
  sinew_scene_def def = sinew_scene_def_default();
  (void)state;
  def.trust = true;
  harness_open_host(&h);
  assert_true(
      harness_load(&h,
                   "local sinew = require 'sinew'\n"
                   "local man = sinew.model '" SINEW_SOURCE "/assets/hero.glb'\n"
                   "local actor = sinew.actor('a', man)\n"
                   "k = setmetatable({}, { __gc = function() pcall(man.rest, man); pcall(actor.play, actor, 'Walk')\n"
                   "pcall(sinew.actor, 'b', man); pcall(print, 'x') pcall(sinew.model, 'hero.glb') end })\n"
                   "package.loaded.kept = k\n",
                   &def));
  harness_step(&h, 2);
  harness_close(&h);
}

/* A pose of a model that was still loading has no joints of the model that came. */
static void test_pose_of_a_placeholder(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, "local sinew = require 'sinew'\n"
                   "local man = sinew.model('hero_zup.dae', { wait = false })\n"
                   "local early = man:rest()\n"
                   "function sinew.update()\n"
                   "  if man.loaded then print(select(2, pcall(early.read, early))) end\n"
                   "end\n");
  for (int i = 0; i < 2000 && !h.printed[0]; i++) {
    harness_step(&h, 1);
    usleep(5000);
  }
  harness_expect(h.printed, "was still loading when the pose was made");
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_finalizers_at_the_end), cmocka_unit_test(test_trusted_scene),
                                     cmocka_unit_test(test_pose_of_a_placeholder)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
