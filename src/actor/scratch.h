/* scratch – one thread's memory for evaluating characters, one after the other. */
#ifndef SINEW_ACTOR_SCRATCH_H
#define SINEW_ACTOR_SCRATCH_H

#include <sinew/pose.h>

/* A pose for each action of a layer, and some for their sums. */
enum {
  MAX_ACTIONS = 32,
  SCRATCH_LAYER = MAX_ACTIONS,
  SCRATCH_ABOVE,
  SCRATCH_LATER,
  SCRATCH_TO,
  SCRATCH_TO_BEFORE,
  SCRATCH_POSES,
  SCRATCH_ROTATIONS = 4
};

typedef struct scratch {
  int groups; /* the most that a pose can have */
  sinew_pose_group *poses;
  float *coverage, *actions; /* one for each lane of a pose */
  sinew_mat3x4 *joints;      /* of as many characters as a group has lanes */
  sinew_quat *rotations;     /* of SCRATCH_ROTATIONS poses */
} scratch;

/* Makes room for poses of this many groups. When memory runs out, returns false and an error message, and changes
 * nothing. */
bool scratch_reserve(scratch *s, int groups, sinew_error *error);
void scratch_reset(scratch *s);

/* Pose `index`, of a model with this many joints. */
sinew_pose scratch_pose(const scratch *s, int index, int joint_count);
/* One for each joint. */
sinew_quat *scratch_rotations(const scratch *s, int index);
/* Both poses have the same number of joints. */
void pose_copy(sinew_pose to, sinew_pose from);

#endif
