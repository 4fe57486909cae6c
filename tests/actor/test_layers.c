/* Layers: masks, override and additive, their fades and their order. */
#include "pair.h"

#include "model/pose_group.h"

#include <sinew/explain.h>
#include <sinew/graph.h>

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

/* An additive layer above an override is visible; one below it is covered. */
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
  sinew_play_def s;
  assert_true(sinew_action_read_state(w->stage, stays, &s));
  assert_int_equal(s.layer, 1);
  assert_false(sinew_actor_remove_layer(w->stage, w->actor, 0));
  sinew_action_stop(w->stage, stays, 0);
  assert_int_equal(sinew_actor_action_count(w->stage, w->actor, 1), 0);
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
  sinew_play_def action;
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

/* Two may swap their names; what plays on them stays. */
static void layers_are_called_otherwise(void **state) {
  static const struct {
    const char *names[3];
    int count;
    bool fine;
  } cases[] = {{{"b", "a"}, 2, true},   {{"c", "c"}, 2, false}, {{"base", "c"}, 2, false},  {{"c", ""}, 2, false},
               {{"c", NULL}, 2, false}, {{"c"}, 1, false},      {{"c", "d", "e"}, 3, false}};
  world *w = *state;
  sinew_error error;
  add_layer(w, "a", 0);
  add_layer(w, "b", 1);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bool fine = sinew_actor_rename_layers(w->stage, w->actor, cases[i].names, cases[i].count, &error);
    assert_int_equal(fine, cases[i].fine);
    assert_int_equal(sinew_actor_find_layer(w->stage, w->actor, "b"), 1);
    assert_int_equal(sinew_actor_find_layer(w->stage, w->actor, "a"), 2);
  }
  assert_false(sinew_actor_rename_layers(w->stage, (sinew_actor){0}, cases[0].names, 2, &error));
  sinew_play_def action;
  assert_true(sinew_action_read_state(w->stage, sinew_actor_action(w->stage, w->actor, 1, 0), &action));
  assert_int_equal(action.clip, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
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
      WITH_WORLD(a_mask_is_of_weights_from_0_to_1),
      WITH_WORLD(a_layer_moves_with_what_plays_on_it),
      WITH_WORLD(layers_are_called_otherwise),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
