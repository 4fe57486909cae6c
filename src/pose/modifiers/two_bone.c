#include "math/elementary.h"
#include "math/float_env.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "pose/modifiers/posed.h"

const char *sinew_two_bone_check(const sinew_two_bone_job *job) {
  const sinew_posed *posed = &job->posed;
  const char *reason = posed_check(posed, job->weight);
  if (reason) return reason;
  if (!posed_has_joint(posed, job->upper) || !posed_has_joint(posed, job->middle) || !posed_has_joint(posed, job->tip))
    return "two-bone IK: there is no such joint";
  if (!posed_is_below(posed, job->middle, job->upper) || !posed_is_below(posed, job->tip, job->middle))
    return "two-bone IK: the tip is not below the middle joint, or that not below the upper one";
  if (!vec3_is_finite(job->target)) return "two-bone IK: the target is not finite";
  if (job->has_pole && !vec3_is_finite(job->pole)) return "two-bone IK: the pole is not finite";
  if (!vec3_is_finite(job->hinge)) return "two-bone IK: the hinge is not finite";
  if (!(job->soften >= 0.5f && job->soften <= 1)) return "two-bone IK: soften is not in 0.5..1";
  if (job->stretch != 0 && !(job->stretch >= 1 && job->stretch <= 2)) return "two-bone IK: stretch is not in 1..2";
  return NULL;
}

/* An angle. */
typedef struct direction {
  float cosine, sine;
} direction;

/* From one joint to another: the vector, its direction and its length. */
typedef struct bone {
  sinew_vec3 offset, unit;
  float length;
} bone;

typedef struct limb {
  sinew_vec3 a;      /* where the upper joint is */
  bone upper, lower; /* from the upper joint to the middle one, and from there to the tip */
  sinew_vec3 hinge;  /* unit; the lower bone rotates about it, away from the upper one's direction by `bend` */
  direction bend;
} limb;

static bone find_bone(sinew_vec3 from, sinew_vec3 to, sinew_vec3 fallback) {
  sinew_vec3 offset = vec3_sub(to, from);
  float length = vec3_length(offset);
  bool usual = length > 1e-12f && isfinite(length);
  return (bone){offset, usual ? vec3_scale(offset, 1 / length) : vec3_unit(offset, fallback), length};
}

/* The direction towards the pole, orthogonal to the direction `along` from `a`; fades out, 0..1, as the pole nears that
 * line. */
static sinew_vec3 pole_side(const sinew_two_bone_job *job, sinew_vec3 a, sinew_vec3 along, float *fraction) {
  sinew_vec3 offset = vec3_unit(vec3_sub(job->pole, a), along), side = vec3_without(offset, along);
  *fraction = vec3_length(side);
  return *fraction > 1e-12f ? vec3_scale(side, 1 / *fraction) : vec3_across(along);
}

static bool is_given(sinew_vec3 hinge) { return hinge.x != 0 || hinge.y != 0 || hinge.z != 0; }

/* The normal of the bend; for a straight limb the given hinge, or that of a bend towards the pole. */
static sinew_vec3 find_hinge(const sinew_two_bone_job *job, const limb *l) {
  sinew_vec3 upper = l->upper.unit, normal = vec3_cross(upper, l->lower.unit), given = {0, 0, 0};
  if (is_given(job->hinge)) given = posed_direction(&job->posed, job->middle, job->hinge);
  float length = vec3_length(normal);
  if (length > 1e-4f) return vec3_scale(normal, (vec3_dot(normal, given) < 0 ? -1 : 1) / length);
  float fraction = 0;
  sinew_vec3 across = vec3_without(given, upper);
  if (vec3_length(across) < 1e-3f && job->has_pole) across = vec3_cross(pole_side(job, l->a, upper, &fraction), upper);
  return vec3_unit(vec3_without(across, upper), vec3_across(upper));
}

static limb find_limb(const sinew_two_bone_job *job) {
  sinew_vec3 a = posed_position(&job->posed, job->upper), b = posed_position(&job->posed, job->middle);
  sinew_vec3 c = posed_position(&job->posed, job->tip), any = {1, 0, 0};
  limb l = {.a = a, .upper = find_bone(a, b, any)};
  if (!(l.upper.length > 1e-12f)) l.upper.unit = vec3_unit(vec3_sub(c, a), any);
  l.lower = find_bone(b, c, l.upper.unit);
  l.hinge = find_hinge(job, &l);
  sinew_vec3 normal = vec3_cross(l.upper.unit, l.lower.unit);
  l.bend = (direction){vec3_dot(l.upper.unit, l.lower.unit), vec3_dot(normal, l.hinge)};
  return l;
}

/* The distance from the upper joint to the tip after the solve: the target's distance, softly limited to the limb's
 * length. */
static float reachable(const limb *l, float distance, float soften) {
  float length = l->upper.length + l->lower.length, soft = length * (1 - soften), hard = length - soft;
  if (distance <= hard) return distance;
  return soft > 0 ? hard + soft * (1 - float_exp((hard - distance) / soft)) : length;
}

/* By the law of cosines, the angle between the directions of the two bones, 0..π; fully folded if the distance is too
 * short. */
static direction find_bend(const limb *l, float distance) {
  float upper = l->upper.length, lower = l->lower.length;
  if (!(upper > 0) || !(lower > 0)) return l->bend;
  float cosine = (distance * distance - upper * upper - lower * lower) / (2 * upper * lower);
  cosine = fminf(fmaxf(cosine, -1), 1);
  return (direction){cosine, sqrtf((1 - cosine) * (1 + cosine))};
}

/* The additional bend of the limb. */
static sinew_quat bend_more(const limb *l, float distance) {
  direction to = find_bend(l, distance), from = l->bend;
  float cosine = to.cosine * from.cosine + to.sine * from.sine, sine = to.sine * from.cosine - to.cosine * from.sine;
  return quat_unit(quat_about(l->hinge, cosine, sine));
}

/* The direction of the hinge, about the direction to the target, as the pole demands, unless the pole is on this line.
 */
static sinew_vec3 turned_hinge(const sinew_two_bone_job *job, const limb *l, sinew_vec3 before, sinew_vec3 along) {
  sinew_vec3 taken = vec3_turned_between(before, along, l->hinge);
  taken = vec3_unit(vec3_without(taken, along), vec3_across(along));
  float fraction;
  sinew_vec3 wanted = vec3_cross(pole_side(job, l->a, along, &fraction), along);
  if (fraction >= 0.05f) return wanted;
  return vec3_unit(vec3_without(vec3_lerp(taken, wanted, ease_smooth(fraction / 0.05f)), along), taken);
}

/* The upper joint's rotation: it takes the tip, which the bend has moved to `tip`, to the direction of the target.
 * Without a pole it is the rest of the bend, about the hinge, followed by the shortest rotation. */
static sinew_quat find_turn(const sinew_two_bone_job *job, const limb *l, sinew_vec3 tip, sinew_vec3 before,
                            sinew_vec3 aim) {
  if (job->has_pole) return quat_between_axes(tip, l->hinge, aim, turned_hinge(job, l, before, aim));
  sinew_quat back = quat_about(l->hinge, vec3_dot(tip, before), vec3_dot(vec3_cross(tip, before), l->hinge));
  return quat_unit(quat_product(quat_between(before, aim), back));
}

/* Rotates the middle and the upper joint by their full rotations, times the weight. */
static void bend_limb(const sinew_two_bone_job *job, const limb *l) {
  sinew_vec3 c = vec3_add(l->upper.offset, l->lower.offset), any = l->upper.unit;
  sinew_vec3 before = vec3_unit(c, any);
  bone aim = find_bone(l->a, job->target, before);
  sinew_quat bent = bend_more(l, reachable(l, aim.length, job->soften));
  bone tip = find_bone((sinew_vec3){0, 0, 0}, vec3_add(l->upper.offset, quat_rotate(bent, l->lower.offset)), any);
  if (!(tip.length > 1e-5f * (l->upper.length + l->lower.length))) tip.unit = any;
  posed_rotate(&job->posed, job->middle, bent, job->weight);
  posed_rotate(&job->posed, job->upper, find_turn(job, l, tip.unit, before, aim.unit), job->weight);
}

/* Moves the joints below the upper one, down to the tip, away from those above them. */
static void lengthen(const sinew_two_bone_job *job, float times) {
  for (int joint = job->tip; joint != job->upper; joint = sinew_model_joint_parent(job->posed.model, joint)) {
    sinew_transform t = sinew_pose_joint(&job->posed.pose, joint);
    t.translation = vec3_scale(t.translation, times);
    sinew_pose_set_joint(&job->posed.pose, joint, &t);
  }
}

/* Rotated as if it were not stretched, the limb ends on the line to the target, which determines the necessary length.
 */
static void stretch_limb(const sinew_two_bone_job *job, const limb *l) {
  float distance = vec3_distance(l->a, job->target), reached = reachable(l, distance, job->soften);
  if (!(job->stretch > 1) || !(reached > 0) || !(distance > reached)) return;
  lengthen(job, 1 + job->weight * (fminf(distance / reached, job->stretch) - 1));
}

void two_bone_turn(const sinew_two_bone_job *job) {
  limb l = find_limb(job);
  if (!(l.upper.length + l.lower.length > 0)) return;
  bend_limb(job, &l);
  stretch_limb(job, &l);
}

sinew_quat two_bone_tip(const sinew_two_bone_job *job) {
  return sinew_transform_from_mat3x4(job->posed.joints + job->tip).rotation;
}

void two_bone_keep_tip(const sinew_two_bone_job *job, sinew_quat kept) {
  posed_rotate(&job->posed, job->tip, sinew_quat_multiply(kept, quat_conjugate(two_bone_tip(job))), 1);
}

bool sinew_two_bone(const sinew_two_bone_job *job) {
  if (sinew_two_bone_check(job)) return false;
  uint64_t before = float_env_enter();
  sinew_quat kept = {0, 0, 0, 1};
  if (job->keep_tip) kept = two_bone_tip(job);
  two_bone_turn(job);
  posed_update(&job->posed, job->upper);
  if (job->keep_tip) {
    two_bone_keep_tip(job, kept);
    posed_update(&job->posed, job->tip);
  }
  if (job->reach_error) *job->reach_error = vec3_distance(posed_position(&job->posed, job->tip), job->target);
  float_env_leave(before);
  return true;
}
