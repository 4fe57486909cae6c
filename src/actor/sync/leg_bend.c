#include "actor/sync/leg_bend.h"

#include "math/quat.h"
#include "math/vec3.h"
#include "model/model.h"
#include "pose/modifiers/posed.h"

#include <math.h>

sinew_mat3x4 leg_joint_in(const sinew_model *model, sinew_pose pose, int joint) {
  sinew_mat3x4 position = sinew_mat3x4_identity();
  for (; joint >= 0; joint = model->parents[joint]) {
    sinew_transform local = sinew_pose_joint(&pose, joint);
    sinew_mat3x4 m = sinew_mat3x4_from_transform(&local);
    position = sinew_mat3x4_multiply(&m, &position);
  }
  return position;
}

/* Brings a goal that is too far nearer, the more the farther it is: the knee approaches its stop without reaching it,
 * so that it does not snap. `slack`: how much earlier this begins, 0..1. */
static sinew_vec3 within_reach(const leg *l, const sinew_posed *posed, sinew_vec3 ankle, float slack) {
  static const float soft = 0.985f, most = 0.999f, slack_soft = 0.94f, slack_most = 0.98f;
  sinew_vec3 thigh = posed_position(posed, l->thigh), shin = posed_position(posed, l->shin),
             foot = posed_position(posed, l->foot);
  float length = vec3_distance(thigh, shin) + vec3_distance(shin, foot), wanted = vec3_distance(thigh, ankle);
  float near = fmaxf(soft * length, vec3_distance(thigh, foot)), far = fmaxf(most * length, near);
  near += slack * (slack_soft * length - near), far += slack * (slack_most * length - far);
  if (!(wanted > near)) return ankle;
  float room = far - near, reached = room > 0 ? near + room * (1 - expf((near - wanted) / room)) : near;
  return vec3_add_scaled(thigh, reached / wanted, vec3_sub(ankle, thigh));
}

static void bend(const leg *l, const sinew_posed *posed, sinew_vec3 ball, float weight, float slack) {
  sinew_vec3 offset = vec3_sub(ball, posed_position(posed, l->toes));
  sinew_vec3 ankle = vec3_add(posed_position(posed, l->foot), offset);
  sinew_two_bone_job job = {.posed = *posed,
                            .upper = l->thigh,
                            .middle = l->shin,
                            .tip = l->foot,
                            .target = within_reach(l, posed, ankle, slack),
                            .hinge = l->hinge,
                            .soften = 1,
                            .keep_tip = true,
                            .weight = weight};
  sinew_two_bone(&job);
}

void leg_bend(const leg *l, const sinew_posed *posed, sinew_vec3 ball, float weight) {
  bend(l, posed, ball, weight, 0);
}

void leg_bring(const leg *l, const sinew_posed *posed, sinew_transform goal, float slack) {
  sinew_quat now = sinew_transform_from_mat3x4(posed->joints + l->foot).rotation;
  posed_rotate(posed, l->foot, sinew_quat_multiply(goal.rotation, quat_conjugate(now)), 1);
  posed_update(posed, l->foot);
  bend(l, posed, goal.translation, 1, slack);
}
