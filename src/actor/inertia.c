#include "actor/inertia.h"

#include "base/memory.h"

#include <string.h>

/* Under this two poses give no velocity. */
static const double least_gap = 1e-6;

static size_t pose_bytes(sinew_pose pose) {
  return (size_t)sinew_pose_group_count(pose.joint_count) * sizeof *pose.groups;
}

bool inertia_reserve(inertia *i, sinew_pose now) {
  if (i->groups) return true;
  size_t groups = (size_t)sinew_pose_group_count(now.joint_count);
  sinew_pose_group *poses = mem_alloc_array(2 * groups, sizeof *poses);
  i->groups = mem_alloc_array(groups, sizeof *i->groups);
  if (!poses || !i->groups) {
    mem_free(poses);
    mem_free(i->groups);
    i->groups = NULL;
    return false;
  }
  i->shown[0] = (sinew_pose){poses, now.joint_count};
  i->shown[1] = (sinew_pose){poses + groups, now.joint_count};
  memcpy(poses, now.groups, pose_bytes(now));
  i->shown_count = 1;
  return true;
}

void inertia_reset(inertia *i) {
  sinew_pose_group *low = i->shown[0].groups < i->shown[1].groups ? i->shown[0].groups : i->shown[1].groups;
  mem_free(low);
  mem_free(i->groups);
  *i = (inertia){0};
}

void inertia_request(inertia *i, double seconds, bool stands) {
  if (!i->groups || !(seconds > i->requested)) return;
  i->requested = seconds;
  i->stands = stands;
}

void inertia_advance(inertia *i, double dt) {
  i->gap = i->step;
  i->step = dt > 0 ? dt : 0;
  i->time += i->step;
}

bool inertia_begins(const inertia *i) { return i->groups && i->requested >= least_gap; }

bool inertia_is_idle(const inertia *i) { return !i->groups || (!inertia_begins(i) && i->time >= i->duration); }

void inertia_begin(inertia *i, sinew_pose to, sinew_pose to_after) {
  bool moves = !i->stands && i->shown_count == 2 && i->gap >= least_gap;
  sinew_inertialize_begin(&(sinew_inertialize_begin_job){.from = i->shown[0],
                                                         .from_before = moves ? i->shown[1] : i->shown[0],
                                                         .to = to,
                                                         .to_after = moves ? to_after : to,
                                                         .dt = moves ? i->gap : least_gap,
                                                         .output = i->groups});
  i->time = i->step;
  i->duration = i->requested;
  i->requested = 0;
}

void inertia_apply(inertia *i, sinew_pose pose) {
  if (!i->groups) return;
  i->requested = 0;
  if (i->time < i->duration) sinew_inertialize(&(sinew_inertialize_job){i->groups, i->time, i->duration, pose, pose});
  sinew_pose oldest = i->shown[1];
  i->shown[1] = i->shown[0];
  i->shown[0] = oldest;
  memcpy(oldest.groups, pose.groups, pose_bytes(pose));
  if (i->shown_count < 2) i->shown_count++;
}
