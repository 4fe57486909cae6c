#include "model/model.h"

#include <math.h>
#include <string.h>

const char *sinew_sample_check(const sinew_sample_job *job) {
  if (!job->model) return "sample: the model is missing";
  if (!job->clip) return "sample: the clip is missing";
  if (!isfinite(job->time)) return "sample: the time is not a finite number";
  if (!job->output.groups) return "sample: the output pose is missing";
  if (job->output.joint_count != job->model->joint_count) return "sample: the output pose is not of the model's size";
  if (job->clip->joint_count != job->model->joint_count) return "sample: the clip belongs to another model";
  return NULL;
}

static void sample_rotation(const clip_cursor *cursor, const clip_track *track, sinew_pose_group *group, int lane) {
  const float *a = cursor->a + track->offset, *b = cursor->b + track->offset;
  float w = track->hold ? 0 : cursor->weight, q[4];
  for (int i = 0; i < 4; i++) q[i] = a[i] + w * (b[i] - a[i]);
  float inverse = 1 / sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 4; i++) group->rotation[i][lane] = q[i] * inverse;
}

static void sample_vector(const clip_cursor *cursor, const clip_track *track, float (*lanes)[SINEW_LANES], int lane) {
  const float *a = cursor->a + track->offset, *b = cursor->b + track->offset;
  float w = track->hold ? 0 : cursor->weight;
  for (int i = 0; i < 3; i++) lanes[i][lane] = a[i] + w * (b[i] - a[i]);
}

bool sinew_sample(const sinew_sample_job *job) {
  if (sinew_sample_check(job)) return false;
  const sinew_clip *clip = job->clip;
  sinew_pose_group *output = job->output.groups;
  memcpy(output, clip->base, (size_t)sinew_pose_group_count(clip->joint_count) * sizeof *output);
  if (clip->track_count == 0) return true;
  clip_cursor cursor = clip_seek(clip, job->time);
  for (int i = 0; i < clip->track_count; i++) {
    const clip_track *track = clip->tracks + i;
    sinew_pose_group *group = output + track->joint / SINEW_LANES;
    int lane = track->joint % SINEW_LANES;
    switch (track->kind) {
    case TRACK_ROTATION: sample_rotation(&cursor, track, group, lane); break;
    case TRACK_TRANSLATION: sample_vector(&cursor, track, group->translation, lane); break;
    case TRACK_SCALE: sample_vector(&cursor, track, group->scale, lane); break;
    case TRACK_MORPH: break; /* its joint is a mesh: see sinew_sample_morphs */
    }
  }
  return true;
}

bool sinew_sample_morphs(const sinew_model *model, const sinew_clip *clip, double time, int mesh, float *weights) {
  if (!model || !clip || !weights || !isfinite(time) || mesh < 0 || mesh >= model->mesh_count) return false;
  const sinew_mesh_view *view = model->meshes + mesh;
  for (int i = 0; i < view->morph_count; i++) weights[i] = view->morphs[i].rest_weight;
  for (int i = 0; i < clip->constant_morph_count; i++) {
    const clip_track *track = clip->constant_morphs + i;
    if (track->joint == mesh) weights[track->target] = clip->constant_weights[track->offset];
  }
  if (clip->track_count == 0) return true;
  clip_cursor cursor = clip_seek(clip, time);
  for (int i = 0; i < clip->track_count; i++) {
    const clip_track *track = clip->tracks + i;
    if (track->kind != TRACK_MORPH || track->joint != mesh) continue;
    float a = cursor.a[track->offset], b = cursor.b[track->offset];
    weights[track->target] = a + (track->hold ? 0 : cursor.weight) * (b - a);
  }
  return true;
}
