#include "import/build/build.h"

#include "import/raw/names.h"
#include "model/dust.h"

#include <math.h>

/* The error of a transform against the matrix that it was made from, relative to the matrix's size. */
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

/* The rank of each node among those that are read, so that nodes outside the scene leave no gaps. */
static bool find_file_order(raw_model *raw, model_desc *desc) {
  int highest = 0, count = 0;
  for (int i = 0; i < raw->node_count; i++)
    if (raw->nodes[i].file_number > highest) highest = raw->nodes[i].file_number;
  int32_t *at = raw_alloc(raw, (size_t)highest + 1, sizeof *at); /* the node with each number, plus 1 */
  int32_t *order = raw_alloc(raw, (size_t)raw->node_count, sizeof *order);
  if (!at || !order) return false;
  for (int i = 0; i < raw->node_count; i++) {
    order[i] = -1;
    if (!raw->nodes[i].helper) at[raw->nodes[i].file_number] = i + 1;
  }
  for (int number = 0; number <= highest; number++)
    if (at[number]) order[at[number] - 1] = count++;
  desc->file_order = order;
  return true;
}

sinew_transform build_transform(sinew_transform t) {
  const float tolerance = 1e-5f; /* a hundredth of a millimetre in a metre */
  float *s = &t.scale.x;
  for (int i = 0; i < 3; i++)
    if (fabsf(s[i] - 1) <= tolerance) s[i] = 1;
  return (sinew_transform){vec3_without_dust(t.translation), quat_without_dust(t.rotation), t.scale};
}

bool build_skeleton(raw_model *raw, bool keep_space, model_desc *desc) {
  joint_desc *joints = raw_alloc(raw, (size_t)raw->node_count, sizeof *joints);
  uint8_t *ranks = raw_alloc(raw, (size_t)raw->node_count, sizeof *ranks);
  if (!joints || !ranks) return false;
  for (int i = 0; i < raw->node_count; i++) {
    const raw_node *node = raw->nodes + i;
    joints[i] = (joint_desc){node->helper ? NULL : node->name, node->parent, build_transform(raw_node_rest(node)),
                             node->helper, node->part};
    ranks[i] = (uint8_t)name_rank(node);
    float error = transform_error(&node->local, &joints[i].rest);
    if (error > 1e-3f && !raw_note(raw, "node '%s' is sheared, which a joint cannot express: off by %.1f %%",
                                   node->name, 100 * (double)error))
      return false;
  }
  desc->joints = joints;
  desc->ranks = ranks;
  desc->joint_count = raw->node_count;
  desc->root = sinew_transform_identity();
  if (!keep_space) desc->root = build_transform(sinew_transform_from_mat3x4(&raw->conversion));
  return !raw->numbered || find_file_order(raw, desc);
}
