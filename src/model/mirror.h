/* mirror – a pose with left and right exchanged. In model space, with a bar for the reflection at x = 0:
 *   partner = reflected(joint · rest⁻¹) · partner_rest
 * and what a joint is away from the place where its parent holds it at rest is reflected, too. */
#ifndef SINEW_MODEL_MIRROR_H
#define SINEW_MODEL_MIRROR_H

#include "model/humanoid.h"

/* Each joint's partner on the other side, or itself. False when memory is out. */
bool mirror_find(const skeleton_view *skeleton, int32_t *partners);

/* `rest` and `model` are in model space; `local` gets the mirrored pose, `mirrored` its model space. */
void mirror_apply(const skeleton_view *skeleton, const int32_t *partners, const sinew_transform *rest,
                  const sinew_transform *model, sinew_transform *local, sinew_transform *mirrored);

#endif
