/* What continues when a graph is given anew: states, their history, clips that fade, and parameters that are followed.
 */
#include "actor/graph_fixture.h"

#include <sinew/playing.h>

static sinew_transition_def transition(int from, int to, const char *event, double fade) {
  sinew_transition_def t = sinew_transition_def_default();
  t.from = from, t.to = to, t.event = event, t.fade = fade;
  return t;
}

static double time_of(const world *w, int node) {
  sinew_playing playing;
  assert_true(sinew_actor_node_playing(w->stage, w->actor, 0, node, &playing));
  return playing.time;
}

static void send(world *w, const char *event, double seconds) {
  assert_true(sinew_actor_send(w->stage, w->actor, event));
  update(w, seconds);
}

/* Each state that is left keeps its own time and transition, also if one between them is gone. */
static void the_history_forgets_only_states_that_are_gone(void **state) {
  world *w = *state;
  sinew_node_def nodes[] = {parent(SINEW_NODE_MACHINE, 1, 4), clip("zero", ZERO, 0), clip("one", ONE, 0),
                            clip("ten", TEN, 0), clip("jump", JUMP, 0)};
  sinew_transition_def t[] = {transition(0, 1, "a", 0), transition(1, 2, "b", 0), transition(2, 3, "c", 0)};
  nodes[0].transition_count = 3;
  give(w, nodes, 5, t, 3);
  update(w, 0.1);
  send(w, "a", 0), update(w, 0.2);
  send(w, "b", 0), update(w, 0.3);
  send(w, "c", 0), update(w, 0.4);
  sinew_node_def fewer[] = {parent(SINEW_NODE_MACHINE, 1, 3), clip("jump", JUMP, 0), clip("zero", ZERO, 0),
                            clip("ten", TEN, 0)};
  sinew_transition_def kept[] = {transition(1, 2, "x", 0), transition(2, 0, "c", 0)};
  fewer[0].transition_count = 2;
  give(w, fewer, 4, kept, 2);
  sinew_machine_state m = machine(w);
  assert_int_equal(m.state, 0);
  assert_near(m.time, 0.4, 1e-9);
  assert_int_equal(m.history[0], 2);
  assert_near(m.stayed[0], 0.3, 1e-9);
  assert_int_equal(m.left_by[0], 1);
  assert_int_equal(m.history[1], 1);
  assert_near(m.stayed[1], 0.1, 1e-9);
  assert_int_equal(m.left_by[1], -1);
  assert_int_equal(m.history[2], -1);
}

/* Of transitions between the same states for the same event, it is the one at the same position among them. */
static void equal_transitions_keep_their_order(void **state) {
  world *w = *state;
  sinew_node_def nodes[] = {parent(SINEW_NODE_MACHINE, 1, 2), clip("zero", ZERO, 0), clip("one", ONE, 0)};
  sinew_transition_def t[] = {transition(0, 1, "go", 0), transition(0, 1, "go", 0), transition(0, 1, "go", 0)};
  sinew_transition_def more[] = {transition(1, 0, "back", 0), t[0], t[1], t[2]};
  t[0].when = more[1].when = "speed > 5", t[1].when = more[2].when = "speed > 2";
  static const double speeds[] = {6, 3, 1};
  for (int i = 0; i < 3; i++) {
    sinew_actor_set_graph(w->stage, w->actor, 0, NULL, 0, NULL);
    nodes[0].transition_count = 3;
    give(w, nodes, 3, t, 3);
    set(w, SPEED, speeds[i]);
    update(w, 0.1);
    send(w, "go", 0.1);
    assert_int_equal(machine(w).left_by[0], i);
    nodes[0].transition_count = 4;
    give(w, nodes, 3, more, 4);
    assert_int_equal(machine(w).left_by[0], i + 1);
  }
}

/* A node without a counterpart continues no node that another one's key claims. */
static void a_key_keeps_its_node(void **state) {
  world *w = *state;
  sinew_node_def before[] = {parent(SINEW_NODE_BLEND, 1, 3), clip("x", SLOW, 1), clip("a", SLOW, 1),
                             clip("b", SLOW, 1)};
  sinew_node_def after[] = {parent(SINEW_NODE_BLEND, 1, 3), clip("x", SLOW, 1), clip("b", SLOW, 1), clip("c", SLOW, 1)};
  static const double wanted[] = {0.5, 1.5, 1};
  give(w, before, 4, NULL, 0);
  update(w, 0);
  for (int i = 1; i <= 3; i++) assert_true(sinew_actor_seek_node(w->stage, w->actor, 0, i, 0.5 * i));
  give(w, after, 4, NULL, 0);
  update(w, 0);
  for (int i = 0; i < 3; i++) assert_near(time_of(w, i + 1), wanted[i], 1e-6);
}

/* A blend that now stands inside another continues as a whole, also beside a node that could continue a part of it. */
static void a_blend_that_was_wrapped_goes_on_as_a_whole(void **state) {
  world *w = *state;
  sinew_node_def before[] = {parent(SINEW_NODE_BLEND, 1, 2), clip(NULL, SLOW, 1), clip(NULL, SLOW, 1)};
  sinew_node_def after[] = {parent(SINEW_NODE_BLEND, 1, 2), clip(NULL, SLOW, 1), parent(SINEW_NODE_BLEND, 3, 2),
                            clip(NULL, SLOW, 1), clip(NULL, SLOW, 1)};
  after[2].x = 1;
  give(w, before, 3, NULL, 0);
  update(w, 0);
  for (int i = 1; i <= 2; i++) assert_true(sinew_actor_seek_node(w->stage, w->actor, 0, i, 0.5 * i));
  give(w, after, 5, NULL, 0);
  update(w, 0);
  assert_near(time_of(w, 3), 0.5, 1e-6);
  assert_near(time_of(w, 4), 1, 1e-6);
}

/* Of three clips that one new node could continue, only one counts: the blend that continues two goes on instead. */
static void rivals_for_a_node_count_once(void **state) {
  world *w = *state;
  sinew_node_def before[] = {parent(SINEW_NODE_BLEND, 1, 3), clip("a", SLOW, 1), clip("b", SLOW, 1),
                             clip(NULL, SLOW, 2)};
  sinew_node_def after[] = {parent(SINEW_NODE_BLEND, 1, 2), clip(NULL, SLOW, 1), parent(SINEW_NODE_BLEND, 3, 2),
                            clip("a", SLOW, 1), clip("b", SLOW, 1)};
  after[2].x = 1;
  give(w, before, 4, NULL, 0);
  update(w, 0);
  for (int i = 1; i <= 3; i++) assert_true(sinew_actor_seek_node(w->stage, w->actor, 0, i, 0.5 * i));
  give(w, after, 5, NULL, 0);
  update(w, 0);
  assert_near(time_of(w, 3), 0.5, 1e-6);
  assert_near(time_of(w, 4), 1, 1e-6);
}

/* Without a node to continue, a clip continues the instance that has come, not the one that goes. */
static void a_clip_continues_what_has_come(void **state) {
  world *w = *state;
  sinew_node_def nodes[] = {parent(SINEW_NODE_MACHINE, 1, 2), clip("a", SLOW, 0), clip("b", SLOW, 0)};
  sinew_node_def alone[] = {clip(NULL, SLOW, 0)};
  sinew_transition_def t = transition(0, 1, "go", 1);
  nodes[0].transition_count = 1;
  give(w, nodes, 3, &t, 1);
  update(w, 1);
  send(w, "go", 0.1);
  assert_near(time_of(w, 1), 1.1, 1e-6);
  assert_near(time_of(w, 2), 0.1, 1e-6);
  give(w, alone, 1, NULL, 0);
  update(w, 0);
  assert_near(time_of(w, 0), 0.1, 1e-6);
}

/* If a state that fades out is gone from the new graph, the pose moves on from where it was. */
static void a_fading_state_that_is_gone_leaves_no_jump(void **state) {
  world *w = *state;
  sinew_node_def nodes[] = {parent(SINEW_NODE_MACHINE, 1, 2), clip("one", ONE, 0), clip("ten", TEN, 0)};
  sinew_node_def other[] = {parent(SINEW_NODE_MACHINE, 1, 2), clip("zero", ZERO, 0), clip("ten", TEN, 0)};
  sinew_transition_def t = transition(0, 1, "go", 1);
  sinew_graph_def def = {other, 3, &t, 1};
  nodes[0].transition_count = other[0].transition_count = 1;
  give(w, nodes, 3, &t, 1);
  update(w, 0.1);
  send(w, "go", 0.25);
  for (int i = 0; i < 25; i++) update(w, 0.01);
  double last = tip(w);
  assert_near(last, 5.5, 0.01);
  assert_true(sinew_actor_set_graph(w->stage, w->actor, 0, &def, 0.5, NULL));
  for (int i = 0; i < 60; i++) {
    update(w, 0.01);
    assert_true(fabs(tip(w) - last) < 0.3);
    last = tip(w);
  }
  assert_near(last, 10, 1e-4);
}

/* Both coordinates of a plane go on from where they were on their way to their parameters. */
static void followed_parameters_go_on(void **state) {
  world *w = *state;
  sinew_node_def nodes[] = {parent(SINEW_NODE_SPACE_2D, 1, 3), clip("a", ZERO, 0), clip("b", ONE, 1),
                            clip("c", TEN, 0)};
  nodes[0].smooth = 1, nodes[3].y = 1;
  give(w, nodes, 4, NULL, 0);
  update(w, 0);
  set(w, SPEED, 0.5), set(w, TURN, 0.4);
  update(w, 0.5);
  double before = tip(w), part = 1 - exp(-0.5);
  assert_near(before, part * (0.5 * 1 + 0.4 * 10), 1e-4);
  nodes[0].speed = 2;
  give(w, nodes, 4, NULL, 0);
  update(w, 0);
  assert_near(tip(w), before, 1e-5);
}

int main(void) {
  const struct CMUnitTest tests[] = {WITH_WORLD(the_history_forgets_only_states_that_are_gone),
                                     WITH_WORLD(equal_transitions_keep_their_order),
                                     WITH_WORLD(a_key_keeps_its_node),
                                     WITH_WORLD(a_blend_that_was_wrapped_goes_on_as_a_whole),
                                     WITH_WORLD(rivals_for_a_node_count_once),
                                     WITH_WORLD(a_clip_continues_what_has_come),
                                     WITH_WORLD(a_fading_state_that_is_gone_leaves_no_jump),
                                     WITH_WORLD(followed_parameters_go_on)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
