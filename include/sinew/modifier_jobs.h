/* sinew/modifier_jobs.h – jobs that change a pose after blending: inverse kinematics, look-at, springs, limits, feet on
 * the ground.
 *
 * Jobs as in pose.h: a check that says why not, no allocation, any thread. All work on a sinew_posed and leave its two
 * halves consistent, so they can follow each other in any order. Positions and directions are in model space (metres, y
 * up) unless stated otherwise. `weight` is 0 (nothing changes) to 1. Rotations are exact under uniform scale, mirrored
 * or not, and approximate where the joints above scale differently by axis. */
#ifndef SINEW_MODIFIER_JOBS_H
#define SINEW_MODIFIER_JOBS_H

#include <sinew/pose.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A model in a pose, in both spaces; modifiers read and write both. */
typedef struct sinew_posed {
  const sinew_model *model;
  sinew_pose pose;      /* local */
  sinew_mat3x4 *joints; /* what sinew_local_to_model gives for `pose` */
} sinew_posed;

enum { SINEW_CHAIN_MAX = 64 /* joints in a chain, at most */ };

/* ---- two-bone inverse kinematics -------------------------------------------------------------------------- */

/* Bends an arm or a leg so that its tip comes to a target: the middle joint turns by the law of cosines, the upper
 * joint turns the limb to the target and its bend to the pole. Bones keep their lengths and their twist about the bend.
 * A target out of reach stretches the limb towards it and never flips it; one that is too near folds it.
 *
 * From `soften` × length on, the limb approaches its full length by exp(−x) instead of reaching it abruptly (Nicholas,
 * "Soft IK", 2009), because the middle joint of a limb that straightens turns ever faster. */
typedef struct sinew_two_bone_job {
  sinew_posed posed;
  int upper, middle, tip; /* each below the one before; joints between them stay as they are */
  sinew_vec3 target;
  bool has_pole;
  /* A point that the middle joint bends towards, unless it is within 3 degrees of the line to the target, where it is
   * ignored. Without a pole the bend turns along with the limb. */
  sinew_vec3 pole;
  /* The axis about which the limb bends the right way, in the middle joint's own space. {0, 0, 0}: it already bends the
   * right way; then a straight limb bends towards the pole, or if there is none, about any axis. */
  sinew_vec3 hinge;
  float soften;  /* 0.5 .. 1; 1: not at all, 0.97 is a good value */
  bool keep_tip; /* the tip keeps its rotation in model space: a foot stays flat */
  float weight;
  /* 1 .. 2; 0 is 1. The factor by which a limb that is too short, after `soften`, may become longer at most: middle
   * joint and tip move away along their bones, and nothing is scaled. */
  float stretch;
  float *reach_error; /* NULL, or gets the distance from the tip to the target, metres */
} sinew_two_bone_job;

SINEW_API const char *sinew_two_bone_check(const sinew_two_bone_job *job);
SINEW_API bool sinew_two_bone(const sinew_two_bone_job *job);

/* ---- look at ---------------------------------------------------------------------------------------------- */

/* Turns a chain so that its last joint looks at a target. The whole rotation is computed, then refined four times for
 * where the last joint has moved; each joint makes its part of it about the same axis.
 *
 * The rotation is at most `limit`. From half-way between the limit and straight behind it eases back to zero, so it
 * never flips from one side to the other. */
typedef struct sinew_aim_job {
  sinew_posed posed;
  const int *chain;           /* from the lowest (spine) to the one that looks (head); each below the one before */
  int count;                  /* 1 .. SINEW_CHAIN_MAX */
  const float *joint_weights; /* how much of the rotation each joint makes, >= 0; divided by their sum. NULL: even */
  sinew_vec3 forward;         /* in the last joint's own space: where it looks */
  sinew_vec3
      up; /* in the same space: what is kept upright, towards model y. {0, 0, 0}: the shortest turn, without roll */
  sinew_vec3 target;
  float limit; /* radians, 0..π */
  float weight;
} sinew_aim_job;

SINEW_API const char *sinew_aim_check(const sinew_aim_job *job);
SINEW_API bool sinew_aim(const sinew_aim_job *job);

/* ---- chains ----------------------------------------------------------------------------------------------- */

/* Brings the tip of a chain of any length to a target by FABRIK (Aristidou and Lasenby, "FABRIK: A fast, iterative
 * solver for the Inverse Kinematics problem", 2011). Bones keep their lengths, and each turns the shortest way. A
 * target out of reach stretches the chain. */
typedef struct sinew_fabrik_job {
  sinew_posed posed;
  int root, tip; /* the tip below the root; the chain is what is between, SINEW_CHAIN_MAX joints at most */
  sinew_vec3 target;
  int iterations;  /* 1 .. 1000, at most; 16 is a good value */
  float tolerance; /* metres, >= 0: near enough */
  float weight;
  float *reach_error; /* NULL, or gets the distance from the tip to the target, metres */
} sinew_fabrik_job;

SINEW_API const char *sinew_fabrik_check(const sinew_fabrik_job *job);
SINEW_API bool sinew_fabrik(const sinew_fabrik_job *job);

/* ---- springs ---------------------------------------------------------------------------------------------- */

/* The state of a spring, in world space; the caller keeps it. All zeros: it starts at rest, in the pose. */
typedef struct sinew_spring_state {
  sinew_vec3 position, velocity; /* of the bone's end; until the spring has started, from the pose */
  sinew_vec3 pivot, target;      /* the bone's two ends in the pose, last time */
  bool started;
} sinew_spring_state;

/* Hair, tails, straps: the end of each joint's bone (its first child; for the last joint, as far again as from its
 * parent) is drawn to where the pose has it by a damped spring, and by gravity, at the bone's length. A frame is cut
 * into steps of 1/120 s, 16 at most, and each follows the spring's own solution, which is stable at any dt. Joints
 * without a length are left alone. A bone that moved further than four times its length, faster than 100 m/s, was
 * teleported: it keeps its swing and is not dragged. */
typedef struct sinew_spring_job {
  sinew_posed posed;
  const int *joints; /* ascending, so that a parent comes before its children */
  int count;
  sinew_spring_state *states; /* count */
  sinew_mat3x4 world;         /* where the model stands: what moves it moves the springs */
  double dt;                  /* seconds, >= 0 */
  float frequency;            /* of the spring, 1/s; 0.01 .. 1000 */
  float damping;              /* 0 swings forever, 1 does not swing; 0..100 */
  sinew_vec3 gravity;         /* m/s², world space */
  float weight;
} sinew_spring_job;

SINEW_API const char *sinew_spring_check(const sinew_spring_job *job);
SINEW_API bool sinew_spring(const sinew_spring_job *job);

/* ---- limits and constraints ------------------------------------------------------------------------------- */

/* Keeps a joint's rotation from its rest rotation inside a cone about its axis, and its twist about that axis between
 * two angles: rest⁻¹ · local = swing · twist (Dobrowolski, "Swing-twist decomposition in Clifford algebra", 2015). */
typedef struct sinew_limit_job {
  sinew_posed posed;
  int joint;
  sinew_vec3 axis;            /* the bone, in the joint's own space */
  float swing;                /* radians from the axis, 0..π */
  float twist_min, twist_max; /* radians, −π..π */
  float weight;
} sinew_limit_job;

SINEW_API const char *sinew_limit_check(const sinew_limit_job *job);
SINEW_API bool sinew_limit(const sinew_limit_job *job);

enum { SINEW_COPY_POSITION = 1, SINEW_COPY_ROTATION = 2, SINEW_COPY_SCALE = 4 };

/* Copies another joint's transform in model space: position, rotation or scale of source · offset. */
typedef struct sinew_copy_transform_job {
  sinew_posed posed;
  int joint, source; /* the source is not below the joint */
  unsigned parts;    /* SINEW_COPY_POSITION … added up */
  sinew_transform offset;
  float weight;
} sinew_copy_transform_job;

SINEW_API const char *sinew_copy_transform_check(const sinew_copy_transform_job *job);
SINEW_API bool sinew_copy_transform(const sinew_copy_transform_job *job);

/* Turns a helper joint with another one: many characters have joints beside the elbow or along the forearm that turn
 * half as far, so that the skin keeps its volume. After a modifier has turned the source, this brings them along. Both
 * hang from the same joint; the joint takes a fraction of the source's rotation from its rest rotation:
 * local = (source · source_rest⁻¹)^fraction · rest. */
typedef struct sinew_twist_job {
  sinew_posed posed;
  int joint, source;
  sinew_vec3 axis; /* of their parent's space: only the twist about it is taken. {0, 0, 0}: the whole rotation */
  float fraction;  /* −1..1; 0.5 is usual */
  float weight;
} sinew_twist_job;

SINEW_API const char *sinew_twist_check(const sinew_twist_job *job);
SINEW_API bool sinew_twist(const sinew_twist_job *job);

/* ---- feet on the ground ----------------------------------------------------------------------------------- */

/* A foot and the ground under it, which the caller looks up. */
typedef struct sinew_foot {
  int upper, middle, tip; /* thigh, shin, foot: as in sinew_two_bone_job */
  sinew_vec3 hinge;
  float ground;      /* metres above the level that the clip was made on (model y = 0) */
  sinew_vec3 normal; /* of the ground, up */
  float weight;      /* 0..1: less while the foot is in the air */
  sinew_vec3 hold;   /* metres that the foot is moved along x and z: y is not used */
} sinew_foot;

/* Puts feet on uneven ground: the pelvis moves by the lowest ground under any foot, so that every leg can reach, each
 * foot by the ground under it (its own height above the clip's level stays), and each foot tilts with the ground. */
typedef struct sinew_plant_job {
  sinew_posed posed;
  int pelvis; /* the upper joints are below it */
  const sinew_foot *feet;
  int count;
  float max_shift; /* model-space lengths that the pelvis may move, either way */
  float max_tilt;  /* radians that a foot may tilt, 0..π/2 */
  float weight;
  const float *shift; /* how far the pelvis moves; NULL: by the lowest ground under any foot */
} sinew_plant_job;

SINEW_API const char *sinew_plant_check(const sinew_plant_job *job);
SINEW_API bool sinew_plant(const sinew_plant_job *job);

#ifdef __cplusplus
}
#endif
#endif
