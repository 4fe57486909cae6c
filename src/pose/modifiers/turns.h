/* turns – modifier jobs without their checks and last step, for callers that run several of them: they rotate the local
 * half of a sinew_posed, and leave the model-space half for the caller to update. The job has been checked, and the
 * joints above those that rotate are up to date. */
#ifndef SINEW_POSE_MODIFIERS_TURNS_H
#define SINEW_POSE_MODIFIERS_TURNS_H

#include <sinew/modifier_jobs.h>

/* Rotates `upper` and the joints below it; ignores `keep_tip` and `reach_error`. */
void two_bone_turn(const sinew_two_bone_job *job);
/* For `keep_tip`: reads the tip's rotation in model space before the solve, and restores it once the joints from
 * `upper` to the tip are up to date. */
sinew_quat two_bone_tip(const sinew_two_bone_job *job);
void two_bone_keep_tip(const sinew_two_bone_job *job, sinew_quat kept);

/* Rotates the chain's first joint and those below it. */
void look_at_turn(const sinew_aim_job *job);

/* Rotates `root` and the joints below it; ignores `reach_error`. */
void fabrik_turn(const sinew_fabrik_job *job);

#endif
