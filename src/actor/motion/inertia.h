/* inertia – the offset that remains from an actor's motion before its last inertial transition. */
#ifndef SINEW_ACTOR_INERTIA_H
#define SINEW_ACTOR_INERTIA_H

#include "actor/sync/gait.h"

#include <sinew/modifier_jobs.h>
#include <sinew/pose.h>

/* Feet that continue as they were shown, and move softly to the new motion.  The offsets of hip, knee and ankle decay
 * independently, which would throw the foot: a knee turning at 13 rad/s and a hip at 9 hold a foot still only while
 * both last. So the ball of each foot and the foot's rotation have their own offset, in model space, and the limb is
 * bent to match. Heights have one, too; otherwise the rest of a stride would push a foot down, where the ground stops
 * it. */

typedef struct foot_inertia {
  sinew_inertia_group *offsets; /* FEET_GROUPS of them; NULL: none */
  float begun[GAIT_FEET];       /* the heights at which it began */
  float apart[GAIT_FEET];       /* over the ground, from there to the new motion */
} foot_inertia;

typedef struct inertia {
  sinew_inertia_group *groups; /* NULL: the actor has no inertial transitions; the last ones are for its feet */
  foot_inertia feet;
  float *levers;       /* of its joints, in the body's own units … */
  float scale;         /* … one of which has this length in model space */
  double unit;         /* the size in model_gait */
  sinew_pose shown[2]; /* the last pose and the one before, without modifiers */
  int shown_count;
  double gap, step; /* seconds between those two, and of this update */
  double requested; /* seconds of a transition that was requested; 0: none */
  bool stands;      /* it begins without the velocity of what was shown */
  double time, duration;
} inertia;

/* Makes room. A transition may then begin at the current pose and, with `count` 2, with the velocity since the pose
 * before. */
bool inertia_reserve(inertia *i, const sinew_model *model, sinew_pose now, sinew_pose before, int count);
/* The same for another actor: it begins at that actor's pose. */
void inertia_follow(inertia *i, const inertia *other);
void inertia_reset(inertia *i);
/* Of several requests in a frame, the longest counts. Without memory nothing happens. */
void inertia_request(inertia *i, double seconds, bool stands);
void inertia_advance(inertia *i, double dt);

bool inertia_is_idle(const inertia *i); /* nothing requested, and no offset left */

bool inertia_begins(const inertia *i);
/* The new source at the start of this update and `gap` earlier, for a transition that begins now: a motion that
 * continues unchanged has neither offset nor velocity. `to_before` is overwritten. `gait`, or NULL: for its feet. */
void inertia_begin(inertia *i, const model_gait *gait, sinew_pose to, sinew_pose to_before);
/* Adds to the pose what is left of the offset `time` seconds after it began. */
void inertia_add(const inertia *i, const model_gait *gait, double time, sinew_pose pose, sinew_mat3x4 *joints);
/* Adds the offset to the pose, and keeps the sum as the pose shown. `joints`: scratch. */
void inertia_apply(inertia *i, const model_gait *gait, sinew_pose pose, sinew_mat3x4 *joints);

/* The offset left by modifiers that were replaced. It is added after the modifiers. Their effect has no velocity of its
 * own, but an offset that was still dying away when they took over keeps its velocity. */
typedef struct inertia_offset {
  sinew_inertia_group *groups; /* NULL: modifiers were never replaced */
  sinew_pose_group *poses;     /* two, for the speed */
  double requested, time, duration;
} inertia_offset;

bool inertia_offset_request(inertia_offset *s, int joint_count, double seconds);
void inertia_offset_reset(inertia_offset *s);
bool inertia_offset_is_idle(const inertia_offset *s);
bool inertia_offset_begins(const inertia_offset *s);
/* Sets `shown` to what the old modifiers would have made of the current blend: the last pose shown, moved as the blend
 * has moved since. The offset begins from there to `pose`, which the new modifiers have made, `dt` ago. */
void inertia_offset_begin(inertia_offset *s, sinew_pose shown, const inertia *blend, double dt, sinew_pose pose);
void inertia_offset_apply(inertia_offset *s, double dt, sinew_pose pose);

#endif
