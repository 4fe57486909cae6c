/* foot_floor – keeps feet, in a transition, from sinking below both of the blended poses.
 *
 * Half-way between a leg stretched ahead and one stretched back, the blended joints make a leg that hangs straight
 * down, from hips as low as in a stride: its foot is centimetres below both. So if a crossfade puts a foot lower than
 * it stands at rest, and lower than in all blended poses, the limb is bent to lift it. A mix that a script weighs by
 * itself is not a transition: there every joint is the mean of the clips. */
#ifndef SINEW_ACTOR_FOOT_FLOOR_H
#define SINEW_ACTOR_FOOT_FLOOR_H

#include "actor/sync/gait.h"

#include <sinew/modifier_jobs.h>

/* A blended pose. Poses of one group are a mix; so are those of one `sync` (or NULL), whose feet foot_blend places. */
typedef struct foot_floor_part {
  sinew_pose pose;
  float weight;
  const float *joint_weights; /* of the pose at each joint, or NULL; a limb has that of its first joint */
  bool beneath;               /* … or the weight that those leave */
  uint32_t group;
  const void *sync;
} foot_floor_part;

/* For each foot of legs or limbs: its lowest height in the parts; how far below that a straight limb may hang in their
 * blend; and how much of that, 0 .. 1, is due to a transition. */
typedef struct foot_floor {
  bool stops; /* some foot */
  float lowest[GAIT_FEET], sag[GAIT_FEET], from_transition[GAIT_FEET];
} foot_floor;

/* Whether two of the parts are not in a common mix. */
bool foot_floor_has_transition(const foot_floor_part *parts, int count);

foot_floor foot_floor_of(const model_gait *gait, const foot_floor_part *parts, int count);

/* Lifts the feet of the blended pose, whose matrices are scratch. */
void foot_floor_apply(const foot_floor *floor, const model_gait *gait, const sinew_posed *posed);

/* Whether a foot is so low that the floor may concern it. */
bool foot_floor_is_near(const model_gait *gait, sinew_pose pose);

#endif
