/* Shares, clocks and transitions as they can be read, on the hero at three frame rates. */
#include "support/hero.h"

#include <sinew/playing.h>

static int set_up(void **state) {
  static world w;
  const char *names[] = {"speed"};
  world_open(&w, load_hero());
  *state = &w;
  return sinew_actor_set_params(w.stage, w.actor, names, NULL, 1, NULL) ? 0 : -1;
}

static void update(world *w, double rate, double seconds) {
  for (int i = (int)(seconds * rate + 0.5); i > 0; i--) sinew_stage_update(w->stage, 1 / rate);
}

static sinew_action play(world *w, const char *clip, double fade, bool solo, float weight) {
  sinew_play_def def = sinew_play_def_default();
  def.clip = hero_clip(w->model, clip), def.fade = fade, def.solo = solo, def.weight = weight;
  return sinew_actor_play(w->stage, w->actor, &def, NULL);
}

static sinew_playing action_now(const world *w, sinew_action action) {
  sinew_playing p;
  assert_true(sinew_action_playing(w->stage, action, &p));
  return p;
}

static sinew_playing node_now(const world *w, int node) {
  sinew_playing p;
  assert_true(sinew_actor_node_playing(w->stage, w->actor, 0, node, &p));
  return p;
}

/* ---- actions ---- */

static void shares_of_actions_are_normalised(void **state) {
  world *w = *state;
  sinew_action walk = play(w, "Walk", 0, false, 3), run = play(w, "Run", 0, false, 1);
  sinew_playing p;
  assert_false(sinew_action_playing(w->stage, walk, &p)); /* nothing has been updated */
  update(w, 60, 0.5);
  assert_near(action_now(w, walk).normalized_weight, 0.75, 1e-6);
  assert_near(action_now(w, run).normalized_weight, 0.25, 1e-6);
  assert_near(action_now(w, run).time, 0.5, 1e-9);
  assert_near(action_now(w, run).phase, 0.5 / (20 / 30.0), 1e-6);
  assert_near(action_now(w, run).speed, 1, 0);
  assert_false(sinew_action_playing(w->stage, (sinew_action){0}, &p));
}

static void a_crossfade_is_told_as_far_as_it_has_come(void **state) {
  world *w = *state;
  for (int r = 0; r < FRAME_RATES; r++) {
    sinew_transition_state t;
    sinew_action walk = play(w, "Walk", 0, true, 1);
    update(w, frame_rates[r], 0.5);
    assert_false(sinew_actor_transition(w->stage, w->actor, 0, -1, &t));
    sinew_action run = play(w, "Run", 0.4, true, 1);
    update(w, frame_rates[r], 0.1);
    double passed = (int)(0.1 * frame_rates[r] + 0.5) / frame_rates[r];
    assert_true(sinew_actor_transition(w->stage, w->actor, 0, -1, &t));
    assert_int_equal(t.kind, SINEW_TRANSITION_CROSSFADE);
    assert_int_equal(t.from, hero_clip(w->model, "Walk"));
    assert_int_equal(t.to, hero_clip(w->model, "Run"));
    assert_near(t.time, passed, 1e-9);
    assert_near(t.fade, 0.4, 0);
    assert_near(t.progress, passed / 0.4, 1e-6);
    assert_near(action_now(w, run).normalized_weight, passed / 0.4, 1e-6);
    assert_near(action_now(w, walk).normalized_weight, 1 - passed / 0.4, 1e-6);
    update(w, frame_rates[r], 0.4);
    assert_false(sinew_actor_transition(w->stage, w->actor, 0, -1, &t));
  }
}

/* Idle comes back as Wave goes: from 0.3 s before its end on. */
static void a_one_shot_that_returns_is_a_transition(void **state) {
  world *w = *state;
  sinew_transition_state t;
  sinew_play_def def = sinew_play_def_default();
  play(w, "Idle", 0, true, 1);
  def.clip = hero_clip(w->model, "Wave"), def.loop = SINEW_LOOP_ONCE, def.fade = 0.1, def.fade_out = 0.3;
  double length = sinew_clip_duration(sinew_model_clip(w->model, def.clip));
  sinew_actor_play(w->stage, w->actor, &def, NULL);
  update(w, 60, 0.5);
  assert_false(sinew_actor_transition(w->stage, w->actor, 0, -1, &t));
  sinew_stage_update(w->stage, length - 0.5 - 0.2);
  assert_true(sinew_actor_transition(w->stage, w->actor, 0, -1, &t));
  assert_int_equal(t.from, def.clip);
  assert_int_equal(t.to, hero_clip(w->model, "Idle"));
  assert_near(t.time, 0.1, 1e-6);
}

/* ---- graphs ---- */

/* A machine of a space and of a wave, which a crossfade and an inertial transition lead between. */
static void give_machine(world *w) {
  static const struct {
    const char *clip;
    double x;
  } samples[] = {{"Idle", 0}, {"Walk", 1.4}, {"Run", 4}};
  sinew_node_def nodes[6];
  for (int i = 0; i < 6; i++) nodes[i] = sinew_node_def_default();
  nodes[0].kind = SINEW_NODE_MACHINE, nodes[0].first_child = 1, nodes[0].child_count = 2;
  nodes[1].kind = SINEW_NODE_SPACE_1D, nodes[1].first_child = 3, nodes[1].child_count = 3;
  nodes[1].param_x = 0, nodes[1].sync = true;
  nodes[2].clip = hero_clip(w->model, "Wave");
  for (int i = 0; i < 3; i++) nodes[3 + i].clip = hero_clip(w->model, samples[i].clip), nodes[3 + i].x = samples[i].x;
  sinew_transition_def ways[2] = {sinew_transition_def_default(), sinew_transition_def_default()};
  ways[0].from = 0, ways[0].to = 1, ways[0].event = "wave", ways[0].fade = 0.4, ways[0].ease = SINEW_EASE_IN;
  ways[1].from = 1, ways[1].to = 0, ways[1].event = "back", ways[1].fade = 0.3;
  ways[1].kind = SINEW_TRANSITION_INERTIAL;
  nodes[0].transition_count = 2;
  sinew_graph_def def = {nodes, 6, ways, 2};
  sinew_error error = {""};
  if (!sinew_actor_set_graph(w->stage, w->actor, 0, &def, 0, &error)) fail_msg("%s", error.message);
}

/* At 0.7 m/s a half of Idle and of Walk, whose rate is its own; in between walk and run, one of the group's cadence. */
static void nodes_tell_what_is_below_them(void **state) {
  world *w = *state;
  give_machine(w);
  for (int r = 0; r < FRAME_RATES; r++) {
    sinew_actor_set_param(w->stage, w->actor, 0, 0.7);
    update(w, frame_rates[r], 1);
    assert_near(node_now(w, 0).normalized_weight, 1, 1e-6);
    assert_near(node_now(w, 1).normalized_weight, 1, 1e-6);
    assert_near(node_now(w, 3).normalized_weight, 0.5, 1e-6);
    assert_near(node_now(w, 4).normalized_weight, 0.5, 1e-6);
    assert_near(node_now(w, 4).speed, 1, 1e-3);
    assert_near(node_now(w, 5).normalized_weight, 0, 0);
    sinew_playing p;
    assert_false(sinew_actor_node_playing(w->stage, w->actor, 0, 2, &p));
    sinew_actor_set_param(w->stage, w->actor, 0, 1.4 + 0.75 * 2.6);
    update(w, frame_rates[r], 1);
    double stride = (0.25 * 1.4 * 28 / 30 + 0.75 * 4 * 20 / 30) / (0.25 * 1.4 + 0.75 * 4);
    sinew_playing run = node_now(w, 5), space = node_now(w, 1);
    assert_near(run.speed, 20 / 30.0 / stride, 0.01);
    assert_int_equal(space.clip, hero_clip(w->model, "Run"));
    assert_near(space.phase, run.phase, 0);
    assert_near(run.phase, run.time / (20 / 30.0), 1e-6);
  }
}

static void actions_take_their_share_of_a_graph(void **state) {
  world *w = *state;
  give_machine(w);
  sinew_action run = play(w, "Run", 0, false, 0.25f);
  update(w, 60, 0.5);
  assert_near(node_now(w, 0).normalized_weight, 0.75, 1e-6);
  assert_near(action_now(w, run).normalized_weight, 0.25, 1e-6);
}

static void a_machine_tells_its_transition(void **state) {
  world *w = *state;
  give_machine(w);
  for (int r = 0; r < FRAME_RATES; r++) {
    sinew_transition_state t;
    double step = 1 / frame_rates[r], passed = (int)(0.1 * frame_rates[r] + 0.5) * step;
    update(w, frame_rates[r], 1);
    assert_false(sinew_actor_transition(w->stage, w->actor, 0, 0, &t));
    sinew_actor_send(w->stage, w->actor, "wave");
    update(w, frame_rates[r], 0.1);
    assert_true(sinew_actor_transition(w->stage, w->actor, 0, 0, &t));
    assert_int_equal(t.from, 0);
    assert_int_equal(t.to, 1);
    assert_near(t.time, passed, 1e-9);
    assert_near(t.progress, passed / 0.4 * passed / 0.4, 1e-6);
    assert_near(node_now(w, 2).normalized_weight, t.progress, 1e-6);
    update(w, frame_rates[r], 0.5);
    sinew_actor_send(w->stage, w->actor, "back");
    update(w, frame_rates[r], 0.1);
    assert_true(sinew_actor_transition(w->stage, w->actor, 0, 0, &t));
    assert_int_equal(t.kind, SINEW_TRANSITION_INERTIAL);
    assert_int_equal(t.to, 0);
    assert_near(t.progress, passed / 0.3, 1e-6);
    assert_near(node_now(w, 1).normalized_weight, 1, 1e-6); /* the new state is all that plays */
    assert_false(sinew_actor_transition(w->stage, w->actor, 0, 1, &t));
    assert_false(sinew_actor_transition(w->stage, w->actor, 0, 99, &t));
  }
}

/* At half walk and half run; then the clip that is sought leads, however little it weighs, and no time passes. */
static void a_clip_is_sought_and_its_group_comes_along(void **state) {
  world *w = *state;
  give_machine(w);
  for (int node = 4; node <= 5; node++) {
    for (int k = 0; k < 4; k++) {
      sinew_actor_set_param(w->stage, w->actor, 0, node == 4 ? 3.6 : 1.8);
      update(w, 60, 0.41);
      double length = sinew_clip_duration(sinew_model_clip(w->model, node_now(w, node).clip)),
             to = (0.1 + 0.2 * k) * length;
      double other = node_now(w, 9 - node).phase;
      assert_true(sinew_actor_seek_node(w->stage, w->actor, 0, node, to));
      sinew_stage_update(w->stage, 0);
      assert_near(node_now(w, node).time, to, 1e-3);
      double apart = fabs(node_now(w, 9 - node).phase - node_now(w, node).phase);
      assert_true(fmin(apart, 1 - apart) < 0.12); /* their feet come down at nearly the same shares */
      assert_true(fabs(node_now(w, 9 - node).phase - other) > 1e-3);
      sinew_stage_update(w->stage, 0.05);
      double went = node_now(w, node).time - to;
      assert_near(went, 0.05 * node_now(w, node).speed, 2e-3);
    }
  }
}

static void what_does_not_play_is_not_sought(void **state) {
  world *w = *state;
  give_machine(w);
  update(w, 60, 0.5);
  assert_false(sinew_actor_seek_node(w->stage, w->actor, 0, 2, 0.1)); /* a state that it is not in */
  assert_false(sinew_actor_seek_node(w->stage, w->actor, 0, 1, 0.1)); /* no clip */
  assert_false(sinew_actor_seek_node(w->stage, w->actor, 0, 6, 0.1));
  assert_false(sinew_actor_seek_node(w->stage, w->actor, 0, -1, 0.1));
  assert_false(sinew_actor_seek_node(w->stage, w->actor, 1, 3, 0.1));
  assert_false(sinew_actor_seek_node(w->stage, w->actor, 0, 3, NAN));
  assert_true(sinew_actor_seek_node(w->stage, w->actor, 0, 3, 1e9));
}

/* From Idle to Walk and back: what is asked of the way out, with the values that the next update would see. */
static void give_ways(world *w, const sinew_transition_def ways[2]) {
  sinew_node_def nodes[3] = {sinew_node_def_default(), sinew_node_def_default(), sinew_node_def_default()};
  sinew_graph_def def = {nodes, 3, ways, 2};
  sinew_error error = {""};
  nodes[0].kind = SINEW_NODE_MACHINE, nodes[0].first_child = 1, nodes[0].child_count = 2;
  nodes[0].transition_count = 2;
  nodes[1].clip = hero_clip(w->model, "Idle"), nodes[2].clip = hero_clip(w->model, "Walk");
  if (!sinew_actor_set_graph(w->stage, w->actor, 0, &def, 0, &error)) fail_msg("%s", error.message);
}

static void expect_part(const world *w, int transition, int index, sinew_part_state expected, const char *text) {
  sinew_transition_part parts[8];
  int count = sinew_actor_transition_parts(w->stage, w->actor, 0, transition, parts, 8);
  assert_true(index < count && count <= 8);
  assert_string_equal(parts[index].text, text);
  assert_int_equal(parts[index].state, expected);
}

static void a_transition_tells_what_it_asks_for(void **state) {
  world *w = *state;
  sinew_transition_part parts[8];
  sinew_transition_def ways[2] = {sinew_transition_def_default(), sinew_transition_def_default()}, found;
  ways[0].to = 1, ways[0].when = "speed > 0.2 and state_time >= 0.5 and (speed < 9 or speed > 10)";
  ways[0].event = "go", ways[0].from = 0, ways[0].fade = 0.5, ways[0].locked = true;
  ways[1].from = 1, ways[1].to = 0, ways[1].before_end = 0.25, ways[1].condition = 7;
  give_ways(w, ways);
  assert_true(sinew_actor_transition_def(w->stage, w->actor, 0, 1, &found));
  assert_near(found.before_end, 0.25, 0);
  assert_false(sinew_actor_transition_def(w->stage, w->actor, 0, 2, &found));
  assert_false(sinew_actor_transition_def(w->stage, w->actor, 0, -1, &found));
  sinew_actor_set_param(w->stage, w->actor, 0, 0.14);
  update(w, 60, 1);
  assert_int_equal(sinew_actor_transition_parts(w->stage, w->actor, 0, 0, parts, 8), 4);
  assert_int_equal(sinew_actor_transition_parts(w->stage, w->actor, 0, 0, NULL, 0), 4);
  assert_int_equal(sinew_actor_transition_parts(w->stage, w->actor, 0, 2, parts, 8), 0);
  assert_int_equal(sinew_actor_transition_parts(w->stage, w->actor, 1, 0, parts, 8), 0);
  expect_part(w, 0, 0, SINEW_PART_FALSE, "on go");
  expect_part(w, 0, 1, SINEW_PART_FALSE, "speed 0.14 > 0.2");
  expect_part(w, 0, 2, SINEW_PART_TRUE, "state_time 1 >= 0.5");
  expect_part(w, 0, 3, SINEW_PART_TRUE, "speed 0.14 < 9 or speed 0.14 > 10");
  assert_true(sinew_actor_send(w->stage, w->actor, "go"));
  expect_part(w, 0, 0, SINEW_PART_TRUE, "on go");
  sinew_actor_set_param(w->stage, w->actor, 0, 0.5);
  expect_part(w, 0, 1, SINEW_PART_TRUE, "speed 0.5 > 0.2");
  sinew_stage_update(w->stage, 0.1); /* all held: it was taken */
  expect_part(w, 1, 0, SINEW_PART_FALSE, "unlocked in 0.40 s");
  expect_part(w, 1, 2, SINEW_PART_UNKNOWN, "a function");
  update(w, 60, 0.5);
  char text[64]; /* Walk takes 28 frames of 1/30 s */
  snprintf(text, sizeof text, "before_end 0.25, %.2f s left", 28 / 30.0 - 0.6);
  expect_part(w, 1, 0, SINEW_PART_FALSE, text);
  update(w, 60, 0.1);
  snprintf(text, sizeof text, "before_end 0.25, %.2f s left", 28 / 30.0 - 0.7);
  expect_part(w, 1, 0, SINEW_PART_TRUE, text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_WORLD(a_transition_tells_what_it_asks_for),
      WITH_WORLD(shares_of_actions_are_normalised),
      WITH_WORLD(a_crossfade_is_told_as_far_as_it_has_come),
      WITH_WORLD(a_one_shot_that_returns_is_a_transition),
      WITH_WORLD(nodes_tell_what_is_below_them),
      WITH_WORLD(actions_take_their_share_of_a_graph),
      WITH_WORLD(a_machine_tells_its_transition),
      WITH_WORLD(a_clip_is_sought_and_its_group_comes_along),
      WITH_WORLD(what_does_not_play_is_not_sought),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
