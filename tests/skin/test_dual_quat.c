/* Dual quaternion palettes and skinning against the definition in double precision. */
#include "skin/skin_fixture.h"
#include "support/backends.h"

enum { PALETTE = BONES + 2 };

typedef struct point {
  double x[3];
} point;

/* A dual quaternion in doubles: real and dual part, x y z w each. */
typedef struct dual {
  double r[4], d[4];
} dual;

static void multiply(const double a[4], const double b[4], double out[4]) {
  double v[4] = {
      a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
      a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
  memcpy(out, v, sizeof v);
}

static point rotate(const double q[4], point p) {
  double v[4] = {p.x[0], p.x[1], p.x[2], 0}, back[4] = {-q[0], -q[1], -q[2], q[3]};
  multiply(q, v, v);
  multiply(v, back, v);
  return (point){{v[0], v[1], v[2]}};
}

static dual dual_of(const sinew_dual_quat *q) {
  dual out;
  double t[4] = {0.5 * q->translation[0], 0.5 * q->translation[1], 0.5 * q->translation[2], 0};
  for (int i = 0; i < 4; i++) out.r[i] = q->rotation[i];
  multiply(t, out.r, out.d);
  return out;
}

static point apply_stretch(const sinew_dual_quat *q, point p, double w) {
  return (point){{q->xx * p.x[0] + q->xy * p.x[1] + q->xz * p.x[2] + w * q->offset[0],
                  q->xy * p.x[0] + q->yy * p.x[1] + q->yz * p.x[2] + w * q->offset[1],
                  q->xz * p.x[0] + q->yz * p.x[1] + q->zz * p.x[2] + w * q->offset[2]}};
}

static point apply_entry(const sinew_dual_quat *q, point p) {
  double r[4] = {q->rotation[0], q->rotation[1], q->rotation[2], q->rotation[3]};
  point out = rotate(r, apply_stretch(q, p, 1));
  for (int i = 0; i < 3; i++) out.x[i] += q->translation[i];
  return out;
}

static point apply_matrix(const sinew_mat3x4 *m, point p) {
  point out;
  for (int r = 0; r < 3; r++)
    out.x[r] = (double)m->m[4 * r] * p.x[0] + (double)m->m[4 * r + 1] * p.x[1] + (double)m->m[4 * r + 2] * p.x[2] +
               m->m[4 * r + 3];
  return out;
}

static point random_point(void) { return (point){{random_range(-1, 1), random_range(-1, 1), random_range(-1, 1)}}; }

static void expect_points(point a, point b, double tolerance) {
  for (int i = 0; i < 3; i++) assert_near(a.x[i], b.x[i], tolerance);
}

typedef enum kind { RIGID, STRETCHED, MIRRORED, FLAT, THIN, NOTHING, KINDS } kind;

/* T·R·S under another rotation, so that the stretch is along no axis of ours. */
static sinew_mat3x4 random_matrix(kind which) {
  sinew_transform t = random_transform(true), turn = {{0, 0, 0}, random_quat(), {1, 1, 1}};
  if (which == RIGID) t.scale = (sinew_vec3){1, 1, 1};
  if (which == MIRRORED) t.scale.y *= -1;
  if (which == FLAT || which == THIN || which == NOTHING) t.scale.z = 0;
  if (which == THIN || which == NOTHING) t.scale.y = 0;
  if (which == NOTHING) t.scale.x = 0;
  sinew_mat3x4 a = sinew_mat3x4_from_transform(&t), b = sinew_mat3x4_from_transform(&turn);
  return sinew_mat3x4_multiply(&a, &b);
}

static void take_apart(const sinew_model *model, const sinew_mat3x4 *palette, sinew_dual_quat *out) {
  assert_true(sinew_dual_quat_palette(&(sinew_dual_quat_palette_job){model, palette, out}));
}

static void an_entry_is_its_matrix(void **state) {
  (void)state;
  static mesh_data d;
  sinew_model *model = make_model(&d, 4);
  for (int round = 0; round < 20 * (KINDS + 1); round++) {
    sinew_mat3x4 palette[PALETTE];
    sinew_dual_quat entries[PALETTE];
    kind which = round % (KINDS + 1);
    for (int i = 0; i < PALETTE; i++) palette[i] = random_matrix(which < KINDS ? which : (kind)(i % 3));
    take_apart(model, palette, entries);
    for (int i = 0; i < PALETTE; i++) {
      point p = random_point();
      expect_points(apply_entry(entries + i, p), apply_matrix(palette + i, p), 1e-5);
      double length = 0;
      for (int c = 0; c < 4; c++) length += pow(entries[i].rotation[c], 2);
      assert_near(length, 1, 1e-6);
    }
  }
  sinew_model_release(model);
}

/* All that a polar decomposition has to be: with a rotation and a symmetric S, which the format forces, M = R S is the
 * one decomposition where S is definite: its leading minors are positive, or for −S where M is mirrored. */
static void the_stretch_is_definite(void **state) {
  (void)state;
  static mesh_data d;
  sinew_model *model = make_model(&d, 4);
  for (int mirrored = 0; mirrored < 2; mirrored++) {
    sinew_mat3x4 palette[PALETTE];
    sinew_dual_quat e[PALETTE];
    for (int i = 0; i < PALETTE; i++) palette[i] = random_matrix(mirrored ? MIRRORED : STRETCHED);
    take_apart(model, palette, e);
    for (int i = 0; i < PALETTE; i++) {
      double s = mirrored ? -1 : 1, xx = s * e[i].xx, yy = s * e[i].yy, zz = s * e[i].zz;
      double xy = s * e[i].xy, xz = s * e[i].xz, yz = s * e[i].yz;
      assert_true(xx > 0 && xx * yy - xy * xy > 0);
      assert_true(xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz) > 0);
    }
  }
  sinew_model_release(model);
}

static void a_rigid_matrix_has_no_stretch(void **state) {
  (void)state;
  static mesh_data d;
  sinew_model *model = make_model(&d, 4);
  sinew_mat3x4 palette[PALETTE];
  sinew_dual_quat e[PALETTE];
  for (int i = 0; i < PALETTE; i++) palette[i] = random_matrix(RIGID);
  take_apart(model, palette, e);
  for (int i = 0; i < PALETTE; i++) {
    float ones[3] = {e[i].xx, e[i].yy, e[i].zz};
    float zeros[6] = {e[i].xy, e[i].xz, e[i].yz, e[i].offset[0], e[i].offset[1], e[i].offset[2]};
    for (int c = 0; c < 3; c++) assert_near(ones[c], 1, 1e-6);
    for (int c = 0; c < 6; c++) assert_near(zeros[c], 0, 4e-6);
  }
  sinew_model_release(model);
}

static void a_stretch_leaves_the_joint_where_it_is(void **state) {
  (void)state;
  static mesh_data d;
  sinew_model *model = make_model(&d, 4);
  sinew_mat3x4 palette[PALETTE], bind;
  sinew_dual_quat entries[PALETTE];
  for (int i = 0; i < PALETTE; i++) palette[i] = random_matrix(STRETCHED);
  take_apart(model, palette, entries);
  for (int s = 0; s < 2; s++) {
    sinew_skin_view skin = sinew_model_skin(model, s);
    for (int i = 0; i < skin.count; i++) {
      assert_true(sinew_mat3x4_inverse(skin.inverse_binds + i, &bind));
      point position = {{bind.m[3], bind.m[7], bind.m[11]}};
      expect_points(apply_stretch(entries + skin.first + i, position, 1), position, 2e-5);
    }
  }
  sinew_model_release(model);
}

/* ---- skinning ---- */

typedef struct skinned {
  float positions[VERTICES * 3], normals[VERTICES * 3], tangents[VERTICES * 4];
} skinned;

static void skin(sinew_model *model, const sinew_mat3x4 *palette, const sinew_dual_quat *duals, const float *morph,
                 skinned *out) {
  assert_true(sinew_cpu_skin(
      &(sinew_cpu_skin_job){model, 0, palette, morph, out->positions, out->normals, out->tangents, duals}));
}

/* A vertex by the formulas of Kavan et al.: the blended dual quaternion of the rigid parts, after the blended stretch.
 */
typedef struct blended {
  dual q;
  double s[6], offset[3]; /* xx yy zz xy xz yz */
} blended;

static blended blend(const sinew_mesh_view *mesh, const sinew_dual_quat *palette, int v) {
  blended sum = {0};
  const uint16_t *joints = mesh->joints + v * mesh->influences;
  const float *weights = mesh->weights + v * mesh->influences;
  int heaviest = 0;
  for (int k = 0; k < mesh->influences; k++)
    if (weights[k] > weights[heaviest]) heaviest = k;
  dual reference = dual_of(palette + joints[heaviest]);
  for (int k = 0; k < mesh->influences; k++) {
    const sinew_dual_quat *e = palette + joints[k];
    const float s[6] = {e->xx, e->yy, e->zz, e->xy, e->xz, e->yz};
    dual q = dual_of(e);
    double cosine = 0;
    for (int i = 0; i < 4; i++) cosine += q.r[i] * reference.r[i];
    for (int i = 0; i < 4; i++) sum.q.r[i] += (cosine < 0 ? -1 : 1) * weights[k] * q.r[i];
    for (int i = 0; i < 4; i++) sum.q.d[i] += (cosine < 0 ? -1 : 1) * weights[k] * q.d[i];
    for (int i = 0; i < 6; i++) sum.s[i] += (double)weights[k] * s[i];
    for (int i = 0; i < 3; i++) sum.offset[i] += (double)weights[k] * e->offset[i];
  }
  return sum;
}

static point stretch(const double s[6], point p) {
  return (point){{s[0] * p.x[0] + s[3] * p.x[1] + s[4] * p.x[2], s[3] * p.x[0] + s[1] * p.x[1] + s[5] * p.x[2],
                  s[4] * p.x[0] + s[5] * p.x[1] + s[2] * p.x[2]}};
}

static double determinant(const double s[6]) {
  return s[0] * (s[1] * s[2] - s[5] * s[5]) - s[3] * (s[3] * s[2] - s[5] * s[4]) + s[4] * (s[3] * s[5] - s[1] * s[4]);
}

/* The inverse of a symmetric matrix: normals go with its transpose. */
static void inverse(const double s[6], double out[6]) {
  double d = determinant(s);
  double c[6] = {s[1] * s[2] - s[5] * s[5], s[0] * s[2] - s[4] * s[4], s[0] * s[1] - s[3] * s[3],
                 s[4] * s[5] - s[3] * s[2], s[3] * s[5] - s[1] * s[4], s[3] * s[4] - s[0] * s[5]};
  for (int i = 0; i < 6; i++) out[i] = c[i] / d;
}

static point unit(point p) {
  double length = sqrt(p.x[0] * p.x[0] + p.x[1] * p.x[1] + p.x[2] * p.x[2]);
  return (point){{p.x[0] / length, p.x[1] / length, p.x[2] / length}};
}

static point moved(const dual *q, point p) {
  double size = 0, t[4], back[4] = {-q->r[0], -q->r[1], -q->r[2], q->r[3]}, r[4];
  for (int i = 0; i < 4; i++) size += q->r[i] * q->r[i];
  for (int i = 0; i < 4; i++) r[i] = q->r[i] / sqrt(size);
  multiply(q->d, back, t);
  point out = rotate(r, p);
  for (int i = 0; i < 3; i++) out.x[i] += 2 * t[i] / size;
  return out;
}

static point turned(const dual *q, point p) {
  point zero = moved(q, (point){{0, 0, 0}}), out = moved(q, p);
  for (int i = 0; i < 3; i++) out.x[i] -= zero.x[i];
  return out;
}

static point source(const float *values, const float *morph, int stride, int v, double w) {
  point p;
  for (int i = 0; i < 3; i++) p.x[i] = values[stride * v + i] + (morph ? w * (double)morph[3 * v + i] : 0);
  return p;
}

static point result(const float *values, int stride, int v) { return source(values, NULL, stride, v, 0); }

static void check_skinning(int influences, bool stretched, const float *morph_weight) {
  static mesh_data d;
  static skinned out;
  sinew_model *model = make_model(&d, influences);
  sinew_mesh_view mesh = sinew_model_mesh(model, 0);
  sinew_mat3x4 palette[PALETTE];
  sinew_dual_quat duals[PALETTE];
  for (int i = 0; i < PALETTE; i++) palette[i] = random_matrix(stretched ? STRETCHED : RIGID);
  take_apart(model, palette, duals);
  skin(model, NULL, duals, morph_weight, &out);
  double w = morph_weight ? (double)*morph_weight : 0;
  for (int v = 0; v < VERTICES; v++) {
    blended b = blend(&mesh, duals + 2, v);
    double length = 0, back[6];
    for (int i = 0; i < 4; i++) length += b.q.r[i] * b.q.r[i];
    if (length < 1e-3) continue; /* rotations that cancel have no blend */
    double loose = 1e-6 / length;
    point p = stretch(b.s, source(d.positions, d.morph, 3, v, w));
    for (int i = 0; i < 3; i++) p.x[i] += b.offset[i];
    expect_points(result(out.positions, 3, v), moved(&b.q, p), 1e-5 + 4 * loose);
    inverse(b.s, back);
    point n = turned(&b.q, unit(stretch(back, source(d.normals, d.morph_normals, 3, v, w))));
    expect_points(result(out.normals, 3, v), n, 1e-4 + 4 * loose);
    point t = turned(&b.q, unit(stretch(b.s, source(d.tangents, NULL, 4, v, 0))));
    expect_points(result(out.tangents, 4, v), t, 1e-4 + 4 * loose);
    assert_near(out.tangents[4 * v + 3], d.tangents[4 * v + 3], 0);
  }
  sinew_model_release(model);
}

static void check_influences(void) {
  float weights[] = {0.5f, -1};
  for (int influences = 1; influences <= MOST_INFLUENCES; influences++)
    for (int stretched = 0; stretched < 2; stretched++) {
      check_skinning(influences, stretched, NULL);
      for (int i = 0; i < 2; i++) check_skinning(influences, stretched, weights + i);
    }
}

static void skinning_follows_the_definition(void **state) {
  (void)state;
  random_seed(5);
  on_every_backend(check_influences);
}

/* Where all that moves a vertex moves alike, there is nothing to blend: also for mirrored joints. */
static void one_joint_moves_as_its_matrix(void **state) {
  (void)state;
  static mesh_data d;
  static skinned linear, bent;
  sinew_model *model = make_model(&d, 4);
  for (kind which = RIGID; which <= MIRRORED; which++) {
    sinew_mat3x4 palette[PALETTE];
    sinew_dual_quat duals[PALETTE];
    for (int i = 0; i < PALETTE; i++) palette[i] = i ? palette[0] : random_matrix(which);
    take_apart(model, palette, duals);
    skin(model, palette, NULL, NULL, &linear);
    skin(model, NULL, duals, NULL, &bent);
    for (int i = 0; i < 3 * VERTICES; i++) assert_near(linear.positions[i], bent.positions[i], 2e-5);
    for (int i = 0; i < 3 * VERTICES; i++) assert_near(linear.normals[i], bent.normals[i], 2e-4);
    for (int i = 0; i < 4 * VERTICES; i++) assert_near(linear.tangents[i], bent.tangents[i], 2e-5);
  }
  sinew_model_release(model);
}

/* The purpose of dual quaternions: with one end rotated by 170 degrees, linear blending pulls the middle to the
 * axis. */
static void a_twist_keeps_its_distance_from_the_axis(void **state) {
  (void)state;
  static mesh_data d;
  static skinned linear, bent;
  sinew_model *model = make_model(&d, 4);
  sinew_transform turn = {{0, 0, 0}, sinew_quat_from_axis_angle((sinew_vec3){0, 1, 0}, 2.967f), {1, 1, 1}};
  sinew_mat3x4 palette[PALETTE];
  sinew_dual_quat duals[PALETTE];
  for (int i = 0; i < PALETTE; i++) palette[i] = i % 2 ? sinew_mat3x4_identity() : sinew_mat3x4_from_transform(&turn);
  take_apart(model, palette, duals);
  skin(model, palette, NULL, NULL, &linear);
  skin(model, NULL, duals, NULL, &bent);
  double worst_linear = 0;
  for (int v = 0; v < VERTICES; v++) {
    point a = result(d.positions, 3, v), b = result(linear.positions, 3, v), c = result(bent.positions, 3, v);
    double before = hypot(a.x[0], a.x[2]);
    worst_linear = fmax(worst_linear, before - hypot(b.x[0], b.x[2]));
    assert_near(hypot(c.x[0], c.x[2]), before, 1e-5);
    assert_near(c.x[1], a.x[1], 1e-5);
  }
  assert_true(worst_linear > 0.5);
  sinew_model_release(model);
}

static void the_sign_of_a_rotation_does_not_matter(void **state) {
  (void)state;
  static mesh_data d;
  static skinned one, other;
  sinew_model *model = make_model(&d, 8);
  sinew_mat3x4 palette[PALETTE];
  sinew_dual_quat duals[PALETTE];
  for (int i = 0; i < PALETTE; i++) palette[i] = random_matrix(STRETCHED);
  take_apart(model, palette, duals);
  skin(model, NULL, duals, NULL, &one);
  for (int i = 0; i < PALETTE; i += 2)
    for (int c = 0; c < 4; c++) duals[i].rotation[c] = -duals[i].rotation[c];
  skin(model, NULL, duals, NULL, &other);
  assert_memory_equal(&one, &other, sizeof one);
  sinew_model_release(model);
}

static void bad_jobs_are_refused(void **state) {
  (void)state;
  static mesh_data d;
  static skinned out;
  sinew_model *model = make_model(&d, 4);
  sinew_mat3x4 palette[PALETTE] = {{{0}}};
  sinew_dual_quat duals[PALETTE] = {{{0}, {0}, 0, {0}, 0, 0, 0, 0, 0}};
  assert_false(sinew_dual_quat_palette(&(sinew_dual_quat_palette_job){NULL, palette, duals}));
  assert_false(sinew_dual_quat_palette(&(sinew_dual_quat_palette_job){model, NULL, duals}));
  assert_false(sinew_dual_quat_palette(&(sinew_dual_quat_palette_job){model, palette, NULL}));
  sinew_cpu_skin_job both = {model, 0, palette, NULL, out.positions, NULL, NULL, duals}, none = both;
  none.palette = NULL;
  none.dual_quats = NULL;
  assert_non_null(sinew_cpu_skin_check(&both));
  assert_non_null(sinew_cpu_skin_check(&none));
  for (int i = 0; i < 12; i++) palette[0].m[i] = NAN, palette[1].m[i] = INFINITY;
  take_apart(model, palette, duals); /* comes to an end */
  sinew_model_release(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_entry_is_its_matrix),
      cmocka_unit_test(the_stretch_is_definite),
      cmocka_unit_test(a_rigid_matrix_has_no_stretch),
      cmocka_unit_test(a_stretch_leaves_the_joint_where_it_is),
      cmocka_unit_test(skinning_follows_the_definition),
      cmocka_unit_test(one_joint_moves_as_its_matrix),
      cmocka_unit_test(a_twist_keeps_its_distance_from_the_axis),
      cmocka_unit_test(the_sign_of_a_rotation_does_not_matter),
      cmocka_unit_test(bad_jobs_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
