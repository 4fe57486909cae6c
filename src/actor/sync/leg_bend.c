#include "actor/sync/leg_bend.h"

#include "math/elementary.h"
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

/* `slack`: how much earlier than usual a leg falls short, 0..1. */
static sinew_vec3 within_reach(const leg *l, const sinew_posed *posed, sinew_vec3 ankle, float slack) {
  static const float slack_soft = 0.94f, slack_most = 0.98f;
  limb_reach reach = posed_reach(posed, l->thigh, l->shin, l->foot);
  reach.far += slack * (slack_soft * reach.length - reach.far);
  reach.farthest += slack * (slack_most * reach.length - reach.farthest);
  return limb_within_reach(reach, posed_position(posed, l->thigh), ankle);
}

/* How much a leg is bent: twice the sine of half its angle, which a small distance changes little where it is straight.
 */
static float bend_of(float cosine) { return sqrtf(fmaxf(2 - 2 * cosine, 0)); }

/* The plane of a leg that is nearly straight may be any: a recorded knee, or one between two motions, is a little to
 * the side. A leg that bends more bends where the knee points, beside what it is bent already; the foot keeps its
 * rotation.
 */
static void face_knee(const leg *l, const sinew_posed *posed, sinew_vec3 ankle, float weight) {
  sinew_vec3 thigh = posed_position(posed, l->thigh), shin = posed_position(posed, l->shin), zero = {0, 0, 0};
  sinew_vec3 a = vec3_sub(shin, thigh), b = vec3_sub(posed_position(posed, l->foot), shin);
  sinew_vec3 upper = vec3_unit(a, zero), lower = vec3_unit(b, zero), normal = vec3_cross(upper, lower);
  sinew_vec3 given = vec3_unit(vec3_without(posed_direction(posed, l->shin, l->hinge), upper), zero);
  float lengths = 2 * vec3_length(a) * vec3_length(b), cosine = vec3_dot(upper, lower), along = vec3_dot(normal, given);
  if (!(lengths > 0)) return;
  float square = vec3_dot(vec3_sub(ankle, thigh), vec3_sub(ankle, thigh)), sine = vec3_length(normal);
  float wanted = fminf(fmaxf((square - vec3_dot(a, a) - vec3_dot(b, b)) / lengths, -1), 1);
  float now = bend_of(cosine), scale = sine > 0 ? now / sine : 0, more = fmaxf(bend_of(wanted) - now, 0);
  sinew_vec3 aside = vec3_scale(vec3_without(normal, given), scale);
  sinew_vec3 hinge = vec3_unit(vec3_add_scaled(aside, scale * fabsf(along) + more, given), given);
  sinew_vec3 faced = vec3_add_scaled(vec3_scale(upper, cosine), vec3_dot(normal, hinge), vec3_cross(hinge, upper));
  sinew_quat foot = sinew_transform_from_mat3x4(posed->joints + l->foot).rotation;
  posed_rotate(posed, l->shin, quat_between(lower, vec3_unit(faced, lower)), weight);
  posed_update(posed, l->shin);
  sinew_quat turned = sinew_transform_from_mat3x4(posed->joints + l->foot).rotation;
  posed_rotate(posed, l->foot, sinew_quat_multiply(foot, quat_conjugate(turned)), 1);
  posed_update(posed, l->foot);
}

static void bend(const leg *l, const sinew_posed *posed, sinew_vec3 ball, float weight, float slack) {
  sinew_vec3 offset = vec3_sub(ball, posed_position(posed, l->toes));
  sinew_vec3 ankle = within_reach(l, posed, vec3_add(posed_position(posed, l->foot), offset), slack);
  face_knee(l, posed, ankle, weight);
  sinew_two_bone_job job = {.posed = *posed,
                            .upper = l->thigh,
                            .middle = l->shin,
                            .tip = l->foot,
                            .target = ankle,
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
