/* turns – modifier jobs without their checks and without their last step, for callers that run several of them: the
 * local half of what is posed is turned, and the model-space half stays as it was until somebody brings it up to date.
 * The job has been checked, and the joints above those that turn are up to date. */
#ifndef SINEW_POSE_MODIFIERS_TURNS_H
#define SINEW_POSE_MODIFIERS_TURNS_H

#include <sinew/modifier_jobs.h>

/* Turns what hangs from `upper`; neither `keep_tip` nor `reach_error` is looked at. */
void two_bone_turn(const sinew_two_bone_job *job);
/* For `keep_tip`: reads the tip's rotation in model space before the solve, and restores it once the joints from
 * `upper` to the tip are up to date. */
sinew_quat two_bone_tip(const sinew_two_bone_job *job);
void two_bone_keep_tip(const sinew_two_bone_job *job, sinew_quat kept);

/* Turns what hangs from the chain's first joint. */
void look_at_turn(const sinew_aim_job *job);

/* Turns what hangs from `root`; `reach_error` is not looked at. */
void fabrik_turn(const sinew_fabrik_job *job);

#endif
