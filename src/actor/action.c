#include "actor/ease.h"
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
                          .solo = true};
}

static double fade_factor(const action *a) {
  if (!(a->fade_duration > 0) || a->fade_elapsed >= a->fade_duration) return a->fade_to;
  return a->fade_from + (a->fade_to - a->fade_from) * ease(a->ease, a->fade_elapsed / a->fade_duration);
}

float action_strength(const action *a) { return a->weight * (float)fade_factor(a); }

/* ---- starting ---- */

static const char *check_play(const actor *a, const sinew_play_def *def) {
  if (!a) return "the actor is gone";
  if (def->clip < 0 || def->clip >= a->model->clip_count) return "there is no such clip";
  if (def->layer < 0 || def->layer >= a->layer_count) return "there is no such layer";
  if (!(def->fade >= 0) || !isfinite(def->fade)) return "its fade is not a number of seconds from 0 on";
  if (!isfinite(def->speed)) return "its speed is not a finite number";
  if (!(def->weight >= 0) || !isfinite(def->weight)) return "its weight is not a number from 0 on";
  if (isinf(def->time)) return "its time is not a finite number";
  if (isinf(def->from) || isinf(def->to) || def->from < 0 || def->to < def->from)
    return "the part that plays does not go from one time to a later one";
  if (def->sync_group && (!def->sync_group[0] || strlen(def->sync_group) >= EVENT_NAME))
    return "the name of its sync group is empty or too long";
  if (def->loop == SINEW_LOOP_COUNT && def->loop_count < 1) return "its loop count is under 1";
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
  playback_seek(p, isnan(def->time) ? p->begin + (def->speed < 0 ? p->duration : 0) : def->time);
}

/* Without modifiers; an actor that has some has had room since before it got them. */
bool actor_reserve_inertia(actor *a) { return inertia_reserve(&a->inertia, a->pose, a->before, a->poses); }

static bool is_inertial(const sinew_play_def *def) { return def->solo && def->kind == SINEW_TRANSITION_INERTIAL; }

static void stop(sinew_stage *stage, uint64_t id, double fade, sinew_ease how) {
  action *a = stage_find_action(stage, id);
  if (!(fade > 0) || !isfinite(fade) || action_strength(a) <= 0) {
    stage_end_action(stage, id);
    return;
  }
  /* A second stop may only hasten the first. */
  if (a->stopping && a->fade_duration - a->fade_elapsed <= fade) return;
  a->fade_from = fade_factor(a);
  a->fade_to = 0;
  a->fade_elapsed = 0;
  a->fade_duration = fade;
  a->ease = how;
  a->stopping = true;
}

/* They go as the new one comes, so that of two the weights come to 1 all the way. */
static void stop_others(sinew_stage *stage, const layer *l, const sinew_play_def *def) {
  for (int i = l->action_count; def->solo && i > 0; i--) {
    if (def->kind == SINEW_TRANSITION_FROZEN) stage_find_action(stage, l->actions[i - 1])->paused = true;
    stop(stage, l->actions[i - 1], is_inertial(def) ? 0 : def->fade, def->ease);
  }
}

sinew_action sinew_actor_play(sinew_stage *stage, sinew_actor id, const sinew_play_def *def, sinew_error *error) {
  actor *owner = stage_find(stage, id);
  const char *reason = stage_closed(stage) ? stage_closed(stage) : check_play(owner, def);
  sinew_action result = {0};
  action *a = NULL;
  if (!reason && !actor_reserve_leaves(owner)) reason = "out of memory";
  if (!reason && def->sync_group && !actor_need_senses(owner)) reason = "out of memory";
  if (!reason && is_inertial(def) && !actor_reserve_inertia(owner)) reason = "out of memory";
  if (!reason) {
    stop_others(stage, owner->layers + def->layer, def);
    make_room(stage, owner->layers + def->layer);
    a = pool_add(&stage->action_slots, &result.id);
    if (!a) reason = "out of memory";
  }
  if (reason) {
    error_set(error, "the clip cannot be played: %s", reason);
    return (sinew_action){0};
  }
  layer *l = owner->layers + def->layer;
  *a = (action){.actor = owner->id,
                .clip = def->clip,
                .layer = def->layer,
                .weight = def->weight,
                .fade_to = 1,
                .fade_duration = is_inertial(def) ? 0 : def->fade,
                .ease = def->ease,
                .sync = def->sync_group ? sync_group_find(owner->senses->groups, def->sync_group) : NULL};
  if (is_inertial(def)) inertia_request(&owner->inertia, def->fade, false);
  start_playback(&a->playback, owner->model->clips + def->clip, def);
  l->actions[l->action_count++] = result.id;
  return result;
}

bool sinew_actor_join(sinew_stage *stage, sinew_actor id, sinew_actor from_id, double seconds) {
  actor *a = stage_open(stage, id);
  actor *from = stage_open(stage, from_id);
  if (!a || !from || a->pose.joint_count != from->pose.joint_count) return false;
  if (!actor_reserve_inertia(a) || !actor_reserve_inertia(from)) return false;
  if (!settling_request(&a->settling, a->pose.joint_count, seconds)) return false;
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
  int place = 0;
  while (l->actions[place] != id) place++;
  memmove(l->actions + place, l->actions + place + 1, (size_t)(l->action_count - place - 1) * sizeof *l->actions);
  l->action_count--;
  pool_remove(&stage->action_slots, id);
}

void sinew_action_stop(sinew_stage *stage, sinew_action id, double fade) {
  const action *a = stage_open_action(stage, id);
  if (a) stop(stage, id.id, fade, a->ease);
}

bool action_fade(sinew_stage *stage, uint64_t id, double dt) {
  action *a = stage_find_action(stage, id);
  if (dt > 0) a->fade_elapsed += dt;
  if (!a->stopping || a->fade_elapsed < a->fade_duration) return true;
  stage_end_action(stage, id);
  return false;
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
  for (int i = 0; a->sync && owner && owner->senses && i < SYNC_GROUPS; i++)
    if (a->sync == &owner->senses->groups[i].phase) return owner->senses->groups[i].name;
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
                                group_name(stage, a)};
  return true;
}

static bool state_fits(const sinew_action_state *s) {
  const char *group = s->sync_group;
  return isfinite(s->time) && isfinite(s->speed) && isfinite(s->weight) && s->weight >= 0 &&
         (s->loop != SINEW_LOOP_COUNT || s->loop_count >= 1) && !isinf(s->from) && !isinf(s->to) && !(s->from < 0) &&
         !(s->to < s->from) && (!group || (group[0] && strlen(group) < EVENT_NAME));
}

/* False where there is no room for another group. */
static bool join_group(const sinew_stage *stage, action *a, const char *name) {
  actor *owner = stage_find(stage, (sinew_actor){a->actor});
  const char *now = group_name(stage, a);
  if (!name) a->sync = NULL;
  if (!name || (now && strcmp(now, name) == 0)) return true;
  sync_phase *phase = actor_need_senses(owner) ? sync_group_find(owner->senses->groups, name) : NULL;
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
  if (state->from != p->begin || state->to != p->begin + p->duration)
    playback_set_part(p, clip_duration, state->from, state->to);
  if (state->time != time) playback_seek(p, state->time);
}

bool sinew_action_set_state(sinew_stage *stage, sinew_action id, const sinew_action_state *state) {
  action *a = stage_open_action(stage, id);
  if (!a || !state_fits(state) || !join_group(stage, a, state->sync_group)) return false;
  const actor *owner = stage_find(stage, (sinew_actor){a->actor});
  set_playback(&a->playback, state, owner->model->clips[a->clip].duration);
  a->weight = state->weight;
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
