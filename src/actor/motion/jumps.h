/* jumps – how far a change displaces the pose of a measured actor at one instant.
 *
 * A change acts between two updates: a caller writes something, a machine goes to another state, a clip begins again,
 * a function of the program's does something else. The displacement is the difference between the pose with the change
 * and the pose without it at that instant, for which no time passes. So it does not depend on how long an update is.
 * For each cause, `without` means: what the caller wrote, and what machines decided: the pose last shown, against the
 * blend of the clips that play now with their weights and times at the beginning of the update; modifiers: what they
 * make of that pose with their old values and with the new ones in 1/60 s; functions that are modifiers: the pose with
 * the rotations and shifts that they added in the last update; the seam of a loop: the pose with the clip at its last
 * moment, against the pose with it at its first one; the actor's transform and attachment, and weights of morph
 * targets: the ones before. What changes in every frame moves something on purpose. So from a displacement the part is
 * taken that the ones of the update before or of the one after it explain, and a jump is known one update later. */
#ifndef SINEW_ACTOR_JUMPS_H
#define SINEW_ACTOR_JUMPS_H

#include "actor/modifiers/modifier.h"
#include "actor/scratch.h"

#include <sinew/marks.h>

struct actor;

typedef enum jump_cause { JUMP_WRITTEN, JUMP_MODIFIER, JUMP_SEAM, JUMP_CAUSES } jump_cause;

typedef struct joint_shift {
  sinew_vec3 turn, way; /* axis · radians, of a joint relative to its parent; of its position in model space */
} joint_shift;

/* Of one update. */
typedef struct jump_frame {
  joint_shift *joints, actor; /* actor: in the world */
  float morph;                /* of the vertex that moves farthest, in model space … */
  int morph_index;            /* … by this target; −1: none */
  float most[JUMP_CAUSES];    /* how conspicuous the largest is by each cause … */
  int modifier;               /* … by which modifier, −1: none … */
  int clip, layer, node;      /* … and of which clip it is the seam */
  uint64_t action;
  double end, step; /* seconds */
} jump_frame;

typedef struct jump_size {
  float turn, way;
} jump_size;

typedef struct modifier_inputs {
  sinew_modifier_def def; /* its pointers are only compared */
  float weight;
} modifier_inputs;

typedef struct jumps {
  jump_frame frames[3]; /* of this update and the two before; two of the frames of which poses are known … */
  int known;            /* … at most 3 */
  bool has_pose;        /* of the update before */
  float turn_threshold, way_threshold; /* radians; in model space */
  sinew_pose base, spare;              /* the blend of the update before, without modifiers */
  sinew_vec3 *places;                  /* scratch */
  sinew_transform *effects[2];         /* what functions did with each joint in this update and in the one before … */
  int functions, function;             /* … how many ran in this one, and the last of them */
  sinew_transform transform;           /* of the actor: at the end of the update before, … */
  sinew_transform begun;               /* … and when this one began */
  sinew_attachment attached;
  modifier_inputs *inputs; /* of the update before … */
  int input_count;         /* … at most MODIFIERS */
  float *morphs, *extents; /* the weights by hand in the update before; metres of the farthest vertex for weight 1 */
} jumps;

/* Without a past; the thresholds stay. False when memory runs out. */
bool jumps_init(jumps *j, const struct actor *a);
void jumps_reset(jumps *j);
/* Compares the update that ends at `end` seconds with the one before. True if jumps_joint and jumps_actor know more. */
bool jumps_update(jumps *j, const sinew_stage *stage, const scratch *s, struct actor *a, double end);
/* What the update before this one displaced beyond what its neighbours explain. */
const jump_frame *jumps_frame(const jumps *j);
jump_size jumps_joint(const jumps *j, int joint);
/* Whether this update moves a joint or the actor farther than the one before explains: it jumps, or begins to move. */
bool jumps_begins(const jumps *j, int joint);
jump_size jumps_actor(const jumps *j);
float jumps_morph(const jumps *j);
/* Multiples of the thresholds. */
float jumps_rank(const jumps *j, jump_size size);

/* Around a modifier that is a function. */
void jumps_before_function(jumps *j, sinew_pose pose);
void jumps_after_function(jumps *j, sinew_pose pose, int index);

#endif
