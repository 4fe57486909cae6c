#include "pose/kernels/pose_lanes.h"

#include <math.h>

typedef struct vec_lanes {
  lanes v[3];
} vec_lanes;

enum { ROTATION, TRANSLATION, SCALE };

/* axis · tan(angle / 4): modified Rodrigues parameters (Marandi and Modi 1987). The floor keeps a joint that spins more
 * than half a turn within dt finite. */
static vec_lanes to_parameters(quat_lanes q) {
  lanes s = lanes_div(lanes_set(1), lanes_max(lanes_add(lanes_set(1), q.w), lanes_set(0.25f)));
  return (vec_lanes){{lanes_mul(q.x, s), lanes_mul(q.y, s), lanes_mul(q.z, s)}};
}

static lanes dot(vec_lanes a, vec_lanes b) {
  return lanes_fma(a.v[0], b.v[0], lanes_fma(a.v[1], b.v[1], lanes_mul(a.v[2], b.v[2])));
}

static quat_lanes from_parameters(vec_lanes p) {
  const lanes one = lanes_set(1);
  lanes square = dot(p, p), s = lanes_div(lanes_set(2), lanes_add(one, square));
  return (quat_lanes){lanes_mul(p.v[0], s), lanes_mul(p.v[1], s), lanes_mul(p.v[2], s), lanes_sub(s, one)};
}

static quat_lanes on_the_side_of(quat_lanes q, lanes dot_with_side) {
  return quat_lanes_scale(q, lanes_flip(lanes_set(1), lanes_sign(dot_with_side)));
}

static void store_offset(sinew_inertia_group *output, int part, int c, lanes now, lanes before, lanes rate) {
  lanes_store(output->offset[part][c], now);
  lanes_store(output->velocity[part][c], lanes_mul(lanes_sub(now, before), rate));
}

/* The new source dt before the transition is where it would have come from at its speed there. */
static void begin_rotations(const sinew_pose_group *const poses[4], lanes rate, sinew_inertia_group *output) {
  quat_lanes from = load_rotation(poses[0]), from_before = load_rotation(poses[1]);
  quat_lanes to = load_rotation(poses[2]), to_after = load_rotation(poses[3]);
  quat_lanes step = quat_lanes_multiply(quat_lanes_conjugate(to_after), to);
  quat_lanes to_before = quat_lanes_multiply(to, step);
  quat_lanes now = quat_lanes_multiply(from, quat_lanes_conjugate(to));
  now = on_the_side_of(now, now.w);
  quat_lanes before = quat_lanes_multiply(from_before, quat_lanes_conjugate(to_before));
  before = on_the_side_of(before, quat_lanes_dot(before, now));
  vec_lanes offset = to_parameters(now), offset_before = to_parameters(before);
  for (int c = 0; c < 3; c++) store_offset(output, ROTATION, c, offset.v[c], offset_before.v[c], rate);
}

static void begin_vector(const float *from, const float *from_before, const float *to, const float *to_after,
                         lanes rate, sinew_inertia_group *output, int part, int c) {
  lanes now = lanes_sub(lanes_load(from), lanes_load(to));
  lanes step = lanes_sub(lanes_load(to_after), lanes_load(to));
  lanes before = lanes_add(lanes_sub(lanes_load(from_before), lanes_load(to)), step);
  store_offset(output, part, c, now, before, rate);
}

void LANES_NAME(pose_inertialize_begin, LANES_SUFFIX)(const sinew_inertialize_begin_job *job) {
  lanes rate = lanes_set((float)(1 / job->dt));
  for (int group = 0; group < sinew_pose_group_count(job->from.joint_count); group++) {
    const sinew_pose_group *p[4] = {job->from.groups + group, job->from_before.groups + group, job->to.groups + group,
                                    job->to_after.groups + group};
    sinew_inertia_group *output = job->output + group;
    begin_rotations(p, rate, output);
    for (int c = 0; c < 3; c++) {
      begin_vector(p[0]->translation[c], p[1]->translation[c], p[2]->translation[c], p[3]->translation[c], rate, output,
                   TRANSLATION, c);
      begin_vector(p[0]->scale[c], p[1]->scale[c], p[2]->scale[c], p[3]->scale[c], rate, output, SCALE, c);
    }
  }
}

/* How much of the offset and of the velocity is left after `time`: the formula in the header. */
typedef struct shares {
  lanes offset, velocity;
} shares;

static shares find_shares(vec_lanes x, vec_lanes v, lanes time, lanes duration) {
  const lanes zero = lanes_set(0), one = lanes_set(1), three = lanes_set(3), half = lanes_set(0.5f);
  lanes xx = dot(x, x), xv = dot(x, v), inward = lanes_greater(zero, xv);
  lanes soon = lanes_div(lanes_mul(lanes_set(5), xx), lanes_sub(zero, xv));
  soon = lanes_min(lanes_max(soon, lanes_mul(lanes_set(0.25f), duration)), duration);
  lanes d = lanes_select(inward, soon, duration);
  lanes speed = lanes_div(lanes_mul(xv, d), lanes_max(xx, lanes_set(1e-30f)));
  lanes bend = lanes_min(lanes_max(lanes_fnma(lanes_set(8), speed, lanes_set(-20)), zero), lanes_set(20));
  lanes s = lanes_min(lanes_div(time, d), one), left = lanes_sub(one, s);
  lanes cube = lanes_mul(left, lanes_mul(left, left)), slope = lanes_fma(three, s, one);
  lanes curve = lanes_fma(lanes_mul(lanes_set(6), s), s, slope);
  curve = lanes_fma(lanes_mul(half, bend), lanes_mul(s, s), curve);
  return (shares){lanes_mul(cube, curve), lanes_mul(lanes_mul(d, s), lanes_mul(cube, slope))};
}

static vec_lanes find_offset(const sinew_inertia_group *inertia, int part, lanes time, lanes duration) {
  vec_lanes x, v;
  for (int c = 0; c < 3; c++) {
    x.v[c] = lanes_load(inertia->offset[part][c]);
    v.v[c] = lanes_load(inertia->velocity[part][c]);
  }
  shares w = find_shares(x, v, lanes_max(time, lanes_set(0)), duration);
  w.velocity = lanes_add(w.velocity, lanes_min(time, lanes_set(0)));
  for (int c = 0; c < 3; c++) x.v[c] = lanes_fma(w.velocity, v.v[c], lanes_mul(w.offset, x.v[c]));
  return x;
}

static void add_vectors(vec_lanes offset, const float (*source)[SINEW_LANES], float (*output)[SINEW_LANES]) {
  for (int c = 0; c < 3; c++) lanes_store(output[c], lanes_add(lanes_load(source[c]), offset.v[c]));
}

void LANES_NAME(pose_inertialize, LANES_SUFFIX)(const sinew_inertialize_job *job) {
  const double longest = fmin(job->duration, 1e9), at = fmin(fmax(job->time, -longest), longest);
  lanes time = lanes_set((float)at), duration = lanes_set((float)longest);
  for (int group = 0; group < sinew_pose_group_count(job->output.joint_count); group++) {
    const sinew_inertia_group *inertia = job->inertia + group;
    const sinew_pose_group *source = job->source.groups + group;
    sinew_pose_group *output = job->output.groups + group;
    quat_lanes offset = from_parameters(find_offset(inertia, ROTATION, time, duration));
    store_rotation(output, quat_lanes_normalize(quat_lanes_multiply(offset, load_rotation(source))));
    add_vectors(find_offset(inertia, TRANSLATION, time, duration), source->translation, output->translation);
    add_vectors(find_offset(inertia, SCALE, time, duration), source->scale, output->scale);
  }
}
