/* An actor's playback as scripts see it: nodes and actions with their weights and clocks, and transitions. */
#include "api/graph/node.h"

#include <sinew/playing.h>

#include <stdio.h>
#include <string.h>

/* ---- nodes by path ---- */

/* "move/2": keys from the root down, or positions from 1; "" is the root. −1 if there is no such node. */
int node_find(const graph_copy *graph, const char *path) {
  int node = 0;
  while (*path) {
    size_t size = strcspn(path, "/");
    const sinew_node_def *n = graph->def.nodes + node;
    int found = -1;
    for (int i = 0; i < n->child_count && found < 0; i++) {
      char name[NODE_NAME];
      const char *key = node_name(graph, n->first_child + i, i, name);
      if (strlen(key) == size && memcmp(key, path, size) == 0) found = n->first_child + i;
    }
    if (found < 0) return -1;
    node = found;
    path += size + (path[size] == '/');
  }
  return node;
}

const char *node_name(const graph_copy *graph, int node, int position, char buffer[NODE_NAME]) {
  const char *key = graph->def.nodes[node].key;
  snprintf(buffer, NODE_NAME, "%d", position + 1);
  return key ? key : buffer;
}

/* ---- what plays ---- */

static void set_text(lua_State *L, const char *field, const char *text) {
  lua_pushstring(L, text);
  lua_setfield(L, -2, field);
}

static void set_number(lua_State *L, const char *field, double value) {
  lua_pushnumber(L, value);
  lua_setfield(L, -2, field);
}

static void push_playing(lua_State *L, const sinew_model *model, const sinew_playing *p, const char *layer) {
  lua_createtable(L, 0, 10);
  set_text(L, "layer", layer);
  if (p->clip >= 0) set_text(L, "clip", sinew_clip_name(sinew_model_clip(model, p->clip)));
  set_number(L, "normalized_weight", (double)p->normalized_weight);
  set_number(L, "phase", p->phase);
  set_number(L, "time", p->time);
  set_number(L, "speed", p->speed);
}

/* A layer of an actor that is on the stage. */
typedef struct playing_layer {
  const actor_record *record;
  int index;
  const char *name;
  const sinew_model *model;
  const graph_copy *graph; /* or NULL */
} playing_layer;

const graph_copy *graph_of_layer(const declarations *all, const actor_record *record, int index) {
  const char *name = index > 0 ? sinew_actor_layer_name(all->stage, record->actor, index) : NULL;
  const layer_record *layer = name ? declarations_find_layer(record, name) : NULL;
  const graph_record *graph = index == 0 || layer ? declarations_find_graph(record, layer ? layer->head.id : 0) : NULL;
  return graph && sinew_actor_has_graph(all->stage, record->actor, index) ? graph->last : NULL;
}

static playing_layer layer_at(const declarations *all, const actor_record *record, int index) {
  return (playing_layer){record, index, sinew_actor_layer_name(all->stage, record->actor, index),
                         sinew_actor_model(all->stage, record->actor), graph_of_layer(all, record, index)};
}

/* Appends the node, whose path is at the top, and everything below it that plays to the list. A graph that has not
 * been updated yet has no clip. */
static void add_node(lua_State *L, const playing_layer *l, int list, int node) {
  const sinew_node_def *n = l->graph->def.nodes + node;
  int path = lua_gettop(L);
  sinew_playing p;
  luaL_checkstack(L, 8, NULL);
  bool plays = sinew_actor_node_playing(scene_of(L)->declarations.stage, l->record->actor, l->index, node, &p);
  if (!plays && node > 0) {
    lua_settop(L, path - 1);
    return;
  }
  if (!plays) p.clip = -1;
  push_playing(L, l->model, &p, l->name);
  set_text(L, "kind", node_makers[n->kind]);
  set_text(L, "line", l->graph->node_lines[node]);
  lua_pushvalue(L, path);
  lua_setfield(L, -2, "path");
  lua_rawseti(L, list, (lua_Integer)lua_rawlen(L, list) + 1);
  for (int i = 0; i < n->child_count; i++) {
    char name[NODE_NAME];
    const char *above = lua_tostring(L, path), *key = node_name(l->graph, n->first_child + i, i, name);
    lua_pushfstring(L, "%s%s%s", above, above[0] ? "/" : "", key);
    add_node(L, l, list, n->first_child + i);
  }
  lua_settop(L, path - 1);
}

static void add_action(lua_State *L, const playing_layer *l, int list, sinew_action action) {
  const declarations *all = &scene_of(L)->declarations;
  sinew_playing p;
  if (!sinew_action_playing(all->stage, action, &p)) return;
  push_playing(L, l->model, &p, l->name);
  set_text(L, "kind", "action");
  set_text(L, "line", declarations_action_line(all, l->record, action));
  action_push(L, &(action_handle){l->record->head.id, 0, action, p.clip});
  lua_setfield(L, -2, "action");
  lua_rawseti(L, list, (lua_Integer)lua_rawlen(L, list) + 1);
}

static void add_layer(lua_State *L, const playing_layer *l, int list) {
  const sinew_stage *stage = scene_of(L)->declarations.stage;
  sinew_actor actor = l->record->actor;
  if (l->graph) {
    lua_pushliteral(L, "");
    add_node(L, l, list, 0);
  }
  for (int i = 0; i < sinew_actor_action_count(stage, actor, l->index); i++)
    add_action(L, l, list, sinew_actor_action(stage, actor, l->index, i));
}

static int layer_index(lua_State *L, const actor_record *record, int options) {
  return declarations_layer_index(&scene_of(L)->declarations, record, layer_option(L, record, options, 0));
}

static int call_playing(lua_State *L) {
  const declarations *all = &scene_of(L)->declarations;
  const actor_record *record = actor_check(L, 1);
  lua_settop(L, 2);
  bool one = option_push(L, 2, "layer");
  int only = one ? layer_index(L, record, 2) : -1, count = sinew_actor_layer_count(all->stage, record->actor);
  lua_newtable(L);
  int list = lua_gettop(L);
  for (int i = 0; i < count; i++) {
    playing_layer l = layer_at(all, record, i);
    if (!one || i == only) add_layer(L, &l, list);
  }
  return 1;
}

/* ---- transitions ---- */

static const char *clip_name(const sinew_model *model, int clip) {
  return clip >= 0 ? sinew_clip_name(sinew_model_clip(model, clip)) : NULL;
}

static void push_end(lua_State *L, const playing_layer *l, int node, int index, const char *field) {
  char name[NODE_NAME];
  const sinew_node_def *n = node >= 0 ? l->graph->def.nodes + node : NULL;
  bool state = n && index >= 0 && index < n->child_count;
  const char *text = state ? node_name(l->graph, n->first_child + index, index, name) : NULL;
  lua_pushstring(L, n ? text : clip_name(l->model, index));
  lua_setfield(L, -2, field);
}

static void push_transition(lua_State *L, const playing_layer *l, int node, const sinew_transition_state *t) {
  lua_createtable(L, 0, 6);
  push_end(L, l, node, t->from, "from");
  push_end(L, l, node, t->to, "to");
  set_text(L, "blend", kind_field(&kind_transition, "blend")->words[t->kind]);
  set_number(L, "time", t->time);
  set_number(L, "fade", t->fade);
  set_number(L, "progress", (double)t->progress);
}

/* The transition of a machine; for a layer without a graph, or a node that is not a machine, the transition of the
 * layer's actions. */
static int call_transition(lua_State *L) {
  const declarations *all = &scene_of(L)->declarations;
  const actor_record *record = actor_check(L, 1);
  sinew_transition_state t;
  lua_settop(L, 3);
  const char *path = lua_tostring(L, 2);
  playing_layer l = layer_at(all, record, layer_index(L, record, 3));
  int node = l.graph ? node_find(l.graph, path ? path : "") : -1;
  if (node >= 0 && sinew_actor_transition(all->stage, record->actor, l.index, node, &t)) {
    push_transition(L, &l, node, &t);
  } else if (!path && sinew_actor_transition(all->stage, record->actor, l.index, -1, &t)) {
    push_transition(L, &l, -1, &t);
  } else {
    lua_pushnil(L);
  }
  return 1;
}

/* ---- a transition in words ---- */

static int parent_of(const graph_copy *graph, int node) {
  for (int i = 0; i < node; i++) {
    const sinew_node_def *n = graph->def.nodes + i;
    if (node >= n->first_child && node < n->first_child + n->child_count) return i;
  }
  return -1;
}

static void write_ends(const graph_copy *graph, int machine, int from, int to, transition_words *out) {
  char names[2][NODE_NAME];
  const int first = graph->def.nodes[machine].first_child;
  snprintf(out->text, sizeof out->text, "%.*s -> %.*s", NODE_WORDS - 1, node_name(graph, first + from, from, names[0]),
           NODE_WORDS - 1, node_name(graph, first + to, to, names[1]));
}

/* The machine's last transition, with its line if the graph still has it. */
static bool write_last(const declarations *all, const actor_record *record, int layer, int machine, bool inertial,
                       transition_words *out) {
  const graph_copy *graph = graph_of_layer(all, record, layer);
  sinew_machine_state state;
  if (!sinew_actor_machine(all->stage, record->actor, layer, machine, &state) || state.previous < 0) return false;
  int index = state.left_by[0];
  const sinew_transition_def *t =
      index >= 0 && index < graph->def.transition_count ? graph->def.transitions + index : NULL;
  if (inertial && (!t || t->kind != SINEW_TRANSITION_INERTIAL || state.time > t->fade)) return false;
  write_ends(graph, machine, state.previous, state.state, out);
  out->line = t ? graph->transition_lines[index] : NULL;
  return true;
}

static bool find_inertial(const declarations *all, const actor_record *record, transition_words *out) {
  for (int layer = 0; layer < sinew_actor_layer_count(all->stage, record->actor); layer++) {
    const graph_copy *graph = graph_of_layer(all, record, layer);
    for (int i = 0; graph && i < graph->def.node_count; i++)
      if (graph->def.nodes[i].kind == SINEW_NODE_MACHINE && write_last(all, record, layer, i, true, out)) return true;
  }
  return false;
}

bool transition_find(const declarations *all, const actor_record *record, int layer, int node, transition_words *out) {
  const graph_copy *graph = node >= 0 ? graph_of_layer(all, record, layer) : NULL;
  sinew_transition_state t;
  *out = (transition_words){.line = NULL};
  if (node < 0) return find_inertial(all, record, out);
  for (int i = graph && node < graph->def.node_count ? node : -1; i >= 0; i = parent_of(graph, i))
    if (graph->def.nodes[i].kind == SINEW_NODE_MACHINE &&
        sinew_actor_transition(all->stage, record->actor, layer, i, &t))
      return write_last(all, record, layer, i, false, out);
  return false;
}

const api_entry api_playing_entries[] = {
    {"actor", "playing", API_METHOD, "options?: playing_options", "table[]",
     "Lists what it played in the last frame, layer by layer: the nodes of graphs that play, parents first, and "
     "actions. Each is "
     "{ kind, layer, clip, normalized_weight, phase, time, speed, line }; nodes have a path, actions their action. "
     "normalized_weight is the weight within the layer, from 0 to 1. A node above clips reports clip, phase, time and "
     "speed of the clip with the largest weight. speed is in seconds of the clip per second, as its sync group leads "
     "it.",
     .call = call_playing, .cost = 2000},
    {"actor", "transition", API_METHOD, "path?: string, options?: graph_options", "table|nil",
     "The transition in progress, { from, to, blend, time, fade, progress }: of the state machine that the path names, "
     "as in actor:state; without a graph, of the layer's actions, between clips. nil if there is none.",
     .call = call_transition},
    {0}};
