/* simulate – sinew.simulate: runs frames in a test, with keys and mouse. */
#include "core/api.h"
#include "declare/kinds/declared_crowd.h"

#include <math.h>
#include <string.h>

/* All frames of a test together may take this multiple of a callback's budget; an empty frame takes FRAME_COST. */
enum { CHANGES = 256, SIMULATED = 20, FRAME_COST = 1000 };

typedef struct change {
  double time;
  const char *key; /* NULL: of the mouse */
  int button;      /* 0: it moves to x, y */
  bool turns;      /* its wheel, by y notches */
  float x, y;
  bool has_strength; /* it is a stick or a trigger, and … */
  double strength;
  bool down;
} change;

typedef struct changes {
  change items[CHANGES];
  int count;
} changes;

static void add_change(lua_State *L, changes *all, const change *item) {
  if (all->count == CHANGES) luaL_error(L, "sinew.simulate: more than %d changes of keys and mouse", CHANGES);
  all->items[all->count++] = *item;
}

/* "+w" presses, "-w" releases, "w" does both. Returns the name without its sign. */
static const char *add_press(lua_State *L, changes *all, change *item, const char *name, double dt) {
  bool sign = (name[0] == '+' || name[0] == '-') && name[1];
  item->down = !sign || name[0] == '+';
  if (item->key) item->key += sign;
  add_change(L, all, item);
  if (sign) return name + 1;
  item->down = false;
  item->time += dt;
  add_change(L, all, item);
  return name;
}

/* { seconds, "left_stick_up", 0.7 }: holds until it is changed. */
static bool read_strength(lua_State *L, changes *all, const char *name) {
  int item = lua_gettop(L) - 2;
  bool given = lua_rawgeti(L, item, 3) != LUA_TNIL;
  double strength = lua_tonumber(L, -1);
  bool fits = lua_type(L, -1) == LUA_TNUMBER && strength >= 0 && strength <= 1;
  lua_pop(L, 1);
  if (!given) return false;
  lua_pushstring(L, name);
  api_check_value(L, lua_gettop(L), "key", 3, "sinew.simulate: keys");
  if (!fits || !sinew_has_strength(name))
    luaL_error(L, "sinew.simulate: only a gamepad's sticks and triggers have a strength, from 0 to 1, as in "
                  "{ 0, \"left_stick_up\", 0.7 }");
  add_change(L, all, &(change){.time = lua_tonumber(L, -3), .key = name, .has_strength = true, .strength = strength});
  return true;
}

/* { seconds, "+w" } */
static void read_key(lua_State *L, double dt, changes *all) {
  if (lua_type(L, -2) != LUA_TNUMBER || lua_type(L, -1) != LUA_TSTRING) {
    luaL_error(L, "sinew.simulate: keys is a list such as { { 0, \"+w\" }, { 2, \"space\" } }");
  }
  const char *name = lua_tostring(L, -1);
  if (read_strength(L, all, name)) return;
  lua_pushstring(L, add_press(L, all, &(change){.time = lua_tonumber(L, -2), .key = name}, name, dt));
  api_check_value(L, lua_gettop(L), "key", 3, "sinew.simulate: keys");
}

/* { seconds, x, y }, { seconds, "+left" } or { seconds, "wheel", notches } */
static void read_mouse(lua_State *L, double dt, changes *all) {
  static const char *const buttons[] = {"left", "right", "middle"};
  change item = {.time = lua_tonumber(L, -3)};
  const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
  bool is_sign = name && (name[0] == '+' || name[0] == '-');
  for (int i = 0; name && i < 3; i++)
    if (strcmp(name + is_sign, buttons[i]) == 0) item.button = i + 1;
  item.turns = name && strcmp(name, "wheel") == 0;
  bool is_move = (lua_type(L, -2) == LUA_TNUMBER || item.turns) && lua_type(L, -1) == LUA_TNUMBER;
  if (lua_type(L, -3) != LUA_TNUMBER || (!is_move && item.button == 0))
    luaL_error(L, "sinew.simulate: mouse is a list such as { { 0, 320, 200 }, { 0.1, \"+left\" }, { 0.5, \"-left\" }, "
                  "{ 1, \"wheel\", -2 } }");
  item.x = (float)lua_tonumber(L, -2);
  item.y = (float)lua_tonumber(L, -1);
  if (is_move) add_change(L, all, &item);
  else add_press(L, all, &item, name, dt);
}

/* The lists stay on the stack, which keeps the names alive. */
static void read_changes(lua_State *L, const char *option, double dt, changes *all) {
  bool is_mouse = option[0] == 'm';
  if (!option_push(L, 1, option)) return;
  int list = lua_gettop(L);
  for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, list); i++) {
    if (lua_rawgeti(L, list, i) != LUA_TTABLE) luaL_error(L, "sinew.simulate: %s is a list of lists", option);
    int item = lua_gettop(L);
    for (int k = 1; k <= (is_mouse ? 3 : 2); k++) lua_rawgeti(L, item, k);
    if (is_mouse) read_mouse(L, dt, all);
    else read_key(L, dt, all);
    lua_settop(L, list);
  }
}

static void send_change(sinew_host *host, const change *c) {
  if (c->has_strength) sinew_host_send_strength(host, c->key, c->strength);
  else if (c->key) sinew_host_send_key(host, c->key, c->down);
  else if (c->button) sinew_host_send_button(host, c->button, c->down);
  else if (c->turns) sinew_host_send_wheel(host, c->y);
  else sinew_host_send_mouse(host, c->x, c->y);
}

static void send_due(sinew_scene *scene, const changes *all, double from, double to) {
  for (int i = 0; i < all->count; i++)
    if (all->items[i].time >= from && all->items[i].time < to) send_change(scene->host, &all->items[i]);
}

static const double step = 1.0 / 60.0;

/* ---- what it takes ---- */

/* The joints of a frame, once for each clip, layer and modifier that may visit them. */
static int64_t joints_of_actor(const sinew_stage *stage, sinew_actor actor) {
  int layers = sinew_actor_layer_count(stage, actor);
  int64_t walks = 1 + layers + sinew_actor_modifier_count(stage, actor);
  for (int i = 0; i < layers; i++) walks += sinew_actor_action_count(stage, actor, i);
  return walks * sinew_model_joint_count(sinew_actor_model(stage, actor));
}

static int64_t joints_of_crowd(const crowd_body *body) {
  return body->values ? (int64_t)body->count * sinew_model_joint_count(body->model) : 0;
}

static int64_t joints_of_frame(const declarations *all) {
  int64_t joints = 0;
  for (int i = 0; i < sinew_stage_actor_count(all->stage); i++)
    joints += joints_of_actor(all->stage, sinew_stage_actor(all->stage, i));
  for (int i = 0; i < all->crowds.count; i++) joints += joints_of_crowd(&crowd_at(all, i)->body);
  return joints;
}

/* The Lua code of a program has no limit. The callbacks have already been charged. */
static void charge_frame(lua_State *L, sinew_scene *scene) {
  double limit = SIMULATED * (double)scene->def.instruction_limit;
  scene->simulated += FRAME_COST + (double)joints_of_frame(&scene->declarations);
  if (scene->is_guest || scene->simulated <= limit) return;
  luaL_error(L,
             "sinew.simulate: the test asks for too much: more than %f million instructions and joints in its frames; "
             "simulate less time or fewer characters",
             limit / 1e6);
}

/* ---- frames ---- */

static void simulate(lua_State *L, int64_t frames, const changes *all) {
  sinew_scene *scene = scene_of(L);
  sinew_error error;
  for (int64_t frame = 0; frame < frames; frame++) {
    send_due(scene, all, ((double)frame - 0.5) * step, ((double)frame + 0.5) * step);
    if (!sinew_host_step(scene->host, step, &error)) luaL_error(L, "sinew.simulate: %s", error.message);
    if (scene->problem[0]) luaL_error(L, "sinew.simulate: frame %d: %s", (int)frame + 1, scene->problem);
    budget_rest(scene);
    charge_frame(L, scene);
  }
}

int test_simulate(lua_State *L) {
  sinew_scene *scene = scene_of(L);
  lua_settop(L, 1);
  if (!scene->testing) return luaL_error(L, "sinew.simulate works inside sinew.test() only");
  if (L != scene->L) return luaL_error(L, "sinew.simulate cannot run inside a coroutine");
  if (scene->in_frame) return luaL_error(L, "sinew.simulate cannot run inside a frame: call it from sinew.test itself");
  double seconds = option_number(L, 1, "seconds", 0), frames = option_number(L, 1, "frames", 0);
  if (seconds > 0 && frames > 0) return luaL_error(L, "sinew.simulate: give seconds or frames, not both");
  if (seconds > 0) frames = floor(seconds / step + 0.5);
  if (frames > 1e6) return luaL_error(L, "sinew.simulate: at most a million frames");
  changes *all = lua_newuserdatauv(L, sizeof *all, 0);
  all->count = 0;
  read_changes(L, "keys", step, all);
  read_changes(L, "mouse", step, all);
  simulate(L, (int64_t)frames, all);
  return 0;
}
