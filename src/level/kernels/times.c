#include "level/kernels.h"
#include "math/lanes.h"

#include <math.h>

/* The slabs of Kay and Kajiya (1986). An unused box, from INFINITY to −INFINITY, ends before it begins. */
static void enter(const bvh_boxes *boxes, const bvh_course *c, float most, float times[BVH_WIDE]) {
  lanes begin = lanes_set(0), end = lanes_set(most);
  for (int k = 0; k < 3; k++) {
    lanes low = lanes_load(boxes->low[k]), high = lanes_load(boxes->high[k]);
    lanes first = c->from_above[k] ? high : low, last = c->from_above[k] ? low : high;
    lanes inverse = lanes_set(c->inverse[k]);
    begin = lanes_max(begin, lanes_mul(lanes_sub(first, lanes_set(c->enters[k])), inverse));
    end = lanes_min(end, lanes_mul(lanes_sub(last, lanes_set(c->leaves[k])), inverse));
  }
  lanes_store(times, lanes_select(lanes_greater(begin, end), lanes_set(INFINITY), begin));
}

typedef struct vector {
  lanes x, y, z;
} vector;

LANES_INLINE vector load(const float v[3][BVH_WIDE]) {
  return (vector){lanes_load(v[0]), lanes_load(v[1]), lanes_load(v[2])};
}

LANES_INLINE vector spread(const float v[3]) { return (vector){lanes_set(v[0]), lanes_set(v[1]), lanes_set(v[2])}; }

LANES_INLINE lanes dot(vector a, vector b) {
  return lanes_add(lanes_add(lanes_mul(a.x, b.x), lanes_mul(a.y, b.y)), lanes_mul(a.z, b.z));
}

LANES_INLINE vector cross(vector a, vector b) {
  return (vector){lanes_sub(lanes_mul(a.y, b.z), lanes_mul(a.z, b.y)),
                  lanes_sub(lanes_mul(a.z, b.x), lanes_mul(a.x, b.z)),
                  lanes_sub(lanes_mul(a.x, b.y), lanes_mul(a.y, b.x))};
}

/* Möller and Trumbore (1997). A ray through an edge hits one of its triangles at least, for which the bounds reach a
 * little beyond. */
static void meet(const bvh_group *group, const float from[3], const float way[3], float times[BVH_WIDE]) {
  vector ab = load(group->ab), ac = load(group->ac), a = load(group->a), d = spread(way), o = spread(from);
  vector p = cross(d, ac), t = {lanes_sub(o.x, a.x), lanes_sub(o.y, a.y), lanes_sub(o.z, a.z)}, q = cross(t, ab);
  lanes inverse = lanes_div(lanes_set(1), dot(ab, p)), u = lanes_mul(dot(t, p), inverse),
        v = lanes_mul(dot(d, q), inverse);
  lanes time = lanes_mul(dot(ac, q), inverse), never = lanes_set(INFINITY), least = lanes_set(-1e-6f);
  /* a comparison with NaN, of a triangle without area, is false */
  lanes found = lanes_select(lanes_greater(time, lanes_set(-1e-30f)), time, never);
  found = lanes_select(lanes_greater(u, least), found, never);
  found = lanes_select(lanes_greater(v, least), found, never);
  lanes_store(times, lanes_select(lanes_greater(lanes_set(1 + 2e-6f), lanes_add(u, v)), found, never));
}

extern const level_kernels LANES_NAME(level_kernels, LANES_SUFFIX);
const level_kernels LANES_NAME(level_kernels, LANES_SUFFIX) = {enter, meet};
