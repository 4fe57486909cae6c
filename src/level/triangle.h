/* triangle – one triangle, and what is nearest to it. */
#ifndef SINEW_LEVEL_TRIANGLE_H
#define SINEW_LEVEL_TRIANGLE_H

#include "math/vec3.h"

typedef struct triangle {
  sinew_vec3 a, b, c;
} triangle;

/* The nearest points of a triangle and a line segment. `apart` leads from the triangle's to the segment's; its length
 * is 0 where they meet. */
typedef struct nearest {
  sinew_vec3 on_triangle, apart;
} nearest;

nearest triangle_nearest(const triangle *t, sinew_vec3 from, sinew_vec3 to);

/* Of unit length; {0, 0, 0} for a triangle without area. */
sinew_vec3 triangle_normal(const triangle *t);

#endif
