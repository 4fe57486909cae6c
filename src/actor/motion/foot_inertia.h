/* foot_inertia – feet that go on as they were shown, and softly over to where a new motion has them.
 *
 * The offsets of hip, knee and ankle die away each in its own time, and a foot that they carry together would be
 * thrown: a knee of 13 rad/s and a hip of 9 hold a foot still as long as both last. So the ball of each foot, and the
 * turn of the foot, have an offset of their own, in model space, and the leg is bent until they are there. */
#ifndef SINEW_ACTOR_FOOT_INERTIA_H
#define SINEW_ACTOR_FOOT_INERTIA_H

#include "actor/sync/gait.h"

/* Where a pose has the feet: the ball as a translation, the foot's turn as a rotation. */
typedef struct feet_pose {
  sinew_pose_group group;
} feet_pose;

feet_pose feet_of(const model_gait *gait, sinew_pose pose);

typedef struct foot_inertia_change {
  const feet_pose *from, *from_before, *to, *to_before;
  double gap; /* seconds from each before to the other */
} foot_inertia_change;

void foot_inertia_begin(sinew_inertia_group *offsets, const foot_inertia_change *change);

/* Adds what is left to where the source has its feet, and bends the legs of the pose to there. `joints`: scratch. */
void foot_inertia_apply(const sinew_inertia_group *offsets, double time, double duration, const model_gait *gait,
                        const feet_pose *source, sinew_pose pose, sinew_mat3x4 *joints);

#endif
