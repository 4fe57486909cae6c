#include "import/kernels.h"

#include "math/lanes.h"

#include <math.h>

/* A column of three numbers of a matrix. */
typedef struct column {
  lanes r[3];
} column;

static inline column load_column(const moments_matrix *a, int c) {
  return (column){{lanes_load(a->m[c]), lanes_load(a->m[4 + c]), lanes_load(a->m[8 + c])}};
}

/* ---- positions of joints ---- */

static inline column scaled(lanes x, lanes y, lanes z, const float *scale) {
  lanes s = lanes_load(scale);
  return (column){{lanes_mul(x, s), lanes_mul(y, s), lanes_mul(z, s)}};
}

/* Translation, rotation and scale as the columns of a 3×4 matrix. */
static inline void find_columns(const moments_transform *t, column out[4]) {
  const float(*v)[MOMENTS] = t->v, (*scale)[MOMENTS] = t->v + MOMENTS_SCALE;
  lanes x = lanes_load(v[3]), y = lanes_load(v[4]), z = lanes_load(v[5]), w = lanes_load(v[6]), one = lanes_set(1);
  lanes square = lanes_fma(x, x, lanes_fma(y, y, lanes_fma(z, z, lanes_mul(w, w))));
  lanes s = lanes_div(lanes_set(2), square); /* normalises, too */
  lanes sx = lanes_mul(s, x), sy = lanes_mul(s, y), sz = lanes_mul(s, z);
  lanes xx = lanes_mul(sx, x), yy = lanes_mul(sy, y), zz = lanes_mul(sz, z);
  lanes xy = lanes_mul(sx, y), xz = lanes_mul(sx, z), yz = lanes_mul(sy, z);
  out[0] = scaled(lanes_sub(one, lanes_add(yy, zz)), lanes_fma(sz, w, xy), lanes_fnma(sy, w, xz), scale[0]);
  out[1] = scaled(lanes_fnma(sz, w, xy), lanes_sub(one, lanes_add(xx, zz)), lanes_fma(sx, w, yz), scale[1]);
  out[2] = scaled(lanes_fma(sy, w, xz), lanes_fnma(sx, w, yz), lanes_sub(one, lanes_add(xx, yy)), scale[2]);
  out[3] = (column){{lanes_load(v[0]), lanes_load(v[1]), lanes_load(v[2])}};
}

static inline void multiply(const moments_matrix *a, const column b[4], moments_matrix *out) {
  for (int r = 0; r < 12; r += 4) {
    lanes x = lanes_load(a->m[r]), y = lanes_load(a->m[r + 1]), z = lanes_load(a->m[r + 2]);
    for (int c = 0; c < 4; c++) {
      lanes first = c == 3 ? lanes_fma(x, b[c].r[0], lanes_load(a->m[r + 3])) : lanes_mul(x, b[c].r[0]);
      lanes_store(out->m[r + c], lanes_fma(z, b[c].r[2], lanes_fma(y, b[c].r[1], first)));
    }
  }
}

static void position(int count, const int *parents, const moments_matrix *above, const moments_transform *held,
                     moments_matrix *positions) {
  for (int i = 0; i < count; i++) {
    column local[4];
    find_columns(held + i, local);
    multiply(parents[i] < 0 ? above + i : positions + parents[i], local, positions + i);
  }
}

/* ---- distances between them ---- */

static inline lanes square_length(column v) {
  return lanes_fma(v.r[0], v.r[0], lanes_fma(v.r[1], v.r[1], lanes_mul(v.r[2], v.r[2])));
}

static inline lanes lift(lanes worst, lanes square) {
  lanes is_length = lanes_greater(lanes_set(1e30f), square);
  return lanes_max(worst, lanes_select(is_length, square, lanes_set(INFINITY)));
}

static inline column between(const moments_matrix *a, const moments_matrix *b, int c) {
  column p = load_column(a, c), q = load_column(b, c);
  return (column){{lanes_sub(p.r[0], q.r[0]), lanes_sub(p.r[1], q.r[1]), lanes_sub(p.r[2], q.r[2])}};
}

static inline column beside(column origin, lanes shell, column axis) {
  return (column){{lanes_fma(shell, axis.r[0], origin.r[0]), lanes_fma(shell, axis.r[1], origin.r[1]),
                   lanes_fma(shell, axis.r[2], origin.r[2])}};
}

static void compare(int count, const moments_matrix *a, const moments_matrix *b, const float *shells,
                    float (*joints)[MOMENTS], float moments[MOMENTS]) {
  lanes most = lanes_load(moments);
  for (int i = 0; i < count; i++) {
    column origin = between(a + i, b + i, 3);
    lanes shell = lanes_set(shells[i]), own = lift(lanes_set(0), square_length(origin));
    for (int c = 0; c < 3; c++) own = lift(own, square_length(beside(origin, shell, between(a + i, b + i, c))));
    lanes_store(joints[i], lanes_max(lanes_load(joints[i]), own));
    most = lanes_max(most, own);
  }
  lanes_store(moments, most);
}

static void stretch(int count, const moments_matrix *positions, float (*longest)[MOMENTS], float farthest[MOMENTS]) {
  lanes far = lanes_load(farthest);
  for (int i = 0; i < count; i++) {
    far = lift(far, square_length(load_column(positions + i, 3)));
    lanes most = lanes_load(longest[i]);
    for (int c = 0; c < 3; c++) most = lift(most, square_length(load_column(positions + i, c)));
    lanes_store(longest[i], most);
  }
  lanes_store(farthest, far);
}

/* ---- between keys ---- */

/* Transposes each moment's row of numbers: components, each of eight moments. */
static inline void gather(const float *const rows[MOMENTS], int width, lanes out[4]) {
  float numbers[3][MOMENTS];
  if (width == 4) {
    lanes_gather_rows(rows, 0, out);
    return;
  }
  for (int m = 0; m < MOMENTS; m++) numbers[0][m] = rows[m][0];
  for (int m = 0; m < MOMENTS && width == 3; m++) numbers[1][m] = rows[m][1], numbers[2][m] = rows[m][2];
  for (int k = 0; k < width; k++) out[k] = lanes_load(numbers[k]);
}

static inline lanes square_distance(const lanes a[4], const lanes b[4]) {
  lanes sum = lanes_set(0);
  for (int k = 0; k < 4; k++) {
    lanes off = lanes_sub(b[k], a[k]);
    sum = lanes_fma(off, off, sum);
  }
  return sum;
}

static void lines(const float *const a[MOMENTS], const float *const b[MOMENTS], int width, const float part[MOMENTS],
                  const float *bend, float (*out)[MOMENTS]) {
  lanes from[4], to[4], t = lanes_load(part);
  gather(a, width, from);
  gather(b, width, to);
  if (bend) t = lanes_fma(lanes_load(bend), square_distance(from, to), t);
  for (int k = 0; k < width; k++) lanes_store(out[k], lanes_fma(t, lanes_sub(to[k], from[k]), from[k]));
}

/* sin(t φ) / sin φ as a series in φ²; the next term is below 1e-7 up to moments_most_angle. */
static inline lanes arc_weight(lanes t, lanes q) {
  lanes u = lanes_mul(t, t);
  lanes third =
      lanes_fma(u, lanes_fma(u, lanes_set(3.0f / 15120), lanes_set(-18.0f / 15120)), lanes_set(31.0f / 15120));
  lanes second = lanes_fma(q, third, lanes_fma(u, lanes_set(-3.0f / 360), lanes_set(7.0f / 360)));
  lanes first = lanes_fma(q, second, lanes_set(1.0f / 6));
  return lanes_fma(lanes_mul(t, lanes_mul(q, lanes_sub(lanes_set(1), u))), first, t);
}

/* (2 asin(d / 2))² as a series in d². */
static inline lanes square_angle(lanes d) {
  lanes series = lanes_fma(d, lanes_set(1.0f / 560), lanes_set(1.0f / 90));
  return lanes_mul(d, lanes_fma(d, lanes_fma(d, series, lanes_set(1.0f / 12)), lanes_set(1)));
}

/* Shoemake 1985 */
static bool arcs(const float *const a[MOMENTS], const float *const b[MOMENTS], const float part[MOMENTS],
                 float (*out)[MOMENTS]) {
  lanes from[4], to[4], t = lanes_load(part), cosine = lanes_set(0), zero = lanes_set(0);
  gather(a, 4, from);
  gather(b, 4, to);
  for (int k = 0; k < 4; k++) cosine = lanes_fma(from[k], to[k], cosine);
  for (int k = 0; k < 4; k++) to[k] = lanes_select(lanes_greater(zero, cosine), lanes_sub(zero, to[k]), to[k]);
  lanes q = square_angle(square_distance(from, to)), most = lanes_set((float)(moments_most_angle * moments_most_angle));
  if (lanes_any(lanes_greater(q, most))) return false;
  lanes wa = arc_weight(lanes_sub(lanes_set(1), t), q), wb = arc_weight(t, q);
  for (int k = 0; k < 4; k++) lanes_store(out[k], lanes_fma(wb, to[k], lanes_mul(wa, from[k])));
  return true;
}

extern const moments_kernels LANES_NAME(moments_kernels, LANES_SUFFIX);
const moments_kernels LANES_NAME(moments_kernels, LANES_SUFFIX) = {position, compare, stretch, lines, arcs};
