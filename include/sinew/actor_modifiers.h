/* sinew/actor_modifiers.h – what an actor does with what it plays: root motion that moves it, modifiers that change its
 * pose, and joints of others that it hangs from. */
#ifndef SINEW_ACTOR_MODIFIERS_H
#define SINEW_ACTOR_MODIFIERS_H

#include <sinew/actor.h>
#include <sinew/modifier_jobs.h>
#include <sinew/motion.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- root motion ------------------------------------------------------------------------------------------ */

/* Takes the motion of a joint out of all that the base layer plays (motion.h), blended with the weights that the pose
 * has. Clips that walk on the spot get it from their feet, where feet are given: those whose joint moves less than
 * 1 cm along x and z from beginning to end. */
typedef struct sinew_root_def {
  int joint;     /* −1: no root motion */
  unsigned axes; /* SINEW_ROOT_X … added up; 0: none */
  bool apply;    /* the actor's transform moves with it; else sinew_actor_root_delta is for the caller */
  const int *feet;
  int foot_count;    /* 0 .. SINEW_FEET_MAX */
  float foot_height; /* as in sinew_root_from_feet_job */
} sinew_root_def;

SINEW_API sinew_root_def sinew_root_def_default(void); /* none; x, z and yaw, applied, feet within 0.02 m */
/* False, and a sentence: a joint that is not there, memory. */
SINEW_API bool sinew_actor_set_root(sinew_stage *stage, sinew_actor actor, const sinew_root_def *def,
                                    sinew_error *error);
/* How the root has moved in the last update, in the actor's own space before it: world = before · delta. */
SINEW_API sinew_transform sinew_actor_root_delta(const sinew_stage *stage, sinew_actor actor);

/* ---- modifiers -------------------------------------------------------------------------------------------- */

typedef enum sinew_modifier_kind {
  SINEW_MODIFIER_TWO_BONE,       /* joints: upper, middle, tip; target */
  SINEW_MODIFIER_AIM,            /* joints: the chain; target */
  SINEW_MODIFIER_CHAIN,          /* joints: root, tip; target */
  SINEW_MODIFIER_SPRING,         /* joints, parents first */
  SINEW_MODIFIER_LIMIT,          /* joints: one */
  SINEW_MODIFIER_COPY_TRANSFORM, /* joints: joint, source */
  SINEW_MODIFIER_TWIST,          /* joints: joint, source */
  SINEW_MODIFIER_PLANT,          /* joints: pelvis, then upper, middle, tip of each foot */
  SINEW_MODIFIER_FUNCTION
} sinew_modifier_kind;

/* The height of the ground for a planting modifier at a place of the world, metres, and its normal (0, 1, 0 unless it
 * is set). Called likewise; a height that is not finite is no ground. */
typedef float sinew_plant_ground_function(void *user, sinew_actor actor, int modifier, float x, float z,
                                          sinew_vec3 *normal);

/* Changes the pose in place; both of its halves must be in step after it. Called on the thread that updates the stage,
 * which is locked meanwhile (actor.h). */
typedef void sinew_modifier_function(void *user, sinew_actor actor, int modifier, const sinew_posed *posed,
                                     float weight, double dt);

/* What the values mean stands with the kind's job in modifier_jobs.h. One that the kind does not have stays as
 * sinew_modifier_def_default gives it: any other is refused. */
typedef struct sinew_modifier_def {
  const char *name; /* unique */
  sinew_modifier_kind kind;
  float weight; /* 0..1 */
  const int *joints;
  int joint_count;        /* those of all modifiers of an actor × the joints of its model: at most 2²⁴ */
  sinew_vec3 target;      /* world space; NAN: none yet, and it does nothing until there is one */
  bool has_pole;          /* two bone … */
  sinew_vec3 pole;        /* … world space */
  sinew_vec3 hinge;       /* two bone, plant */
  float soften;           /* two bone */
  bool keep_tip;          /* two bone */
  sinew_vec3 forward, up; /* aim */
  float limit;            /* aim, radians */
  /* Aim: a target that goes faster than `turn_rate` (radians a second, as the joint sees it), that comes, goes, or is
   * another has not been followed there: the gaze is drawn to it by a critically damped spring that takes about 1.2
   * half-lives for half of the way. Slower ones are looked at without a lag. Half-life 0: at once. */
  float half_life, turn_rate;
  const float *shares;               /* aim: joint_count, or NULL */
  int iterations;                    /* chain */
  float tolerance;                   /* chain, metres */
  float frequency, damping;          /* spring */
  sinew_vec3 gravity;                /* spring */
  sinew_vec3 axis;                   /* limit, twist */
  float swing, twist_min, twist_max; /* limit, radians */
  unsigned parts;                    /* copy */
  sinew_transform offset;            /* copy */
  float share;                       /* twist */
  float max_shift, max_tilt;         /* plant */
  /* Plant: metres that a standing foot may be held back by at most, 0: it is not. Which feet stand the clips say (those
   * of the base layer, by their weights), for a model whose legs are known. Their balls stay where they came down while
   * the actor moves on, and go softly when they lift or are held too far back. */
  float lock;
  /* Plant: the ground under each foot, in the same frame and after root motion; in place of sinew_actor_set_ground. Or
   * NULL. A foot in the air comes to the ground that it is about to reach; the pelvis follows the lower of the feet. */
  sinew_plant_ground_function *ground;
  void *ground_user;
  sinew_modifier_function *function; /* function … */
  void *user;                        /* … and what it is given */
} sinew_modifier_def;

/* Weight 1, no target, and good values for all else. */
SINEW_API sinew_modifier_def sinew_modifier_def_default(sinew_modifier_kind kind);

/* The actor's modifiers, in the order in which they act (all is copied), in place of those it had. One of the same
 * name, kind and joints keeps what it remembers. At most 64. False, and a sentence that names the modifier and the
 * rule. */
SINEW_API bool sinew_actor_set_modifiers(sinew_stage *stage, sinew_actor actor, const sinew_modifier_def *defs,
                                         int count, sinew_error *error);
/* Whether set_modifiers would take them for an actor of that model; else the same sentence. */
SINEW_API bool sinew_modifiers_check(const sinew_model *model, const sinew_modifier_def *defs, int count,
                                     sinew_error *error);
SINEW_API int sinew_actor_modifier_count(const sinew_stage *stage, sinew_actor actor);
SINEW_API const char *sinew_actor_modifier_name(const sinew_stage *stage, sinew_actor actor, int modifier);
SINEW_API int sinew_actor_find_modifier(const sinew_stage *stage, sinew_actor actor, const char *name); /* or -1 */

/* What may change from frame to frame. */
typedef struct sinew_modifier_state {
  float weight;
  sinew_vec3 target, pole; /* world space; the target may be NAN: none */
  float reach_error;       /* read only: metres from the tip to the target, last time (two bone, chain) */
} sinew_modifier_state;

SINEW_API bool sinew_actor_read_modifier_state(const sinew_stage *stage, sinew_actor actor, int modifier,
                                               sinew_modifier_state *state);
/* False, and nothing changed, for what is not there or not finite. The weight is held to 0..1; a target or a pole that
 * the kind does not have is left out. */
SINEW_API bool sinew_actor_set_modifier_state(sinew_stage *stage, sinew_actor actor, int modifier,
                                              const sinew_modifier_state *state);
/* The target becomes a joint, wherever it goes, as it is in the same update: that of another actor after all of its
 * modifiers; one of the actor itself, or of what hangs from it, as it stands when this modifier acts. Setting a target
 * ends it, and so does {0} for `to`; an actor that is destroyed leaves the target where it was. What is set while the
 * stage is updated counts from the next update on. False, and a sentence, for a modifier without a target, a joint that
 * is not there, and actors that would wait for each other, with the names of both. */
SINEW_API bool sinew_actor_set_modifier_target(sinew_stage *stage, sinew_actor actor, int modifier, sinew_actor to,
                                               int joint, sinew_error *error);
/* False, {0} and −1 where the target is no joint. */
SINEW_API bool sinew_actor_modifier_target(const sinew_stage *stage, sinew_actor actor, int modifier, sinew_actor *to,
                                           int *joint);
/* How the springs of a modifier swing, for one that goes and comes back: a state for each of its joints that has not
 * started (modifier_jobs.h). Writes as many as fit and returns how many there are; 0 for other kinds. */
SINEW_API int sinew_actor_springs(const sinew_stage *stage, sinew_actor actor, int modifier, sinew_spring_state *states,
                                  int capacity);
/* False, and nothing changed, where there are not as many. */
SINEW_API bool sinew_actor_set_springs(sinew_stage *stage, sinew_actor actor, int modifier,
                                       const sinew_spring_state *states, int count);
/* The ground under a foot of a planting modifier: its height and normal in world space, and how much the foot is on it,
 * 0..1. Until it is given, the ground is where the actor stands. */
SINEW_API bool sinew_actor_set_ground(sinew_stage *stage, sinew_actor actor, int modifier, int foot, float height,
                                      sinew_vec3 normal, float weight);

/* The height of the ground that was given for the foot which the joint is or hangs from. False where there is none:
 * then the ground is where the actor stands. */
SINEW_API bool sinew_actor_ground(const sinew_stage *stage, sinew_actor actor, int joint, float *height);

/* ---- attachments ------------------------------------------------------------------------------------------ */

enum { SINEW_ATTACH_MOST = 256 };

/* The actor stands at another one's joint: its transform becomes transform of the other · joint · offset, in each
 * update after the other was evaluated. {0} detaches it. False, and a sentence: a joint that is not there, a circle, or
 * more actors in a row than SINEW_ATTACH_MOST, with the names of both actors. An actor whose other is destroyed stays
 * where it was. */
SINEW_API bool sinew_actor_attach(sinew_stage *stage, sinew_actor actor, sinew_actor to, int joint,
                                  const sinew_transform *offset, sinew_error *error);
SINEW_API sinew_actor sinew_actor_attached_to(const sinew_stage *stage, sinew_actor actor);

#ifdef __cplusplus
}
#endif
#endif
