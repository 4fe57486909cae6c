/* The budget that a script may spend before control is back in the host: work, counted in instructions and in what C
 * functions charge for, and processor time. One budget covers everything between two returns to the host, in every
 * coroutine and inside every pcall.
 *
 * A count hook makes Lua stop at every instruction, so a scene that need not be deterministic runs without one. A
 * watchdog ticks on the scene's own thread, in a signal handler. When the time is used up, it sets the hook on the
 * running coroutine, and the hook raises an error. (Lua allows lua_sethook in a signal handler of that same thread, but
 * not from another thread, because it walks the call frames that the thread adds and removes.) */
#include "core/scene.h"

#include <math.h>
#include <time.h>

enum { INTERVAL = 1000 };
static const double tick_seconds = 0.02;

/* If instructions are counted, time is a backstop for slow ones (comparing long text): 10 s for 50 million. If they are
 * not, time is the limit: a second for 50 million, which usually take 0.05 to 0.5 s. This thread's processor time
 * counts, so a busy machine ends no script. */
static const double backstop_for_one = 2e-7, shortest_backstop = 10, seconds_for_one = 2e-8;

/* The scene whose script this thread runs: NULL outside scripts, and while a budget is being replaced. */
static _Thread_local sinew_scene *volatile in_force;

static double time_spent(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) clock_gettime(CLOCK_MONOTONIC, &now); /* in a browser */
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double time_limit(const sinew_scene *scene) {
  double limit = (double)scene->def.instruction_limit;
  return scene->counts ? fmax(shortest_backstop, backstop_for_one * limit) : seconds_for_one * limit;
}

static bool is_late(const sinew_scene *scene) { return time_spent() - scene->budget.started > scene->budget.seconds; }

/* The callbacks of a frame together may spend this many times the budget of one. */
enum { CALLBACKS_IN_FRAME = 2 };

static void describe(const sinew_scene *scene, bool shared, bool timed, char *out, size_t size) {
  double budgets = shared ? CALLBACKS_IN_FRAME : 1, instructions = budgets * (double)scene->def.instruction_limit;
  bool millions = instructions >= 1e6;
  double amount = timed ? budgets * time_limit(scene) : millions ? instructions / 1e6 : instructions;
  const char *unit = timed ? "s of work" : millions ? "million instructions" : "instructions";
  if (shared) snprintf(out, size, "the callbacks of one frame ran too long: more than %.3g %s together", amount, unit);
  else
    snprintf(out, size, "the script ran too long: more than %.3g %s without returning to the host (an endless loop?)",
             amount, unit);
}

void budget_describe(const sinew_scene *scene, char *out, size_t size) {
  describe(scene, scene->budget.shared, scene->budget.over == BUDGET_TIME, out, size);
}

static void hook(lua_State *L, lua_Debug *unused);

/* A hook has no level of its own: in a Lua function the running one is level 0, in a C function it is level 1.
 * Everything that the error passes through is stopped, too. */
static void spent(lua_State *L, const sinew_scene *scene, int level) {
  char text[200];
  lua_sethook(L, hook, LUA_MASKCOUNT, 1);
  budget_describe(scene, text, sizeof text);
  luaL_where(L, level);
  lua_pushstring(L, text);
  lua_concat(L, 2);
  lua_error(L);
}

void budget_add(sinew_scene *scene, int64_t cost) {
  if (cost > scene->budget.limit) cost = scene->budget.limit + 1;
  scene->budget.spent += cost;
  if (scene->budget.spent > scene->budget.limit && !scene->budget.over) scene->budget.over = BUDGET_INSTRUCTIONS;
}

void budget_open_end(lua_State *L) {
  budget *b = &scene_of(L)->budget;
  b->limit = INT64_MAX / 2;
  b->seconds = 1e9;
}

static void look_at_clock(sinew_scene *scene) {
  if (!scene->watchdog.ticks && !scene->budget.over && is_late(scene)) scene->budget.over = BUDGET_TIME;
}

/* Without counting, a hook left over from an earlier callback removes itself. */
static void hook(lua_State *L, lua_Debug *unused) {
  sinew_scene *scene = scene_of(L);
  int count = lua_gethookcount(L), wanted = scene->counts ? INTERVAL : 0;
  (void)unused;
  if (scene->counts) budget_add(scene, count);
  look_at_clock(scene);
  if (scene->budget.over) spent(L, scene, 0);
  if (count != wanted) lua_sethook(L, wanted ? hook : NULL, wanted ? LUA_MASKCOUNT : 0, wanted);
}

/* In a signal handler. */
static void tick(void) {
  sinew_scene *scene = in_force;
  if (!scene) return;
  if (!scene->budget.over && is_late(scene)) scene->budget.over = BUDGET_TIME;
  if (scene->budget.over && scene->running) lua_sethook(scene->running, hook, LUA_MASKCOUNT, 1);
}

void budget_open(sinew_scene *scene) {
  bool ticks = watchdog_start(&scene->watchdog, tick_seconds, tick);
  scene->counts = scene->def.count_instructions || !ticks;
  if (scene->counts) lua_sethook(scene->L, hook, LUA_MASKCOUNT, INTERVAL); /* new coroutines inherit it */
}

void budget_close(sinew_scene *scene) { watchdog_stop(&scene->watchdog); }

/* ---- the frame ---- */

static int64_t instructions_left(const sinew_scene *scene) {
  int64_t limit = scene->def.instruction_limit;
  int64_t all = limit > INT64_MAX / CALLBACKS_IN_FRAME ? INT64_MAX : CALLBACKS_IN_FRAME * limit;
  return scene->frame.spent < all ? all - scene->frame.spent : 0;
}

static double seconds_left(const sinew_scene *scene) {
  return fmax(CALLBACKS_IN_FRAME * time_limit(scene) - scene->frame.seconds, 0);
}

void budget_begin_frame(sinew_scene *scene) {
  scene->simulated += (double)scene->frame.spent;
  scene->frame = (frame_budget){0};
  scene->declarations.printed = 0;
}

bool budget_allows(sinew_scene *scene) {
  char text[200];
  bool instructions = instructions_left(scene) > 0, seconds = seconds_left(scene) > 0;
  if (instructions && seconds) return true;
  if (scene->frame_told) return false;
  describe(scene, true, instructions, text, sizeof text);
  declarations_say(&scene->declarations, SINEW_LOG_WARNING, "%s; the callbacks after them are skipped in that frame",
                   text);
  scene->frame_told = true;
  if (!scene->counts && !seconds) sinew_host_note_strike(scene->host, "the callbacks of a frame");
  return false;
}

/* The budget of one callback, taken from what the frame has left. */
static budget new_budget(const sinew_scene *scene) {
  int64_t left = instructions_left(scene), limit = scene->def.instruction_limit;
  double seconds = seconds_left(scene), most = time_limit(scene);
  return (budget){.limit = left < limit ? left : limit,
                  .seconds = fmin(seconds, most),
                  .shared = left < limit || seconds < most,
                  .started = time_spent()};
}

/* A nested callback has already been charged. The time it took to stop a runaway callback is ours, and does not keep
 * the next one from running. */
static void note_spent(sinew_scene *scene, const budget_before *before) {
  double seconds = before->frame_seconds + fmin(time_spent() - scene->budget.started, scene->budget.seconds);
  int64_t room = INT64_MAX - scene->frame.spent;
  scene->frame.spent += scene->budget.spent < room ? scene->budget.spent : room;
  scene->frame.seconds = fmax(scene->frame.seconds, seconds);
}

budget_before budget_enter(sinew_scene *scene) {
  budget_before before = {
      .scene = in_force, .running = scene->running, .budget = scene->budget, .frame_seconds = scene->frame.seconds};
  before.locale = sinew_enter_c_locale();
  in_force = NULL;
  scene->budget = new_budget(scene);
  scene->running = scene->L;
  in_force = scene;
  return before;
}

void budget_leave(sinew_scene *scene, const budget_before *before) {
  in_force = NULL;
  note_spent(scene, before);
  scene->budget = before->budget;
  scene->running = before->running;
  in_force = before->scene;
  sinew_leave_c_locale(before->locale);
}

lua_State *budget_run(sinew_scene *scene, lua_State *co) {
  lua_State *before = scene->running;
  scene->running = co;
  return before;
}

void budget_check(lua_State *L) {
  const sinew_scene *scene = scene_of(L);
  if (scene->budget.over) spent(L, scene, 1);
}

void budget_charge(lua_State *L, int64_t cost) {
  budget_add(scene_of(L), cost < 0 ? 0 : cost);
  budget_check(L);
}

void budget_rest(sinew_scene *scene) { scene->budget.started = time_spent(); }

/* ---- text ---- */

typedef struct part {
  const char *text;
  size_t left;
} part;

/* Splits the text: a name may be searched among the locals of two hundred functions, so the length of a text does not
 * tell how long it takes to compile, and no hook runs meanwhile. */
static const char *next_part(lua_State *L, void *user, size_t *size) {
  enum { PART = 4096 };
  part *p = user;
  const char *text = p->text;
  look_at_clock(scene_of(L));
  budget_check(L);
  *size = p->left < PART ? p->left : PART;
  p->text += *size;
  p->left -= *size;
  return text;
}

int budget_load(lua_State *L, const char *text, size_t size, const char *name) {
  budget_charge(L, (int64_t)size);
  return lua_load(L, next_part, &(part){text, size}, name, "t");
}
