#include "skin/kernels/dual_lanes.h"
#include "skin/kernels/skin.h"

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
