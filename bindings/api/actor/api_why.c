/* Asking actors: why a joint is where it is, and how well they move. */
#include "api/graph/node.h"

#include <sinew/metrics.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CAUSES = 512, WHY_TEXT = 400, MEASURE_COST = 75 /* a joint */ };

/* ---- actor:explain ---- */

static const char *const kinds[] = {"clip", "clip", "rest", "layer", "inertia", "modifier"};

static const char *layer_line(const actor_record *record, const char *name) {
  const layer_record *layer = declarations_find_layer(record, name);
  return layer ? layer->head.line : record->head.line;
}

static const char *node_line(const actor_record *record, const char *layer_name, int node) {
  const layer_record *layer = declarations_find_layer(record, layer_name);
  const graph_record *graph = declarations_find_graph(record, layer ? layer->head.id : 0);
  const graph_copy *copy = graph ? graph->last : NULL;
  return copy && node >= 0 && node < copy->def.node_count ? copy->node_lines[node] : NULL;
}

static const char *modifier_line(const declarations *all, const actor_record *record, int modifier) {
  const modifier_set *set = declarations_modifiers(all, record);
  return set && modifier < set->count ? set->items[modifier].line : NULL;
}

const char *cause_line(const declarations *all, const actor_record *record, const sinew_cause *cause,
                       const char *layer) {
  switch (cause->kind) {
  case SINEW_CAUSE_ACTION: return declarations_action_line(all, record, cause->action);
  case SINEW_CAUSE_NODE: return node_line(record, layer, cause->node);
  case SINEW_CAUSE_LAYER: return layer_line(record, layer);
  case SINEW_CAUSE_REST: return record->head.line;
  case SINEW_CAUSE_MODIFIER: return modifier_line(all, record, cause->modifier);
  case SINEW_CAUSE_INERTIA: break;
  }
  return NULL;
}

static const char *name_of(const sinew_stage *stage, sinew_actor actor, const sinew_cause *cause, const char *layer) {
  if (cause->clip >= 0) return sinew_clip_name(sinew_model_clip(sinew_actor_model(stage, actor), cause->clip));
  if (cause->modifier >= 0) return sinew_actor_modifier_name(stage, actor, cause->modifier);
  return cause->kind == SINEW_CAUSE_LAYER ? layer : kinds[cause->kind];
}

static void set_text(lua_State *L, const char *field, const char *text) {
  if (text && text[0]) lua_pushstring(L, text), lua_setfield(L, -2, field);
}

static void set_number(lua_State *L, const char *field, float value) {
  lua_pushnumber(L, (lua_Number)value);
  lua_setfield(L, -2, field);
}

static bool find_transition(const declarations *all, const actor_record *record, const sinew_cause *cause,
                            transition_words *words) {
  bool passes = cause->kind == SINEW_CAUSE_NODE || cause->kind == SINEW_CAUSE_INERTIA;
  *words = (transition_words){.line = NULL};
  return passes && transition_find(all, record, cause->layer, cause->node, words);
}

bool scene_cause_sentence(sinew_scene *scene, sinew_actor actor, const sinew_cause *cause, char *out, size_t size) {
  const actor_record *record = declarations_actor_on_stage(&scene->declarations, actor);
  transition_words words;
  if (!record || !find_transition(&scene->declarations, record, cause, &words)) return false;
  snprintf(out, size, words.line ? "%s (%s)" : "%s", words.text, words.line);
  return true;
}

/* Pushes a table and its line of text. */
static void push_cause(lua_State *L, const actor_record *record, const sinew_cause *cause) {
  const sinew_stage *stage = scene_of(L)->declarations.stage;
  const char *layer = cause->layer >= 0 ? sinew_actor_layer_name(stage, record->actor, cause->layer) : NULL;
  const char *name = name_of(stage, record->actor, cause, layer),
             *line = cause_line(&scene_of(L)->declarations, record, cause, layer);
  transition_words words;
  bool changes = find_transition(&scene_of(L)->declarations, record, cause, &words);
  float degrees = cause->angle * 57.29578f;
  char text[WHY_TEXT];
  lua_createtable(L, 0, 9);
  set_text(L, "kind", kinds[cause->kind]);
  set_text(L, "name", name);
  set_text(L, "layer", layer);
  set_text(L, "line", line);
  set_text(L, "transition", changes ? words.text : NULL);
  set_text(L, "transition_line", changes ? words.line : NULL);
  set_number(L, "weight", cause->weight);
  set_number(L, "degrees", degrees);
  set_number(L, "metres", cause->distance);
  snprintf(text, sizeof text, "\n  %-8s %-20.40s %6.1f %%  %6.1f°  %7.4f m  %.40s%s%.60s%s%.130s%s%.60s",
           kinds[cause->kind], name, (double)cause->weight * 100, (double)degrees, (double)cause->distance,
           layer ? layer : "", line && line[0] ? "  " : "", line ? line : "", changes ? "  in " : "",
           changes ? words.text : "", words.line ? "  " : "", words.line ? words.line : "");
  lua_pushstring(L, text);
}

static int list_tostring(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  return 1;
}

/* Attaches the text at the top to the list below it, as what the list prints. */
static void give_text(lua_State *L) {
  lua_createtable(L, 0, 2);
  lua_insert(L, -2);
  lua_pushcclosure(L, list_tostring, 1);
  lua_setfield(L, -2, "__tostring");
  lua_pushliteral(L, "causes");
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
}

static void push_list(lua_State *L, const actor_record *record, const sinew_cause *causes, int count) {
  lua_createtable(L, count, 0);
  lua_pushfstring(L, "%s.%s", record->head.name, lua_tostring(L, 2));
  for (int i = 0; i < count; i++) {
    push_cause(L, record, causes + i);
    lua_insert(L, -2); /* list, text, line, table */
    lua_rawseti(L, -4, i + 1);
    lua_concat(L, 2);
  }
  give_text(L);
}

static int call_explain(lua_State *L) {
  sinew_scene *scene = scene_of(L);
  const actor_record *record = actor_check(L, 1);
  sinew_error error;
  lua_settop(L, 2);
  refuse_while_loading(L, "actor:explain", "ask later");
  int joint = joint_check(L, declarations_actor_model(&scene->declarations, record), 2);
  sinew_cause *causes = lua_newuserdatauv(L, CAUSES * sizeof *causes, 0);
  int count = sinew_actor_explain(scene->declarations.stage, record->actor, joint, causes, CAUSES, &error);
  if (count < 0) return luaL_error(L, "actor:explain: %s", error.message);
  push_list(L, record, causes, count < CAUSES ? count : CAUSES);
  return 1;
}

/* ---- actor:measure, actor.metrics ---- */

static int read_feet(lua_State *L, const sinew_model *model, int feet[SINEW_FEET_MAX]) {
  int count = (int)lua_rawlen(L, -1);
  if (count > SINEW_FEET_MAX) return luaL_error(L, "actor:measure: at most %d feet", SINEW_FEET_MAX);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, -1, i + 1);
    feet[i] = joint_check(L, model, -1);
    lua_pop(L, 1);
  }
  return count;
}

/* The ground function, kept for as long as the actor is measured. The stage gets this object; it finds the function in
 * the registry by the id of the actor's record. */
typedef struct ground_handle {
  sinew_scene *scene;
  int64_t actor;
  bool failed;
} ground_handle;

static const char grounds_key;

static void push_grounds(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &grounds_key) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &grounds_key);
}

typedef struct ground_question {
  const ground_handle *handle;
  float x, z, height, normal[3];
} ground_question;

static int ask_ground(lua_State *L) {
  ground_question *q = lua_touserdata(L, 1);
  push_grounds(L);
  lua_rawgeti(L, -1, q->handle->actor);
  lua_getiuservalue(L, -1, 1);
  lua_pushnumber(L, (lua_Number)q->x);
  lua_pushnumber(L, (lua_Number)q->z);
  lua_call(L, 2, 2);
  ground_answer_read(L, "actor:measure", &q->height, q->normal);
  return 0;
}

/* If the function fails, the error is shown, and it is not called again: then there is no ground. */
static float ground_at(void *user, float x, float z, sinew_vec3 *normal) {
  ground_handle *handle = user;
  ground_question q = {.handle = handle, .x = x, .z = z, .normal = {0, 1, 0}};
  if (handle->failed) return NAN;
  handle->failed = !scene_protect(handle->scene, ask_ground, &q);
  if (handle->failed) scene_show_problem(handle->scene, event_index("update") + 1, "the ground of actor:measure");
  *normal = (sinew_vec3){q.normal[0], q.normal[1], q.normal[2]};
  return handle->failed ? NAN : q.height;
}

static int forget_grounds(lua_State *L) {
  const declarations *all = &scene_of(L)->declarations;
  push_grounds(L);
  lua_pushnil(L);
  while (lua_next(L, 2)) {
    lua_pop(L, 1);
    if (declarations_actor(all, (int64_t)lua_tointeger(L, -1))) continue;
    lua_pushvalue(L, -1);
    lua_pushnil(L);
    lua_rawset(L, 2);
  }
  return 0;
}

void grounds_update(sinew_scene *scene) {
  if (scene->grounds_seen == scene->declarations.forgotten) return;
  scene->grounds_seen = scene->declarations.forgotten;
  scene_protect(scene, forget_grounds, NULL);
}

/* Whether the scripts measure it: a host may measure an actor, too. */
bool scene_measures(lua_State *L, const actor_record *record) {
  push_grounds(L);
  bool measured = lua_rawgeti(L, -1, record->head.id) != LUA_TNIL;
  lua_pop(L, 2);
  return measured;
}

/* Leaves on the stack the object that the caller keeps while the actor is measured: that of the function, or false. */
static void push_ground(lua_State *L, const actor_record *record, sinew_metrics_def *def) {
  if (!option_push(L, 2, "ground")) {
    lua_pushboolean(L, false);
    return;
  }
  ground_handle *handle = lua_newuserdatauv(L, sizeof *handle, 1);
  *handle = (ground_handle){.scene = scene_of(L), .actor = record->head.id};
  lua_insert(L, -2);
  lua_setiuservalue(L, -2, 1);
  def->ground = ground_at;
  def->user = handle;
}

static int call_measure(lua_State *L) {
  const declarations *all = &scene_of(L)->declarations;
  const actor_record *record = actor_check(L, 1);
  int feet[SINEW_FEET_MAX];
  sinew_error error;
  lua_settop(L, 2);
  refuse_while_loading(L, "actor:measure", "begin later");
  budget_charge(L, (int64_t)sinew_model_joint_count(declarations_actor_model(all, record)) * MEASURE_COST);
  sinew_metrics_def def = sinew_metrics_def_default();
  def.foot_height = (float)option_number(L, 2, "height", (double)def.foot_height);
  if (option_push(L, 2, "feet")) {
    def.foot_count = read_feet(L, declarations_actor_model(all, record), feet);
    def.feet = feet;
  }
  lua_settop(L, 2);
  push_ground(L, record, &def);
  push_grounds(L);
  lua_insert(L, -2);
  if (!sinew_actor_set_metrics(all->stage, record->actor, &def, &error))
    return luaL_error(L, "actor:measure: %s", error.message);
  lua_rawseti(L, -2, record->head.id);
  return 0;
}

static void set_joint(lua_State *L, const char *field, const sinew_model *model, int joint) {
  if (joint < 0) return;
  joint_push(L, model, joint);
  lua_setfield(L, -2, field);
}

static void get_metrics(lua_State *L, const api_entry *entry) {
  const sinew_stage *stage = scene_of(L)->declarations.stage;
  const actor_record *record = actor_check(L, 1);
  sinew_actor actor = record->actor;
  const sinew_model *model = sinew_actor_model(stage, actor);
  sinew_metrics m;
  (void)entry;
  if (!scene_measures(L, record) || !sinew_actor_metrics(stage, actor, &m)) {
    lua_pushnil(L);
    return;
  }
  lua_createtable(L, 0, 14);
  set_number(L, "seconds", (float)m.seconds);
  set_number(L, "slide", m.slide_mean);
  set_number(L, "slide_max", m.slide_max);
  set_number(L, "pop", m.pop);
  set_number(L, "reach", m.reach);
  set_number(L, "pop_time", (float)m.pop_seconds);
  set_joint(L, "slide_joint", model, m.slide_joint);
  set_joint(L, "pop_joint", model, m.pop_joint);
  set_number(L, "turn", m.turn);
  set_number(L, "turn_time", (float)m.turn_seconds);
  set_joint(L, "turn_joint", model, m.turn_joint);
  set_number(L, "slid", (float)m.slid);
  set_text(L, "reach_modifier",
           m.reach_modifier >= 0 ? sinew_actor_modifier_name(stage, actor, m.reach_modifier) : NULL);
}

const api_entry api_why_entries[] = {
    {"actor", "explain", API_METHOD, "joint: joint", "table",
     "Explains why a joint is where it is: a list of { kind, name, layer, weight, degrees, metres, line } in the order "
     "of evaluation. Clips that fade in a state machine, and the inertia of its last transition, have transition "
     "(\"idle -> run\") and transition_line. Print it to read it.",
     .call = call_explain, .cost = 20000},
    {"actor", "measure", API_METHOD, "options?: measure_options", "",
     "Starts measuring its motion; actor.metrics has the numbers.", .call = call_measure, .cost = 2000, .waits = true},
    {"actor", "metrics", API_FIELD, "table|nil", "",
     "The measurements since actor:measure, or nil: seconds; slide and slide_max (m/s of feet on the ground), "
     "slide_joint; pop (m, the largest jump of a joint's position), pop_joint, pop_time; turn (rad, the largest jump "
     "of "
     "a joint's own rotation), turn_joint, turn_time; slid (m, all feet together); reach (m, the largest reach "
     "error), reach_modifier.",
     .get = get_metrics},
    {0}};
