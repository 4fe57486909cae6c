#include "skin/kernels/lanes3.h"
#include "skin/kernels/skin.h"

#include <float.h>
#include <math.h>

/* Enlarges the box slightly, for the rounding of a vertex and of the sum of its weights. */
static const float slack = 4e-6f;

LANES_INLINE lanes size_of(lanes a) { return lanes_flip(a, lanes_sign(a)); }

/* Moves one axis of eight boxes: the middle, and half of the length. */
LANES_INLINE lanes move_axis(const float *row, lanes3 center, lanes3 half, lanes *reach) {
  lanes m[4];
  lanes_load_rows(row, 12, m);
  lanes x = lanes_mul(m[0], center.x), y = lanes_mul(m[1], center.y), z = lanes_mul(m[2], center.z);
  lanes middle = lanes_add(lanes_add(x, y), lanes_add(z, m[3]));
  lanes terms = lanes_add(lanes_add(size_of(x), size_of(y)), lanes_add(size_of(z), size_of(m[3])));
  lanes length = lanes3_dot((lanes3){size_of(m[0]), size_of(m[1]), size_of(m[2])}, half);
  *reach = lanes_fma(lanes_set(slack), lanes_add(length, lanes_add(terms, size_of(middle))), length);
  return middle;
}

/* Leaves out boxes with a corner that is not finite, and those of joints that move nothing. */
void skin_bounds(const sinew_joint_extent *extents, const sinew_mat3x4 *palette, lanes_box *box) {
  const lanes zero = lanes_set(0), most = lanes_set(FLT_MAX), least = lanes_set(-FLT_MAX);
  const int stride = sizeof *extents / sizeof(float);
  lanes front[4], back[4], low[3], high[3], sum = zero;
  lanes_load_rows(&extents->center.x, stride, front);
  lanes_load_rows(&extents->center.z, stride, back); /* its z, and half */
  lanes3 center = {front[0], front[1], front[2]}, half = {back[1], back[2], back[3]};
  for (int axis = 0; axis < 3; axis++) {
    lanes reach, middle = move_axis(palette->m + 4 * axis, center, half, &reach);
    low[axis] = lanes_sub(middle, reach);
    high[axis] = lanes_add(middle, reach);
    lanes eighth = lanes_set(0.125f);
    sum = lanes_fma(eighth, size_of(low[axis]), lanes_fma(eighth, size_of(high[axis]), sum));
  }
  lanes finite = lanes_greater(lanes_set(INFINITY), sum);
  for (int axis = 0; axis < 3; axis++) {
    lanes from = lanes_select(finite, low[axis], most), to = lanes_select(finite, high[axis], least);
    from = lanes_select(lanes_greater(zero, half.x), most, from);
    to = lanes_select(lanes_greater(zero, half.x), least, to);
    lanes_store(box->low[axis], lanes_min(lanes_load(box->low[axis]), from));
    lanes_store(box->high[axis], lanes_max(lanes_load(box->high[axis]), to));
  }
}
