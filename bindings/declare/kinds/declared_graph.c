#include "declare/declarations.h"

#include <math.h>
#include <string.h>

graph_record *declarations_find_graph(const actor_record *record, int64_t layer) {
  const declaration_list *list = &record->parts[PART_GRAPHS];
  for (int i = 0; i < list->count; i++)
    if (graph_at(record, i)->layer == layer) return graph_at(record, i);
  return NULL;
}

/* ---- a copy of a definition in one block ---- */

static size_t text_size(const char *text) { return text ? strlen(text) + 1 : 0; }

static size_t texts_size(const graph_copy *g) {
  size_t size = 0;
  for (int i = 0; i < g->def.node_count; i++) {
    const sinew_node_def *n = g->def.nodes + i;
    size += text_size(n->key) + text_size(n->sync_group) + text_size(g->node_lines[i]);
  }
  for (int i = 0; i < g->def.transition_count; i++)
    size += text_size(g->def.transitions[i].event) + text_size(g->def.transitions[i].when) +
            text_size(g->transition_lines[i]);
  return size;
}

static const char *copy_text(char **at, const char *text) {
  size_t size = text_size(text);
  if (!text) return NULL;
  const char *copy = memcpy(*at, text, size);
  *at += size;
  return copy;
}

static void *copy_items(char **at, const void *items, size_t size) {
  void *copy = *at;
  if (size) memcpy(copy, items, size);
  *at += size;
  return copy;
}

graph_copy *declarations_copy_graph(declarations *all, const graph_copy *from) {
  size_t nodes = (size_t)from->def.node_count, transitions = (size_t)from->def.transition_count;
  size_t positions = (size_t)from->position_count * sizeof *from->positions;
  size_t each_node = sizeof *from->def.nodes + sizeof *from->node_lines;
  size_t each_transition = sizeof *from->def.transitions + sizeof *from->transition_lines;
  graph_copy *copy = declarations_allocate(all, sizeof *copy + nodes * each_node + transitions * each_transition +
                                                    positions + texts_size(from));
  if (!copy) return NULL;
  char *at = (char *)(copy + 1);
  sinew_node_def *n = copy_items(&at, from->def.nodes, nodes * sizeof *n);
  sinew_transition_def *t = copy_items(&at, from->def.transitions, transitions * sizeof *t);
  const char **lines = copy_items(&at, from->node_lines, nodes * sizeof *lines);
  const char **transition_lines = copy_items(&at, from->transition_lines, transitions * sizeof *transition_lines);
  graph_position *p = copy_items(&at, from->positions, positions);
  for (size_t i = 0; i < nodes; i++) {
    n[i].key = copy_text(&at, n[i].key);
    n[i].sync_group = copy_text(&at, n[i].sync_group);
    lines[i] = copy_text(&at, lines[i]);
  }
  for (size_t i = 0; i < transitions; i++) {
    t[i].event = copy_text(&at, t[i].event);
    t[i].when = copy_text(&at, t[i].when);
    transition_lines[i] = copy_text(&at, transition_lines[i]);
  }
  *copy = (graph_copy){{n, (int)nodes, t, (int)transitions}, p, from->position_count, lines, transition_lines};
  return copy;
}

/* ---- sameness ---- */

bool declarations_same_graph(const graph_copy *a, const graph_copy *b) {
  if (!a && !b) return true;
  bool same = a && b && a->def.node_count == b->def.node_count && a->def.transition_count == b->def.transition_count &&
              a->position_count == b->position_count;
  for (int i = 0; same && i < a->def.node_count; i++) same = kind_same(&kind_node, a->def.nodes + i, b->def.nodes + i);
  for (int i = 0; same && i < a->def.transition_count; i++)
    same = kind_same(&kind_transition, a->def.transitions + i, b->def.transitions + i);
  for (int i = 0; same && i < a->position_count; i++)
    same = memcmp(a->positions + i, b->positions + i, sizeof *a->positions) == 0;
  return same;
}

/* ---- declaring ---- */

graph_record *declarations_need_graph(declarations *all, actor_record *record, int64_t layer, sinew_error *error) {
  graph_record *graph = declarations_find_graph(record, layer);
  if (graph) return graph;
  graph = declaration_add(all, &record->parts[PART_GRAPHS], sizeof *graph, "");
  if (graph) graph->layer = layer;
  else declarations_fail(error, "out of memory for a graph of actor '%s'", record->head.name);
  return graph;
}

static bool set_graph(declarations *all, actor_record *record, const graph_record *graph, const graph_copy *copy,
                      double fade, sinew_error *error) {
  int layer = declarations_layer_index(all, record, graph->layer);
  if (layer < 0) return declarations_fail(error, "the layer of the graph is gone");
  return sinew_actor_set_graph(all->stage, record->actor, layer, copy ? &copy->def : NULL, fade, error);
}

bool declarations_set_graph(declarations *all, actor_record *record, graph_record *graph, graph_copy *copy, double fade,
                            const char *line, sinew_error *error) {
  bool twice = all->loading && graph->head.next_set;
  if (twice)
    declarations_fail(error, "actor '%s' has a graph on that layer already, from %s", record->head.name,
                      graph->head.next_line);
  if (twice || (!all->loading && !set_graph(all, record, graph, copy, fade, error))) {
    declarations_free(all, copy);
    return false;
  }
  if (all->loading) {
    graph->next = copy;
    graph->next_fade = fade;
    declaration_set(all, &graph->head, line);
  } else {
    declarations_free(all, graph->last);
    graph->last = copy;
    declaration_made(&graph->head, line);
  }
  return true;
}

/* ---- commit ---- */

/* A position that a function returns is a current value, not a declared one. */
static void keep_positions(const graph_copy *last, const graph_copy *next) {
  bool alike =
      last && next && last->position_count == next->position_count && last->def.node_count == next->def.node_count;
  for (int i = 0; alike && i < next->position_count; i++) {
    int node = next->positions[i].node;
    sinew_node_def *n = (sinew_node_def *)(uintptr_t)next->def.nodes + node;
    if (last->positions[i].node != node || last->positions[i].axis != next->positions[i].axis) continue;
    *(next->positions[i].axis ? &n->y : &n->x) =
        next->positions[i].axis ? last->def.nodes[node].y : last->def.nodes[node].x;
  }
}

static const char *param_name(const void *owner, int index) {
  return ((const actor_record *)owner)->parts[PART_PARAMS].items[index]->name;
}

static void tell(declarations *all, const actor_record *record, const graph_copy *last, const graph_copy *next) {
  declarations_tell_graph(all, record->head.name, last, record->model, next, record->model, param_name, record);
}

bool declarations_graph_plays(const graph_copy *graph, int clip) {
  bool found = false;
  for (int i = 0; graph && i < graph->def.node_count && !found; i++)
    found = graph->def.nodes[i].kind == SINEW_NODE_CLIP && graph->def.nodes[i].clip == clip;
  return found;
}

/* The number of clip nodes in the first graph whose clips the second has, too. */
static int shared_clips(const graph_copy *a, const graph_copy *b) {
  int count = 0;
  for (int i = 0; a && b && i < a->def.node_count; i++)
    count += a->def.nodes[i].kind == SINEW_NODE_CLIP && declarations_graph_plays(b, a->def.nodes[i].clip);
  return count;
}

/* Whether its layer gets something else to play. */
static bool leaves(const graph_record *graph) {
  return graph->last &&
         (graph->head.fate == FATE_GOES || (graph->head.fate == FATE_STAYS && !shared_clips(graph->last, graph->next)));
}

/* A graph that leaves another layer and shares most of its clips, unless this layer's old graph shares some. */
static graph_record *find_origin(const actor_record *record, const graph_record *graph) {
  graph_record *found = NULL;
  bool seeks = graph->next && (graph->head.fate != FATE_STAYS || leaves(graph));
  for (int i = 0, most = 0; seeks && i < record->parts[PART_GRAPHS].count; i++) {
    graph_record *other = graph_at(record, i);
    int shared = other != graph && leaves(other) ? shared_clips(other->last, graph->next) : 0;
    if (shared > most) most = shared, found = other;
  }
  return found;
}

/* The layer of a removed action whose clip the graph has. */
static int64_t find_left_layer(const actor_record *record, const graph_record *graph) {
  for (int i = 0; graph->next && i < record->parts[PART_PLAYS].count; i++) {
    const play_record *play = play_at(record, i);
    bool goes = play->head.declared && !play->head.next_set;
    if (goes && declarations_graph_plays(graph->next, play->clip)) return play->layer;
  }
  return graph->layer;
}

/* The edit has moved a graph to another layer, where it continues. */
static void move_one(declarations *all, actor_record *record, graph_record *graph, graph_record *from) {
  int source = declarations_layer_index(all, record, from->layer);
  int target = declarations_layer_index(all, record, graph->layer);
  if (!sinew_actor_continue_graph(all->stage, record->actor, source, target)) return;
  keep_positions(from->last, graph->next);
  declarations_note(all, "%s graph: layer %s → %s", record->head.name, declarations_layer_name(record, from->layer),
                    declarations_layer_name(record, graph->layer));
  tell(all, record, from->last, graph->next);
  graph->moved = from->moved = true;
}

static void begin(declarations *all, actor_record *record) {
  for (int i = 0; i < record->parts[PART_GRAPHS].count; i++) graph_at(record, i)->moved = false;
  for (int i = 0; i < record->parts[PART_GRAPHS].count; i++) {
    graph_record *graph = graph_at(record, i), *from = find_origin(record, graph);
    int source = declarations_layer_index(all, record, find_left_layer(record, graph));
    int target = declarations_layer_index(all, record, graph->layer);
    if (from) move_one(all, record, graph, from);
    else if (source != target) sinew_actor_continue_graph(all->stage, record->actor, source, target);
  }
}

/* Continues from a member of a crowd that becomes the actor. */
static void leave_crowd(const declarations *all, const actor_record *record, const graph_record *graph) {
  int layer = declarations_layer_index(all, record, graph->layer), clip = -1;
  double time;
  if (!graph->next || !declarations_left_crowd(all, record, graph->next, &clip, &time)) return;
  for (int i = 0; i < graph->next->def.node_count; i++)
    if (graph->next->def.nodes[i].clip == clip) sinew_actor_seek_node(all->stage, record->actor, layer, i, time);
}

static void tell_change(declarations *all, const actor_record *record, const graph_record *graph) {
  if (graph->moved || !declarations_tells(record)) return;
  if (graph->head.fate == FATE_RETURNS && graph->last && graph->next)
    declarations_tell_fate(all, FATE_RETURNS, "%s: its graph", record->head.name);
  tell(all, record, graph->last, graph->next);
}

static bool apply(declarations *all, actor_record *record, declaration *d) {
  sinew_error error;
  graph_record *graph = (graph_record *)d;
  if (!graph->moved) keep_positions(graph->last, graph->next);
  record->changed = record->changed || d->fate != FATE_STAYS; /* it may have stood at rest */
  if (d->fate == FATE_STAYS && declarations_same_graph(graph->last, graph->next)) return true;
  bool set = set_graph(all, record, graph, graph->next, graph->next_fade, &error);
  if (!set) declarations_say(all, SINEW_LOG_WARNING, "%s keeps its graph: %s", record->head.name, error.message);
  else tell_change(all, record, graph), leave_crowd(all, record, graph);
  graph->held = graph->held && !set;
  return set;
}

/* The stage keeps its clocks and states, in case it returns. */
static void remove_graph(declarations *all, actor_record *record, declaration *d) {
  graph_record *graph = (graph_record *)d;
  int layer = declarations_layer_index(all, record, graph->layer);
  graph->held = layer >= 0 && sinew_actor_hold_graph(all->stage, record->actor, layer, DECLARED_REMOVE_FADE);
  if (!graph->moved) tell(all, record, graph->last, NULL);
}

static void forget(declarations *all, actor_record *record, declaration *d) {
  const graph_record *graph = (const graph_record *)d;
  int layer = declarations_layer_index(all, record, graph->layer);
  if (graph->held && layer >= 0 && !sinew_actor_has_graph(all->stage, record->actor, layer))
    sinew_actor_set_graph(all->stage, record->actor, layer, NULL, 0, NULL);
}

static void drop(declarations *all, void *values) {
  graph_copy *copy;
  memcpy(&copy, values, sizeof copy);
  declarations_free(all, copy);
}

const declaration_kind graph_declarations = {.last = offsetof(graph_record, last),
                                             .next = offsetof(graph_record, next),
                                             .size = sizeof(graph_copy *),
                                             .drop = drop,
                                             .begin = begin,
                                             .apply = apply,
                                             .remove = remove_graph,
                                             .forget = forget};
/* A graph that lacks a clip in the other model is declared again. */
void declarations_move_graphs(declarations *all, actor_record *record) {
  for (int i = 0; i < record->parts[PART_GRAPHS].count; i++) {
    graph_record *graph = graph_at(record, i);
    bool whole = true;
    for (int n = 0; graph->last && n < graph->last->def.node_count; n++) {
      sinew_node_def *node = (sinew_node_def *)(uintptr_t)graph->last->def.nodes + n;
      if (node->kind == SINEW_NODE_CLIP) whole = (node->clip = record->clips[node->clip]) >= 0 && whole;
    }
    if (whole) continue;
    declarations_free(all, graph->last);
    graph->last = NULL;
  }
}
