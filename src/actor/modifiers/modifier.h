/* modifier – the modifiers of an actor, which change its pose after blending, in order. */
#ifndef SINEW_ACTOR_MODIFIER_H
#define SINEW_ACTOR_MODIFIER_H

#include <sinew/actor_modifiers.h>

enum { MODIFIERS = 64 };

/* A joint that the target goes along with. */
typedef struct joint_target {
  uint64_t to; /* 0: none */
  int joint;
} joint_target;

/* The point at which a chain looks, in world space: its goal, and the offset that is left from the old one. */
typedef struct modifier_gaze {
  bool known, aims;                  /* there was a target */
  sinew_vec3 goal, offset, velocity; /* a direction; a turn, axis · radians, and that a second */
} modifier_gaze;

/* The point for which IK reaches, in the actor's space: its goal, and the offset that is left from the tip's old
 * position. */
typedef struct modifier_reach {
  bool known, aims; /* there was a target */
  sinew_vec3 goal, offset, velocity;
} modifier_reach;

/* The state of a planted foot, in world space. */
typedef struct planted_foot {
  bool known, held, spent;     /* spent: it was held too far back, until it lifts */
  sinew_vec3 ankle, ball;      /* where the pose had them */
  float ground, climb;         /* shown, and a second */
  float under;                 /* the ground itself under the ankle … */
  sinew_vec3 plane;            /* … and the normal of the plane through it and what is under the ball, its y 1 */
  sinew_vec3 slope, tilt;      /* the normal of the plane that is shown, its y 1; and a second */
  sinew_vec3 at, offset, push; /* where it is held; what is left of where it was shown, and a second */
} planted_foot;

typedef struct planted_pelvis {
  bool known;
  float height, climb; /* of the level that it stands over */
} planted_pelvis;

/* The current warp of the strides, and the actor's last position. */
typedef struct modifier_stride {
  bool known, backward;  /* backward: against the way of the clips */
  sinew_vec3 at;         /* world space */
  double stretch, angle; /* 1 and 0: as the clips have them; a stretch below 0 goes backward */
  sinew_vec3 direction;  /* where the clips go, unit length; 0: nowhere yet */
  sinew_vec3 middle[2];  /* of each foot's way */
} modifier_stride;

typedef struct modifier {
  char *name;
  int index;              /* in the list */
  bool swings_on;         /* see modifiers_find_swinging */
  bool is_new;            /* or says something new, since it has run last */
  sinew_modifier_def def; /* its joints and joint_weights are the modifier's own */
  int *joints;
  float *joint_weights;
  sinew_spring_state *springs; /* joint_count of them */
  sinew_foot *feet;            /* (joint_count − 1) / 3 of them */
  float reach_error;
  sinew_vec3 reached; /* where IK brought the tip in this update, in the actor's space; NAN: nowhere */
  joint_target follows;
  modifier_gaze gaze;
  modifier_reach reach;
  planted_foot *planted; /* as many as feet */
  planted_pelvis pelvis;
  modifier_stride warp;
} modifier;

static inline int modifier_foot_count(const modifier *m) { return (m->def.joint_count - 1) / 3; }

typedef struct modifier_list {
  modifier *items;
  int count;
  bool has_functions;
  bool locks; /* feet: it is asked which of them stand, or how they go */
  bool lacks; /* one that acted when they ran last */
} modifier_list;

/* The view of its actor that a modifier gets. */
typedef struct modifier_frame {
  const sinew_stage *stage;
  const struct actor *of;
  sinew_posed posed;
  /* The number of joint groups, from the first on, whose matrices match the pose; the others must be computed again. */
  int *placed;
  sinew_mat3x4 world, inverse; /* the actor's transform */
  sinew_actor actor;
  double dt;
} modifier_frame;

/* Brings the matrices up to date: those up to a joint, or all. */
void modifier_place(const modifier_frame *f, int joint);
void modifier_place_all(const modifier_frame *f);
/* This joint and what hangs from it has turned since. */
void modifier_turned(const modifier_frame *f, int joint);

bool modifier_aims(const modifier *m); /* it has a target */
void modifiers_reset(modifier_list *list);
void modifier_run(modifier *m, const modifier_frame *frame);
/* Leaves all matrices up to date. */
void modifiers_run(modifier_list *list, const modifier_frame *frame);
/* Finds the springs that swing on: they are where they would be without the change that an offset begins for. One that
 * lies behind a modifier that is new or gone is not, nor where something is left of an older offset (or NULL). */
void modifiers_find_swinging(modifier_list *list, sinew_inertia_group *before);
void modifiers_clear_offset(const modifier_list *list, sinew_inertia_group *groups); /* of their joints */
void modifiers_have_run(modifier_list *list);

#endif
