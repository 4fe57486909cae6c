/* sinew/actor_modifiers.h – root motion that moves an actor, modifiers that change its pose, and attachments to
 * joints of other actors. */
#ifndef SINEW_ACTOR_MODIFIERS_H
#define SINEW_ACTOR_MODIFIERS_H

#include <sinew/actor.h>
#include <sinew/modifier_jobs.h>
#include <sinew/motion.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- root motion ------------------------------------------------------------------------------------------ */

/* Extracts the motion of a joint from everything that the base layer plays (motion.h), blended with the weights of the
 * pose. If feet are given, clips that walk on the spot get it from their feet: those whose joint moves less than 1 cm
 * (on a figure of human size) along x and z from beginning to end. */
typedef struct sinew_root_def {
  int joint;     /* −1: no root motion */
  unsigned axes; /* SINEW_ROOT_X … added up; 0: none */
  bool apply;    /* the actor's transform moves with it; else sinew_actor_root_delta is for the caller */
  int feet[SINEW_FEET_MAX], foot_count;
  float foot_height; /* as in sinew_root_from_feet_job; NAN: 2 cm, in whatever unit a figure of that size has */
} sinew_root_def;

SINEW_API sinew_root_def sinew_root_def_default(void); /* none; x, z and yaw, applied, a foot_height of NAN */
/* False and an error message if a joint does not exist or memory runs out. */
SINEW_API bool sinew_actor_set_root(sinew_stage *stage, sinew_actor actor, const sinew_root_def *def,
                                    sinew_error *error);
/* What was set; no root motion for a stale id. */
SINEW_API sinew_root_def sinew_actor_root(const sinew_stage *stage, sinew_actor actor);
/* How the root moved in the last update, in the space that the actor had before it: world = before · delta. */
SINEW_API sinew_transform sinew_actor_root_delta(const sinew_stage *stage, sinew_actor actor);

/* ---- modifiers -------------------------------------------------------------------------------------------- */

typedef enum sinew_modifier_kind {
  SINEW_MODIFIER_TWO_BONE,       /* joints: upper, middle, tip; target */
  SINEW_MODIFIER_AIM,            /* joints: the chain; target */
  SINEW_MODIFIER_FABRIK,         /* joints: root, tip; target */
  SINEW_MODIFIER_SPRING,         /* joints, parents first */
  SINEW_MODIFIER_LIMIT,          /* joints: one */
  SINEW_MODIFIER_COPY_TRANSFORM, /* joints: joint, source */
  SINEW_MODIFIER_TWIST,          /* joints: joint, source */
  SINEW_MODIFIER_PLANT,          /* joints: pelvis, then upper, middle, tip of each foot */
  SINEW_MODIFIER_WARP,           /* joints: pelvis, upper, middle, tip of both legs, then those of the spine */
  SINEW_MODIFIER_FUNCTION
} sinew_modifier_kind;

/* The height of the ground for a planting modifier at a point of the world, metres, and its normal (0, 1, 0 unless it
 * is set). Called as a modifier function is; a height that is not finite means no ground. */
typedef float sinew_plant_ground_function(void *user, sinew_actor actor, int modifier, float x, float z,
                                          sinew_vec3 *normal);

/* Changes the pose in place, and must leave its two halves consistent. Called on the thread that updates the stage,
 * which is locked meanwhile (actor.h). */
typedef void sinew_modifier_function(void *user, sinew_actor actor, int modifier, const sinew_posed *posed,
                                     float weight, double dt);

/* modifier_jobs.h explains the values with the job of each kind. A value that the kind does not use must stay as
 * sinew_modifier_def_default sets it; any other is refused. */
typedef struct sinew_modifier_def {
  const char *name; /* unique */
  sinew_modifier_kind kind;
  float weight; /* 0..1 */
  /* A parameter of the actor (graph.h), otherwise a curve of its clips (curve.h): its value, clamped to 0..1,
   * multiplies `weight`. "": none. If there is no such parameter, and no playing clip has the curve, the factor is 1.
   */
  char weight_param[64];
  const int *joints;
  int joint_count;        /* those of all modifiers of an actor × the joints of its model: at most 2²⁴ */
  sinew_vec3 target;      /* world space; NAN: none yet; the modifier has no effect without one */
  bool has_pole;          /* two bone … */
  sinew_vec3 pole;        /* … world space */
  sinew_vec3 hinge;       /* two bone, plant, warp */
  float soften;           /* two bone */
  bool keep_tip;          /* two bone */
  float stretch;          /* two bone */
  sinew_vec3 forward, up; /* look at */
  float limit;            /* look at, radians */
  /* Look at: a target that moves faster than `turn_rate` (radians a second, seen from the joint), appears, disappears
   * or is replaced is followed with a delay: a critically damped spring draws the gaze to it and takes about 1.2
   * half-lives for half of the angle. Slower targets are followed without a lag. Half-life 0: always at once. Two bone,
   * chain: the same of the tip and a target that moves faster than 3 m/s, seen from the actor; by default 0. Plant:
   * that of the pelvis' spring. */
  float half_life, turn_rate;
  const float *joint_weights;        /* look at: joint_count, or NULL */
  int iterations;                    /* chain */
  float tolerance;                   /* chain, metres */
  float frequency, damping;          /* spring */
  sinew_vec3 gravity;                /* spring */
  sinew_vec3 axis;                   /* limit, twist */
  float swing, twist_min, twist_max; /* limit, radians */
  unsigned parts;                    /* copy */
  sinew_transform offset;            /* copy */
  float fraction;                    /* twist */
  float max_shift, max_tilt;         /* plant */
  /* Plant, foot locking: the largest distance by which a planted foot may stay behind its clip, metres; 0: off. The
   * clips of the base layer decide by their weights which feet are planted, for a model whose legs are known. The balls
   * of these feet stay where they came down while the actor moves on. They are released softly when they lift, or when
   * the distance becomes too large. */
  float lock;
  /* Plant: the ground under each foot, in the same frame and after root motion; replaces sinew_actor_set_ground. Or
   * NULL. A foot in the air approaches the ground on which it will land; the pelvis follows the lower foot. */
  sinew_plant_ground_function *ground;
  void *ground_user;
  /* Warp: fits the strides of the base layer's clips to the actor's true velocity in the world, however it is moved. A
   * clip with the velocity U (sinew_clip_velocity, times its speed) lets feet slide by the difference to the actor's
   * velocity V. So each foot's path is scaled by |V| / |U| about its middle, within stride[0] .. stride[1], and rotated
   * with the hips from U to V, by at most `angle` radians (up to 1.6) and at most 2 radians per second. The spine
   * rotates back by half of that, so that the chest keeps its direction. The pelvis sinks by up to 12 cm if a leg is
   * too short. If V is more than about 90° from U, the feet take their paths backward, and the rest of the angle
   * rotates them: good for a few steps, but a clip that walks backward looks better. The effect fades out if U is below
   * 0.3 m/s. For models whose legs are known. */
  float stride[2];
  float angle;
  sinew_modifier_function *function; /* function … */
  void *user;                        /* … and what it is given */
} sinew_modifier_def;

/* Weight 1, no target, and good values for everything else; lengths are those of a figure in metres: for another unit
 * multiply max_shift and tolerance by sinew_model_metre. */
SINEW_API sinew_modifier_def sinew_modifier_def_default(sinew_modifier_kind kind);

/* Sets the actor's modifiers, in the order in which they act, replacing the previous ones. Everything is copied. A
 * modifier of the same name, kind and joints keeps its state; so does one that replaces a modifier of the same kind and
 * joints under another name. At most 64. False, and an error message that names the modifier and the rule. */
SINEW_API bool sinew_actor_set_modifiers(sinew_stage *stage, sinew_actor actor, const sinew_modifier_def *defs,
                                         int count, sinew_error *error);
/* Whether set_modifiers would accept them for an actor of that model; if not, the same error message. */
SINEW_API bool sinew_modifiers_check(const sinew_model *model, const sinew_modifier_def *defs, int count,
                                     sinew_error *error);
SINEW_API int sinew_actor_modifier_count(const sinew_stage *stage, sinew_actor actor);
SINEW_API const char *sinew_actor_modifier_name(const sinew_stage *stage, sinew_actor actor, int modifier);
SINEW_API int sinew_actor_find_modifier(const sinew_stage *stage, sinew_actor actor, const char *name); /* or -1 */

/* Whether it is of a kind with a target. */
SINEW_API bool sinew_actor_modifier_aims(const sinew_stage *stage, sinew_actor actor, int modifier);
/* What a modifier does now. Its name and its joints live until the actor's modifiers are set. False, and zeros, for one
 * that does not exist. */
SINEW_API bool sinew_actor_read_modifier_state(const sinew_stage *stage, sinew_actor actor, int modifier,
                                               sinew_modifier_def *state);
/* Sets what may change from frame to frame: weight, target (NAN: none) and pole; the rest is ignored. False, and
 * nothing changed, for a modifier that does not exist, or for values that are not finite. The weight is clamped to
 * 0..1; a target or a pole that the kind does not have is ignored. */
SINEW_API bool sinew_actor_set_modifier_state(sinew_stage *stage, sinew_actor actor, int modifier,
                                              const sinew_modifier_def *state);
/* Metres from the tip to the target, last time and after all modifiers (two bone, chain); otherwise 0. */
SINEW_API float sinew_actor_reach_error(const sinew_stage *stage, sinew_actor actor, int modifier);
/* The target follows a joint, with its position in the same update: a joint of another actor after all of that actor's
 * modifiers; a joint of the actor itself, or of what is attached to it, as it is when this modifier acts. Setting a
 * target ends this, and so does {0} for `to`. If the other actor is destroyed, the target stays at its last position. A
 * call while the stage is updated takes effect in the next update. False, and an error message, for a modifier without
 * a target, a joint that does not exist, and actors that would depend on each other, with the names of both. */
SINEW_API bool sinew_actor_set_modifier_target(sinew_stage *stage, sinew_actor actor, int modifier, sinew_actor to,
                                               int joint, sinew_error *error);
/* False, {0} and −1 if the target is not a joint. */
SINEW_API bool sinew_actor_modifier_target(const sinew_stage *stage, sinew_actor actor, int modifier, sinew_actor *to,
                                           int *joint);
/* The states of a spring modifier, one for each joint (modifier_jobs.h), for a modifier that is removed and restored.
 * Writes as many as fit and returns their number; 0 for other kinds. */
SINEW_API int sinew_actor_springs(const sinew_stage *stage, sinew_actor actor, int modifier, sinew_spring_state *states,
                                  int capacity);
/* Returns false, and changes nothing, if the numbers differ. */
SINEW_API bool sinew_actor_set_springs(sinew_stage *stage, sinew_actor actor, int modifier,
                                       const sinew_spring_state *states, int count);
/* The ground under a foot of a planting modifier: its height and normal in world space, and how much the foot is on it,
 * 0..1. Without it, the ground is level with the actor. */
SINEW_API bool sinew_actor_set_ground(sinew_stage *stage, sinew_actor actor, int modifier, int foot, float height,
                                      sinew_vec3 normal, float weight);

/* The height of the ground set for the foot that the joint is, or is below. False if none was set: then the ground is
 * level with the actor. */
SINEW_API bool sinew_actor_ground(const sinew_stage *stage, sinew_actor actor, int joint, float *height);

/* ---- attachments ------------------------------------------------------------------------------------------ */

enum { SINEW_ATTACH_MOST = 256 };

typedef struct sinew_attachment {
  sinew_actor to; /* {0}: to nothing */
  int joint;
  sinew_transform offset;
  /* False: the joint's scale at rest is left out, because it is a matter of units: a prop keeps its size, and the
   * offset is in metres. A scale that clips add counts. True: the joint's whole scale scales the actor. */
  bool joint_scale;
} sinew_attachment;

SINEW_API sinew_attachment sinew_attachment_default(void); /* to nothing, without an offset */
/* Attaches the actor to a joint of another one: its transform becomes transform of the other · joint · offset, in each
 * update after the other was evaluated. False, and an error message, for a joint that does not exist, a circle, or a
 * chain of more than SINEW_ATTACH_MOST actors, with the names of both actors. If the other is destroyed, the actor
 * keeps its position. */
SINEW_API bool sinew_actor_attach(sinew_stage *stage, sinew_actor actor, const sinew_attachment *attachment,
                                  sinew_error *error);
/* The world transform that the offset is relative to, as of the last update; false where it is attached to nothing. */
SINEW_API bool sinew_actor_attached_at(const sinew_stage *stage, sinew_actor actor, sinew_mat3x4 *at);
/* False, and nothing written, where it is attached to nothing. */
SINEW_API bool sinew_actor_attachment(const sinew_stage *stage, sinew_actor actor, sinew_attachment *attachment);

#ifdef __cplusplus
}
#endif
#endif
