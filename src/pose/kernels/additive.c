#include "math/angle.h"
#include "math/lanes.h"
#include "pose/kernels/group_lanes.h"

LANES_INLINE lanes lanes_polynomial(const float *c, int count, lanes x) {
  lanes sum = lanes_set(c[count - 1]);
#pragma GCC unroll 16
  for (int i = count - 2; i >= 0; i--) sum = lanes_fma(sum, x, lanes_set(c[i]));
  return sum;
}

/* The same in two halves, neither of which waits for the other; at least four terms. */
LANES_INLINE lanes lanes_long_polynomial(const float *c, int count, lanes x) {
  int top = count - 1;
  lanes square = lanes_mul(x, x), high = lanes_set(c[top]), low = lanes_set(c[top - 1]);
#pragma GCC unroll 16
  for (int i = top - 2; i >= 0; i -= 2) {
    high = lanes_fma(high, square, lanes_set(c[i]));
    if (i > 0) low = lanes_fma(low, square, lanes_set(c[i - 1]));
  }
  return count % 2 ? lanes_fma(x, low, high) : lanes_fma(x, high, low);
}

/* θ² and θ / sin θ of angles up to a right one; t is (1 − cos θ) / 2. */
LANES_INLINE lanes lanes_squared_angle(lanes t) {
  return lanes_mul(t, lanes_long_polynomial(squared_angle_terms, SQUARED_ANGLE_TERMS, t));
}

LANES_INLINE lanes lanes_angle_to_sine(lanes t) {
  return lanes_long_polynomial(angle_to_sine_terms, ANGLE_TO_SINE_TERMS, t);
}

/* x without its multiples of π, in −π/2..π/2; for |x| up to 2^22. Adding 1.5 · 2^23 rounds to whole numbers. */
LANES_INLINE lanes lanes_within_half_turn(lanes x) {
  const lanes rounds = lanes_set(12582912.0f);
  lanes turns = lanes_sub(lanes_fma(x, lanes_set(0.318309886f), rounds), rounds);
  return lanes_fnma(turns, lanes_set(-8.74227766e-8f), lanes_fnma(turns, lanes_set(3.14159274f), x));
}

/* sin(x) / x and cos(x) of −π/2..π/2, over x². */
LANES_INLINE lanes lanes_sine_ratio(lanes square) { return lanes_polynomial(sine_terms, SINE_TERMS, square); }

LANES_INLINE lanes lanes_cosine(lanes square) { return lanes_polynomial(cosine_terms, COSINE_TERMS, square); }

/* ---- the difference of two poses ---- */

/* A scale of 0 has no ratio: nothing to add. */
LANES_COPIED lanes scale_ratio(lanes pose, lanes reference) {
  lanes size = lanes_flip(reference, lanes_sign(reference));
  return lanes_select(lanes_greater(size, lanes_set(0)), lanes_div(pose, reference), lanes_set(1));
}

LANES_COPIED lanes distance(lanes a, lanes b) {
  lanes apart = lanes_sub(a, b);
  return lanes_flip(apart, lanes_sign(apart));
}

/* Whether any of 24 numbers differs. */
LANES_COPIED bool is_apart(vec_lanes a, vec_lanes b) {
  lanes most = lanes_max(lanes_max(distance(a.x, b.x), distance(a.y, b.y)), distance(a.z, b.z));
  return lanes_any(lanes_greater(most, lanes_set(0)));
}

LANES_COPIED vec_lanes ones(void) { return (vec_lanes){lanes_set(1), lanes_set(1), lanes_set(1)}; }

LANES_COPIED vec_lanes scale_ratios(vec_lanes pose, vec_lanes reference) {
  if (!is_apart(pose, reference)) return ones();
  return (vec_lanes){scale_ratio(pose.x, reference.x), scale_ratio(pose.y, reference.y),
                     scale_ratio(pose.z, reference.z)};
}

typedef struct addend {
  const sinew_pose_group *pose, *reference; /* NULL: the pose is already a difference */
} addend;

LANES_COPIED quat_lanes added_rotation(const addend *a, int group) {
  quat_lanes q = load_rotation(a->pose + group);
  return a->reference ? quat_lanes_multiply(quat_lanes_conjugate(load_rotation(a->reference + group)), q) : q;
}

LANES_COPIED vec_lanes added_translation(const addend *a, int group) {
  vec_lanes v = load_vectors(a->pose[group].translation);
  return a->reference ? vec_lanes_sub(v, load_vectors(a->reference[group].translation)) : v;
}

LANES_COPIED vec_lanes added_ratios(const addend *a, int group) {
  vec_lanes v = load_vectors(a->pose[group].scale);
  return a->reference ? scale_ratios(v, load_vectors(a->reference[group].scale)) : v;
}

/* ---- powers ---- */

/* Weights of 0 and 1 need no power. */
LANES_COPIED bool is_whole(lanes w) {
  lanes part = lanes_mul(w, lanes_sub(lanes_set(1), w));
  return !lanes_any(lanes_greater(lanes_flip(part, lanes_sign(part)), lanes_set(0)));
}

/* For angles beyond a right angle: adding half a turn to a rotation's half angle gives the same rotation. */
LANES_APART void take_half_turns(lanes w, lanes squared_angle, lanes *square, lanes *factor) {
  const lanes zero = lanes_set(0);
  lanes angle = lanes_sqrt(lanes_max(squared_angle, zero)), reduced = lanes_within_half_turn(lanes_mul(w, angle));
  *square = lanes_mul(reduced, reduced);
  *factor = lanes_select(lanes_greater(angle, zero), lanes_div(reduced, angle), w);
}

/* (n sin a, cos a)^w is (n sin wa, cos wa); of q and −q, the one with the smaller rotation. With the ratios sin(wa) /
 * wa and a / sin a, neither the angle nor the axis is needed. */
LANES_COPIED quat_lanes power_of_rotation(quat_lanes q, lanes w) {
  const lanes half = lanes_set(0.5f), right_angle = lanes_set(2.4674011f);
  lanes side = lanes_sign(q.w), t = lanes_fnma(half, lanes_flip(q.w, side), half);
  lanes whole = lanes_squared_angle(t), square = lanes_mul(lanes_mul(w, w), whole), factor = w;
  if (lanes_any(lanes_greater(square, right_angle))) take_half_turns(w, whole, &square, &factor);
  lanes s = lanes_flip(lanes_mul(lanes_mul(factor, lanes_sine_ratio(square)), lanes_angle_to_sine(t)), side);
  return (quat_lanes){lanes_mul(q.x, s), lanes_mul(q.y, s), lanes_mul(q.z, s), lanes_cosine(square)};
}

LANES_COPIED quat_lanes whole_rotation(quat_lanes q, lanes w) {
  lanes s = lanes_flip(w, lanes_sign(q.w));
  return (quat_lanes){lanes_mul(s, q.x), lanes_mul(s, q.y), lanes_mul(s, q.z),
                      lanes_fma(s, q.w, lanes_sub(lanes_set(1), w))};
}

/* Positive ratios have powers, up to a million; a mirrored one is blended linearly. */
static float power_of_scale(float ratio, float w) {
  if (ratio == 1) return 1;
  return ratio > 0 ? (float)fmin(fmax(sinew_pow((double)ratio, (double)w), 1e-6), 1e6) : 1 + w * (ratio - 1);
}

/* One lane at a time, because scales are rarely added. */
LANES_APART vec_lanes powers_of_scales(vec_lanes ratios, lanes w) {
  float weights[SINEW_LANES], powers[3][SINEW_LANES];
  lanes_store(weights, w);
  store_vectors(powers, ratios);
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < SINEW_LANES; i++) powers[c][i] = power_of_scale(powers[c][i], weights[i]);
  return (vec_lanes){lanes_load(powers[0]), lanes_load(powers[1]), lanes_load(powers[2])};
}

/* ---- the added difference ---- */

/* Clamped so that the square of an added rotation is finite. */
LANES_COPIED lanes additive_weights(float weight, const float *joint_weights, int group) {
  lanes w = group_weights(weight, joint_weights, group), most = lanes_set(1e6f);
  return lanes_min(lanes_max(w, lanes_sub(lanes_set(0), most)), most);
}

LANES_COPIED vec_lanes add_scale(vec_lanes scale, vec_lanes ratios, lanes w) {
  if (!is_apart(ratios, ones())) return scale;
  if (is_whole(w)) return vec_lanes_multiply(scale, vec_lanes_add_scaled(ones(), w, vec_lanes_sub(ratios, ones())));
  return vec_lanes_multiply(scale, powers_of_scales(ratios, w));
}

/* below · addend^w, where `power` is the rotation's. */
LANES_COPIED void add(const sinew_pose_group *below, const addend *a, int group, quat_lanes power, lanes w,
                      sinew_pose_group *output) {
  vec_lanes translation = vec_lanes_add_scaled(load_vectors(below->translation), w, added_translation(a, group));
  vec_lanes scale = add_scale(load_vectors(below->scale), added_ratios(a, group), w);
  store_rotation(output, quat_lanes_keep_unit(quat_lanes_multiply(load_rotation(below), power)));
  store_vectors(output->translation, translation);
  store_vectors(output->scale, scale);
}

/* Each step waits long for its own results, so several groups go through a step before the next one. */
enum { TOGETHER = 8 };

LANES_COPIED int together(int first, int count) { return count - first < TOGETHER ? count - first : TOGETHER; }

/* Adds some groups, from `first` on. */
static void add_some(const sinew_additive_apply_job *job, const addend *a, int first, int count) {
  sinew_pose_group powers[TOGETHER];
  for (int i = 0; i < count; i++) {
    lanes w = additive_weights(job->weight, job->joint_weights, first + i);
    quat_lanes q = added_rotation(a, first + i);
    store_rotation(powers + i, is_whole(w) ? whole_rotation(q, w) : power_of_rotation(q, w));
  }
  for (int i = 0; i < count; i++)
    add(job->below.groups + first + i, a, first + i, load_rotation(powers + i),
        additive_weights(job->weight, job->joint_weights, first + i), job->output.groups + first + i);
}

static void add_all(const sinew_additive_apply_job *job, const sinew_pose_group *reference) {
  const addend a = {job->additive.groups, reference};
  int count = sinew_pose_group_count(job->output.joint_count);
  for (int first = 0; first < count; first += TOGETHER) add_some(job, &a, first, together(first, count));
}

void LANES_NAME(pose_additive_make, LANES_SUFFIX)(const sinew_additive_make_job *job) {
  const addend a = {job->pose.groups, job->reference.groups};
  for (int group = 0, count = sinew_pose_group_count(job->output.joint_count); group < count; group++) {
    group_lanes difference = {added_rotation(&a, group), added_translation(&a, group), added_ratios(&a, group)};
    store_group(job->output.groups + group, &difference);
  }
}

void LANES_NAME(pose_additive_apply, LANES_SUFFIX)(const sinew_additive_apply_job *job) { add_all(job, NULL); }

void LANES_NAME(pose_additive, LANES_SUFFIX)(const sinew_additive_job *job) {
  const sinew_additive_apply_job apply = {job->below, job->pose, job->weight, job->joint_weights, job->output};
  add_all(&apply, job->reference.groups);
}
