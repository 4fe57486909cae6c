/* raw_pose – the pose of a raw clip at a moment. */
#ifndef SINEW_IMPORT_RAW_POSE_H
#define SINEW_IMPORT_RAW_POSE_H

#include "import/raw/raw.h"
#include "model/model_space.h"

/* Joints that the clip does not animate are at rest. `local` and `model` have room for the skeleton's joints. */
void raw_pose(const skeleton_view *skeleton, const raw_clip *clip, double time, sinew_transform *local,
              sinew_transform *model);

/* First and last key, seconds; false for a clip without keys of joints. */
bool raw_clip_span(const raw_clip *clip, double *first, double *last);

#endif
