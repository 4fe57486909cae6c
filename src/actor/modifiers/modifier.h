/* modifier – the modifiers of an actor, which change its pose after blending, in order. */
#ifndef SINEW_ACTOR_MODIFIER_H
#define SINEW_ACTOR_MODIFIER_H

#include "actor/modifiers/damped.h"

#include <sinew/actor_modifiers.h>

enum { MODIFIERS = 64 };

/* A joint that the target follows. */
typedef struct joint_target {
  uint64_t to; /* 0: none */
  int joint;
} joint_target;

/* The point at which a chain looks, in world space: its goal, and the rest of the offset from the old one. */
typedef struct modifier_gaze {
  bool known, aims;                  /* there was a target */
  sinew_vec3 goal, offset, velocity; /* goal: a direction; offset: a rotation, axis · radians; velocity: per second */
} modifier_gaze;

/* The point for which IK reaches, in the actor's space: its goal, and the rest of the offset from the tip's old
 * position. */
typedef struct modifier_reach {
  bool known, aims; /* there was a target */
  sinew_vec3 goal, offset, velocity;
} modifier_reach;

/* Where a foot stands: of the plane that carries its sole the height under the ball, and the normal, scaled to y 1. */
typedef struct foothold {
  sinew_vec3 ball; /* as in the pose, when it lifted, or will come down; y is not used */
  float height, lean_x, lean_z;
  sinew_vec3 aside; /* how far along the ground the foot stands from there */
} foothold;

/* Along a sole, and half of its length before and behind it. */
enum { SOLE_STEPS = 6, PROFILE_POINTS = 2 * SOLE_STEPS + 1 };

/* A foot's way through the air, in world space. */
typedef struct foot_swing {
  bool on;
  double time; /* since it lifted */
  foothold from, to;
  float bump;                    /* how far it must rise above the line between them */
  int asked;                     /* points of the way between them, then of … */
  float profile[PROFILE_POINTS]; /* … the heights about the landing, over its plane */
} foot_swing;

/* The state of a planted foot, in world space. */
typedef struct planted_foot {
  bool known, held, spent;     /* spent: it was held too far behind, and stays free until it lifts */
  bool given;                  /* its ground was set */
  sinew_vec3 ball;             /* where the pose had its ball … */
  sinew_vec3 placed, shown;    /* … where its foothold has it, and where it was shown, at the height of the pose */
  sinew_vec3 moving;           /* the change of `placed` per second along the ground */
  float level;                 /* to which the pelvis may rise */
  glide floor, lean_x, lean_z; /* the height of the plane under the foot, where its ball is shown; and its normal */
  glide aside_x, aside_z;      /* how far it is shown beside the pose for a better foothold */
  foot_swing swing;
  sinew_vec3 heel; /* under which the ground was asked for: its height … */
  float under;
  sinew_vec3 plane; /* … and the normal of the plane through that and the ground under the toe, scaled to y 1 */
  sinew_vec3 at, offset, push; /* where it is held; the rest of the offset from where it was shown; per second */
  float catching_up, stride;   /* the fraction of a step to where the clip has it, 1: none; and how far that goes */
} planted_foot;

typedef struct planted_body {
  bool known, has_ground;
  sinew_vec3 at;       /* the actor … */
  float yaw;           /* … the way that it faces … */
  sinew_vec3 velocity; /* … its mean velocity … */
  float turning;       /* … and how fast it turns, radians a second */
  glide root;          /* its height … */
  glide pelvis;        /* … and that of the level on which the pelvis stands */
} planted_body;

/* The current warp of the strides, and the actor's last position. */
typedef struct modifier_stride {
  bool known, backward;  /* backward: against the direction of the clips */
  sinew_vec3 at;         /* world space */
  double stretch, angle; /* 1 and 0: as in the clips; a negative stretch goes backward */
  sinew_vec3 direction;  /* the direction in which the clips travel, unit length; 0: none yet */
  sinew_vec3 middle[2];  /* of each foot's way */
} modifier_stride;

typedef struct modifier {
  char *name;
  int index;              /* in the list */
  bool swings_on;         /* see modifiers_find_swinging */
  bool is_new;            /* or has a new definition since it last ran */
  sinew_modifier_def def; /* it owns the joints and joint_weights */
  int *joints;
  float *joint_weights;
  sinew_spring_state *springs; /* joint_count of them */
  sinew_foot *feet;            /* (joint_count − 1) / 3 of them */
  float reach_error;
  sinew_vec3 reached; /* where IK brought the tip in this update, in the actor's space; NAN: it did not */
  joint_target follows;
  modifier_gaze gaze;
  modifier_reach reach;
  planted_foot *planted; /* as many as feet */
  planted_body body;
  modifier_stride warp;
} modifier;

static inline int modifier_foot_count(const modifier *m) { return (m->def.joint_count - 1) / 3; }

typedef struct modifier_list {
  modifier *items;
  int count;
  bool has_functions;
  bool locks; /* feet: somebody asks which of them are planted, or how they move */
  bool lacks; /* a modifier that acted last time is missing */
} modifier_list;

/* What a modifier sees of its actor. */
typedef struct modifier_frame {
  const sinew_stage *stage;
  const struct actor *of;
  sinew_posed posed;
  /* The number of joint groups, counted from the first, whose matrices match the pose; the others must be computed
   * again. */
  int *placed;
  sinew_mat3x4 world, inverse; /* the actor's transform */
  sinew_actor actor;
  double dt;
} modifier_frame;

/* Brings the matrices up to date: those up to a joint, or all. */
void modifier_place(const modifier_frame *f, int joint);
void modifier_place_all(const modifier_frame *f);
/* Notes that this joint and its descendants have turned since. */
void modifier_turned(const modifier_frame *f, int joint);

bool modifier_aims(const modifier *m); /* it has a target */
void modifiers_reset(modifier_list *list);
/* The foot of a planting modifier that is the joint or one of its ancestors; −1: none. */
int modifier_find_foot(const sinew_model *model, const modifier *m, int joint);
/* The weight, multiplied by its parameter or curve. */
float modifier_weight(const modifier *m, const modifier_frame *f);
/* Whether it has the target, pole and values of a definition of the same kind. */
bool modifier_is_alike(const modifier *m, const sinew_modifier_def *def);
void modifier_run(modifier *m, const modifier_frame *frame);
/* A copy with the same state, which may run instead: with `planted`, and with the springs of the original. */
modifier modifier_copy(const modifier *m, planted_foot planted[SINEW_FEET_MAX]);
/* Runs a copy that has the target, pole and values of `given`, and this weight. Springs stay, and nothing that calls a
 * function of the program runs. */
void modifier_try(const modifier *m, const modifier_frame *f, const sinew_modifier_def *given, float weight);
/* Leaves all matrices up to date. */
void modifiers_run(modifier_list *list, const modifier_frame *frame);
/* Finds the springs that keep swinging: those whose motion the change, for which an offset begins, does not affect.
 * Excluded are springs behind a modifier that is new or gone, and joints with the rest of an older offset (`before`, or
 * NULL). */
void modifiers_find_swinging(modifier_list *list, sinew_inertia_group *before);
void modifiers_clear_offset(const modifier_list *list, sinew_inertia_group *groups); /* of their joints */
void modifiers_have_run(modifier_list *list);

#endif
