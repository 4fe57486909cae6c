#include "pose/kernels/pose_lanes.h"

static lanes lerp(lanes a, lanes b, lanes w) { return lanes_fma(w, lanes_sub(b, a), a); }

void LANES_NAME(pose_layer, LANES_SUFFIX)(const sinew_layer_job *job) {
  const lanes zero = lanes_set(0), one = lanes_set(1);
  for (int group = 0, count = sinew_pose_group_count(job->output.joint_count); group < count; group++) {
    const sinew_pose_group *below = job->below.groups + group, *above = job->above.groups + group;
    sinew_pose_group *output = job->output.groups + group;
    lanes w = lanes_min(lanes_max(group_weights(job->weight, job->joint_weights, group), zero), one);
    quat_lanes a = load_rotation(below), b = load_rotation(above);
    quat_lanes reference = job->model ? side_reference(a, load_rotation(job->model->rest + group)) : a;
    lanes side = lanes_sign(quat_lanes_dot(b, reference));
    quat_lanes q = quat_lanes_add_scaled(quat_lanes_scale(a, lanes_sub(one, w)), lanes_flip(w, side), b);
    store_rotation(output, quat_lanes_normalize(q));
    for (int c = 0; c < 3; c++) {
      lanes_store(output->translation[c],
                  lerp(lanes_load(below->translation[c]), lanes_load(above->translation[c]), w));
      lanes_store(output->scale[c], lerp(lanes_load(below->scale[c]), lanes_load(above->scale[c]), w));
    }
  }
}
