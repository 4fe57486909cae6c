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

float action_strength(const action *a) { return a->weight * (float)fade_value(&a->fade); }

double action_strength_mean(const action *a, double dt) { return (double)a->weight * fade_mean(&a->fade, dt); }

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
  if (def->sync_group && (!def->sync_group[0] || strlen(def->sync_group) >= EVENT_NAME))
    return "the name of its sync group is empty or too long";
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

static void start_playback(playback *p, const sinew_clip *clip, const sinew_play_def *def) {
  *p = playback_start(clip->duration, def->from, def->to);
  p->speed = def->speed;
  p->loop = def->loop;
  p->loop_count = def->loop_count;
  p->cycles = def->cycles;
  playback_seek(p, isnan(def->time) ? p->begin + (def->speed < 0 ? p->duration : 0) : def->time);
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
  if (!reason && def->sync_group && !actor_need_inputs(owner)) reason = "out of memory";
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
                .clip = def->clip,
                .layer = def->layer,
                .weight = def->weight,
                .fade = {.to = 1, .duration = play_is_inertial(def) || first ? 0 : def->fade, .ease = def->ease},
                .fade_out = def->fade_out,
                .group = l->crossfades,
                .sync = def->sync_group ? sync_group_find(owner->inputs->groups, def->sync_group) : NULL};
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
  layer *l = stage_find(stage, (sinew_actor){a->actor})->layers + a->layer;
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

/* False if there is no room for another group. */
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
  /* after a change of direction an action that held its end continues, as a looping one does */
  if ((state->speed < 0) != (p->speed < 0)) p->finished = false;
  playback_set_loop(p, state->loop, state->loop_count);
  p->speed = state->speed;
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
  double time = find_marker(markers_of(&stage->markers, owner->model, a->clip), &a->playback, marker);
  if (time < 0 || !actor_reserve_inertia(stage, owner)) return false;
  playback_seek(&a->playback, time);
  a->playback.fresh = true;
  if (fade > 0 && owner->poses > 0) inertia_request(&owner->inertia, fade, false);
  return true;
}
