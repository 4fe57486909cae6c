/* Modifiers of actors as scripts see them: setting them, changing their values, and their functions. */
#include "api/graph/node.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Both begin with the id of the actor's record. */
typedef struct modifiers_handle {
  int64_t actor;
  int hint;
} modifiers_handle;

typedef struct modifier_handle {
  int64_t actor;
  int hint;
  char name[DECLARED_NAME];
} modifier_handle;

static actor_record *record_check(lua_State *L, int64_t id, int *hint) {
  actor_record *record = declarations_actor_near(&scene_of(L)->declarations, id, hint);
  if (!record) actor_gone(L, id);
  return record;
}

/* ---- set_modifiers ---- */

static modifier_reader *push_reader(lua_State *L, const actor_record *record) {
  const sinew_model *model = declarations_actor_model(&scene_of(L)->declarations, record);
  lua_newtable(L);
  int keep = lua_gettop(L);
  lua_newtable(L);
  int functions = lua_gettop(L);
  int joints = sinew_model_joint_count(model);
  sinew_mat3x4 *rest = lua_newuserdatauv(L, (size_t)joints * sizeof *rest, 0);
  size_t groups = (size_t)sinew_pose_group_count(joints);
  sinew_pose pose = {lua_newuserdatauv(L, groups * sizeof *pose.groups, 0), joints};
  sinew_model_rest_pose(model, pose);
  sinew_local_to_model(&(sinew_local_to_model_job){.model = model, .pose = pose, .output = rest});
  lua_pop(L, 1);
  modifier_reader *r = lua_newuserdatauv(L, sizeof *r, 0);
  memset(r, 0, sizeof *r);
  r->record = record;
  r->model = model;
  r->rest = rest;
  r->keep = keep;
  r->functions = functions;
  return r;
}

/* Stores the functions of a set under its id, in the epoch in force; at run time they replace those of the previous
 * set. */
static void remember_functions(lua_State *L, const actor_record *record, int64_t set, int functions) {
  epoch_push(L, "modifiers");
  if (!scene_of(L)->declarations.loading && declarations_modifiers_now(record)) {
    lua_pushnil(L);
    lua_rawseti(L, -2, declarations_modifiers_now(record)->id);
  }
  lua_pushvalue(L, functions);
  lua_rawseti(L, -2, set);
  lua_pop(L, 1);
}

static int call_set_modifiers(lua_State *L) {
  sinew_error error;
  char line[DECLARED_LINE];
  declarations *all = &scene_of(L)->declarations;
  actor_record *record = actor_check(L, 1);
  lua_settop(L, 2);
  scene_line(L, line);
  note_repeated(L, "gives modifiers", "call it once, and change their fields");
  modifier_reader *r = push_reader(L, record);
  modifiers_read(L, 2, r);
  int64_t id = ++all->next_id;
  remember_functions(L, record, id, r->functions);
  modifier_set *set = declarations_copy_modifiers(all, r->items, r->count);
  if (!set) return luaL_error(L, "not enough memory for modifiers");
  set->id = id;
  if (!declarations_set_modifiers(all, record, set, line, &error)) return luaL_error(L, "%s", error.message);
  return 0;
}

/* ---- actor.modifiers.look ---- */

static int unknown_modifier(lua_State *L, const actor_record *record, const modifier_set *set, const char *name) {
  const char *names[DECLARED_MODIFIERS];
  int count = set ? set->count : 0;
  for (int i = 0; i < count; i++) names[i] = set->items[i].def.name;
  lua_pushfstring(L, " in actor '%s'; actor:set_modifiers gives it some", record->head.name);
  return api_unknown(L, "no modifier", name, lua_tostring(L, -1), names, count);
}

static int modifiers_index(lua_State *L) {
  modifiers_handle *handle = api_check(L, 1, "actor_modifiers");
  const actor_record *record = record_check(L, handle->actor, &handle->hint);
  const modifier_set *set = declarations_modifiers(&scene_of(L)->declarations, record);
  const char *name = luaL_checkstring(L, 2);
  if (!queue_holds(L, 1) && declarations_find_modifier(set, name) < 0) return unknown_modifier(L, record, set, name);
  if (lua_getiuservalue(L, 1, 1), lua_getfield(L, -1, name) != LUA_TNIL) return 1;
  modifier_handle *m = api_new(L, "actor_modifier", sizeof *m, record->head.id);
  m->actor = record->head.id;
  declarations_copy(m->name, sizeof m->name, name);
  lua_pushvalue(L, -1);
  lua_setfield(L, -4, name); /* the same object again, for as long as the actor's exists */
  return 1;
}

static void get_modifiers(lua_State *L, const api_entry *entry) {
  const actor_record *record = actor_check(L, 1);
  if (api_push_part(L, entry->name)) return;
  modifiers_handle *handle = lua_newuserdatauv(L, sizeof *handle, 1);
  *handle = (modifiers_handle){record->head.id, 0};
  lua_newtable(L);
  lua_setiuservalue(L, -2, 1);
  if (luaL_newmetatable(L, "actor_modifiers")) {
    lua_pushcfunction(L, modifiers_index);
    lua_setfield(L, -2, "__index");
    lua_pushliteral(L, "modifiers");
    lua_setfield(L, -2, "__metatable");
  }
  lua_setmetatable(L, -2);
  api_keep_part(L, entry->name);
}

typedef struct modifier_view {
  actor_record *record;
  modifier_values *item, now;
  int index;
} modifier_view;

static modifier_view check(lua_State *L) {
  modifier_handle *handle = api_check(L, 1, "actor_modifier");
  const declarations *all = &scene_of(L)->declarations;
  modifier_view v = {.record = record_check(L, handle->actor, &handle->hint)};
  modifier_set *set = declarations_modifiers(all, v.record);
  v.index = declarations_find_modifier(set, handle->name);
  if (v.index < 0) unknown_modifier(L, v.record, set, handle->name);
  v.item = set->items + v.index;
  v.now = declarations_get_modifier(all, v.record, v.index);
  return v;
}

static void get_name(lua_State *L, const api_entry *entry) {
  (void)entry;
  lua_pushstring(L, check(L).item->def.name);
}

static void get_line(lua_State *L, const api_entry *entry) {
  (void)entry;
  lua_pushstring(L, check(L).item->line);
}

static void get_weight(lua_State *L, const api_entry *entry) {
  (void)entry;
  lua_pushnumber(L, (lua_Number)check(L).now.def.weight);
}

static void get_miss(lua_State *L, const api_entry *entry) {
  modifier_view v = check(L);
  const sinew_stage *stage = scene_of(L)->declarations.stage;
  int index = sinew_actor_find_modifier(stage, v.record->actor, v.item->def.name);
  (void)entry;
  lua_pushnumber(L, (lua_Number)sinew_actor_reach_error(stage, v.record->actor, index));
}

static void get_position(lua_State *L, const api_entry *entry) {
  modifier_view v = check(L);
  const sinew_vec3 *position = entry->data == 2 ? &v.now.def.pole : &v.now.def.target;
  if (isnan(position->x)) lua_pushnil(L);
  else vector_push(L, &position->x, 3);
}

/* 0: a weight, 1: a target, 2: a pole. */
static void check_has(lua_State *L, const modifier_values *item, int value) {
  static const char *const names[] = {"weight", "target", "pole"};
  bool aims = item->def.kind <= SINEW_MODIFIER_FABRIK, bends = item->def.kind == SINEW_MODIFIER_TWO_BONE;
  if (value == 0 || (value == 1 ? aims : bends)) return;
  luaL_error(L, "the modifier '%s' (%s) has no %s", item->def.name, item->line, names[value]);
}

static void set_value(lua_State *L, const api_entry *entry) {
  modifier_view v = check(L);
  check_has(L, v.item, entry->data);
  if (entry->data == 0) v.now.def.weight = (float)lua_tonumber(L, 3);
  if (entry->data == 1) modifier_target_read(L, 3, &v.now.def.target, &v.now.follows, "a modifier's target");
  if (entry->data == 2) vector_read(L, 3, &v.now.def.pole.x, 3);
  sinew_error error;
  declarations *all = &scene_of(L)->declarations;
  if (!declarations_set_modifier(all, v.record, v.index, &v.now, &error)) luaL_error(L, "%s", error.message);
  if (all->loading) scene_line(L, v.item->assigned[entry->data]);
}

/* ---- before each evaluation: targets that follow joints, and the ground ---- */

/* The function of a modifier of the set, or false. */
static bool push_function(lua_State *L, int64_t set, const char *name) {
  epoch_push_current(L, "modifiers");
  if (!lua_istable(L, -1) || lua_rawgeti(L, -1, set) != LUA_TTABLE) return false;
  return lua_getfield(L, -1, name) == LUA_TFUNCTION;
}

void ground_answer_read(lua_State *L, const char *whose, float *height, float normal[3]) {
  if (lua_type(L, -2) != LUA_TNUMBER || !isfinite((float)lua_tonumber(L, -2)))
    luaL_error(L, "the ground of %s returned no height", whose);
  if (!lua_isnil(L, -1) && !vector_read(L, -1, normal, 3))
    luaL_error(L, "the ground of %s returned an invalid normal", whose);
  *height = (float)lua_tonumber(L, -2);
}

typedef struct function_call {
  sinew_scene *scene;
  const actor_record *record;
  const char *name;
  const sinew_posed *posed;
  double dt;
} function_call;

/* Shows the error of a function and removes it: it has no effect until the next save. */
static int forget_function(lua_State *L) {
  const function_call *call = lua_touserdata(L, 1);
  epoch_push_current(L, "modifiers");
  if (lua_istable(L, -1) && lua_rawgeti(L, -1, declarations_modifiers_now(call->record)->id) == LUA_TTABLE) {
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, call->name);
  }
  return 0;
}

static void suspend(function_call *call) {
  char what[DECLARED_NAME + 32] = "the modifier ";
  declarations_copy(what + strlen(what), sizeof what - strlen(what), call->name);
  scene_show_problem(call->scene, event_index("update") + 1, what);
  scene_protect(call->scene, forget_function, call);
}

/* Shows the error if the actor would wait for itself; the target then stays where it was. */
static void follow(sinew_scene *scene, const actor_record *record, modifier_values *item, int modifier) {
  sinew_error error;
  char message[DECLARED_LINE + sizeof error.message + 2];
  if (declarations_follow(&scene->declarations, record, item, modifier, &error)) return;
  item->follows = (modifier_target){0};
  snprintf(message, sizeof message, "%s: %s", item->line, error.message);
  scene_report(scene, message);
}

static void update_actor(sinew_scene *scene, const actor_record *record) {
  const modifier_set *set = declarations_modifiers_now(record);
  for (int i = 0; set && i < set->count; i++) {
    modifier_values *item = set->items + i;
    follow(scene, record, item, i);
  }
}

void rig_update(sinew_scene *scene) {
  const declarations *all = &scene->declarations;
  sinew_stage_lock(all->stage);
  for (int i = 0; i < all->actors.count; i++) update_actor(scene, actor_at(all, i));
  sinew_stage_unlock(all->stage);
}

/* ---- functions over the pose, called by the stage ---- */

static int run_function(lua_State *L) {
  const function_call *call = lua_touserdata(L, 1);
  if (!push_function(L, declarations_modifiers_now(call->record)->id, call->name)) return 0;
  pose_push_living(L, call->posed);
  actor_push(L, call->record);
  lua_pushnumber(L, call->dt);
  lua_call(L, 3, 0);
  return 0;
}

/* Saves the pose, for a weight below 1 and in case the function fails; NULL when memory runs out. */
static sinew_pose_group *save_pose(sinew_scene *scene, const sinew_pose *pose) {
  int count = sinew_pose_group_count(pose->joint_count);
  if (count > scene->saved_pose_size) {
    declarations_free(&scene->declarations, scene->saved_pose);
    scene->saved_pose = declarations_allocate(&scene->declarations, (size_t)count * sizeof *scene->saved_pose);
    scene->saved_pose_size = scene->saved_pose ? count : 0;
  }
  if (scene->saved_pose) memcpy(scene->saved_pose, pose->groups, (size_t)count * sizeof *pose->groups);
  return scene->saved_pose;
}

static void blend_back(const sinew_posed *posed, sinew_pose_group *saved, float weight) {
  sinew_pose before = {saved, posed->pose.joint_count};
  sinew_layer_job layer = {before, posed->pose, weight, NULL, before, posed->model};
  sinew_local_to_model_job model = {posed->model, posed->pose, posed->joints, 0};
  if (weight >= 1) return;
  sinew_layer(&layer);
  memcpy(posed->pose.groups, saved, (size_t)sinew_pose_group_count(before.joint_count) * sizeof *saved);
  sinew_local_to_model(&model);
}

void rig_call(void *user, sinew_actor actor, int modifier, const sinew_posed *posed, float weight, double dt) {
  sinew_scene *scene = user;
  const actor_record *record = declarations_actor_on_stage(&scene->declarations, actor);
  if (!record || !declarations_modifiers_now(record) || modifier >= declarations_modifiers_now(record)->count) return;
  if (!budget_allows(scene)) return;
  function_call call = {scene, record, declarations_modifiers_now(record)->items[modifier].def.name, posed, dt};
  sinew_pose_group *saved = save_pose(scene, &posed->pose);
  if (!saved) return;
  scene->modified = record;
  bool fine = scene_protect(scene, run_function, &call);
  scene->modified = NULL;
  pose_end_living(scene->L);
  blend_back(posed, saved, fine ? weight : 0);
  if (!fine) suspend(&call);
}

/* ---- the ground under feet, called by the stage ---- */

typedef struct ground_call {
  function_call call;
  float x, z, height, normal[3];
} ground_call;

static int ask_ground(lua_State *L) {
  ground_call *g = lua_touserdata(L, 1);
  const modifier_set *set = declarations_modifiers_now(g->call.record);
  int at = declarations_find_modifier(set, g->call.name);
  if (at < 0 || !push_function(L, set->id, g->call.name)) return 0;
  lua_pushnumber(L, (lua_Number)g->x);
  lua_pushnumber(L, (lua_Number)g->z);
  lua_call(L, 2, 2);
  lua_pushfstring(L, "the modifier '%s' (%s)", g->call.name, set->items[at].line);
  lua_insert(L, -3);
  ground_answer_read(L, lua_tostring(L, -3), &g->height, g->normal);
  return 0;
}

/* Without an answer, there is no ground. */
float rig_ground(void *user, sinew_actor actor, int modifier, float x, float z, sinew_vec3 *normal) {
  sinew_scene *scene = user;
  const actor_record *record = declarations_actor_on_stage(&scene->declarations, actor);
  if (!record || !declarations_modifiers_now(record) || modifier >= declarations_modifiers_now(record)->count)
    return NAN;
  if (!budget_allows(scene)) return NAN;
  ground_call g = {
      {scene, record, declarations_modifiers_now(record)->items[modifier].def.name, NULL, 0}, x, z, NAN, {0, 1, 0}};
  if (!scene_protect(scene, ask_ground, &g)) suspend(&g.call);
  *normal = (sinew_vec3){g.normal[0], g.normal[1], g.normal[2]};
  return g.height;
}

const api_entry api_rig_entries[] = {
    {"actor", "set_modifiers", API_METHOD, "modifiers: list", "",
     "Sets the actor's modifiers, in the order in which they act: { sinew.look_at { … }, sinew.ik { … } }.",
     .call = call_set_modifiers, .cost = 2000, .waits = true},
    {"actor", "modifiers", API_FIELD, "sinew.Modifiers", "",
     "Its modifiers by name: actor.modifiers.look.target = { 0, 1.6, 4 }.", .get = get_modifiers},
    {"actor_modifier", "name", API_FIELD, "string", "", "Its name.", .get = get_name},
    {"actor_modifier", "line", API_FIELD, "string", "", "The line that declared it.", .get = get_line},
    {"actor_modifier", "weight", API_FIELD, "weight", "", "Its weight, from 0 to 1.", .get = get_weight,
     .set = set_value, .data = 0},
    {"actor_modifier", "target", API_FIELD, "vec3|table|nil", "",
     "A point in world space, or { actor, \"joint\" } to follow a joint; nil for no effect.", .get = get_position,
     .set = set_value, .data = 1},
    {"actor_modifier", "pole", API_FIELD, "vec3", "", "A point in world space that the middle joint bends towards.",
     .get = get_position, .set = set_value, .data = 2},
    {"actor_modifier", "reach_error", API_FIELD, "number", "",
     "The distance from tip to target in the last frame, in metres.", .get = get_miss},
    {0}};
