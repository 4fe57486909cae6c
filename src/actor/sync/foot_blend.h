/* foot_blend – moves the feet of a blend to the blend of the clips' feet.
 *
 * Blending joints does not bring feet to the blend of their positions: the position of a foot is not a linear function
 * of the joints above it. Between standing and walking, that loses a quarter of the speed as foot slide. So if the
 * blended clips are in sync, each leg is bent until the ball of its foot is at Σ w f, where f is its position in each
 * clip. A leg that is too short falls softly short of it, so that no knee snaps. */
#ifndef SINEW_ACTOR_FOOT_BLEND_H
#define SINEW_ACTOR_FOOT_BLEND_H

#include "actor/motion/root_motion.h"

typedef struct foot_blend_job {
  const sinew_model *model;
  const model_gait *gait;
  const sinew_blend_source *sources; /* their poses are those that were blended */
  const clip_instance *const *items; /* the instance of each; NULL past the last of them: the rest pose */
  const root_motion *root;
  double back; /* seconds before the end of the update */
  int count;
  float weight;         /* 0 .. 1 */
  sinew_mat3x4 *joints; /* scratch, one for each joint */
  sinew_pose pose;      /* the blend */
} foot_blend_job;

void foot_blend(const foot_blend_job *job);

#endif
