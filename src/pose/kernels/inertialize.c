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

/* By itself a velocity v carries the offset (16 / 81) v d far: it takes so many seconds that this is no more than the
 * offset, or `room` where that is more; or it is slower. */
static void store_offset(sinew_inertia_group *output, int part, vec_lanes now, vec_lanes before, lanes rate,
                         lanes room) {
  const lanes least = lanes_set(1.0f / 60), five = lanes_set(5), tiny = lanes_set(1e-12f);
  vec_lanes v;
  for (int c = 0; c < 3; c++) v.v[c] = lanes_mul(lanes_sub(now.v[c], before.v[c]), rate);
  lanes reach = lanes_max(lanes_sqrt(dot(now, now)), room), speed = lanes_max(lanes_sqrt(dot(v, v)), tiny);
  lanes longest = lanes_min(lanes_div(lanes_mul(five, reach), speed), lanes_set(30));
  lanes slower = lanes_min(lanes_div(longest, least), lanes_set(1));
  lanes_store(output->longest[part], lanes_max(longest, least));
  for (int c = 0; c < 3; c++) {
    lanes_store(output->offset[part][c], now.v[c]);
    lanes_store(output->velocity[part][c], lanes_mul(v.v[c], slower));
  }
}

/* The new source dt before the transition is where it would have come from at its speed there. */
static void begin_rotations(const sinew_pose_group *const poses[4], lanes rate, lanes room,
                            sinew_inertia_group *output) {
  quat_lanes from = load_rotation(poses[0]), from_before = load_rotation(poses[1]);
  quat_lanes to = load_rotation(poses[2]), to_after = load_rotation(poses[3]);
  quat_lanes step = quat_lanes_multiply(quat_lanes_conjugate(to_after), to);
  quat_lanes to_before = quat_lanes_multiply(to, step);
  quat_lanes now = quat_lanes_multiply(from, quat_lanes_conjugate(to));
  now = on_the_side_of(now, now.w);
  quat_lanes before = quat_lanes_multiply(from_before, quat_lanes_conjugate(to_before));
  before = on_the_side_of(before, quat_lanes_dot(before, now));
  store_offset(output, ROTATION, to_parameters(now), to_parameters(before), rate, room);
}

typedef const float (*vectors)[SINEW_LANES];

static void begin_vectors(const vectors poses[4], lanes rate, lanes room, sinew_inertia_group *output, int part) {
  vec_lanes now, before;
  for (int c = 0; c < 3; c++) {
    lanes to = lanes_load(poses[2][c]), step = lanes_sub(lanes_load(poses[3][c]), to);
    now.v[c] = lanes_sub(lanes_load(poses[0][c]), to);
    before.v[c] = lanes_add(lanes_sub(lanes_load(poses[1][c]), to), step);
  }
  store_offset(output, part, now, before, rate, room);
}

void LANES_NAME(pose_inertialize_begin, LANES_SUFFIX)(const sinew_inertialize_begin_job *job) {
  const lanes rate = lanes_set((float)(1 / job->dt)), room = lanes_set(0.02f);
  for (int group = 0; group < sinew_pose_group_count(job->from.joint_count); group++) {
    const sinew_pose_group *p[4] = {job->from.groups + group, job->from_before.groups + group, job->to.groups + group,
                                    job->to_after.groups + group};
    sinew_inertia_group *output = job->output + group;
    lanes lever = job->levers ? lanes_load(job->levers + group * SINEW_LANES) : lanes_set(0.5f);
    begin_rotations(p, rate, lanes_div(room, lanes_mul(lanes_set(4), lanes_max(lever, lanes_set(0.1f)))), output);
    begin_vectors((const vectors[4]){p[0]->translation, p[1]->translation, p[2]->translation, p[3]->translation}, rate,
                  room, output, TRANSLATION);
    begin_vectors((const vectors[4]){p[0]->scale, p[1]->scale, p[2]->scale, p[3]->scale}, rate, room, output, SCALE);
  }
}

/* How much of the offset and of the velocity is left after `time`: the formula in the header. */
typedef struct shares {
  lanes offset, velocity;
} shares;

static shares find_shares(vec_lanes x, vec_lanes v, lanes time, lanes d) {
  const lanes zero = lanes_set(0), one = lanes_set(1), three = lanes_set(3), half = lanes_set(0.5f);
  lanes xx = dot(x, x), xv = dot(x, v);
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
  shares w = find_shares(x, v, lanes_max(time, lanes_set(0)), lanes_min(lanes_load(inertia->longest[part]), duration));
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
