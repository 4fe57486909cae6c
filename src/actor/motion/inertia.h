/* inertia – the offset that remains from an actor's motion before its last inertial transition. */
#ifndef SINEW_ACTOR_INERTIA_H
#define SINEW_ACTOR_INERTIA_H

#include "actor/motion/foot_inertia.h"

#include <sinew/pose.h>

typedef struct inertia {
  sinew_inertia_group *groups; /* NULL: the actor has no inertial transitions; the last ones are for its feet */
  foot_inertia feet;
  float *levers;       /* of its joints, in the body's own lengths … */
  float scale;         /* … of which one is so long in model space */
  double unit;         /* as in model_gait */
  sinew_pose shown[2]; /* the last pose and the one before, without modifiers */
  int shown_count;
  double gap, step; /* seconds between those two, and of this update */
  double requested; /* seconds of a transition that is to begin; 0: none */
  bool stands;      /* it begins without the speed of what was shown */
  double time, duration;
} inertia;

/* Makes room. A transition may begin where the pose is now, and with `count` 2 as fast as it came from the one before.
 */
bool inertia_reserve(inertia *i, const sinew_model *model, sinew_pose now, sinew_pose before, int count);
/* The same of another actor: it begins where that one is. */
void inertia_follow(inertia *i, const inertia *other);
void inertia_reset(inertia *i);
/* The longest of a frame counts. Without memory nothing happens. */
void inertia_request(inertia *i, double seconds, bool stands);
void inertia_advance(inertia *i, double dt);

bool inertia_is_idle(const inertia *i); /* nothing to begin, nothing left */

bool inertia_begins(const inertia *i);
/* The new source where this update began and `gap` earlier, for a transition that begins now: what goes on as it was
 * then has no offset and no speed. `to_before` is used up. `gait` or NULL: of its feet. */
void inertia_begin(inertia *i, const model_gait *gait, sinew_pose to, sinew_pose to_before);
/* Adds what is left to the pose, and keeps the sum as what is shown. `joints`: scratch. */
void inertia_apply(inertia *i, const model_gait *gait, sinew_pose pose, sinew_mat3x4 *joints);

/* The offset left by modifiers that were replaced. It is added after the modifiers. Their effect has no velocity of its
 * own, but an offset that was still dying away when they took over keeps its velocity. */
typedef struct inertia_offset {
  sinew_inertia_group *groups; /* NULL: nothing ever settled */
  sinew_pose_group *poses;     /* two, for the speed */
  double requested, time, duration;
} inertia_offset;

bool inertia_offset_request(inertia_offset *s, int joint_count, double seconds);
void inertia_offset_reset(inertia_offset *s);
bool inertia_offset_is_idle(const inertia_offset *s);
bool inertia_offset_begins(const inertia_offset *s);
/* `shown` becomes what the old modifiers would have made of the blend now: what was shown last, moved as the blend has
 * moved since. The pose, as the new modifiers have left it, begins there, `dt` ago. */
void inertia_offset_begin(inertia_offset *s, sinew_pose shown, const inertia *blend, double dt, sinew_pose pose);
void inertia_offset_apply(inertia_offset *s, double dt, sinew_pose pose);

#endif
