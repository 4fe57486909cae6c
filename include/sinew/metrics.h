/* sinew/metrics.h – measures how well an actor moves: feet that slide, poses that jump, hands that do not reach their
 * target. */
#ifndef SINEW_METRICS_H
#define SINEW_METRICS_H

#include <sinew/actor_modifiers.h>
#include <sinew/motion.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The height of the ground at a point of the world, metres, and its normal (0, 1, 0 unless it is set). Called on the
 * thread that updates the stage, which is locked meanwhile (actor.h); a height that is not finite means that there is
 * no ground. */
typedef float sinew_ground_function(void *user, float x, float z, sinew_vec3 *normal);

typedef struct sinew_metrics_def {
  const int *feet; /* joints, copied; NULL: the feet and toes of a humanoid, if names tell them */
  int foot_count;  /* 0 .. SINEW_FEET_MAX */
  /* A foot is on the ground while it is at most this far above its position in the rest pose, metres, > 0: along y of
   * model space, or over the ground along y of the world. NAN: 2 cm, in whatever unit a figure of that size has. */
  float foot_height;
  /* NULL: the ground of the modifier that plants the foot, as a plane under it; else flat, at the actor's height … */
  sinew_ground_function *ground;
  void *user; /* … and what it is given */
  /* Thresholds of a mark (marks.h), all > 0: a jump of a joint's rotation, radians, or of any position, metres; and the
   * distance that a foot slides in one contact with the ground, metres. Metres are the figure's (sinew_metrics.metre).
   * And room for how many marks, 0 .. 2^20. */
  float turn_threshold, jump_threshold, slide_threshold;
  int marks;
} sinew_metrics_def;

SINEW_API sinew_metrics_def sinew_metrics_def_default(void); /* feet by name, NAN; 0.07 rad (4°), 0.05 m, 0.005 m, 256
                                                              * marks */

/* Over all updates since measuring began. Those without time (dt 0, a paused actor) do not count. */
typedef struct sinew_metrics {
  int64_t frames;
  double seconds;
  /* The speed of a foot along the ground, m/s in the world: between two frames at both of which it is on the ground.
   * The mean is over the time that feet are on the ground; 0 if none ever was. */
  float slide_max, slide_mean;
  int slide_joint; /* whose it was; −1: none */
  /* A jump is a displacement: the difference between the pose with a change and the pose without it, at one instant.
   * The change is anything that the caller wrote, a machine decided, a function did, or the seam of a loop. No time
   * passes for it, so it does not depend on how long updates are. A clip that plays, a fade and an inertial transition
   * score 0. From what changes in every update, only that counts which the updates before and after do not explain: a
   * jump is therefore known one update later, and something that moves on evenly scores 0. */
  float pop;           /* the largest jump of a joint's position, world lengths */
  int pop_joint;       /* −1: none */
  double pop_seconds;  /* when, of `seconds` */
  float turn;          /* the largest jump of a joint's rotation relative to its parent, radians */
  int turn_joint;      /* −1: none */
  double turn_seconds; /* when, of `seconds` */
  double slid;         /* world lengths that legs slid on the ground, all contacts together (marks.h) */
  double metre;        /* world lengths: sinew_model_metre, times the actor's scale */
  int64_t lost_marks;  /* that did not fit (marks.h) */
  float reach;         /* the largest reach error of a modifier with a target and a weight above 0, metres */
  int reach_modifier;  /* −1: none */
} sinew_metrics;

/* Starts measuring from zero; NULL stops. Each update then evaluates the pose once more. All memory is allocated
 * by this call. False, and an error message: no such joint, too many feet, a height that is not above 0, memory. */
SINEW_API bool sinew_actor_set_metrics(sinew_stage *stage, sinew_actor actor, const sinew_metrics_def *def,
                                       sinew_error *error);
/* False, and zeros, if the actor is not measured. */
SINEW_API bool sinew_actor_metrics(const sinew_stage *stage, sinew_actor actor, sinew_metrics *metrics);

#ifdef __cplusplus
}
#endif
#endif
