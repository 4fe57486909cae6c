/* retarget_legs – where legs have other proportions than their partners', turning joints alike leaves feet in the
 * ground or above it, and those that stand slide. Inverse kinematics then moves each foot as its partner moves: seen
 * from the thigh, times the plan's scale, with its sole as high above the ground as theirs. Feet keep their rotation,
 * knees the plane in which they bend. */
#ifndef SINEW_MODEL_RETARGET_LEGS_H
#define SINEW_MODEL_RETARGET_LEGS_H

#include "model/body/body.h"
#include "model/retarget/retarget.h"

/* Its corners, each in the space of a joint: the lowest one tells the height of the sole. */
typedef struct retarget_sole {
  int count;
  int32_t joints[4];
  sinew_vec3 points[4];
} retarget_sole;

typedef struct retarget_leg {
  int32_t their_thigh, their_shin, their_foot, thigh, shin, foot; /* our foot may hang elsewhere */
  retarget_sole their_sole, our_sole;
  sinew_vec3 front; /* of the model, in the space of our thigh at rest */
} retarget_leg;

typedef struct retarget_legs {
  int count; /* 2, or 0: one of the bodies has no two whole legs */
  retarget_leg legs[2];
} retarget_legs;

typedef struct retarget_legs_job {
  const retarget_plan *plan;
  const joint_map *map;
  const model_body *theirs, *ours;
  const sinew_transform *their_rest, *their_flat, *our_rest; /* model space; with their feet flat on the ground */
} retarget_legs_job;

retarget_legs retarget_legs_plan(const retarget_legs_job *job);

/* The height of their lower sole above the ground, over the length of a leg, which is the other. */
float retarget_legs_height(const retarget_legs *legs, const retarget_plan *plan, const sinew_transform *theirs);
float retarget_legs_length(const retarget_legs *legs, const sinew_transform *theirs);

/* After retarget_apply, with its arguments. */
void retarget_legs_apply(const retarget_legs *legs, const retarget_plan *plan, const sinew_transform *theirs,
                         sinew_transform *ours, sinew_transform *ours_model);

#endif
