/* root_motion – the motion that an actor's base layer takes out of its clips. */
#ifndef SINEW_ACTOR_ROOT_MOTION_H
#define SINEW_ACTOR_ROOT_MOTION_H

#include "actor/play/clip_instance.h"
#include "pose/motion/root_motion.h"

#include <sinew/actor_modifiers.h>

enum { ROOT_PATH_RATE = 60 };

/* The displacement of a clip that walks on the spot, from its feet; found when it first plays. */
typedef struct root_path {
  sinew_vec3 *points; /* NULL: the clip travels by itself, or there are no feet */
  int count;
  bool known;
} root_path;

typedef struct root_motion {
  sinew_root_def def;
  root_path *paths; /* one for each clip */
  sinew_transform delta;
  planar velocity;       /* of the last update, per second, as shown */
  planar lost;           /* what remained of the previous velocity when an inertial transition began … */
  double time, duration; /* … and how far it has come */
} root_motion;

bool root_is_on(const root_motion *r);
void root_reset(root_motion *r, int clip_count);
/* Finds the paths of clips that play for the first time. `unit`: the size in model_gait. */
void root_prepare(root_motion *r, const sinew_model *model, double unit, const clip_instance_list *instances);
/* Takes the clip's root motion out of its sampled pose. */
void root_remove(const root_motion *r, const sinew_model *model, int clip, double time, sinew_pose pose);
/* R(time)⁻¹, which takes the root motion out of any transform. */
sinew_mat3x4 root_inverse(const root_motion *r, const sinew_model *model, int clip, double time);
/* The weighted sum of the instances' root motion. It blends twists (x, y, z and yaw per second), and turns the result
 * back into a displacement at the end (root_motion.h). */
typedef struct root_sum {
  planar twist;
  double weight;
} root_sum;
void root_add(root_sum *sum, const root_motion *r, const sinew_model *model, const clip_instance *item, float weight,
              double dt);
/* An inertial transition that begins with an update or within it; until then the root keeps its velocity. */
typedef struct root_change {
  double seconds, late; /* late: seconds of the update before it */
} root_change;
/* The delta of the update. If a transition begins (or NULL), the shown velocity continues, and its difference from the
 * new one decays like that of the pose. */
void root_finish(root_motion *r, const root_sum *sum, double dt, const root_change *change);

#endif
