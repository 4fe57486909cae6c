/* The functions of sinew that make the nodes of a graph: each returns a copy of its table, marked with its kind. */
#include "api/graph/node.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char kind_key;

bool node_is(lua_State *L, int index) { return marked_is(L, index, &kind_key); }

static int mark(lua_State *L, sinew_node_kind kind) { return marked_push(L, &kind_key, (int)kind); }

static int call_clip(lua_State *L) { return mark(L, SINEW_NODE_CLIP); }
static int call_blend(lua_State *L) { return mark(L, SINEW_NODE_BLEND); }
static int call_space_1d(lua_State *L) { return mark(L, SINEW_NODE_SPACE_1D); }
static int call_space_2d(lua_State *L) { return mark(L, SINEW_NODE_SPACE_2D); }
static int call_switch(lua_State *L) { return mark(L, SINEW_NODE_SWITCH); }
static int call_machine(lua_State *L) { return mark(L, SINEW_NODE_MACHINE); }

/* ---- reading ---- */

/* Errors of a node stand on its line; any other gets that of what is being read (node_read). */
static int fail_at(lua_State *L, const char *line, const char *reason) {
  lua_pushfstring(L, line[0] ? "%s: the graph's node: %s" : "%s%s", line, reason);
  return lua_error(L);
}

static int fail(lua_State *L, int index, const char *reason) { return fail_at(L, marked_line(L, index), reason); }

static int read_param(lua_State *L, const char *line, node_reader *r, const char *name) {
  for (int i = 0; i < r->param_count; i++)
    if (strcmp(r->params[i], name) == 0) return i;
  lua_pushfstring(L, " in %s; declare it with params = { %s = 0 }", r->owner, name);
  const char *after = lua_tostring(L, -1);
  r->line = line;
  return api_unknown(L, "no parameter", name, after, r->params, r->param_count);
}

static int param_option(lua_State *L, int index, node_reader *r, const char *option) {
  if (!option_push(L, index, option)) return fail(L, index, "it needs param = \"a parameter of the actor\"");
  int param = read_param(L, marked_line(L, index), r, lua_tostring(L, -1));
  lua_pop(L, 1);
  return param;
}

static int add_function(lua_State *L, int index, node_reader *r, int function) {
  if (r->function_count == NODE_FUNCTIONS) return fail(L, index, "a graph has more than 64 functions");
  lua_pushvalue(L, function);
  lua_rawseti(L, r->functions, ++r->function_count);
  return r->function_count - 1;
}

/* true: its own phase; a name: a shared one. */
static void read_sync(lua_State *L, int index, sinew_node_def *n) {
  if (!option_push(L, index, "sync")) return;
  n->sync = lua_toboolean(L, -1);
  if (lua_type(L, -1) == LUA_TSTRING) n->sync_group = lua_tostring(L, -1);
  lua_pop(L, 1);
}

static void read_match(lua_State *L, int index, node_reader *r, sinew_node_def *n) {
  const bool asks = n->match >= SINEW_MATCH_TO_STOP, named = option_push(L, index, "match_param");
  if (!asks && named) fail(L, index, "match_param belongs to match = \"to_stop\" or \"turn\"");
  if (!asks) return;
  if (!named) lua_pushstring(L, n->match == SINEW_MATCH_TO_STOP ? "to_stop" : "turn");
  n->match_param = read_param(L, marked_line(L, index), r, lua_tostring(L, -1));
  lua_pop(L, 1);
}

static void read_value(lua_State *L, int index, node_reader *r, int node, int node_index);

static int reserve(lua_State *L, int index, node_reader *r, int count) {
  int first = r->node_count;
  if (count < 1) return fail(L, index, "it has no samples, states or children");
  if (count > NODE_LIMIT - first) return fail(L, index, "the graph has more than 512 nodes");
  r->node_count += count;
  for (int i = first; i < r->node_count; i++) r->nodes[i] = sinew_node_def_default();
  return first;
}

static int find_clip(lua_State *L, int index, node_reader *r, const char *line) {
  r->line = line;
  return clip_check(L, (sinew_model *)(uintptr_t)r->model, index);
}

static void read_clip(lua_State *L, int index, node_reader *r, sinew_node_def *n) {
  if (lua_rawgeti(L, index, 1) != LUA_TSTRING && !lua_isinteger(L, -1))
    fail(L, index, "it needs the name of a clip first, as in { \"Walk\" }");
  n->clip = find_clip(L, lua_gettop(L), r, marked_line(L, index));
  lua_pop(L, 1);
}

/* One coordinate of a sample: a number, or a function that is called in each frame. */
static double read_position(lua_State *L, int index, node_reader *r, int node, int axis, int value) {
  if (lua_type(L, value) == LUA_TNUMBER) return lua_tonumber(L, value);
  if (!lua_isfunction(L, value))
    fail_at(L, r->node_lines[node], "a sample's position is a number or a function that returns one");
  int function = add_function(L, index, r, value);
  r->positions[r->position_count++] = (graph_position){node, axis, function};
  lua_pushvalue(L, value);
  lua_call(L, 0, 1);
  if (lua_type(L, -1) != LUA_TNUMBER)
    fail_at(L, r->node_lines[node], "the function of a sample's position returned no number");
  double position = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return position;
}

/* Requires exactly this many values, in order: any other would be ignored. */
static void check_list(lua_State *L, const char *line, int list, int most, const char *what) {
  lua_pushnil(L);
  while (lua_next(L, list)) {
    if (!lua_isinteger(L, -2) || lua_tointeger(L, -2) < 1 || lua_tointeger(L, -2) > most) {
      const char *key = luaL_tolstring(L, -2, NULL);
      fail_at(L, line, lua_pushfstring(L, "%s; it has no '%s'", what, key));
    }
    lua_pop(L, 1);
  }
}

static const char *const sample_forms[] = {"a sample is { position, clip }, as in { 1.6, \"Walk\" }, or a clip alone",
                                           "a sample is { x, y, clip }, as in { 0, 1.6, \"Walk\" }, or a clip alone"};

/* ---- samples that find their own positions ---- */

/* The velocity of the first clip below the node, at the speed at which it plays. */
static bool velocity_below(lua_State *L, const node_reader *r, int node, float velocity[3]) {
  double speed = r->nodes[node].speed;
  sinew_vec3 own;
  while (r->nodes[node].kind != SINEW_NODE_CLIP) {
    node = r->nodes[node].first_child;
    speed *= r->nodes[node].speed;
  }
  bool known = clip_velocity(L, r->model, r->nodes[node].clip, &own);
  velocity[0] = own.x * (float)speed, velocity[1] = own.y, velocity[2] = own.z * (float)speed;
  return known;
}

/* On a line: positive for forward, negative for backward; for a clip that moves sideways, its speed. */
static double position_on_line(const float velocity[3]) {
  double x = (double)velocity[0], z = (double)velocity[2];
  return fabs(z) >= fabs(x) ? (z < 0 ? -1 : 1) * sinew_hypot(x, z) : sinew_hypot(x, z);
}

static const char *clip_below(const node_reader *r, int node) {
  while (r->nodes[node].kind != SINEW_NODE_CLIP) node = r->nodes[node].first_child;
  return sinew_clip_name(sinew_model_clip(r->model, r->nodes[node].clip));
}

static void place_itself(lua_State *L, node_reader *r, int node, int positions) {
  float v[3];
  if (!velocity_below(L, r, node, v))
    fail_at(L, r->node_lines[node],
            lua_pushfstring(L,
                            "the velocity of '%s' is unknown (neither its hips nor its feet show one): write the "
                            "sample's position",
                            clip_below(r, node)));
  note_front(L, r->model, r->node_lines[node]);
  r->nodes[node].x = positions == 1 ? position_on_line(v) : (double)v[0];
  if (positions == 2) r->nodes[node].y = (double)v[2];
}

/* Warns about a written position that is more than 5 %, but less than half, off the clip's velocity: it is probably
 * meant as the velocity, and feet will slide. */
static void note_position(lua_State *L, const node_reader *r, int node, int positions) {
  const sinew_node_def *n = r->nodes + node;
  float v[3];
  if (n->kind != SINEW_NODE_CLIP || !velocity_below(L, r, node, v)) return;
  double x = positions == 1 ? position_on_line(v) : (double)v[0], y = positions == 1 ? 0 : (double)v[2];
  double off = sinew_hypot(n->x - x, (positions == 1 ? 0 : n->y) - y), speed = sinew_hypot(x, y);
  if (off <= 0.05 * speed || off > 0.5 * speed) return;
  char text[DECLARED_LINE + 160];
  snprintf(text, sizeof text,
           "%s: the sample '%.40s' is %.2g m/s from its clip's velocity (%.3g, %.3g), so feet slide; without a "
           "position it takes that velocity",
           r->node_lines[node], sinew_clip_name(sinew_model_clip(r->model, n->clip)), off, x, y);
  note_once(L, text);
}

/* The first sample at the same position. NaN equals nothing, so a sample without a position is its own first. */
static int first_at(const node_reader *r, int first, int node) {
  int other = first;
  while (other < node && (r->nodes[other].x != r->nodes[node].x || r->nodes[other].y != r->nodes[node].y)) other++;
  return other;
}

/* Of samples at the same position, such as two standing clips, only the first is ever visible. */
static void note_hidden(lua_State *L, const node_reader *r, int first, int count) {
  for (int node = first; node < first + count; node++) {
    int other = first_at(r, first, node);
    char text[DECLARED_LINE + 160];
    if (other == node) continue;
    snprintf(text, sizeof text,
             "%s: the sample '%.40s' never shows, because '%.40s' has the same position, (%.3g, %.3g)",
             r->node_lines[node], clip_below(r, node), clip_below(r, other), r->nodes[node].x, r->nodes[node].y);
    note_once(L, text);
  }
}

static bool begins_with_clip(lua_State *L, int list) {
  bool clip = lua_rawgeti(L, list, 1) == LUA_TSTRING || node_is(L, -1);
  lua_pop(L, 1);
  return clip;
}

/* { position, child } or { x, y, child }; a child without numbers is placed at its clip's velocity. */
static void read_sample(lua_State *L, int index, node_reader *r, int node, int positions, bool sync) {
  int sample = lua_gettop(L);
  bool wrapped = lua_istable(L, sample) && !node_is(L, sample) && lua_rawlen(L, sample) == 1;
  if (wrapped) check_list(L, r->node_lines[node], sample, 1, sample_forms[positions - 1]), lua_rawgeti(L, sample, 1);
  if (wrapped || !lua_istable(L, sample) || node_is(L, sample)) {
    read_value(L, lua_gettop(L), r, node, index);
    place_itself(L, r, node, positions);
    lua_settop(L, sample);
    return;
  }
  if (!lua_istable(L, sample) || node_is(L, sample)) fail_at(L, r->node_lines[node], sample_forms[positions - 1]);
  check_list(L, r->node_lines[node], sample, positions + 1, sample_forms[positions - 1]);
  if (begins_with_clip(L, sample)) fail_at(L, r->node_lines[node], sample_forms[positions - 1]);
  for (int axis = 0; axis < positions; axis++) {
    lua_rawgeti(L, sample, axis + 1);
    double position = read_position(L, index, r, node, axis, lua_gettop(L));
    *(axis ? &r->nodes[node].y : &r->nodes[node].x) = position;
    lua_pop(L, 1);
  }
  lua_rawgeti(L, sample, positions + 1);
  read_value(L, lua_gettop(L), r, node, index);
  if (sync) note_position(L, r, node, positions);
  lua_settop(L, sample);
}

static const char child_form[] = "a child of a blend is { node, weight }, as in { \"Walk\", 0.5 }";

/* { child, weight }, where the weight is a number or the name of a parameter; 1 by default. */
static void read_weighted(lua_State *L, int index, node_reader *r, int node) {
  int entry = lua_gettop(L);
  bool plain = !lua_istable(L, entry) || node_is(L, entry);
  double weight = 1;
  if (!plain) check_list(L, r->node_lines[node], entry, 2, child_form);
  if (!plain && lua_rawgeti(L, entry, 1) == LUA_TNUMBER && !lua_isinteger(L, -1))
    fail_at(L, r->node_lines[node], child_form);
  if (!plain && lua_rawgeti(L, entry, 2) == LUA_TSTRING)
    r->nodes[node].weight_param = read_param(L, r->node_lines[node], r, lua_tostring(L, -1));
  else if (!plain) weight = lua_isnil(L, -1) ? 1 : lua_tonumber(L, -1);
  if (!(weight >= 0)) fail_at(L, r->node_lines[node], "a weight is 0 or more");
  if (!plain) lua_rawgeti(L, entry, 1);
  read_value(L, lua_gettop(L), r, node, index);
  r->nodes[node].x = weight;
  lua_settop(L, entry);
}

static void read_children(lua_State *L, int index, node_reader *r, int node) {
  sinew_node_kind kind = r->nodes[node].kind;
  int count = (int)lua_rawlen(L, index), first = reserve(L, index, r, count);
  r->nodes[node].first_child = first;
  r->nodes[node].child_count = count;
  for (int i = 0; i < count; i++) {
    r->node_lines[first + i] = marked_item_line(L, index, i + 1);
    lua_rawgeti(L, index, i + 1);
    if (kind == SINEW_NODE_SPACE_1D) read_sample(L, index, r, first + i, 1, r->nodes[node].sync);
    else if (kind == SINEW_NODE_SPACE_2D) read_sample(L, index, r, first + i, 2, r->nodes[node].sync);
    else if (kind == SINEW_NODE_BLEND) read_weighted(L, index, r, first + i);
    else read_value(L, lua_gettop(L), r, first + i, index);
    lua_pop(L, 1);
  }
  if (kind == SINEW_NODE_SPACE_1D || kind == SINEW_NODE_SPACE_2D) note_hidden(L, r, first, count);
}

/* ---- machines ---- */

static int by_name(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* The names of the states, sorted, so that the run does not depend on the order of a table. */
static int list_states(lua_State *L, int index, int states, const char *names[NODE_LIMIT]) {
  int count = 0;
  lua_pushnil(L);
  while (lua_next(L, states)) {
    if (lua_type(L, -2) != LUA_TSTRING) fail(L, index, "states have names, as in { idle = \"Idle\" }");
    if (count == NODE_LIMIT) fail(L, index, "the graph has more than 512 nodes");
    names[count++] = lua_tostring(L, -2);
    lua_pop(L, 1);
  }
  for (int i = 1; i < count; i++) {
    const char *name = names[i];
    int k = i;
    for (; k > 0 && by_name(&names[k - 1], &name) > 0; k--) names[k] = names[k - 1];
    names[k] = name;
  }
  return count;
}

static int find_state(lua_State *L, const char *const *names, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(names[i], name) == 0) return i;
  return api_unknown(L, "no state", name, "", names, count);
}

static const char *state_name(lua_State *L, const char *line, int transition, int position) {
  if (lua_rawgeti(L, transition, position) != LUA_TSTRING)
    fail_at(L, line, "a transition begins with two names of states, as in { \"move\", \"jump\", on = \"jump\" }");
  return lua_tostring(L, -1);
}

/* A text, or a function. */
static void read_when(lua_State *L, int index, const char *line, node_reader *r, sinew_transition_def *t) {
  sinew_error error;
  if (lua_isfunction(L, -1)) {
    t->condition = condition_id(r->graph, add_function(L, index, r, lua_gettop(L)));
    return;
  }
  t->when = lua_tostring(L, -1);
  if (!sinew_condition_check(t->when, r->params, r->param_count, &error))
    fail_at(L, line, lua_pushfstring(L, "when %s", error.message));
}

static sinew_transition_def read_transition(lua_State *L, int index, const char *line, node_reader *r,
                                            const char *const *names, int count) {
  int at = lua_gettop(L);
  sinew_transition_def t = sinew_transition_def_default();
  r->line = line;
  if (!lua_istable(L, at)) fail_at(L, line, "a transition is a table");
  api_check_value(L, at, "transition", strlen("transition"), "sinew.state_machine: transition");
  const char *from = state_name(L, line, at, 1), *to = state_name(L, line, at, 2);
  t.from = strcmp(from, "*") == 0 ? -1 : find_state(L, names, count, from);
  t.to = find_state(L, names, count, to);
  if (option_push(L, at, "on")) t.event = lua_tostring(L, -1);
  if (option_push(L, at, "when")) read_when(L, index, line, r, &t);
  fields_read(L, at, &kind_transition, "sinew.state_machine", &t);
  if (!t.event && !t.when && t.condition < 0 && t.before_end != t.before_end)
    fail_at(L, line, "a transition needs one of on, when and before_end");
  lua_settop(L, at);
  return t;
}

static void read_transitions(lua_State *L, int index, node_reader *r, int node, const char *const *names, int count) {
  r->nodes[node].first_transition = r->transition_count;
  if (!option_push(L, index, "transitions")) return;
  int list = lua_gettop(L);
  for (int i = 1; i <= (int)lua_rawlen(L, list); i++) {
    if (r->transition_count == NODE_TRANSITIONS) fail(L, index, "the graph has more than 512 transitions");
    lua_rawgeti(L, list, i);
    const char *line = marked_inner_line(L, index, "transitions", i, NULL);
    sinew_transition_def t = read_transition(L, index, line, r, names, count);
    r->transition_lines[r->transition_count] = line;
    r->transitions[r->transition_count++] = t;
    r->nodes[node].transition_count++;
    lua_settop(L, list);
  }
  lua_settop(L, list - 1);
}

static void read_machine(lua_State *L, int index, node_reader *r, int node) {
  const char *names[NODE_LIMIT];
  if (!option_push(L, index, "states")) fail(L, index, "it needs states = { name = clip }");
  int states = lua_gettop(L), count = list_states(L, index, states, names), first = reserve(L, index, r, count);
  r->nodes[node].first_child = first;
  r->nodes[node].child_count = count;
  r->line = marked_line(L, index);
  if (option_push(L, index, "start")) r->nodes[node].start = find_state(L, names, count, lua_tostring(L, -1));
  lua_settop(L, states);
  read_transitions(L, index, r, node, names, count);
  for (int i = 0; i < count; i++) {
    r->node_lines[first + i] = marked_inner_line(L, index, "states", 0, names[i]);
    lua_pushstring(L, names[i]);
    lua_rawget(L, states);
    read_value(L, lua_gettop(L), r, first + i, index);
    r->nodes[first + i].key = names[i];
    lua_settop(L, states);
  }
  lua_settop(L, states - 1);
}

/* ---- one node ---- */

static void read_node(lua_State *L, int index, node_reader *r, int node) {
  sinew_node_def *n = r->nodes + node;
  r->line = marked_line(L, index);
  lua_rawgetp(L, index, &kind_key);
  n->kind = (sinew_node_kind)lua_tointeger(L, -1);
  lua_pop(L, 1);
  if (option_push(L, index, "key")) n->key = lua_tostring(L, -1), lua_pop(L, 1);
  if (n->kind == SINEW_NODE_SWITCH) n->fade = 0.2;
  fields_read(L, index, &kind_node, "sinew.switch", n);
  read_sync(L, index, n);
  read_match(L, index, r, n);
  if (n->kind == SINEW_NODE_SPACE_1D || n->kind == SINEW_NODE_SWITCH) n->param_x = param_option(L, index, r, "param");
  if (n->kind == SINEW_NODE_SPACE_2D) {
    n->param_x = param_option(L, index, r, "param_x");
    n->param_y = param_option(L, index, r, "param_y");
  }
  if (n->kind == SINEW_NODE_CLIP) read_clip(L, index, r, n);
  else if (n->kind == SINEW_NODE_MACHINE) read_machine(L, index, r, node);
  else read_children(L, index, r, node);
}

/* The name or number of a clip, or a node. `parent` locates it in error messages. */
static void read_value(lua_State *L, int index, node_reader *r, int node, int parent) {
  luaL_checkstack(L, 20, NULL);
  if (++r->depth > NODE_DEPTH) fail(L, parent, "the graph is deeper than 16 levels");
  if (lua_type(L, index) == LUA_TSTRING || lua_isinteger(L, index)) {
    r->nodes[node].kind = SINEW_NODE_CLIP;
    r->nodes[node].clip = find_clip(L, index, r, r->node_lines[node]);
  } else if (node_is(L, index)) {
    read_node(L, index, r, node);
  } else {
    fail(L, parent, "a child of a node must be the name of a clip, or a node made by a function of sinew");
  }
  r->depth--;
}

node_reader *node_push_reader(lua_State *L, const sinew_model *model, const char *owner, const char *name) {
  lua_newtable(L);
  int functions = lua_gettop(L);
  node_reader *r = lua_newuserdatauv(L, sizeof *r, 0);
  memset(r, 0, sizeof *r);
  snprintf(r->owner, sizeof r->owner, "%s '%s'", owner, name);
  r->model = model;
  r->functions = functions;
  return r;
}

graph_copy node_graph(const node_reader *r) {
  return (graph_copy){{r->nodes, r->node_count, r->transitions, r->transition_count},
                      r->positions,
                      r->position_count,
                      r->node_lines,
                      r->transition_lines};
}

/* The node, the list of functions, and the reader. */
static int read_all(lua_State *L) {
  node_reader *r = lua_touserdata(L, 3);
  r->functions = 2;
  r->nodes[r->node_count++] = sinew_node_def_default();
  r->node_lines[0] = node_is(L, 1) ? marked_line(L, 1) : "";
  if (node_is(L, 1)) read_node(L, 1, r, 0);
  else r->nodes[0].clip = find_clip(L, 1, r, r->node_lines[0]);
  return 0;
}

/* An error without a position gets that of what was being read; a spent budget is raised again. */
static int fail_in(lua_State *L, const node_reader *r) {
  budget_check(L);
  const char *message = lua_tostring(L, -1);
  if (!message || strstr(message, ".lua:")) return lua_error(L);
  if (!r->line || !r->line[0]) return luaL_error(L, "%s", message);
  lua_pushfstring(L, "%s: %s", r->line, message);
  return lua_error(L);
}

void node_read(lua_State *L, int index, node_reader *r) {
  int functions = r->functions;
  lua_pushcfunction(L, read_all);
  lua_pushvalue(L, index);
  lua_pushvalue(L, functions);
  lua_pushlightuserdata(L, r);
  if (lua_pcall(L, 3, 0, 0) != LUA_OK) fail_in(L, r);
  r->functions = functions;
}

/* An error in the rules of a graph stands on the line of the node. */
void node_check(lua_State *L, const node_reader *r) {
  sinew_error error;
  sinew_graph_def def = {r->nodes, r->node_count, r->transitions, r->transition_count};
  int node = sinew_graph_find_fault(&def, r->model, r->params, r->param_count, &error);
  if (node < 0) return;
  bool known = r->node_lines[node] && r->node_lines[node][0];
  if (!known) luaL_error(L, "%s", error.message);
  lua_pushfstring(L, "%s: %s", r->node_lines[node], error.message);
  lua_error(L);
}

const api_entry api_node_entries[] = {
    {"sinew", "clip", API_FUNCTION, "definition: clip_node", "node",
     "A node that plays a clip: sinew.clip { \"Jump\", loop = \"once\" }. Without options, the clip's name alone is "
     "enough.",
     .call = call_clip},
    {"sinew", "blend", API_FUNCTION, "definition: blend_node", "node",
     "A node that blends by weights: sinew.blend { { \"Walk\", 2 }, { \"Limp\", "
     "\"hurt\" } }; a weight is a number or a "
     "parameter.",
     .call = call_blend},
    {"sinew", "blend_space_1d", API_FUNCTION, "definition: space_1d_node", "node",
     "A node that blends the two samples around a parameter: sinew.blend_space_1d { param = \"speed\", { 0, \"Idle\" "
     "}, { 1.4, \"Walk\" } }. A position may be a function, which is called in each frame.",
     .call = call_space_1d},
    {"sinew", "blend_space_2d", API_FUNCTION, "definition: space_2d_node", "node",
     "A node that blends the samples around a point given by two parameters: { x, y, node }. Outside all samples, the "
     "nearest point on their edge is used.",
     .call = call_space_2d},
    {"sinew", "switch", API_FUNCTION, "definition: switch_node", "node",
     "A node that plays one of its children, selected by a parameter, from 0.", .call = call_switch},
    {"sinew", "state_machine", API_FUNCTION, "definition: machine_node", "node",
     "A node that plays one state at a time. Transitions lead from state to state: { \"move\", \"jump\", on = \"jump\" "
     "}, or from any state, \"*\".",
     .call = call_machine},
    {0}};
