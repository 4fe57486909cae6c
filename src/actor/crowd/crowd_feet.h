/* crowd_feet – keeps the feet of near characters where their clips have them (sync/foot_blend.h). */
#ifndef SINEW_ACTOR_CROWD_FEET_H
#define SINEW_ACTOR_CROWD_FEET_H

#include "actor/play/clip_instance.h"

#include <sinew/crowd.h>

typedef struct crowd_feet_job {
  const sinew_model *model;
  const model_gait *gait;
  const scratch *scratch;
  const sinew_evaluate_source *sources; /* whose weights sum to 1 */
  const clip_instance *const *items;    /* what each is of */
  int count;                            /* 2 .. SINEW_CROWD_SLOTS */
  float threshold;
  sinew_mat3x4 *palette; /* or NULL: only the scratch's joints */
} crowd_feet_job;

/* Replaces sinew_evaluate; takes some four times as long. */
void crowd_feet_evaluate(const crowd_feet_job *job);

#endif
