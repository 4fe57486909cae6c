#include "actor/play/crossfade.h"
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

float action_strength(const action *a) { return a->asked.weight * (float)fade_value(&a->fade); }

double action_strength_mean(const action *a, double dt) { return (double)a->asked.weight * fade_mean(&a->fade, dt); }

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
    return "the part to play does not end after it begins";
  if (!memchr(def->sync_group, 0, sizeof def->sync_group)) return "the name of its sync group is too long";
  if (def->loop == SINEW_LOOP_COUNT && def->loop_count < 1) return "its loop count is under 1";
  if (def->cycles < 0 || def->cycles > SINEW_MAX_CYCLES) return "its cycles are not from 0 to 8";
  return NULL;
}

/* Makes room for one more: ends the lightest action that is fading out, else the oldest. */
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

/* After a change of direction an action that held its end continues, as a looping one does. */
static void set_clock(playback *p, const sinew_play_def *def) {
  if ((def->speed < 0) != (p->speed < 0)) p->finished = false;
  playback_set_loop(p, def->loop, def->loop_count);
  p->speed = def->speed;
  p->cycles = def->cycles;
}

static void start_playback(playback *p, const sinew_clip *clip, const sinew_play_def *def) {
  *p = playback_start(clip->duration, def->from, def->to);
  set_clock(p, def);
  playback_seek(p, isnan(def->time) ? p->begin + (def->speed < 0 ? p->duration : 0) : def->time);
  playback_turn(p, def->back);
}

/* False if there is no room for another group. */
static bool join_group(actor *owner, action *a, const char *name) {
  sync_phase *phase = name[0] && actor_need_inputs(owner) ? sync_group_find(owner->inputs->groups, name) : NULL;
  if (name[0] && !phase) return false;
  a->sync = phase;
  memmove(a->asked.sync_group, name, strlen(name) + 1);
  return true;
}

/* For actors without modifiers: setting modifiers has already made room. */
bool actor_reserve_inertia(const sinew_stage *stage, actor *a) {
  actor_make_poses(stage, a);
  return inertia_reserve(&a->inertia, a->model, a->pose, a->before, a->poses);
}

static bool plays(const actor *a) {
  bool found = false;
  for (int i = 0; i < a->layer_count; i++) found |= a->layers[i].graph || a->layers[i].action_count > 0;
  return found;
}

sinew_action sinew_actor_play(sinew_stage *stage, sinew_actor id, const sinew_play_def *def, sinew_error *error) {
  actor *owner = stage_find(stage, id);
  const char *reason = stage_closed(stage) ? stage_closed(stage) : check_play(owner, def);
  sinew_action result = {0};
  action *a = NULL;
  if (!reason && !actor_reserve_instances(owner)) reason = "out of memory";
  if (!reason && def->sync_group[0] && !actor_need_inputs(owner)) reason = "out of memory";
  if (!reason && play_is_inertial(def) && !actor_reserve_inertia(stage, owner)) reason = "out of memory";
  if (!reason && plays(owner) && !actor_need_gait(stage, owner)) reason = "out of memory";
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
  if (def->solo) l->crossfades++;
  *a = (action){.actor = owner->id,
                .asked = *def,
                .fade = {.to = 1, .duration = play_is_inertial(def) || first ? 0 : def->fade, .ease = def->ease},
                .group = l->crossfades};
  if (!join_group(owner, a, def->sync_group)) a->asked.sync_group[0] = 0;
  start_playback(&a->playback, owner->model->clips + def->clip, def);
  l->actions[l->action_count++] = result.id;
  crossfade_begin(stage, l, def, result.id, first);
  if (play_is_inertial(def) && !first) inertia_request(&owner->inertia, def->fade, false);
  return result;
}

bool sinew_actor_join(sinew_stage *stage, sinew_actor id, sinew_actor from_id, double seconds) {
  actor *a = stage_open(stage, id);
  actor *from = stage_find(stage, from_id);
  if (!a || !from || a->pose.joint_count != from->pose.joint_count) return false;
  if (!actor_reserve_inertia(stage, a) || !actor_reserve_inertia(stage, from)) return false;
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
  layer *l = stage_find(stage, (sinew_actor){a->actor})->layers + a->asked.layer;
  int position = 0;
  crossfade_uncover_at_once(stage, l, id);
  while (l->actions[position] != id) position++;
  memmove(l->actions + position, l->actions + position + 1,
          (size_t)(l->action_count - position - 1) * sizeof *l->actions);
  l->action_count--;
  pool_remove(&stage->action_slots, id);
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

float sinew_action_strength(const sinew_stage *stage, sinew_action id) {
  const action *a = stage_find_action(stage, id.id);
  return a ? action_strength(a) : 0;
}

int64_t sinew_action_loops(const sinew_stage *stage, sinew_action id) {
  const action *a = stage_find_action(stage, id.id);
  return a ? a->playback.loops : 0;
}

static double duration_of(const sinew_stage *stage, const action *a) {
  return stage_find(stage, (sinew_actor){a->actor})->model->clips[a->asked.clip].duration;
}

bool sinew_action_read_state(const sinew_stage *stage, sinew_action id, sinew_play_def *state) {
  const action *a = stage_find_action(stage, id.id);
  *state = a ? a->asked : (sinew_play_def){0};
  if (!a) return false;
  const playback *p = &a->playback;
  double end = p->begin + p->duration;
  state->time = playback_time(p);
  state->back = playback_is_back(p);
  state->from = p->begin > 0 ? p->begin : (double)NAN;
  state->to = end < duration_of(stage, a) ? end : (double)NAN;
  return true;
}

static bool is_same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

bool sinew_action_set_state(sinew_stage *stage, sinew_action id, const sinew_play_def *state) {
  action *a = stage_open_action(stage, id);
  sinew_play_def next = *state, now;
  if (!sinew_action_read_state(stage, id, &now) || !a || isnan(next.time)) return false;
  actor *owner = stage_find(stage, (sinew_actor){a->actor});
  next.clip = now.clip, next.layer = now.layer;
  if (check_play(owner, &next) || !join_group(owner, a, next.sync_group)) return false;
  playback *p = &a->playback;
  a->asked = next;
  set_clock(p, &next);
  if (!is_same(next.from, now.from) || !is_same(next.to, now.to))
    playback_set_part(p, duration_of(stage, a), next.from, next.to);
  if (next.time != now.time) playback_seek(p, next.time);
  playback_turn(p, next.back);
  return true;
}

bool sinew_action_seek(sinew_stage *stage, sinew_action id, double time, bool events) {
  action *a = stage_open_action(stage, id);
  if (!a || !isfinite(time)) return false;
  if (events) playback_pass_to(&a->playback, time);
  else playback_seek(&a->playback, time);
  return true;
}

/* The next one in the part that plays, in the clip's direction of time; negative: none. */
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
  double time = find_marker(markers_of(&stage->markers, owner->model, a->asked.clip), &a->playback, marker);
  if (time < 0 || !actor_reserve_inertia(stage, owner)) return false;
  playback_seek(&a->playback, time);
  a->playback.fresh = true;
  if (fade > 0 && owner->poses > 0) inertia_request(&owner->inertia, fade, false);
  return true;
}
