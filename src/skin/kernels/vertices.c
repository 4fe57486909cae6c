#include "skin/kernels.h"
#include "skin/kernels/lanes3.h"
#include "skin/kernels/skin.h"

#include <string.h>

/* The matrix's columns. */
typedef struct frame_lanes {
  lanes3 x, y, z, translation;
} frame_lanes;

/* Blends the matrices of a vertex's joints, for the first `used` of its influences. */
LANES_INLINE lanes_affine blend_any(const skin_vertices *b, int vertex, int used) {
  const uint16_t *joints = b->joints + vertex * b->influences;
  const float *weights = b->weights + vertex * b->influences;
  lanes_affine sum = lanes_affine_mul(b->palette[joints[0]].m, lanes_set(weights[0]));
  for (int k = 1; k < used; k++) sum = lanes_affine_fma(b->palette[joints[k]].m, lanes_set(weights[k]), sum);
  return sum;
}

/* The same for a vertex with 4 influences, whose weights are read at once. */
LANES_INLINE lanes_affine blend_four(const skin_vertices *b, int vertex, int used) {
  const uint16_t *joints = b->joints + 4 * vertex;
  lanes weights = lanes_load_twice(b->weights + 4 * vertex);
  lanes_affine sum = lanes_affine_mul(b->palette[joints[0]].m, LANES_SPLAT(weights, 0));
  if (used > 1) sum = lanes_affine_fma(b->palette[joints[1]].m, LANES_SPLAT(weights, 1), sum);
  if (used > 2) sum = lanes_affine_fma(b->palette[joints[2]].m, LANES_SPLAT(weights, 2), sum);
  if (used > 3) sum = lanes_affine_fma(b->palette[joints[3]].m, LANES_SPLAT(weights, 3), sum);
  return sum;
}

/* For vertices i and i + 4 side by side. The last vertex stands in for missing ones. */
LANES_INLINE frame_lanes frame_of_matrices(const skin_vertices *b, int count, int used, bool fours) {
  lanes pairs[3][4], m[3][4];
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) {
    int low = i < count ? i : count - 1, high = i + 4 < count ? i + 4 : count - 1;
    lanes rows[3];
    if (fours) lanes_affine_pair(blend_four(b, low, used), blend_four(b, high, used), rows);
    else lanes_affine_pair(blend_any(b, low, used), blend_any(b, high, used), rows);
    for (int r = 0; r < 3; r++) pairs[r][i] = rows[r];
  }
  for (int r = 0; r < 3; r++) lanes_transpose(pairs[r], m[r]);
  return (frame_lanes){{m[0][0], m[1][0], m[2][0]},
                       {m[0][1], m[1][1], m[2][1]},
                       {m[0][2], m[1][2], m[2][2]},
                       {m[0][3], m[1][3], m[2][3]}};
}

/* Sums over a vertex's joints; `dual` is twice the dual part. */
typedef struct dual_lanes {
  lanes3 real;
  lanes real_w;
  lanes3 dual;
  lanes dual_w;
  lanes3 diagonal, sides; /* of the stretch: xx yy zz, and yz xz xy */
  lanes3 offset;
} dual_lanes;

/* Influence number k of eight vertices: its dual quaternions and weights. Missing vertices repeat the first one. */
typedef struct dual_influence {
  const float *entries[SINEW_LANES];
  lanes weights;
} dual_influence;

LANES_INLINE dual_influence find_influence(const skin_vertices *b, const lanes *fours, int k) {
  dual_influence in;
  float weights[SINEW_LANES] = {0};
  for (int v = 0; v < SINEW_LANES; v++) {
    int at = (v < b->count ? v : 0) * b->influences + k;
    in.entries[v] = b->dual_quats[b->joints[at]].rotation;
    if (!fours) weights[v] = b->weights[at];
  }
  in.weights = fours ? fours[k] : lanes_load(weights);
  return in;
}

/* The rotation of each vertex's heaviest influence; of several, the first. */
LANES_INLINE void find_reference(const skin_vertices *b, const lanes *fours, int used, lanes reference[4]) {
  dual_influence in = find_influence(b, fours, 0);
  lanes most = in.weights;
  lanes_gather_rows(in.entries, 0, reference);
  for (int k = 1; k < used; k++) {
    lanes r[4];
    in = find_influence(b, fours, k);
    lanes_gather_rows(in.entries, 0, r);
    lanes heavier = lanes_greater(in.weights, most);
    most = lanes_max(in.weights, most);
    for (int c = 0; c < 4; c++) reference[c] = lanes_select(heavier, r[c], reference[c]);
  }
}

/* Adds one influence of each vertex, in the hemisphere of `reference`. (t, 0) · r is (w t + t × r, −t · r). */
LANES_INLINE void add_entries(dual_lanes *sum, const dual_influence *in, const lanes reference[4]) {
  lanes r[4], t[4], o[4], s[4], weight = in->weights;
  lanes_gather_rows(in->entries, 0, r);
  lanes_gather_rows(in->entries, 4, t);
  lanes_gather_rows(in->entries, 8, o);
  lanes_gather_rows(in->entries, 12, s);
  lanes3 real = {r[0], r[1], r[2]}, shift = {t[0], t[1], t[2]};
  lanes same = lanes_fma(r[3], reference[3], lanes3_dot(real, (lanes3){reference[0], reference[1], reference[2]}));
  lanes side = lanes_select(lanes_greater(lanes_set(0), same), lanes_set(-0.0f), lanes_set(0));
  lanes w = lanes_flip(weight, side);
  lanes3 dual = lanes3_cross(shift, real);
  lanes3_add_scaled(&dual, r[3], shift);
  lanes3_add_scaled(&sum->real, w, real);
  sum->real_w = lanes_fma(w, r[3], sum->real_w);
  lanes3_add_scaled(&sum->dual, w, dual);
  sum->dual_w = lanes_fnma(w, lanes3_dot(shift, real), sum->dual_w);
  lanes3_add_scaled(&sum->diagonal, weight, (lanes3){t[3], o[3], s[3]});
  lanes3_add_scaled(&sum->sides, weight, (lanes3){s[2], s[1], s[0]});
  lanes3_add_scaled(&sum->offset, weight, (lanes3){o[0], o[1], o[2]});
}

/* The rotation of q as columns, divided by |q|², whose inverse is `inverse`. */
LANES_INLINE void rotation_columns(lanes3 q, lanes w, lanes inverse, lanes3 column[3]) {
  const lanes one = lanes_set(1);
  lanes s = lanes_add(inverse, inverse);
  lanes xs = lanes_mul(q.x, s), ys = lanes_mul(q.y, s), zs = lanes_mul(q.z, s);
  lanes wx = lanes_mul(w, xs), wy = lanes_mul(w, ys), wz = lanes_mul(w, zs);
  lanes off_zz = lanes_fnma(q.z, zs, one), off_xx = lanes_fnma(q.x, xs, one);
  column[0] = (lanes3){lanes_fnma(q.y, ys, off_zz), lanes_fma(q.x, ys, wz), lanes_fms(q.x, zs, wy)};
  column[1] = (lanes3){lanes_fms(q.x, ys, wz), lanes_fnma(q.x, xs, off_zz), lanes_fma(q.y, zs, wx)};
  column[2] = (lanes3){lanes_fma(q.x, zs, wy), lanes_fms(q.y, zs, wx), lanes_fnma(q.y, ys, off_xx)};
}

/* The vector part of dual · conjugate(real) / |real|²: (w d − e r − d × r), where e is the dual part's w. */
LANES_INLINE lanes3 translation_of(const dual_lanes *sum, lanes inverse) {
  lanes3 t = lanes3_cross(sum->real, sum->dual);
  lanes3_add_scaled(&t, sum->real_w, sum->dual);
  lanes3_add_scaled(&t, lanes_flip(sum->dual_w, lanes_set(-0.0f)), sum->real);
  return (lanes3){lanes_mul(inverse, t.x), lanes_mul(inverse, t.y), lanes_mul(inverse, t.z)};
}

LANES_INLINE frame_lanes frame_of_sums(const dual_lanes *sum) {
  lanes inverse = lanes_div(lanes_set(1), lanes_fma(sum->real_w, sum->real_w, lanes3_dot(sum->real, sum->real)));
  lanes3 rotation[3], d = sum->diagonal, s = sum->sides;
  rotation_columns(sum->real, sum->real_w, inverse, rotation);
  return (frame_lanes){
      lanes3_combine(rotation[0], rotation[1], rotation[2], (lanes3){d.x, s.z, s.y}),
      lanes3_combine(rotation[0], rotation[1], rotation[2], (lanes3){s.z, d.y, s.x}),
      lanes3_combine(rotation[0], rotation[1], rotation[2], (lanes3){s.y, s.x, d.z}),
      lanes3_add(lanes3_combine(rotation[0], rotation[1], rotation[2], sum->offset), translation_of(sum, inverse))};
}

LANES_COPIED frame_lanes frame_of_dual_quats(const skin_vertices *b, int used) {
  const lanes zero = lanes_set(0);
  const lanes3 none = {zero, zero, zero};
  dual_lanes sum = {none, zero, none, zero, none, none, none};
  lanes reference[4], weights[4], *fours = NULL;
  if (b->influences == 4 && b->count == SINEW_LANES) {
    lanes_load_rows(b->weights, 4, weights);
    fours = weights;
  }
  find_reference(b, fours, used, reference);
  for (int k = 0; k < used; k++) {
    dual_influence in = find_influence(b, fours, k);
    add_entries(&sum, &in, reference);
  }
  return frame_of_sums(&sum);
}

/* A vector whose length is not 1 yet. */
typedef struct turned_lanes {
  lanes3 v;
  lanes square; /* of the length */
} turned_lanes;

LANES_INLINE turned_lanes turned(lanes3 v) { return (turned_lanes){v, lanes3_dot(v, v)}; }

LANES_INLINE lanes3 unit(const turned_lanes *t) {
  lanes length = lanes_sqrt(t->square), zero = lanes_set(0);
  lanes s = lanes_select(lanes_greater(length, zero), lanes_div(lanes_set(1), length), zero);
  return (lanes3){lanes_mul(t->v.x, s), lanes_mul(t->v.y, s), lanes_mul(t->v.z, s)};
}

/* Transforms normals by the cofactor matrix, det · (M⁻¹)ᵀ, which is right up to a length even if M has no inverse. Its
 * columns are y × z, z × x and x × y; the first two are combined: n.x (y × z) + n.y (z × x) = (n.x y − n.y x) × z. Its
 * sign follows the determinant, so a mirrored matrix needs the sign flipped. */
LANES_INLINE lanes3 transform_normal(const frame_lanes *f, lanes3 n) {
  lanes3 xy = lanes3_cross(f->x, f->y), z = f->z;
  lanes3 u = {lanes_fms(n.x, f->y.x, lanes_mul(n.y, f->x.x)), lanes_fms(n.x, f->y.y, lanes_mul(n.y, f->x.y)),
              lanes_fms(n.x, f->y.z, lanes_mul(n.y, f->x.z))};
  lanes3 sum = {lanes_fma(u.y, z.z, lanes_fnma(u.z, z.y, lanes_mul(n.z, xy.x))),
                lanes_fma(u.z, z.x, lanes_fnma(u.x, z.z, lanes_mul(n.z, xy.y))),
                lanes_fma(u.x, z.y, lanes_fnma(u.y, z.x, lanes_mul(n.z, xy.z)))};
  lanes sign = lanes_sign(lanes3_dot(z, xy));
  return (lanes3){lanes_flip(sum.x, sign), lanes_flip(sum.y, sign), lanes_flip(sum.z, sign)};
}

LANES_INLINE lanes3 load(const float *vectors) {
  lanes c[3];
  lanes_load_threes(vectors, c);
  return (lanes3){c[0], c[1], c[2]};
}

/* ---- a block of eights, step by step: a processor looks ahead only so far, and should find the same step of the next
 * eight there, not one that waits for this one's square root ---- */

enum { BLOCK = 16, THREES = 3 * SINEW_LANES, FOURS = 4 * SINEW_LANES };

typedef struct block {
  int eights;
  frame_lanes frames[BLOCK];
  turned_lanes normals[BLOCK], tangents[BLOCK];
} block;

static void turn(block *k, const float *normals, const float *tangents) {
  for (int i = 0; normals && i < k->eights; i++)
    k->normals[i] = turned(transform_normal(k->frames + i, load(normals + i * THREES)));
  for (int i = 0; tangents && i < k->eights; i++) {
    const frame_lanes *f = k->frames + i;
    lanes c[4];
    lanes_load_rows(tangents + i * FOURS, 4, c);
    k->tangents[i] = turned(lanes3_combine(f->x, f->y, f->z, (lanes3){c[0], c[1], c[2]}));
  }
}

LANES_INLINE void store(lanes3 v, float *vectors) { lanes_store_threes(v.x, v.y, v.z, vectors); }

LANES_INLINE lanes3 transform_point(const frame_lanes *f, lanes3 p) {
  lanes3 v = f->translation;
  lanes3_add_scaled(&v, p.x, f->x);
  lanes3_add_scaled(&v, p.y, f->y);
  lanes3_add_scaled(&v, p.z, f->z);
  return v;
}

static void finish(const block *k, skin_vertices b) {
  for (int i = 0; i < k->eights; i++) {
    if (b.out[0]) store(transform_point(k->frames + i, load(b.in[0] + i * THREES)), b.out[0] + i * THREES);
    if (b.out[1]) store(unit(k->normals + i), b.out[1] + i * THREES);
    if (b.out[2]) {
      lanes c[4];
      lanes_load_rows(b.in[2] + i * FOURS, 4, c);
      lanes3 v = unit(k->tangents + i);
      lanes_store_rows(v.x, v.y, v.z, c[3], b.out[2] + i * FOURS, 4);
    }
  }
}

/* ---- their matrices ---- */

/* The number of influences before those whose weights are 0 in all vertices. */
static inline int count_used(const skin_vertices *b) {
  for (int k = b->influences - 1; k > 0; k--)
    for (int v = 0; v < SINEW_LANES && v < b->count; v++)
      if (b->weights[v * b->influences + k] != 0) return k + 1;
  return 1;
}

/* The same of eight vertices with 4 influences. */
static inline int count_used_of_four(const float *weights) {
  if (weights[3] != 0) return 4;
  float most[SINEW_LANES];
  lanes all = lanes_set(0);
  for (int i = 0; i < 4; i++) {
    lanes w = lanes_load(weights + i * SINEW_LANES);
    all = lanes_max(lanes_flip(w, lanes_sign(w)), all);
  }
  lanes_store(most, all);
  for (int k = 3; k > 0; k--)
    if (most[k] > 0 || most[k + 4] > 0) return k + 1;
  return 1;
}

static inline void go_on(skin_vertices *b, int eights) {
  int vertices = eights * SINEW_LANES;
  b->count -= vertices;
  b->joints += vertices * b->influences;
  b->weights += vertices * b->influences;
}

/* Blends as many eights as use the same number of their 4 influences (a constant in each call) and fit into `frames`.
 * Returns how many. */
LANES_INLINE int blend_eights(const skin_vertices *vertices, frame_lanes *frames, int positions, int used) {
  skin_vertices b = *vertices;
  b.influences = 4;
  int n = 0;
  do {
    frames[n++] = frame_of_matrices(&b, SINEW_LANES, used, true);
    go_on(&b, 1);
  } while (n < positions && b.count >= SINEW_LANES && count_used_of_four(b.weights) == used);
  return n;
}

static int blend_one(const skin_vertices *b, frame_lanes *f, int positions) { return blend_eights(b, f, positions, 1); }

static int blend_two(const skin_vertices *b, frame_lanes *f, int positions) { return blend_eights(b, f, positions, 2); }

static int blend_three(const skin_vertices *b, frame_lanes *f, int positions) {
  return blend_eights(b, f, positions, 3);
}

static int blend_all_four(const skin_vertices *b, frame_lanes *f, int positions) {
  return blend_eights(b, f, positions, 4);
}

static int blend_any_eight(const skin_vertices *b, frame_lanes *frame) {
  *frame = frame_of_matrices(b, b->count < SINEW_LANES ? b->count : SINEW_LANES, count_used(b), false);
  return 1;
}

static void frames_of_matrices(skin_vertices *b, block *k) {
  static int (*const blend[])(const skin_vertices *, frame_lanes *, int) = {blend_one, blend_two, blend_three,
                                                                            blend_all_four};
  k->eights = 0;
  while (k->eights < BLOCK && b->count > 0) {
    frame_lanes *next = k->frames + k->eights;
    int n = b->influences == 4 && b->count >= SINEW_LANES
                ? blend[count_used_of_four(b->weights) - 1](b, next, BLOCK - k->eights)
                : blend_any_eight(b, next);
    k->eights += n;
    go_on(b, n);
  }
}

static void frames_of_dual_quats(skin_vertices *b, block *k) {
  for (k->eights = 0; k->eights < BLOCK && b->count > 0; go_on(b, 1)) {
    skin_vertices eight = *b;
    if (eight.count > SINEW_LANES) eight.count = SINEW_LANES;
    k->frames[k->eights++] = frame_of_dual_quats(&eight, count_used(&eight));
  }
}

void skin_move(skin_vertices b) {
  block k;
  while (b.count > 0) {
    if (b.palette) frames_of_matrices(&b, &k);
    else frames_of_dual_quats(&b, &k);
    turn(&k, b.out[1] ? b.in[1] : NULL, b.out[2] ? b.in[2] : NULL);
    finish(&k, b);
    for (int i = 0; i < SKIN_PARTS; i++) {
      if (!b.out[i]) continue;
      b.in[i] += k.eights * SINEW_LANES * skin_part_size[i];
      b.out[i] += k.eights * SINEW_LANES * skin_part_size[i];
    }
  }
}
