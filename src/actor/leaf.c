#include "actor/leaf.h"

#include <math.h>
#include <string.h>

leaf *leaf_add(leaf_list *list, int clip, int layer, playback *clock) {
  if (list->count == list->capacity) return NULL;
  leaf *item = list->items + list->count++;
  item->clip = clip;
  item->layer = layer;
  item->playback = clock;
  return item;
}

int leaves_choose(const leaf *items, int leaf_count, const leaf *chosen[MAX_ACTIONS]) {
  int count = 0;
  for (int i = 0; i < leaf_count; i++) {
    const leaf *item = items + i;
    if (!(item->weight > 0)) continue;
    if (count < MAX_ACTIONS) {
      chosen[count++] = item;
      continue;
    }
    int lightest = 0;
    for (int k = 1; k < count; k++)
      if (chosen[k]->weight < chosen[lightest]->weight) lightest = k;
    if (item->weight <= chosen[lightest]->weight) continue;
    memmove(chosen + lightest, chosen + lightest + 1, (size_t)(count - lightest - 1) * sizeof *chosen);
    chosen[count - 1] = item;
  }
  return count;
}

typedef struct group {
  const leaf_list *list;
  int first; /* the member that comes first */
  const sinew_model *model;
  const marker_table *markers;
  const clip_markers *pattern; /* or NULL */
} group;

static const clip_markers *markers_of_leaf(const group *g, const leaf *l) {
  return markers_of(g->markers, g->model, l->clip);
}

static bool is_member(const group *g, int index) { return g->list->items[index].sync == g->list->items[g->first].sync; }

static sync_track track_of(const group *g, const leaf *l) {
  return sync_track_of(l->playback, markers_of_leaf(g, l), g->pattern);
}

/* The pattern is that of the first member that has one, whatever it weighs: it must not change with the weights. */
static void find_pattern(group *g) {
  for (int i = g->first; i < g->list->count && !g->pattern; i++) {
    const leaf *l = g->list->items + i;
    if (is_member(g, i) && sync_has_pattern(l->playback, markers_of_leaf(g, l))) g->pattern = markers_of_leaf(g, l);
  }
}

/* Begins where the heaviest member stands. */
static void begin_phase(const group *g, sync_phase *phase) {
  const leaf *lead = g->list->items + g->first;
  for (int i = g->first; i < g->list->count; i++)
    if (is_member(g, i) && g->list->items[i].weight > lead->weight) lead = g->list->items + i;
  sync_track track = track_of(g, lead);
  *phase =
      sync_locate(&track, (double)lead->playback->loops * playback_cycle(lead->playback) + lead->playback->position);
}

/* Seconds that each stretch takes, over the members that move: Σ w · length / |speed| / Σ w. Weights that are all zero
 * count as equal. The sign is that of the weighted mean of the speeds; 0: nothing moves. */
static double find_pace(const group *g, bool weighted, double seconds[SYNC_MARKERS], double *step) {
  double sum = 0, direction = 0;
  int stretches = g->pattern ? g->pattern->sync_count : 1;
  for (int s = 0; s < stretches; s++) seconds[s] = 0;
  for (int i = g->first; i < g->list->count; i++) {
    const leaf *l = g->list->items + i;
    double weight = weighted ? (double)l->weight : 1, speed = l->playback->speed;
    if (!is_member(g, i) || !(weight > 0) || speed == 0 || !(l->playback->duration > 0)) continue;
    sync_track track = track_of(g, l);
    for (int s = 0; s < stretches; s++) seconds[s] += weight * track.length[s] / fabs(speed);
    sum += weight;
    direction += weight * speed;
    if (l->step != 0) *step = l->step;
  }
  for (int s = 0; s < stretches && sum > 0; s++) seconds[s] /= sum;
  return sum > 0 ? (direction < 0 ? -1 : 1) : 0;
}

static void place_members(const group *g, sync_phase before, sync_phase after, const double *seconds,
                          double direction) {
  for (int i = g->first; i < g->list->count; i++) {
    leaf *l = g->list->items + i;
    if (!is_member(g, i)) continue;
    sync_track track = track_of(g, l);
    playback *p = l->playback;
    bool fresh = p->fresh;
    playback_place(p, sync_unroll(&track, before));
    p->fresh = fresh;
    if (direction == 0) continue;
    playback_place(p, sync_unroll(&track, after));
    double stretch = seconds[(int)after.position];
    p->speed = stretch > 0 ? direction * track.length[(int)after.position] / stretch : 0;
  }
}

static void advance_group(group *g) {
  sync_phase *phase = g->list->items[g->first].sync;
  find_pattern(g);
  if (!phase->stretches) begin_phase(g, phase);
  sync_restretch(phase, g->pattern ? g->pattern->sync_count : 1);
  double seconds[SYNC_MARKERS], step = 0, direction = find_pace(g, true, seconds, &step);
  if (direction == 0) direction = find_pace(g, false, seconds, &step);
  sync_phase before = *phase;
  if (direction != 0) sync_advance(phase, seconds, direction * step);
  place_members(g, before, *phase, seconds, direction);
}

static bool is_first_of_group(const leaf_list *list, int index) {
  for (int i = 0; i < index; i++)
    if (list->items[i].sync == list->items[index].sync) return false;
  return true;
}

void leaves_advance(leaf_list *list, const sinew_model *model, const marker_table *markers) {
  for (int i = 0; i < list->count; i++) {
    leaf *l = list->items + i;
    if (!l->sync) playback_advance(l->playback, l->step);
    else if (is_first_of_group(list, i)) advance_group(&(group){list, i, model, markers, NULL});
  }
  for (int i = 0; i < list->count; i++) {
    leaf *l = list->items + i;
    l->now = *l->playback;
    l->playback = NULL;
    l->time = playback_time(&l->now);
  }
}
