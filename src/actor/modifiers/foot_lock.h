/* foot_lock – keeps the ball of a foot where it came down for as long as the clips have the foot on the ground. */
#ifndef SINEW_ACTOR_FOOT_LOCK_H
#define SINEW_ACTOR_FOOT_LOCK_H

#include "actor/modifiers/modifier.h"

struct actor;

/* The fraction of the playing clips that have this foot on the ground, by weight; −1 if that is not known. */
float foot_lock_contact(const struct actor *a, const sinew_foot *foot);

/* Locks or releases the foot, whose ball is at that point of the world in the pose. A foot more than `radius` metres
 * from where it is locked is released until it lifts. */
void foot_lock_update(planted_foot *p, sinew_vec3 ball, float contact, float radius, double dt);

/* The displacement from the foot in the pose to the foot as shown, in model space. */
sinew_vec3 foot_lock_displacement(const modifier_frame *f, const planted_foot *p, sinew_vec3 ball);

#endif
