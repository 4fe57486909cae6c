/* retarget_map – the internals of a sinew_retarget_map, and a model as a skeleton_view. */
#ifndef SINEW_MODEL_RETARGET_MAP_H
#define SINEW_MODEL_RETARGET_MAP_H

#include "model/model.h"
#include "model/retarget/retarget.h"

struct sinew_retarget_map {
  sinew_model *from, *to;
  skeleton_view theirs, ours; /* names and parents are the models', rest poses are this one's */
  joint_map map;
  retarget_plan plan;
};

/* Room for model->joint_count transforms is the caller's. */
skeleton_view model_skeleton(const sinew_model *model, sinew_transform *rest);

#endif
