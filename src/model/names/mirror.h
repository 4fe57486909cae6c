/* mirror – left and right exchanged, joint by joint. With a bar for the reflection of a turn at x = 0, and R for turns
 * in model space at rest: local = R(parent)⁻¹ · R̄(partner's parent) · bar(partner's local) · R̄(partner)⁻¹ · R so that
 * in model space each joint turns from its rest pose as its partner does, reflected, if the partner's parent is the
 * parent's partner. If not (a sword in one hand), the joint is reflected in its parent's space. */
#ifndef SINEW_MODEL_MIRROR_H
#define SINEW_MODEL_MIRROR_H

#include "model/names/humanoid.h"

/* Each joint's partner on the other side, or itself. False when memory runs out. */
bool mirror_find(const skeleton_view *skeleton, int32_t *partners);

/* Maps the local transform of a joint's partner to the joint's own. The map is linear, so it also applies to keys of
 * curves and their tangents. */
typedef struct mirror_rule {
  sinew_quat before, after;
  sinew_transform parent, other_parent; /* at rest, in model space */
  sinew_vec3 from, to;                  /* rest positions of the partner and the joint, relative to their parents */
  sinew_vec3 size;
} mirror_rule;

/* `rest` is in model space; for any joint except the virtual root. */
mirror_rule mirror_find_rule(const skeleton_view *skeleton, const int32_t *partners, const sinew_transform *rest,
                             int joint);

sinew_quat mirror_rotation(const mirror_rule *rule, sinew_quat q);
sinew_vec3 mirror_offset(const mirror_rule *rule, sinew_vec3 offset); /* a difference of positions */
sinew_vec3 mirror_position(const mirror_rule *rule, sinew_vec3 position);
sinew_vec3 mirror_size(const mirror_rule *rule, sinew_vec3 scale);

#endif
