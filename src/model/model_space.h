/* model_space – joints in model space as transforms: rotation, translation and scale each for itself, so shear is left
 * out. */
#ifndef SINEW_MODEL_MODEL_SPACE_H
#define SINEW_MODEL_MODEL_SPACE_H

#include "model/names/humanoid.h"

sinew_transform model_space_compose(const sinew_transform *parent, const sinew_transform *local);

/* A position in model space, as the parent sees it; 0 along an axis that the parent scales to nothing. */
sinew_vec3 model_space_below(const sinew_transform *parent, sinew_vec3 position);

/* `model` may be `local`. */
void skeleton_to_model(const skeleton_view *skeleton, const sinew_transform *local, sinew_transform *model);

#endif
