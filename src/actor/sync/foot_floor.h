/* foot_floor – keeps feet, in a transition, from sinking below both of the blended poses.
 *
 * Half-way between a leg that is stretched ahead and one that is stretched back joints have a leg that hangs straight
 * down, from hips that are as low as in a stride: its foot is centimetres below both. So where a crossfade has a foot
 * lower than it stands at rest, and lower than all that it blends, the limb is bent until it is there. A mix that a
 * script weighs by itself is no transition: there every joint is the mean of what the clips have. */
#ifndef SINEW_ACTOR_FOOT_FLOOR_H
#define SINEW_ACTOR_FOOT_FLOOR_H

#include "actor/sync/gait.h"

#include <sinew/modifier_jobs.h>

/* A pose that is blended. Those of one group are a mix; so are those of one `sync` (or NULL), whose feet are led. */
typedef struct foot_floor_part {
  sinew_pose pose;
  float weight;
  const float *joint_weights; /* how much of the pose each joint has, or NULL; that of a limb's first joint counts */
  bool beneath;               /* … or what those leave of it */
  uint32_t group;
  const void *sync;
} foot_floor_part;

/* For each foot of legs or limbs: the lowest that the parts have it; how far below that a straight limb may hang in
 * their blend; and how much of that, 0 .. 1, is due to a transition. */
typedef struct foot_floor {
  bool stops; /* some foot */
  float lowest[GAIT_FEET], sag[GAIT_FEET], share[GAIT_FEET];
} foot_floor;

/* Whether two of the parts are in no mix. */
bool foot_floor_has_transition(const foot_floor_part *parts, int count);

foot_floor foot_floor_of(const model_gait *gait, const foot_floor_part *parts, int count);

/* Lifts the feet of what the parts were blended to. The pose's matrices are scratch. */
void foot_floor_apply(const foot_floor *floor, const model_gait *gait, const sinew_posed *posed);

/* Whether a foot is so low that the floor may concern it. */
bool foot_floor_is_near(const model_gait *gait, sinew_pose pose);

#endif
