#include "math/ease.h"
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
  return NULL;
}

/* An angle. */
typedef struct direction {
  float cosine, sine;
} direction;

typedef struct limb {
  sinew_vec3 a, b, c; /* upper, middle, tip */
  float upper, lower; /* lengths */
  sinew_vec3 hinge;   /* unit; the lower bone turns about it, away from the upper one's direction by `bend` */
  direction bend;
} limb;

/* Towards the point, across the direction `along` from `a`; how far across for its distance, 0..1. */
static sinew_vec3 pole_side(const sinew_two_bone_job *job, sinew_vec3 a, sinew_vec3 along, float *share) {
  sinew_vec3 way = vec3_unit(vec3_sub(job->pole, a), along), side = vec3_without(way, along);
  *share = vec3_length(side);
  return vec3_unit(side, vec3_across(along));
}

/* The normal of the bend; where the limb is straight the hinge that was given, or that of a bend towards the pole. */
static sinew_vec3 find_hinge(const sinew_two_bone_job *job, const limb *l, sinew_vec3 upper, sinew_vec3 lower) {
  sinew_vec3 normal = vec3_cross(upper, lower), given = posed_direction(&job->posed, job->middle, job->hinge);
  if (vec3_length(normal) > 1e-4f) {
    normal = vec3_unit(normal, given);
    return vec3_dot(normal, given) < 0 ? vec3_scale(normal, -1) : normal;
  }
  float share = 0;
  sinew_vec3 across = vec3_without(given, upper);
  if (vec3_length(across) < 1e-3f && job->has_pole) across = vec3_cross(pole_side(job, l->a, upper, &share), upper);
  return vec3_unit(vec3_without(across, upper), vec3_across(upper));
}

static limb find_limb(const sinew_two_bone_job *job) {
  limb l = {.a = posed_position(&job->posed, job->upper),
            .b = posed_position(&job->posed, job->middle),
            .c = posed_position(&job->posed, job->tip)};
  l.upper = vec3_distance(l.a, l.b), l.lower = vec3_distance(l.b, l.c);
  sinew_vec3 any = {1, 0, 0}, upper = vec3_unit(vec3_sub(l.b, l.a), vec3_unit(vec3_sub(l.c, l.a), any));
  sinew_vec3 lower = vec3_unit(vec3_sub(l.c, l.b), upper);
  l.hinge = find_hinge(job, &l, upper, lower);
  l.bend = (direction){vec3_dot(upper, lower), vec3_dot(vec3_cross(upper, lower), l.hinge)};
  return l;
}

/* How far the tip is to be from the upper joint: the target's distance, softly limited to its length. */
static float reachable(const limb *l, float distance, float soften) {
  float length = l->upper + l->lower, soft = length * (1 - soften), hard = length - soft;
  if (distance <= hard) return distance;
  return soft > 0 ? hard + soft * (1 - expf((hard - distance) / soft)) : length;
}

/* The law of cosines: the angle between the directions of the two bones, 0..π; folded where the distance is too little.
 */
static direction find_bend(const limb *l, float distance) {
  if (!(l->upper > 0) || !(l->lower > 0)) return l->bend;
  float cosine = (distance * distance - l->upper * l->upper - l->lower * l->lower) / (2 * l->upper * l->lower);
  cosine = fminf(fmaxf(cosine, -1), 1);
  return (direction){cosine, sqrtf((1 - cosine) * (1 + cosine))};
}

/* By how much more the limb is to bend. */
static sinew_quat bend_more(const limb *l, float distance) {
  direction to = find_bend(l, distance), from = l->bend;
  float cosine = to.cosine * from.cosine + to.sine * from.sine, sine = to.sine * from.cosine - to.cosine * from.sine;
  return sinew_quat_normalize(quat_about(l->hinge, cosine, sine));
}

/* Where the hinge is to be, about the direction to the target: as the pole says, unless that is on this line. */
static sinew_vec3 turned_hinge(const sinew_two_bone_job *job, const limb *l, sinew_vec3 before, sinew_vec3 along) {
  sinew_vec3 carried = quat_rotate(quat_between(before, along), l->hinge);
  carried = vec3_unit(vec3_without(carried, along), vec3_across(along));
  if (!job->has_pole) return carried;
  float share;
  sinew_vec3 wanted = vec3_cross(pole_side(job, l->a, along, &share), along);
  return vec3_unit(vec3_without(vec3_lerp(carried, wanted, ease_smooth(share / 0.05f)), along), carried);
}

/* Turns middle and upper joint by their whole turns, times the weight. */
static void bend_limb(const sinew_two_bone_job *job, const limb *l) {
  sinew_vec3 any = vec3_unit(vec3_sub(l->b, l->a), (sinew_vec3){1, 0, 0});
  sinew_vec3 before = vec3_unit(vec3_sub(l->c, l->a), any);
  sinew_vec3 along = vec3_unit(vec3_sub(job->target, l->a), before);
  float distance = reachable(l, vec3_distance(job->target, l->a), job->soften);
  sinew_quat bent = bend_more(l, distance);
  sinew_vec3 tip = vec3_add(vec3_sub(l->b, l->a), quat_rotate(bent, vec3_sub(l->c, l->b)));
  sinew_vec3 now = vec3_length(tip) > 1e-5f * (l->upper + l->lower) ? vec3_unit(tip, any) : any;
  sinew_quat from = quat_from_axes(now, l->hinge), to = quat_from_axes(along, turned_hinge(job, l, before, along));
  posed_turn(&job->posed, job->middle, bent, job->weight);
  posed_turn(&job->posed, job->upper, sinew_quat_multiply(to, quat_conjugate(from)), job->weight);
}

bool sinew_two_bone(const sinew_two_bone_job *job) {
  if (sinew_two_bone_check(job)) return false;
  uint64_t before = float_env_enter();
  limb l = find_limb(job);
  sinew_quat kept = {0, 0, 0, 1};
  if (job->keep_tip) kept = sinew_transform_from_mat3x4(job->posed.joints + job->tip).rotation;
  if (l.upper + l.lower > 0) bend_limb(job, &l);
  posed_update(&job->posed, job->upper);
  if (job->keep_tip) {
    sinew_quat now = sinew_transform_from_mat3x4(job->posed.joints + job->tip).rotation;
    posed_turn(&job->posed, job->tip, sinew_quat_multiply(kept, quat_conjugate(now)), 1);
    posed_update(&job->posed, job->tip);
  }
  if (job->reach_error) *job->reach_error = vec3_distance(posed_position(&job->posed, job->tip), job->target);
  float_env_leave(before);
  return true;
}
