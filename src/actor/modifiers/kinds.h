/* kinds – the kinds of modifiers, with a file for each. */
#ifndef SINEW_ACTOR_MODIFIERS_KINDS_H
#define SINEW_ACTOR_MODIFIERS_KINDS_H

#include "actor/modifiers/modifier.h"

#include <math.h>
#include <stddef.h>

/* A value of sinew_modifier_def that only some kinds have. */
typedef struct modifier_value {
  const char *name, *ignored; /* ignored: the error if a kind does not have it */
  size_t offset, size;
} modifier_value;
#define MODIFIER_VALUE(member)                                                                                         \
  {                                                                                                                    \
#member, "its kind has no '" #member "'", offsetof(sinew_modifier_def, member),                                    \
        sizeof((sinew_modifier_def *)0)->member                                                                        \
  }

typedef struct modifier_kind {
  int least_joints;
  bool aims;    /* without a target it has no effect … */
  bool settles; /* … but the rest of its old effect still dies away */
  /* The last joint that it reads; it also reads that joint's ancestors, and reports the joints that it turns
   * (modifier_turned). NULL: it may read any joint, and leaves all matrices up to date. */
  int (*deepest)(const modifier *m);
  /* Checks the modifier and returns an error message or NULL; runs it if `runs`. */
  const char *(*job)(modifier *m, const modifier_frame *f, bool runs);
  const modifier_value *values; /* the values that it uses; ends with a NULL name */
} modifier_kind;

extern const modifier_kind modifier_two_bone, modifier_look_at, modifier_fabrik, modifier_spring, modifier_limit,
    modifier_copy_transform, modifier_twist, modifier_plant, modifier_warp, modifier_function;

extern const modifier_kind *const modifier_kinds[SINEW_MODIFIER_FUNCTION + 1];

/* The error message for a value that differs from the default although the kind does not use it; or NULL. */
const char *modifier_ignores(const sinew_modifier_def *def);

/* Without a target, any point serves for the check. */
static inline sinew_vec3 modifier_into_model(const modifier_frame *f, sinew_vec3 point) {
  if (isnan(point.x)) return (sinew_vec3){0, 0, 0};
  return sinew_mat3x4_transform_point(&f->inverse, point);
}

static inline sinew_vec3 modifier_in_world(const modifier_frame *f, sinew_vec3 point) {
  return sinew_mat3x4_transform_point(&f->world, point);
}

/* Finds the current goal of an IK tip, in model space: the target, or a point on the way to or from it; false if the
 * modifier has no effect. */
bool modifier_reach_for(modifier *m, const modifier_frame *f, int tip, sinew_vec3 *target);

static inline const char *modifier_check_life(const modifier *m) {
  return m->def.half_life >= 0 && m->def.half_life < 1e6f ? NULL : "its half-life is not a number of seconds from 0 on";
}

#define CHECK_OR_RUN(name)                                                                                             \
  if (!runs) return sinew_##name##_check(&job);                                                                        \
  sinew_##name(&job);                                                                                                  \
  return NULL

#endif
