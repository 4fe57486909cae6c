#include "pose/kernels/group_lanes.h"

#include <math.h>

enum { ROTATION, TRANSLATION, SCALE };

/* axis · tan(angle / 4): modified Rodrigues parameters (Marandi and Modi 1987). The floor keeps a joint that spins more
 * than half a turn within dt finite. */
LANES_COPIED vec_lanes to_parameters(quat_lanes q) {
  lanes s = lanes_div(lanes_set(1), lanes_max(lanes_add(lanes_set(1), q.w), lanes_set(0.25f)));
  return (vec_lanes){lanes_mul(q.x, s), lanes_mul(q.y, s), lanes_mul(q.z, s)};
}

LANES_COPIED lanes dot(vec_lanes a, vec_lanes b) {
  return lanes_fma(a.x, b.x, lanes_fma(a.y, b.y, lanes_mul(a.z, b.z)));
}

LANES_COPIED quat_lanes from_parameters(vec_lanes p) {
  const lanes one = lanes_set(1);
  lanes square = dot(p, p), s = lanes_div(lanes_set(2), lanes_add(one, square));
  return (quat_lanes){lanes_mul(p.x, s), lanes_mul(p.y, s), lanes_mul(p.z, s), lanes_sub(s, one)};
}

LANES_COPIED quat_lanes on_the_side_of(quat_lanes q, lanes dot_with_side) {
  return quat_lanes_scale(q, lanes_flip(lanes_set(1), lanes_sign(dot_with_side)));
}

/* Finds the time e in which the velocity stops. Until then, a velocity v carries the offset v e / 5 far: that must be
 * at most the offset or `room`, whichever is larger; if e would be too short, the velocity is reduced. */
LANES_COPIED void store_offset(sinew_inertia_group *output, int part, vec_lanes now, vec_lanes before, lanes rate,
                               lanes room) {
  const lanes least = lanes_set(1.0f / 60), five = lanes_set(5), tiny = lanes_set(1e-12f);
  vec_lanes v = {lanes_mul(lanes_sub(now.x, before.x), rate), lanes_mul(lanes_sub(now.y, before.y), rate),
                 lanes_mul(lanes_sub(now.z, before.z), rate)};
  lanes reach = lanes_max(lanes_sqrt(dot(now, now)), room), speed = lanes_max(lanes_sqrt(dot(v, v)), tiny);
  lanes stop = lanes_min(lanes_div(lanes_mul(five, reach), speed), lanes_set(30));
  lanes slower = lanes_min(lanes_div(stop, least), lanes_set(1));
  lanes_store(output->stop[part], lanes_max(stop, least));
  store_vectors(output->offset[part], now);
  store_vectors(output->velocity[part], vec_lanes_scale(v, slower));
}

/* The new source dt before the transition is extrapolated by its velocity there. */
LANES_COPIED void begin_rotations(const sinew_pose_group *const poses[4], lanes rate, lanes room,
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

LANES_COPIED void begin_vectors(const vectors poses[4], lanes rate, lanes room, sinew_inertia_group *output, int part) {
  vec_lanes from = load_vectors(poses[0]), from_before = load_vectors(poses[1]), to = load_vectors(poses[2]);
  vec_lanes now = vec_lanes_sub(from, to), step = vec_lanes_sub(load_vectors(poses[3]), to);
  vec_lanes before = vec_lanes_add(vec_lanes_sub(from_before, to), step);
  store_offset(output, part, now, before, rate, room);
}

void LANES_NAME(pose_inertialize_begin, LANES_SUFFIX)(const sinew_inertialize_begin_job *job) {
  const float unit = job->unit > 0 ? job->unit : 1;
  const lanes rate = lanes_set((float)(1 / job->dt)), room = lanes_set(0.02f * unit), least = lanes_set(0.1f * unit);
  for (int group = 0, count = sinew_pose_group_count(job->from.joint_count); group < count; group++) {
    const sinew_pose_group *p[4] = {job->from.groups + group, job->from_before.groups + group, job->to.groups + group,
                                    job->to_after.groups + group};
    sinew_inertia_group *output = job->output + group;
    lanes lever = job->levers ? lanes_load(job->levers + group * SINEW_LANES) : lanes_set(0.5f * unit);
    begin_rotations(p, rate, lanes_div(room, lanes_mul(lanes_set(4), lanes_max(lever, least))), output);
    begin_vectors((const vectors[4]){p[0]->translation, p[1]->translation, p[2]->translation, p[3]->translation}, rate,
                  room, output, TRANSLATION);
    begin_vectors((const vectors[4]){p[0]->scale, p[1]->scale, p[2]->scale, p[3]->scale}, rate, lanes_set(0.02f),
                  output, SCALE);
  }
}

typedef struct moment {
  lanes time, duration;
} moment;

/* The remaining fractions of the offset and of the velocity, by the formula in the header. `stop`: seconds until the
 * velocity is zero. */
typedef struct remains {
  lanes offset, velocity;
} remains;

LANES_COPIED remains find_remains(moment at, lanes stop) {
  const lanes zero = lanes_set(0), one = lanes_set(1), three = lanes_set(3);
  lanes time = lanes_max(at.time, zero), s = lanes_min(lanes_div(time, at.duration), one), left = lanes_sub(one, s);
  lanes curve = lanes_fma(lanes_mul(lanes_set(6), s), s, lanes_fma(three, s, one));
  lanes offset = lanes_mul(lanes_mul(left, lanes_mul(left, left)), curve);
  lanes rest = lanes_sub(one, lanes_min(lanes_div(time, stop), one)), square = lanes_mul(rest, rest);
  lanes stopping = lanes_mul(lanes_mul(square, square), rest);
  lanes velocity = lanes_mul(lanes_mul(lanes_set(0.2f), stop), lanes_sub(offset, stopping));
  return (remains){offset, lanes_add(velocity, lanes_min(at.time, zero))};
}

LANES_COPIED vec_lanes find_offset(vec_lanes x, vec_lanes v, moment at, lanes stop) {
  remains w = find_remains(at, lanes_min(stop, at.duration));
  return (vec_lanes){lanes_fma(w.velocity, v.x, lanes_mul(w.offset, x.x)),
                     lanes_fma(w.velocity, v.y, lanes_mul(w.offset, x.y)),
                     lanes_fma(w.velocity, v.z, lanes_mul(w.offset, x.z))};
}

/* Most joints only rotate, so there is no offset. */
LANES_COPIED void add_vectors(const sinew_inertia_group *inertia, int part, moment at,
                              const float (*source)[SINEW_LANES], float (*output)[SINEW_LANES]) {
  vec_lanes x = load_vectors(inertia->offset[part]), v = load_vectors(inertia->velocity[part]);
  vec_lanes sum = load_vectors(source);
  if (lanes_any(lanes_greater(lanes_add(dot(x, x), dot(v, v)), lanes_set(0))))
    sum = vec_lanes_add(sum, find_offset(x, v, at, lanes_load(inertia->stop[part])));
  store_vectors(output, sum);
}

LANES_COPIED void add_rotations(const sinew_inertia_group *inertia, moment at, const sinew_pose_group *source,
                                sinew_pose_group *output) {
  vec_lanes x = load_vectors(inertia->offset[ROTATION]), v = load_vectors(inertia->velocity[ROTATION]);
  quat_lanes offset = from_parameters(find_offset(x, v, at, lanes_load(inertia->stop[ROTATION])));
  store_rotation(output, quat_lanes_keep_unit(quat_lanes_multiply(offset, load_rotation(source))));
}

void LANES_NAME(pose_inertialize, LANES_SUFFIX)(const sinew_inertialize_job *job) {
  const double longest = fmin(job->duration, 1e9), now = fmin(fmax(job->time, -longest), longest);
  const moment at = {lanes_set((float)now), lanes_set((float)longest)};
  for (int group = 0, count = sinew_pose_group_count(job->output.joint_count); group < count; group++) {
    const sinew_inertia_group *inertia = job->inertia + group;
    const sinew_pose_group *source = job->source.groups + group;
    sinew_pose_group *output = job->output.groups + group;
    add_rotations(inertia, at, source, output);
    add_vectors(inertia, TRANSLATION, at, source->translation, output->translation);
    add_vectors(inertia, SCALE, at, source->scale, output->scale);
  }
}
