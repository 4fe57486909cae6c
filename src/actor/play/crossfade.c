#include "actor/play/crossfade.h"

#include "actor/play/fade.h"

#include <math.h>

static bool is_counted(const playback *p) { return p->loop == SINEW_LOOP_ONCE || p->loop == SINEW_LOOP_COUNT; }

/* A one-shot: it fades out by itself, and the actions that it covers fade in again. */
static bool returns(const action *a) { return !isnan(a->asked.fade_out) && is_counted(&a->playback); }

/* ---- covered actions ---- */

/* Fades the actions that `id` covers back in as `id` fades out, starting `late` seconds before the end of this
 * update. */
static void uncover(sinew_stage *stage, const layer *l, uint64_t id, double seconds, double late, sinew_ease how) {
  for (int i = 0; i < l->action_count; i++) {
    action *a = stage_find_action(stage, l->actions[i]);
    if (a->covered_by != id) continue;
    a->covered_by = 0;
    if (a->frozen) a->frozen = a->asked.paused = false;
    fade_begin(&a->fade, 1, seconds, how);
    a->fade.elapsed = late;
  }
}

void crossfade_uncover_at_once(sinew_stage *stage, const layer *l, uint64_t id) {
  uncover(stage, l, id, 0, 0, SINEW_EASE_LINEAR);
}

/* The clip that fades back in as `id` fades out, or −1. */
static int covered_clip(const sinew_stage *stage, const layer *l, uint64_t id) {
  for (int i = 0; i < l->action_count; i++) {
    const action *a = stage_find_action(stage, l->actions[i]);
    if (a->covered_by == id) return a->asked.clip;
  }
  return -1;
}

/* True if every action of the layer ends. */
static bool is_alone(const sinew_stage *stage, const layer *l) {
  for (int i = 0; i < l->action_count; i++)
    if (!stage_find_action(stage, l->actions[i])->stopping) return false;
  return true;
}

/* As the last action of the base layer fades out, the rest pose fades in, because the script asked for it. */
static void show_rest(const sinew_stage *stage, layer *l, double seconds, sinew_ease how) {
  double sum = fade_value(&l->rest);
  for (int i = 0; i < l->action_count; i++) sum += (double)action_strength(stage_find_action(stage, l->actions[i]));
  fade_begin(&l->rest, sum, seconds, how);
}

static layer *layer_of(const sinew_stage *stage, const action *a) {
  return stage_find(stage, (sinew_actor){a->actor})->layers + a->asked.layer;
}

/* ---- fading out ---- */

static void stop(sinew_stage *stage, uint64_t id, double seconds, sinew_ease how) {
  action *a = stage_find_action(stage, id);
  if (!(seconds > 0) || !isfinite(seconds) || action_strength(a) <= 0) {
    stage_end_action(stage, id);
    return;
  }
  /* a second stop may only shorten the first */
  if (a->stopping && a->fade.duration - a->fade.elapsed <= seconds) return;
  fade_begin(&a->fade, 0, seconds, how);
  a->stopping = true;
  a->leaving = false;
  uncover(stage, layer_of(stage, a), id, seconds, 0, how);
}

void sinew_action_stop(sinew_stage *stage, sinew_action id, double seconds) {
  const action *a = stage_open_action(stage, id);
  if (!a) return;
  layer *l = layer_of(stage, a);
  sinew_ease how = a->fade.ease;
  double rest = isfinite(seconds) && seconds > 0 ? seconds : 0, strength = (double)action_strength(a);
  bool base = a->asked.layer == 0 && !l->graph, was_stopping = a->stopping;
  layer_change change = {.from = a->asked.clip, .to = covered_clip(stage, l, id.id), .fade = rest, .ease = how};
  if (!was_stopping) l->change = change;
  stop(stage, id.id, seconds, how);
  if (!base || was_stopping || !is_alone(stage, l)) return;
  show_rest(stage, l, rest, how);
  if (l->rest.to == 0) l->rest.to = fmax(strength, 1e-3);
}

/* ---- the crossfade ---- */

/* The clip of the heaviest action other than `one`, or −1. */
static int heaviest_but(const sinew_stage *stage, const layer *l, const action *one) {
  const action *heaviest = NULL;
  for (int i = 0; i < l->action_count; i++) {
    const action *a = stage_find_action(stage, l->actions[i]);
    if (a != one && (!heaviest || action_strength(a) > action_strength(heaviest))) heaviest = a;
  }
  return heaviest ? heaviest->asked.clip : -1;
}

/* The others fade out as the new one fades in, so that the weights of two always add up to 1; an action under a
 * one-shot keeps running. */
static void fade_others(sinew_stage *stage, layer *l, const sinew_play_def *def, const action *fresh, uint64_t id) {
  double seconds = play_is_inertial(def) ? 0 : def->fade;
  if (l->rest.to > 0 || fade_value(&l->rest) > 0) fade_begin(&l->rest, 0, seconds, def->ease);
  for (int i = l->action_count; def->solo && i > 0; i--) {
    action *a = stage_find_action(stage, l->actions[i - 1]);
    if (a == fresh) continue;
    if (def->kind == SINEW_TRANSITION_FROZEN && !a->asked.paused) a->frozen = a->asked.paused = true;
    bool stays = returns(fresh) && !returns(a) && !a->stopping;
    if (!stays) {
      a->covered_by = 0;
      /* the actions that it covers are covered by the new one, or fade out with the others */
      for (int k = 0; k < l->action_count; k++) {
        action *below = stage_find_action(stage, l->actions[k]);
        if (below->covered_by == l->actions[i - 1]) below->covered_by = id;
      }
      stop(stage, l->actions[i - 1], seconds, def->ease);
      continue;
    }
    a->covered_by = id;
    fade_begin(&a->fade, 0, seconds, def->ease);
  }
}

void crossfade_begin(sinew_stage *stage, layer *l, const sinew_play_def *def, uint64_t id, bool first) {
  const action *fresh = stage_find_action(stage, id);
  if (def->solo)
    l->change =
        (layer_change){def->kind, heaviest_but(stage, l, fresh), def->clip, 0, first ? 0 : def->fade, def->ease};
  fade_others(stage, l, def, fresh, id);
}

/* ---- one-shots that return ---- */

/* Seconds until its clip ends, or INFINITY. */
static double until_end(const action *a) {
  const playback *p = &a->playback;
  if (p->finished) return 0;
  double speed = fabs(p->speed), passes = p->loop == SINEW_LOOP_COUNT ? p->loop_count : 1;
  if (!(speed > 0)) return HUGE_VAL;
  double gone = (double)p->loops * p->duration + p->position;
  return (p->speed > 0 ? passes * p->duration - gone : gone + (passes - 1) * p->duration) / speed;
}

/* Seconds until a one-shot begins to fade out, or infinity. It ends with its clip, but first fades in fully. */
static double until_leaving(const action *a) {
  if (!returns(a) || a->stopping || a->asked.paused) return HUGE_VAL;
  double end = until_end(a);
  return fmin(fmax(end - a->asked.fade_out, a->fade.duration - a->fade.elapsed), end);
}

/* The length of the fade out: at most the rest of the clip. */
static double way_out(const action *a, double until) {
  double left = until_end(a) - until;
  return left > 0 ? fmin(left, a->asked.fade_out) : a->asked.fade_out;
}

/* On the base layer there must be something to return to. */
static bool may_leave(const sinew_stage *stage, const action *a) {
  const layer *l = layer_of(stage, a);
  if (a->asked.layer > 0 || l->graph) return true;
  for (int i = 0; i < l->action_count; i++) {
    const action *other = stage_find_action(stage, l->actions[i]);
    if (other != a && !other->stopping) return true;
  }
  return false;
}

static void leave(sinew_stage *stage, uint64_t id, double until) {
  action *a = stage_find_action(stage, id);
  double late = -fmax(until, 0), seconds = way_out(a, -late);
  a->fade.elapsed -= late;
  fade_begin(&a->fade, 0, seconds, a->fade.ease);
  a->fade.elapsed = late;
  a->stopping = a->leaving = true;
  layer *l = layer_of(stage, a);
  l->change = (layer_change){
      .from = a->asked.clip, .to = covered_clip(stage, l, id), .time = late, .fade = seconds, .ease = a->fade.ease};
  uncover(stage, l, id, seconds, late, a->fade.ease);
}

void actions_fade(sinew_stage *stage, layer *l, double dt) {
  if (!(dt > 0)) return;
  for (int i = 0; i < l->action_count; i++) {
    const action *a = stage_find_action(stage, l->actions[i]);
    double until = until_leaving(a);
    if (until <= dt && may_leave(stage, a)) leave(stage, l->actions[i], until);
  }
  for (int i = 0; i < l->action_count; i++) stage_find_action(stage, l->actions[i])->fade.elapsed += dt;
  l->rest.elapsed += dt;
  l->change.time += dt;
}

/* A one-shot that fades out stays until its clip ends, so that the end raises an event. */
static bool is_over(const action *a) {
  bool ends =
      a->leaving && !a->playback.finished && !a->asked.paused && a->playback.speed != 0 && is_counted(&a->playback);
  return a->stopping && a->fade.elapsed >= a->fade.duration && !ends;
}

void actions_end(sinew_stage *stage, layer *l) {
  for (int i = l->action_count - 1; i >= 0; i--)
    if (is_over(stage_find_action(stage, l->actions[i]))) stage_end_action(stage, l->actions[i]);
}
