/* foot_inertia – feet that continue as they were shown, and move softly to the new motion.
 *
 * The offsets of hip, knee and ankle decay independently, which would throw the foot: a knee turning at 13 rad/s and a
 * hip at 9 hold a foot still only while both last. So the ball of each foot and the foot's rotation have their own
 * offset, in model space, and the limb is bent to match. Heights have one, too; otherwise the rest of a stride would
 * push a foot down, where the ground stops it. */
#ifndef SINEW_ACTOR_FOOT_INERTIA_H
#define SINEW_ACTOR_FOOT_INERTIA_H

#include "actor/sync/gait.h"

#include <sinew/modifier_jobs.h>

enum { FEET_GROUPS = 2 * GAIT_FEET / SINEW_LANES };

/* The feet of a pose, stored as a pose: joint i has the ball's position over the ground and the foot's rotation, joint
 * GAIT_FEET + i the ball's height. */
typedef struct feet_pose {
  sinew_pose_group groups[FEET_GROUPS];
} feet_pose;

feet_pose feet_of(const model_gait *gait, sinew_pose pose);

typedef struct foot_inertia {
  sinew_inertia_group *offsets; /* FEET_GROUPS of them; NULL: none */
  float begun[GAIT_FEET];       /* the heights at which it began */
  float apart[GAIT_FEET];       /* over the ground, from there to the new motion */
} foot_inertia;

typedef struct foot_inertia_change {
  const feet_pose *from, *from_before, *to, *to_before;
  double gap;  /* seconds from each `before` pose to the other */
  double unit; /* the size in model_gait */
} foot_inertia_change;

void foot_inertia_begin(foot_inertia *f, const foot_inertia_change *change);

typedef struct foot_inertia_job {
  const foot_inertia *inertia;
  const model_gait *gait;
  double time, duration;
  const feet_pose *source; /* the feet in the new motion */
  sinew_posed posed;       /* the pose whose limbs are bent; its matrices are scratch */
} foot_inertia_job;

/* Adds the rest of the offset to the feet of the source, and bends the limbs to match. */
void foot_inertia_apply(const foot_inertia_job *job);

#endif
