/* palette and cpu_skin against the definition in double precision, on every backend. */
#include "skin/skin_fixture.h"
#include "support/backends.h"

static void blend_in_double(const sinew_mesh_view *mesh, const sinew_mat3x4 *palette, int v, double m[12]) {
  memset(m, 0, 12 * sizeof *m);
  for (int k = 0; k < mesh->influences; k++)
    for (int e = 0; e < 12; e++)
      m[e] += (double)mesh->weights[v * mesh->influences + k] *
              (double)palette[mesh->joints[v * mesh->influences + k]].m[e];
}

/* M · x, or (M⁻¹)ᵀ · x by solving Mᵀ y = x with Cramer's rule: not the cofactor form that is being tested. */
static void solve_normal(const double m[12], const double x[3], double y[3]) {
  double a[3][3], det;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) a[r][c] = m[4 * c + r];
#define DET(p)                                                                                                         \
  (p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) - p[0][1] * (p[1][0] * p[2][2] - p[1][2] * p[2][0]) +             \
   p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]))
  det = DET(a);
  for (int i = 0; i < 3; i++) {
    double b[3][3];
    memcpy(b, a, sizeof b);
    for (int r = 0; r < 3; r++) b[r][i] = x[r];
    y[i] = DET(b) / det;
  }
#undef DET
}

static void expect_direction(const float *got, const double want[3], double tolerance) {
  double length = sqrt(want[0] * want[0] + want[1] * want[1] + want[2] * want[2]);
  for (int i = 0; i < 3; i++) assert_near(got[i], want[i] / length, tolerance);
}

/* One more row than there are vertices, which stays as it is. */
typedef struct skinned {
  float p[(VERTICES + 1) * 3], n[(VERTICES + 1) * 3], t[(VERTICES + 1) * 4];
} skinned;

static void expect_untouched(const skinned *s, int vertex_count) {
  for (int i = 0; i < 3; i++) {
    assert_near(s->p[3 * vertex_count + i], 77, 0);
    assert_near(s->n[3 * vertex_count + i], 77, 0);
    assert_near(s->t[4 * vertex_count + i], 77, 0);
  }
}

static void check_skinning(int vertex_count, int influences, int used, int run, const float *morph_weight) {
  static mesh_data d;
  sinew_model *model = make_model_of(&d, vertex_count, influences, used, run);
  sinew_mesh_view mesh = sinew_model_mesh(model, 0);
  sinew_mat3x4 joints[BONES + 1], palette[BONES + 2];
  for (int i = 0; i <= BONES; i++) {
    sinew_transform t = random_transform(true);
    joints[i] = sinew_mat3x4_from_transform(&t);
  }
  skinned s;
  float *p = s.p, *n = s.n, *t = s.t;
  for (size_t i = 0; i < sizeof s / sizeof(float); i++) ((float *)&s)[i] = 77;
  assert_int_equal(sinew_model_palette_count(model), BONES + 2);
  assert_true(sinew_palette(&(sinew_palette_job){model, joints, palette}));
  assert_true(sinew_cpu_skin(&(sinew_cpu_skin_job){model, 0, palette, morph_weight, p, n, t, NULL}));
  double w = morph_weight ? (double)*morph_weight : 0;
  expect_untouched(&s, vertex_count);
  for (int v = 0; v < vertex_count; v++) {
    double m[12], in[3], normal[3], tangent[3], out[3];
    blend_in_double(&mesh, palette + 2, v, m);
    for (int i = 0; i < 3; i++) {
      in[i] = (double)d.positions[3 * v + i] + w * (double)d.morph[3 * v + i];
      normal[i] = (double)d.normals[3 * v + i] + w * (double)d.morph_normals[3 * v + i];
      tangent[i] = (double)d.tangents[4 * v + i];
    }
    for (int r = 0; r < 3; r++)
      assert_near(p[3 * v + r], m[4 * r] * in[0] + m[4 * r + 1] * in[1] + m[4 * r + 2] * in[2] + m[4 * r + 3], 2e-5);
    solve_normal(m, normal, out);
    expect_direction(n + 3 * v, out, 2e-3); /* blends of random matrices come near to singular */
    for (int r = 0; r < 3; r++) out[r] = m[4 * r] * tangent[0] + m[4 * r + 1] * tangent[1] + m[4 * r + 2] * tangent[2];
    expect_direction(t + 4 * v, out, 1e-4);
    assert_near(t[4 * v + 3], d.tangents[4 * v + 3], 0);
  }
  sinew_model_release(model);
}

static void check_influences(void) {
  float weights[] = {0.5f, -1, 2};
  for (int influences = 1; influences <= MOST_INFLUENCES; influences++) {
    for (int used = 1; used <= influences; used++) {
      check_skinning(VERTICES, influences, used, 0, NULL);
      check_skinning(VERTICES, influences, used, -5, NULL);
    }
    for (int run = SINEW_LANES; run <= 2 * SINEW_LANES; run++)
      check_skinning(VERTICES, influences, influences, run, NULL);
    for (int i = 0; i < 3; i++) check_skinning(VERTICES, influences, influences, 0, weights + i);
  }
}

static void skinning_follows_the_definition(void **state) {
  (void)state;
  random_seed(3);
  on_every_backend(check_influences);
}

static void check_vertex_counts(void) {
  float weight = 0.5f;
  for (int count = 1; count <= 2 * SINEW_LANES + 1; count++) {
    check_skinning(count, 4, 4, 0, NULL);
    check_skinning(count, 4, 2, 0, &weight);
  }
}

static void any_number_of_vertices_is_skinned(void **state) {
  (void)state;
  random_seed(4);
  on_every_backend(check_vertex_counts);
}

static void check_collapse(void) {
  static mesh_data d;
  static skinned s;
  sinew_model *model = make_model(&d, 4);
  sinew_mat3x4 palette[BONES + 2] = {{{0}}};
  assert_true(sinew_cpu_skin(&(sinew_cpu_skin_job){model, 0, palette, NULL, s.p, s.n, s.t, NULL}));
  for (int i = 0; i < VERTICES * 3; i++) {
    assert_near(s.p[i], 0, 0);
    assert_near(s.n[i], 0, 0);
    assert_near(s.t[i / 3 * 4 + i % 3], 0, 0);
  }
  sinew_model_release(model);
}

static void what_collapses_to_a_point_has_no_directions(void **state) {
  (void)state;
  on_every_backend(check_collapse);
}

static void check_palette(void) {
  static mesh_data d;
  sinew_model *model = make_model(&d, 4);
  sinew_mat3x4 joints[BONES + 1], palette[BONES + 2];
  for (int i = 0; i <= BONES; i++) {
    sinew_transform t = random_transform(true);
    joints[i] = sinew_mat3x4_from_transform(&t);
  }
  assert_true(sinew_palette(&(sinew_palette_job){model, joints, palette}));
  for (int s = 0; s < 2; s++) {
    sinew_skin_view skin = sinew_model_skin(model, s);
    for (int i = 0; i < skin.count; i++)
      for (int e = 0; e < 12; e++) {
        const float *a = joints[skin.joints[i]].m + e / 4 * 4, *b = skin.inverse_binds[i].m + e % 4;
        double sum = e % 4 == 3 ? a[3] : 0;
        for (int k = 0; k < 3; k++) sum += (double)a[k] * b[4 * k];
        assert_near(palette[skin.first + i].m[e], sum, 4e-6);
      }
  }
  sinew_model_release(model);
}

static void a_palette_follows_the_definition(void **state) {
  (void)state;
  on_every_backend(check_palette);
}

static void a_palette_is_joint_times_inverse_bind(void **state) {
  (void)state;
  static mesh_data d;
  sinew_model *model = make_model(&d, 4);
  sinew_mat3x4 joints[BONES + 1], palette[BONES + 2], binds[BONES + 1];
  /* Joints at their bind give identities where the bind is the joint's own. */
  sinew_skin_view skin = sinew_model_skin(model, 1);
  for (int i = 0; i <= BONES; i++) joints[i] = sinew_mat3x4_identity();
  for (int i = 0; i < skin.count; i++) assert_true(sinew_mat3x4_inverse(skin.inverse_binds + i, binds + i));
  for (int i = 0; i < skin.count; i++) joints[skin.joints[i]] = binds[i];
  assert_true(sinew_palette(&(sinew_palette_job){model, joints, palette}));
  sinew_mat3x4 identity = sinew_mat3x4_identity();
  for (int i = 0; i < skin.count; i++)
    for (int e = 0; e < 12; e++) assert_near(palette[skin.first + i].m[e], identity.m[e], 1e-5);
  sinew_model_release(model);
}

static void bad_jobs_are_refused(void **state) {
  (void)state;
  static mesh_data d;
  sinew_model *model = make_model(&d, 4);
  sinew_mat3x4 palette[BONES + 2] = {{{0}}};
  float out[VERTICES * 4];
  assert_false(sinew_palette(&(sinew_palette_job){model, NULL, palette}));
  assert_false(sinew_palette(&(sinew_palette_job){NULL, palette, palette}));
  assert_false(sinew_cpu_skin(&(sinew_cpu_skin_job){model, 1, palette, NULL, out, NULL, NULL, NULL}));
  assert_false(sinew_cpu_skin(&(sinew_cpu_skin_job){model, -1, palette, NULL, out, NULL, NULL, NULL}));
  assert_false(sinew_cpu_skin(&(sinew_cpu_skin_job){model, 0, NULL, NULL, out, NULL, NULL, NULL}));
  sinew_model_release(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(skinning_follows_the_definition),
      cmocka_unit_test(any_number_of_vertices_is_skinned),
      cmocka_unit_test(what_collapses_to_a_point_has_no_directions),
      cmocka_unit_test(a_palette_follows_the_definition),
      cmocka_unit_test(a_palette_is_joint_times_inverse_bind),
      cmocka_unit_test(bad_jobs_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
