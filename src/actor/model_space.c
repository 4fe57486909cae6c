#include "actor/model_space.h"

#include "math/quat.h"
#include "model/model.h"

#include <math.h>

/* ---- rotations in model space, parents first ---- */

static sinew_quat rotation_of(sinew_pose pose, int joint) { return sinew_pose_joint(&pose, joint).rotation; }

static void set_rotation(sinew_pose pose, int joint, sinew_quat rotation) {
  sinew_transform t = sinew_pose_joint(&pose, joint);
  t.rotation = rotation;
  sinew_pose_set_joint(&pose, joint, &t);
}

static sinew_quat above(const sinew_model *model, const sinew_quat *rotations, int joint) {
  int parent = model->parents[joint];
  return parent < 0 ? (sinew_quat){0, 0, 0, 1} : rotations[parent];
}

static void find_rotations(const sinew_model *model, sinew_pose pose, sinew_quat *out) {
  for (int i = 0; i < model->joint_count; i++)
    out[i] = quat_unit(quat_product(above(model, out, i), rotation_of(pose, i)));
}

/* Sets the local rotation that gives the joint its model-space rotation below the new one of its parent. */
static sinew_quat in_parent(const sinew_model *model, const sinew_quat *rotations, int joint, sinew_quat rotation) {
  return quat_unit(quat_product(quat_conjugate(above(model, rotations, joint)), rotation));
}

static void show(const sinew_model *model, sinew_pose pose, sinew_quat *rotations, int joint, sinew_quat local) {
  set_rotation(pose, joint, local);
  rotations[joint] = quat_unit(quat_product(above(model, rotations, joint), local));
}

/* ---- layers: translations and scales are as in local space ---- */

void model_space_layer(const scratch *s, const sinew_model *model, const sinew_layer_job *job) {
  sinew_quat *wanted = scratch_rotations(s, 0), *shown = scratch_rotations(s, 1), *below = scratch_rotations(s, 2);
  find_rotations(model, job->above, wanted);
  for (int i = 0; i < model->joint_count; i++) below[i] = rotation_of(job->below, i);
  sinew_layer(job);
  for (int i = 0; i < model->joint_count; i++) {
    float weight = fminf(fmaxf(job->weight * job->joint_weights[i], 0), 1);
    sinew_quat local = below[i];
    if (weight > 0) local = sinew_quat_slerp(local, in_parent(model, shown, i, wanted[i]), weight);
    show(model, job->output, shown, i, local);
  }
}

void model_space_additive(const scratch *s, const sinew_model *model, const sinew_additive_job *job) {
  sinew_quat *pose = scratch_rotations(s, 0), *reference = scratch_rotations(s, 1), *shown = scratch_rotations(s, 1),
             *local = scratch_rotations(s, 2), *below = scratch_rotations(s, 3);
  find_rotations(model, job->pose, pose);
  find_rotations(model, job->reference, reference);
  find_rotations(model, job->below, below);
  for (int i = 0; i < model->joint_count; i++) {
    pose[i] = quat_product(pose[i], quat_conjugate(reference[i])); /* from here on: the difference */
    local[i] = rotation_of(job->below, i);
  }
  sinew_additive(job);
  for (int i = 0; i < model->joint_count; i++) {
    float weight = job->weight * job->joint_weights[i];
    sinew_quat rotation = quat_product(quat_power(pose[i], weight), below[i]);
    show(model, job->output, shown, i, weight != 0 ? in_parent(model, shown, i, rotation) : local[i]);
  }
}
