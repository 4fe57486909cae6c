#include "import/build.h"

#include <math.h>

/* How far a transform is from the matrix that it was made from, as a part of the matrix's size. */
static float transform_error(const sinew_mat3x4 *matrix, const sinew_transform *transform) {
  sinew_mat3x4 again = sinew_mat3x4_from_transform(transform);
  float error = 0, size = 0;
  for (int i = 0; i < 12; i++) {
    if (i % 4 == 3) continue;
    error = fmaxf(error, fabsf(matrix->m[i] - again.m[i]));
    size = fmaxf(size, fabsf(matrix->m[i]));
  }
  return size > 0 ? error / size : 0;
}

bool build_skeleton(raw_model *raw, bool keep_space, model_desc *desc) {
  joint_desc *joints = raw_alloc(raw, (size_t)raw->node_count, sizeof *joints);
  if (!joints) return false;
  for (int i = 0; i < raw->node_count; i++) {
    const raw_node *node = raw->nodes + i;
    joints[i] = (joint_desc){node->helper ? NULL : node->name, node->parent, sinew_transform_from_mat3x4(&node->local),
                             node->helper};
    float error = transform_error(&node->local, &joints[i].rest);
    if (error > 1e-3f &&
        !raw_note(raw, "node '%s' is sheared, which a joint cannot say: off by %.1f %%", node->name, 100 * (double)error))
      return false;
  }
  desc->joints = joints;
  desc->joint_count = raw->node_count;
  desc->root = keep_space ? sinew_transform_identity() : sinew_transform_from_mat3x4(&raw->conversion);
  return true;
}
