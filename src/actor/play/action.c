#include "actor/play/fade.h"
#include "actor/stage.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

sinew_play_def sinew_play_def_default(void) {
  return (sinew_play_def){.fade = 0.2,
                          .loop = SINEW_LOOP_FOREVER,
                          .loop_count = 1,
                          .speed = 1,
                          .weight = 1,
                          .time = (double)NAN,
                          .from = (double)NAN,
                          .to = (double)NAN,
                          .fade_out = (double)NAN,
                          .solo = true};
}

float action_strength(const action *a) { return a->weight * (float)fade_value(&a->fade); }

double action_strength_mean(const action *a, double dt) { return (double)a->weight * fade_mean(&a->fade, dt); }

static bool is_counted(const playback *p) { return p->loop == SINEW_LOOP_ONCE || p->loop == SINEW_LOOP_COUNT; }

/* It goes by itself, and what it covers comes back. */
static bool returns(const action *a) { return !isnan(a->fade_out) && is_counted(&a->playback); }

/* ---- what is in progress ---- */

/* The clip of the action that weighs most but for one, or −1. */
static int heaviest_but(const sinew_stage *stage, const layer *l, const action *one) {
  const action *heaviest = NULL;
  for (int i = 0; i < l->action_count; i++) {
    const action *a = stage_find_action(stage, l->actions[i]);
    if (a != one && (!heaviest || action_strength(a) > action_strength(heaviest))) heaviest = a;
  }
  return heaviest ? heaviest->clip : -1;
}

/* ---- starting ---- */

static const char *check_play(const actor *a, const sinew_play_def *def) {
  if (!a) return "the actor is gone";
  if (def->clip < 0 || def->clip >= a->model->clip_count) return "there is no such clip";
  if (def->layer < 0 || def->layer >= a->layer_count) return "there is no such layer";
  if (!(def->fade >= 0) || !isfinite(def->fade)) return "its fade is not a number of seconds from 0 on";
  if (def->fade_out < 0 || isinf(def->fade_out)) return "its fade_out is not a number of seconds from 0 on";
  if (!isfinite(def->speed)) return "its speed is not a finite number";
  if (!(def->weight >= 0) || !isfinite(def->weight)) return "its weight is not a number from 0 on";
  if (isinf(def->time)) return "its time is not a finite number";
  if (isinf(def->from) || isinf(def->to) || def->from < 0 || def->to < def->from)
    return "the part that plays does not go from one time to a later one";
  if (def->sync_group && (!def->sync_group[0] || strlen(def->sync_group) >= EVENT_NAME))
    return "the name of its sync group is empty or too long";
  if (def->loop == SINEW_LOOP_COUNT && def->loop_count < 1) return "its loop count is under 1";
  if (def->cycles < 0 || def->cycles > SINEW_MAX_CYCLES) return "its cycles are not from 0 to 8";
  return NULL;
}

/* Room for one more: the lightest action that is on its way out, else the oldest, ends. */
static void make_room(sinew_stage *stage, const layer *l) {
  if (l->action_count < MAX_ACTIONS) return;
  uint64_t victim = l->actions[0];
  float lightest = INFINITY;
  for (int i = 0; i < l->action_count; i++) {
    const action *a = stage_find_action(stage, l->actions[i]);
    if (!a->stopping || action_strength(a) >= lightest) continue;
    lightest = action_strength(a);
    victim = l->actions[i];
  }
  stage_end_action(stage, victim);
}

static void start_playback(playback *p, const sinew_clip *clip, const sinew_play_def *def) {
  *p = playback_start(clip->duration, def->from, def->to);
  p->speed = def->speed;
  p->loop = def->loop;
  p->loop_count = def->loop_count;
  p->cycles = def->cycles;
  playback_seek(p, isnan(def->time) ? p->begin + (def->speed < 0 ? p->duration : 0) : def->time);
}

/* Without modifiers; an actor that has some has had room since before it got them. */
bool actor_reserve_inertia(actor *a) { return inertia_reserve(&a->inertia, a->model, a->pose, a->before, a->poses); }

static bool is_inertial(const sinew_play_def *def) { return def->solo && def->kind == SINEW_TRANSITION_INERTIAL; }

/* ---- what is covered ---- */

/* What `id` covers comes back as that goes, `late` seconds from the end of this update. */
static void uncover(sinew_stage *stage, const layer *l, uint64_t id, double seconds, double late, sinew_ease how) {
  for (int i = 0; i < l->action_count; i++) {
    action *a = stage_find_action(stage, l->actions[i]);
    if (a->covered_by != id) continue;
    a->covered_by = 0;
    if (a->frozen) a->frozen = a->paused = false;
    fade_begin(&a->fade, 1, seconds, how);
    a->fade.elapsed = late;
  }
}

/* The clip that comes back as that goes, or −1. */
static int covered_clip(const sinew_stage *stage, const layer *l, uint64_t id) {
  for (int i = 0; i < l->action_count; i++) {
    const action *a = stage_find_action(stage, l->actions[i]);
    if (a->covered_by == id) return a->clip;
  }
  return -1;
}

/* Where actions that are not on their way out weigh nothing. */
static bool is_alone(const sinew_stage *stage, const layer *l) {
  for (int i = 0; i < l->action_count; i++)
    if (!stage_find_action(stage, l->actions[i])->stopping) return false;
  return true;
}

/* The rest pose comes as the last action of the base layer goes: somebody asked for that. */
static void show_rest(const sinew_stage *stage, layer *l, double seconds, sinew_ease how) {
  double sum = fade_value(&l->rest);
  for (int i = 0; i < l->action_count; i++) sum += (double)action_strength(stage_find_action(stage, l->actions[i]));
  fade_begin(&l->rest, sum, seconds, how);
}

static layer *layer_of(const sinew_stage *stage, const action *a) {
  return stage_find(stage, (sinew_actor){a->actor})->layers + a->layer;
}

/* ---- stopping ---- */

static void stop(sinew_stage *stage, uint64_t id, double seconds, sinew_ease how) {
  action *a = stage_find_action(stage, id);
  if (!(seconds > 0) || !isfinite(seconds) || action_strength(a) <= 0) {
    stage_end_action(stage, id);
    return;
  }
  /* A second stop may only hasten the first. */
  if (a->stopping && a->fade.duration - a->fade.elapsed <= seconds) return;
  fade_begin(&a->fade, 0, seconds, how);
  a->stopping = true;
  a->leaving = false;
  uncover(stage, layer_of(stage, a), id, seconds, 0, how);
}

/* They go as the new one comes, so that of two the weights come to 1 all the way; one that will be back runs on. */
static void stop_others(sinew_stage *stage, layer *l, const sinew_play_def *def, const action *fresh, uint64_t id) {
  double seconds = is_inertial(def) ? 0 : def->fade;
  if (l->rest.to > 0 || fade_value(&l->rest) > 0) fade_begin(&l->rest, 0, seconds, def->ease);
  for (int i = l->action_count; def->solo && i > 0; i--) {
    action *a = stage_find_action(stage, l->actions[i - 1]);
    if (a == fresh) continue;
    if (def->kind == SINEW_TRANSITION_FROZEN && !a->paused) a->frozen = a->paused = true;
    bool stays = returns(fresh) && !returns(a) && !a->stopping;
    if (!stays) {
      a->covered_by = 0;
      for (int k = 0; k < l->action_count;
           k++) { /* what it covers is covered by the new one, or goes with the others */
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

sinew_action sinew_actor_play(sinew_stage *stage, sinew_actor id, const sinew_play_def *def, sinew_error *error) {
  actor *owner = stage_find(stage, id);
  const char *reason = stage_closed(stage) ? stage_closed(stage) : check_play(owner, def);
  sinew_action result = {0};
  action *a = NULL;
  if (!reason && !actor_reserve_instances(owner)) reason = "out of memory";
  if (!reason && def->sync_group && !actor_need_inputs(owner)) reason = "out of memory";
  if (!reason && is_inertial(def) && !actor_reserve_inertia(owner)) reason = "out of memory";
  if (!reason) {
    make_room(stage, owner->layers + def->layer);
    a = pool_add(&stage->action_slots, &result.id);
    if (!a) reason = "out of memory";
  }
  if (reason) {
    error_set(error, "the clip cannot be played: %s", reason);
    return (sinew_action){0};
  }
  layer *l = owner->layers + def->layer;
  bool first = l == owner->layers && !l->graph && l->action_count == 0 && fade_value(&l->rest) == 0 && l->rest.to == 0;
  *a = (action){.actor = owner->id,
                .clip = def->clip,
                .layer = def->layer,
                .weight = def->weight,
                .fade = {.to = 1, .duration = is_inertial(def) || first ? 0 : def->fade, .ease = def->ease},
                .fade_out = def->fade_out,
                .sync = def->sync_group ? sync_group_find(owner->inputs->groups, def->sync_group) : NULL};
  start_playback(&a->playback, owner->model->clips + def->clip, def);
  l->actions[l->action_count++] = result.id;
  if (def->solo)
    l->change = (layer_change){def->kind, heaviest_but(stage, l, a), def->clip, 0, first ? 0 : def->fade, def->ease};
  stop_others(stage, l, def, a, result.id);
  if (is_inertial(def) && !first) inertia_request(&owner->inertia, def->fade, false);
  return result;
}

bool sinew_actor_join(sinew_stage *stage, sinew_actor id, sinew_actor from_id, double seconds) {
  actor *a = stage_open(stage, id);
  actor *from = stage_find(stage, from_id);
  if (!a || !from || a->pose.joint_count != from->pose.joint_count) return false;
  if (!actor_reserve_inertia(a) || !actor_reserve_inertia(from)) return false;
  if (!inertia_offset_request(&a->inertia_offset, a->pose.joint_count, seconds)) return false;
  if (a != from) {
    inertia_follow(&a->inertia, &from->inertia);
    pose_copy(a->pose, from->pose);
  }
  inertia_request(&a->inertia, seconds, false);
  attachment_join(stage, a, seconds);
  return true;
}

/* ---- ending ---- */

void stage_end_action(sinew_stage *stage, uint64_t id) {
  action *a = stage_find_action(stage, id);
  if (!a) return;
  layer *l = stage_find(stage, (sinew_actor){a->actor})->layers + a->layer;
  int position = 0;
  uncover(stage, l, id, 0, 0, SINEW_EASE_LINEAR);
  while (l->actions[position] != id) position++;
  memmove(l->actions + position, l->actions + position + 1,
          (size_t)(l->action_count - position - 1) * sizeof *l->actions);
  l->action_count--;
  pool_remove(&stage->action_slots, id);
}

void sinew_action_stop(sinew_stage *stage, sinew_action id, double seconds) {
  const action *a = stage_open_action(stage, id);
  if (!a) return;
  layer *l = layer_of(stage, a);
  sinew_ease how = a->fade.ease;
  double rest = isfinite(seconds) && seconds > 0 ? seconds : 0, strength = (double)action_strength(a);
  bool base = a->layer == 0 && !l->graph, was_stopping = a->stopping;
  layer_change change = {.from = a->clip, .to = covered_clip(stage, l, id.id), .fade = rest, .ease = how};
  if (!was_stopping) l->change = change;
  stop(stage, id.id, seconds, how);
  if (!base || was_stopping || !is_alone(stage, l)) return;
  show_rest(stage, l, rest, how);
  if (l->rest.to == 0) l->rest.to = fmax(strength, 1e-3);
}

/* ---- leaving ---- */

/* Seconds until its clip ends, or INFINITY. */
static double until_end(const action *a) {
  const playback *p = &a->playback;
  if (p->finished) return 0;
  double speed = fabs(p->speed), passes = p->loop == SINEW_LOOP_COUNT ? p->loop_count : 1;
  if (!(speed > 0)) return HUGE_VAL;
  double gone = (double)p->loops * p->duration + p->position;
  return (p->speed > 0 ? passes * p->duration - gone : gone + (passes - 1) * p->duration) / speed;
}

/* Seconds until a one-shot leaves, or infinity: so that it is gone as its clip ends, and not before it is all there. */
static double until_leaving(const action *a) {
  if (!returns(a) || a->stopping || a->paused) return HUGE_VAL;
  double end = until_end(a);
  return fmin(fmax(end - a->fade_out, a->fade.duration - a->fade.elapsed), end);
}

/* A way out that is longer than what is left of the clip is as long as that. */
static double way_out(const action *a, double until) {
  double left = until_end(a) - until;
  return left > 0 ? fmin(left, a->fade_out) : a->fade_out;
}

/* On the base layer something has to be there to come back to. */
static bool may_leave(const sinew_stage *stage, const action *a) {
  const layer *l = layer_of(stage, a);
  if (a->layer > 0 || l->graph) return true;
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
      .from = a->clip, .to = covered_clip(stage, l, id), .time = late, .fade = seconds, .ease = a->fade.ease};
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

/* One that leaves stays until its clip has ended, so that its end is heard. */
static bool is_over(const action *a) {
  bool ends = a->leaving && !a->playback.finished && !a->paused && a->playback.speed != 0 && is_counted(&a->playback);
  return a->stopping && a->fade.elapsed >= a->fade.duration && !ends;
}

void actions_end(sinew_stage *stage, layer *l) {
  for (int i = l->action_count - 1; i >= 0; i--)
    if (is_over(stage_find_action(stage, l->actions[i]))) stage_end_action(stage, l->actions[i]);
}

/* ---- questions and settings ---- */

bool sinew_action_is_valid(const sinew_stage *stage, sinew_action id) {
  return stage_find_action(stage, id.id) != NULL;
}

bool sinew_action_is_finished(const sinew_stage *stage, sinew_action id) {
  const action *a = stage_find_action(stage, id.id);
  return a && a->playback.finished;
}

bool sinew_action_is_stopping(const sinew_stage *stage, sinew_action id) {
  const action *a = stage_find_action(stage, id.id);
  return a && a->stopping;
}

sinew_actor sinew_action_actor(const sinew_stage *stage, sinew_action id) {
  const action *a = stage_find_action(stage, id.id);
  return (sinew_actor){a ? a->actor : 0};
}

static const char *group_name(const sinew_stage *stage, const action *a) {
  const actor *owner = stage_find(stage, (sinew_actor){a->actor});
  for (int i = 0; a->sync && owner && owner->inputs && i < SYNC_GROUPS; i++)
    if (a->sync == &owner->inputs->groups[i].phase) return owner->inputs->groups[i].name;
  return NULL;
}

bool sinew_action_read_state(const sinew_stage *stage, sinew_action id, sinew_action_state *state) {
  const action *a = stage_find_action(stage, id.id);
  *state = (sinew_action_state){0};
  if (!a) return false;
  const playback *p = &a->playback;
  *state = (sinew_action_state){a->clip,
                                a->layer,
                                playback_time(p),
                                p->loops,
                                p->speed,
                                a->weight,
                                action_strength(a),
                                a->paused,
                                p->loop,
                                p->loop_count,
                                p->begin,
                                p->begin + p->duration,
                                group_name(stage, a),
                                a->fade_out,
                                playback_is_back(p),
                                p->cycles};
  return true;
}

static bool state_fits(const sinew_action_state *s) {
  const char *group = s->sync_group;
  return isfinite(s->time) && isfinite(s->speed) && isfinite(s->weight) && s->weight >= 0 &&
         (s->loop != SINEW_LOOP_COUNT || s->loop_count >= 1) && !isinf(s->from) && !isinf(s->to) && !(s->from < 0) &&
         !(s->to < s->from) && !(s->fade_out < 0) && !isinf(s->fade_out) && s->cycles >= 0 &&
         s->cycles <= SINEW_MAX_CYCLES && (!group || (group[0] && strlen(group) < EVENT_NAME));
}

/* False where there is no room for another group. */
static bool join_group(const sinew_stage *stage, action *a, const char *name) {
  actor *owner = stage_find(stage, (sinew_actor){a->actor});
  const char *now = group_name(stage, a);
  if (!name) a->sync = NULL;
  if (!name || (now && strcmp(now, name) == 0)) return true;
  sync_phase *phase = actor_need_inputs(owner) ? sync_group_find(owner->inputs->groups, name) : NULL;
  if (phase) a->sync = phase;
  return phase;
}

static void set_playback(playback *p, const sinew_action_state *state, double clip_duration) {
  double time = playback_time(p);
  /* A change of direction or of looping lets a held action go on. */
  if ((state->speed < 0) != (p->speed < 0) || state->loop != p->loop) p->finished = false;
  if (state->loop != p->loop) {
    p->position = time - p->begin;
    p->loops = 0;
  }
  p->speed = state->speed;
  p->loop = state->loop;
  p->loop_count = state->loop_count;
  p->cycles = state->cycles;
  if (state->from != p->begin || state->to != p->begin + p->duration)
    playback_set_part(p, clip_duration, state->from, state->to);
  if (state->time != time) playback_seek(p, state->time);
  playback_turn(p, state->back);
}

bool sinew_action_set_state(sinew_stage *stage, sinew_action id, const sinew_action_state *state) {
  action *a = stage_open_action(stage, id);
  if (!a || !state_fits(state) || !join_group(stage, a, state->sync_group)) return false;
  const actor *owner = stage_find(stage, (sinew_actor){a->actor});
  set_playback(&a->playback, state, owner->model->clips[a->clip].duration);
  a->weight = state->weight;
  a->fade_out = state->fade_out;
  a->paused = state->paused;
  return true;
}

bool sinew_action_seek(sinew_stage *stage, sinew_action id, double time, bool events) {
  action *a = stage_open_action(stage, id);
  if (!a || !isfinite(time)) return false;
  if (events) playback_pass_to(&a->playback, time);
  else playback_seek(&a->playback, time);
  return true;
}

/* The next one in the part that plays, in the direction of the clip's time; negative: none. */
static double find_marker(const clip_markers *markers, const playback *p, const char *name) {
  double now = playback_time(p), first = -1;
  for (int i = 0; i < markers->count; i++) {
    const sinew_marker *m = markers->items + i;
    if (strcmp(m->name, name) != 0 || m->time < p->begin || m->time > p->begin + p->duration) continue;
    if (m->time > now) return m->time;
    if (first < 0) first = m->time;
  }
  return first;
}

bool sinew_action_go_to(sinew_stage *stage, sinew_action id, const char *marker, double fade) {
  action *a = stage_open_action(stage, id);
  if (!a || !marker || a->stopping || !(fade >= 0) || isinf(fade)) return false;
  actor *owner = stage_find(stage, (sinew_actor){a->actor});
  double time = find_marker(markers_of(&stage->markers, owner->model, a->clip), &a->playback, marker);
  if (time < 0 || !actor_reserve_inertia(owner)) return false;
  playback_seek(&a->playback, time);
  a->playback.fresh = true;
  if (fade > 0 && owner->poses > 0) inertia_request(&owner->inertia, fade, false);
  return true;
}
