#include "pose/motion/feet.h"

#include "base/memory/memory.h"
#include "model/model.h"

#include <math.h>

const char *feet_check(const sinew_model *model, const sinew_clip *clip, const int *joints, int count) {
  if (!model) return "feet: the model is missing";
  if (!clip) return "feet: the clip is missing";
  if (clip->joint_count != model->joint_count) return "feet: the clip belongs to another model";
  if (!joints || count < 1 || count > SINEW_FEET_MAX) return "feet: there are not 1 to 16 of them";
  for (int i = 0; i < count; i++)
    if (joints[i] < 0 || joints[i] >= model->joint_count) return "feet: there is no such joint";
  return NULL;
}

double feet_time(const foot_paths *f, int moment) {
  return f->moments > 1 ? f->duration * moment / (f->moments - 1) : 0;
}

sinew_vec3 feet_position(const foot_paths *f, int foot, int moment) { return f->positions[moment * f->count + foot]; }

/* Evaluates whole poses, because following each foot from the root down is already slower for the first one. */
static void follow(foot_paths *f, const sinew_model *model, const sinew_clip *clip, const int *joints, sinew_pose pose,
                   sinew_mat3x4 *placed) {
  for (int i = 0; i < f->moments; i++) {
    sinew_sample(&(sinew_sample_job){model, clip, feet_time(f, i), pose});
    sinew_local_to_model(&(sinew_local_to_model_job){model, pose, placed, 0});
    for (int k = 0; k < f->count; k++) {
      const float *m = placed[joints[k]].m;
      f->positions[i * f->count + k] = (sinew_vec3){m[3], m[7], m[11]};
      f->lowest[k] = i ? fminf(f->lowest[k], m[7]) : m[7];
    }
  }
}

bool feet_measure(foot_paths *f, const sinew_model *model, const sinew_clip *clip, const int *joints, int count,
                  int moments) {
  *f = (foot_paths){sinew_clip_duration(clip), count, moments, NULL, {0}};
  f->positions = mem_alloc_array((size_t)moments * (size_t)count, sizeof *f->positions);
  sinew_pose pose = {mem_alloc_array((size_t)sinew_pose_group_count(model->joint_count), sizeof *pose.groups),
                     model->joint_count};
  sinew_mat3x4 *placed = mem_alloc_array((size_t)model->joint_count, sizeof *placed);
  bool room = f->positions && pose.groups && placed;
  if (room) follow(f, model, clip, joints, pose, placed);
  mem_free(placed);
  mem_free(pose.groups);
  return room;
}

void feet_release(foot_paths *f) { mem_free(f->positions); }
