#include "math/float_env.h"
#include "model/model.h"
#include "pose/kernels.h"

#include <math.h>
#include <string.h>

/* ---- sample ---- */

const char *sinew_sample_check(const sinew_sample_job *job) {
  if (!job->model) return "sample: the model is missing";
  if (!job->clip) return "sample: the clip is missing";
  if (!isfinite(job->time)) return "sample: the time is not a finite number";
  if (!job->output.groups) return "sample: the output pose is missing";
  if (job->output.joint_count != job->model->joint_count) return "sample: the output pose is not of the model's size";
  if (job->clip->joint_count != job->model->joint_count) return "sample: the clip belongs to another model";
  return NULL;
}

bool sinew_sample(const sinew_sample_job *job) {
  if (sinew_sample_check(job)) return false;
  uint64_t before = float_env_enter();
  pose_kernels_current()->sample(job->clip, job->time, job->output.groups);
  float_env_leave(before);
  return true;
}

static void sample_track_group_morphs(const track_group *tracks, double time, int mesh, float *weights) {
  if (tracks->morph_count == 0) return;
  clip_cursor cursor = track_group_seek(tracks, time);
  for (int i = 0; i < tracks->morph_count; i++) {
    const clip_morph *morph = tracks->morphs + i;
    if (morph->mesh == mesh) weights[morph->target] = clip_morph_value(morph, &cursor);
  }
}

bool sinew_sample_morphs(const sinew_model *model, const sinew_clip *clip, double time, int mesh, float *weights) {
  if (!model || !clip || !weights || !isfinite(time) || mesh < 0 || mesh >= model->mesh_count) return false;
  const sinew_mesh_view *view = model->meshes + mesh;
  uint64_t before = float_env_enter();
  for (int i = 0; i < view->morph_count; i++) weights[i] = view->morphs[i].rest_weight;
  for (int i = 0; i < clip->constant_morph_count; i++) {
    const clip_morph *morph = clip->constant_morphs + i;
    if (morph->mesh == mesh) weights[morph->target] = clip->constant_weights[morph->offset];
  }
  for (int i = 0; i < clip->track_group_count; i++)
    sample_track_group_morphs(clip->track_groups + i, time, mesh, weights);
  float_env_leave(before);
  return true;
}

/* ---- blend ---- */

const char *sinew_blend_check(const sinew_blend_job *job) {
  if (!job->output.groups || !job->rest.groups) return "blend: the rest pose or the output is missing";
  if (job->rest.joint_count != job->output.joint_count) return "blend: the rest pose and the output differ in size";
  if (job->source_count < 0) return "blend: the number of sources is negative";
  if (job->source_count > 0 && !job->sources) return "blend: the sources are missing";
  if (!(job->threshold > 0) || !isfinite(job->threshold)) return "blend: the threshold is not a positive number";
  for (int i = 0; i < job->source_count; i++) {
    if (!job->sources[i].pose) return "blend: a source has no pose";
    if (!(job->sources[i].weight >= 0) || !isfinite(job->sources[i].weight))
      return "blend: a weight is negative or not a finite number";
  }
  return NULL;
}

bool sinew_blend(const sinew_blend_job *job) {
  if (sinew_blend_check(job)) return false;
  uint64_t before = float_env_enter();
  pose_kernels_current()->blend(job);
  float_env_leave(before);
  return true;
}

/* ---- layer ---- */

const char *sinew_layer_check(const sinew_layer_job *job) {
  if (!isfinite(job->weight)) return "layer: the weight is not a finite number";
  if (!job->below.groups || !job->above.groups || !job->output.groups) return "layer: a pose is missing";
  if (job->below.joint_count != job->output.joint_count || job->above.joint_count != job->output.joint_count)
    return "layer: the poses differ in size";
  if (job->model && job->model->joint_count != job->output.joint_count)
    return "layer: the poses are not of the model's size";
  return NULL;
}

bool sinew_layer(const sinew_layer_job *job) {
  if (sinew_layer_check(job)) return false;
  uint64_t before = float_env_enter();
  pose_kernels_current()->layer(job);
  float_env_leave(before);
  return true;
}

/* ---- additive ---- */

static const char *check_poses(const sinew_pose *const *poses, int count) {
  for (int i = 0; i < count; i++) {
    if (!poses[i]->groups) return "additive: a pose is missing";
    if (poses[i]->joint_count != poses[0]->joint_count) return "additive: the poses differ in size";
  }
  return NULL;
}

const char *sinew_additive_make_check(const sinew_additive_make_job *job) {
  return check_poses((const sinew_pose *const[]){&job->output, &job->pose, &job->reference}, 3);
}

const char *sinew_additive_apply_check(const sinew_additive_apply_job *job) {
  if (!isfinite(job->weight)) return "additive: the weight is not a finite number";
  return check_poses((const sinew_pose *const[]){&job->output, &job->below, &job->additive}, 3);
}

const char *sinew_additive_check(const sinew_additive_job *job) {
  if (!isfinite(job->weight)) return "additive: the weight is not a finite number";
  return check_poses((const sinew_pose *const[]){&job->output, &job->below, &job->pose, &job->reference}, 4);
}

bool sinew_additive_make(const sinew_additive_make_job *job) {
  if (sinew_additive_make_check(job)) return false;
  uint64_t before = float_env_enter();
  pose_kernels_current()->additive_make(job);
  float_env_leave(before);
  return true;
}

bool sinew_additive_apply(const sinew_additive_apply_job *job) {
  if (sinew_additive_apply_check(job)) return false;
  uint64_t before = float_env_enter();
  pose_kernels_current()->additive_apply(job);
  float_env_leave(before);
  return true;
}

bool sinew_additive(const sinew_additive_job *job) {
  if (sinew_additive_check(job)) return false;
  uint64_t before = float_env_enter();
  pose_kernels_current()->additive(job);
  float_env_leave(before);
  return true;
}

/* ---- inertialize ---- */

static const double least_time = 1e-6; /* a velocity is a difference divided by it */

const char *sinew_inertialize_begin_check(const sinew_inertialize_begin_job *job) {
  const sinew_pose *poses[4] = {&job->from, &job->from_before, &job->to, &job->to_after};
  for (int i = 0; i < 4; i++) {
    if (!poses[i]->groups) return "inertialize: a pose is missing";
    if (poses[i]->joint_count != poses[0]->joint_count) return "inertialize: the poses differ in size";
  }
  if (!job->output) return "inertialize: the memory for the offset is missing";
  if (!(job->dt >= least_time) || !isfinite(job->dt)) return "inertialize: dt is not a microsecond or more";
  return NULL;
}

const char *sinew_inertialize_check(const sinew_inertialize_job *job) {
  if (!job->inertia) return "inertialize: the offset is missing";
  if (!job->source.groups || !job->output.groups) return "inertialize: a pose is missing";
  if (job->source.joint_count != job->output.joint_count) return "inertialize: the poses differ in size";
  if (!isfinite(job->time)) return "inertialize: the time is not a finite number";
  if (!(job->duration >= least_time) || !isfinite(job->duration))
    return "inertialize: the duration is not a microsecond or more";
  return NULL;
}

bool sinew_inertialize_begin(const sinew_inertialize_begin_job *job) {
  if (sinew_inertialize_begin_check(job)) return false;
  uint64_t before = float_env_enter();
  pose_kernels_current()->inertialize_begin(job);
  float_env_leave(before);
  return true;
}

bool sinew_inertialize(const sinew_inertialize_job *job) {
  if (sinew_inertialize_check(job)) return false;
  if (job->time < job->duration) {
    uint64_t before = float_env_enter();
    pose_kernels_current()->inertialize(job);
    float_env_leave(before);
    return true;
  }
  size_t groups = (size_t)sinew_pose_group_count(job->output.joint_count);
  memmove(job->output.groups, job->source.groups, groups * sizeof *job->output.groups);
  return true;
}

/* ---- local to model ---- */

const char *sinew_local_to_model_check(const sinew_local_to_model_job *job) {
  if (!job->model) return "local to model: the model is missing";
  if (!job->pose.groups || !job->output) return "local to model: the pose or the output is missing";
  if (job->pose.joint_count != job->model->joint_count) return "local to model: the pose is not of the model's size";
  if (job->first < 0 || job->first >= job->model->joint_count) return "local to model: there is no such first joint";
  return NULL;
}

bool sinew_local_to_model(const sinew_local_to_model_job *job) {
  if (sinew_local_to_model_check(job)) return false;
  uint64_t before = float_env_enter();
  pose_kernels_current()->local_to_model(job);
  float_env_leave(before);
  return true;
}
