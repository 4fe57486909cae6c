/* warp – what stride and orientation warping do to a foot. */
#ifndef SINEW_ACTOR_WARP_H
#define SINEW_ACTOR_WARP_H

#include <sinew/math.h>

struct actor;

/* Where the actor's warp, if it has one, takes the ball of leg `side` from there, in model space. */
sinew_vec3 warp_ball(const struct actor *a, int side, sinew_vec3 ball);

#endif
