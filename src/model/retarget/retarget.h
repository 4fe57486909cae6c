/* retarget – transfers a pose to another skeleton, with other rest poses, proportions and numbers of joints; functions
 * of arrays. docs/retargeting.md has the reasoning.
 *
 * In model space, with both skeletons facing the same way (`turn`):
 *   ours = turn · theirs · fix,   fix = theirs_rest⁻¹ · turn⁻¹ · align · ours_rest
 * so that a joint turns from its rest pose as its partner does, whatever lies between it and its parent. `align`
 * rotates the limbs of our rest pose to theirs (an A-pose to a T-pose); it is the identity except for arms, fingers and
 * legs. Joints that move the character through space also travel as their partner does, times `scale`. */
#ifndef SINEW_MODEL_RETARGET_H
#define SINEW_MODEL_RETARGET_H

#include "model/model.h"
#include "model/names/joint_map.h"

typedef struct retarget_joint {
  int32_t source; /* theirs, or -1: keeps its rest transform */
  bool travels;
  int32_t follows; /* a shin from which this foot does not hang, and where it is in the shin's space; or −1 */
  sinew_vec3 offset;
  sinew_quat fix;
  sinew_vec3 from, to; /* the starting points of the travel of its partner and itself; model space, after `turn` */
} retarget_joint;

typedef struct retarget_plan {
  const skeleton_view *theirs, *ours;
  retarget_joint *joints; /* ours->count, memory owned by the caller */
  sinew_quat rotation;    /* one of the 24 that keep axes on axes; the identity if it is not known */
  float scale;            /* our lengths over theirs */
  float largest_align;    /* radians */
  float stride_ankle; /* the height of their lower ankle if their rest pose is in mid-stride, model space; else NAN */
} retarget_plan;

/* Fills the plan; theirs, ours and joints are set by the caller. False when memory runs out. */
bool retarget_plan_make(retarget_plan *plan, const joint_map *map);

/* `theirs` is in model space. `ours_model` is scratch of ours->count. */
void retarget_apply(const retarget_plan *plan, const sinew_transform *theirs, sinew_transform *ours,
                    sinew_transform *ours_model);

/* ---- the internals of a sinew_retarget_map, and a model as a skeleton_view ---- */

struct sinew_retarget_map {
  sinew_model *from, *to;
  skeleton_view theirs, ours; /* names and parents point into the models, rest poses into this struct */
  joint_map map;
  retarget_plan plan;
};

/* The caller provides memory for model->joint_count transforms. */
skeleton_view model_skeleton(const sinew_model *model, sinew_transform *rest);

#endif
