/* Updates each kind of node; state machines have their own file. */
#include "actor/graph/graph.h"
#include "actor/stage.h"
#include "actor/sync/gait.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

/* ---- weights of children ---- */

static void blend_weights(const graph_frame *f, const sinew_node_def *n, float *weights) {
  double sum = 0;
  for (int i = 0; i < n->child_count; i++) {
    const sinew_node_def *c = f->graph->nodes + n->first_child + i;
    double w = c->weight_param >= 0 ? f->params[c->weight_param] : c->x;
    weights[i] = (float)fmax(w, 0);
    sum += (double)weights[i];
  }
  for (int i = 0; i < n->child_count; i++) weights[i] = sum > 0 ? (float)((double)weights[i] / sum) : 0;
}

static void find_weights(const graph_frame *f, int node, const space_state *s, float weights[SPACE_SAMPLES]) {
  const graph *g = f->graph;
  const sinew_node_def *n = g->nodes + node;
  space_point points[SPACE_SAMPLES];
  if (n->kind == SINEW_NODE_BLEND) {
    blend_weights(f, n, weights);
    return;
  }
  for (int i = 0; i < n->child_count; i++)
    points[i] = (space_point){g->nodes[n->first_child + i].x, g->nodes[n->first_child + i].y};
  if (n->kind == SINEW_NODE_SPACE_1D) space_weights_1d(points, n->child_count, s->x, weights);
  else space_weights_2d(g->triangulations + g->triangulation_of[node], n->child_count, s->x, s->y, weights);
}

/* ---- smoothed parameters ---- */

static double param(const graph_frame *f, int index) { return index >= 0 ? f->params[index] : 0; }

/* Exponential, so that two half steps make one whole step. False if the parameters act at once. */
static bool follow(const graph_frame *f, const sinew_node_def *n, space_state *s) {
  double x = param(f, n->param_x), y = param(f, n->param_y);
  if (s->follows && n->match >= SINEW_MATCH_TO_STOP) return false; /* the parameter that it follows falls to 0 */
  double fraction = s->follows && n->smooth > 0 ? 1 - sinew_exp(-fmax(f->dt, 0) / n->smooth) : 1;
  s->x += (x - s->x) * fraction;
  s->y += (y - s->y) * fraction;
  if (fraction >= 1) {
    s->x = x;
    s->y = y;
  }
  s->follows = true;
  return fraction < 1;
}

/* ---- sync ---- */

sync_phase *sync_group_find(sync_group *groups, const char *name) {
  for (int i = 0; i < SYNC_GROUPS; i++) {
    if (!groups[i].name[0]) strcpy(groups[i].name, name);
    if (strcmp(groups[i].name, name) == 0) return &groups[i].phase;
  }
  return NULL;
}

sync_phase *node_sync(const graph_frame *f, const sinew_node_def *n, sync_phase *own, sync_phase *above) {
  if (above || !n->sync) return above;
  sync_phase *named = n->sync_group ? sync_group_find(f->groups, n->sync_group) : NULL;
  return named ? named : own;
}

/* ---- reset ---- */

static void reset_clip(const graph_frame *f, const sinew_node_def *n, playback *p, const node_phase *phase) {
  const playback *seen = f->seen ? graph_seen_find(f->seen, n->clip) : NULL;
  *p = playback_start(f->model->clips[n->clip].duration, n->from, n->to);
  p->loop = n->loop;
  p->loop_count = n->loop_count;
  p->cycles = n->cycles;
  p->speed = n->speed;
  if (n->speed < 0) p->position = p->duration;
  if (seen) graph_refit_clip(p, seen, n, f->model->clips[n->clip].duration);
  if (seen || !phase) return;
  sync_marks marks = sync_marks_of(p, markers_of(f->markers, f->model, n->clip));
  sync_track track = sync_track_of(p, &marks, &phase->pattern, p->cycles);
  playback_position(p, sync_unroll(&track, phase->phase));
  p->loops = 0;
}

void node_reset(const graph_frame *f, int node, void *state, const node_phase *phase) {
  const sinew_node_def *n = f->graph->nodes + node;
  if (n->kind == SINEW_NODE_CLIP) {
    reset_clip(f, n, state, phase);
  } else if (n->kind >= SINEW_NODE_SWITCH) {
    machine_reset(f, node, state, phase);
  } else {
    *(space_state *)state = (space_state){0};
    for (int c = n->first_child; c < n->first_child + n->child_count; c++)
      node_reset(f, c, node_child(f->graph, state, c), phase);
  }
}

/* ---- update ---- */

static void match_visit(const graph_frame *f, const sinew_node_def *n, node_visit *v) {
  if (n->match == SINEW_MATCH_TIME) return;
  v->match = n->match;
  if (n->match == SINEW_MATCH_TRAVELLED) v->match_value = f->dt != 0 ? f->moved * v->step / f->dt : 0;
  if (n->match == SINEW_MATCH_TO_STOP) v->match_value = fmax(param(f, n->match_param), 0) / f->scale;
  if (n->match == SINEW_MATCH_TURN) v->match_value = fabs(param(f, n->match_param));
}

static void update_clip(graph_frame *f, int node, playback *p, node_visit v) {
  const sinew_node_def *n = f->graph->nodes + node;
  p->speed = v.speed;
  clip_instance *item = clip_instance_add(f->instances, n->clip, f->layer, p);
  if (!item) return;
  item->node = node;
  item->action = 0;
  item->weight = v.weight;
  item->mean = v.mean;
  item->first = v.first;
  item->group = v.group;
  item->coasts = v.coasts;
  item->step = v.step;
  item->late = v.late;
  item->sync = v.sync;
  item->match = v.match;
  item->match_value = v.match_value;
  item->leads = v.decides;
  if (v.match != SINEW_MATCH_TIME) p->loop = SINEW_LOOP_ONCE;
}

static void update_space(graph_frame *f, int node, space_state *s, node_visit v) {
  const sinew_node_def *n = f->graph->nodes + node;
  float weights[SPACE_SAMPLES], first[SPACE_SAMPLES];
  find_weights(f, node, s, first);
  bool follows = follow(f, n, s);
  find_weights(f, node, s, weights);
  v.sync = node_sync(f, n, &s->sync, v.sync);
  for (int i = 0; i < n->child_count; i++) {
    node_visit child = v;
    child.weight *= weights[i];
    child.mean *= weights[i];
    child.first *= follows ? first[i] : weights[i];
    node_update(f, n->first_child + i, node_child(f->graph, s, n->first_child + i), child);
  }
}

void node_update(graph_frame *f, int node, void *state, node_visit v) {
  const sinew_node_def *n = f->graph->nodes + node;
  v.speed *= n->speed;
  f->graph->weights[node] += v.weight;
  match_visit(f, n, &v);
  if (n->kind == SINEW_NODE_CLIP) update_clip(f, node, state, v);
  else if (n->kind >= SINEW_NODE_SWITCH) machine_update(f, node, state, v);
  else update_space(f, node, state, v);
}

void node_decide(graph_frame *f, int node, void *state, double step) {
  const sinew_node_def *n = f->graph->nodes + node;
  if (n->kind == SINEW_NODE_CLIP) return;
  if (n->kind >= SINEW_NODE_SWITCH) {
    machine_decide(f, node, state, step);
    return;
  }
  for (int c = n->first_child; c < n->first_child + n->child_count; c++)
    node_decide(f, c, node_child(f->graph, state, c), step);
}

void graph_decide(graph_frame *f) {
  f->graph->change_count = 0;
  if (f->graph->decides) node_decide(f, 0, f->graph->state, f->dt);
}

void graph_update(graph_frame *f, float weight) {
  memset(f->graph->weights, 0, (size_t)f->graph->node_count * sizeof *f->graph->weights);
  node_update(
      f, 0, f->graph->state,
      (node_visit){.weight = weight, .mean = weight, .first = weight, .step = f->dt, .speed = 1, .decides = true});
}

/* ---- what leads ---- */

bool node_find_lead(const graph_frame *f, int node, void *state, node_lead *lead) {
  const sinew_node_def *n = f->graph->nodes + node;
  if (n->kind == SINEW_NODE_CLIP) {
    *lead = (node_lead){state, n->clip, node};
    return true;
  }
  if (n->kind >= SINEW_NODE_SWITCH) {
    machine_state *m = state;
    const machine_entry *top = m->entries + m->count - 1;
    return node_find_lead(f, n->first_child + top->state, machine_slot(f->graph, node, m, top->slot), lead);
  }
  float weights[SPACE_SAMPLES];
  int heaviest = 0;
  find_weights(f, node, state, weights);
  for (int i = 1; i < n->child_count; i++)
    if (weights[i] > weights[heaviest]) heaviest = i;
  return node_find_lead(f, n->first_child + heaviest, node_child(f->graph, state, n->first_child + heaviest), lead);
}

/* ---- Seeks a clip of a graph, or all active clips ---- */

typedef struct seek {
  graph_inputs *inputs; /* NULL: no sync group has a name */
  graph *graph;
  int node;    /* −1: every active clip */
  double time; /* seconds; for every active clip, a phase */
  bool found;
} seek;

static bool leads_to(const graph *g, int node, int below) {
  while (below > node) below = g->parents[below];
  return below == node;
}

/* Restarts the group at the clip that was sought. */
static void restart_group(const seek *s, const sinew_node_def *n, sync_phase *own) {
  sync_phase *phase = n->sync_group && s->inputs ? sync_group_find(s->inputs->groups, n->sync_group) : own;
  if (n->sync && phase) phase->intervals = 0;
}

static void seek_node(seek *s, int node, void *state) {
  const graph *g = s->graph;
  const sinew_node_def *n = g->nodes + node;
  if (s->node >= 0 && !leads_to(g, node, s->node)) return;
  if (n->kind == SINEW_NODE_CLIP) {
    playback *p = state;
    playback_seek(p, s->node >= 0 ? s->time : p->begin + s->time * p->duration);
    p->sought = s->found = true;
  } else if (n->kind >= SINEW_NODE_SWITCH) {
    machine_state *m = state;
    restart_group(s, n, &m->sync);
    for (int i = 0; i < m->count; i++)
      seek_node(s, n->first_child + m->entries[i].state, machine_slot(g, node, m, m->entries[i].slot));
  } else {
    restart_group(s, n, &((space_state *)state)->sync);
    for (int c = n->first_child; c < n->first_child + n->child_count; c++) seek_node(s, c, node_child(g, state, c));
  }
}

void graph_seek_phase(graph *g, double phase) {
  seek_node(&(seek){.graph = g, .node = -1, .time = phase}, 0, g->state);
}

bool sinew_actor_seek_node(sinew_stage *stage, sinew_actor id, int index, int node, double time) {
  actor *a = stage_open(stage, id);
  graph *g = a && index >= 0 && index < a->layer_count ? a->layers[index].graph : NULL;
  if (!g || node < 0 || node >= g->node_count || !isfinite(time)) return false;
  seek s = {a->inputs, g, node, time, false};
  if (g->nodes[node].kind == SINEW_NODE_CLIP) seek_node(&s, 0, g->state);
  return s.found;
}

/* ---- Clips of a graph that continue with changed options ---- */

void graph_refit_clip(playback *p, const playback *was, const sinew_node_def *def, double clip_duration) {
  *p = *was;
  playback_set_loop(p, def->loop, def->loop_count);
  p->cycles = def->cycles;
  playback_set_part(p, clip_duration, def->from, def->to);
}

/* ---- another model ---- */

typedef struct move {
  graph *graph;
  const sinew_model *from, *to;
  const int *clips;
} move;

static void move_node(const move *m, int node, void *state) {
  graph *g = m->graph;
  const sinew_node_def *n = g->nodes + node;
  if (n->kind == SINEW_NODE_CLIP) {
    int clip = n->clip >= 0 ? m->clips[n->clip] : -1;
    if (clip >= 0) playback_move(state, m->from->clips[n->clip].duration, m->to->clips[clip].duration);
  } else if (n->kind >= SINEW_NODE_SWITCH) {
    machine_state *machine = state;
    for (int i = 0; i < machine->count; i++)
      move_node(m, n->first_child + machine->entries[i].state, machine_slot(g, node, state, machine->entries[i].slot));
  } else {
    for (int c = n->first_child; c < n->first_child + n->child_count; c++) move_node(m, c, node_child(g, state, c));
  }
}

bool graph_move(graph *g, const sinew_model *from, const sinew_model *to, const int *clips) {
  bool whole = true;
  move_node(&(move){g, from, to, clips}, 0, g->state);
  for (int i = 0; i < g->node_count; i++) {
    sinew_node_def *n = g->nodes + i;
    if (n->kind != SINEW_NODE_CLIP) continue;
    n->clip = n->clip >= 0 ? clips[n->clip] : -1;
    whole = whole && n->clip >= 0;
  }
  return whole;
}

/* The distance that a stop covers. A transition to it waits until the actor has no farther to go, since feet slide for
 * as long as the actor is farther from its stop than any moment of the clip. */

static void measure_clip(const graph_frame *f, int clip, const sinew_node_def *matched, graph_stop *stop) {
  const clip_course *course = course_of(f->gait, clip);
  double covers = course_travelled(course, 1, 1);
  if (!(covers > stop->covers)) return;
  stop->covers = covers;
  stop->left = fmax(f->params[matched->match_param], 0) / f->scale;
}

/* `matched`: the node, here or above, whose match counts; or NULL. */
static void measure(const graph_frame *f, int node, const sinew_node_def *matched, graph_stop *stop) {
  const sinew_node_def *n = f->graph->nodes + node;
  int first = 0, last = n->child_count - 1;
  if (n->match == SINEW_MATCH_TO_STOP) matched = n;
  if (n->kind == SINEW_NODE_CLIP && matched && n->clip >= 0) measure_clip(f, n->clip, matched, stop);
  if (n->kind == SINEW_NODE_SWITCH) first = last = switch_child(n, f->params);
  if (n->kind == SINEW_NODE_MACHINE) first = last = n->start;
  for (int i = first; i <= last; i++) measure(f, n->first_child + i, matched, stop);
}

bool graph_waits_for_stop(const graph_frame *f, int node, const sinew_transition_def *t, graph_stop *stop) {
  *stop = (graph_stop){0, 0};
  if (!f->graph->stops || t->event || !isnan(t->before_end)) return false;
  measure(f, f->graph->nodes[node].first_child + t->to, NULL, stop);
  return stop->left > stop->covers;
}

/* ---- The rotation of a clip, for the code that rotates the actor ---- */

/* Radians: with less rotation left than this, a clip no longer determines how fast to turn. */
static const double least_left = 0.02;
/* Metres: a clip that never gets farther than this from its beginning turns on the spot. */
static const double in_place = 0.25;

static double turned_at(const actor *a, const clip_instance *item, double time) {
  const playback *p = &item->now;
  const double duration = a->model->clips[item->clip].duration;
  return course_turned(a->gait->courses + item->clip, duration, fmin(time, p->begin + p->duration));
}

static sinew_matched_turn turn_of(const actor *a, const clip_instance *item, double dt) {
  static const double slowest = 0.5; /* the rate of a clip that is matched by distance; known after its first update */
  const clip_course *course = a->gait->courses + item->clip;
  double now = turned_at(a, item, item->time), left = turned_at(a, item, HUGE_VAL) - now;
  double own = turned_at(a, item, item->time + dt * item->speed) - now;
  double shown = turned_at(a, item, item->time + dt * fmax(item->rate, slowest * item->speed)) - now;
  return (sinew_matched_turn){left < least_left ? (double)NAN : fmin(fmax(own / left, 0), 1),
                              COURSE_MOST_TURNED * fmax(shown, 0),
                              course->known && course->reach < in_place * course->size};
}

static bool turns(const clip_instance *item) { return item->match == SINEW_MATCH_TURN && item->leads; }

bool sinew_actor_matched_turn(const sinew_stage *stage, sinew_actor id, double dt, sinew_matched_turn *turn) {
  const actor *a = stage_find(stage, id);
  const clip_instance *heaviest = NULL;
  bool has = false;
  *turn = (sinew_matched_turn){.fraction = (double)NAN};
  for (int i = 0; a && i < a->layer_count; i++) has |= a->layers[i].graph && a->layers[i].graph->turns;
  for (int i = 0; has && a->gait && i < a->instances.count; i++) {
    const clip_instance *item = a->instances.items + i;
    if (turns(item) && (!heaviest || item->weight > heaviest->weight)) heaviest = item;
  }
  if (heaviest) *turn = turn_of(a, heaviest, fmax(dt, 0));
  return has;
}
