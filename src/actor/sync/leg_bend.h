/* leg_bend – finds the parts of a leg in a pose, and bends the leg to move its foot. */
#ifndef SINEW_ACTOR_LEG_BEND_H
#define SINEW_ACTOR_LEG_BEND_H

#include "actor/sync/gait.h"

#include <sinew/modifier_jobs.h>

/* Computed from the local transforms alone, for a joint or two. */
sinew_mat3x4 leg_joint_in(const sinew_model *model, sinew_pose pose, int joint);

/* Bends the leg until the ball of its foot is there; the foot keeps its rotation. A leg that is too short falls softly
 * short of it, so that no knee snaps. */
void leg_bend(const leg *l, const sinew_posed *posed, sinew_vec3 ball, float weight);

/* The same including the foot's rotation, in model space; the goal's translation is that of the ball. A leg with
 * `slack`, up to 1, falls short earlier: it stays bent, wherever the goal is. */
void leg_bring(const leg *l, const sinew_posed *posed, sinew_transform goal, float slack);

#endif
