/* foot_outline – the points of a foot that must not sink into the ground: the ends of its sole, and its ball. */
#ifndef SINEW_ACTOR_FOOT_OUTLINE_H
#define SINEW_ACTOR_FOOT_OUTLINE_H

#include <sinew/model.h>

/* A point that moves with a joint, and its height in the rest pose. */
typedef struct foot_point {
  int joint;
  sinew_vec3 at; /* in the joint's space */
  float rest;
} foot_point;

/* The ball is the point about which a foot tilts. */
enum { FOOT_HEEL, FOOT_BALL, FOOT_TOE, FOOT_POINTS };
typedef struct foot_outline {
  int foot; /* the joint */
  foot_point points[FOOT_POINTS];
  sinew_vec3 flat[FOOT_POINTS]; /* in the rest pose, seen from the ball; y is 0 */
} foot_outline;

/* The outline of a foot, from the vertices that it moves; without a mesh in proportion to a person's. `placed`: the
 * joints at rest in model space; `size`: as in model_gait. */
foot_outline foot_outline_find(const sinew_model *model, const sinew_transform *placed, int foot, float size);

#endif
