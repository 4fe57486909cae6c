#include "actor/sync/sync_group.h"

#include "model/model.h"

#include <math.h>
#include <string.h>

/* A marker names the leg that comes down within this fraction of a stride. */
static const double near_fraction = 0.2;

typedef struct group {
  clip_instance_list *list;
  int first; /* the member that comes first */
  const sinew_model *model;
  const marker_table *markers;
  model_gait *gait;
  int layer;                   /* the layer that sets the pace: the lowest one with a member that strides */
  bool travels;                /* a member's speed is known */
  double usual;                /* the speed assumed for the others */
  bool by_reach;               /* the reach of a foot is the mark */
  sync_marks common;           /* the names common to all members that have markers */
  const char *legs[GAIT_LEGS]; /* the names that markers give them, or NULL */
  sync_pattern pattern;
} group;

/* ---- members ---- */

static const clip_gait *gait_of_instance(const group *g, const clip_instance *l) { return gait_of(g->gait, l->clip); }

static bool has_markers(const group *g, const clip_instance *l) {
  return markers_of(g->markers, g->model, l->clip)->sync_count > 0;
}

static sync_marks set_marks(const group *g, const clip_instance *l) {
  return sync_marks_of(l->playback, markers_of(g->markers, g->model, l->clip));
}

/* The next member from `index` on, or NULL. */
static clip_instance *member_from(const group *g, int *index) {
  const sync_phase *phase = g->list->items[g->first].sync;
  for (; *index < g->list->count; ++*index)
    if (g->list->items[*index].sync == phase) return g->list->items + *index;
  return NULL;
}

/* If nothing else travels, or the scene says where its feet are or how many strides it has, a clip of unknown speed
 * takes part. */
static bool strides(const group *g, const clip_instance *l) {
  gait_kind kind = gait_of_instance(g, l)->kind;
  if (kind == GAIT_UNKNOWN) return !g->travels || has_markers(g, l) || l->playback->cycles;
  return kind == GAIT_MOVING;
}

static double speed_of(const group *g, const clip_instance *l) {
  const clip_gait *gait = gait_of_instance(g, l);
  return gait->kind == GAIT_MOVING ? fmax(gait->speed, GAIT_LEAST_SPEED) : g->usual;
}

static void find_speeds(group *g) {
  double sum = 0;
  int count = 0;
  for (int i = g->first; member_from(g, &i); i++) {
    const clip_gait *gait = gait_of_instance(g, g->list->items + i);
    if (gait->kind != GAIT_MOVING) continue;
    sum += fmax(gait->speed, GAIT_LEAST_SPEED);
    count++;
  }
  g->travels = count > 0;
  g->usual = count ? sum / count : 1;
}

/* Members on higher layers follow: an arm that swings with a run over walking legs does not speed them up. */
static void find_layer(group *g) {
  bool found = false;
  for (int i = g->first; member_from(g, &i); i++) {
    const clip_instance *l = g->list->items + i;
    if (!strides(g, l) || !(l->weight > 0) || (found && l->layer >= g->layer)) continue;
    g->layer = l->layer;
    found = true;
  }
}

/* ---- marks ---- */

/* Whether the footfalls that were found contradict the declared number of strides. */
static bool contradicts(const group *g, const clip_instance *l) {
  return l->playback->cycles && gait_of_instance(g, l)->strides != l->playback->cycles;
}

static sync_marks marks_of(const group *g, const clip_instance *l) {
  sync_marks set = set_marks(g, l);
  set = sync_marks_common(&set, &g->common);
  if (set.count || contradicts(g, l)) return set;
  const clip_gait *gait = gait_of_instance(g, l);
  double duration = g->model->clips[l->clip].duration;
  return g->by_reach ? sync_marks_of_reach(l->playback, gait, duration, g->legs[0])
                     : sync_marks_of_steps(l->playback, gait, duration, g->legs);
}

static void find_common(group *g) {
  bool begun = false;
  for (int i = g->first; member_from(g, &i); i++) {
    const clip_instance *l = g->list->items + i;
    if (!has_markers(g, l) || !strides(g, l)) continue;
    sync_marks set = set_marks(g, l);
    if (set.count == 0) continue;
    g->common = begun ? sync_marks_common(&g->common, &set) : set;
    begun = true;
  }
}

/* The leg that comes down nearest to a moment of the clip, or −1. */
static int leg_at(const clip_gait *gait, double time, double duration, double near) {
  int nearest = -1;
  for (int i = 0; i < gait->step_count; i++) {
    double apart = fabs(gait->steps[i].time - time);
    apart = fmin(apart, duration - apart);
    if (apart <= near) near = apart, nearest = gait->steps[i].leg;
  }
  return nearest;
}

/* False if one leg has two names, or two legs have one. */
static bool name_legs(group *g, const clip_instance *l, const sync_marks *set) {
  double duration = l->playback->duration, stride = sync_pattern_of(l->playback, set).count * duration / set->count;
  for (int i = 0; i < set->count; i++) {
    int found = leg_at(gait_of_instance(g, l), set->time[i] + l->playback->begin, duration, near_fraction * stride);
    if (found < 0) continue;
    if (g->legs[found] && strcmp(g->legs[found], set->name[i]) != 0) return false;
    g->legs[found] = set->name[i];
  }
  return g->legs[0] && g->legs[1] && strcmp(g->legs[0], g->legs[1]) != 0;
}

static void find_legs(group *g) {
  for (int i = g->first; member_from(g, &i); i++) {
    const clip_instance *l = g->list->items + i;
    sync_marks set = set_marks(g, l);
    set = sync_marks_common(&set, &g->common);
    if (!strides(g, l) || set.count == 0) continue;
    if (!name_legs(g, l, &set)) g->legs[0] = g->legs[1] = NULL;
    return;
  }
}

/* Where the footfalls of one member are a guess, all go by the reach of one foot, if they have it: soles that slip have
 * no moment at which they come down, and a gallop's second foot falls elsewhere than that of a walk. */
static bool go_by_reach(const group *g) {
  bool clean = true;
  for (int i = g->first; member_from(g, &i);) {
    const clip_instance *l = g->list->items + i++;
    const clip_gait *gait = gait_of_instance(g, l);
    if (!strides(g, l)) continue;
    if (!sync_marks_of_reach(l->playback, gait, g->model->clips[l->clip].duration, "").count) return false;
    clean &= gait->clean;
  }
  return !clean;
}

/* Without any marker, the footfalls are the marks, if they are known for all members. */
static bool know_steps(group *g) {
  static const char *const names[GAIT_LEGS] = {"\1 left", "\1 right"}; /* as no marker is called */
  memcpy(g->legs, names, sizeof names);
  g->by_reach = go_by_reach(g);
  for (int i = g->first; member_from(g, &i); i++) {
    const clip_instance *l = g->list->items + i;
    if (strides(g, l) && marks_of(g, l).count == 0) return false;
  }
  return true;
}

/* The marks of the first member that has some, whatever its weight, because they must not change with the weights. */
static void find_pattern(group *g) {
  find_common(g);
  if (g->common.count) find_legs(g);
  else if (!know_steps(g)) return;
  for (int i = g->first; member_from(g, &i) && g->pattern.count == 0; i++) {
    const clip_instance *l = g->list->items + i;
    if (!strides(g, l)) continue;
    sync_marks marks = marks_of(g, l);
    g->pattern = sync_pattern_of(l->playback, &marks);
  }
}

static int intervals_of(const group *g) { return g->pattern.count ? g->pattern.count : 1; }

static int stride_count(const group *g, const clip_instance *l) {
  if (l->playback->cycles) return l->playback->cycles;
  bool whole = l->playback->duration == g->model->clips[l->clip].duration && l->playback->loop != SINEW_LOOP_PING_PONG;
  return whole ? gait_of_instance(g, l)->strides : 1;
}

static sync_track track_of(const group *g, const clip_instance *l) {
  sync_marks marks;
  marks.count = 0; /* all of it is large */
  if (g->pattern.count) marks = marks_of(g, l);
  return sync_track_of(l->playback, &marks, &g->pattern, stride_count(g, l));
}

/* ---- the phase ---- */

static uint32_t hash_pattern(const sync_pattern *p) {
  uint32_t hash = 2166136261u;
  for (int i = 0; i < p->count; i++)
    for (const char *c = p->name[i];; c++) {
      hash = (hash ^ (unsigned char)*c) * 16777619u;
      if (!*c) break;
    }
  return hash;
}

static double unrolled(const playback *p) { return (double)p->loops * playback_cycle(p) + p->position; }

/* Whether this member is a better leader for the start of the group than the one found so far. */
static bool leads_more(const clip_instance *l, const clip_instance *lead) {
  if (!lead || l->playback->sought != lead->playback->sought) return !lead || l->playback->sought;
  return l->weight > lead->weight;
}

/* The phase starts at the member that was sought, else at the heaviest; it also restarts when its pattern changes. */
static void begin_phase(const group *g, sync_phase *phase) {
  const clip_instance *lead = NULL;
  uint32_t pattern = hash_pattern(&g->pattern);
  if (phase->intervals == intervals_of(g) && phase->pattern == pattern) return;
  for (int i = g->first; member_from(g, &i); i++) {
    const clip_instance *l = g->list->items + i;
    if (strides(g, l) && leads_more(l, lead)) lead = l;
  }
  if (!lead) return;
  sync_track track = track_of(g, lead);
  *phase = sync_locate(&track, unrolled(lead->playback));
  phase->pattern = pattern;
  for (int i = g->first; member_from(g, &i); i++) g->list->items[i].playback->sought = false;
}

/* Seconds that each interval takes, over the members that move. The sign is that of the mean of the speeds; 0: nothing
 * moves. */
static double find_pace(const group *g, bool weighted, double seconds[SYNC_MARKERS], double *step) {
  double sum = 0, direction = 0;
  int intervals = intervals_of(g);
  for (int k = 0; k < intervals; k++) seconds[k] = 0;
  for (int i = g->first; member_from(g, &i); i++) {
    const clip_instance *l = g->list->items + i;
    double weight = (weighted ? (double)l->weight : 1) * speed_of(g, l), speed = l->playback->speed;
    if (weighted && l->layer != g->layer) continue;
    if (!strides(g, l) || !(weight > 0) || speed == 0 || !(l->playback->duration > 0)) continue;
    sync_track track = track_of(g, l);
    for (int k = 0; k < track.strides * intervals; k++)
      seconds[k % intervals] += weight * track.length[k] / track.strides;
    sum += weight * fabs(speed);
    direction += weight * speed;
    if (l->step != 0) *step = l->step;
  }
  for (int k = 0; k < intervals && sum > 0; k++) seconds[k] /= sum;
  return sum > 0 ? (direction < 0 ? -1 : 1) : 0;
}

static void place_member(const group *g, clip_instance *l, sync_phase before, sync_phase after, const double *seconds,
                         double direction) {
  sync_track track = track_of(g, l);
  playback *p = l->playback;
  bool fresh = p->fresh;
  sync_phase own = sync_align(&track, before, unrolled(p));
  playback_position(p, sync_unroll(&track, own));
  p->fresh = fresh;
  l->rate = 0;
  if (direction == 0) return;
  int64_t offset = own.cycles - before.cycles;
  own = after;
  own.cycles = loops_add(own.cycles, offset);
  playback_position(p, sync_unroll(&track, own));
  int k = (int)after.position;
  l->rate = seconds[k] > 0 ? direction * track.length[k] / seconds[k] : 0;
}

static void place_members(const group *g, sync_phase before, sync_phase after, const double *seconds,
                          double direction) {
  for (int i = g->first; member_from(g, &i); i++) {
    clip_instance *l = g->list->items + i;
    if (strides(g, l)) place_member(g, l, before, after, seconds, direction);
    else playback_advance(l->playback, l->step);
  }
}

/* ---- legs ---- */

/* The step of a leg that a moment of the clip belongs to: seconds since it came down, and from there to the next. */
typedef struct step_part {
  double since, down, whole;
} step_part;

static bool find_part(const clip_gait *gait, int side, double time, double duration, step_part *out) {
  *out = (step_part){.since = HUGE_VAL, .whole = HUGE_VAL};
  for (int i = 0; i < gait->step_count; i++) {
    if (gait->steps[i].leg != side) continue;
    double since = fmod(time - gait->steps[i].time + 2 * duration, duration);
    if (since < out->since) out->since = since, out->down = gait->steps[i].firm;
  }
  for (int i = 0; i < gait->step_count && isfinite(out->since); i++) {
    double until = fmod(gait->steps[i].time - (time - out->since) + 2 * duration - 1e-9, duration) + 1e-9;
    if (gait->steps[i].leg == side) out->whole = fmin(out->whole, until);
  }
  return isfinite(out->since) && out->down > 0 && out->down < out->whole;
}

static bool part_of(const group *g, const clip_instance *l, int side, step_part *part) {
  const playback *p = l->playback;
  double duration = g->model->clips[l->clip].duration;
  bool whole = p->begin == 0 && p->duration == duration && p->loop == SINEW_LOOP_FOREVER && p->speed > 0;
  return whole && find_part(gait_of_instance(g, l), side, p->position, duration, part);
}

/* If one clip's foot has just come down and another's is about to, the latter counts as before its step, so that their
 * mean lies between the two and not half a stride away. */
static double since_near(const step_part *part, double fraction) {
  return part->since - part->whole * round(part->since / part->whole - fraction);
}

/* Clips differ in the fraction of a stride for which a foot is down. So each leg has its own time, in which a foot of
 * the blend stands as long as the mean of the clips, weighted as strides are. The same holds for the rest of the
 * stride. */
static void place_leg(const group *g, int layer, int side) {
  double weights = 0, since = 0, down = 0, whole = 0, speed = 0, fraction = -1;
  step_part part;
  for (int i = g->first; member_from(g, &i); i++) {
    const clip_instance *l = g->list->items + i;
    if (!strides(g, l) || l->layer != layer) continue;
    if (!part_of(g, l, side, &part)) return;
    double weight = (double)l->weight * speed_of(g, l);
    if (fraction < 0) fraction = part.since / part.whole;
    weights += weight, since += weight * since_near(&part, fraction), down += weight * part.down,
        whole += weight * part.whole;
    speed += weight * l->speed;
  }
  if (!(weights > 0)) return;
  since /= weights, down /= weights, whole /= weights, speed /= weights;
  since -= whole * floor(since / whole);
  for (int i = g->first; member_from(g, &i); i++) {
    clip_instance *l = g->list->items + i;
    if (!strides(g, l) || l->layer != layer || !part_of(g, l, side, &part)) continue;
    double own = since < down ? since / down * part.down
                              : part.down + (since - down) / (whole - down) * (part.whole - part.down);
    l->leg_rate[side] = part.down / down * speed;
    l->leg_pace[side] = since < down ? l->leg_rate[side] : (part.whole - part.down) / (whole - down) * speed;
    double shift = own - part.since, duration = l->playback->duration;
    shift -= part.whole * round(shift / part.whole);
    l->leg_time[side] = fmod(l->playback->position + shift + duration, duration);
  }
}

/* Instances of a layer are adjacent. */
static void place_legs(const group *g) {
  int layer = -1;
  for (int i = g->first; member_from(g, &i); i++) {
    if (g->list->items[i].layer == layer) continue;
    layer = g->list->items[i].layer;
    for (int side = 0; side < GAIT_LEGS; side++) place_leg(g, layer, side);
  }
}

/* Whether only standing members are visible. */
static bool only_stands(const group *g) {
  bool stands = false;
  for (int i = g->first; member_from(g, &i); i++) {
    const clip_instance *l = g->list->items + i;
    if (!(l->weight > 0)) continue;
    if (strides(g, l)) return false;
    stands = true;
  }
  return stands;
}

void sync_group_advance(clip_instance_list *list, int first, const sinew_model *model, const marker_table *markers,
                        model_gait *gait) {
  group g = {.list = list, .first = first, .model = model, .markers = markers, .gait = gait};
  sync_phase *phase = list->items[first].sync;
  find_speeds(&g);
  find_layer(&g);
  find_pattern(&g);
  begin_phase(&g, phase);
  double seconds[SYNC_MARKERS] = {0}, step = 0, direction = 0;
  bool stands = only_stands(&g);
  if (!stands) direction = find_pace(&g, true, seconds, &step);
  if (!stands && direction == 0) direction = find_pace(&g, false, seconds, &step);
  sync_phase before = *phase;
  if (direction != 0) sync_advance(phase, seconds, direction * step);
  place_members(&g, before, *phase, seconds, direction);
  place_legs(&g);
}
