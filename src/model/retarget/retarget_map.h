/* retarget_map – the internals of a sinew_retarget_map, and a model as a skeleton_view. */
#ifndef SINEW_MODEL_RETARGET_MAP_H
#define SINEW_MODEL_RETARGET_MAP_H

#include "model/model.h"
#include "model/retarget/retarget.h"

struct sinew_retarget_map {
  sinew_model *from, *to;
  skeleton_view theirs, ours; /* names and parents point into the models, rest poses into this struct */
  joint_map map;
  retarget_plan plan;
};

/* The caller provides memory for model->joint_count transforms. */
skeleton_view model_skeleton(const sinew_model *model, sinew_transform *rest);

#endif
