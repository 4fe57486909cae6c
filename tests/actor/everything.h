/* everything – a stage with all that one can hold at once: graphs, layers, modifiers, events, root motion, attachments,
 * a crowd. */
#ifndef SINEW_TESTS_ACTOR_EVERYTHING_H
#define SINEW_TESTS_ACTOR_EVERYTHING_H

#include "actor/cast.h"
#include "model/pose_group.h"

#include <sinew/actor_modifiers.h>
#include <sinew/crowd.h>
#include <sinew/event.h>
#include <sinew/graph.h>

enum { ACTORS = 8, CROWD = 100, KINDS = 7, LIMB = 3 };

typedef struct heard {
  int calls, events; /* of functions; of any kind */
} heard;

/* Joints of which each is somewhere below the one before it, from `limb[0]` on. */
static inline void find_limb(const sinew_model *model, int limb[LIMB]) {
  for (int tip = sinew_model_joint_count(model) - 1; tip > 0; tip--) {
    limb[2] = tip, limb[1] = sinew_model_joint_parent(model, tip);
    limb[0] = limb[1] > 0 ? sinew_model_joint_parent(model, limb[1]) : -1;
    if (limb[0] > 0) return;
  }
  fail_msg("no limb");
}

static inline void count_call(void *user, sinew_actor actor, int index, const sinew_posed *posed, float weight,
                              double dt) {
  heard *h = user;
  (void)actor, (void)index, (void)posed, (void)weight, (void)dt;
  h->calls++;
}

static inline void give_modifiers(sinew_stage *stage, sinew_actor actor, const sinew_model *model, heard *h) {
  static const sinew_modifier_kind kinds[KINDS] = {SINEW_MODIFIER_TWO_BONE, SINEW_MODIFIER_AIM,   SINEW_MODIFIER_FABRIK,
                                                   SINEW_MODIFIER_SPRING,   SINEW_MODIFIER_PLANT, SINEW_MODIFIER_LIMIT,
                                                   SINEW_MODIFIER_FUNCTION};
  static const char *const names[KINDS] = {"two bone", "aim", "chain", "spring", "plant", "limit", "function"};
  int limb[LIMB], with_root[LIMB + 1] = {0};
  find_limb(model, limb);
  memcpy(with_root + 1, limb, sizeof limb);
  sinew_modifier_def defs[KINDS];
  for (int i = 0; i < KINDS; i++) {
    bool plants = kinds[i] == SINEW_MODIFIER_PLANT;
    defs[i] = sinew_modifier_def_default(kinds[i]);
    defs[i].name = names[i];
    defs[i].joints = plants ? with_root : limb;
    defs[i].joint_count = plants ? LIMB + 1 : LIMB;
    if (kinds[i] == SINEW_MODIFIER_FABRIK) defs[i].joints = limb, defs[i].joint_count = 2;
    if (kinds[i] == SINEW_MODIFIER_LIMIT) defs[i].joint_count = 1;
    if (kinds[i] == SINEW_MODIFIER_FUNCTION) defs[i].joint_count = 0;
    if (kinds[i] <= SINEW_MODIFIER_FABRIK) defs[i].target = (sinew_vec3){1, 2, 3};
    if (kinds[i] == SINEW_MODIFIER_FUNCTION) defs[i].function = count_call, defs[i].user = h;
  }
  sinew_error error = {{0}};
  if (!sinew_actor_set_modifiers(stage, actor, defs, KINDS, &error)) fail_msg("%s", error.message);
}

/* Two states, of which one is two clips in step, that follow each other by inertia and by a crossfade. */
static inline void give_graph(sinew_stage *stage, sinew_actor actor) {
  sinew_node_def nodes[5];
  for (int i = 0; i < 5; i++) {
    nodes[i] = sinew_node_def_default();
    nodes[i].clip = i % CAST_CLIPS;
    nodes[i].x = 1;
  }
  nodes[0].kind = SINEW_NODE_MACHINE, nodes[0].first_child = 1, nodes[0].child_count = 2;
  nodes[1].kind = SINEW_NODE_BLEND, nodes[1].first_child = 3, nodes[1].child_count = 2, nodes[1].sync = true;
  sinew_transition_def turns[2] = {sinew_transition_def_default(), sinew_transition_def_default()};
  turns[0].from = 0, turns[0].to = 1, turns[0].kind = SINEW_TRANSITION_INERTIAL;
  turns[1].from = 1, turns[1].to = 0;
  turns[0].before_end = turns[1].before_end = 0.05;
  turns[0].fade = turns[1].fade = 0.1;
  nodes[0].transition_count = 2;
  sinew_error error = {{0}};
  if (!sinew_actor_set_graph(stage, actor, 0, &(sinew_graph_def){nodes, 5, turns, 2}, 0, &error))
    fail_msg("%s", error.message);
}

static inline void give_layers(sinew_stage *stage, sinew_actor actor) {
  static float mask[CAST_JOINTS + 1];
  sinew_pose rest = model_rest_pose(sinew_actor_model(stage, actor));
  for (int i = 0; i < CAST_JOINTS + 1; i++) mask[i] = random_range(0, 1);
  for (int i = 0; i < 2; i++) {
    sinew_layer_def layer = {.mode = i ? SINEW_LAYER_ADDITIVE : SINEW_LAYER_OVERRIDE,
                             .weight = 0.5f,
                             .joint_weights = mask,
                             .reference = {.kind = i ? SINEW_REFERENCE_POSE : SINEW_REFERENCE_BEGIN, .pose = rest}};
    assert_int_equal(sinew_actor_add_layer(stage, actor, i ? "add" : "over", &layer, NULL), i + 1);
    sinew_play_def play = sinew_play_def_default();
    play.layer = i + 1, play.clip = 2 + i;
    assert_int_not_equal(sinew_actor_play(stage, actor, &play, NULL).id, 0);
  }
}

static inline sinew_actor add_actor(sinew_stage *stage, sinew_model *model, sinew_actor hand, heard *h) {
  sinew_actor actor = sinew_actor_create(stage, "x", model, NULL);
  assert_int_not_equal(actor.id, 0);
  give_graph(stage, actor);
  give_layers(stage, actor);
  give_modifiers(stage, actor, model, h);
  sinew_root_def root = sinew_root_def_default();
  root.joint = 1;
  assert_true(sinew_actor_set_root(stage, actor, &root, NULL));
  if (hand.id)
    assert_true(sinew_actor_attach(
        stage, actor, &(sinew_attachment){.to = hand, .joint = 3, .offset = sinew_transform_identity()}, NULL));
  return actor;
}

static inline void fill_stage(sinew_stage *stage, sinew_model *model, heard *h) {
  const sinew_marker step = {.time = 0.05, .name = "step"};
  for (int c = 0; c < CAST_CLIPS; c++) assert_true(sinew_stage_set_markers(stage, model, c, &step, 1, NULL));
  sinew_actor last = {0};
  for (int i = 0; i < ACTORS; i++) last = add_actor(stage, model, i % 2 ? last : (sinew_actor){0}, h);
  sinew_crowd_def crowd = sinew_crowd_def_default();
  crowd.model = model, crowd.count = CROWD, crowd.slot_count = 2, crowd.clips[1] = 1;
  assert_true(sinew_crowd_is_valid(stage, sinew_crowd_create(stage, &crowd, NULL)));
}

#endif
