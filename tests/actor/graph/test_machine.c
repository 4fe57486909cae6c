/* Graphs: machines and switches, actions over them, and going on under a new definition. */
#include "actor/graph_fixture.h"

#include "base/memory/memory.h"

#include <sinew/playing.h>

/* ---- machines ---- */

static sinew_transition_def transition(int from, int to, const char *event, double fade) {
  sinew_transition_def t = sinew_transition_def_default();
  t.from = from, t.to = to, t.event = event, t.fade = fade;
  return t;
}

static void give_machine(world *w, sinew_transition_def *transitions, int count) {
  sinew_node_def nodes[] = {parent(SINEW_NODE_MACHINE, 1, 3), clip("one", ONE, 0), clip("ten", TEN, 0),
                            clip("jump", JUMP, 0)};
  nodes[0].transition_count = count;
  nodes[3].loop = SINEW_LOOP_ONCE;
  give(w, nodes, 4, transitions, count);
}

static void an_event_takes_a_transition_with_a_crossfade(void **state) {
  world *w = *state;
  sinew_transition_def t = transition(0, 1, "go", 0.4);
  give_machine(w, &t, 1);
  update(w, 0.1);
  assert_near(tip(w), 1, 1e-6);
  assert_true(sinew_actor_send(w->stage, w->actor, "go"));
  update(w, 0.1);
  assert_near(tip(w), 1 + 9 * 0.25, 1e-5);
  assert_int_equal(machine(w).state, 1);
  assert_int_equal(machine(w).previous, 0);
  assert_near(machine(w).time, 0.1, 1e-9);
  assert_near(machine(w).fade, 0.25, 1e-6);
  update(w, 0.3);
  assert_near(tip(w), 10, 1e-5);
  assert_true(sinew_actor_send(w->stage, w->actor, "go"));
  update(w, 0.1);
  assert_int_equal(machine(w).state, 1); /* no transition from there */
}

static void an_event_is_forgotten_after_the_update(void **state) {
  world *w = *state;
  sinew_transition_def t[] = {transition(0, 1, "go", 0), transition(1, 2, "on", 0)};
  give_machine(w, t, 2);
  sinew_actor_send(w->stage, w->actor, "on");
  update(w, 0.1);
  sinew_actor_send(w->stage, w->actor, "go");
  update(w, 0.1);
  update(w, 0.1);
  assert_int_equal(machine(w).state, 1);
}

static void easing_shapes_a_fade(void **state) {
  static const double shares[] = {0.25, 0.0625, 0.4375, 0.15625}; /* t, t², 1 − (1 − t)², 3 t² − 2 t³ */
  world *w = *state;
  for (int i = 0; i < 4; i++) {
    sinew_transition_def t = transition(0, 1, "go", 1);
    t.ease = (sinew_ease)i;
    sinew_actor_set_graph(w->stage, w->actor, 0, NULL, 0, NULL);
    give_machine(w, &t, 1);
    sinew_actor_send(w->stage, w->actor, "go");
    update(w, 0.25);
    assert_near(tip(w), 1 + 9 * shares[i], 1e-5);
  }
}

/* From any state, and not from the one that it leads to unless it restarts. */
static void any_state_leads_where_an_event_says(void **state) {
  world *w = *state;
  for (int restart = 0; restart < 2; restart++) {
    sinew_transition_def t[] = {transition(0, 1, "on", 0), transition(-1, 2, "hit", 0)};
    t[1].restart = restart;
    sinew_actor_set_graph(w->stage, w->actor, 0, NULL, 0, NULL);
    give_machine(w, t, 2);
    for (int from = 0; from < 3; from++) {
      if (from == 1) sinew_actor_send(w->stage, w->actor, "on");
      if (from == 1) update(w, 0.1);
      sinew_actor_send(w->stage, w->actor, "hit");
      update(w, 0.1);
      assert_int_equal(machine(w).state, 2);
      if (from == 0) sinew_actor_set_graph(w->stage, w->actor, 0, NULL, 0, NULL), give_machine(w, t, 2);
    }
    assert_int_equal(machine(w).transitions, restart ? 3 : 2);
  }
}

static void a_one_shot_leaves_before_its_end_at_the_same_moment_whatever_dt(void **state) {
  world *w = *state;
  for (int steps = 1; steps <= 64; steps *= 4) {
    sinew_transition_def t[] = {transition(0, 2, "jump", 0), transition(2, 0, NULL, 0.2)};
    t[1].before_end = 0.1;
    sinew_actor_set_graph(w->stage, w->actor, 0, NULL, 0, NULL);
    give_machine(w, t, 2);
    sinew_actor_send(w->stage, w->actor, "jump");
    /* It begins now and is left after 0.4 s; 0.1 s later half of the fade is over, and the jump has ended. */
    for (int i = 0; i < steps; i++) update(w, 0.4 / steps);
    update(w, 0.1);
    assert_int_equal(machine(w).state, 0);
    assert_near(tip(w), (1 + 6) / 2.0, 2e-4);
  }
}

/* A clip that has ended has no time left, whether it could go on or not. */
static void what_has_ended_is_left_when_a_condition_says_so(void **state) {
  world *w = *state;
  for (int stopped = 0; stopped < 2; stopped++) {
    sinew_node_def nodes[] = {parent(SINEW_NODE_MACHINE, 1, 2), clip("jump", JUMP, 0), clip("one", ONE, 0)};
    sinew_transition_def t = transition(0, 1, NULL, 0);
    t.before_end = 0.1, t.when = "turn > 0";
    nodes[0].transition_count = 1;
    nodes[1].loop = SINEW_LOOP_ONCE;
    sinew_actor_set_graph(w->stage, w->actor, 0, NULL, 0, NULL);
    set(w, TURN, 0);
    give(w, nodes, 3, &t, 1);
    for (int i = 0; i < 8; i++) update(w, 0.1);
    assert_int_equal(machine(w).state, 0);
    if (stopped) nodes[1].speed = 0, give(w, nodes, 3, &t, 1);
    set(w, TURN, 1);
    update(w, 0.1);
    assert_int_equal(machine(w).state, 1);
  }
}

static bool is_fast(void *user, sinew_actor actor, int64_t condition) {
  const world *w = user;
  return condition == 7 && sinew_actor_param(w->stage, actor, SPEED) > 2;
}

static void a_condition_is_asked(void **state) {
  world *w = *state;
  sinew_transition_def t = transition(-1, 1, NULL, 0);
  t.condition = 7;
  give_machine(w, &t, 1);
  sinew_stage_set_conditions(w->stage, is_fast, w);
  update(w, 0.1);
  assert_int_equal(machine(w).state, 0);
  set(w, SPEED, 3);
  update(w, 0.1);
  assert_int_equal(machine(w).state, 1);
  update(w, 0.1);
  assert_int_equal((int)machine(w).transitions, 1); /* from any state, but not to itself */
}

static void a_transition_under_way_may_turn_back_without_a_jump(void **state) {
  world *w = *state;
  sinew_transition_def t[] = {transition(0, 1, "go", 0.4), transition(1, 0, "back", 0.4)};
  give_machine(w, t, 2);
  double before = 1;
  for (int i = 0; i < 200; i++) {
    if (i % 9 == 0) sinew_actor_send(w->stage, w->actor, i % 18 ? "back" : "go");
    update(w, 0.01);
    assert_true(fabs(tip(w) - before) < 9 * 0.01 / 0.4 + 1e-4);
    before = tip(w);
  }
}

static void more_fades_than_fit_do_not_jump(void **state) {
  world *w = *state;
  sinew_transition_def t[] = {transition(-1, 1, "ten", 0.5), transition(-1, 0, "one", 0.5)};
  give_machine(w, t, 2);
  update(w, 0.01);
  double before = tip(w), most = 0;
  for (int i = 0; i < 100; i++) {
    sinew_actor_send(w->stage, w->actor, i % 2 ? "one" : "ten");
    update(w, 0.01);
    most = fmax(most, fabs(tip(w) - before));
    before = tip(w);
  }
  assert_true(most < 9 * 0.01 / 0.5 * 2);
}

static void a_locked_transition_is_not_interrupted(void **state) {
  world *w = *state;
  sinew_transition_def t[] = {transition(0, 1, "go", 0.3), transition(1, 0, "back", 0)};
  t[0].locked = true;
  give_machine(w, t, 2);
  sinew_actor_send(w->stage, w->actor, "go");
  update(w, 0.1);
  sinew_actor_send(w->stage, w->actor, "back");
  update(w, 0.1);
  assert_int_equal(machine(w).state, 1);
  update(w, 0.2);
  sinew_actor_send(w->stage, w->actor, "back");
  update(w, 0.1);
  assert_int_equal(machine(w).state, 0);
}

static void a_frozen_transition_leaves_a_standing_picture(void **state) {
  world *w = *state;
  sinew_node_def nodes[] = {parent(SINEW_NODE_MACHINE, 1, 2), clip("slow", SLOW, 0), clip("ten", TEN, 0)};
  sinew_transition_def t = transition(0, 1, "go", 1);
  t.kind = SINEW_TRANSITION_FROZEN;
  nodes[0].transition_count = 1;
  give(w, nodes, 3, &t, 1);
  update(w, 0.5);
  sinew_actor_send(w->stage, w->actor, "go");
  update(w, 0.5);
  assert_near(tip(w), (0.5 + 10) / 2, 1e-5);
}

static void keeping_phase_begins_at_the_same_share(void **state) {
  world *w = *state;
  sinew_node_def nodes[] = {parent(SINEW_NODE_MACHINE, 1, 2), clip("slow", SLOW, 0), clip("fast", FAST, 0)};
  sinew_transition_def t = transition(0, 1, "go", 0);
  t.keep_phase = true;
  nodes[0].transition_count = 1;
  give(w, nodes, 3, &t, 1);
  update(w, 1.2);
  sinew_actor_send(w->stage, w->actor, "go");
  update(w, 0);
  assert_near(tip(w), 0.6, 1e-5);
}

static void an_inertial_transition_moves_on_without_a_jump_in_place_or_speed(void **state) {
  world *w = *state;
  sinew_node_def nodes[] = {parent(SINEW_NODE_MACHINE, 1, 2), clip("slow", SLOW, 0), clip("ten", TEN, 0)};
  sinew_transition_def t[] = {transition(0, 1, "go", 0.4), transition(1, 0, "back", 0.4)};
  t[0].kind = t[1].kind = SINEW_TRANSITION_INERTIAL;
  nodes[0].transition_count = 2;
  give(w, nodes, 3, t, 2);
  const double dt = 0.001;
  double position[3] = {0}, fastest = 0;
  for (int i = 0; i < 1500; i++) {
    if (i == 400 || i == 900) sinew_actor_send(w->stage, w->actor, "go");
    if (i == 550) sinew_actor_send(w->stage, w->actor, "back"); /* in the middle of the first */
    update(w, dt);
    position[2] = position[1], position[1] = position[0], position[0] = tip(w);
    if (i < 2) continue;
    double acceleration = (position[0] - 2 * position[1] + position[2]) / (dt * dt);
    fastest = fmax(fastest, fabs(acceleration));
  }
  /* A jump in place of 8 would be 8e6, one in speed of 1 m/s would be 1000; a quintic over 8 m in 0.4 s has 5.8 × 8 /
   * 0.16. */
  assert_true(fastest < 700);
  assert_near(tip(w), 10, 1e-3);
}

static void a_switch_follows_its_parameter(void **state) {
  world *w = *state;
  sinew_node_def nodes[] = {parent(SINEW_NODE_SWITCH, 1, 2), clip("one", ONE, 0), clip("ten", TEN, 0)};
  nodes[0].fade = 0.2;
  set(w, SPEED, 1);
  give(w, nodes, 3, NULL, 0);
  update(w, 0.01);
  assert_near(tip(w), 10, 1e-5);
  set(w, SPEED, -3);
  update(w, 0.1);
  assert_near(tip(w), 5.5, 1e-4);
  update(w, 0.1);
  assert_near(tip(w), 1, 1e-4);
}

/* Of values between two states the nearer one, and the upper one from the middle on. */
static void a_switch_rounds_its_parameter(void **state) {
  static const struct {
    double value;
    int selected;
  } cases[] = {{-7, 0}, {-0.5, 0}, {0.49, 0}, {0.5, 1}, {1, 1}, {1.49, 1}, {1.5, 2}, {2, 2}, {2.6, 2}, {1e9, 2}};
  world *w = *state;
  sinew_node_def nodes[] = {parent(SINEW_NODE_SWITCH, 1, 3), clip("zero", ZERO, 0), clip("one", ONE, 0),
                            clip("ten", TEN, 0)};
  nodes[0].fade = 0;
  give(w, nodes, 4, NULL, 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    set(w, SPEED, cases[i].value);
    update(w, 0.01);
    assert_int_equal(machine(w).state, cases[i].selected);
  }
}

/* The latest first, as many as there is room for, and each with its time and the transition that ended it. */
static void a_machine_remembers_its_states_in_order(void **state) {
  enum { TAKEN = 11, KEPT = sizeof(((sinew_machine_state *)0)->history) / sizeof(int) };
  static const char *const events[TAKEN] = {"a", "b", "c", "d", "b", "c", "a", "b", "d", "b", "c"};
  world *w = *state;
  sinew_transition_def t[] = {transition(0, 1, "a", 0), transition(1, 2, "b", 0), transition(2, 0, "c", 0),
                              transition(-1, 1, "d", 0.2)};
  int states[TAKEN + 1] = {0}, taken[TAKEN];
  double stayed[TAKEN];
  give_machine(w, t, 4);
  update(w, 0);
  for (int i = 0; i < TAKEN; i++) {
    stayed[i] = 0.05 + 0.01 * i;
    update(w, stayed[i]);
    taken[i] = events[i][0] - 'a';
    states[i + 1] = t[taken[i]].to;
    assert_true(sinew_actor_send(w->stage, w->actor, events[i]));
    update(w, 0);
    sinew_machine_state now = machine(w);
    assert_int_equal(now.state, states[i + 1]);
    assert_int_equal(now.previous, states[i]);
    for (int k = 0; k < KEPT; k++) {
      int at = i - k;
      assert_int_equal(now.history[k], at >= 0 ? states[at] : -1);
      if (at >= 0) assert_int_equal(now.left_by[k], taken[at]);
      if (at >= 0) assert_near(now.stayed[k], stayed[at], 1e-9);
    }
  }
}

/* Three one-shots, each left 0.1 s before its end: 0.9, 1.9 and 0.4 s. The last stays. */
static void give_chain(world *w, sinew_transition_def t[3], double fade) {
  sinew_node_def nodes[] = {parent(SINEW_NODE_MACHINE, 1, 4), clip("one", ONE, 0), clip("slow", SLOW, 0),
                            clip("jump", JUMP, 0), clip("ten", TEN, 0)};
  for (int i = 0; i < 3; i++) {
    t[i] = transition(i, i + 1, NULL, fade);
    t[i].before_end = 0.1;
    nodes[i + 1].loop = SINEW_LOOP_ONCE;
  }
  nodes[0].transition_count = 3;
  give(w, nodes, 5, t, 3);
}

static void one_long_update_takes_the_transitions_of_many_short_ones(void **state) {
  static const double ends[] = {0.5, 1.2, 2.85, 3.0, 3.25, 5};
  static const double left[] = {0.9, 2.8, 3.2}; /* 1 − 0.1, and so on */
  world *w = *state;
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    double tips[2];
    for (int parts = 0; parts < 2; parts++) {
      sinew_transition_def t[3];
      int count = parts ? 400 : 1, in = (ends[i] > left[0]) + (ends[i] > left[1]) + (ends[i] > left[2]);
      sinew_actor_set_graph(w->stage, w->actor, 0, NULL, 0, NULL);
      give_chain(w, t, 0.15);
      for (int k = 0; k < count; k++) update(w, ends[i] / count);
      sinew_machine_state now = machine(w);
      assert_int_equal(now.state, in);
      assert_int_equal(now.transitions, in);
      assert_near(now.time, ends[i] - (in ? left[in - 1] : 0), 1e-6);
      for (int k = 0; k < in; k++)
        assert_near(now.stayed[k], left[in - 1 - k] - (in - 1 - k ? left[in - 2 - k] : 0), 1e-6);
      tips[parts] = tip(w);
    }
    assert_near(tips[0], tips[1], 1e-4);
  }
}

static void an_update_takes_no_more_than_eight_transitions(void **state) {
  world *w = *state;
  sinew_node_def nodes[] = {parent(SINEW_NODE_MACHINE, 1, 2), clip("a", JUMP, 0), clip("b", JUMP, 0)};
  sinew_transition_def t[] = {transition(0, 1, NULL, 0), transition(1, 0, NULL, 0)};
  t[0].before_end = t[1].before_end = 0;
  nodes[1].loop = nodes[2].loop = SINEW_LOOP_ONCE;
  nodes[0].transition_count = 2;
  give(w, nodes, 3, t, 2);
  update(w, 100);
  assert_int_equal(machine(w).transitions, SINEW_MACHINE_STEPS);
  update(w, 1.1); /* it has been at its end for long; then two of half a second each */
  assert_int_equal(machine(w).transitions, SINEW_MACHINE_STEPS + 3);
}

/* The offset of the whole pose dies in the longest of their times, whichever of them is decided first. */
static void inertial_transitions_of_one_update_take_the_longest_time(void **state) {
  world *w = *state;
  double tips[2][8];
  for (int order = 0; order < 2; order++) {
    sinew_node_def nodes[] = {parent(SINEW_NODE_BLEND, 1, 2),
                              parent(SINEW_NODE_MACHINE, 3, 2),
                              parent(SINEW_NODE_MACHINE, 5, 2),
                              clip("a", ZERO, 0),
                              clip("b", TEN, 0),
                              clip("c", ZERO, 0),
                              clip("d", TEN, 0)};
    sinew_transition_def t[] = {transition(0, 1, "go", order ? 0.1 : 0.8), transition(0, 1, "go", order ? 0.8 : 0.1)};
    t[0].kind = t[1].kind = SINEW_TRANSITION_INERTIAL;
    nodes[1].transition_count = nodes[2].transition_count = 1, nodes[2].first_transition = 1;
    nodes[1].x = nodes[2].x = 1;
    sinew_actor_set_graph(w->stage, w->actor, 0, NULL, 0, NULL);
    give(w, nodes, 7, t, 2);
    for (int i = 0; i < 3; i++) update(w, 0.01);
    assert_true(sinew_actor_send(w->stage, w->actor, "go"));
    for (int i = 0; i < 8; i++) update(w, 0.1), tips[order][i] = tip(w);
  }
  for (int i = 0; i < 8; i++) {
    double s = (i + 1) / 8.0, left = pow(1 - s, 3) * (1 + 3 * s + 6 * s * s); /* the quintic that starts at rest */
    assert_near(tips[0][i], 10 - 10 * left, 1e-4);
    assert_near(tips[1][i], tips[0][i], 1e-5);
  }
}

static void machines_nest(void **state) {
  world *w = *state;
  sinew_node_def nodes[] = {parent(SINEW_NODE_MACHINE, 1, 2), parent(SINEW_NODE_MACHINE, 3, 2), clip("ten", TEN, 0),
                            clip("zero", ZERO, 0), clip("one", ONE, 0)};
  sinew_transition_def t[] = {transition(0, 1, "out", 0), transition(1, 0, "in", 0), transition(0, 1, "next", 0)};
  nodes[0].transition_count = 2;
  nodes[1].first_transition = 2, nodes[1].transition_count = 1;
  give(w, nodes, 5, t, 3);
  sinew_machine_state inner;
  sinew_actor_send(w->stage, w->actor, "next");
  update(w, 0.1);
  assert_near(tip(w), 1, 1e-6);
  assert_true(sinew_actor_machine(w->stage, w->actor, 0, 1, &inner));
  assert_int_equal(inner.state, 1);
  sinew_actor_send(w->stage, w->actor, "out");
  update(w, 0.1);
  assert_near(tip(w), 10, 1e-6);
  assert_false(sinew_actor_machine(w->stage, w->actor, 0, 1, &inner));
  sinew_actor_send(w->stage, w->actor, "in");
  update(w, 0.1);
  assert_near(tip(w), 0, 1e-6); /* entered again, it starts where it starts */
}

/* ---- actions over graphs ---- */

static void an_action_covers_the_graph_and_uncovers_it(void **state) {
  world *w = *state;
  sinew_node_def nodes[] = {clip("one", ONE, 0)};
  give(w, nodes, 1, NULL, 0);
  sinew_play_def def = sinew_play_def_default();
  def.clip = TEN, def.fade = 0.2;
  sinew_action action = sinew_actor_play(w->stage, w->actor, &def, NULL);
  update(w, 0.1);
  assert_near(tip(w), 5.5, 1e-5);
  update(w, 0.2);
  assert_near(tip(w), 10, 1e-5);
  sinew_action_stop(w->stage, action, 0.2);
  update(w, 0.15);
  assert_near(tip(w), 1 + 9 * 0.25, 1e-4);
  update(w, 0.1);
  assert_near(tip(w), 1, 1e-5);
}

/* ---- a new definition ---- */

static void a_graph_given_anew_goes_on(void **state) {
  world *w = *state;
  sinew_node_def nodes[] = {parent(SINEW_NODE_MACHINE, 1, 2), clip("slow", SLOW, 0), clip("ten", TEN, 0)};
  sinew_node_def more[] = {parent(SINEW_NODE_MACHINE, 1, 3), clip("one", ONE, 0), clip("ten", TEN, 0),
                           clip("slow", SLOW, 0)};
  give(w, nodes, 3, NULL, 0);
  update(w, 0.7);
  give(w, more, 4, NULL, 0);
  update(w, 0.1);
  assert_int_equal(machine(w).state, 2);
  assert_near(tip(w), 0.8, 1e-5);
  assert_near(machine(w).time, 0.8, 1e-9);
}

/* Of two nodes that play the same clip, each continues the one at its own index. */
static void equal_nodes_continue_in_their_order(void **state) {
  world *w = *state;
  sinew_node_def nodes[] = {parent(SINEW_NODE_BLEND, 1, 3), clip(NULL, SLOW, 1), clip(NULL, SLOW, 1),
                            clip(NULL, SLOW, 1)};
  give(w, nodes, 4, NULL, 0);
  update(w, 0);
  for (int i = 1; i <= 3; i++) assert_true(sinew_actor_seek_node(w->stage, w->actor, 0, i, 0.4 * i));
  nodes[0].speed = 2;
  give(w, nodes, 4, NULL, 0);
  update(w, 0);
  for (int i = 1; i <= 3; i++) {
    sinew_playing playing;
    assert_true(sinew_actor_node_playing(w->stage, w->actor, 0, i, &playing));
    assert_near(playing.time, 0.4 * i, 1e-6);
  }
}

/* A switch shows what its parameter selects, also if another child could continue what played. */
static void a_new_switch_shows_what_its_parameter_selects(void **state) {
  world *w = *state;
  sinew_node_def before[] = {parent(SINEW_NODE_SWITCH, 1, 2), clip(NULL, SLOW, 0), clip(NULL, TEN, 0)};
  sinew_node_def alone[] = {clip(NULL, SLOW, 0)};
  sinew_node_def after[] = {parent(SINEW_NODE_SWITCH, 1, 2), clip(NULL, ONE, 0), clip(NULL, SLOW, 0)};
  before[0].fade = after[0].fade = 0.5;
  for (int wrapped = 0; wrapped < 2; wrapped++) {
    sinew_actor_set_graph(w->stage, w->actor, 0, NULL, 0, NULL);
    if (wrapped) give(w, alone, 1, NULL, 0);
    else give(w, before, 3, NULL, 0);
    update(w, 0.7);
    give(w, after, 3, NULL, 0);
    assert_int_equal(machine(w).state, 0);
    update(w, 0.1);
    assert_int_equal(machine(w).transitions, 0);
    assert_near(tip(w), 1, 1e-5);
  }
}

static void what_a_new_graph_lacks_leaves_by_inertia(void **state) {
  world *w = *state;
  sinew_node_def before[] = {clip("ten", TEN, 0)}, after[] = {clip("one", ONE, 0)};
  sinew_graph_def def = {after, 1, NULL, 0};
  give(w, before, 1, NULL, 0);
  for (int i = 0; i < 3; i++) update(w, 0.01);
  assert_true(sinew_actor_set_graph(w->stage, w->actor, 0, &def, 0.3, NULL));
  double last = tip(w);
  for (int i = 0; i < 40; i++) {
    update(w, 0.01);
    assert_true(fabs(tip(w) - last) < 0.7);
    last = tip(w);
  }
  assert_near(last, 1, 1e-4);
}

static void a_warm_graph_allocates_nothing(void **state) {
  world *w = *state;
  sinew_transition_def t[] = {transition(0, 1, "go", 0.3), transition(1, 0, "back", 0.1)};
  t[0].kind = SINEW_TRANSITION_INERTIAL;
  give_machine(w, t, 2);
  sinew_actor_send(w->stage, w->actor, "go");
  update(w, 0.1);
  uint64_t before = mem_request_count();
  for (int i = 0; i < 100; i++) {
    sinew_actor_send(w->stage, w->actor, i % 2 ? "go" : "back");
    update(w, 0.03);
  }
  assert_int_equal(mem_request_count(), before);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_WORLD(an_event_takes_a_transition_with_a_crossfade),
      WITH_WORLD(an_event_is_forgotten_after_the_update),
      WITH_WORLD(easing_shapes_a_fade),
      WITH_WORLD(any_state_leads_where_an_event_says),
      WITH_WORLD(a_one_shot_leaves_before_its_end_at_the_same_moment_whatever_dt),
      WITH_WORLD(what_has_ended_is_left_when_a_condition_says_so),
      WITH_WORLD(a_condition_is_asked),
      WITH_WORLD(a_transition_under_way_may_turn_back_without_a_jump),
      WITH_WORLD(more_fades_than_fit_do_not_jump),
      WITH_WORLD(a_locked_transition_is_not_interrupted),
      WITH_WORLD(a_frozen_transition_leaves_a_standing_picture),
      WITH_WORLD(keeping_phase_begins_at_the_same_share),
      WITH_WORLD(an_inertial_transition_moves_on_without_a_jump_in_place_or_speed),
      WITH_WORLD(a_switch_follows_its_parameter),
      WITH_WORLD(a_switch_rounds_its_parameter),
      WITH_WORLD(a_machine_remembers_its_states_in_order),
      WITH_WORLD(one_long_update_takes_the_transitions_of_many_short_ones),
      WITH_WORLD(an_update_takes_no_more_than_eight_transitions),
      WITH_WORLD(inertial_transitions_of_one_update_take_the_longest_time),
      WITH_WORLD(machines_nest),
      WITH_WORLD(an_action_covers_the_graph_and_uncovers_it),
      WITH_WORLD(a_graph_given_anew_goes_on),
      WITH_WORLD(equal_nodes_continue_in_their_order),
      WITH_WORLD(a_new_switch_shows_what_its_parameter_selects),
      WITH_WORLD(what_a_new_graph_lacks_leaves_by_inertia),
      WITH_WORLD(a_warm_graph_allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
