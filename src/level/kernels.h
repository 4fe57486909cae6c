/* kernels – the inner loops of questions, compiled once for each backend of math/lanes.h. All give the same bits. */
#ifndef SINEW_LEVEL_KERNELS_H
#define SINEW_LEVEL_KERNELS_H

#include <sinew/base.h>

enum { BVH_WIDE = 8 }; /* boxes of a node, triangles of a group: as many as lanes */

/* Low and high, by axis; an unused box has low > high. */
typedef struct bvh_boxes {
  float low[3][BVH_WIDE], high[3][BVH_WIDE];
} bvh_boxes;

typedef struct bvh_node {
  bvh_boxes boxes;
  int child[BVH_WIDE]; /* >= 0: a node; else the group ~child */
} bvh_node;

/* Corner a and the edges from it. An unused lane has edges of 0 and triangle −1. */
typedef struct bvh_group {
  bvh_boxes boxes; /* of each */
  float a[3][BVH_WIDE], ab[3][BVH_WIDE], ac[3][BVH_WIDE];
  int triangle[BVH_WIDE];
} bvh_group;

/* A moving box. It enters a box by the side that it meets first, with its corner there, and leaves it by the other. */
typedef struct bvh_course {
  bool from_above[3]; /* by the high side */
  float inverse[3], enters[3], leaves[3];
} bvh_course;

typedef struct level_kernels {
  /* The times at which a moving box meets others: INFINITY where it does not until `most`. */
  void (*enter)(const bvh_boxes *boxes, const bvh_course *course, float most, float times[BVH_WIDE]);
  /* The times at which a ray meets the triangles of a group: INFINITY where it does not. */
  void (*meet)(const bvh_group *group, const float from[3], const float way[3], float times[BVH_WIDE]);
} level_kernels;

const level_kernels *level_kernels_current(void);

#endif
