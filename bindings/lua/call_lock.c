/* The lock on calls: decides for each call of a script whether it is allowed now.
 *
 * While the stage is locked, nothing that is being walked may change. And while one of our functions is at work, a
 * script may run inside it: a metamethod of an argument, or the position function of a sample. For that script the lock
 * is closed as well. Functions not listed below change something and are refused; so a new function is refused until
 * somebody has thought about it. */
#include "core/call_lock.h"

#include <string.h>

/* "owner.name", or "owner.*". */
static const char *const reads[] = {
    /* of things */
    "actor.joint", "actor.curve", "actor.events", "actor.state", "actor.history", "actor.playing", "actor.transition",
    "sinew.timeline", "actor.root_delta", "actor.pose", "actor.vertices", "actor.bounds", "crowd.joint", "crowd.state",
    "crowd_array.read", "model.clips", "model.curves", "model.joints", "model.morphs", "model.roles", "model.duration",
    "model.velocity", "model.mask", "model.sample", "model.rest", "model.match", "model.meshes", "model.find_steps",
    "pose.*",
    /* of sinew */
    "sinew.clip", "sinew.blend", "sinew.blend_space_1d", "sinew.blend_space_2d", "sinew.switch", "sinew.state_machine",
    "sinew.keep", "sinew.check", "sinew.help", "sinew.log", "sinew.report", "sinew.is_down", "sinew.strength",
    "sinew.mouse", "sinew.wheel", "sinew.damp", "sinew.clamp", "sinew.lerp", "sinew.vec3", "sinew.load_pose",
    "sinew.look_at", "sinew.ik", "sinew.chain", "sinew.spring", "sinew.limit", "sinew.copy_transform", "sinew.twist",
    "sinew.plant", "sinew.warp", "sinew.modifier", "sinew.raycast", "sinew.ground", "sinew.ui.*", "sinew.debug.*",
    NULL};
/* Done at once: no walk depends on these values, and a script may read them back. */
static const char *const writes[] = {
    "actor_modifier.weight", "actor_modifier.target", "actor_modifier.pole", "actor.send", "sinew.camera.*",
    "sinew.light.*",         "sinew.view.*",          "sinew.help_text",     "sinew.quit", NULL};
/* Deferred until the lock opens. */
static const char *const waits[] = {"actor.remove", "crowd.remove", NULL};
/* They call functions of the script, and use nothing of their own meanwhile. */
static const char *const calls[] = {"sinew.simulate", "sinew.level",   "sinew.ui.panel",
                                    "sinew.ui.tree",  "sinew.ui.tabs", NULL};

/* After these a pose may jump; the marks of measured actors name them. In a function of a modifier, those of a pose. */
static const char *const moves[] = {"actor.play",
                                    "actor.stop",
                                    "actor.set_graph",
                                    "actor.clear_graph",
                                    "actor.set_modifiers",
                                    "layer.play",
                                    "layer.stop",
                                    "layer.fade",
                                    "layer.set_mask",
                                    "layer.weight",
                                    "layer.mode",
                                    "action.stop",
                                    "action.seek",
                                    "action.go_to",
                                    "action.time",
                                    "action.phase",
                                    "action.loop",
                                    "action.weight",
                                    "action.paused",
                                    "action.speed",
                                    "actor_modifier.weight",
                                    "actor_modifier.target",
                                    "actor_modifier.pole",
                                    "pose.set",
                                    "pose.rotate",
                                    "pose.ik",
                                    "pose.write",
                                    "pose.blend",
                                    "pose.add",
                                    "pose.take",
                                    "pose.mirror",
                                    NULL};
/* After these an actor may. */
static const char *const places[] = {"actor.position", "actor.rotation", "actor.scale",
                                     "actor.attach",   "actor.detach",   NULL};

static bool is_listed(const char *const *list, const api_entry *entry) {
  size_t size = strlen(entry->owner);
  for (; *list; list++) {
    if (strncmp(*list, entry->owner, size) != 0 || (*list)[size] != '.') continue;
    if (strcmp(*list + size + 1, "*") == 0 || strcmp(*list + size + 1, entry->name) == 0) return true;
  }
  return false;
}

const char *const *const call_lock_lists[] = {reads, writes, waits, calls, moves, places, NULL};

call_access call_access_of(const api_entry *entry) {
  if (is_listed(waits, entry)) return CALL_DEFERRED;
  return is_listed(reads, entry) || is_listed(writes, entry) ? CALL_ALLOWED : CALL_REFUSED;
}

bool call_lock_calls(const api_entry *entry) { return is_listed(calls, entry); }

int call_lock_moves(const api_entry *entry) {
  return is_listed(moves, entry) ? SINEW_NOTE_POSE : is_listed(places, entry) ? SINEW_NOTE_PLACE : -1;
}

/* ---- the running functions ---- */

/* Lua finds a level by counting down to it, so walking a deep stack costs its square. */
static bool pays(lua_State *L, int level) {
  enum { LEVELS_AT_ONCE = 8 };
  if (level % LEVELS_AT_ONCE == 0) budget_add(scene_of(L), level);
  return !scene_of(L)->budget.over;
}

/* Whether one of our functions is at work below the running one on this coroutine; also true if the script cannot pay
 * for a further search. */
static bool is_inside(lua_State *L) {
  lua_Debug info;
  for (int level = 1; lua_getstack(L, level, &info); level++) {
    if (!pays(L, level)) return true;
    lua_getinfo(L, "f", &info);
    bool works = scene_of(L)->is_at_work(L);
    lua_pop(L, 1);
    if (works) return true;
  }
  return false;
}

/* The count is too high after an error or a yield left one of our functions: then the stack decides. */
static bool is_held(lua_State *L) {
  sinew_scene *scene = scene_of(L);
  if (scene->at_work == 0) return false;
  bool held = scene->resumed_inside || is_inside(L);
  if (!held) scene->at_work = 0;
  return held;
}

bool call_lock_resume(lua_State *L) {
  sinew_scene *scene = scene_of(L);
  bool before = scene->resumed_inside;
  scene->resumed_inside = is_held(L);
  return before;
}

void call_lock_resumed(sinew_scene *scene, bool before) { scene->resumed_inside = before; }

/* ---- asking ---- */

static const char *reason_of(lua_State *L) {
  sinew_scene *scene = scene_of(L);
  bool passes = scene->passes;
  scene->passes = false;
  if (sinew_stage_is_locked(scene->declarations.stage))
    return "the stage is being updated; do it in update() or in an event handler";
  if (scene->at_work && !passes && is_held(L))
    return "another function of sinew is running, and called this one (a metamethod, or the function of a "
           "sample's position); do it before or after";
  return NULL;
}

bool call_lock_is_open(lua_State *L) { return reason_of(L) == NULL; }

void call_lock_check(lua_State *L, const char *what) {
  const char *reason = reason_of(L);
  if (reason) luaL_error(L, "%s: %s", what, reason);
}

void call_lock_call(lua_State *L, int arguments, int results) {
  scene_of(L)->passes = true;
  lua_call(L, arguments, results);
}

/* ---- what waits ---- */

static const char waiting_key;

/* Pushes the deferred functions and their objects alternately in a list; the objects are keys, too. */
static void push_waiting(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &waiting_key) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &waiting_key);
}

int call_lock_defer(lua_State *L) {
  push_waiting(L);
  lua_Integer count = (lua_Integer)lua_rawlen(L, -1);
  lua_pushvalue(L, 1); /* an identical call is done only once */
  if (lua_rawget(L, -2) != LUA_TNIL) return 0;
  lua_pop(L, 1);
  lua_pushvalue(L, 1);
  lua_pushboolean(L, 1);
  lua_rawset(L, -3);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, count + 1);
  lua_pushvalue(L, 1);
  lua_rawseti(L, -2, count + 2);
  scene_of(L)->waiting = true;
  return 0;
}

static int run_waiting(lua_State *L) {
  push_waiting(L);
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &waiting_key);
  for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TFUNCTION; i += 2) {
    lua_rawgeti(L, -2, i + 1);
    if (!scene_call(scene_of(L), 1, 0)) scene_show_problem(scene_of(L), SLOT_QUEUE, "");
  }
  return 0;
}

void call_lock_opened(sinew_scene *scene) {
  if (!scene->waiting || sinew_stage_is_locked(scene->declarations.stage)) return;
  scene->waiting = false;
  if (!scene_protect(scene, run_waiting, NULL)) scene_show_problem(scene, SLOT_QUEUE, "");
}

void call_lock_leave(lua_State *L) {
  if (scene_of(L)->waiting && !is_held(L)) call_lock_opened(scene_of(L));
}
