/* Eight moments at once against one after the other, in doubles, on every backend. */
#include "support/fixture.h"

#include "import/clip/moments.h"
#include "math/simd.h"

static void unit(double *q) {
  sinew_quat r = random_quat();
  q[0] = (double)r.x, q[1] = (double)r.y, q[2] = (double)r.z, q[3] = (double)r.w;
}

/* b at an angle from a. */
static void turn(const double *a, double angle, double *b) {
  double dot = 0, length = 0;
  unit(b);
  for (int k = 0; k < 4; k++) dot += a[k] * b[k];
  for (int k = 0; k < 4; k++) b[k] -= dot * a[k];
  for (int k = 0; k < 4; k++) length += b[k] * b[k];
  for (int k = 0; k < 4; k++) b[k] = cos(angle) * a[k] + sin(angle) * b[k] / sqrt(length);
}

static void each_backend(void (*check)(const moments_kernels *kernels)) {
  simd_backend before = simd_current();
  for (int b = 0; b < SIMD_BACKEND_COUNT; b++)
    if (simd_use((simd_backend)b)) check(moments_kernels_current());
  simd_use(before);
}

/* ---- between keys ---- */

static void check_arc(const moments_kernels *kernels) {
  static const double angles[] = {0, 1e-5, 0.05, 0.2, 0.4};
  for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
    double a[4], b[4], angle = angles[i];
    float from[4], to[4], part[MOMENTS], out[4][MOMENTS];
    unit(a);
    turn(a, angle, b);
    for (int k = 0; k < 4; k++) from[k] = (float)a[k], to[k] = (float)b[k];
    for (int m = 0; m < MOMENTS; m++) part[m] = (float)m / (MOMENTS - 1);
    kernels->arc(from, to, (float)(angle * angle), part, out);
    for (int m = 0; m < MOMENTS; m++) {
      double t = (double)part[m], wa = 1 - t, wb = t;
      if (angle > 1e-4) wa = sin((1 - t) * angle) / sin(angle), wb = sin(t * angle) / sin(angle);
      for (int k = 0; k < 4; k++) assert_near(out[k][m], wa * a[k] + wb * b[k], 3e-7);
    }
  }
}

static void an_arc_is_slerp(void **state) {
  (void)state;
  each_backend(check_arc);
}

static void check_negative(const moments_kernels *kernels) {
  const float a[4] = {1, 2, 3, 4}, b[4] = {2, 4, 6, 8}, part[MOMENTS] = {-1, 0, 0.5f, 1, -1, -1, 0.25f, -1};
  float line[4][MOMENTS], arc[4][MOMENTS];
  for (int k = 0; k < 4; k++)
    for (int m = 0; m < MOMENTS; m++) line[k][m] = arc[k][m] = 77;
  kernels->line(a, b, 3, part, line);
  kernels->arc(a, b, 0, part, arc);
  for (int k = 0; k < 4; k++)
    for (int m = 0; m < MOMENTS; m++) {
      float is = part[m] < 0 ? 77 : a[k] * (1 + part[m]);
      assert_near(line[k][m], k < 3 ? is : 77, 1e-6);
      assert_near(arc[k][m], is, 1e-6);
    }
}

static void a_negative_part_leaves_what_is_there(void **state) {
  (void)state;
  each_backend(check_negative);
}

/* ---- places ---- */

enum { JOINTS = 3 };

static const int parents[JOINTS] = {-1, 0, 1};

typedef struct chain {
  sinew_transform held[JOINTS][MOMENTS];
  sinew_mat3x4 above, positions[JOINTS][MOMENTS];
  moments_transform lanes[JOINTS];
  moments_matrix above_lanes[JOINTS], place_lanes[JOINTS];
} chain;

static void open_chain(chain *c) {
  memset(c, 0, sizeof *c);
  sinew_transform above = random_transform(true);
  c->above = sinew_mat3x4_from_transform(&above);
  for (int i = 0; i < 12; i++)
    for (int m = 0; m < MOMENTS; m++) c->above_lanes[0].m[i][m] = c->above.m[i];
  for (int j = 0; j < JOINTS; j++)
    for (int m = 0; m < MOMENTS; m++) {
      moments_transform all;
      c->held[j][m] = random_transform(true);
      sinew_mat3x4 local = sinew_mat3x4_from_transform(&c->held[j][m]);
      c->positions[j][m] = sinew_mat3x4_multiply(j ? &c->positions[j - 1][m] : &c->above, &local);
      moments_fill(&all, &c->held[j][m]);
      for (int i = 0; i < 10; i++) c->lanes[j].v[i][m] = all.v[i][m] * (i >= 3 && i < 7 ? 3.0f : 1.0f);
    }
}

static void check_place(const moments_kernels *kernels) {
  chain c;
  open_chain(&c);
  kernels->position(JOINTS, parents, c.above_lanes, c.lanes, c.place_lanes);
  for (int j = 0; j < JOINTS; j++)
    for (int i = 0; i < 12; i++)
      for (int m = 0; m < MOMENTS; m++) assert_near(c.place_lanes[j].m[i][m], c.positions[j][m].m[i], 2e-5);
}

static void joints_are_placed_below_their_parents(void **state) {
  (void)state;
  each_backend(check_place);
}

static double column_square(const sinew_mat3x4 *a, int column) {
  double sum = 0;
  for (int r = column; r < 12; r += 4) sum += (double)a->m[r] * (double)a->m[r];
  return sum;
}

/* b is a, moved by 3 along x, and the z axis of its last joint twice as long. */
static void check_compare(const moments_kernels *kernels) {
  chain c;
  open_chain(&c);
  kernels->position(JOINTS, parents, c.above_lanes, c.lanes, c.place_lanes);
  moments_matrix other[JOINTS];
  float shells[JOINTS] = {0, 0, 10}, worst[MOMENTS] = {0}, longest[JOINTS][MOMENTS] = {{0}}, farthest[MOMENTS] = {0};
  memcpy(other, c.place_lanes, sizeof other);
  for (int m = 0; m < MOMENTS; m++) {
    for (int j = 0; j < JOINTS; j++) other[j].m[3][m] -= 3;
    for (int r = 0; r < 3; r++) other[2].m[4 * r + 2][m] *= 2;
  }
  kernels->compare(JOINTS, c.place_lanes, other, shells, worst);
  kernels->stretch(JOINTS, c.place_lanes, longest, farthest);
  for (int m = 0; m < MOMENTS; m++) {
    const sinew_mat3x4 *last = &c.positions[2][m];
    double x = 3 - 10 * (double)last->m[2], y = 10 * (double)last->m[6], z = 10 * (double)last->m[10];
    double column = fmax(column_square(last, 0), fmax(column_square(last, 1), column_square(last, 2)));
    assert_near(worst[m], fmax(9, x * x + y * y + z * z), 1e-2);
    assert_near(longest[2][m], column, 1e-3);
    double away = 0;
    for (int j = 0; j < JOINTS; j++) away = fmax(away, column_square(&c.positions[j][m], 3));
    assert_near(farthest[m], away, 1e-3);
  }
}

static void the_farthest_point_and_the_longest_column_count(void **state) {
  (void)state;
  each_backend(check_compare);
}

static void check_endless(const moments_kernels *kernels) {
  static const float numbers[] = {1e20f, INFINITY, NAN};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    moments_matrix a = {{{0}}}, b = {{{0}}};
    float shell = 1, worst[MOMENTS] = {0}, longest[1][MOMENTS] = {{0}}, far[MOMENTS] = {0};
    a.m[0][2] = numbers[i];
    kernels->compare(1, &a, &b, &shell, worst);
    kernels->stretch(1, &a, longest, far);
    for (int m = 0; m < MOMENTS; m++) assert_true(m == 2 ? isinf(worst[m]) && isinf(longest[0][m]) : worst[m] == 0);
    memset(&a, 0, sizeof a);
    kernels->compare(1, &a, &b, &shell, worst);
    assert_true(isinf(worst[2]));
  }
}

static void what_is_no_length_is_infinite_and_stays_so(void **state) {
  (void)state;
  each_backend(check_endless);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_arc_is_slerp),
      cmocka_unit_test(a_negative_part_leaves_what_is_there),
      cmocka_unit_test(joints_are_placed_below_their_parents),
      cmocka_unit_test(the_farthest_point_and_the_longest_column_count),
      cmocka_unit_test(what_is_no_length_is_infinite_and_stays_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
