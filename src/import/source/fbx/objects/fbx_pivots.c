#include "import/source/fbx/objects/fbx_pivots.h"

#include "import/raw/curve.h"

#include <math.h>
#include <string.h>

static const double radians_of_degree = 0.017453292519943295;

/* ---- rotations ---- */

typedef double two __attribute__((vector_size(16)));

/* Sine and cosine of an angle in quarter turns. Near a quarter turn they are series whose next terms are below 1e-16;
 * quarter turns themselves are exact. Both series are computed side by side: sin x = x (1 − x²/3! + …), cos x = 1 −
 * x²/2! + … */
static inline void sine_and_cosine(double quarters, double *sine, double *cosine) {
  static const two terms[] = {{1.0 / 355687428096000, 1.0 / 20922789888000},
                              {-1.0 / 1307674368000, -1.0 / 87178291200},
                              {1.0 / 6227020800, 1.0 / 479001600},
                              {-1.0 / 39916800, -1.0 / 3628800},
                              {1.0 / 362880, 1.0 / 40320},
                              {-1.0 / 5040, -1.0 / 720},
                              {1.0 / 120, 1.0 / 24},
                              {-1.0 / 6, -1.0 / 2},
                              {1, 1}};
  double nearest = quarters + 0x1.8p52 - 0x1.8p52, x = 1.5707963267948966 * (quarters - nearest), y = x * x;
  two sum = terms[0];
  for (int i = 1; i < 9; i++) sum = terms[i] + y * sum;
  double s = x * sum[0], c = sum[1];
  int turns = (int)((int64_t)nearest & 3);
  double along = turns & 1 ? c : s, across = turns & 1 ? s : c;
  *sine = turns & 2 ? -along : along;
  *cosine = turns == 1 || turns == 2 ? -across : across;
}

void fbx_quat_multiply(const double a[4], const double b[4], double out[4]) {
  double q[4] = {
      a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
      a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
  memcpy(out, q, sizeof q);
}

void fbx_quat_rotate(const double q[4], const double v[3], double out[3]) {
  double t[3] = {2 * (q[1] * v[2] - q[2] * v[1]), 2 * (q[2] * v[0] - q[0] * v[2]), 2 * (q[0] * v[1] - q[1] * v[0])};
  double r[3] = {v[0] + q[3] * t[0] + q[1] * t[2] - q[2] * t[1], v[1] + q[3] * t[1] + q[2] * t[0] - q[0] * t[2],
                 v[2] + q[3] * t[2] + q[0] * t[1] - q[1] * t[0]};
  memcpy(out, r, sizeof r);
}

/* The product of three rotations about axes, multiplied out; for XYZ it is Rz·Ry·Rx. In the orders that are odd
 * permutations of XYZ, the cross product of two axes is minus the third. */
void fbx_from_euler(const double degrees[3], int order, double q[4]) {
  static const int axes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};
  static const double signs[6] = {1, -1, 1, -1, 1, -1};
  int kind = order >= 0 && order < 6 ? order : 0;
  const int *axis = axes[kind];
  double c[3], s[3], sign = signs[kind];
  for (int i = 0; i < 3; i++) {
    double angle = degrees[axis[i]];
    if (angle == 0) s[i] = 0, c[i] = 1; /* true for many joints in two of three angles */
    else sine_and_cosine((1.0 / 180) * (fabs(angle) < 1e9 ? angle : fmod(angle, 720)), s + i, c + i);
  }
  q[axis[0]] = s[0] * c[1] * c[2] - sign * c[0] * s[1] * s[2];
  q[axis[1]] = c[0] * s[1] * c[2] + sign * s[0] * c[1] * s[2];
  q[axis[2]] = c[0] * c[1] * s[2] - sign * s[0] * s[1] * c[2];
  q[3] = c[0] * c[1] * c[2] + sign * s[0] * s[1] * s[2];
}

/* Rz·Ry·Rx; if y is ±90°, x is set to 0. */
void fbx_to_euler(const double q[4], double degrees[3]) {
  double sine = 2 * (q[3] * q[1] - q[2] * q[0]);
  degrees[1] = sinew_asin(fmax(-1, fmin(1, sine))) / radians_of_degree;
  if (fabs(sine) < 1 - 1e-12) {
    degrees[0] = sinew_atan2(2 * (q[3] * q[0] + q[1] * q[2]), 1 - 2 * (q[0] * q[0] + q[1] * q[1])) / radians_of_degree;
    degrees[2] = sinew_atan2(2 * (q[3] * q[2] + q[0] * q[1]), 1 - 2 * (q[1] * q[1] + q[2] * q[2])) / radians_of_degree;
  } else {
    degrees[0] = 0;
    degrees[2] = sinew_atan2(-2 * (q[0] * q[1] - q[3] * q[2]), 1 - 2 * (q[0] * q[0] + q[2] * q[2])) / radians_of_degree;
  }
}

void fbx_quat_slerp(const double a[4], const double b[4], double t, double out[4]) {
  double cosine = curve_dot4(a, b), sign = cosine < 0 ? -1 : 1, angle = sinew_acos(fmin(fabs(cosine), 1)),
         sine = sinew_sin(angle);
  double wa = sine > 1e-9 ? sinew_sin((1 - t) * angle) / sine : 1 - t,
         wb = sine > 1e-9 ? sinew_sin(t * angle) / sine : t;
  for (int k = 0; k < 4; k++) out[k] = wa * a[k] + sign * wb * b[k];
  curve_normalize4(out);
}

/* ---- matrices ---- */

void fbx_matrix_of(const double t[3], const double q[4], const double s[3], double m[12]) {
  for (int c = 0; c < 3; c++) {
    double axis[3] = {c == 0, c == 1, c == 2}, column[3];
    fbx_quat_rotate(q, axis, column);
    for (int r = 0; r < 3; r++) m[4 * r + c] = column[r] * s[c];
  }
  for (int r = 0; r < 3; r++) m[4 * r + 3] = t[r];
}

void fbx_matrix_multiply(const double a[12], const double b[12], double out[12]) {
  double m[12];
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 4; c++)
      m[4 * r + c] = a[4 * r] * b[c] + a[4 * r + 1] * b[4 + c] + a[4 * r + 2] * b[8 + c] + (c == 3 ? a[4 * r + 3] : 0);
  memcpy(out, m, sizeof m);
}

bool fbx_matrix_inverse(const double m[12], double out[12]) {
  static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  double inverse[12];
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) { /* the adjugate */
      int a = 4 * ((c + 1) % 3), b = 4 * ((c + 2) % 3), i = (r + 1) % 3, j = (r + 2) % 3;
      inverse[4 * r + c] = m[a + i] * m[b + j] - m[a + j] * m[b + i];
    }
  double determinant = m[0] * inverse[0] + m[1] * inverse[4] + m[2] * inverse[8];
  bool regular = fabs(determinant) > 1e-60 && isfinite(determinant);
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) inverse[4 * r + c] /= regular ? determinant : 1;
    inverse[4 * r + 3] = -(inverse[4 * r] * m[3] + inverse[4 * r + 1] * m[7] + inverse[4 * r + 2] * m[11]);
  }
  memcpy(out, regular ? inverse : identity, sizeof inverse);
  return regular;
}

sinew_mat3x4 fbx_to_mat3x4(const double m[12]) {
  sinew_mat3x4 matrix;
  for (int i = 0; i < 12; i++) matrix.m[i] = (float)m[i];
  return matrix;
}

/* ---- nodes ---- */

static bool is_zero(const double v[3]) { return v[0] == 0 && v[1] == 0 && v[2] == 0; }

/* Without RotationActive, pre- and post-rotation and the order do not apply. A file with neither the property nor a
 * template has them active. */
static bool is_rotation_active(const fbx_object *model) {
  double otherwise = model->template ? 0 : 1;
  return fbx_property(model, "RotationActive", otherwise) != 0 &&
         fbx_property(model, "RotationSpaceForLimitOnly", 0) == 0;
}

fbx_pivots fbx_pivots_of(const fbx_object *model) {
  double rotation_offset[3] = {0}, rotation_pivot[3] = {0}, scaling_offset[3] = {0}, pre[3] = {0}, post[3] = {0};
  fbx_pivots p = {.pre = {0, 0, 0, 1}, .post = {0, 0, 0, 1}};
  fbx_property_vector(model, "RotationOffset", rotation_offset);
  fbx_property_vector(model, "RotationPivot", rotation_pivot);
  fbx_property_vector(model, "ScalingOffset", scaling_offset);
  fbx_property_vector(model, "ScalingPivot", p.scale_pivot);
  for (int i = 0; i < 3; i++) {
    p.before[i] = rotation_offset[i] + rotation_pivot[i];
    p.pivot[i] = -rotation_pivot[i] + scaling_offset[i] + p.scale_pivot[i];
  }
  p.moves = !is_zero(p.pivot) || !is_zero(p.scale_pivot);
  if (!is_rotation_active(model)) return p;
  double order = fbx_property(model, "RotationOrder", 0);
  p.order = order > 0 && order < 6 ? (int)order : 0;
  fbx_property_vector(model, "PreRotation", pre);
  fbx_property_vector(model, "PostRotation", post);
  fbx_from_euler(pre, 0, p.pre);
  fbx_from_euler(post, 0, p.post);
  for (int i = 0; i < 3; i++) p.post[i] = -p.post[i];
  p.turns_before = !is_zero(pre);
  p.turns_after = !is_zero(post);
  return p;
}

/* The values of a channel "Transform" ▸ "T" ▸ "X". False if there is none. */
static bool read_channel(const fbx_record *model, const char *name, double out[3]) {
  const fbx_record *channel = fbx_child(model, "Channel");
  while (channel && !fbx_says(channel, 0, "Transform")) channel = fbx_again(channel);
  for (channel = fbx_child(channel, "Channel"); channel; channel = fbx_again(channel)) {
    const fbx_record *axis = fbx_child(channel, "Channel");
    if (!axis || !fbx_says(channel, 0, name)) continue;
    for (int i = 0; i < 3 && axis; i++, axis = fbx_again(axis))
      out[i] = fbx_number(fbx_child(axis, "Default"), 0, out[i]);
    return true;
  }
  return false;
}

/* The model's record in the first take, or NULL. */
static const fbx_record *find_in_take(const fbx_scene *scene, const fbx_object *object) {
  const fbx_record *take = fbx_child(fbx_child(&scene->file->root, "Takes"), "Take"), *model = fbx_child(take, "Model");
  while (model && fbx_hash(model, 0) != object->id) model = fbx_again(model);
  return model;
}

/* Before 6.0 a model has no properties: its rest pose is in its own channels, or in those of the first take. */
fbx_local fbx_rest_of(const fbx_scene *scene, const fbx_object *model) {
  static const char *const names[] = {"Lcl Translation", "Lcl Rotation", "Lcl Scaling"};
  static const char *const letters[] = {"T", "R", "S"};
  fbx_local local = {{{0}, {0}, {1, 1, 1}}};
  for (int i = 0; i < FBX_CHANNEL_COUNT; i++) {
    double *value = local.value[i];
    if (fbx_property_vector(model, names[i], value) != FBX_ABSENT || scene->file->version >= 6000) continue;
    if (!read_channel(model->record, letters[i], value)) read_channel(find_in_take(scene, model), letters[i], value);
  }
  return local;
}

void fbx_rotation_of(const fbx_pivots *p, const double degrees[3], double q[4]) {
  fbx_from_euler(degrees, p->order, q);
  if (p->turns_before) fbx_quat_multiply(p->pre, q, q);
  if (p->turns_after) fbx_quat_multiply(q, p->post, q);
}

fbx_transform fbx_transform_of(const fbx_pivots *p, const fbx_local *local) {
  const double *t = local->value[FBX_TRANSLATION], *s = local->value[FBX_SCALE];
  fbx_transform result;
  double offset[3] = {0};
  fbx_rotation_of(p, local->value[FBX_ROTATION], result.rotation);
  if (p->moves) {
    for (int i = 0; i < 3; i++) offset[i] = p->pivot[i] - s[i] * p->scale_pivot[i];
    fbx_quat_rotate(result.rotation, offset, offset);
  }
  for (int i = 0; i < 3; i++) result.translation[i] = t[i] + p->before[i] + offset[i];
  memcpy(result.scale, s, sizeof result.scale);
  return result;
}

bool fbx_geometric(const fbx_object *model, double m[12]) {
  double t[3] = {0}, r[3] = {0}, s[3] = {1, 1, 1}, q[4];
  fbx_property_vector(model, "GeometricTranslation", t);
  fbx_property_vector(model, "GeometricRotation", r);
  fbx_property_vector(model, "GeometricScaling", s);
  fbx_from_euler(r, 0, q);
  fbx_matrix_of(t, q, s, m);
  return !is_zero(t) || !is_zero(r) || s[0] != 1 || s[1] != 1 || s[2] != 1;
}
