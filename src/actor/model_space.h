/* model_space – layers that keep directions in model space, however the joints below them lean. */
#ifndef SINEW_ACTOR_MODEL_SPACE_H
#define SINEW_ACTOR_MODEL_SPACE_H

#include "actor/scratch.h"

/* Lays one pose over another as sinew_layer does, but each joint turns to where `above` has it in model space: a joint
 * that is covered whole has just that direction. What is not covered keeps its local rotation. */
void model_space_layer(const scratch *s, const sinew_model *model, const sinew_layer_job *job);

/* Adds a difference as sinew_additive does, but its rotations are those of model space: pose · reference⁻¹, to the
 * power of the weight, on the left of what is below. */
void model_space_additive(const scratch *s, const sinew_model *model, const sinew_additive_job *job);

#endif
