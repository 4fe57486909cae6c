/* retarget – a pose of one skeleton on another, with other rest poses, proportions and numbers of joints, as functions
 * of arrays. docs/retargeting.md has the reasoning.
 *
 * In model space, with both skeletons looking the same way (`turn`):
 *   ours = turn · theirs · fix,   fix = theirs_rest⁻¹ · turn⁻¹ · align · ours_rest
 * so that a joint turns from its rest pose as its partner does, whatever lies between it and its parent. `align` brings
 * the limbs of our rest pose to where theirs are (an A-pose to a T-pose); it is 1 for all but arms, fingers and legs.
 * Joints that move the character through space also travel as their partner does, times `scale`. */
#ifndef SINEW_MODEL_RETARGET_H
#define SINEW_MODEL_RETARGET_H

#include "model/names/joint_map.h"

typedef struct retarget_joint {
  int32_t source; /* theirs, or -1: it keeps its rest transform */
  bool travels;
  sinew_quat fix;
  sinew_vec3 from, to; /* where its partner and it begin to travel; model space, after `turn` */
} retarget_joint;

typedef struct retarget_plan {
  const skeleton_view *theirs, *ours;
  retarget_joint *joints; /* ours->count, memory owned by the caller */
  sinew_quat rotation;    /* of the 24 that keep axes on axes; 1 where it cannot be told */
  float scale;            /* our lengths over theirs */
  float largest_align;    /* radians */
  float stride_ankle;     /* their lower ankle where they rest in mid-stride, model space; else NAN */
} retarget_plan;

/* Fills the plan; theirs, ours and joints are set by the caller. False when memory runs out. */
bool retarget_plan_make(retarget_plan *plan, const joint_map *map);

/* `theirs` is in model space. `ours_model` is scratch of ours->count. */
void retarget_apply(const retarget_plan *plan, const sinew_transform *theirs, sinew_transform *ours,
                    sinew_transform *ours_model);

#endif
