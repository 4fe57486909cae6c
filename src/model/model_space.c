#include "model/model_space.h"

#include "math/quat.h"
#include "math/vec3.h"

static sinew_vec3 multiply(sinew_vec3 a, sinew_vec3 b) { return (sinew_vec3){a.x * b.x, a.y * b.y, a.z * b.z}; }

sinew_transform model_space_compose(const sinew_transform *parent, const sinew_transform *local) {
  sinew_vec3 offset = quat_rotate(parent->rotation, multiply(parent->scale, local->translation));
  return (sinew_transform){vec3_add(parent->translation, offset),
                           sinew_quat_normalize(sinew_quat_multiply(parent->rotation, local->rotation)),
                           multiply(parent->scale, local->scale)};
}

static float over(float a, float b) { return fabsf(b) > 1e-12f ? a / b : 0; }

sinew_vec3 model_space_below(const sinew_transform *parent, sinew_vec3 position) {
  sinew_vec3 v = quat_rotate(quat_conjugate(parent->rotation), vec3_sub(position, parent->translation));
  return (sinew_vec3){over(v.x, parent->scale.x), over(v.y, parent->scale.y), over(v.z, parent->scale.z)};
}

void skeleton_to_model(const skeleton_view *skeleton, const sinew_transform *local, sinew_transform *model) {
  for (int i = 0; i < skeleton->count; i++) {
    int parent = skeleton->parents[i];
    model[i] = parent < 0 ? local[i] : model_space_compose(model + parent, local + i);
  }
}
