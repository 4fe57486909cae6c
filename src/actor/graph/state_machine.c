/* State machines, and switches, which are machines whose state a parameter selects. */
#include "actor/graph/graph.h"
#include "actor/play/fade.h"

#include <math.h>
#include <string.h>

static const machine_entry *top_of(const machine_state *m) { return m->entries + m->count - 1; }

static double weight_at(const machine_entry *e, double elapsed) {
  return e->fade > 0 ? ease(e->ease, elapsed / e->fade) : 1;
}

static double fade_weight(const machine_entry *e) { return weight_at(e, e->elapsed); }

static int clamp_state(const sinew_node_def *n, double value) {
  double rounded = floor(value + 0.5);
  return rounded <= 0 ? 0 : rounded >= n->child_count ? n->child_count - 1 : (int)rounded;
}

static int free_slot(const machine_state *m) {
  bool used[GRAPH_ENTRIES + 1] = {false};
  int slot = 0;
  for (int i = 0; i < m->count; i++) used[m->entries[i].slot] = true;
  while (used[slot]) slot++;
  return slot;
}

static void push(const graph_frame *f, int node, machine_state *m, machine_entry entry, const node_phase *phase) {
  const sinew_node_def *n = f->graph->nodes + node;
  entry.slot = free_slot(m);
  entry.part = 1;
  m->entries[m->count++] = entry;
  node_reset(f, n->first_child + entry.state, machine_slot(f->graph, node, m, entry.slot), phase);
}

int switch_child(const sinew_node_def *n, const double *params) { return clamp_state(n, params[n->param_x]); }

void machine_reset(const graph_frame *f, int node, machine_state *m, const node_phase *phase) {
  const sinew_node_def *n = f->graph->nodes + node;
  *m = (machine_state){0};
  for (int i = 0; i < (int)(sizeof m->history / sizeof *m->history); i++) m->history[i] = -1;
  bool chosen = n->kind == SINEW_NODE_SWITCH;
  push(f, node, m, (machine_entry){.state = chosen ? switch_child(n, f->params) : n->start}, phase);
}

/* Drops the states under one that has fully faded in; they show until the end of that update. */
static void drop_covered(machine_state *m) {
  int lowest = m->count - 1;
  while (lowest > 0 && fade_weight(m->entries + lowest) < 1) lowest--;
  memmove(m->entries, m->entries + lowest, (size_t)(m->count - lowest) * sizeof *m->entries);
  m->count -= lowest;
}

static void drop_oldest(machine_state *m) {
  memmove(m->entries, m->entries + 1, (size_t)--m->count * sizeof *m->entries);
}

/* ---- choosing a transition ---- */

static bool find_lead(const graph_frame *f, int node, machine_state *m, node_lead *lead) {
  const sinew_node_def *n = f->graph->nodes + node;
  return node_find_lead(f, n->first_child + top_of(m)->state, machine_slot(f->graph, node, m, top_of(m)->slot), lead);
}

/* That of the clip that leads, with those of the nodes above it: its own has them only after its first update. */
static double lead_speed(const graph_frame *f, const node_lead *lead) {
  double speed = 1;
  for (int i = lead->node; i >= 0; i = i ? f->graph->parents[i] : -1) speed *= f->graph->nodes[i].speed;
  return fabs(speed);
}

/* Seconds of this update that have passed when `before_end` is reached; negative: it is not reached. */
static double seconds_to_end(const graph_frame *f, int node, machine_state *m, double before_end, double step) {
  node_lead lead;
  if (!find_lead(f, node, m, &lead)) return -1;
  double speed = lead_speed(f, &lead), remaining = playback_remaining(lead.playback);
  if (lead.playback->finished) return 0;
  if (!(speed > 0)) return -1;
  double until = remaining / speed - before_end;
  return until <= step ? fmax(until, 0) : -1;
}

static bool was_sent(const graph_frame *f, const char *event) {
  for (int i = 0; i < f->event_count; i++)
    if (strcmp(f->events[i], event) == 0) return true;
  return false;
}

/* Whether it leads out of the present state. */
static bool leads_on(const machine_state *m, const sinew_transition_def *t) {
  int state = top_of(m)->state;
  return t->from >= 0 ? t->from == state : t->to != state || t->restart;
}

double machine_seconds_left(const graph_frame *f, int node, machine_state *m) {
  node_lead lead;
  double speed = find_lead(f, node, m, &lead) ? lead_speed(f, &lead) : 0;
  return speed > 0 ? playback_remaining(lead.playback) / speed : HUGE_VAL;
}

static double lead_phase(const graph_frame *f, int node, machine_state *m) {
  node_lead lead;
  bool leads = find_lead(f, node, m, &lead) && lead.playback->duration > 0;
  return leads ? (playback_time(lead.playback) - lead.playback->begin) / lead.playback->duration : 0;
}

static const condition_code *condition_of(const graph_frame *f, const sinew_transition_def *t) {
  int index = f->graph->condition_of[t - f->graph->transitions];
  return index >= 0 ? f->graph->conditions + index : NULL;
}

condition_values machine_values(const graph_frame *f, int node, machine_state *m) {
  return (condition_values){f->params, {machine_seconds_left(f, node, m), lead_phase(f, node, m), m->time}};
}

static bool when_holds(const graph_frame *f, int node, machine_state *m, const condition_code *when) {
  if (!when) return true;
  const condition_values values = machine_values(f, node, m);
  return condition_holds(when, &values);
}

/* Returns the condition that does not hold; if all hold, *begins is the moment in the update. */
static sinew_refusal ask(const graph_frame *f, int node, machine_state *m, const sinew_transition_def *t, double step,
                         double *begins) {
  *begins = 0;
  if (t->event && !was_sent(f, t->event)) return SINEW_REFUSAL_EVENT;
  if (!isnan(t->before_end) && (*begins = seconds_to_end(f, node, m, t->before_end, step)) < 0)
    return SINEW_REFUSAL_TIME;
  if (!when_holds(f, node, m, condition_of(f, t))) return SINEW_REFUSAL_WHEN;
  if (graph_waits_for_stop(f, node, t, &(graph_stop){0})) return SINEW_REFUSAL_DISTANCE;
  bool holds = t->condition < 0 || (f->condition && f->condition(f->condition_user, f->actor, t->condition));
  return holds ? SINEW_REFUSAL_NONE : SINEW_REFUSAL_CONDITION;
}

static sinew_mark mark_of(const graph_frame *f, int node, const machine_state *m, sinew_mark_kind kind, int transition,
                          int to) {
  sinew_mark mark = mark_of_machine(kind, f->marks, f->layer, node);
  mark.from = top_of(m)->state;
  mark.to = to;
  mark.transition = transition;
  return mark;
}

static void note_refusal(const graph_frame *f, int node, machine_state *m, int transition, sinew_refusal refusal) {
  if (!f->marks) return;
  int to = f->graph->transitions[transition].to;
  sinew_mark mark = mark_of(f, node, m, SINEW_MARK_REFUSAL, transition, to);
  mark.refusal = refusal;
  if (refusal == SINEW_REFUSAL_TIME) mark.left = machine_seconds_left(f, node, m);
  if (refusal == SINEW_REFUSAL_DISTANCE) {
    graph_stop stop;
    graph_waits_for_stop(f, node, f->graph->transitions + transition, &stop);
    mark.left = stop.left;
    mark.covers = stop.covers;
  }
  if (refusal == SINEW_REFUSAL_WHEN) {
    const condition_values values = machine_values(f, node, m);
    const condition_code *when = condition_of(f, f->graph->transitions + transition);
    mark.part = condition_refuse(when, &values, mark.text, sizeof mark.text);
  }
  marks_refuse(f->marks, &mark);
}

/* A state that begins within the update can end in it by its time only: events and conditions hold at its start. */
static const sinew_transition_def *choose(const graph_frame *f, int node, machine_state *m, double step, bool again,
                                          double *begins) {
  const sinew_node_def *n = f->graph->nodes + node;
  bool locked = top_of(m)->locked && fade_weight(top_of(m)) < 1;
  for (int i = n->first_transition; i < n->first_transition + n->transition_count; i++) {
    const sinew_transition_def *t = f->graph->transitions + i;
    if (!leads_on(m, t) || (again && (t->event || isnan(t->before_end)))) continue;
    sinew_refusal refusal = locked ? SINEW_REFUSAL_LOCKED : ask(f, node, m, t, step, begins);
    if (refusal == SINEW_REFUSAL_NONE) return t;
    if (!again) note_refusal(f, node, m, i, refusal);
  }
  return NULL;
}

/* ---- taking it ---- */

static bool find_phase(const graph_frame *f, int node, machine_state *m, node_phase *phase) {
  node_lead lead;
  if (!find_lead(f, node, m, &lead)) return false;
  const clip_markers *markers = markers_of(f->markers, f->model, lead.clip);
  sync_marks marks = sync_marks_of(lead.playback, markers);
  phase->pattern = sync_pattern_of(lead.playback, &marks);
  sync_track track = sync_track_of(lead.playback, &marks, &phase->pattern, lead.playback->cycles);
  double position = playback_time(lead.playback) - lead.playback->begin;
  phase->phase = sync_locate(&track, position);
  return true;
}

static void note_history(machine_state *m, int transition) {
  size_t positions = sizeof m->history / sizeof *m->history;
  memmove(m->history + 1, m->history, (positions - 1) * sizeof *m->history);
  memmove(m->stayed + 1, m->stayed, (positions - 1) * sizeof *m->stayed);
  memmove(m->left_by + 1, m->left_by, (positions - 1) * sizeof *m->left_by);
  m->history[0] = top_of(m)->state;
  m->stayed[0] = m->time;
  m->left_by[0] = transition;
  m->transitions++;
}

static int index_of(const graph_frame *f, int node, const sinew_transition_def *t) {
  return f->graph->nodes[node].kind == SINEW_NODE_SWITCH ? -1 : (int)(t - f->graph->transitions);
}

static void note_transition(const graph_frame *f, int node, const machine_state *m, const sinew_transition_def *t) {
  if (!f->marks) return;
  int transition = index_of(f, node, t);
  sinew_mark mark = mark_of(f, node, m, SINEW_MARK_TRANSITION, transition, t->to);
  mark.fade = (float)t->fade;
  marks_take(f->marks, &mark);
}

/* Notes the transition that begins when `rest` seconds of the update are left. */
static void note_change(const graph_frame *f, state_change change, double rest) {
  change.moment = fmax(fabs(f->dt) - fabs(rest), 0);
  f->graph->changes[f->graph->change_count++] = change;
}

static void leave(const graph_frame *f, int node, void *state, double rest);

static void leave_children(const graph_frame *f, int node, void *state, double rest) {
  const sinew_node_def *n = f->graph->nodes + node;
  for (int c = n->first_child; c < n->first_child + n->child_count; c++)
    leave(f, c, node_child(f->graph, state, c), rest);
}

/* Leaves the machines inside a state that is left, the innermost first. */
static void leave(const graph_frame *f, int node, void *state, double rest) {
  const sinew_node_def *n = f->graph->nodes + node;
  if (n->kind < SINEW_NODE_SWITCH) {
    leave_children(f, node, state, rest);
    return;
  }
  machine_state *m = state;
  leave(f, n->first_child + top_of(m)->state, machine_slot(f->graph, node, m, top_of(m)->slot), rest);
  if (n->kind == SINEW_NODE_MACHINE && m->entered)
    note_change(f, (state_change){.node = node, .from = top_of(m)->state, .to = -1, .stayed = m->time}, rest);
}

static void change_state(const graph_frame *f, int node, machine_state *m, int to, double rest) {
  const sinew_node_def *n = f->graph->nodes + node;
  leave(f, n->first_child + top_of(m)->state, machine_slot(f->graph, node, m, top_of(m)->slot), rest);
  if (n->kind == SINEW_NODE_MACHINE)
    note_change(f, (state_change){.node = node, .from = top_of(m)->state, .to = to, .stayed = m->time}, rest);
}

/* With its first update. */
static void enter(const graph_frame *f, int node, machine_state *m, double rest) {
  if (m->entered) return;
  m->entered = true;
  if (f->graph->nodes[node].kind == SINEW_NODE_MACHINE)
    note_change(f, (state_change){.node = node, .from = -1, .to = top_of(m)->state}, rest);
}

static void take(graph_frame *f, int node, machine_state *m, const sinew_transition_def *t, double rest) {
  note_transition(f, node, m, t);
  change_state(f, node, m, t->to, rest);
  node_phase phase;
  bool keeps = t->keep_phase && find_phase(f, node, m, &phase);
  machine_entry entry = {.state = t->to, .fade = t->fade, .ease = t->ease, .kind = t->kind, .locked = t->locked};
  note_history(m, index_of(f, node, t));
  /* If too many states fade at once, inertia carries their blend. It drops their velocity, because velocities would add
   * up. */
  bool inertial = t->kind == SINEW_TRANSITION_INERTIAL;
  if (f->fades_only) {
    if (inertial) entry.kind = SINEW_TRANSITION_CROSSFADE;
    if (m->count == GRAPH_ENTRIES) drop_oldest(m);
  } else if (inertial || m->count == GRAPH_ENTRIES) {
    double *seconds = inertial ? &f->inertial : &f->standing;
    *seconds = fmax(*seconds, t->fade);
    m->count = 0;
    entry.kind = SINEW_TRANSITION_INERTIAL;
    entry.elapsed = entry.fade;
  }
  push(f, node, m, entry, keeps ? &phase : NULL);
  m->time = 0;
}

static void decide_switch(graph_frame *f, int node, machine_state *m, double step) {
  const sinew_node_def *n = f->graph->nodes + node;
  int wanted = switch_child(n, f->params);
  if (wanted == top_of(m)->state) return;
  sinew_transition_def t = sinew_transition_def_default();
  t.to = wanted;
  t.fade = n->fade;
  t.ease = n->ease;
  take(f, node, m, &t, step);
}

/* A state that inertia leads to gets at least this fraction of the update, so that it has a velocity. */
static const double least_part = 1e-3;

/* Takes the transitions that the update has time for. */
static void decide(graph_frame *f, int node, machine_state *m, double step) {
  double begins = 0, left = step;
  if (f->graph->nodes[node].kind == SINEW_NODE_SWITCH) {
    decide_switch(f, node, m, step);
    return;
  }
  for (int taken = 0; taken < MACHINE_STEPS; taken++) {
    const sinew_transition_def *t = choose(f, node, m, left, taken > 0, &begins);
    if (!t) break;
    double rest = fmax(left - begins, t->kind == SINEW_TRANSITION_INERTIAL ? least_part * left : 0);
    m->time += fmax(left - rest, 0);
    take(f, node, m, t, rest);
    m->entries[m->count - 1].part = step != 0 ? rest / step : 1;
    left = rest;
    if (!(left > 0)) break;
  }
}

/* ---- update ---- */

static double part_of(const machine_entry *e, bool decides) { return decides ? e->part : 1; }

static void advance_fades(machine_state *m, double dt, bool decides) {
  for (int i = 0; i < m->count; i++) m->entries[i].elapsed += fmax(dt * part_of(m->entries + i, decides), 0);
  m->time += fmax(dt * part_of(top_of(m), decides), 0);
}

void machine_decide(graph_frame *f, int node, machine_state *m, double step) {
  drop_covered(m);
  enter(f, node, m, step);
  for (int i = 0; i < m->count; i++) m->entries[i].part = 1;
  decide(f, node, m, step);
  const sinew_node_def *n = f->graph->nodes + node;
  const machine_entry *top = top_of(m);
  node_decide(f, n->first_child + top->state, machine_slot(f->graph, node, m, top->slot), step * top->part);
}

void machine_update(graph_frame *f, int node, machine_state *m, node_visit v) {
  const sinew_node_def *n = f->graph->nodes + node;
  drop_covered(m);
  advance_fades(m, v.step != 0 ? v.step : f->dt, v.decides);
  v.sync = node_sync(f, n, &m->sync, v.sync);
  float left = v.weight, left_mean = v.mean, left_first = v.first;
  bool frozen = false;
  for (int i = m->count - 1; i >= 0; i--) {
    const machine_entry *e = m->entries + i;
    node_visit child = v;
    child.weight = i ? left * (float)fade_weight(e) : left;
    child.mean = i ? left_mean * (float)ease_mean(e->ease, e->elapsed, e->fade, fmax(f->dt, 0)) : left_mean;
    child.first = i ? left_first * (float)weight_at(e, e->elapsed - fmax(f->dt, 0)) : left_first;
    child.group = 31 * v.group + (uint32_t)e->slot + 1;
    child.coasts = v.coasts || frozen;
    child.decides = v.decides && i == m->count - 1;
    child.step *= part_of(e, v.decides);
    child.late += v.step - child.step;
    if (frozen) child.step = 0;
    left -= child.weight;
    left_mean -= child.mean;
    left_first -= child.first;
    frozen |= e->kind == SINEW_TRANSITION_FROZEN;
    node_update(f, n->first_child + e->state, machine_slot(f->graph, node, m, e->slot), child);
  }
}

/* ---- asking ---- */

void *graph_find_instance(const graph *g, int node) {
  if (node == 0) return g->state;
  int parent = g->parents[node];
  void *above = graph_find_instance(g, parent);
  if (!above || g->nodes[parent].kind < SINEW_NODE_SWITCH) return above ? node_child(g, above, node) : NULL;
  machine_state *m = above;
  bool is = g->nodes[parent].first_child + top_of(m)->state == node;
  return is ? machine_slot(g, parent, m, top_of(m)->slot) : NULL;
}

bool graph_machine_state(const graph *g, int node, sinew_machine_state *out) {
  const machine_state *m = g->nodes[node].kind >= SINEW_NODE_SWITCH ? graph_find_instance(g, node) : NULL;
  if (!m) return false;
  *out = (sinew_machine_state){.state = top_of(m)->state,
                               .previous = m->history[0],
                               .time = m->time,
                               .fade = (float)fade_weight(top_of(m)),
                               .transitions = m->transitions};
  memcpy(out->history, m->history, sizeof out->history);
  memcpy(out->stayed, m->stayed, sizeof out->stayed);
  memcpy(out->left_by, m->left_by, sizeof out->left_by);
  return true;
}

bool graph_transition(const graph *g, int node, sinew_transition_state *out) {
  const machine_state *m = g->nodes[node].kind >= SINEW_NODE_SWITCH ? graph_find_instance(g, node) : NULL;
  const machine_entry *top = m ? top_of(m) : NULL;
  if (!m || m->transitions == 0 || !(m->time < top->fade)) return false;
  *out = (sinew_transition_state){.kind = top->kind,
                                  .from = m->history[0],
                                  .to = top->state,
                                  .time = m->time,
                                  .fade = top->fade,
                                  .progress = (float)ease(top->ease, m->time / top->fade)};
  return true;
}
