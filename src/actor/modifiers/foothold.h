/* foothold – the ground under a planted foot: under its sole while it stands, and from where it lifts to where it will
 * come down while it swings.
 *
 * A foot in the air does not climb every step that it passes. When it lifts, the clips tell where it comes down; the
 * ground there is asked once, and again if the landing moves by 2 cm. On its way the foot rises from one plane to the
 * other, and over what is higher in between. All lengths are in world space. */
#ifndef SINEW_ACTOR_FOOTHOLD_H
#define SINEW_ACTOR_FOOTHOLD_H

#include "actor/modifiers/foot_phase.h"
#include "actor/sync/foot_outline.h"

typedef struct foothold_job {
  const modifier *m;
  const modifier_frame *f;
  const sinew_foot *foot;
  planted_foot *p;
  const foot_outline *outline;
  float unit;          /* world lengths of a metre of a figure of size 1 */
  foot_phase phase;    /* where the clips have it */
  sinew_vec3 ball;     /* in the pose */
  sinew_vec3 velocity; /* of the actor … */
  float turning;       /* … and about the vertical, radians a second */
} foothold_job;

/* How far a foot that goes to a better foothold is shown beside its pose, along the ground. Plans the way of one that
 * has just lifted. */
sinew_vec3 foothold_aside(const foothold_job *job);

/* Moves the plane under the foot, whose ball is shown at `shown`. */
void foothold_follow(const foothold_job *job, sinew_vec3 shown);

/* The point of a foot that its sole tilts about, in world space. */
sinew_vec3 foothold_ball(const modifier_frame *f, const sinew_foot *foot);

#endif
