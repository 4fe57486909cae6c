#include "pose/motion/feet.h"

#include "model/model.h"
#include "pose/modifiers/joint_position.h"

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

double feet_time(const feet *f, int moment, int moments) {
  return moments > 1 ? f->clip->duration * moment / (moments - 1) : 0;
}

sinew_vec3 feet_position(const feet *f, int foot, double time) {
  sinew_mat3x4 m = joint_position(f->model, f->clip, f->joints[foot], time);
  return (sinew_vec3){m.m[3], m.m[7], m.m[11]};
}

feet feet_measure(const sinew_model *model, const sinew_clip *clip, const int *joints, int count, int moments) {
  feet f = {model, clip, joints, count, {0}};
  for (int i = 0; i < count; i++) {
    f.lowest[i] = feet_position(&f, i, 0).y;
    for (int k = 1; k < moments; k++)
      f.lowest[i] = fminf(f.lowest[i], feet_position(&f, i, feet_time(&f, k, moments)).y);
  }
  return f;
}
