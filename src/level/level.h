/* level – parts, and what the questions of sinew/level.h share. */
#ifndef SINEW_LEVEL_LEVEL_H
#define SINEW_LEVEL_LEVEL_H

#include "level/bvh.h"

#include <sinew/level.h>

typedef struct level_part {
  triangle *triangles; /* in the part's own space, scaled */
  int *sources;        /* of each: its index as it was added */
  int count;
  bvh tree;
  sinew_vec3 position;
  sinew_quat rotation;
  bool solid;
} level_part;

struct sinew_level {
  level_part *parts;
  int count, capacity;
};

/* The deepest that a capsule stands in any triangle: how deep, metres, and the way out. False if it is nowhere deeper
 * than `least`. */
bool level_deepest(const sinew_level *level, sinew_vec3 from, sinew_vec3 axis, float radius, float least, float *depth,
                   sinew_vec3 *out);

sinew_vec3 part_to_world(const level_part *part, sinew_vec3 point);
sinew_vec3 part_from_world(const level_part *part, sinew_vec3 point);

#endif
