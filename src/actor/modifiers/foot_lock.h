/* foot_lock – keeps the ball of a foot where it came down for as long as the clips have the foot on the ground. */
#ifndef SINEW_ACTOR_FOOT_LOCK_H
#define SINEW_ACTOR_FOOT_LOCK_H

#include "actor/modifiers/modifier.h"

/* Locks or releases the foot, whose ball is at that point of the world without a lock. `contact`: the fraction of the
 * clips that have it on the ground. A foot more than `radius` metres from where it is locked is released until it
 * lifts.
 */
void foot_lock_update(planted_foot *p, sinew_vec3 ball, float contact, float radius, double dt);

/* How far the foot is lifted that makes a step to where the clip has it, because it was too far behind. */
float foot_lock_lift(const planted_foot *p);

/* Where the ball is shown, at the height of the pose. */
sinew_vec3 foot_lock_shown(const planted_foot *p, sinew_vec3 ball);

#endif
