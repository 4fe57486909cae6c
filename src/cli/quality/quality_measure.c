#include "cli/quality/quality.h"

#include "base/memory/array.h"
#include "base/memory/hash_index.h"
#include "base/memory/memory.h"

#include <stdio.h>

enum { MARKS = 16384, LATEST = 64 };

void quality_release(quality *q) {
  for (int i = 0; i < q->actor_count; i++) mem_free(q->actors[i].marks);
  mem_free(q->actors);
  mem_free(q->frames);
  *q = (quality){0};
}

void quality_measure(quality *q) {
  sinew_stage *stage = sinew_host_stage(q->host);
  sinew_metrics_def def = sinew_metrics_def_default();
  def.marks = MARKS;
  for (int i = 0; i < sinew_stage_actor_count(stage); i++) {
    sinew_metrics metrics;
    sinew_error error;
    sinew_actor actor = sinew_stage_actor(stage, i);
    if (sinew_actor_metrics(stage, actor, &metrics)) continue;
    if (!sinew_actor_set_metrics(stage, actor, &def, &error)) sinew_log(SINEW_LOG_WARNING, "%s", error.message);
  }
}

static uint64_t add_actor(uint64_t hash, const sinew_stage *stage, sinew_actor actor) {
  sinew_pose pose = sinew_actor_pose(stage, actor);
  sinew_transform position = sinew_actor_transform(stage, actor);
  size_t groups = (size_t)sinew_pose_group_count(pose.joint_count);
  hash = fnv_add(hash, pose.groups, groups * sizeof *pose.groups);
  hash = fnv_add(hash, &position.translation, sizeof position.translation);
  hash = fnv_add(hash, &position.rotation, sizeof position.rotation);
  return fnv_add(hash, &position.scale, sizeof position.scale);
}

static void add_frame(quality *q, const sinew_stage *stage) {
  uint64_t *hash = array_grow((void **)&q->frames, &q->frame_count, &q->frame_capacity, sizeof *hash);
  if (!hash) q->out_of_memory = true;
  if (!hash) return;
  *hash = FNV_BEGIN;
  for (int i = 0; i < sinew_stage_actor_count(stage); i++) *hash = add_actor(*hash, stage, sinew_stage_actor(stage, i));
}

/* ---- actors, as long as they exist ---- */

/* The record of an actor; a new one if the scene has restarted its measurement. */
static quality_actor *record_of(quality *q, const sinew_stage *stage, sinew_actor actor, int64_t frames) {
  for (int i = q->actor_count - 1; i >= 0; i--)
    if (q->actors[i].id == actor.id && q->actors[i].metrics.frames <= frames) return q->actors + i;
  quality_actor *a = array_grow((void **)&q->actors, &q->actor_count, &q->actor_capacity, sizeof *a);
  if (!a) q->out_of_memory = true;
  if (!a) return NULL;
  a->id = actor.id;
  snprintf(a->name, sizeof a->name, "%s", sinew_actor_name(stage, actor));
  return a;
}

static bool is_same(const sinew_mark *a, const sinew_mark *b) {
  return a->kind == b->kind && a->begin == b->begin && a->end == b->end && a->size == b->size && a->joint == b->joint &&
         a->transition == b->transition;
}

/* In the words of the graph that is running now. */
static void read_mark(quality *q, quality_actor *a, sinew_scene *scene, sinew_actor actor, int index) {
  const sinew_stage *stage = sinew_host_stage(q->host);
  sinew_mark mark;
  if (!sinew_actor_mark(stage, actor, index, &mark)) return;
  quality_mark *m = index < a->mark_count
                        ? a->marks + index
                        : array_grow((void **)&a->marks, &a->mark_count, &a->mark_capacity, sizeof *m);
  if (!m) q->out_of_memory = true;
  if (!m || (m->text[0] && is_same(&m->mark, &mark))) return;
  m->mark = mark;
  m->joint[0] = '\0';
  if (mark.joint >= 0) sinew_model_joint_path(sinew_actor_model(stage, actor), mark.joint, m->joint, sizeof m->joint);
  sinew_scene_mark_text(scene, actor, index, m->text, sizeof m->text);
}

/* Only the latest marks change: a pop may continue, and the mark of a planted foot is last until it lifts. */
static void read_marks(quality *q, quality_actor *a, sinew_scene *scene, sinew_actor actor) {
  int count = sinew_actor_mark_count(sinew_host_stage(q->host), actor);
  int from = a->mark_count - LATEST < 0 ? 0 : a->mark_count - LATEST;
  if (count < a->mark_count) a->mark_count = count;
  for (int i = from < count ? from : count; i < count; i++) read_mark(q, a, scene, actor, i);
}

static void follow(quality *q, sinew_scene *scene, sinew_actor actor) {
  const sinew_stage *stage = sinew_host_stage(q->host);
  sinew_metrics metrics;
  bool measured = sinew_actor_metrics(stage, actor, &metrics);
  quality_actor *a = measured ? record_of(q, stage, actor, metrics.frames) : NULL;
  if (!a) return;
  a->metrics = metrics;
  a->position = sinew_actor_transform(stage, actor).translation;
  read_marks(q, a, scene, actor);
}

void quality_add_frame(quality *q, sinew_scene *scene) {
  const sinew_stage *stage = sinew_host_stage(q->host);
  add_frame(q, stage);
  for (int i = 0; i < sinew_stage_actor_count(stage); i++) follow(q, scene, sinew_stage_actor(stage, i));
}
