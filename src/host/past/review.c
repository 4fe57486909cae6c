#include "host/past/review.h"

#include "base/memory/memory.h"

#include <string.h>

static const double looked_back = 3, around = 1, stands = 1.5;

void review_release(review *r) {
  cast_release(&r->cast);
  cast_release(&r->ghosts);
  *r = (review){0};
}

/* ---- time ---- */

static int64_t last_moment(const ring *kept) { return kept->first + kept->count - 1; }

static double clamp_time(const ring *kept, double time) {
  double first = ring_time(kept, kept->first), last = ring_time(kept, last_moment(kept));
  return time < first ? first : time > last ? last : time;
}

void review_seek(review *r, const ring *kept, double time) { r->at = clamp_time(kept, time); }

static void set_loop(review *r, const ring *kept, double from, double to) {
  r->loop[0] = clamp_time(kept, from);
  r->loop[1] = clamp_time(kept, to);
}

static void step(review *r, const ring *kept, int64_t moments) {
  int64_t moment = ring_find(kept, r->at) + moments, last = last_moment(kept);
  r->plays = false;
  r->at = ring_time(kept, moment < kept->first ? kept->first : moment > last ? last : moment);
}

void review_stay(review *r) { r->waits = 0; }

static void wait_to_play(review *r, double dt) {
  if (r->waits <= 0) return;
  r->waits -= dt;
  if (r->waits > 0) return;
  r->waits = 0;
  r->plays = true;
  r->at = r->loop[0];
}

void review_advance(review *r, const ring *kept, double dt) {
  wait_to_play(r, dt);
  if (!r->plays) return;
  bool was_before = r->at <= r->loop[1];
  r->at += dt;
  if (was_before && r->at > r->loop[1]) r->at = r->loop[0];
  r->at = clamp_time(kept, r->at);
}

/* ---- marks ---- */

static double moment_of(const past_mark *m) {
  return m->mark.kind == SINEW_MARK_SLIDE ? (past_mark_begin(m) + past_mark_end(m)) / 2 : m->begin;
}

void review_shorten(review *r, const ring *kept) { set_loop(r, kept, r->at - around, r->at + around); }

void review_show_mark(review *r, const ring *kept, const past_marks *marks, int mark) {
  const past_mark *m = marks->marks + mark;
  r->mark = mark;
  r->actor = m->actor;
  if (m->mark.joint >= 0) r->joint = m->mark.joint;
  r->plays = false;
  review_seek(r, kept, moment_of(m));
  set_loop(r, kept, past_mark_begin(m) - around, past_mark_end(m) + around);
}

/* Goes to the next mark worth showing, in time. */
static void go_to_mark(review *r, const ring *kept, const past_marks *marks, int direction) {
  int best = -1;
  double from = r->mark >= 0 ? moment_of(marks->marks + r->mark) : r->at;
  for (int i = 0; i < marks->count; i++) {
    double away = (moment_of(marks->marks + i) - from) * direction;
    if (past_mark_score(marks->marks + i) <= 0 || away <= 1e-9) continue;
    if (best < 0 || away < (moment_of(marks->marks + best) - from) * direction) best = i;
  }
  if (best >= 0) review_show_mark(r, kept, marks, best);
}

bool review_open(review *r, const ring *kept, const past_marks *marks, double now) {
  if (kept->count == 0) return false;
  r->is_on = true;
  r->plays = r->drags = false;
  r->mark = -1;
  r->waits = stands;
  r->why[0] = '\0';
  r->cast.ring = r->ghosts.ring = NULL;
  int worst = past_marks_worst(marks, now - looked_back);
  if (worst >= 0) review_show_mark(r, kept, marks, worst);
  else {
    set_loop(r, kept, now - 2 * around, now);
    review_seek(r, kept, now);
  }
  if (!ring_model(kept, ring_find(kept, r->at), r->actor)) r->actor = ring_actor(kept, ring_find(kept, r->at), 0);
  return true;
}

/* ---- keys ---- */

static void next_actor(review *r, const ring *kept) {
  int64_t moment = ring_find(kept, r->at);
  int count = ring_actor_count(kept, moment), next = 0;
  for (int i = 0; i < count; i++)
    if (ring_actor(kept, moment, i).id == r->actor.id) next = (i + 1) % count;
  r->actor = ring_actor(kept, moment, next);
}

/* The previous or next joint, wrapping around. */
static void next_joint(review *r, const ring *kept, int step) {
  const sinew_model *model = ring_model(kept, ring_find(kept, r->at), r->actor);
  int count = model ? sinew_model_joint_count(model) : 1;
  r->joint = ((r->joint + step) % count + count) % count;
}

static void set_end(review *r, int end) {
  r->loop[end] = r->at;
  if (r->loop[0] > r->loop[1]) r->loop[1 - end] = r->at;
}

bool review_key(review *r, const ring *kept, const past_marks *marks, const char *key, bool shift) {
  int64_t far = shift ? 10 : 1;
  if (strcmp(key, "escape") == 0 || strcmp(key, "f9") == 0) r->is_on = false;
  else if (strcmp(key, "space") == 0) r->plays = !r->plays;
  else if (strcmp(key, "left") == 0) step(r, kept, -far);
  else if (strcmp(key, "right") == 0) step(r, kept, far);
  else if (strcmp(key, "home") == 0) step(r, kept, -kept->count);
  else if (strcmp(key, "end") == 0) step(r, kept, kept->count);
  else if (strcmp(key, "n") == 0) go_to_mark(r, kept, marks, 1);
  else if (strcmp(key, "p") == 0) go_to_mark(r, kept, marks, -1);
  else if (strcmp(key, "left_bracket") == 0) set_end(r, 0);
  else if (strcmp(key, "right_bracket") == 0) set_end(r, 1);
  else if (strcmp(key, "tab") == 0) next_actor(r, kept);
  else if (strcmp(key, "up") == 0) next_joint(r, kept, -1);
  else if (strcmp(key, "down") == 0) next_joint(r, kept, 1);
  else if (strcmp(key, "g") == 0 && shift) r->ghosts_beside = !r->ghosts_beside;
  else if (strcmp(key, "g") == 0) r->hides_ghosts = !r->hides_ghosts;
  else return false;
  return true;
}

/* ---- cast ---- */

void cast_release(cast *c) {
  if (c->stage) sinew_stage_destroy(c->stage);
  mem_free(c->crowds);
  mem_free(c->room);
  mem_free(c->shown);
  mem_free(c->matrices);
  mem_free(c->groups);
  *c = (cast){0};
}

static bool reserve(cast *c) {
  int count = ring_actor_count(c->ring, c->moment), matrices = 0, groups = 0;
  for (int i = 0; i < count; i++) {
    const sinew_model *model = ring_model(c->ring, c->moment, ring_actor(c->ring, c->moment, i));
    int joints = sinew_model_joint_count(model);
    matrices += joints + sinew_model_palette_count(model);
    if (sinew_pose_group_count(joints) > groups) groups = sinew_pose_group_count(joints);
  }
  return array_reserve((void **)&c->shown, &c->shown_capacity, count, sizeof *c->shown) &&
         array_reserve((void **)&c->matrices, &c->matrix_capacity, matrices, sizeof *c->matrices) &&
         array_reserve((void **)&c->groups, &c->group_capacity, groups, sizeof *c->groups);
}

static void pose_actor(cast *c, sinew_actor actor, sinew_mat3x4 *joints) {
  sinew_model *model = ring_model(c->ring, c->moment, actor);
  ring_moment m;
  sinew_pose pose = {c->groups, sinew_model_joint_count(model)};
  sinew_mat3x4 *palette = joints + pose.joint_count;
  sinew_model_rest_pose(model, pose); /* fills the lanes past the last joint, too */
  if (!ring_read(c->ring, c->moment, actor, &m) || !ring_pose(c->ring, c->moment, actor, pose)) return;
  if (!sinew_local_to_model(&(sinew_local_to_model_job){.model = model, .pose = pose, .output = joints}) ||
      !sinew_palette(&(sinew_palette_job){.model = model, .joints = joints, .output = palette}))
    return;
  c->shown[c->shown_count++] = (shown_actor){.actor = actor,
                                             .model = model,
                                             .transform = m.transform,
                                             .opacity = m.opacity,
                                             .palette = palette,
                                             .joints = joints,
                                             .morphs = ring_morphs(c->ring, c->moment, actor)};
}

/* ---- crowds ---- */

static sinew_crowd make_crowd(sinew_stage *stage, const kept_crowd *kept) {
  sinew_crowd_def def = sinew_crowd_def_default();
  sinew_error ignored;
  def.name = kept->name;
  def.model = kept->model;
  def.count = kept->members;
  def.slot_count = SINEW_CROWD_SLOTS;
  def.has_legs = true;
  for (int s = 0; s < SINEW_CROWD_SLOTS; s++) def.clips[s] = -1;
  return sinew_crowd_create(stage, &def, &ignored);
}

/* Reuses the crowd of the previous moment if the sizes match. */
static sinew_crowd_characters take_crowd(const cast *c, cast_crowd *is, const kept_crowd *kept) {
  bool fits = sinew_crowd_model(c->stage, is->shown) == kept->model &&
              sinew_crowd_view(c->stage, is->shown).count == kept->members;
  if (!fits) {
    sinew_crowd_destroy(c->stage, is->shown);
    is->shown = make_crowd(c->stage, kept);
  }
  is->then = kept->crowd;
  return sinew_crowd_view(c->stage, is->shown);
}

static void pose_crowd(cast *c, cast_crowd *is, const kept_crowd *kept) {
  sinew_crowd_characters all = take_crowd(c, is, kept);
  int words = kept->members * kept_crowd_stride(kept);
  if (all.count == 0) return;
  if (array_reserve((void **)&c->room, &c->room_capacity, words, sizeof *c->room))
    kept_crowd_open(kept, c->moment, c->room, &all);
  else memset(all.visible, 0, (size_t)all.count);
}

static bool reserve_crowds(cast *c, int wanted) {
  sinew_error ignored;
  for (; c->crowd_count > wanted; c->crowd_count--) sinew_crowd_destroy(c->stage, c->crowds[c->crowd_count - 1].shown);
  if (wanted > 0 && !c->stage) c->stage = sinew_stage_create(&ignored);
  if (!c->stage || !array_reserve((void **)&c->crowds, &c->crowd_capacity, wanted, sizeof *c->crowds)) return false;
  while (c->crowd_count < wanted) c->crowds[c->crowd_count++] = (cast_crowd){0};
  return true;
}

static void pose_crowds(cast *c) {
  int wanted = ring_crowd_count(c->ring, c->moment);
  if (!reserve_crowds(c, wanted)) reserve_crowds(c, wanted = 0);
  for (int i = 0; i < wanted; i++) pose_crowd(c, c->crowds + i, ring_crowd(c->ring, c->moment, i));
  if (wanted > 0) sinew_stage_update(c->stage, 0);
}

void cast_pose(cast *c, const ring *kept, double time) {
  int64_t moment = ring_find(kept, time);
  if (c->ring == kept && moment == c->moment) return;
  c->ring = kept;
  c->moment = moment;
  c->shown_count = 0;
  pose_crowds(c);
  if (!reserve(c)) return;
  sinew_mat3x4 *next = c->matrices;
  for (int i = 0; i < ring_actor_count(kept, moment); i++) {
    sinew_actor actor = ring_actor(kept, moment, i);
    const sinew_model *model = ring_model(kept, moment, actor);
    pose_actor(c, actor, next);
    next += sinew_model_joint_count(model) + sinew_model_palette_count(model);
  }
}
