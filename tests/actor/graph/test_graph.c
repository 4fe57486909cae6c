/* Graphs: parameters, blend spaces and sync. */
#include "actor/graph_fixture.h"

#include <sinew/playing.h>

/* ---- parameters ---- */

/* A pin hides from graphs what is set; whoever sets it does not notice. */
static void a_pinned_parameter_waits(void **state) {
  world *w = *state;
  bool pinned;
  const char *names[] = {"speed", "turn"}, *other[] = {"turn", "speed"};
  const double values[] = {1, 2};
  assert_true(sinew_actor_set_params(w->stage, w->actor, names, NULL, 2, NULL));
  for (int i = 0; i < 2; i++) assert_true(sinew_actor_set_param(w->stage, w->actor, i, values[i]));
  assert_false(sinew_actor_pin_param(w->stage, w->actor, 2, 5));
  assert_false(sinew_actor_pin_param(w->stage, w->actor, 0, (double)NAN));
  assert_false(sinew_actor_unpin_param(w->stage, w->actor, 0));
  assert_true(sinew_actor_pin_param(w->stage, w->actor, 0, 5));
  assert_true(sinew_actor_set_param(w->stage, w->actor, 0, 3));
  assert_near(sinew_actor_param(w->stage, w->actor, 0), 3, 0);
  assert_near(sinew_actor_seen_param(w->stage, w->actor, 0, &pinned), 5, 0);
  assert_true(pinned);
  assert_near(sinew_actor_seen_param(w->stage, w->actor, 1, &pinned), 2, 0);
  assert_false(pinned);
  assert_true(sinew_actor_set_params(w->stage, w->actor, other, NULL, 2, NULL)); /* it goes along by its name */
  assert_near(sinew_actor_seen_param(w->stage, w->actor, 1, &pinned), 5, 0);
  assert_true(pinned);
  assert_true(sinew_actor_unpin_param(w->stage, w->actor, 1));
  assert_near(sinew_actor_seen_param(w->stage, w->actor, 1, &pinned), 3, 0);
  assert_false(pinned);
}

static void parameters_keep_their_values_when_declared_anew(void **state) {
  world *w = *state;
  const char *names[] = {"height", "speed"}, *twice[] = {"a", "a"};
  const double values[] = {7, 8};
  set(w, SPEED, 3);
  assert_true(sinew_actor_set_params(w->stage, w->actor, names, values, 2, NULL));
  assert_near(sinew_actor_param(w->stage, w->actor, 0), 7, 0);
  assert_near(sinew_actor_param(w->stage, w->actor, 1), 3, 0);
  assert_int_equal(sinew_actor_find_param(w->stage, w->actor, "turn"), -1);
  assert_false(sinew_actor_set_params(w->stage, w->actor, twice, NULL, 2, NULL));
  assert_false(sinew_actor_set_param(w->stage, w->actor, 0, (double)NAN));
  assert_false(sinew_actor_set_param(w->stage, w->actor, 2, 1));
  assert_int_equal(sinew_actor_param_count(w->stage, w->actor), 2);
}

/* ---- spaces ---- */

static void a_space_blends_the_neighbours_of_its_parameter(void **state) {
  world *w = *state;
  sinew_node_def nodes[] = {parent(SINEW_NODE_SPACE_1D, 1, 3), clip("a", ZERO, 0), clip("b", ONE, 1),
                            clip("c", TEN, 3)};
  give(w, nodes, 4, NULL, 0);
  const double at[] = {-1, 0, 0.25, 1, 2, 3, 9}, expected[] = {0, 0, 0.25, 1, 5.5, 10, 10};
  for (int i = 0; i < 7; i++) {
    set(w, SPEED, at[i]);
    update(w, 0.01);
    assert_near(tip(w), expected[i], 1e-5);
  }
}

static void a_plane_blends_the_corners_of_its_triangle(void **state) {
  world *w = *state;
  sinew_node_def nodes[] = {parent(SINEW_NODE_SPACE_2D, 1, 3), clip("a", ZERO, 0), clip("b", ONE, 1),
                            clip("c", TEN, 0)};
  nodes[3].y = 1;
  give(w, nodes, 4, NULL, 0);
  set(w, SPEED, 0.2), set(w, TURN, 0.3);
  update(w, 0.01);
  assert_near(tip(w), 0.2 * 1 + 0.3 * 10, 1e-5);
  assert_true(sinew_actor_set_node(w->stage, w->actor, 0, 3, 0, 2));
  update(w, 0.01);
  assert_near(tip(w), 0.2 * 1 + 0.15 * 10, 1e-5);
}

static void a_blend_shares_by_weights_and_parameters(void **state) {
  world *w = *state;
  sinew_node_def nodes[] = {parent(SINEW_NODE_BLEND, 1, 2), clip("a", ONE, 3), clip("b", TEN, 0)};
  nodes[2].weight_param = SPEED;
  give(w, nodes, 3, NULL, 0);
  set(w, SPEED, 1);
  update(w, 0.01);
  assert_near(tip(w), (3 * 1 + 1 * 10) / 4.0, 1e-5);
  set(w, SPEED, -5);
  update(w, 0.01);
  assert_near(tip(w), 1, 1e-5);
}

static void spaces_nest_and_their_weights_multiply(void **state) {
  world *w = *state;
  sinew_node_def nodes[] = {parent(SINEW_NODE_SPACE_1D, 1, 2), clip("a", ZERO, 0), parent(SINEW_NODE_SPACE_1D, 3, 2),
                            clip("b", ONE, 0), clip("c", TEN, 1)};
  nodes[2].x = 1, nodes[2].param_x = TURN;
  give(w, nodes, 5, NULL, 0);
  set(w, SPEED, 0.5), set(w, TURN, 0.25);
  update(w, 0.01);
  assert_near(tip(w), 0.5 * (0.75 * 1 + 0.25 * 10), 1e-5);
  assert_near(sinew_actor_node_weight(w->stage, w->actor, 0, 4), 0.125, 1e-6);
}

static void a_followed_parameter_comes_as_near_in_two_half_steps_as_in_one(void **state) {
  world *w = *state;
  sinew_node_def nodes[] = {parent(SINEW_NODE_SPACE_1D, 1, 2), clip("a", ZERO, 0), clip("b", ONE, 1)};
  nodes[0].smooth = 0.2;
  for (int steps = 1; steps <= 8; steps *= 2) {
    sinew_actor_set_graph(w->stage, w->actor, 0, NULL, 0, NULL);
    set(w, SPEED, 0);
    give(w, nodes, 3, NULL, 0);
    update(w, 0);
    set(w, SPEED, 1);
    for (int i = 0; i < steps; i++) update(w, 0.1 / steps);
    assert_near(tip(w), 1 - exp(-0.5), 1e-6);
  }
}

/* ---- sync ---- */

static void clips_in_sync_keep_one_phase_at_their_mean_duration(void **state) {
  world *w = *state;
  sinew_node_def nodes[] = {parent(SINEW_NODE_SPACE_1D, 1, 2), clip("slow", SLOW, 0), clip("fast", FAST, 1)};
  nodes[0].sync = true;
  set(w, SPEED, 0.5);
  give(w, nodes, 3, NULL, 0);
  for (int i = 0; i < 9; i++) update(w, 0.1);
  /* The mean of 2 s and 1 s is 1.5 s, so 0.9 s are 0.6 of the way: at 1.2 in the one, 0.6 in the other. */
  assert_near(tip(w), (1.2 + 0.6) / 2, 1e-5);
}

/* The phase goes where the weighted mean of the speeds goes, as fast as the weighted mean of the durations says. */
static void clips_in_sync_go_back_as_they_go_on(void **state) {
  static const struct {
    double slow, fast, param, rate; /* speeds, the weight of the fast one, and cycles in a second */
  } cases[] = {{1, 1, 0.5, 1 / 1.5},
               {-1, -1, 0.5, -1 / 1.5},
               {-2, -2, 0.25, -2 / 1.75},
               {1, -1, 0.75, -1 / 1.25},
               {-1, 1, 0.75, 1 / 1.25}};
  world *w = *state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sinew_node_def nodes[] = {parent(SINEW_NODE_SPACE_1D, 1, 2), clip("slow", SLOW, 0), clip("fast", FAST, 1)};
    nodes[0].sync = true;
    nodes[1].speed = cases[i].slow, nodes[2].speed = cases[i].fast;
    sinew_actor_set_graph(w->stage, w->actor, 0, NULL, 0, NULL);
    set(w, SPEED, cases[i].param);
    give(w, nodes, 3, NULL, 0);
    update(w, 0);
    sinew_playing then, now;
    assert_true(sinew_actor_node_playing(w->stage, w->actor, 0, 1, &then));
    for (int k = 0; k < 3; k++) update(w, 0.1);
    assert_true(sinew_actor_node_playing(w->stage, w->actor, 0, 1, &now));
    assert_near(remainder(now.phase - then.phase - 0.3 * cases[i].rate, 1), 0, 1e-6);
    assert_near(now.speed, 2 * cases[i].rate, 1e-6);
  }
}

static void mark(world *w, int index, double left, double right) {
  sinew_marker markers[] = {{.time = left, .name = "left", .sync = true},
                            {.time = right, .name = "right", .sync = true}};
  assert_true(sinew_stage_set_markers(w->stage, w->model, index, markers, 2, NULL));
}

static void markers_meet_while_clips_are_in_sync(void **state) {
  world *w = *state;
  sinew_node_def nodes[] = {parent(SINEW_NODE_SPACE_1D, 1, 2), clip("slow", SLOW, 0), clip("fast", FAST, 1)};
  nodes[0].sync = true;
  mark(w, SLOW, 0.5, 1.0); /* stretches of 0.5 and 1.5 s */
  mark(w, FAST, 0.7, 0.1); /* from left, over the end, 0.4 to right; 0.6 back */
  set(w, SPEED, 0);
  give(w, nodes, 3, NULL, 0);
  for (int i = 0; i < 150; i++) {
    update(w, 0.05);
    double slow = tip(w); /* the clip's time is its place */
    set(w, SPEED, 1);
    update(w, 0);
    double fast = tip(w);
    set(w, SPEED, 0);
    update(w, 0);
    double from_left = fmod(slow - 0.5 + 2, 2);
    double phase = from_left < 0.5 ? from_left / 0.5 : 1 + (from_left - 0.5) / 1.5;
    double expected = phase < 1 ? 0.7 + phase * 0.4 : 1.1 + (phase - 1) * 0.6;
    assert_near(fmod(fast + 1e-4, 1), fmod(expected + 1e-4, 1), 1e-4);
  }
}

static int events_named(const world *w, const char *name) {
  int count, found = 0;
  const sinew_event *events = sinew_stage_events(w->stage, &count, NULL);
  for (int i = 0; i < count; i++) found += strcmp(events[i].name, name) == 0;
  return found;
}

static void no_step_is_swallowed_by_sync(void **state) {
  world *w = *state;
  sinew_node_def nodes[] = {parent(SINEW_NODE_SPACE_1D, 1, 2), clip("slow", SLOW, 0), clip("fast", FAST, 1)};
  nodes[0].sync = true;
  mark(w, SLOW, 0.5, 1.0);
  mark(w, FAST, 0.7, 0.1);
  give(w, nodes, 3, NULL, 0);
  int left = 0, right = 0;
  for (int i = 0; i < 3000; i++) {
    set(w, SPEED, 0.1 + 0.8 * fabs(sin(i * 0.01)));
    update(w, 0.011);
    left += events_named(w, "left");
    right += events_named(w, "right");
    /* Both clips make one step, each foot in turn. */
    assert_in_range(events_named(w, "left") + events_named(w, "right"), 0, 1);
    assert_in_range(left - right + 1, 0, 2);
  }
  assert_true(left > 20);
}

static void actions_and_graphs_share_a_named_phase(void **state) {
  world *w = *state;
  sinew_node_def nodes[] = {parent(SINEW_NODE_SPACE_1D, 1, 1), clip("slow", SLOW, 0)};
  nodes[0].sync = true, nodes[0].sync_group = "legs";
  give(w, nodes, 2, NULL, 0);
  for (int i = 0; i < 7; i++) update(w, 0.1);
  sinew_play_def def = sinew_play_def_default();
  def.clip = FAST, def.fade = 0, strcpy(def.sync_group, "legs");
  assert_int_not_equal(sinew_actor_play(w->stage, w->actor, &def, NULL).id, 0);
  update(w, 0);
  assert_near(tip(w), 0.35, 1e-5); /* 0.7 of 2 s is 0.35 of 1 s */
}

/* ---- misuse ---- */

static void a_graph_that_cannot_be_is_refused_with_the_reason(void **state) {
  world *w = *state;
  sinew_node_def lonely[] = {parent(SINEW_NODE_SPACE_1D, 1, 0)};
  assert_non_null(strstr(refuse(w, lonely, 1), "has no children"));
  sinew_node_def foreign[] = {clip("x", 99, 0)};
  assert_non_null(strstr(refuse(w, foreign, 1), "'x' is not valid: there is no such clip"));
  sinew_node_def twins[] = {parent(SINEW_NODE_BLEND, 1, 2), clip("x", 0, 1), clip("x", 1, 1)};
  assert_non_null(strstr(refuse(w, twins, 3), "the same name"));
  sinew_node_def circle[] = {parent(SINEW_NODE_BLEND, 0, 1)};
  assert_non_null(strstr(refuse(w, circle, 1), "do not come after it"));
  sinew_node_def shared[] = {parent(SINEW_NODE_BLEND, 1, 2), parent(SINEW_NODE_BLEND, 2, 1), clip("x", 0, 1)};
  assert_non_null(strstr(refuse(w, shared, 3), "the child of another node"));
  sinew_node_def steered[] = {parent(SINEW_NODE_SPACE_1D, 1, 1), clip("x", 0, 1)};
  steered[0].param_x = 5;
  assert_non_null(strstr(refuse(w, steered, 2), "no such parameter"));
  sinew_node_def nowhere[] = {parent(SINEW_NODE_BLEND, 1, 1), clip("x", 0, (double)INFINITY)};
  assert_non_null(strstr(refuse(w, nowhere, 2), "not a finite number"));
  sinew_node_def nothing[1];
  assert_non_null(strstr(refuse(w, nothing, 0), "between 1 and"));
  assert_false(sinew_actor_has_graph(w->stage, w->actor, 0));
}

static void parameters_that_a_graph_needs_stay(void **state) {
  world *w = *state;
  sinew_node_def nodes[] = {parent(SINEW_NODE_SPACE_2D, 1, 1), clip("a", ONE, 0)};
  give(w, nodes, 2, NULL, 0);
  const char *one[] = {"speed"};
  assert_false(sinew_actor_set_params(w->stage, w->actor, one, NULL, 1, NULL));
  assert_int_equal(sinew_actor_param_count(w->stage, w->actor), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_WORLD(parameters_keep_their_values_when_declared_anew),
      WITH_WORLD(a_pinned_parameter_waits),
      WITH_WORLD(a_space_blends_the_neighbours_of_its_parameter),
      WITH_WORLD(a_plane_blends_the_corners_of_its_triangle),
      WITH_WORLD(a_blend_shares_by_weights_and_parameters),
      WITH_WORLD(spaces_nest_and_their_weights_multiply),
      WITH_WORLD(a_followed_parameter_comes_as_near_in_two_half_steps_as_in_one),
      WITH_WORLD(clips_in_sync_keep_one_phase_at_their_mean_duration),
      WITH_WORLD(clips_in_sync_go_back_as_they_go_on),
      WITH_WORLD(markers_meet_while_clips_are_in_sync),
      WITH_WORLD(no_step_is_swallowed_by_sync),
      WITH_WORLD(actions_and_graphs_share_a_named_phase),
      WITH_WORLD(a_graph_that_cannot_be_is_refused_with_the_reason),
      WITH_WORLD(parameters_that_a_graph_needs_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
