/* The rules of a graph's definition, with an error message each. */
#include "actor/graph/graph.h"
#include "base/error.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

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
