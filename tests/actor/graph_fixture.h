/* A stage with one actor of one joint, whose place on the x axis says which clips of a graph play and how much. */
#ifndef SINEW_TESTS_GRAPH_FIXTURE_H
#define SINEW_TESTS_GRAPH_FIXTURE_H

#include "support/stage_world.h"

#include <sinew/event.h>
#include <sinew/graph.h>

/* One joint that moves along x. Clip i goes from begin[i] to end[i] in duration[i] seconds:
 * 0 "zero" stands at 0, 1 "one" at 1, 2 "ten" at 10, 3 "slow" 0 → 2 in 2 s, 4 "fast" 0 → 1 in 1 s, 5 "jump" 5 → 6 in
 * 0.5 s. */
enum { ZERO, ONE, TEN, SLOW, FAST, JUMP, CLIPS };
static const char *const clip_names[CLIPS] = {"zero", "one", "ten", "slow", "fast", "jump"};
static const float clip_begin[CLIPS] = {0, 1, 10, 0, 0, 5}, clip_end[CLIPS] = {0, 1, 10, 2, 1, 6};
static const float clip_duration[CLIPS] = {1, 1, 1, 2, 1, 0.5f};

static inline sinew_model *make_model(void) {
  joint_desc joint = {.name = "tip", .parent = -1, .rest = sinew_transform_identity()};
  float times[CLIPS][2] = {{0}}, frames[CLIPS][6] = {{0}};
  static bool animated = true;
  sinew_transform base = sinew_transform_identity();
  clip_track track = {TRACK_TRANSLATION, 0, 0, false, 0, true, 0};
  track_group_desc groups[CLIPS];
  clip_desc clips[CLIPS];
  for (int i = 0; i < CLIPS; i++) {
    times[i][1] = clip_duration[i], frames[i][0] = clip_begin[i], frames[i][3] = clip_end[i];
    groups[i] = (track_group_desc){times[i], 2, frames[i], 3, &track, 1, 0, NULL};
    clips[i] = (clip_desc){.name = clip_names[i],
                           .duration = (double)clip_duration[i],
                           .track_groups = groups + i,
                           .track_group_count = 1,
                           .animated = &animated,
                           .base = &base};
  }
  model_desc desc = {.path = "x",
                     .root = sinew_transform_identity(),
                     .joints = &joint,
                     .joint_count = 1,
                     .clips = clips,
                     .clip_count = CLIPS};
  return model_create(&desc, NULL);
}

enum { SPEED, TURN, PARAMS };

static inline int set_up(void **state) {
  static world w;
  const char *names[] = {"speed", "turn"};
  world_open(&w, make_model());
  *state = &w;
  return sinew_actor_set_params(w.stage, w.actor, names, NULL, PARAMS, NULL) ? 0 : -1;
}

static inline double tip(const world *w) { return (double)sinew_actor_joints(w->stage, w->actor)[1].m[3]; }

static inline void update(world *w, double dt) { sinew_stage_update(w->stage, dt); }

static inline void set(world *w, int param, double value) {
  assert_true(sinew_actor_set_param(w->stage, w->actor, param, value));
}

static inline sinew_node_def clip(const char *key, int index, double x) {
  sinew_node_def n = sinew_node_def_default();
  n.key = key, n.clip = index, n.x = x;
  return n;
}

static inline sinew_node_def parent(sinew_node_kind kind, int first, int count) {
  sinew_node_def n = sinew_node_def_default();
  n.kind = kind, n.first_child = first, n.child_count = count;
  if (kind == SINEW_NODE_SPACE_1D || kind == SINEW_NODE_SPACE_2D || kind == SINEW_NODE_SWITCH) n.param_x = SPEED;
  if (kind == SINEW_NODE_SPACE_2D) n.param_y = TURN;
  return n;
}

static inline void give(world *w, const sinew_node_def *nodes, int node_count, const sinew_transition_def *transitions,
                        int transition_count) {
  sinew_error error = {""};
  sinew_graph_def def = {nodes, node_count, transitions, transition_count};
  if (!sinew_actor_set_graph(w->stage, w->actor, 0, &def, 0, &error)) fail_msg("%s", error.message);
}

static inline const char *refuse(world *w, const sinew_node_def *nodes, int node_count) {
  static sinew_error error;
  sinew_graph_def def = {nodes, node_count, NULL, 0};
  assert_false(sinew_actor_set_graph(w->stage, w->actor, 0, &def, 0, &error));
  return error.message;
}

static inline sinew_machine_state machine(const world *w) {
  sinew_machine_state m;
  assert_true(sinew_actor_machine(w->stage, w->actor, 0, 0, &m));
  return m;
}

#endif
