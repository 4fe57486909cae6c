/* mirror – left and right exchanged, joint by joint. With a bar for the reflection of a turn at x = 0, and R for turns
 * in model space at rest: local = R(parent)⁻¹ · R̄(partner's parent) · bar(partner's local) · R̄(partner)⁻¹ · R so that
 * in model space each joint turns from its rest pose as its partner does, reflected, where the partner's parent is the
 * parent's partner. Where it is not (a sword in one hand), the joint is reflected as its own parent sees it. */
#ifndef SINEW_MODEL_MIRROR_H
#define SINEW_MODEL_MIRROR_H

#include "model/names/humanoid.h"

/* Each joint's partner on the other side, or itself. False when memory runs out. */
bool mirror_find(const skeleton_view *skeleton, int32_t *partners);

/* Maps the local transform of a joint's partner to the joint's own. The map is linear, so keys of curves and their
 * tangents may go through it, too. */
typedef struct mirror_rule {
  sinew_quat before, after;
  sinew_transform parent, other_parent; /* at rest, in model space */
  sinew_vec3 from, to;                  /* where the partner and the joint are at rest, as their parents see it */
  sinew_vec3 size;
} mirror_rule;

/* `rest` in model space; of any joint but the virtual root. */
mirror_rule mirror_find_rule(const skeleton_view *skeleton, const int32_t *partners, const sinew_transform *rest,
                             int joint);

sinew_quat mirror_rotation(const mirror_rule *rule, sinew_quat q);
sinew_vec3 mirror_offset(const mirror_rule *rule, sinew_vec3 offset); /* a difference of positions */
sinew_vec3 mirror_position(const mirror_rule *rule, sinew_vec3 position);
sinew_vec3 mirror_size(const mirror_rule *rule, sinew_vec3 scale);

#endif
