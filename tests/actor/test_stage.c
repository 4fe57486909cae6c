/* Actors, layers, actions: fades, masks, stale ids, and the rules that a person notices. */
#include "pair.h"

#include "base/memory/memory.h"
#include "model/pose_group.h"

#include <sinew/crowd.h>
#include <sinew/explain.h>
#include <sinew/graph.h>

static void an_actor_without_actions_rests(void **state) {
  world *w = *state;
  const sinew_mat3x4 *before_any_update = sinew_actor_joints(w->stage, w->actor);
  assert_near(before_any_update[1].m[0] + before_any_update[1].m[5] + before_any_update[1].m[10], 3, 1e-6);
  sinew_stage_update(w->stage, 0.1);
  assert_near(tip(w), 0, 0);
  assert_string_equal(sinew_actor_name(w->stage, w->actor), "hero");
}

static void a_crossfade_is_linear_and_the_old_action_ends(void **state) {
  world *w = *state;
  sinew_action a = play(w, 0, 0, 1, true, 0), b = play(w, 1, 0.5, 1, true, 0);
  assert_true(sinew_action_is_stopping(w->stage, a));
  for (int i = 1; i <= 4; i++) {
    sinew_stage_update(w->stage, 0.1);
    assert_near(tip(w), 1 + 2 * 0.2 * i, 1e-5);
  }
  sinew_stage_update(w->stage, 0.1);
  assert_near(tip(w), 3, 1e-6);
  assert_false(sinew_action_is_valid(w->stage, a));
  assert_true(sinew_action_is_valid(w->stage, b));
}

static void each_ease_shapes_a_fade(void **state) {
  world *w = *state;
  for (double t = 0.2; t < 0.9; t += 0.2) {
    const double shares[] = {t, t * t, 1 - (1 - t) * (1 - t), 3 * t * t - 2 * t * t * t};
    for (int i = 0; i < 4; i++) {
      sinew_play_def def = sinew_play_def_default();
      play(w, 0, 0, 1, true, 0);
      def.clip = 1, def.fade = 0.5, def.ease = (sinew_ease)i;
      sinew_actor_play(w->stage, w->actor, &def, NULL);
      sinew_stage_update(w->stage, t * def.fade);
      assert_near(tip(w), 1 + 2 * shares[i], 1e-5);
    }
  }
}

/* C goes on from 0.5 beneath a crossfade, and stands beneath a frozen one. */
static void a_frozen_fade_comes_from_a_standing_picture(void **state) {
  world *w = *state;
  for (int frozen = 0; frozen < 2; frozen++) {
    sinew_play_def def = sinew_play_def_default();
    play(w, 2, 0, 1, true, 0);
    sinew_stage_update(w->stage, 0.25);
    def.clip = 1, def.fade = 0.5, def.kind = frozen ? SINEW_TRANSITION_FROZEN : SINEW_TRANSITION_CROSSFADE;
    sinew_actor_play(w->stage, w->actor, &def, NULL);
    sinew_stage_update(w->stage, 0.25);
    assert_near(tip(w), 0.5 * 3 + 0.5 * (frozen ? 0.5 : 1), 1e-5);
  }
}

static void an_interrupted_crossfade_does_not_jump(void **state) {
  world *w = *state;
  play(w, 0, 0, 1, true, 0);
  play(w, 1, 0.5, 1, true, 0);
  sinew_stage_update(w->stage, 0.25);
  double before = tip(w);
  play(w, 0, 0.5, 1, true, 0);
  sinew_stage_update(w->stage, 1e-4);
  assert_near(tip(w), before, 2e-3);
}

static void a_clip_crossfades_with_itself(void **state) {
  world *w = *state;
  play(w, 2, 0, 1, true, 0);
  sinew_stage_update(w->stage, 0.5);
  assert_near(tip(w), 1, 1e-6);
  sinew_action again = play(w, 2, 0.2, 1, true, 0);
  assert_int_equal(sinew_actor_action_count(w->stage, w->actor, 0), 2);
  sinew_stage_update(w->stage, 0.1); /* half of the old at 0.6 s, half of the new at 0.1 s */
  assert_near(tip(w), 0.5 * 1.2 + 0.5 * 0.2, 1e-5);
  sinew_stage_update(w->stage, 0.1);
  assert_int_equal(sinew_actor_action_count(w->stage, w->actor, 0), 1);
  assert_true(sinew_action_is_valid(w->stage, again));
}

/* Clip 3 moves the base alone, the others the tip alone. A whole one of each is a whole of both; less is so much less.
 */
static void weighted_actions_share_and_whole_ones_do_not_dilute(void **state) {
  world *w = *state;
  play(w, 0, 0, 0.25f, false, 0);
  play(w, 1, 0, 0.75f, false, 0);
  sinew_action third = play(w, 3, 0, 1, false, 0);
  sinew_stage_update(w->stage, 0);
  assert_near(tip(w), 2.5, 1e-5);
  assert_near(base(w), 10, 1e-5);
  sinew_action_state s;
  assert_true(sinew_action_read_state(w->stage, third, &s));
  s.weight = 0.4f;
  assert_true(sinew_action_set_state(w->stage, third, &s));
  sinew_stage_update(w->stage, 0);
  assert_near(tip(w), 2.5, 1e-5);
  assert_near(base(w), 4, 1e-3);
}

/* The tip moves in the first alone, and the base in the second: each comes and goes with its clip. */
static void a_joint_of_one_clip_fades_evenly(void **state) {
  world *w = *state;
  play(w, 0, 0, 1, true, 0);
  sinew_stage_update(w->stage, 0);
  assert_near(tip(w), 1, 1e-5);
  play(w, 3, 1, 1, true, 0);
  for (int i = 1; i <= 100; i++) {
    sinew_stage_update(w->stage, 0.01);
    assert_near(tip(w), 1 - 0.01 * i, 2e-4);
    assert_near(base(w), 0.1 * i, 2e-3);
  }
}

static void fading_the_only_action_does_not_snap(void **state) {
  world *w = *state;
  sinew_action b = play(w, 1, 0, 1, true, 0);
  sinew_action_stop(w->stage, b, 1);
  double last = 3;
  for (int i = 0; i < 1010; i++) {
    sinew_stage_update(w->stage, 0.001);
    assert_true(last - tip(w) < 0.04);
    last = tip(w);
  }
  assert_near(last, 0, 0);
}

static void an_override_layer_uncovers_as_it_fades(void **state) {
  world *w = *state;
  play(w, 0, 0, 1, true, 0);
  int layer = sinew_actor_add_layer(w->stage, w->actor, "upper", NULL, NULL);
  assert_int_equal(layer, 1);
  sinew_action b = play(w, 1, 0, 1, true, layer);
  sinew_stage_update(w->stage, 0);
  assert_near(tip(w), 3, 1e-5);
  assert_true(sinew_actor_set_layer_weight(w->stage, w->actor, layer, 0.5f));
  sinew_stage_update(w->stage, 0);
  assert_near(tip(w), 2, 1e-5);
  sinew_action_stop(w->stage, b, 1);
  sinew_stage_update(w->stage, 0.75);
  assert_near(tip(w), 1.25, 1e-5);
  sinew_stage_update(w->stage, 0.3);
  assert_near(tip(w), 1, 1e-5);
}

/* The graph of the layer moves the base alone, its action the tip alone: half of the action is half of the tip. */
static void an_override_layer_covers_what_its_graph_does_not_carry_by_its_actions_alone(void **state) {
  world *w = *state;
  sinew_node_def node = sinew_node_def_default();
  node.clip = 3;
  int layer = sinew_actor_add_layer(w->stage, w->actor, "over", NULL, NULL);
  play(w, 1, 0, 1, true, 0);
  assert_true(sinew_actor_set_graph(w->stage, w->actor, layer, &(sinew_graph_def){&node, 1, NULL, 0}, 0, NULL));
  play(w, 0, 0, 0.5f, true, layer);
  sinew_stage_update(w->stage, 0);
  assert_near(tip(w), 0.5 * 3 + 0.5 * 1, 1e-5);
  assert_near(base(w), 10, 1e-5);
}

/* The same on the base layer, over the rest pose. */
static void an_action_on_the_base_layer_has_what_the_graph_does_not_carry(void **state) {
  world *w = *state;
  static const float weights[][2] = {{1, 1}, {0.5f, 0.5f}, {0.1f, 0.1f}, {0.05f, 0.05f}, {0, 0}};
  sinew_node_def node = sinew_node_def_default();
  sinew_cause causes[8];
  node.clip = 3; /* moves the base alone */
  assert_true(sinew_actor_set_graph(w->stage, w->actor, 0, &(sinew_graph_def){&node, 1, NULL, 0}, 0, NULL));
  for (int i = 0; i < 5; i++) {
    play(w, 1, 0, weights[i][0], true, 0);
    sinew_stage_update(w->stage, 0);
    assert_near(tip(w), 3 * weights[i][1], 5e-4);
    assert_near(base(w), 10, 1e-5);
    int count = sinew_actor_explain(w->stage, w->actor, 2, causes, 8, NULL);
    for (int c = 0; c < count; c++)
      if (causes[c].kind == SINEW_CAUSE_ACTION) assert_near(causes[c].weight, weights[i][1], 1e-4);
  }
}

static void a_mask_limits_a_layer_to_its_joints(void **state) {
  world *w = *state;
  float mask[3] = {0, 1, 0};
  sinew_layer_def def = {.mode = SINEW_LAYER_OVERRIDE, .weight = 1, .joint_weights = mask};
  play(w, 0, 0, 1, true, 0);
  int layer = sinew_actor_add_layer(w->stage, w->actor, "base only", &def, NULL);
  play(w, 1, 0, 1, true, layer);
  play(w, 3, 0, 1, false, layer);
  sinew_stage_update(w->stage, 0);
  assert_near(tip(w), 1, 1e-5);
  assert_near(base(w), 10, 1e-5);
}

static void a_layer_fades_in_as_long_as_it_is_told(void **state) {
  world *w = *state;
  sinew_layer_def def = {.mode = SINEW_LAYER_OVERRIDE, .weight = 0};
  play(w, 0, 0, 1, true, 0);
  int layer = sinew_actor_add_layer(w->stage, w->actor, "upper", &def, NULL);
  play(w, 1, 0, 1, true, layer);
  assert_true(sinew_actor_fade_layer(w->stage, w->actor, layer, 1, 0.4));
  sinew_stage_update(w->stage, 0.1);
  assert_near(tip(w), 1.5, 1e-5);
  assert_true(sinew_actor_fade_layer(w->stage, w->actor, layer, 0.5f, 0.2)); /* from where it is: no jump */
  sinew_stage_update(w->stage, 0);
  assert_near(tip(w), 1.5, 1e-5);
  sinew_stage_update(w->stage, 0.1); /* half way from 0.25 to 0.5 */
  assert_near(tip(w), 1.75, 1e-5);
  sinew_stage_update(w->stage, 9);
  assert_near(tip(w), 2, 1e-5);
  sinew_stage_update(w->stage, 9);
  assert_near(sinew_actor_layer(w->stage, w->actor, layer).weight, 0.5, 0);
}

static void setting_a_layers_weight_ends_its_fade(void **state) {
  world *w = *state;
  int layer = sinew_actor_add_layer(w->stage, w->actor, "upper", NULL, NULL);
  assert_true(sinew_actor_fade_layer(w->stage, w->actor, layer, 0, 1));
  assert_true(sinew_actor_set_layer_weight(w->stage, w->actor, layer, 0.75f));
  sinew_stage_update(w->stage, 0.5);
  assert_near(sinew_actor_layer(w->stage, w->actor, layer).weight, 0.75, 0);
  assert_true(sinew_actor_fade_layer(w->stage, w->actor, layer, 0.25f, 0));
  assert_near(sinew_actor_layer(w->stage, w->actor, layer).weight, 0.25, 0);
  const double bad[] = {NAN, INFINITY, -1};
  for (int i = 0; i < 3; i++) assert_false(sinew_actor_fade_layer(w->stage, w->actor, layer, 1, bad[i]));
  assert_false(sinew_actor_fade_layer(w->stage, w->actor, layer, NAN, 1));
  assert_false(sinew_actor_fade_layer(w->stage, w->actor, 7, 1, 1));
}

static void a_mask_change_does_not_snap(void **state) {
  world *w = *state;
  float tip_alone[3] = {0, 0, 1}, base_alone[3] = {0, 1, 0};
  sinew_layer_def def = {.mode = SINEW_LAYER_OVERRIDE, .weight = 1, .joint_weights = tip_alone};
  play(w, 0, 0, 1, true, 0);
  int layer = sinew_actor_add_layer(w->stage, w->actor, "upper", &def, NULL);
  play(w, 1, 0, 1, true, layer);
  for (int i = 0; i < 3; i++) sinew_stage_update(w->stage, 0.001);
  assert_near(tip(w), 3, 1e-5);
  def.joint_weights = base_alone;
  assert_true(sinew_actor_join(w->stage, w->actor, w->actor, 0.2));
  assert_true(sinew_actor_set_layer(w->stage, w->actor, layer, &def));
  double last = tip(w);
  for (int i = 0; i < 300; i++) {
    sinew_stage_update(w->stage, 0.001);
    assert_true(fabs(tip(w) - last) < 0.03); /* 2 in 0.2 s: 0.019 a step at the steepest of a quintic */
    last = tip(w);
  }
  assert_near(last, 1, 1e-5);
}

static void an_additive_layer_adds_the_difference_to_the_clips_first_frame(void **state) {
  world *w = *state;
  sinew_layer_def def = {.mode = SINEW_LAYER_ADDITIVE, .weight = 0.5f};
  play(w, 0, 0, 1, true, 0);
  int layer = sinew_actor_add_layer(w->stage, w->actor, "add", &def, NULL);
  play(w, 2, 0, 1, true, layer);
  sinew_stage_update(w->stage, 0.5);
  assert_near(tip(w), 1 + 0.5 * 1, 1e-5);
}

/* The definition by hand: B + 0.5 · (C at 0.75 − the reference). */
static void an_additive_layer_adds_the_difference_to_a_given_reference(void **state) {
  world *w = *state;
  sinew_transform four = {{4, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
  sinew_pose_group group = *model_rest_pose(w->model).groups;
  sinew_pose pose = {&group, sinew_model_joint_count(w->model)};
  sinew_pose_set_joint(&pose, 2, &four);
  const sinew_reference references[4] = {{.kind = SINEW_REFERENCE_CLIP, .clip = 0},
                                         {.kind = SINEW_REFERENCE_CLIP, .clip = 2, .time = 0.25},
                                         {.kind = SINEW_REFERENCE_CLIP, .clip = 3}, /* does not move the tip */
                                         {.kind = SINEW_REFERENCE_POSE, .pose = pose}};
  const double from[4] = {1, 0.5, 0, 4};
  sinew_layer_def def = {.mode = SINEW_LAYER_ADDITIVE, .weight = 0.5f};
  play(w, 1, 0, 1, true, 0);
  int layer = sinew_actor_add_layer(w->stage, w->actor, "add", &def, NULL);
  play(w, 2, 0, 1, true, layer);
  sinew_stage_update(w->stage, 0.75);
  for (int i = 0; i < 4; i++) {
    def.reference = references[i];
    assert_true(sinew_actor_set_layer(w->stage, w->actor, layer, &def));
    sinew_stage_update(w->stage, 0);
    assert_near(tip(w), 3 + 0.5 * (1.5 - from[i]), 1e-5);
    assert_near(base(w), 0, 0); /* the clip does not move it, whatever the reference does */
  }
  memset(&group, 0, sizeof group);
  def = sinew_actor_layer(w->stage, w->actor, layer);
  assert_true(sinew_actor_set_layer(w->stage, w->actor, layer, &def)); /* its own */
  sinew_stage_update(w->stage, 0);
  assert_near(tip(w), 3 + 0.5 * (1.5 - 4), 1e-5);
}

static void a_reference_that_is_none_is_refused(void **state) {
  world *w = *state;
  sinew_error error;
  sinew_transform nan = {{NAN, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
  sinew_pose_group group = *model_rest_pose(w->model).groups;
  sinew_pose bad = {&group, sinew_model_joint_count(w->model)}, small = {&group, 2};
  sinew_pose_set_joint(&bad, 1, &nan);
  const sinew_reference wrong[] = {
      {.kind = SINEW_REFERENCE_CLIP, .clip = -1},    {.kind = SINEW_REFERENCE_CLIP, .clip = 4},
      {.kind = SINEW_REFERENCE_CLIP, .time = NAN},   {.kind = SINEW_REFERENCE_POSE},
      {.kind = SINEW_REFERENCE_POSE, .pose = small}, {.kind = SINEW_REFERENCE_POSE, .pose = bad}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    sinew_layer_def def = {.mode = SINEW_LAYER_ADDITIVE, .weight = 1, .reference = wrong[i]};
    assert_int_equal(sinew_actor_add_layer(w->stage, w->actor, "add", &def, &error), -1);
    assert_non_null(strstr(error.message, "of its reference"));
  }
}

/* What is added above an override stays; below one it is covered. */
static void layers_go_bottom_to_top(void **state) {
  world *w = *state;
  sinew_layer_def add = {.mode = SINEW_LAYER_ADDITIVE, .weight = 1};
  play(w, 0, 0, 1, true, 0);
  play(w, 1, 0, 1, true, sinew_actor_add_layer(w->stage, w->actor, "over", NULL, NULL));
  play(w, 2, 0, 1, true, sinew_actor_add_layer(w->stage, w->actor, "add", &add, NULL));
  sinew_stage_update(w->stage, 0.5);
  assert_near(tip(w), 3 + 1, 1e-5);
  assert_true(sinew_actor_move_layer(w->stage, w->actor, 2, 1));
  sinew_stage_update(w->stage, 0);
  assert_near(tip(w), 3, 1e-5);
}

static void removing_a_layer_keeps_those_above(void **state) {
  world *w = *state;
  sinew_actor_add_layer(w->stage, w->actor, "one", NULL, NULL);
  int two = sinew_actor_add_layer(w->stage, w->actor, "two", NULL, NULL);
  sinew_action gone = play(w, 0, 0, 1, true, 1), stays = play(w, 1, 0, 1, true, two);
  assert_true(sinew_actor_remove_layer(w->stage, w->actor, 1));
  assert_false(sinew_action_is_valid(w->stage, gone));
  sinew_action_state s;
  assert_true(sinew_action_read_state(w->stage, stays, &s));
  assert_int_equal(s.layer, 1);
  assert_false(sinew_actor_remove_layer(w->stage, w->actor, 0));
  sinew_action_stop(w->stage, stays, 0);
  assert_int_equal(sinew_actor_action_count(w->stage, w->actor, 1), 0);
}

static void settings_are_read_back_and_bad_ones_refused(void **state) {
  world *w = *state;
  sinew_action c = play(w, 2, 0, 1, true, 0);
  sinew_action_state s;
  assert_true(sinew_action_read_state(w->stage, c, &s));
  s.speed = -2, s.time = 0.9, s.weight = 0.5f;
  assert_true(sinew_action_set_state(w->stage, c, &s));
  sinew_stage_update(w->stage, 0.1);
  assert_true(sinew_action_read_state(w->stage, c, &s));
  assert_near(s.time, 0.7, 1e-9);
  s.paused = true;
  assert_true(sinew_action_set_state(w->stage, c, &s));
  sinew_stage_update(w->stage, 0.1);
  assert_true(sinew_action_read_state(w->stage, c, &s));
  assert_near(s.time, 0.7, 1e-9);
  double bad[] = {NAN, INFINITY};
  for (int i = 0; i < 2; i++) {
    sinew_action_state t = s;
    t.time = bad[i];
    assert_false(sinew_action_set_state(w->stage, c, &t));
    t = s, t.speed = bad[i];
    assert_false(sinew_action_set_state(w->stage, c, &t));
    t = s, t.weight = (float)bad[i];
    assert_false(sinew_action_set_state(w->stage, c, &t));
  }
  s.weight = -1;
  assert_false(sinew_action_set_state(w->stage, c, &s));
}

static void misuse_gets_a_sentence(void **state) {
  world *w = *state;
  sinew_play_def defs[8];
  for (int i = 0; i < 8; i++) defs[i] = sinew_play_def_default();
  defs[0].clip = 4, defs[1].clip = -1, defs[2].layer = 1, defs[3].fade = NAN, defs[4].fade = -1, defs[5].weight = -1;
  defs[6].speed = INFINITY, defs[7].loop = SINEW_LOOP_COUNT, defs[7].loop_count = 0;
  for (int i = 0; i < 8; i++) {
    sinew_error error = {""};
    assert_int_equal(sinew_actor_play(w->stage, w->actor, defs + i, &error).id, 0);
    assert_true(strlen(error.message) > 20);
  }
  sinew_error error;
  assert_int_equal(sinew_actor_add_layer(w->stage, w->actor, "base", NULL, &error), -1);
  assert_int_equal(sinew_actor_add_layer(w->stage, w->actor, "", NULL, &error), -1);
  sinew_transform t = sinew_transform_identity();
  t.translation.x = NAN;
  assert_false(sinew_actor_set_transform(w->stage, w->actor, &t));
}

static void a_mask_is_of_weights_from_0_to_1(void **state) {
  world *w = *state;
  const float wrong[] = {-0.01f, 1.01f, NAN, INFINITY};
  sinew_layer_def def = sinew_layer_def_default();
  float mask[] = {0, 1, 0.5f};
  def.joint_weights = mask;
  assert_int_equal(sinew_actor_add_layer(w->stage, w->actor, "good", &def, NULL), 1);
  for (int i = 0; i < 4; i++) {
    sinew_error error = {""};
    mask[2] = wrong[i];
    assert_int_equal(sinew_actor_add_layer(w->stage, w->actor, "bad", &def, &error), -1);
    assert_string_equal(error.message, "the layer 'bad' cannot be added: a weight of its mask is not in 0 .. 1");
    assert_false(sinew_actor_set_layer(w->stage, w->actor, 1, &def));
  }
}

static void stale_ids_are_questions(void **state) {
  world *w = *state;
  sinew_action a = play(w, 0, 0, 1, true, 0);
  sinew_actor_destroy(w->stage, w->actor);
  sinew_actor_destroy(w->stage, w->actor);
  sinew_action_state s;
  assert_false(sinew_actor_is_valid(w->stage, w->actor));
  assert_false(sinew_action_is_valid(w->stage, a));
  assert_false(sinew_action_read_state(w->stage, a, &s));
  assert_null(sinew_actor_palette(w->stage, w->actor));
  assert_null(sinew_actor_name(w->stage, w->actor));
  sinew_action_stop(w->stage, a, 0.1);
  sinew_play_def def = sinew_play_def_default();
  assert_int_equal(sinew_actor_play(w->stage, w->actor, &def, NULL).id, 0);
  sinew_stage_update(w->stage, 0.1);
}

static void many_plays_stay_bounded_and_smooth(void **state) {
  world *w = *state;
  for (int i = 0; i < 500; i++) {
    play(w, i % 2, 2, 1, true, 0);
    sinew_stage_update(w->stage, 0.001);
    assert_true(tip(w) >= 0 && tip(w) <= 3.0001);
  }
  assert_true(sinew_actor_action_count(w->stage, w->actor, 0) <= 32);
}

static void strange_steps_do_no_harm(void **state) {
  world *w = *state;
  play(w, 2, 0.2, 1, true, 0);
  double steps[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, -0.1, 0};
  for (int i = 0; i < 7; i++) {
    sinew_stage_update(w->stage, steps[i]);
    assert_true(isfinite(tip(w)));
  }
}

static void a_warm_update_allocates_nothing(void **state) {
  world *w = *state;
  play(w, 0, 0, 1, true, 0);
  int layer = sinew_actor_add_layer(w->stage, w->actor, "upper", NULL, NULL);
  play(w, 1, 1, 1, true, layer);
  sinew_stage_update(w->stage, 0.01);
  uint64_t before = mem_request_count();
  for (int i = 0; i < 200; i++) sinew_stage_update(w->stage, 0.01);
  assert_int_equal(mem_request_count(), before);
}

static void pausing_and_the_bind_pose(void **state) {
  world *w = *state;
  sinew_action c = play(w, 2, 0, 1, true, 0);
  sinew_actor_set_bind_pose(w->stage, w->actor, true);
  sinew_stage_update(w->stage, 0.5);
  assert_near(tip(w), 0, 0);
  sinew_actor_set_bind_pose(w->stage, w->actor, false);
  sinew_actor_set_paused(w->stage, w->actor, true);
  sinew_stage_update(w->stage, 0.3);
  assert_near(tip(w), 1, 1e-5);
  sinew_action_state s;
  sinew_action_read_state(w->stage, c, &s);
  assert_near(s.time, 0.5, 1e-12);
}

static int add_layer(world *w, const char *name, int clip) {
  int layer = sinew_actor_add_layer(w->stage, w->actor, name, NULL, NULL);
  play(w, clip, 0, 1, true, layer);
  return layer;
}

/* The top one covers the others, whatever order they came in; what plays goes with its layer. */
static void a_layer_moves_with_what_plays_on_it(void **state) {
  world *w = *state;
  add_layer(w, "a", 0);
  int b = add_layer(w, "b", 1), c = add_layer(w, "c", 2);
  sinew_action moving = sinew_actor_action(w->stage, w->actor, c, 0);
  sinew_stage_update(w->stage, 0.25);
  assert_true(fabs(tip(w) - 0.5) < 1e-3);
  assert_true(sinew_actor_move_layer(w->stage, w->actor, c, 1));
  sinew_stage_update(w->stage, 0);
  assert_true(fabs(tip(w) - 3) < 1e-3);
  assert_true(sinew_actor_move_layer(w->stage, w->actor, 2, 3)); /* a, over b */
  sinew_stage_update(w->stage, 0);
  assert_true(fabs(tip(w) - 1) < 1e-3);
  static const char *const names[] = {"base", "c", "b", "a"};
  for (int i = 0; i < 4; i++) assert_string_equal(sinew_actor_layer_name(w->stage, w->actor, i), names[i]);
  sinew_action_state action;
  assert_true(sinew_action_read_state(w->stage, moving, &action));
  assert_int_equal(action.layer, 1);
  assert_true(fabs(action.time - 0.25) < 1e-9);
  sinew_action_stop(w->stage, moving, 0);
  assert_int_equal(sinew_actor_action_count(w->stage, w->actor, 1), 0);
  assert_int_equal(sinew_actor_action_count(w->stage, w->actor, b), 1);
  assert_false(sinew_actor_move_layer(w->stage, w->actor, 0, 1));
  assert_false(sinew_actor_move_layer(w->stage, w->actor, 1, 0));
  assert_false(sinew_actor_move_layer(w->stage, w->actor, 1, 4));
  assert_false(sinew_actor_move_layer(w->stage, (sinew_actor){0}, 1, 1));
}

/* The clock goes on; what is shown stays, until it is visible again. */
static void a_hidden_actor_can_be_left_out(void **state) {
  world *w = *state;
  sinew_action a = play(w, 2, 0, 1, true, 0);
  sinew_stage_update(w->stage, 0.25);
  double before = tip(w);
  sinew_actor_set_visible(w->stage, w->actor, false);
  sinew_stage_update(w->stage, 0.125);
  assert_true(tip(w) != before); /* hidden alone is not left out */
  before = tip(w);
  sinew_actor_set_skip_hidden(w->stage, w->actor, true);
  assert_true(sinew_actor_skips_hidden(w->stage, w->actor));
  sinew_mat3x4 joint = sinew_actor_joints(w->stage, w->actor)[1];
  sinew_stage_update(w->stage, 0.125);
  assert_near(tip(w), before, 0);
  assert_memory_equal(&joint, sinew_actor_joints(w->stage, w->actor) + 1, sizeof joint);
  sinew_action_state now;
  assert_true(sinew_action_read_state(w->stage, a, &now));
  assert_near(now.time, 0.5, 1e-12);
  sinew_actor_set_visible(w->stage, w->actor, true);
  sinew_stage_update(w->stage, 0);
  assert_near(tip(w), 1, 1e-6);
}

static void programs_keep_a_pointer_with_each_thing(void **state) {
  world *w = *state;
  int stage, actor, crowd;
  sinew_crowd_def def = sinew_crowd_def_default();
  def.model = w->model;
  sinew_crowd c = sinew_crowd_create(w->stage, &def, NULL);
  assert_null(sinew_stage_user(w->stage));
  assert_null(sinew_actor_user(w->stage, w->actor));
  assert_null(sinew_crowd_user(w->stage, c));
  sinew_stage_set_user(w->stage, &stage);
  sinew_actor_set_user(w->stage, w->actor, &actor);
  sinew_crowd_set_user(w->stage, c, &crowd);
  assert_ptr_equal(sinew_stage_user(w->stage), &stage);
  assert_ptr_equal(sinew_actor_user(w->stage, w->actor), &actor);
  assert_ptr_equal(sinew_crowd_user(w->stage, c), &crowd);
  sinew_crowd_destroy(w->stage, c);
  assert_null(sinew_crowd_user(w->stage, c));
  assert_null(sinew_actor_user(w->stage, (sinew_actor){0}));
}

static void a_crowd_has_a_name(void **state) {
  world *w = *state;
  sinew_crowd_def def = sinew_crowd_def_default();
  def.model = w->model;
  sinew_crowd nameless = sinew_crowd_create(w->stage, &def, NULL);
  def.name = "walkers";
  sinew_crowd walkers = sinew_crowd_create(w->stage, &def, NULL);
  assert_string_equal(sinew_crowd_name(w->stage, nameless), "crowd");
  assert_string_equal(sinew_crowd_name(w->stage, walkers), "walkers");
  assert_true(sinew_crowd_set_name(w->stage, walkers, "runners"));
  assert_string_equal(sinew_crowd_name(w->stage, walkers), "runners");
  sinew_crowd_destroy(w->stage, walkers);
  assert_null(sinew_crowd_name(w->stage, walkers));
  assert_false(sinew_crowd_set_name(w->stage, walkers, "nobody"));
}

static void opacity_stays_between_nothing_and_all(void **state) {
  world *w = *state;
  assert_true(sinew_actor_opacity(w->stage, w->actor) == 1);
  sinew_actor_set_opacity(w->stage, w->actor, 0.25f);
  sinew_actor_set_opacity(w->stage, w->actor, NAN);
  assert_true(sinew_actor_opacity(w->stage, w->actor) == 0.25f);
  sinew_actor_set_opacity(w->stage, w->actor, -INFINITY);
  assert_true(sinew_actor_opacity(w->stage, w->actor) == 0);
  sinew_actor_set_opacity(w->stage, w->actor, 7);
  assert_true(sinew_actor_opacity(w->stage, w->actor) == 1);
  assert_true(sinew_actor_opacity(w->stage, (sinew_actor){0}) == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_WORLD(an_actor_without_actions_rests),
      WITH_WORLD(a_crossfade_is_linear_and_the_old_action_ends),
      WITH_WORLD(each_ease_shapes_a_fade),
      WITH_WORLD(a_frozen_fade_comes_from_a_standing_picture),
      WITH_WORLD(an_interrupted_crossfade_does_not_jump),
      WITH_WORLD(a_clip_crossfades_with_itself),
      WITH_WORLD(weighted_actions_share_and_whole_ones_do_not_dilute),
      WITH_WORLD(a_joint_of_one_clip_fades_evenly),
      WITH_WORLD(fading_the_only_action_does_not_snap),
      WITH_WORLD(an_override_layer_uncovers_as_it_fades),
      WITH_WORLD(an_override_layer_covers_what_its_graph_does_not_carry_by_its_actions_alone),
      WITH_WORLD(an_action_on_the_base_layer_has_what_the_graph_does_not_carry),
      WITH_WORLD(a_mask_limits_a_layer_to_its_joints),
      WITH_WORLD(a_layer_fades_in_as_long_as_it_is_told),
      WITH_WORLD(setting_a_layers_weight_ends_its_fade),
      WITH_WORLD(a_mask_change_does_not_snap),
      WITH_WORLD(an_additive_layer_adds_the_difference_to_the_clips_first_frame),
      WITH_WORLD(an_additive_layer_adds_the_difference_to_a_given_reference),
      WITH_WORLD(a_reference_that_is_none_is_refused),
      WITH_WORLD(layers_go_bottom_to_top),
      WITH_WORLD(removing_a_layer_keeps_those_above),
      WITH_WORLD(settings_are_read_back_and_bad_ones_refused),
      WITH_WORLD(misuse_gets_a_sentence),
      WITH_WORLD(a_mask_is_of_weights_from_0_to_1),
      WITH_WORLD(stale_ids_are_questions),
      WITH_WORLD(many_plays_stay_bounded_and_smooth),
      WITH_WORLD(strange_steps_do_no_harm),
      WITH_WORLD(a_warm_update_allocates_nothing),
      WITH_WORLD(pausing_and_the_bind_pose),
      WITH_WORLD(a_layer_moves_with_what_plays_on_it),
      WITH_WORLD(a_hidden_actor_can_be_left_out),
      WITH_WORLD(programs_keep_a_pointer_with_each_thing),
      WITH_WORLD(a_crowd_has_a_name),
      WITH_WORLD(opacity_stays_between_nothing_and_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
