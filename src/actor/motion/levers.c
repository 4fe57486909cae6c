#include "actor/motion/levers.h"

#include "base/memory/memory.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/pose_group.h"

#include <sinew/pose.h>

#include <math.h>
#include <string.h>

float *levers_find(const sinew_model *model) {
  size_t lanes = (size_t)sinew_pose_group_count(model->joint_count) * SINEW_LANES;
  float *levers = mem_alloc_array(lanes, sizeof *levers);
  sinew_mat3x4 *joints = mem_alloc_array((size_t)model->joint_count, sizeof *joints);
  if (levers && joints) {
    memset(levers, 0, lanes * sizeof *levers);
    sinew_local_to_model(&(sinew_local_to_model_job){model, model_rest_pose(model), joints, 0});
  }
  for (int i = model->joint_count - 1; levers && joints && i > 0; i--) {
    const float *a = joints[i].m, *b = joints[model->parents[i]].m;
    float bone = vec3_length((sinew_vec3){a[3] - b[3], a[7] - b[7], a[11] - b[11]});
    levers[model->parents[i]] = fmaxf(levers[model->parents[i]], bone + levers[i]);
  }
  if (!joints) {
    mem_free(levers);
    return NULL;
  }
  mem_free(joints);
  return levers;
}
