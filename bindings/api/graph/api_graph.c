/* Graphs of actors as scripts see them: parameters, setting a graph, sending events, reading its state. */
#include "api/graph/node.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- parameters ---- */

typedef struct params_handle {
  int64_t actor;
  int hint;
} params_handle;

static int find_param(lua_State *L, actor_record **record) {
  params_handle *handle = api_check(L, 1, "actor_params");
  const char *names[DECLARED_PARAMS], *name = luaL_checkstring(L, 2);
  *record = declarations_actor_near(&scene_of(L)->declarations, handle->actor, &handle->hint);
  if (!*record) actor_gone(L, handle->actor);
  int index = declarations_param_index(*record, name);
  if (index >= 0) return index;
  const declaration_list *params = &(*record)->parts[PART_PARAMS];
  for (int i = 0; i < params->count; i++) names[i] = params->items[i]->name;
  lua_pushfstring(L, " in actor '%s'; declare it with params = { %s = 0 }", (*record)->head.name, name);
  api_unknown(L, "no parameter", name, lua_tostring(L, -1), names, params->count);
  return -1;
}

static int params_index(lua_State *L) {
  actor_record *record;
  int index = find_param(L, &record);
  lua_pushnumber(L, declarations_param(&scene_of(L)->declarations, record, index));
  return 1;
}

static int params_newindex(lua_State *L) {
  actor_record *record;
  int index = find_param(L, &record), is_number;
  double value = lua_tonumberx(L, 3, &is_number);
  if (!is_number || !isfinite(value))
    return luaL_error(L, "actor.params.%s must be a finite number", lua_tostring(L, 2));
  scene_note_line(L);
  note_change(L, record, SINEW_NOTE_POSE, lua_pushfstring(L, "actor.params.%s", lua_tostring(L, 2)));
  declarations_set_param(&scene_of(L)->declarations, record, index, value);
  return 0;
}

static void get_params(lua_State *L, const api_entry *entry) {
  const actor_record *record = actor_check(L, 1);
  if (api_push_part(L, entry->name)) return;
  params_handle *handle = lua_newuserdatauv(L, sizeof *handle, 0);
  *handle = (params_handle){record->head.id, 0};
  if (luaL_newmetatable(L, "actor_params")) {
    lua_pushcfunction(L, params_index);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, params_newindex);
    lua_setfield(L, -2, "__newindex");
    lua_pushliteral(L, "params");
    lua_setfield(L, -2, "__metatable");
  }
  lua_setmetatable(L, -2);
  api_keep_part(L, entry->name);
}

/* Sorted by name, because a table has no order. */
int params_read(lua_State *L, int options, const char *caller, const char **names, double *values, int most) {
  int count = 0;
  if (!option_push(L, options, "params")) return 0;
  int table = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, table)) {
    if (lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TNUMBER || !isfinite(lua_tonumber(L, -1)))
      luaL_error(L, "%s: params are names with numbers, as in params = { speed = 0 }; a flag is 0 or 1", caller);
    if (count == most) luaL_error(L, "%s: there are %d params at most", caller, most);
    const char *name = lua_tostring(L, -2);
    if (!name[0] || strlen(name) >= DECLARED_NAME)
      luaL_error(L, "%s: the name of a parameter has 1 to %d bytes", caller, DECLARED_NAME - 1);
    int k = count++;
    for (; k > 0 && strcmp(names[k - 1], name) > 0; k--) names[k] = names[k - 1], values[k] = values[k - 1];
    names[k] = name;
    values[k] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  lua_settop(L, table - 1);
  return count;
}

void params_declare(lua_State *L, int options, actor_record *record) {
  sinew_error error;
  const char *names[DECLARED_PARAMS];
  double values[DECLARED_PARAMS];
  declarations *all = &scene_of(L)->declarations;
  int count = params_read(L, options, "sinew.actor", names, values, DECLARED_PARAMS);
  for (int i = 0; i < count; i++)
    if (!declare_param(all, record, names[i], values[i], &error)) luaL_error(L, "%s", error.message);
}

/* ---- set_graph ---- */

/* The functions of a graph, by its id, in the epoch in force. */
static void remember_functions(lua_State *L, int64_t graph, int functions) {
  epoch_push(L, "graphs");
  lua_pushvalue(L, functions);
  lua_rawseti(L, -2, (lua_Integer)graph);
  lua_pop(L, 1);
}

static node_reader *push_reader(lua_State *L, const actor_record *record, int64_t graph) {
  node_reader *r =
      node_push_reader(L, declarations_actor_model(&scene_of(L)->declarations, record), "actor", record->head.name);
  r->graph = graph;
  const declaration_list *params = &record->parts[PART_PARAMS];
  for (int i = 0; i < params->count; i++) r->params[r->param_count++] = params->items[i]->name;
  return r;
}

static int call_set_graph(lua_State *L) {
  note_repeated(L, "begins a graph", "call it once, and set its parameters");
  sinew_error error;
  char line[DECLARED_LINE];
  declarations *all = &scene_of(L)->declarations;
  actor_record *record = actor_check(L, 1);
  lua_settop(L, 3);
  int64_t layer = layer_option(L, record, 3, 0);
  graph_record *graph = declarations_need_graph(all, record, layer, &error);
  if (!graph) return luaL_error(L, "%s", error.message);
  node_reader *r = push_reader(L, record, graph->head.id);
  node_read(L, 2, r);
  graph_copy read = node_graph(r);
  node_check(L, r);
  scene_line(L, line);
  if (!r->node_lines[0][0]) r->node_lines[0] = line;
  for (int i = 0; i < read.def.node_count; i++)
    if (read.def.nodes[i].kind == SINEW_NODE_CLIP)
      note_still(L, record, layer, read.def.nodes[i].clip, r->node_lines[i]);
  remember_functions(L, graph->head.id, r->functions);
  graph_copy *copy = declarations_copy_graph(all, &read);
  if (!copy) return luaL_error(L, "not enough memory for a graph");
  double fade = option_number(L, 3, "fade", 0.2);
  if (!declarations_set_graph(all, record, graph, copy, fade, line, &error)) return luaL_error(L, "%s", error.message);
  return 0;
}

static int call_clear_graph(lua_State *L) {
  sinew_error error;
  char line[DECLARED_LINE];
  declarations *all = &scene_of(L)->declarations;
  actor_record *record = actor_check(L, 1);
  lua_settop(L, 2);
  graph_record *graph = declarations_find_graph(record, layer_option(L, record, 2, 0));
  if (all->loading)
    return luaL_error(L, "actor:clear_graph cannot be called at the top level of a scene: leave actor:set_graph out");
  scene_line(L, line);
  if (graph && !declarations_set_graph(all, record, graph, NULL, option_number(L, 2, "fade", 0.2), line, &error))
    return luaL_error(L, "%s", error.message);
  return 0;
}

/* ---- sending and reading ---- */

static int call_send(lua_State *L) {
  const declarations *all = &scene_of(L)->declarations;
  const actor_record *record = actor_check(L, 1);
  if (all->loading) return luaL_error(L, "actor:send cannot be called at the top level of a scene");
  if (!sinew_actor_send(all->stage, record->actor, lua_tostring(L, 2)))
    return luaL_error(L, "actor:send: '%s' is not an event (1 to 63 bytes, 16 in a frame)", lua_tostring(L, 2));
  note_unsent(L, record, lua_tostring(L, 2));
  return 0;
}

const char *node_state_name(const graph_copy *graph, int machine, int state) {
  const sinew_node_def *n = graph->def.nodes + machine;
  const char *key = state >= 0 && state < n->child_count ? graph->def.nodes[n->first_child + state].key : NULL;
  return key ? key : "";
}

static bool find_machine(lua_State *L, sinew_machine_state *state, const graph_copy **graph, int *node) {
  const declarations *all = &scene_of(L)->declarations;
  const actor_record *record = actor_check(L, 1);
  int top = lua_gettop(L);
  int64_t layer = top > 2 ? layer_option(L, record, 3, 0) : 0;
  const graph_record *found = declarations_find_graph(record, layer);
  int index = declarations_layer_index(all, record, layer);
  *graph = found ? found->last : NULL;
  *node = *graph ? node_find(*graph, top > 1 ? luaL_optstring(L, 2, "") : "") : -1;
  if (*node < 0 && lua_type(L, 2) == LUA_TSTRING && lua_rawlen(L, 2)) note_path(L, record, lua_tostring(L, 2));
  return *node >= 0 && index >= 0 && sinew_actor_machine(all->stage, record->actor, index, *node, state);
}

static int call_state(lua_State *L) {
  sinew_machine_state state;
  const graph_copy *graph;
  int node;
  if (!find_machine(L, &state, &graph, &node)) return lua_pushnil(L), 1;
  lua_pushstring(L, node_state_name(graph, node, state.state));
  lua_pushnumber(L, state.time);
  lua_pushnumber(L, (lua_Number)state.fade);
  return 3;
}

static void push_past(lua_State *L, const graph_copy *graph, const char *name, const sinew_machine_state *state,
                      int i) {
  char reason[160];
  int index = state->left_by[i];
  lua_createtable(L, 0, 4);
  lua_pushstring(L, name);
  lua_setfield(L, -2, "state");
  lua_pushnumber(L, state->stayed[i]);
  lua_setfield(L, -2, "seconds");
  if (index < 0 || index >= graph->def.transition_count) return;
  transition_reason(graph->def.transitions + index, reason, sizeof reason);
  lua_pushstring(L, reason);
  lua_setfield(L, -2, "reason");
  lua_pushstring(L, graph->transition_lines[index]);
  lua_setfield(L, -2, "line");
}

static int call_history(lua_State *L) {
  sinew_machine_state state;
  const graph_copy *graph;
  int node;
  lua_settop(L, 3);
  bool is = find_machine(L, &state, &graph, &node);
  lua_newtable(L);
  lua_newtable(L);
  for (int i = 0; is && i < 8 && state.history[i] >= 0; i++) {
    const char *name = node_state_name(graph, node, state.history[i]);
    lua_pushstring(L, name);
    lua_rawseti(L, -3, i + 1);
    push_past(L, graph, name, &state, i);
    lua_rawseti(L, -2, i + 1);
  }
  return 2;
}

/* ---- functions of graphs, called by the scene ---- */

static bool push_function(lua_State *L, int64_t graph, int function) {
  epoch_push_current(L, "graphs");
  if (!lua_istable(L, -1) || lua_rawgeti(L, -1, (lua_Integer)graph) != LUA_TTABLE) return false;
  return lua_rawgeti(L, -1, function + 1) == LUA_TFUNCTION;
}

typedef struct ask {
  declarations *declarations;
  sinew_actor actor;
  int64_t condition;
  bool answer;
} ask;

static int ask_condition(lua_State *L) {
  ask *a = lua_touserdata(L, 1);
  const actor_record *record = declarations_actor_on_stage(a->declarations, a->actor);
  int64_t graph = (int64_t)a->condition / NODE_FUNCTIONS;
  if (!record || !push_function(L, graph, (int)(a->condition % NODE_FUNCTIONS))) return 0;
  actor_push(L, record);
  lua_call(L, 1, 1);
  a->answer = lua_toboolean(L, -1);
  return 0;
}

/* Shows the error of a condition and removes it: it is false until the next save. */
static int forget_function(lua_State *L) {
  const ask *a = lua_touserdata(L, 1);
  epoch_push_current(L, "graphs");
  if (lua_istable(L, -1) && lua_rawgeti(L, -1, a->condition / NODE_FUNCTIONS) == LUA_TTABLE) {
    lua_pushboolean(L, 0);
    lua_rawseti(L, -2, a->condition % NODE_FUNCTIONS + 1);
  }
  return 0;
}

static const char *condition_line(const ask *a) {
  const actor_record *record = declarations_actor_on_stage(a->declarations, a->actor);
  for (int i = 0; record && i < record->parts[PART_GRAPHS].count; i++) {
    const graph_copy *copy = graph_at(record, i)->last;
    for (int k = 0; copy && k < copy->def.transition_count; k++)
      if (copy->def.transitions[k].condition == a->condition) return copy->transition_lines[k];
  }
  return "?";
}

bool graph_condition(void *user, sinew_actor actor, int64_t condition) {
  sinew_scene *scene = user;
  ask a = {&scene->declarations, actor, condition, false};
  if (!budget_allows(scene)) return false;
  if (scene_protect(scene, ask_condition, &a)) return a.answer;
  char what[DECLARED_LINE + 40];
  snprintf(what, sizeof what, "the condition of the transition at %s", condition_line(&a));
  scene_show_problem(scene, event_index("update") + 1, what);
  scene_protect(scene, forget_function, &a);
  return false;
}

/* Writes the answer of a sample's position function into the definition. */
static void ask_position(lua_State *L, const graph_record *graph, const graph_position *position) {
  sinew_node_def *n = (sinew_node_def *)(uintptr_t)graph->last->def.nodes + position->node;
  lua_settop(L, 1);
  if (!push_function(L, graph->head.id, position->function)) return;
  lua_call(L, 0, 1);
  if (lua_type(L, -1) != LUA_TNUMBER || !isfinite(lua_tonumber(L, -1)))
    luaL_error(L, "the function of a sample's position (%s) returned no number",
               graph->last->node_lines[position->node]);
  *(position->axis ? &n->y : &n->x) = lua_tonumber(L, -1);
}

static int ask_positions(lua_State *L) {
  const declarations *all = lua_touserdata(L, 1);
  for (int i = 0; i < all->actors.count; i++)
    for (int k = 0; k < actor_at(all, i)->parts[PART_GRAPHS].count; k++) {
      const graph_record *graph = graph_at(actor_at(all, i), k);
      for (int p = 0; graph->last && p < graph->last->position_count; p++)
        ask_position(L, graph, graph->last->positions + p);
    }
  return 0;
}

static void place_samples(const declarations *all, const actor_record *record, const graph_record *graph) {
  const graph_copy *copy = graph->last;
  int layer = copy && copy->position_count ? declarations_layer_index(all, record, graph->layer) : -1;
  for (int p = 0; layer >= 0 && p < copy->position_count; p++) {
    const sinew_node_def *n = copy->def.nodes + copy->positions[p].node;
    sinew_actor_set_node(all->stage, record->actor, layer, copy->positions[p].node, n->x, n->y);
  }
}

/* All are asked while the stage is locked; then all are placed. */
void graph_place_samples(sinew_scene *scene) {
  declarations *all = &scene->declarations;
  if (!scene->loaded_once || scene->places_failed || !budget_allows(scene)) return;
  sinew_stage_lock(all->stage);
  bool fine = scene_protect(scene, ask_positions, all);
  sinew_stage_unlock(all->stage);
  for (int i = 0; i < all->actors.count; i++)
    for (int k = 0; k < actor_at(all, i)->parts[PART_GRAPHS].count; k++)
      place_samples(all, actor_at(all, i), graph_at(actor_at(all, i), k));
  if (fine) return;
  scene->places_failed = true;
  scene_show_problem(scene, event_index("update") + 1, "a graph");
}

/* ---- carrying over what was made at run time ---- */

typedef struct carried {
  int from, to; /* stack indices of one field of the running epoch and of the next */
} carried;

/* Pushes both; the field is nil in a first load. */
static carried begin_carrying(lua_State *L, const char *field) {
  epoch_push_current(L, field);
  epoch_push(L, field);
  return (carried){lua_gettop(L) - 1, lua_gettop(L)};
}

static void carry(lua_State *L, carried c, int64_t id) {
  if (!lua_istable(L, c.from)) return;
  if (lua_rawgeti(L, c.to, id) == LUA_TNIL && lua_rawgeti(L, c.from, id) != LUA_TNIL) lua_rawseti(L, c.to, id);
  lua_settop(L, c.to);
}

static void carry_graphs(lua_State *L, const declarations *all) {
  carried graphs = begin_carrying(L, "graphs");
  for (int i = 0; i < all->actors.count; i++)
    for (int k = 0; k < actor_at(all, i)->parts[PART_GRAPHS].count; k++) {
      const declaration *graph = actor_at(all, i)->parts[PART_GRAPHS].items[k];
      if (!graph->declared) carry(L, graphs, graph->id);
    }
}

/* Handlers that callbacks have added. */
static void carry_handlers(lua_State *L, const declarations *all) {
  carried handlers = begin_carrying(L, "actor_handlers");
  int from = handlers.to + 1, to = from + 1;
  for (int i = 0; i < all->actors.count && lua_istable(L, handlers.from); i++) {
    int64_t id = actor_at(all, i)->head.id;
    lua_rawgeti(L, handlers.from, id);
    if (lua_rawgeti(L, handlers.to, id) == LUA_TNIL) lua_newtable(L), lua_replace(L, to);
    for (lua_Integer k = 1; lua_istable(L, from) && k <= (lua_Integer)lua_rawlen(L, from); k++) {
      lua_rawgeti(L, from, k);
      lua_getfield(L, -1, "runtime");
      bool carries = lua_toboolean(L, -1);
      lua_pushnil(L);
      lua_setfield(L, -3, "suspended");
      lua_pop(L, 1);
      if (carries) lua_rawseti(L, to, (lua_Integer)lua_rawlen(L, to) + 1);
      lua_settop(L, to);
    }
    if (lua_rawlen(L, to) > 0) lua_rawseti(L, handlers.to, id);
    lua_settop(L, handlers.to);
  }
}

static void carry_modifiers(lua_State *L, const declarations *all) {
  carried modifiers = begin_carrying(L, "modifiers");
  for (int i = 0; i < all->actors.count; i++) {
    const modifier_set *set = declarations_modifiers_now(actor_at(all, i));
    if (set && set->runtime) carry(L, modifiers, set->id);
  }
}

void graph_carry(lua_State *L) {
  const declarations *all = &scene_of(L)->declarations;
  int top = lua_gettop(L);
  carry_graphs(L, all);
  lua_settop(L, top);
  carry_handlers(L, all);
  lua_settop(L, top);
  carry_modifiers(L, all);
  lua_settop(L, top);
}

/* ---- forgetting what belonged to removed actors ---- */

static void keep_graphs(lua_State *L, carried c, const actor_record *record) {
  for (int i = 0; i < record->parts[PART_GRAPHS].count; i++) carry(L, c, record->parts[PART_GRAPHS].items[i]->id);
}

static void keep_modifiers(lua_State *L, carried c, const actor_record *record) {
  const modifier_set *set = declarations_modifiers_now(record);
  if (set) carry(L, c, set->id);
}

static void keep_own(lua_State *L, carried c, const actor_record *record) { carry(L, c, record->head.id); }

/* Functions and motors are stored by ids; those of living things go to new tables. */
static int forget_removed(lua_State *L) {
  static const struct {
    const char *field;
    void (*keep)(lua_State *L, carried c, const actor_record *record);
  } kinds[] = {
      {"graphs", keep_graphs}, {"modifiers", keep_modifiers}, {"actor_handlers", keep_own}, {"motors", keep_own}};
  const declarations *all = &scene_of(L)->declarations;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    epoch_push_current(L, kinds[i].field);
    lua_newtable(L);
    carried c = {lua_gettop(L) - 1, lua_gettop(L)};
    for (int k = 0; k < all->actors.count; k++) kinds[i].keep(L, c, actor_at(all, k));
    if (lua_istable(L, c.from)) epoch_set_current(L, kinds[i].field, c.to);
  }
  return 0;
}

/* So many ids later that the walk costs each of them little. */
void graph_forget_removed(sinew_scene *scene) {
  enum { LEAST = 64 };
  const declarations *all = &scene->declarations;
  int64_t wait = LEAST + 4 * (int64_t)all->actors.count;
  if (!scene->loaded_once || all->next_id - scene->swept_at < wait) return;
  scene->swept_at = all->next_id;
  if (!scene_protect(scene, forget_removed, NULL)) scene->failure[0] = 0; /* without memory, the next one will do */
}

const api_entry api_graph_entries[] = {
    {"actor", "params", API_FIELD, "sinew.Params", "", "Its parameters by name: actor.params.speed = 1.6.",
     .get = get_params},
    {"actor", "set_graph", API_METHOD, "graph: node|clip, options?: graph_options", "",
     "Lets a graph decide what a layer plays; actions cover it. A new graph continues the old one: nodes are matched "
     "by key, then by the clips below them, and whatever differs blends in by inertia.",
     .call = call_set_graph, .waits = true},
    {"actor", "clear_graph", API_METHOD, "options?: graph_options", "", "Removes a layer's graph.",
     .call = call_clear_graph, .waits = true},
    {"actor", "send", API_METHOD, "event: sent_event", "",
     "Sends an event to the actor's state machines: transitions with on = event can be taken.", .call = call_send,
     .waits = true},
    {"actor", "state", API_METHOD, "path?: string, options?: graph_options", "state_name?, number?, number?",
     "The current state of a state machine, the seconds since it was entered, and the fraction from 0 to 1 to "
     "which it has faded in. A path names a nested machine: \"combat/aim\". nil if that machine is not running.",
     .call = call_state},
    {"actor", "history", API_METHOD, "path?: string, options?: graph_options", "string[], table[]",
     "The previous states of a state machine, latest first; at most 8. The second list has { state, seconds, "
     "reason, line } for each: its duration, the reason for the transition that ended it, and that transition's "
     "line. reason and line are missing for a switch, and for a transition of a graph that a save has since "
     "replaced.",
     .call = call_history},
    {0}};
