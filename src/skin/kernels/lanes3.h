/* Eight vectors in lanes. */
#ifndef SINEW_SKIN_KERNELS_LANES3_H
#define SINEW_SKIN_KERNELS_LANES3_H

#include "math/lanes.h"

typedef struct lanes3 {
  lanes x, y, z;
} lanes3;

LANES_INLINE lanes3 lanes3_add(lanes3 a, lanes3 b) {
  return (lanes3){lanes_add(a.x, b.x), lanes_add(a.y, b.y), lanes_add(a.z, b.z)};
}

LANES_INLINE lanes3 lanes3_cross(lanes3 a, lanes3 b) {
  return (lanes3){lanes_fms(a.y, b.z, lanes_mul(a.z, b.y)), lanes_fms(a.z, b.x, lanes_mul(a.x, b.z)),
                  lanes_fms(a.x, b.y, lanes_mul(a.y, b.x))};
}

LANES_INLINE lanes lanes3_dot(lanes3 a, lanes3 b) {
  return lanes_fma(a.z, b.z, lanes_fma(a.y, b.y, lanes_mul(a.x, b.x)));
}

/* x · v.x + y · v.y + z · v.z */
LANES_INLINE lanes3 lanes3_combine(lanes3 x, lanes3 y, lanes3 z, lanes3 v) {
  return (lanes3){lanes_fma(z.x, v.z, lanes_fma(y.x, v.y, lanes_mul(x.x, v.x))),
                  lanes_fma(z.y, v.z, lanes_fma(y.y, v.y, lanes_mul(x.y, v.x))),
                  lanes_fma(z.z, v.z, lanes_fma(y.z, v.y, lanes_mul(x.z, v.x)))};
}

LANES_INLINE void lanes3_add_scaled(lanes3 *sum, lanes s, lanes3 v) {
  *sum = (lanes3){lanes_fma(s, v.x, sum->x), lanes_fma(s, v.y, sum->y), lanes_fma(s, v.z, sum->z)};
}

#endif
