/* Eight moments at once against one after the other, in doubles, on every backend. */
#include "support/fixture.h"

#include "import/kernels.h"
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

typedef struct rows {
  double exact[MOMENTS][4];
  float numbers[MOMENTS][4];
  const float *at[MOMENTS];
} rows;

static void set_row(rows *r, int m, const double *q, double sign) {
  for (int k = 0; k < 4; k++) {
    r->exact[m][k] = q[k];
    r->numbers[m][k] = (float)(sign * q[k]);
  }
  r->at[m] = r->numbers[m];
}

static void check_arcs(const moments_kernels *kernels) {
  static const double angles[MOMENTS] = {0, 1e-5, 0.05, 0.1, 0.2, 0.3, 0.35, 0.399};
  rows a, b;
  float part[MOMENTS], out[4][MOMENTS];
  for (int m = 0; m < MOMENTS; m++) {
    double from[4], to[4];
    unit(from);
    turn(from, angles[m], to);
    set_row(&a, m, from, 1);
    set_row(&b, m, to, m % 2 ? -1 : 1); /* the same rotation */
    part[m] = random_range(0, 1);
  }
  assert_true(kernels->arcs(a.at, b.at, part, out));
  for (int m = 0; m < MOMENTS; m++) {
    double t = (double)part[m], wa = 1 - t, wb = t, angle = angles[m];
    if (angle > 1e-4) wa = sin((1 - t) * angle) / sin(angle), wb = sin(t * angle) / sin(angle);
    for (int k = 0; k < 4; k++) assert_near(out[k][m], wa * a.exact[m][k] + wb * b.exact[m][k], 3e-7);
  }
  turn(a.exact[3], 0.41, b.exact[3]);
  for (int k = 0; k < 4; k++) b.numbers[3][k] = (float)b.exact[3][k];
  assert_false(kernels->arcs(a.at, b.at, part, out));
}

static void arcs_are_slerp(void **state) {
  (void)state;
  for (int i = 0; i < 20; i++) each_backend(check_arcs);
}

static void check_lines(const moments_kernels *kernels) {
  for (int width = 1; width <= 4; width++) {
    rows a, b;
    float part[MOMENTS], bend[MOMENTS], line[4][MOMENTS], bent[4][MOMENTS];
    for (int m = 0; m < MOMENTS; m++) {
      double from[4], to[4];
      unit(from);
      unit(to);
      set_row(&a, m, from, 1);
      set_row(&b, m, to, 1);
      part[m] = random_range(0, 1);
      bend[m] = random_range(-0.1f, 0.1f);
    }
    if (width == 2) continue;
    kernels->lines(a.at, b.at, width, part, NULL, line);
    if (width == 4) kernels->lines(a.at, b.at, width, part, bend, bent);
    for (int m = 0; m < MOMENTS; m++) {
      double square = 0, t = (double)part[m];
      for (int k = 0; k < 4; k++) square += pow(b.exact[m][k] - a.exact[m][k], 2);
      for (int k = 0; k < width; k++) {
        double from = a.exact[m][k], way = b.exact[m][k] - from;
        assert_near(line[k][m], from + t * way, 3e-7);
        if (width == 4) assert_near(bent[k][m], from + (t + (double)bend[m] * square) * way, 1e-6);
      }
    }
  }
}

static void each_moment_lies_between_its_own_rows(void **state) {
  (void)state;
  each_backend(check_lines);
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
  float joints[JOINTS][MOMENTS] = {{0}};
  memcpy(other, c.place_lanes, sizeof other);
  for (int m = 0; m < MOMENTS; m++) {
    for (int j = 0; j < JOINTS; j++) other[j].m[3][m] -= 3;
    for (int r = 0; r < 3; r++) other[2].m[4 * r + 2][m] *= 2;
  }
  kernels->compare(JOINTS, c.place_lanes, other, shells, joints, worst);
  kernels->stretch(JOINTS, c.place_lanes, longest, farthest);
  for (int m = 0; m < MOMENTS; m++) {
    const sinew_mat3x4 *last = &c.positions[2][m];
    double x = 3 - 10 * (double)last->m[2], y = 10 * (double)last->m[6], z = 10 * (double)last->m[10];
    double column = fmax(column_square(last, 0), fmax(column_square(last, 1), column_square(last, 2)));
    assert_near(worst[m], fmax(9, x * x + y * y + z * z), 1e-2);
    assert_near(joints[0][m], 9, 1e-3);
    assert_near(joints[2][m], worst[m], 0);
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
    float shell = 1, joints[1][MOMENTS] = {{0}}, worst[MOMENTS] = {0}, longest[1][MOMENTS] = {{0}}, far[MOMENTS] = {0};
    a.m[0][2] = numbers[i];
    kernels->compare(1, &a, &b, &shell, joints, worst);
    kernels->stretch(1, &a, longest, far);
    for (int m = 0; m < MOMENTS; m++) assert_true(m == 2 ? isinf(worst[m]) && isinf(longest[0][m]) : worst[m] == 0);
    memset(&a, 0, sizeof a);
    kernels->compare(1, &a, &b, &shell, joints, worst);
    assert_true(isinf(worst[2]));
  }
}

static void what_is_no_length_is_infinite_and_stays_so(void **state) {
  (void)state;
  each_backend(check_endless);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arcs_are_slerp),
      cmocka_unit_test(each_moment_lies_between_its_own_rows),
      cmocka_unit_test(joints_are_placed_below_their_parents),
      cmocka_unit_test(the_farthest_point_and_the_longest_column_count),
      cmocka_unit_test(what_is_no_length_is_infinite_and_stays_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
