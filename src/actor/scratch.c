#include "actor/scratch.h"

#include "base/memory/block.h"

#include <string.h>

/* The poses come first, so that their address is the block's. */
static void lay_out(block *b, void *user) {
  scratch *s = user;
  s->poses = block_take(b, (size_t)s->groups * SCRATCH_POSES, sizeof *s->poses);
  s->coverage = block_take(b, (size_t)s->groups * SINEW_LANES, sizeof *s->coverage);
  s->joints = block_take(b, (size_t)s->groups * SINEW_LANES * SINEW_LANES, sizeof *s->joints);
  s->rotations = block_take(b, (size_t)s->groups * SINEW_LANES * SCRATCH_ROTATIONS, sizeof *s->rotations);
  s->actions = block_take(b, (size_t)s->groups * SINEW_LANES, sizeof *s->actions);
}

bool scratch_reserve(scratch *s, int groups, sinew_error *error) {
  if (groups <= s->groups) return true;
  scratch larger = {.groups = groups};
  if (!block_create(lay_out, &larger, "scratch poses", error)) return false;
  scratch_reset(s);
  *s = larger;
  return true;
}

void scratch_reset(scratch *s) {
  block_release(s->poses);
  *s = (scratch){0};
}

sinew_pose scratch_pose(const scratch *s, int index, int joint_count) {
  return (sinew_pose){s->poses + (size_t)index * (size_t)s->groups, joint_count};
}

sinew_quat *scratch_rotations(const scratch *s, int index) {
  return s->rotations + (size_t)index * (size_t)s->groups * SINEW_LANES;
}

void pose_copy(sinew_pose to, sinew_pose from) {
  memcpy(to.groups, from.groups, (size_t)sinew_pose_group_count(from.joint_count) * sizeof *from.groups);
}
