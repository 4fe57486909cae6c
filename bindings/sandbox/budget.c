/* The instruction budget: one counter for everything that runs between two visits to the host, whatever coroutine it
 * runs on and whatever catches its errors. */
#include "scene/scene.h"

#include <math.h>
#include <time.h>

enum { INTERVAL = 1000 };

/* Some instructions are slow (comparing long strings): a callback may work this long for each of its instructions, and
 * not less than for 50 million, 10 s. What counts is this thread's own time, so that a busy machine ends no script. */
static const double seconds_for_one = 2e-7, shortest_limit = 10;

static double time_spent(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* A hook is no level of its own: there the function that runs is level 0, in a C function it is level 1. */
static void spent(lua_State *L, const sinew_scene *scene, int level) {
  luaL_where(L, level);
  lua_pushfstring(L,
                  "%sthe script ran too long: more than %d million instructions without coming back to the host (an "
                  "endless loop?)",
                  lua_tostring(L, -1), (int)(scene->def.instruction_limit / 1000000));
  lua_error(L);
}

static void add(sinew_scene *scene, int64_t cost) {
  if (cost > scene->budget.limit) cost = scene->budget.limit + 1;
  scene->budget.spent += cost;
  if (scene->budget.spent > scene->budget.limit) scene->budget.exhausted = true;
}

static void hook(lua_State *L, lua_Debug *unused) {
  sinew_scene *scene = scene_of(L);
  int count = lua_gethookcount(L);
  (void)unused;
  add(scene, count);
  double limit = fmax(shortest_limit, seconds_for_one * (double)scene->budget.limit);
  if (time_spent() - scene->budget.started > limit) scene->budget.exhausted = true;
  int wanted = scene->budget.exhausted ? 1 : INTERVAL;
  if (count != wanted) lua_sethook(L, hook, LUA_MASKCOUNT, wanted);
  if (scene->budget.exhausted) spent(L, scene, 0);
}

void budget_install(sinew_scene *scene, lua_State *L) {
  (void)scene;
  lua_sethook(L, hook, LUA_MASKCOUNT, INTERVAL); /* new coroutines inherit it */
}

budget budget_enter(sinew_scene *scene) {
  budget saved = scene->budget;
  scene->budget = (budget){.limit = scene->def.instruction_limit, .started = time_spent()};
  return saved;
}

void budget_leave(sinew_scene *scene, budget saved) { scene->budget = saved; }

void budget_check(lua_State *L) {
  const sinew_scene *scene = scene_of(L);
  if (scene->budget.exhausted) spent(L, scene, 1);
}

void budget_charge(lua_State *L, int64_t cost) {
  add(scene_of(L), cost < 0 ? 0 : cost);
  budget_check(L);
}

void budget_rest(sinew_scene *scene) { scene->budget.started = time_spent(); }
