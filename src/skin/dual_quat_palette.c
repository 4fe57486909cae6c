#include "math/float_env.h"
#include "model/model.h"
#include "skin/kernels.h"

#include <math.h>
#include <string.h>

const char *sinew_dual_quat_palette_check(const sinew_dual_quat_palette_job *job) {
  if (!job->model) return "dual quaternion palette: the model is missing";
  if (!job->palette || !job->output) return "dual quaternion palette: the palette or the output is missing";
  return NULL;
}

/* ---- vectors and 3×3 matrices in double precision; v[i] is column i ---- */

typedef struct vector {
  double x[3];
} vector;

typedef struct matrix {
  vector v[3];
} matrix;

static double dot(vector a, vector b) { return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2]; }

static vector scale(vector a, double s) { return (vector){{a.x[0] * s, a.x[1] * s, a.x[2] * s}}; }

static vector add_scaled(vector a, double s, vector b) {
  return (vector){{a.x[0] + s * b.x[0], a.x[1] + s * b.x[1], a.x[2] + s * b.x[2]}};
}

static vector cross(vector a, vector b) {
  return (vector){
      {a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2], a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

static vector apply(const matrix *m, vector a) {
  return add_scaled(add_scaled(scale(m->v[0], a.x[0]), a.x[1], m->v[1]), a.x[2], m->v[2]);
}

/* aᵀ b */
static matrix multiply_transposed(const matrix *a, const matrix *b) {
  matrix product;
  for (int c = 0; c < 3; c++)
    for (int r = 0; r < 3; r++) product.v[c].x[r] = dot(a->v[r], b->v[c]);
  return product;
}

static double determinant(const matrix *m) { return dot(cross(m->v[0], m->v[1]), m->v[2]); }

static matrix linear_part(const sinew_mat3x4 *m, double sign) {
  matrix result;
  for (int c = 0; c < 3; c++)
    for (int r = 0; r < 3; r++) result.v[c].x[r] = sign * (double)m->m[4 * r + c];
  return result;
}

static vector translation_of(const sinew_mat3x4 *m) {
  return (vector){{(double)m->m[3], (double)m->m[7], (double)m->m[11]}};
}

/* ---- polar decomposition ---- */

/* Rotates the columns of `vectors` and of `gram` so that gram (p, q) becomes 0 (Jacobi 1846; the smaller root of the
 * tangent, Golub & Van Loan §8.5). */
static void annihilate(matrix *gram, matrix *vectors, int p, int q) {
  double off = gram->v[p].x[q];
  if (off == 0) return;
  double theta = (gram->v[q].x[q] - gram->v[p].x[p]) / (2 * off);
  double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
  double c = 1 / sqrt(t * t + 1), s = t * c;
  vector a = vectors->v[p], b = vectors->v[q];
  vectors->v[p] = add_scaled(scale(a, c), -s, b);
  vectors->v[q] = add_scaled(scale(b, c), s, a);
  int r = 3 - p - q;
  double rp = gram->v[p].x[r], rq = gram->v[q].x[r];
  gram->v[p].x[p] -= t * off;
  gram->v[q].x[q] += t * off;
  gram->v[p].x[q] = gram->v[q].x[p] = 0;
  gram->v[p].x[r] = gram->v[r].x[p] = c * rp - s * rq;
  gram->v[q].x[r] = gram->v[r].x[q] = c * rq + s * rp;
}

static bool is_diagonal(const matrix *gram) {
  double off = fabs(gram->v[0].x[1]) + fabs(gram->v[0].x[2]) + fabs(gram->v[1].x[2]);
  return off <= 1e-15 * (gram->v[0].x[0] + gram->v[1].x[1] + gram->v[2].x[2]);
}

/* The eigenvectors of mᵀ m, the one with the largest value first, right-handed. */
static matrix stretch_axes(const matrix *m) {
  enum { SWEEPS = 12 }; /* it converges in 4 to 6 */
  matrix gram = multiply_transposed(m, m), axes = {{{{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}}};
  for (int i = 0; i < SWEEPS && !is_diagonal(&gram); i++) {
    annihilate(&gram, &axes, 0, 1);
    annihilate(&gram, &axes, 0, 2);
    annihilate(&gram, &axes, 1, 2);
  }
  int first = 0, last = 2;
  for (int i = 1; i < 3; i++)
    if (gram.v[i].x[i] > gram.v[first].x[first]) first = i;
  for (int i = 1; i >= 0; i--)
    if (gram.v[i].x[i] < gram.v[last].x[last]) last = i;
  vector longest = axes.v[first], middle = axes.v[3 - first - last];
  return (matrix){{longest, middle, cross(longest, middle)}};
}

/* a without its component along the unit vector `along`, normalised; zeros if it is shorter than `least`. */
static vector unit_across(vector a, vector along, double least) {
  vector rest = add_scaled(a, -dot(a, along), along);
  double length = sqrt(dot(rest, rest));
  return scale(rest, length > least ? 1 / length : 0);
}

/* The axes after a rotation nearest to m. The third follows from the first two, so a flat m does no harm, and a thin
 * one takes the shortest rotation. */
static matrix turned_axes(const matrix *m, const matrix *axes) {
  const vector nothing = {{0, 0, 0}};
  vector image = apply(m, axes->v[0]);
  double size = sqrt(dot(image, image));
  if (!(size > 1e-18)) return *axes;
  vector u = unit_across(image, nothing, 0);
  vector v = unit_across(apply(m, axes->v[1]), u, 1e-9 * size);
  for (int i = 1; i < 3 && dot(v, v) == 0; i++) v = unit_across(axes->v[i], u, 1e-3);
  return (matrix){{u, v, cross(u, v)}};
}

/* The rotation of m = R S, S symmetric: takes the axes of the stretch to their images. */
static matrix polar_rotation(const matrix *m) {
  matrix from = stretch_axes(m), to = turned_axes(m, &from), rotation;
  for (int c = 0; c < 3; c++) {
    vector sum = scale(to.v[0], from.v[0].x[c]);
    sum = add_scaled(sum, from.v[1].x[c], to.v[1]);
    rotation.v[c] = add_scaled(sum, from.v[2].x[c], to.v[2]);
  }
  return rotation;
}

/* ---- an entry ---- */

/* The joint's position in the bind pose: the inverse bind matrix takes it to the origin. */
static vector bind_position(const sinew_mat3x4 *inverse_bind) {
  sinew_mat3x4 bind;
  return sinew_mat3x4_inverse(inverse_bind, &bind) ? translation_of(&bind) : (vector){{0, 0, 0}};
}

static void store(float out[3], vector a) {
  for (int i = 0; i < 3; i++) out[i] = (float)a.x[i];
}

/* The quaternion of a rotation. */
static void store_rotation(const matrix *rotation, sinew_dual_quat *out) {
  sinew_mat3x4 single = {{0}};
  for (int c = 0; c < 3; c++)
    for (int r = 0; r < 3; r++) single.m[4 * r + c] = (float)rotation->v[c].x[r];
  sinew_transform split = sinew_transform_from_mat3x4(&single);
  memcpy(out->rotation, &split.rotation, sizeof out->rotation);
}

static sinew_dual_quat take_apart(const sinew_mat3x4 *m, vector centre) {
  matrix linear = linear_part(m, 1), proper = linear_part(m, determinant(&linear) < 0 ? -1 : 1);
  matrix rotation = polar_rotation(&proper), s = multiply_transposed(&rotation, &linear);
  vector offset = add_scaled(centre, -1, apply(&s, centre));
  sinew_dual_quat out = {.xx = (float)s.v[0].x[0],
                         .yy = (float)s.v[1].x[1],
                         .zz = (float)s.v[2].x[2],
                         .xy = (float)(0.5 * (s.v[0].x[1] + s.v[1].x[0])),
                         .xz = (float)(0.5 * (s.v[0].x[2] + s.v[2].x[0])),
                         .yz = (float)(0.5 * (s.v[1].x[2] + s.v[2].x[1]))};
  store_rotation(&rotation, &out);
  store(out.offset, offset);
  store(out.translation, add_scaled(translation_of(m), -1, apply(&rotation, offset)));
  return out;
}

/* Handles eight entries, `count` of them valid. Most matrices are rigid; the others are decomposed one by one. */
static void take_eight(const sinew_mat3x4 *palette, const sinew_mat3x4 *inverse_binds, int count,
                       sinew_dual_quat *output) {
  float apart[SINEW_LANES];
  if (skin_kernels_current()->dual_palette(palette, output, apart)) return;
  for (int i = 0; i < count; i++)
    if (!(apart[i] <= SKIN_RIGID)) output[i] = take_apart(palette + i, bind_position(inverse_binds + i));
}

static void take_last(const sinew_mat3x4 *palette, const sinew_mat3x4 *inverse_binds, int count,
                      sinew_dual_quat *output) {
  sinew_mat3x4 read[SINEW_LANES];
  sinew_dual_quat written[SINEW_LANES];
  for (int i = 0; i < SINEW_LANES; i++) read[i] = palette[i < count ? i : 0];
  take_eight(read, inverse_binds, count, written);
  memcpy(output, written, (size_t)count * sizeof *output);
}

static void take_skin_apart(const sinew_dual_quat_palette_job *job, const sinew_skin_view *skin) {
  const sinew_mat3x4 *palette = job->palette + skin->first;
  sinew_dual_quat *output = job->output + skin->first;
  int i = 0;
  for (; i + SINEW_LANES <= skin->count; i += SINEW_LANES)
    take_eight(palette + i, skin->inverse_binds + i, SINEW_LANES, output + i);
  if (i < skin->count) take_last(palette + i, skin->inverse_binds + i, skin->count - i, output + i);
}

bool sinew_dual_quat_palette(const sinew_dual_quat_palette_job *job) {
  if (sinew_dual_quat_palette_check(job)) return false;
  uint64_t before = float_env_enter();
  for (int s = 0; s < job->model->skin_count; s++) take_skin_apart(job, job->model->skins + s);
  float_env_leave(before);
  return true;
}
