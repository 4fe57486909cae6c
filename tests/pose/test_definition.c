/* Blend, layer, additive and inertial poses against their definitions in double precision, one joint at a time: of 1 to
 * 17 joints, which is every remainder of a group, and of 1,000; on every backend. */
#include "support/backends.h"

typedef struct joint {
  double r[4], t[3], s[3];
} joint;

static joint joint_of(const sinew_pose_group *groups, int index) {
  const sinew_pose_group *g = groups + index / SINEW_LANES;
  int lane = index % SINEW_LANES;
  joint j;
  for (int c = 0; c < 4; c++) j.r[c] = g->rotation[c][lane];
  for (int c = 0; c < 3; c++) j.t[c] = g->translation[c][lane], j.s[c] = g->scale[c][lane];
  return j;
}

static double dot4(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]; }

static void make_unit(double *q) {
  double length = sqrt(dot4(q, q));
  for (int c = 0; c < 4; c++) q[c] /= length;
}

static void multiply(const double *a, const double *b, double *out) {
  double product[4] = {
      a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
      a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
  memcpy(out, product, sizeof product);
}

/* out = a⁻¹ */
static void invert(const double *a, double *out) {
  for (int c = 0; c < 4; c++) out[c] = c < 3 ? -a[c] : a[c];
}

/* Rotations of either sign, `loose` times less sure than the rest. */
static void expect_joint(sinew_pose pose, int index, const joint *want, double tolerance, double loose) {
  joint got = joint_of(pose.groups, index);
  double side = dot4(got.r, want->r) < 0 ? -1 : 1;
  for (int c = 0; c < 4; c++) assert_near(got.r[c], side * want->r[c], tolerance * loose);
  for (int c = 0; c < 3; c++) {
    assert_near(got.t[c], want->t[c], tolerance * fmax(1, fabs(want->t[c])));
    assert_near(got.s[c], want->s[c], tolerance * fmax(1, fabs(want->s[c])));
  }
}

static int padded(int joints) { return sinew_pose_group_count(joints) * SINEW_LANES; }

/* A joint's own weight as the header defines it. */
static double own_weight(const float *joint_weights, int index) {
  if (!joint_weights) return 1;
  float w = joint_weights[index];
  return w > 0 ? fmin(w, 1) : 0;
}

static void fill_joint_weights(float *weights, int joints) {
  static const float special[] = {0, 1, -1, 2, NAN, INFINITY, -INFINITY, 3e38f};
  for (int i = 0; i < padded(joints); i++)
    weights[i] = random_bits() % 2 ? random_range(0, 1) : special[random_bits() % 8];
}

static void on_all_sizes(void (*check)(int joints)) {
  for (int joints = 1; joints <= 17; joints++) check(joints);
  check(1000);
}

/* ---- blend ---- */

enum { MOST_SOURCES = 7 };

/* On which side of `a` it joins: across the rest pose, or the shorter way where that is far. */
static double side_of(const double *a, const double *b, const double *rest) {
  return dot4(a, b) + 2 * dot4(a, rest) * dot4(b, rest) < 0 ? -1 : 1;
}

/* Gives how short the sum of rotations was: what rounding does to it grows as much. */
static double blend_joint(const sinew_blend_job *job, int index, joint *out) {
  double total = 0, heaviest = 0;
  joint rest = joint_of(job->rest.groups, index), reference = rest;
  for (int i = 0; i < job->source_count; i++) {
    double w = job->sources[i].weight * own_weight(job->sources[i].joint_weights, index);
    if (w > heaviest) heaviest = w, reference = joint_of(job->sources[i].pose, index);
    total += w;
  }
  double missing = fmax((double)job->threshold - total, 0), whole = total + missing;
  memset(out, 0, sizeof *out);
  for (int i = 0; i <= job->source_count; i++) {
    const sinew_blend_source *source = i < job->source_count ? job->sources + i : NULL;
    joint j = source ? joint_of(source->pose, index) : rest;
    double w = (source ? source->weight * own_weight(source->joint_weights, index) : missing) / whole;
    double side = w * side_of(reference.r, j.r, rest.r);
    for (int c = 0; c < 4; c++) out->r[c] += side * j.r[c];
    for (int c = 0; c < 3; c++) out->t[c] += w * j.t[c], out->s[c] += w * j.s[c];
  }
  double length = sqrt(dot4(out->r, out->r));
  make_unit(out->r);
  return length;
}

static void check_blend(int joints) {
  static const float weights[] = {0, 1, 0.3f, 1e-3f, 7, 0.02f}, sizes[] = {1, 1, 1, 3e37f, 1e-37f, 1e15f};
  sinew_pose rest = random_pose(joints, true), out = random_pose(joints, true), poses[MOST_SOURCES];
  float *own[MOST_SOURCES];
  for (int i = 0; i < MOST_SOURCES; i++) {
    poses[i] = random_pose(joints, true);
    own[i] = calloc((size_t)padded(joints), sizeof(float));
    fill_joint_weights(own[i], joints);
  }
  for (int round = 0; round < 60; round++) {
    sinew_blend_source sources[MOST_SOURCES];
    float size = sizes[random_bits() % 6];
    int masks = (int)(random_bits() % 3); /* none, some, all */
    for (int i = 0; i < MOST_SOURCES; i++)
      sources[i] = (sinew_blend_source){poses[i].groups, size * weights[random_bits() % 6],
                                        (int)(random_bits() % 2) < masks ? own[i] : NULL};
    sinew_blend_job job = {sources, round % (MOST_SOURCES + 1), rest, 0.1f * size, out};
    assert_true(sinew_blend(&job));
    for (int j = 0; j < joints; j++) {
      joint want;
      double length = blend_joint(&job, j, &want);
      expect_joint(out, j, &want, 2e-6, fmax(1, 1 / length));
    }
  }
  for (int i = 0; i < MOST_SOURCES; i++) free(poses[i].groups), free(own[i]);
  free(rest.groups), free(out.groups);
}

static void check_blends(void) { on_all_sizes(check_blend); }

static void blending_follows_the_definition(void **state) {
  (void)state;
  on_every_backend(check_blends);
}

/* ---- layer ---- */

static void check_layer(int joints) {
  static const float weights[] = {0, 1, 0.3f, 0.9f, -2, 5, 3e38f};
  sinew_pose below = random_pose(joints, true), above = random_pose(joints, true), out = copy_pose(below);
  sinew_model *model = joints > 1 ? random_model(joints - 1, SHAPE_RANDOM, 4, true) : NULL;
  float *own = calloc((size_t)padded(joints), sizeof *own);
  fill_joint_weights(own, joints);
  for (int round = 0; round < 14; round++) {
    const float *mask = round % 2 ? own : NULL;
    float weight = weights[round / 2];
    const sinew_model *of = round % 4 < 2 ? model : NULL;
    assert_true(sinew_layer(&(sinew_layer_job){below, above, weight, mask, out, of}));
    for (int i = 0; i < joints; i++) {
      joint a = joint_of(below.groups, i), b = joint_of(above.groups, i), want;
      sinew_quat r = of ? sinew_model_joint_rest(of, i).rotation : (sinew_quat){0, 0, 0, 0};
      double w = fmin(fmax(weight * own_weight(mask, i), 0), 1);
      double side = side_of(a.r, b.r, (double[]){(double)r.x, (double)r.y, (double)r.z, (double)r.w});
      for (int c = 0; c < 4; c++) want.r[c] = (1 - w) * a.r[c] + side * w * b.r[c];
      for (int c = 0; c < 3; c++)
        want.t[c] = a.t[c] + w * (b.t[c] - a.t[c]), want.s[c] = a.s[c] + w * (b.s[c] - a.s[c]);
      make_unit(want.r);
      expect_joint(out, i, &want, 1e-6, 2);
    }
  }
  free(below.groups), free(above.groups), free(out.groups), free(own);
  sinew_model_release(model);
}

static void check_layers(void) { on_all_sizes(check_layer); }

static void a_layer_follows_the_definition(void **state) {
  (void)state;
  on_every_backend(check_layers);
}

/* ---- additive ---- */

static joint difference_of(const joint *pose, const joint *reference) {
  joint d;
  double back[4];
  invert(reference->r, back);
  multiply(back, pose->r, d.r);
  for (int c = 0; c < 3; c++) d.t[c] = pose->t[c] - reference->t[c], d.s[c] = pose->s[c] / reference->s[c];
  return d;
}

/* below · the power of the difference, the shorter way: its axis stays, its angle is w times as far. */
static joint add(const joint *below, const joint *d, double w) {
  joint out;
  double side = d->r[3] < 0 ? -1 : 1, part[4];
  double sine = sqrt(d->r[0] * d->r[0] + d->r[1] * d->r[1] + d->r[2] * d->r[2]), half = atan2(sine, side * d->r[3]);
  for (int c = 0; c < 3; c++) part[c] = sine > 0 ? side * d->r[c] / sine * sin(w * half) : 0;
  part[3] = cos(w * half);
  multiply(below->r, part, out.r);
  for (int c = 0; c < 3; c++) {
    out.t[c] = below->t[c] + w * d->t[c];
    out.s[c] = below->s[c] * pow(d->s[c], w);
  }
  return out;
}

static void expect_finite(sinew_pose pose, int i) {
  joint is = joint_of(pose.groups, i);
  for (int c = 0; c < 4; c++) assert_true(isfinite(is.r[c]));
  for (int c = 0; c < 3; c++) assert_true(isfinite(is.t[c]) && isfinite(is.s[c]));
}

static void check_additive(int joints) {
  static const float weights[] = {0, 1, 0.3f, -1, 2.5f, 3e38f, -3e38f};
  sinew_pose below = random_pose(joints, true), pose = random_pose(joints, true), reference = random_pose(joints, true);
  sinew_pose made = copy_pose(pose), applied = copy_pose(pose), both = copy_pose(pose);
  float *own = calloc((size_t)padded(joints), sizeof *own);
  fill_joint_weights(own, joints);
  assert_true(sinew_additive_make(&(sinew_additive_make_job){pose, reference, made}));
  for (int round = 0; round < 14; round++) {
    const float *mask = round % 2 ? own : NULL;
    float weight = weights[round / 2];
    assert_true(sinew_additive_apply(&(sinew_additive_apply_job){below, made, weight, mask, applied}));
    assert_true(sinew_additive(&(sinew_additive_job){below, pose, reference, weight, mask, both}));
    for (int i = 0; i < joints; i++) {
      joint b = joint_of(below.groups, i), p = joint_of(pose.groups, i), r = joint_of(reference.groups, i);
      joint d = difference_of(&p, &r);
      double w = fmin(fmax(weight, -1e6), 1e6) * own_weight(mask, i);
      joint want = add(&b, &d, w);
      expect_joint(made, i, &d, 1e-6, 1);
      if (fabs(w) > 10) { /* an angle in floats has no digits left for where it ends */
        expect_finite(applied, i);
        continue;
      }
      double size = fmax(1, fabs(w)); /* of what is rounded, but not in rotations */
      for (int c = 0; c < 3; c++) size = fmax(size, fabs(want.s[c]));
      expect_joint(applied, i, &want, 4e-6 * size, 4 / size);
      expect_joint(both, i, &want, 4e-6 * size, 4 / size);
    }
  }
  free(below.groups), free(pose.groups), free(reference.groups);
  free(made.groups), free(applied.groups), free(both.groups), free(own);
}

static void check_additives(void) { on_all_sizes(check_additive); }

static void additive_poses_follow_the_definition(void **state) {
  (void)state;
  on_every_backend(check_additives);
}

/* ---- inertialize ---- */

typedef struct offset {
  double v[3][3]; /* rotation, translation, scale */
} offset;

/* axis · tan(angle / 4), of the turn on the same side as `side`. */
static void turn_vector(const double *q, double side, double *out) {
  double v[3] = {side * q[0], side * q[1], side * q[2]}, sine = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  double scale = sine > 0 ? tan(atan2(sine, side * q[3]) / 2) / sine : 0;
  for (int c = 0; c < 3; c++) out[c] = scale * v[c];
}

/* The offset now, and dt ago, with the new source where it would have come from. */
static void find_offsets(const joint *from, const joint *from_before, const joint *to, const joint *to_after,
                         offset *now, offset *before) {
  double back[4], step[4], to_before[4], turn[4], turn_before[4];
  invert(to->r, back);
  multiply(from->r, back, turn);
  double side = turn[3] < 0 ? -1 : 1;
  turn_vector(turn, side, now->v[0]);
  invert(to_after->r, back);
  multiply(back, to->r, step);
  multiply(to->r, step, to_before);
  invert(to_before, back);
  multiply(from_before->r, back, turn_before);
  turn_vector(turn_before, side * dot4(turn, turn_before) < 0 ? -1 : 1, before->v[0]);
  for (int c = 0; c < 3; c++) {
    now->v[1][c] = from->t[c] - to->t[c], now->v[2][c] = from->s[c] - to->s[c];
    before->v[1][c] = from_before->t[c] - (2 * to->t[c] - to_after->t[c]);
    before->v[2][c] = from_before->s[c] - (2 * to->s[c] - to_after->s[c]);
  }
}

/* The header's formula. */
static void decay(const double x[3], double v[3], double room, double t, double duration, double out[3]) {
  double xx = x[0] * x[0] + x[1] * x[1] + x[2] * x[2], speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  double fits = fmin(5 * fmax(sqrt(xx), room) / fmax(speed, 1e-12), 30), stop = fmin(fmax(fits, 1 / 60.0), duration);
  for (int c = 0; c < 3 && fits < 1 / 60.0; c++) v[c] *= fits * 60;
  double s = fmin(t / duration, 1), left = pow(1 - s, 3) * (1 + 3 * s + 6 * s * s);
  for (int c = 0; c < 3; c++) {
    double gone = v[c] * stop / 5;
    out[c] = (x[c] + gone) * left - gone * pow(fmax(1 - t / stop, 0), 5);
    if (t < 0) out[c] = x[c] + v[c] * fmax(t, -duration);
  }
}

static joint show(const joint *source, const offset *now, const offset *before, double dt, double lever, double t,
                  double duration) {
  joint out;
  double left[3][3];
  for (int part = 0; part < 3; part++) {
    double v[3];
    for (int c = 0; c < 3; c++) v[c] = (now->v[part][c] - before->v[part][c]) / dt;
    decay(now->v[part], v, part == 0 ? 0.02 / (4 * lever) : 0.02, t, duration, left[part]);
  }
  double size = sqrt(left[0][0] * left[0][0] + left[0][1] * left[0][1] + left[0][2] * left[0][2]), turn[4];
  for (int c = 0; c < 3; c++) turn[c] = size > 0 ? left[0][c] / size * sin(2 * atan(size)) : 0;
  turn[3] = cos(2 * atan(size));
  multiply(turn, source->r, out.r);
  for (int c = 0; c < 3; c++) out.t[c] = source->t[c] + left[1][c], out.s[c] = source->s[c] + left[2][c];
  return out;
}

/* The pose a little later or earlier. */
static sinew_pose nudged(sinew_pose pose) {
  sinew_pose out = copy_pose(pose), small = random_pose(pose.joint_count, true);
  for (int i = 0; i < pose.joint_count; i++) {
    sinew_transform a = sinew_pose_joint(&pose, i), b = sinew_pose_joint(&small, i);
    a.rotation = sinew_quat_multiply(
        sinew_quat_from_axis_angle((sinew_vec3){b.rotation.x, b.rotation.y, b.rotation.z}, random_range(-0.2f, 0.2f)),
        a.rotation);
    a.translation.x += 0.1f * b.translation.x, a.translation.z += 0.1f * b.translation.z;
    a.scale.y += 0.1f * b.translation.y;
    sinew_pose_set_joint(&out, i, &a);
  }
  free(small.groups);
  return out;
}

static void check_inertia(int joints) {
  const double dt = 0.05, durations[] = {0.3, 2, 1e300};
  sinew_pose from = random_pose(joints, true), to = random_pose(joints, true), source = random_pose(joints, true);
  sinew_pose from_before = nudged(from), to_after = nudged(to), out = copy_pose(source);
  sinew_inertia_group *inertia = calloc((size_t)sinew_pose_group_count(joints), sizeof *inertia);
  float *levers = calloc((size_t)sinew_pose_group_count(joints) * SINEW_LANES, sizeof *levers);
  for (int i = 0; i < joints; i++) levers[i] = random_range(0, 1);
  assert_true(
      sinew_inertialize_begin(&(sinew_inertialize_begin_job){from, from_before, to, to_after, dt, levers, inertia, 0}));
  for (int round = 0; round < 12; round++) {
    double duration = durations[round % 3], limited = fmin(duration, 1e9), times[] = {-1, -0.02, 0.1, 0.25};
    assert_true(sinew_inertialize(&(sinew_inertialize_job){inertia, times[round / 3], duration, source, out}));
    for (int i = 0; i < joints; i++) {
      joint a = joint_of(from.groups, i), b = joint_of(from_before.groups, i), c = joint_of(to.groups, i),
            d = joint_of(to_after.groups, i), e = joint_of(source.groups, i);
      offset now, before;
      find_offsets(&a, &b, &c, &d, &now, &before);
      joint want = show(&e, &now, &before, dt, fmax((double)levers[i], (double)0.1f), times[round / 3], limited);
      expect_joint(out, i, &want, 4e-5, 1);
    }
  }
  free(from.groups), free(from_before.groups), free(to.groups), free(to_after.groups), free(source.groups);
  free(out.groups), free(inertia), free(levers);
}

static void check_inertias(void) { on_all_sizes(check_inertia); }

static void a_transition_follows_the_definition(void **state) {
  (void)state;
  on_every_backend(check_inertias);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blending_follows_the_definition),
      cmocka_unit_test(a_layer_follows_the_definition),
      cmocka_unit_test(additive_poses_follow_the_definition),
      cmocka_unit_test(a_transition_follows_the_definition),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
