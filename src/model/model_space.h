/* model_space – joints in model space as transforms: rotation, translation and scale are combined separately, so shear
 * is ignored. */
#ifndef SINEW_MODEL_MODEL_SPACE_H
#define SINEW_MODEL_MODEL_SPACE_H

#include "model/names/humanoid.h"

sinew_transform model_space_compose(const sinew_transform *parent, const sinew_transform *local);

/* Converts a position in model space to the parent's space; 0 along an axis with scale 0. */
sinew_vec3 model_space_below(const sinew_transform *parent, sinew_vec3 position);

/* `model` may be `local`. */
void skeleton_to_model(const skeleton_view *skeleton, const sinew_transform *local, sinew_transform *model);

#endif
