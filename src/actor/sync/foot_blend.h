/* foot_blend – feet where the blended clips have them.
 *
 * Joints that are blended do not bring feet to the blend of where they were: the position of a foot is no linear
 * function of the joints above it. Between a stand and a walk that costs a quarter of the speed, as slide. So where
 * clips in sync are blended each leg is bent until the ball of its foot is at Σ w f, f being where each clip has it.
 * Where a leg is too short for that it gives way softly, so that no knee snaps to its stop and back. */
#ifndef SINEW_ACTOR_FOOT_BLEND_H
#define SINEW_ACTOR_FOOT_BLEND_H

#include "actor/motion/root_motion.h"

typedef struct foot_blend_job {
  const sinew_model *model;
  const model_gait *gait;
  const sinew_blend_source *sources; /* whose poses stand as they were blended */
  const clip_instance *const *items; /* what each is of; NULL past the last of them: the rest pose */
  const root_motion *root;
  double back; /* seconds before the end of the update */
  int count;
  float weight;         /* 0 .. 1 */
  sinew_mat3x4 *joints; /* scratch, one for each joint */
  sinew_pose pose;      /* the blend */
} foot_blend_job;

void foot_blend(const foot_blend_job *job);

#endif
