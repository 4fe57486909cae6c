#include "cli/quality.h"

#include "base/array.h"
#include "base/hash_index.h"
#include "base/memory.h"

#include <stdio.h>

enum { MARKS = 16384 };

void quality_release(quality *q) {
  for (int i = 0; i < q->actor_count; i++) mem_free(q->actors[i].marks);
  mem_free(q->actors);
  mem_free(q->frames);
  *q = (quality){0};
}

void quality_measure(sinew_host *host) {
  sinew_stage *stage = sinew_host_stage(host);
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
  sinew_transform place = sinew_actor_transform(stage, actor);
  size_t groups = (size_t)sinew_pose_group_count(pose.joint_count);
  hash = fnv_add(hash, pose.groups, groups * sizeof *pose.groups);
  hash = fnv_add(hash, &place.translation, sizeof place.translation);
  hash = fnv_add(hash, &place.rotation, sizeof place.rotation);
  return fnv_add(hash, &place.scale, sizeof place.scale);
}

void quality_add_frame(quality *q, sinew_host *host) {
  const sinew_stage *stage = sinew_host_stage(host);
  uint64_t *hash = array_grow((void **)&q->frames, &q->frame_count, &q->frame_capacity, sizeof *hash);
  if (!hash) {
    q->out_of_memory = true;
    return;
  }
  *hash = FNV_BEGIN;
  for (int i = 0; i < sinew_stage_actor_count(stage); i++) *hash = add_actor(*hash, stage, sinew_stage_actor(stage, i));
}

static void add_mark(quality_actor *a, sinew_scene *scene, sinew_host *host, sinew_actor actor, int index) {
  const sinew_stage *stage = sinew_host_stage(host);
  quality_mark *m = array_grow((void **)&a->marks, &a->mark_count, &a->mark_capacity, sizeof *m);
  if (!m) return;
  sinew_actor_mark(stage, actor, index, &m->mark);
  if (m->mark.joint >= 0)
    sinew_model_joint_path(sinew_actor_model(stage, actor), m->mark.joint, m->joint, sizeof m->joint);
  sinew_scene_mark_text(scene, actor, index, m->text, sizeof m->text);
}

void quality_finish(quality *q, sinew_scene *scene, sinew_host *host) {
  const sinew_stage *stage = sinew_host_stage(host);
  for (int i = 0; i < sinew_stage_actor_count(stage); i++) {
    sinew_actor actor = sinew_stage_actor(stage, i);
    sinew_metrics metrics;
    if (!sinew_actor_metrics(stage, actor, &metrics)) continue;
    quality_actor *a = array_grow((void **)&q->actors, &q->actor_count, &q->actor_capacity, sizeof *a);
    if (!a) q->out_of_memory = true;
    if (!a) return;
    snprintf(a->name, sizeof a->name, "%s", sinew_actor_name(stage, actor));
    a->metrics = metrics;
    a->place = sinew_actor_transform(stage, actor).translation;
    if (metrics.turn_joint >= 0)
      sinew_model_joint_path(sinew_actor_model(stage, actor), metrics.turn_joint, a->worst, sizeof a->worst);
    for (int k = 0; k < sinew_actor_mark_count(stage, actor); k++) add_mark(a, scene, host, actor, k);
  }
}
