/* modifier – what changes an actor's pose after blending, in order. */
#ifndef SINEW_ACTOR_MODIFIER_H
#define SINEW_ACTOR_MODIFIER_H

#include <sinew/actor_modifiers.h>

enum { MODIFIERS = 64 };

/* A joint that the target goes along with. */
typedef struct joint_target {
  uint64_t to; /* 0: none */
  int joint;
} joint_target;

/* Where a chain looks, in world space: at its goal, and what is left of where it looked before. */
typedef struct modifier_gaze {
  bool known, aims;                  /* there was a target */
  sinew_vec3 goal, offset, velocity; /* a direction; a turn, axis · radians, and that a second */
} modifier_gaze;

typedef struct modifier {
  char *name;
  int index;              /* in the list */
  sinew_modifier_def def; /* its joints and shares are the modifier's own */
  int *joints;
  float *shares;
  sinew_spring_state *springs; /* joint_count of them */
  sinew_foot *feet;            /* (joint_count − 1) / 3 of them */
  float reach_error;
  joint_target follows;
  modifier_gaze gaze;
} modifier;

static inline int modifier_foot_count(const modifier *m) { return (m->def.joint_count - 1) / 3; }

typedef struct modifier_list {
  modifier *items;
  int count;
  bool has_functions;
} modifier_list;

/* What a modifier sees of its actor. */
typedef struct modifier_frame {
  const sinew_stage *stage;
  const struct actor *of;
  sinew_posed posed;
  sinew_mat3x4 world, inverse; /* the actor's transform */
  sinew_actor actor;
  double dt;
} modifier_frame;

bool modifier_aims(const modifier *m); /* it has a target */
void modifiers_reset(modifier_list *list);
void modifier_run(modifier *m, const modifier_frame *frame);
void modifiers_run(modifier_list *list, const modifier_frame *frame);

#endif
