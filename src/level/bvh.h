/* bvh – a bounding volume hierarchy over triangles. A node has eight boxes, and a group eight triangles, so that they
 * are tested together. */
#ifndef SINEW_LEVEL_BVH_H
#define SINEW_LEVEL_BVH_H

#include "level/kernels.h"
#include "level/triangle.h"

typedef struct bvh {
  bvh_node *nodes; /* the first is the root */
  bvh_group *groups;
  int node_count, group_count;
} bvh;

/* All zero and false when memory runs out. */
bool bvh_build(bvh *tree, const triangle *triangles, int count);
void bvh_free(bvh *tree);

/* Calls back for each group whose box a moving box meets, roughly the nearest first. The box has its centre at from + t
 * · way, t from 0 to *most, and reaches `extent` to each side. The callback may lower *most. */
typedef void bvh_visitor(void *user, const bvh_group *group, const bvh_course *course, float *most);
void bvh_visit(const bvh *tree, sinew_vec3 from, sinew_vec3 way, sinew_vec3 extent, float *most, bvh_visitor *visit,
               void *user);

#endif
