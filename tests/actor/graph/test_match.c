/* Clips that play by distance: a start is where the actor has come as far, a stop where as much is left, a turn where
 * the same fraction is left; at any frame rate, and never back. */
#include "support/hero.h"

#include "actor/stage.h"

#include <sinew/graph.h>
#include <sinew/marks.h>
#include <sinew/motion.h>
#include <sinew/playing.h>

enum { TO_STOP, TURN, PARAMS };

static int set_up(void **state) {
  static world w;
  static const char *const names[PARAMS] = {"to_stop", "turn"};
  world_open(&w, load_hero());
  *state = &w;
  return sinew_actor_set_params(w.stage, w.actor, names, NULL, PARAMS, NULL) ? 0 : -1;
}

static sinew_node_def clip_node(const world *w, const char *clip, sinew_match match) {
  sinew_node_def n = sinew_node_def_default();
  n.clip = hero_clip(w->model, clip);
  n.match = match;
  if (match == SINEW_MATCH_TO_STOP) n.match_param = TO_STOP;
  if (match == SINEW_MATCH_TURN) n.match_param = TURN;
  return n;
}

static void play(const world *w, const char *clip, sinew_match match) {
  sinew_error error = {""};
  sinew_node_def n = clip_node(w, clip, match);
  sinew_graph_def def = {&n, 1, NULL, 0};
  assert_true(sinew_actor_set_graph(w->stage, w->actor, 0, NULL, 0, NULL));
  if (!sinew_actor_set_graph(w->stage, w->actor, 0, &def, 0, &error)) fail_msg("%s", error.message);
}

static double time_of(const world *w) { return stage_find(w->stage, w->actor)->instances.items[0].time; }

static void place(const world *w, double z, double yaw) {
  sinew_transform t = sinew_transform_identity();
  t.translation.z = (float)z;
  t.rotation = sinew_quat_from_axis_angle((sinew_vec3){0, 1, 0}, (float)yaw);
  assert_true(sinew_actor_set_transform(w->stage, w->actor, &t));
}

/* The displacement of the clip's own root, by the definition of root motion. */
static double root_way(const world *w, const char *clip, double time, bool yaw) {
  sinew_transform way;
  sinew_root_track track = {w->model, sinew_model_clip(w->model, hero_clip(w->model, clip)),
                            hero_joint(w->model, "Root"), SINEW_ROOT_X | SINEW_ROOT_Z | SINEW_ROOT_YAW};
  assert_true(sinew_root_motion(&(sinew_root_motion_job){track, 0, time, 0, 0, 0, &way}));
  return yaw ? 2 * atan2((double)way.rotation.y, (double)way.rotation.w) : (double)way.translation.z;
}

static void expect_near(double value, double wanted, double tolerance) {
  if (!(fabs(value - wanted) <= tolerance)) fail_msg("%g is not %g", value, wanted);
}

/* WalkRoot goes 1.4 m/s; an actor at 1 m/s, then at 2, has it slower and faster. */
static void a_clip_has_come_as_far_as_its_actor(void **state) {
  world *w = *state;
  for (int r = 0; r < FRAME_RATES; r++) {
    double dt = 1 / frame_rates[r], z = 0;
    place(w, 0, 0);
    play(w, "WalkRoot", SINEW_MATCH_TRAVELLED);
    sinew_stage_update(w->stage, dt);
    double first = root_way(w, "WalkRoot", time_of(w), false);
    expect_near(first, 0.01, 0.002); /* it begins where it has come a centimetre */
    for (int i = 0; i < (int)(0.7 / dt); i++) {
      z += (i * dt < 0.35 ? 1.0 : 2.0) * dt;
      place(w, z, 0);
      sinew_stage_update(w->stage, dt);
      expect_near(root_way(w, "WalkRoot", time_of(w), false), fmax(z, first), 0.006);
    }
  }
}

/* At any moment, the clip has as far left to go as the actor. */
static void a_stop_ends_where_the_actor_stands(void **state) {
  world *w = *state;
  const double whole =
      root_way(w, "WalkRoot", sinew_clip_duration(sinew_model_clip(w->model, hero_clip(w->model, "WalkRoot"))), false);
  for (int r = 0; r < FRAME_RATES; r++) {
    double dt = 1 / frame_rates[r], speed = 1.2, z = 0;
    place(w, 0, 0);
    play(w, "WalkRoot", SINEW_MATCH_TO_STOP);
    for (int i = 0; speed > 0.75; i++) {
      double left = speed * speed / (2 * 1.2);
      assert_true(sinew_actor_set_param(w->stage, w->actor, TO_STOP, left));
      place(w, z, 0);
      sinew_stage_update(w->stage, dt);
      expect_near(whole - root_way(w, "WalkRoot", time_of(w), false), left, 0.006);
      z += speed * dt - 0.6 * dt * dt;
      speed -= 1.2 * dt;
    }
  }
}

/* An actor that stands a centimetre before the end, and comes no nearer, does not slow the clip down. */
static void the_last_of_a_stop_goes_by_time(void **state) {
  world *w = *state;
  for (int r = 0; r < FRAME_RATES; r++) {
    double dt = 1 / frame_rates[r], before;
    play(w, "WalkRoot", SINEW_MATCH_TO_STOP);
    assert_true(sinew_actor_set_param(w->stage, w->actor, TO_STOP, 0.015));
    sinew_stage_update(w->stage, dt);
    before = time_of(w);
    assert_true(before > 0.85 && before < 0.93);
    for (int i = 1; i < 3; i++) {
      sinew_stage_update(w->stage, 0.005);
      expect_near(time_of(w), before + 0.005 * i, 1e-6);
    }
  }
}

static void a_turn_is_where_the_same_fraction_is_left(void **state) {
  world *w = *state;
  const double duration = sinew_clip_duration(sinew_model_clip(w->model, hero_clip(w->model, "Turn90")));
  const double whole = root_way(w, "Turn90", duration, true), wanted[] = {1.2, 1.5707963, 1.9, 3.1};
  expect_near(whole, 1.5707963, 0.01);
  for (int r = 0; r < 4 * FRAME_RATES; r++) {
    double dt = 1 / frame_rates[r % 3], angle = wanted[r / 3], left = angle, most = fmin(angle, 1.4 * whole);
    sinew_matched_turn turn;
    place(w, 0, 0);
    play(w, "Turn90", SINEW_MATCH_TURN);
    for (int i = 0; i < (int)(0.9 / dt); i++) {
      assert_true(sinew_actor_matched_turn(w->stage, w->actor, dt, &turn));
      if (isnan(turn.fraction)) turn.fraction = i ? 1 : 0; /* nothing plays yet, or nothing is left */
      left -= fmin(left * turn.fraction, turn.most);
      assert_true(sinew_actor_set_param(w->stage, w->actor, TURN, left));
      place(w, 0, angle - left);
      sinew_stage_update(w->stage, dt);
      double own = root_way(w, "Turn90", time_of(w), true) / whole;
      if (angle - left < most - 0.05) expect_near(own, (angle - left) / most, 0.02);
    }
    expect_near(angle - left, most, 0.1 * angle); /* in the clip's own time; the rest is for another turn */
  }
}

/* The actor turns, and so the clip does not: its root stays as it was. */
static void the_root_is_taken_out(void **state) {
  world *w = *state;
  place(w, 0, 0);
  play(w, "Turn90", SINEW_MATCH_TURN);
  assert_true(sinew_actor_set_param(w->stage, w->actor, TURN, 0));
  for (int i = 0; i < 40; i++) sinew_stage_update(w->stage, 1 / 60.0);
  const sinew_mat3x4 *root = sinew_actor_joints(w->stage, w->actor) + hero_joint(w->model, "Root");
  expect_near((double)root->m[0], 1, 1e-4);
  expect_near((double)root->m[8], 0, 1e-4);
  play(w, "WalkRoot", SINEW_MATCH_TRAVELLED);
  for (int i = 0; i < 20; i++) place(w, 0.02 * i, 0), sinew_stage_update(w->stage, 1 / 60.0);
  expect_near((double)root[0].m[11], 0, 1e-4);
}

/* Faster than twice and slower than half of its own speed it does not go, nor back; a jump of the actor is no way. */
static void it_stays_within_its_limits(void **state) {
  world *w = *state;
  place(w, 0, 0);
  play(w, "WalkRoot", SINEW_MATCH_TRAVELLED);
  sinew_stage_update(w->stage, 0.1);
  double before = time_of(w);
  sinew_stage_update(w->stage, 0.1); /* the actor stands */
  expect_near(time_of(w) - before, 0.05, 1e-6);
  before = time_of(w);
  place(w, 2, 0);
  sinew_stage_update(w->stage, 0.1);
  expect_near(time_of(w) - before, 0.2, 1e-6);
  before = time_of(w);
  place(w, 500, 0);
  sinew_stage_update(w->stage, 1e-3);
  expect_near(time_of(w) - before, 2e-3, 1e-6); /* it still has to catch up with the 2 m */
  play(w, "WalkRoot", SINEW_MATCH_TO_STOP);
  assert_true(sinew_actor_set_param(w->stage, w->actor, TO_STOP, 0.5));
  sinew_stage_update(w->stage, 0.01);
  before = time_of(w);
  assert_true(sinew_actor_set_param(w->stage, w->actor, TO_STOP, 1.2));
  sinew_stage_update(w->stage, 0.1);
  expect_near(time_of(w) - before, 0.05, 1e-6);
}

/* Walk stays where it is, and its feet say how far it goes; Idle goes nowhere, and by time. */
static void feet_say_it_and_what_stands_goes_by_time(void **state) {
  world *w = *state;
  double dt = 1 / 60.0, z = 0;
  place(w, 0, 0);
  play(w, "Walk", SINEW_MATCH_TRAVELLED);
  for (int i = 0; i < 42; i++) {
    place(w, z, 0);
    sinew_stage_update(w->stage, dt);
    z += 1.2 * dt;
  }
  expect_near(1.4 * time_of(w), z, 0.03);
  play(w, "Idle", SINEW_MATCH_TRAVELLED);
  for (int i = 0; i < 30; i++) sinew_stage_update(w->stage, dt);
  expect_near(time_of(w), 0.5, 1e-6);
}

/* A model that is twice as large goes twice as far in the same clip. */
static void a_large_actor_strides_farther(void **state) {
  world *w = *state;
  sinew_transform t = sinew_transform_identity();
  t.scale = (sinew_vec3){2, 2, 2};
  play(w, "WalkRoot", SINEW_MATCH_TRAVELLED);
  for (int i = 0; i <= 30; i++) {
    t.translation.z = 2 * 1.2f * (float)i / 60;
    assert_true(sinew_actor_set_transform(w->stage, w->actor, &t));
    sinew_stage_update(w->stage, 1 / 60.0);
  }
  expect_near(root_way(w, "WalkRoot", time_of(w), false), 0.6, 0.01);
}

/* A space that is to stop stays where it began, though its parameter goes to 0. */
static void a_space_keeps_what_it_began_with(void **state) {
  world *w = *state;
  sinew_node_def nodes[3] = {sinew_node_def_default(), clip_node(w, "WalkRoot", SINEW_MATCH_TIME),
                             clip_node(w, "RunRoot", SINEW_MATCH_TIME)};
  nodes[0].kind = SINEW_NODE_SPACE_1D, nodes[0].first_child = 1, nodes[0].child_count = 2;
  nodes[0].param_x = TURN, nodes[0].match = SINEW_MATCH_TO_STOP, nodes[0].match_param = TO_STOP;
  nodes[1].x = 0, nodes[2].x = 1;
  sinew_graph_def def = {nodes, 3, NULL, 0};
  assert_true(sinew_actor_set_param(w->stage, w->actor, TURN, 0.75));
  assert_true(sinew_actor_set_graph(w->stage, w->actor, 0, &def, 0, NULL));
  sinew_stage_update(w->stage, 1 / 60.0);
  assert_true(sinew_actor_set_param(w->stage, w->actor, TURN, 0));
  sinew_stage_update(w->stage, 1 / 60.0);
  expect_near((double)sinew_actor_node_weight(w->stage, w->actor, 0, 2), 0.75, 1e-6);
}

/* Idle leads to a state with two stops, which cover 1.3067 and 2.6667 m. A switch chooses one of them by TURN. */
static void stand_before(const world *w, bool switched, const char *event) {
  sinew_node_def n[5] = {sinew_node_def_default(), clip_node(w, "Idle", SINEW_MATCH_TIME), sinew_node_def_default(),
                         clip_node(w, "WalkRoot", SINEW_MATCH_TO_STOP), clip_node(w, "RunRoot", SINEW_MATCH_TO_STOP)};
  sinew_transition_def way = sinew_transition_def_default();
  n[0].kind = SINEW_NODE_MACHINE, n[0].first_child = 1, n[0].child_count = 2, n[0].transition_count = 1;
  n[2].kind = switched ? SINEW_NODE_SWITCH : SINEW_NODE_SPACE_1D;
  n[2].first_child = 3, n[2].child_count = 2, n[2].param_x = TURN;
  n[3].x = 0, n[4].x = 1;
  way.from = 0, way.to = 1, way.when = "to_stop < 9", way.event = event;
  sinew_graph_def def = {n, 5, &way, 1};
  assert_true(sinew_actor_set_graph(w->stage, w->actor, 0, NULL, 0, NULL));
  assert_true(sinew_actor_set_graph(w->stage, w->actor, 0, &def, 0, NULL));
}

static bool stops(const world *w, double left) {
  sinew_machine_state found;
  assert_true(sinew_actor_set_param(w->stage, w->actor, TO_STOP, left));
  sinew_stage_update(w->stage, 1 / 60.0);
  assert_true(sinew_actor_machine(w->stage, w->actor, 0, 0, &found));
  return found.state == 1;
}

/* Nothing in the clip is as far from its end, so feet would slide. */
static void a_stop_waits_for_the_distance_that_it_covers(void **state) {
  static const double covers[] = {1.3067, 2.6667};
  world *w = *state;
  for (int i = 0; i < 6; i++) {
    bool switched = i > 0, large = i != 1;
    double scale = i >= 3 ? 2 : 1, most = covers[large] * scale;
    sinew_transform t = sinew_transform_identity();
    t.scale = (sinew_vec3){(float)scale, 1, (float)scale};
    assert_true(sinew_actor_set_transform(w->stage, w->actor, &t));
    assert_true(sinew_actor_set_param(w->stage, w->actor, TURN, switched && large));
    stand_before(w, switched, NULL);
    assert_false(stops(w, most * 3));
    assert_false(stops(w, most * 1.02));
    assert_true(stops(w, most * 0.98));
  }
}

static void a_stop_that_an_event_begins_does_not_wait(void **state) {
  world *w = *state;
  stand_before(w, true, "halt");
  assert_false(stops(w, 5));
  assert_true(sinew_actor_send(w->stage, w->actor, "halt"));
  assert_true(stops(w, 5));
}

static void who_waits_says_how_far_it_is(void **state) {
  world *w = *state;
  sinew_metrics_def measured = sinew_metrics_def_default();
  sinew_transition_part parts[3];
  sinew_mark mark;
  assert_true(sinew_actor_set_metrics(w->stage, w->actor, &measured, NULL));
  stand_before(w, true, NULL);
  assert_false(stops(w, 2));
  assert_true(sinew_actor_mark(w->stage, w->actor, 0, &mark));
  assert_int_equal(mark.refusal, SINEW_REFUSAL_DISTANCE);
  expect_near(mark.left, 2, 1e-9);
  expect_near(mark.covers, 1.3067, 0.001);
  assert_int_equal(sinew_actor_transition_parts(w->stage, w->actor, 0, 0, parts, 3), 2);
  assert_string_equal(parts[1].text, "2.00 m to go, its clip covers 1.31");
  assert_int_equal(parts[1].state, SINEW_PART_FALSE);
  assert_true(sinew_actor_set_param(w->stage, w->actor, TO_STOP, 1));
  assert_int_equal(sinew_actor_transition_parts(w->stage, w->actor, 0, 0, parts, 3), 2);
  assert_int_equal(parts[1].state, SINEW_PART_TRUE);
}

static void expect_refused(const world *w, sinew_node_def *nodes, int count, const char *reason) {
  sinew_error error = {""};
  sinew_graph_def def = {nodes, count, NULL, 0};
  assert_false(sinew_actor_set_graph(w->stage, w->actor, 0, &def, 0, &error));
  if (!strstr(error.message, reason)) fail_msg("%s", error.message);
}

static void what_makes_no_sense_is_refused(void **state) {
  world *w = *state;
  sinew_node_def n[2] = {clip_node(w, "Walk", SINEW_MATCH_TO_STOP), clip_node(w, "Walk", SINEW_MATCH_TIME)};
  n[0].match_param = -1;
  expect_refused(w, n, 1, "no parameter to match");
  n[0].match = (sinew_match)4;
  expect_refused(w, n, 1, "its match is unknown");
  n[0] = clip_node(w, "Walk", SINEW_MATCH_TRAVELLED);
  n[0].loop = SINEW_LOOP_PING_PONG;
  expect_refused(w, n, 1, "plays once");
  n[0].loop = SINEW_LOOP_ONCE, n[0].speed = -1;
  expect_refused(w, n, 1, "its speed must be above 0");
  n[0] = sinew_node_def_default(), n[0].kind = SINEW_NODE_BLEND, n[0].first_child = 1, n[0].child_count = 1;
  n[0].match = SINEW_MATCH_TRAVELLED, n[0].sync = true;
  expect_refused(w, n, 2, "clips in sync");
  n[0].sync = false, n[1].match = SINEW_MATCH_TRAVELLED;
  expect_refused(w, n, 2, "so has a node above it");
  n[0].match = SINEW_MATCH_TIME, n[0].sync = true;
  expect_refused(w, n, 2, "clips in sync");
  n[0].sync = false, n[0].kind = SINEW_NODE_MACHINE, n[0].match = SINEW_MATCH_TRAVELLED;
  expect_refused(w, n, 2, "a state of the state machine");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_WORLD(a_clip_has_come_as_far_as_its_actor),
      WITH_WORLD(a_stop_ends_where_the_actor_stands),
      WITH_WORLD(the_last_of_a_stop_goes_by_time),
      WITH_WORLD(a_turn_is_where_the_same_fraction_is_left),
      WITH_WORLD(the_root_is_taken_out),
      WITH_WORLD(it_stays_within_its_limits),
      WITH_WORLD(feet_say_it_and_what_stands_goes_by_time),
      WITH_WORLD(a_large_actor_strides_farther),
      WITH_WORLD(a_space_keeps_what_it_began_with),
      WITH_WORLD(a_stop_waits_for_the_distance_that_it_covers),
      WITH_WORLD(a_stop_that_an_event_begins_does_not_wait),
      WITH_WORLD(who_waits_says_how_far_it_is),
      WITH_WORLD(what_makes_no_sense_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
