/* model_space – layers that keep directions in model space, whatever the joints below the layer do. */
#ifndef SINEW_ACTOR_MODEL_SPACE_H
#define SINEW_ACTOR_MODEL_SPACE_H

#include "actor/scratch.h"

/* Lays one pose over another as sinew_layer does, but each joint turns to its model-space rotation in `above`: a fully
 * covered joint has exactly that direction. Joints that are not covered keep their local rotation. */
void model_space_layer(const scratch *s, const sinew_model *model, const sinew_layer_job *job);

/* Adds a difference as sinew_additive does, but its rotations are those of model space: pose · reference⁻¹, to the
 * power of the weight, on the left of what is below. */
void model_space_additive(const scratch *s, const sinew_model *model, const sinew_additive_job *job);

#endif
