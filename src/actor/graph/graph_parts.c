/* The parts of a transition's condition, in words. */
#include "actor/stage.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

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
