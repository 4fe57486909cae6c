/* posed – functions shared by the modifiers: positions in model space, rotations, and keeping both halves of a
 * sinew_posed consistent. */
#ifndef SINEW_POSE_POSED_H
#define SINEW_POSE_POSED_H

#include <sinew/math.h>
#include <sinew/modifier_jobs.h>
#include <sinew/pose.h>

/* NULL, or the reason why modifiers cannot work on it. */
const char *posed_check(const sinew_posed *posed, float weight);

bool posed_has_joint(const sinew_posed *posed, int joint);

/* Whether `joint` is below `above`, and not the same. Both are joints of the model. */
bool posed_is_below(const sinew_posed *posed, int joint, int above);

sinew_vec3 posed_position(const sinew_posed *posed, int joint);

/* The joint below the ankle; without one, the ankle. */
int posed_ball(const sinew_model *model, int ankle);

/* The distances from its upper joint at which a limb may end: between `near` and `far` where it is asked to, and beyond
 * them ever less, up to `nearest` and `farthest`. Those of the pose are always among them. */
typedef struct limb_reach {
  float length, nearest, near, far, farthest;
} limb_reach;
limb_reach posed_reach(const sinew_posed *posed, int upper, int middle, int tip);

/* Brings a goal that is too far nearer, the more the farther it is: the knee approaches its stop without reaching it,
 * so that it does not snap. And one that is too near farther. */
sinew_vec3 limb_within_reach(limb_reach reach, sinew_vec3 upper, sinew_vec3 goal);

/* The rise of a plane over the displacement (x, z). */
float posed_rise(sinew_vec3 normal, sinew_vec3 way);

/* The matrix of the joint's parent. */
sinew_mat3x4 posed_parent(const sinew_posed *posed, int joint);

/* Converts a direction from the joint's own space to model space, unit length; {0, 0, 0} if it has none. */
sinew_vec3 posed_direction(const sinew_posed *posed, int joint, sinew_vec3 direction);

/* Rotates the joint by `weight` of a rotation in model space. Changes only the local half; call posed_update for the
 * other. Several joints may be rotated before that, each as if those above had not been. */
void posed_rotate(const sinew_posed *posed, int joint, sinew_quat rotation, float weight);

/* Updates the model-space half, from `joint` down. */
void posed_update(const sinew_posed *posed, int joint);

/* The same for all joints of the groups first .. end − 1, if those before are up to date. */
void posed_place(const sinew_posed *posed, int first, int end);

/* ---- joint position ---- */

/* A joint in model space at a time of a clip; samples only the joints above it. The arguments have been checked. */
sinew_mat3x4 joint_position(const sinew_model *model, const sinew_clip *clip, int joint, double time);

/* ---- converts a rotation from model space to a joint's space ---- */

/* `turn`, a rotation in model space, in the space of a joint whose children it rotates: parent⁻¹ · turn · parent. Exact
 * if the parent scales evenly, mirrored or not. */
sinew_quat rotation_in_parent(const sinew_mat3x4 *parent, sinew_quat rotation);

/* Modifier jobs without their checks and last step, for callers that run several of them: they rotate the local half of
 * a sinew_posed, and leave the model-space half for the caller to update. The job has been checked, and the joints
 * above those that rotate are up to date. */

/* Rotates `upper` and the joints below it; ignores `keep_tip` and `reach_error`. */
void two_bone_turn(const sinew_two_bone_job *job);
/* For `keep_tip`: reads the tip's rotation in model space before the solve, and restores it once the joints from
 * `upper` to the tip are up to date. */
sinew_quat two_bone_tip(const sinew_two_bone_job *job);
void two_bone_keep_tip(const sinew_two_bone_job *job, sinew_quat kept);

/* Rotates the chain's first joint and those below it. */
void look_at_turn(const sinew_aim_job *job);

/* Rotates `root` and the joints below it; ignores `reach_error`. */
void fabrik_turn(const sinew_fabrik_job *job);

#endif
