/* Poses and joints that are made only when somebody asks for them. */
#include "actor/stage.h"

static void make(const actor *a, const unmade_pose *unmade, sinew_pose pose, sinew_mat3x4 *joints) {
  sinew_evaluate(&(sinew_evaluate_job){.model = a->model,
                                       .sources = unmade->sources,
                                       .source_count = unmade->count,
                                       .threshold = unmade->threshold,
                                       .pose = pose,
                                       .joints = joints});
}

void actor_make_poses(const sinew_stage *stage, actor *a) {
  if (a->unmade.waits) make(a, &a->unmade, a->pose, stage->scratches->joints);
  if (a->unmade_before.waits) make(a, &a->unmade_before, a->before, stage->scratches->joints);
  a->unmade.waits = a->unmade_before.waits = false;
}

/* Does not make a pose as well: that would change the last bits, and a result must not depend on which other results
 * are asked for. */
const sinew_mat3x4 *actor_joints(actor *a) {
  if (a->joints_wait) make(a, &a->unmade, (sinew_pose){NULL, 0}, a->joints);
  a->joints_wait = false;
  a->joints_read = true;
  return a->joints;
}

void actor_follow(actor *a) {
  a->followed = true;
  actor_joints(a);
}
