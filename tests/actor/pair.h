/* pair – an actor of two joints that clips move along x, and one clip after the other on it. */
#ifndef SINEW_TESTS_ACTOR_PAIR_H
#define SINEW_TESTS_ACTOR_PAIR_H

#include "support/stage_world.h"

/* Two joints; clips A, B and C hold or move joint "tip" along x: A at 1, B at 3, C from 0 to 2 in one second. C moves
 * only the tip; D moves only the base. */
static inline sinew_model *make_model(void) {
  joint_desc joints[] = {{.name = "base", .parent = -1, .rest = sinew_transform_identity()},
                         {.name = "tip", .parent = 0, .rest = sinew_transform_identity()}};
  static const char *const names[] = {"A", "B", "C", "D"};
  static const float begin[] = {1, 3, 0, 10}, end[] = {1, 3, 2, 10};
  float times[2] = {0, 1}, frames[4][6] = {{0}};
  bool animated[4][2];
  sinew_transform base[2] = {sinew_transform_identity(), sinew_transform_identity()};
  clip_track tracks[4];
  clip_desc clips[4];
  track_group_desc groups[4];
  for (int i = 0; i < 4; i++) {
    int joint = i == 3 ? 0 : 1;
    frames[i][0] = begin[i], frames[i][3] = end[i];
    animated[i][0] = joint == 0, animated[i][1] = joint == 1;
    tracks[i] = (clip_track){TRACK_TRANSLATION, joint, 0, false, 0, true, 0};
    groups[i] = (track_group_desc){times, 2, frames[i], 3, tracks + i, 1, 0, NULL};
    clips[i] = (clip_desc){.name = names[i],
                           .duration = 1,
                           .track_groups = groups + i,
                           .track_group_count = 1,
                           .animated = animated[i],
                           .base = base};
  }
  model_desc desc = {.path = "x",
                     .root = sinew_transform_identity(),
                     .joints = joints,
                     .joint_count = 2,
                     .clips = clips,
                     .clip_count = 4};
  return model_create(&desc, NULL);
}

static inline int set_up(void **state) {
  static world w;
  world_open(&w, make_model());
  *state = &w;
  return 0;
}

static inline sinew_action play(world *w, int clip, double fade, float weight, bool solo, int layer) {
  sinew_play_def def = sinew_play_def_default();
  def.clip = clip, def.fade = fade, def.weight = weight, def.solo = solo, def.layer = layer;
  sinew_action action = sinew_actor_play(w->stage, w->actor, &def, NULL);
  assert_int_not_equal(action.id, 0);
  return action;
}

static inline double tip(const world *w) {
  return (double)sinew_actor_joints(w->stage, w->actor)[2].m[3] -
         (double)sinew_actor_joints(w->stage, w->actor)[1].m[3];
}

static inline double base(const world *w) { return (double)sinew_actor_joints(w->stage, w->actor)[1].m[3]; }

#endif
