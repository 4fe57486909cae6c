/* inertia – what is left of how an actor moved before its last inertial transition. */
#ifndef SINEW_ACTOR_INERTIA_H
#define SINEW_ACTOR_INERTIA_H

#include <sinew/pose.h>

typedef struct inertia {
  sinew_inertia_group *groups; /* NULL: the actor makes no such transitions */
  sinew_pose shown[2];         /* the last pose and the one before, without modifiers */
  int shown_count;
  double gap, step; /* seconds between those two, and of this update */
  double requested; /* seconds of a transition that is to begin; 0: none */
  bool stands;      /* it begins without the speed of what was shown */
  double time, duration;
} inertia;

/* Makes room; the pose that is shown now is where a transition may begin. */
bool inertia_reserve(inertia *i, sinew_pose now);
void inertia_reset(inertia *i);
/* The longest of a frame counts. Nothing happens where there is no room. */
void inertia_request(inertia *i, double seconds, bool stands);
void inertia_advance(inertia *i, double dt);

bool inertia_is_idle(const inertia *i); /* nothing to begin, nothing left */

/* The new source where it began and `gap` later, for a transition that begins now. */
bool inertia_begins(const inertia *i);
void inertia_begin(inertia *i, sinew_pose to, sinew_pose to_after);
/* Adds what is left to the pose, and keeps the sum as what is shown. */
void inertia_apply(inertia *i, sinew_pose pose);

#endif
