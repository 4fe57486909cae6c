/* A graph's memory. */
#include "actor/graph/graph.h"

#include "actor/stage.h"
#include "base/error.h"
#include "base/memory/block.h"
#include "base/memory/memory.h"
#include "base/text.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

void *node_child(const graph *g, void *state, int child) { return (unsigned char *)state + g->offsets[child]; }

static size_t machine_slot_size(const graph *g, int node) {
  const sinew_node_def *n = g->nodes + node;
  size_t most = 0;
  for (int i = 0; i < n->child_count; i++)
    if (g->sizes[n->first_child + i] > most) most = g->sizes[n->first_child + i];
  return most;
}

void *machine_slot(const graph *g, int node, void *state, int slot) {
  return (unsigned char *)state + sizeof(machine_state) + (size_t)slot * machine_slot_size(g, node);
}

/* ---- memory ---- */

static int lay_out_space(graph *g, const sinew_node_def *n, size_t *size) {
  int instances = 0;
  *size = sizeof(space_state);
  for (int i = n->first_child; i < n->first_child + n->child_count; i++) {
    g->offsets[i] = *size;
    *size += g->sizes[i];
    instances += g->weights[i] > 0 ? (int)g->weights[i] : 0;
  }
  return instances;
}

static int lay_out_machine(graph *g, int node, size_t *size) {
  const sinew_node_def *n = g->nodes + node;
  int instances = 0;
  *size = sizeof(machine_state) + GRAPH_ENTRIES * machine_slot_size(g, node);
  for (int i = n->first_child; i < n->first_child + n->child_count; i++)
    if ((int)g->weights[i] > instances) instances = (int)g->weights[i];
  return instances * GRAPH_ENTRIES;
}

/* Works from the leaves up; `weights` meanwhile holds the number of instances below each node. */
static void lay_out(graph *g) {
  for (int i = g->node_count - 1; i >= 0; i--) {
    const sinew_node_def *n = g->nodes + i;
    int instances = 1;
    g->sizes[i] = sizeof(playback);
    if (n->kind >= SINEW_NODE_SWITCH) instances = lay_out_machine(g, i, &g->sizes[i]);
    else if (n->kind != SINEW_NODE_CLIP) instances = lay_out_space(g, n, &g->sizes[i]);
    g->weights[i] = (float)instances;
    g->instance_count = instances;
  }
}

static int count_planes(const sinew_graph_def *def) {
  int count = 0;
  for (int i = 0; i < def->node_count; i++) count += def->nodes[i].kind == SINEW_NODE_SPACE_2D;
  return count;
}

/* In one update each machine can be left, be entered, begin, and change its state several times. */
static int count_changes(const sinew_graph_def *def) {
  int count = 0;
  for (int i = 0; i < def->node_count; i++) count += def->nodes[i].kind == SINEW_NODE_MACHINE ? MACHINE_CHANGES : 0;
  return count;
}

static int count_conditions(const sinew_graph_def *def) {
  int count = 0;
  for (int i = 0; i < def->transition_count; i++) count += def->transitions[i].when != NULL;
  return count;
}

static const char *copy_text(block *b, const char *text) { return text ? block_string(b, text) : NULL; }

static void copy_nodes(block *b, const sinew_graph_def *def, graph *g) {
  for (int i = 0; i < def->node_count; i++) {
    const char *key = copy_text(b, def->nodes[i].key), *group = copy_text(b, def->nodes[i].sync_group);
    if (!g) continue;
    g->nodes[i].key = key;
    g->nodes[i].sync_group = group;
  }
  for (int i = 0; i < def->transition_count; i++) {
    const char *event = copy_text(b, def->transitions[i].event), *when = copy_text(b, def->transitions[i].when);
    if (!g) continue;
    g->transitions[i].event = event;
    g->transitions[i].when = when;
  }
}

static void carve(block *b, void *user) {
  const sinew_graph_def *def = user;
  size_t nodes = (size_t)def->node_count, transitions = (size_t)def->transition_count;
  graph *g = block_take(b, 1, sizeof *g), measured;
  graph *out = g ? g : &measured;
  out->nodes = block_copy(b, def->nodes, nodes, sizeof *def->nodes);
  out->transitions = block_copy(b, def->transitions, transitions, sizeof *def->transitions);
  out->conditions = block_take(b, (size_t)count_conditions(def), sizeof *out->conditions);
  out->condition_of = block_take(b, transitions, sizeof *out->condition_of);
  out->parents = block_take(b, nodes, sizeof *out->parents);
  out->sizes = block_take(b, nodes, sizeof *out->sizes);
  out->offsets = block_take(b, nodes, sizeof *out->offsets);
  out->triangulation_of = block_take(b, nodes, sizeof *out->triangulation_of);
  out->triangulations = block_take(b, (size_t)count_planes(def), sizeof *out->triangulations);
  out->weights = block_take(b, nodes, sizeof *out->weights);
  out->changes = block_take(b, (size_t)count_changes(def), sizeof *out->changes);
  copy_nodes(b, def, g);
}

void graph_triangulate(graph *g, int node) {
  const sinew_node_def *n = g->nodes + node;
  space_point points[SPACE_SAMPLES];
  for (int i = 0; i < n->child_count; i++)
    points[i] = (space_point){g->nodes[n->first_child + i].x, g->nodes[n->first_child + i].y};
  space_triangulate(points, n->child_count, g->triangulations + g->triangulation_of[node]);
}

static void connect(graph *g) {
  int planes = 0;
  g->parents[0] = -1;
  for (int i = 0; i < g->node_count; i++) {
    const sinew_node_def *n = g->nodes + i;
    g->triangulation_of[i] = n->kind == SINEW_NODE_SPACE_2D ? planes++ : -1;
    for (int k = 0; k < n->child_count; k++) g->parents[n->first_child + k] = i;
    if (n->kind == SINEW_NODE_SPACE_2D) graph_triangulate(g, i);
  }
}

/* The check has read them before. */
static void read_conditions(graph *g, const graph_params *params) {
  for (int i = 0; i < g->transition_count; i++) {
    const char *when = g->transitions[i].when;
    g->condition_of[i] = when ? g->condition_count++ : -1;
    if (when) condition_read(when, params->names, params->count, g->conditions + g->condition_of[i], NULL);
  }
}

void graph_bind(graph *g, const char *const *names, int count) {
  for (int i = 0; i < g->condition_count; i++) condition_bind(g->conditions + i, names, count);
}

static int params_of(const sinew_node_def *n) {
  int most = n->param_x > n->param_y ? n->param_x : n->param_y;
  if (n->match_param > most) most = n->match_param;
  return 1 + (n->weight_param > most ? n->weight_param : most);
}

graph *graph_create(const sinew_graph_def *def, const sinew_model *model, const graph_params *params) {
  graph *g = block_create(carve, (void *)(uintptr_t)def, "a graph", NULL);
  if (!g) return NULL;
  g->users = 1;
  g->node_count = def->node_count;
  g->transition_count = def->transition_count;
  for (int i = 0; i < g->node_count; i++) {
    if (params_of(g->nodes + i) > g->param_count) g->param_count = params_of(g->nodes + i);
    g->decides |= g->nodes[i].kind >= SINEW_NODE_SWITCH;
    g->turns |= g->nodes[i].match == SINEW_MATCH_TURN;
    g->stops |= g->nodes[i].match == SINEW_MATCH_TO_STOP;
  }
  connect(g);
  read_conditions(g, params);
  lay_out(g);
  g->state = mem_alloc_zeroed(g->sizes[0]);
  if (!g->state) {
    graph_destroy(g);
    return NULL;
  }
  node_reset(&(graph_frame){.graph = g, .model = model, .params = params->values}, 0, g->state, NULL);
  return g;
}

graph *graph_retain(graph *g) {
  g->users++;
  return g;
}

void graph_destroy(graph *g) {
  if (!g || --g->users > 0) return;
  mem_free(g->state);
  block_release(g);
}

/* ---- The parts of a transition's condition, in words ---- */

/* The parts of one transition, in the order in which they are found. */
typedef struct part_list {
  sinew_transition_part *parts;
  int count, capacity;
} part_list;

static void add(part_list *list, sinew_part_state state, const char *text) {
  if (list->count < list->capacity) {
    sinew_transition_part *part = list->parts + list->count;
    part->state = state;
    text_format(part->text, sizeof part->text, "%s", text);
  }
  list->count++;
}

static sinew_part_state state_of(bool holds) { return holds ? SINEW_PART_TRUE : SINEW_PART_FALSE; }

static void add_lock(part_list *list, const machine_state *m) {
  const machine_entry *top = m->entries + m->count - 1;
  char text[64];
  double left = top->fade - top->elapsed;
  if (!top->locked || !(left > 0)) return;
  text_format(text, sizeof text, "unlocked in %.2f s", left);
  add(list, SINEW_PART_FALSE, text);
}

static void add_event(part_list *list, const graph_frame *f, const sinew_transition_def *t) {
  char text[SINEW_PART_TEXT];
  bool sent = false;
  if (!t->event) return;
  for (int i = 0; i < f->event_count; i++) sent |= strcmp(f->events[i], t->event) == 0;
  text_format(text, sizeof text, "on %s", t->event);
  add(list, state_of(sent), text);
}

static void add_end(part_list *list, const graph_frame *f, int node, machine_state *m, const sinew_transition_def *t) {
  char text[SINEW_PART_TEXT];
  if (isnan(t->before_end)) return;
  double left = machine_seconds_left(f, node, m);
  if (isinf(left)) text_format(text, sizeof text, "before_end %.3g, but the clip stands", t->before_end);
  else text_format(text, sizeof text, "before_end %.3g, %.2f s left", t->before_end, left);
  add(list, state_of(left <= t->before_end), text);
}

static void add_when(part_list *list, const graph_frame *f, int node, machine_state *m, const condition_code *when) {
  char text[SINEW_PART_TEXT];
  const condition_values values = machine_values(f, node, m);
  for (int i = 0, holds; (holds = condition_part(when, &values, i, text, sizeof text)) >= 0; i++)
    add(list, state_of(holds), text);
}

static void add_stop(part_list *list, const graph_frame *f, int node, const sinew_transition_def *t) {
  char text[SINEW_PART_TEXT];
  graph_stop stop;
  bool waits = graph_waits_for_stop(f, node, t, &stop);
  if (!(stop.covers > 0)) return;
  text_format(text, sizeof text, "%.2f m to go, its clip covers %.2f", stop.left, stop.covers);
  add(list, state_of(!waits), text);
}

static int find_machine(const graph *g, int transition) {
  for (int i = 0; i < g->node_count; i++) {
    const sinew_node_def *n = g->nodes + i;
    bool is_machine = n->kind == SINEW_NODE_MACHINE && transition >= n->first_transition;
    if (is_machine && transition < n->first_transition + n->transition_count) return i;
  }
  return -1;
}

int sinew_actor_transition_parts(const sinew_stage *stage, sinew_actor id, int index, int transition,
                                 sinew_transition_part *parts, int capacity) {
  actor *a = stage_find(stage, id);
  graph *g = a && index >= 0 && index < a->layer_count ? a->layers[index].graph : NULL;
  part_list list = {parts, 0, capacity};
  int node = g && transition >= 0 && transition < g->transition_count ? find_machine(g, transition) : -1;
  machine_state *m = node >= 0 ? graph_find_instance(g, node) : NULL;
  if (!m || m->count == 0) return 0;
  const graph_frame f = {.graph = g,
                         .model = a->model,
                         .scale = actor_ground_scale(a),
                         .gait = a->gait,
                         .params = a->params.values,
                         .events = (const char(*)[EVENT_NAME])a->inputs->sent,
                         .event_count = a->inputs->sent_count};
  const sinew_transition_def *t = g->transitions + transition;
  add_lock(&list, m);
  add_event(&list, &f, t);
  add_end(&list, &f, node, m, t);
  if (g->condition_of[transition] >= 0) add_when(&list, &f, node, m, g->conditions + g->condition_of[transition]);
  add_stop(&list, &f, node, t);
  if (t->condition >= 0) add(&list, SINEW_PART_UNKNOWN, "a function");
  return list.count;
}

/* ---- The rules of a graph's definition, with an error message each ---- */

enum { NODES = 4096 };

typedef struct checker {
  const sinew_graph_def *def;
  const sinew_model *model;
  const char *const *params;
  int param_count;
  sinew_error condition;
  int parents[NODES], depths[NODES];
  bool matched[NODES], synced[NODES]; /* below a node that matches, or that is in sync */
  int64_t instances[NODES];           /* that can play at once */
} checker;

static bool is_name(const char *text) { return text[0] && strlen(text) < EVENT_NAME; }

static bool is_param(const checker *c, int param) { return param >= -1 && param < c->param_count; }

static const char *check_clip(const checker *c, const sinew_node_def *n) {
  if (n->child_count) return "a clip has no children";
  if (n->clip < 0 || n->clip >= c->model->clip_count) return "there is no such clip";
  if (n->loop == SINEW_LOOP_COUNT && n->loop_count < 1) return "its loop count is under 1";
  if (n->cycles < 0 || n->cycles > SINEW_MAX_CYCLES) return "its cycles are not from 0 to 8";
  if ((unsigned)n->loop > SINEW_LOOP_COUNT) return "there is no such loop mode";
  if (isinf(n->from) || isinf(n->to) || n->from < 0 || n->to < n->from)
    return "the part to play does not end after it begins";
  if (n->from >= c->model->clips[n->clip].duration && n->from > 0)
    return "the part to play begins after the end of the clip";
  return NULL;
}

static const char *check_parent(const checker *c, int node) {
  const sinew_node_def *n = c->def->nodes + node;
  bool blends = n->kind < SINEW_NODE_SWITCH;
  if (n->child_count < 1) return "it has no children";
  if (blends && n->child_count > SPACE_SAMPLES) return "it has more than 64 children";
  if (n->first_child <= node || n->first_child > c->def->node_count - n->child_count)
    return "its children do not come after it in the list";
  bool x = n->kind != SINEW_NODE_BLEND && n->kind != SINEW_NODE_MACHINE;
  if (x && n->param_x < 0) return "it has no parameter";
  if (n->kind == SINEW_NODE_SPACE_2D && n->param_y < 0) return "it has no second parameter";
  if (!is_param(c, n->param_x) || !is_param(c, n->param_y)) return "there is no such parameter";
  if (!(n->smooth >= 0) || isinf(n->smooth)) return "its smoothing is not a number of seconds from 0 on";
  if (!(n->fade >= 0) || isinf(n->fade)) return "its fade is not a number of seconds from 0 on";
  if (n->sync_group && !is_name(n->sync_group)) return "the name of its sync group is empty or too long";
  return NULL;
}

static const char *check_transition(checker *c, const sinew_node_def *n, const sinew_transition_def *t) {
  if (t->from < -1 || t->from >= n->child_count || t->to < 0 || t->to >= n->child_count)
    return "a transition leads from or to a state that does not exist";
  if (!t->event && !t->when && t->condition < 0 && isnan(t->before_end))
    return "a transition names neither an event nor a condition nor a time before the end";
  if (t->when && !sinew_condition_check(t->when, c->params, c->param_count, &c->condition)) return c->condition.message;
  if (t->event && !is_name(t->event)) return "the event of a transition is empty or too long";
  if (isinf(t->before_end) || t->before_end < 0) return "a transition's time before the end is not from 0 on";
  if (!(t->fade >= 0) || isinf(t->fade)) return "a transition's fade is not a number of seconds from 0 on";
  return NULL;
}

static const char *check_machine(checker *c, const sinew_node_def *n) {
  if (n->start < 0 || n->start >= n->child_count) return "its start state does not exist";
  if (n->transition_count < 0 || n->first_transition < 0 ||
      n->first_transition > c->def->transition_count - n->transition_count)
    return "its transitions are not in the list";
  for (int i = 0; i < n->transition_count; i++) {
    const char *reason = check_transition(c, n, c->def->transitions + n->first_transition + i);
    if (reason) return reason;
  }
  return NULL;
}

static const char *adopt_children(checker *c, int node) {
  const sinew_node_def *n = c->def->nodes + node;
  for (int i = 0; i < n->child_count; i++) {
    int child = n->first_child + i;
    if (c->parents[child] >= 0) return "one of its children is also the child of another node";
    c->parents[child] = node;
    c->depths[child] = c->depths[node] + 1;
    c->matched[child] = c->matched[node] || n->match != SINEW_MATCH_TIME;
    c->synced[child] = c->synced[node] || n->sync;
    const char *key = c->def->nodes[child].key;
    for (int k = 0; key && k < i; k++)
      if (c->def->nodes[n->first_child + k].key && strcmp(key, c->def->nodes[n->first_child + k].key) == 0)
        return "two of its children have the same name";
  }
  return NULL;
}

static const char *check_match(checker *c, int node) {
  const sinew_node_def *n = c->def->nodes + node;
  bool matches = n->match != SINEW_MATCH_TIME, below = c->matched[node];
  if ((unsigned)n->match > SINEW_MATCH_TURN) return "its match is unknown";
  if (!is_param(c, n->match_param)) return "there is no such parameter to match";
  if (n->match >= SINEW_MATCH_TO_STOP && n->match_param < 0) return "it has no parameter to match";
  if (!matches && !below) return NULL;
  if (matches && below) return "it has a match, and so has a node above it";
  if (n->kind >= SINEW_NODE_SWITCH)
    return "only clips, blends and blend spaces may have a match; give it to a "
           "state of the state machine";
  if (n->sync || c->synced[node]) return "clips in sync advance by their stride, and cannot have a match";
  if (!(n->speed > 0)) return "with a match its speed must be above 0";
  bool once = n->loop == SINEW_LOOP_FOREVER || n->loop == SINEW_LOOP_ONCE;
  return n->kind == SINEW_NODE_CLIP && !once ? "with a match it plays once" : NULL;
}

static const char *check_node(checker *c, int node) {
  const sinew_node_def *n = c->def->nodes + node;
  if ((unsigned)n->kind > SINEW_NODE_MACHINE) return "there is no such kind of node";
  if (node && c->parents[node] < 0) return "it is not the child of any node";
  if (c->depths[node] >= GRAPH_DEPTH) return "it is nested deeper than 16 levels";
  if (n->key && !is_name(n->key)) return "its name is empty or too long";
  if (!isfinite(n->speed)) return "its speed is not a finite number";
  if (!isfinite(n->x) || !isfinite(n->y)) return "its position is not a finite number";
  if (!is_param(c, n->weight_param)) return "there is no such parameter for its weight";
  const char *reason = check_match(c, node);
  if (reason) return reason;
  if (n->kind == SINEW_NODE_CLIP) return check_clip(c, n);
  reason = check_parent(c, node);
  if (!reason) reason = adopt_children(c, node);
  if (!reason && n->kind == SINEW_NODE_MACHINE) reason = check_machine(c, n);
  return reason;
}

/* From the leaves up: children come after their parents. */
static bool count_instances(checker *c) {
  for (int i = c->def->node_count - 1; i >= 0; i--) {
    const sinew_node_def *n = c->def->nodes + i;
    bool one_of = n->kind >= SINEW_NODE_SWITCH;
    int64_t sum = 0, most = 0;
    for (int k = 0; k < n->child_count; k++) {
      int64_t child = c->instances[n->first_child + k];
      sum += child;
      if (child > most) most = child;
    }
    c->instances[i] = n->kind == SINEW_NODE_CLIP ? 1 : one_of ? most * GRAPH_ENTRIES : sum;
    if (c->instances[i] > GRAPH_INSTANCES) return false;
  }
  return true;
}

int sinew_graph_find_fault(const sinew_graph_def *def, const sinew_model *model, const char *const *params,
                           int param_count, sinew_error *error) {
  checker c = {.def = def, .model = model, .params = params, .param_count = param_count};
  if (def->node_count < 1 || def->node_count > NODES) {
    error_set(error, "a graph has between 1 and %d nodes, not %d", NODES, def->node_count);
    return 0;
  }
  memset(c.parents, -1, sizeof c.parents);
  for (int i = 0; i < def->node_count; i++) {
    const char *reason = check_node(&c, i), *key = def->nodes[i].key;
    if (!reason) continue;
    if (key) error_set(error, "the graph's node '%s' is not valid: %s", key, reason);
    else error_set(error, "the graph's node %d is not valid: %s", i, reason);
    return i;
  }
  if (count_instances(&c)) return -1;
  error_set(error, "the graph is too large: more than %d clips could play at once", GRAPH_INSTANCES);
  return 0;
}

bool sinew_graph_check(const sinew_graph_def *def, const sinew_model *model, const char *const *params, int param_count,
                       sinew_error *error) {
  return sinew_graph_find_fault(def, model, params, param_count, error) < 0;
}

sinew_graph_def sinew_graph_def_default(void) { return (sinew_graph_def){0}; }

sinew_node_def sinew_node_def_default(void) {
  return (sinew_node_def){.speed = 1,
                          .weight_param = -1,
                          .loop = SINEW_LOOP_FOREVER,
                          .loop_count = 1,
                          .from = (double)NAN,
                          .to = (double)NAN,
                          .param_x = -1,
                          .param_y = -1,
                          .match_param = -1};
}

sinew_transition_def sinew_transition_def_default(void) {
  return (sinew_transition_def){.from = -1, .condition = -1, .before_end = (double)NAN, .fade = 0.2};
}
