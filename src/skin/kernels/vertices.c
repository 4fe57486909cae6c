#include "skin/kernels/dual_lanes.h"
#include "skin/kernels/skin.h"

LANES_INLINE lanes3 unit(lanes3 v) {
  lanes length = lanes_sqrt(lanes3_dot(v, v)), zero = lanes_set(0);
  lanes s = lanes_select(lanes_greater(length, zero), lanes_div(lanes_set(1), length), zero);
  return (lanes3){lanes_mul(v.x, s), lanes_mul(v.y, s), lanes_mul(v.z, s)};
}

/* Normals by the cofactor matrix, det · (M⁻¹)ᵀ: right up to a length, also where M has no inverse. Its sign follows the
 * determinant, so a mirrored matrix needs it turned back. */
LANES_INLINE lanes3 transform_normal(const frame_lanes *f, lanes3 n) {
  lanes3 yz = lanes3_cross(f->y, f->z);
  lanes3 sum = lanes3_combine(yz, lanes3_cross(f->z, f->x), lanes3_cross(f->x, f->y), n);
  lanes sign = lanes_sign(lanes3_dot(f->x, yz));
  return unit((lanes3){lanes_flip(sum.x, sign), lanes_flip(sum.y, sign), lanes_flip(sum.z, sign)});
}

LANES_INLINE lanes3 load(const float *vectors) {
  lanes c[3];
  lanes_load_threes(vectors, c);
  return (lanes3){c[0], c[1], c[2]};
}

LANES_INLINE void transform(const frame_lanes *f, const skin_vertices *b) {
  if (b->out[0]) {
    lanes3 v = lanes3_add(lanes3_combine(f->x, f->y, f->z, load(b->in[0])), f->translation);
    lanes_store_threes(v.x, v.y, v.z, b->out[0]);
  }
  if (b->out[1]) {
    lanes3 v = transform_normal(f, load(b->in[1]));
    lanes_store_threes(v.x, v.y, v.z, b->out[1]);
  }
  if (b->out[2]) {
    lanes c[4];
    lanes_load_rows(b->in[2], 4, c);
    lanes3 v = unit(lanes3_combine(f->x, f->y, f->z, (lanes3){c[0], c[1], c[2]}));
    lanes_store_rows(v.x, v.y, v.z, c[3], b->out[2], 4);
  }
}

/* How many influences come before weights that are 0 in all vertices. */
static inline int count_used(const skin_vertices *b) {
  for (int k = b->influences - 1; k > 0; k--)
    for (int v = 0; v < SINEW_LANES && v < b->count; v++)
      if (b->weights[v * b->influences + k] != 0) return k + 1;
  return 1;
}

static inline void go_on(skin_vertices *b) {
  b->count -= SINEW_LANES;
  b->joints += SINEW_LANES * b->influences;
  b->weights += SINEW_LANES * b->influences;
  for (int i = 0; i < SKIN_PARTS; i++) {
    if (!b->out[i]) continue;
    b->in[i] += SINEW_LANES * skin_part_size[i];
    b->out[i] += SINEW_LANES * skin_part_size[i];
  }
}

/* Eights of vertices for as long as they use as many of their 4 influences, a number that is known where this is
 * called. */
LANES_INLINE void move_eights(skin_vertices *vertices, int used) {
  skin_vertices b = *vertices;
  do {
    frame_lanes f = frame_of_matrices(&b, SINEW_LANES, 4, used);
    transform(&f, &b);
    go_on(&b);
  } while (b.count >= SINEW_LANES && count_used(&b) == used);
  *vertices = b;
}

static void move_by_one(skin_vertices *b) { move_eights(b, 1); }
static void move_by_two(skin_vertices *b) { move_eights(b, 2); }
static void move_by_three(skin_vertices *b) { move_eights(b, 3); }
static void move_by_four(skin_vertices *b) { move_eights(b, 4); }

/* Up to eight vertices, with any number of influences. */
static void move_by_any(skin_vertices *b) {
  int count = b->count < SINEW_LANES ? b->count : SINEW_LANES;
  frame_lanes f = frame_of_matrices(b, count, b->influences, count_used(b));
  transform(&f, b);
  go_on(b);
}

static void move_by_dual_quats(skin_vertices b) {
  for (int left = b.count; left > 0; left = b.count) {
    if (b.count > SINEW_LANES) b.count = SINEW_LANES;
    frame_lanes f = frame_of_dual_quats(&b, count_used(&b));
    transform(&f, &b);
    b.count = left;
    go_on(&b);
  }
}

static void move_by_matrices(skin_vertices b) {
  static void (*const moves[])(skin_vertices *) = {move_by_one, move_by_two, move_by_three, move_by_four};
  while (b.count > 0)
    if (b.influences == 4 && b.count >= SINEW_LANES) moves[count_used(&b) - 1](&b);
    else move_by_any(&b);
}

void skin_move(skin_vertices b) {
  if (b.palette) move_by_matrices(b);
  else move_by_dual_quats(b);
}
