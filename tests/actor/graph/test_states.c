/* States that a machine leaves and enters, as events: which, in which order, and once at any frame rate. */
#include "actor/graph_fixture.h"

#include <stdio.h>
#include <string.h>

static sinew_transition_def transition(int from, int to, const char *event) {
  sinew_transition_def t = sinew_transition_def_default();
  t.from = from, t.to = to, t.event = event, t.fade = 0.1;
  return t;
}

/* Appends what the last update told of states and markers: "exit one>jump " and so on. */
static void hear(const world *w, char *heard, size_t size) {
  int count;
  const sinew_event *events = sinew_stage_events(w->stage, &count, NULL);
  for (int i = 0; i < count; i++) {
    const sinew_event *e = events + i;
    size_t used = strlen(heard);
    if (e->clip < 0)
      snprintf(heard + used, size - used, "%s %s>%s ", e->name, e->from_key ? e->from_key : "",
               e->to_key ? e->to_key : "");
    else if (e->kind == SINEW_EVENT_MARKER || e->kind == SINEW_EVENT_FINISH)
      snprintf(heard + used, size - used, "%s ", e->name);
  }
}

static void update_and_hear(world *w, double dt, char *heard, size_t size) {
  update(w, dt);
  hear(w, heard, size);
}

static void give_jump(world *w) {
  sinew_node_def nodes[] = {parent(SINEW_NODE_MACHINE, 1, 2), clip("one", ONE, 0), clip("jump", JUMP, 0)};
  sinew_transition_def t[] = {transition(0, 1, "jump"), transition(1, 0, NULL)};
  t[0].fade = 0; /* or the marker at the beginning would weigh nothing */
  t[1].before_end = 0;
  nodes[0].transition_count = 2;
  nodes[2].loop = SINEW_LOOP_ONCE;
  give(w, nodes, 3, t, 2);
}

/* Events at the end of a state come before its exit, and events at the beginning come after the entry. */
static void a_jump_is_told_alike_at_any_rate(void **state) {
  static const int rates[] = {30, 60, 144, 3};
  world *w = *state;
  const sinew_marker off[] = {{.time = 0, .name = "off"}, {.time = 0.5, .name = "down"}};
  assert_true(sinew_stage_set_markers(w->stage, w->model, JUMP, off, 2, NULL));
  for (int r = 0; r < 4; r++) {
    char heard[400] = "";
    assert_true(sinew_actor_set_graph(w->stage, w->actor, 0, NULL, 0, NULL));
    give_jump(w);
    update_and_hear(w, 1.0 / rates[r], heard, sizeof heard);
    sinew_actor_send(w->stage, w->actor, "jump");
    for (int i = 0; i < rates[r]; i++) update_and_hear(w, 1.0 / rates[r], heard, sizeof heard);
    assert_string_equal(heard, "enter >one exit one>jump enter one>jump off down finish exit jump>one enter jump>one ");
  }
}

static void an_exit_tells_how_long_the_state_lasted(void **state) {
  static const int rates[] = {30, 60, 144};
  world *w = *state;
  for (int r = 0; r < 3; r++) {
    int count, exits = 0;
    assert_true(sinew_actor_set_graph(w->stage, w->actor, 0, NULL, 0, NULL));
    give_jump(w);
    sinew_actor_send(w->stage, w->actor, "jump");
    for (int i = 0; i < rates[r]; i++) {
      update(w, 1.0 / rates[r]);
      const sinew_event *events = sinew_stage_events(w->stage, &count, NULL);
      for (int k = 0; k < count; k++) {
        if (events[k].kind != SINEW_EVENT_EXIT || events[k].from != 1) continue;
        assert_near(events[k].time, 0.5, 1.0 / rates[r] + 1e-9);
        assert_int_equal(events[k].to, 0);
        assert_int_equal(events[k].node, 0);
        assert_near(events[k].weight, 1, 1e-6);
        exits++;
      }
    }
    assert_int_equal(exits, 1);
  }
}

static void give_nested(world *w) {
  sinew_node_def nodes[] = {parent(SINEW_NODE_MACHINE, 1, 2), parent(SINEW_NODE_MACHINE, 3, 2), clip("ten", TEN, 0),
                            clip("low", ZERO, 0), clip("high", ONE, 0)};
  sinew_transition_def t[] = {transition(0, 1, "out"), transition(1, 0, "in"), transition(0, 1, "next")};
  nodes[0].transition_count = 2;
  nodes[1].key = "ground";
  nodes[1].first_transition = 2, nodes[1].transition_count = 1;
  give(w, nodes, 5, t, 3);
}

static void machines_inside_leave_first_and_enter_after(void **state) {
  world *w = *state;
  char heard[400] = "";
  give_nested(w);
  update_and_hear(w, 0.1, heard, sizeof heard);
  assert_string_equal(heard, "enter >ground enter >low ");
  heard[0] = 0;
  sinew_actor_send(w->stage, w->actor, "out");
  update_and_hear(w, 0.1, heard, sizeof heard);
  assert_string_equal(heard, "exit low> exit ground>ten enter ground>ten ");
  heard[0] = 0;
  sinew_actor_send(w->stage, w->actor, "in");
  sinew_actor_send(w->stage, w->actor, "next");
  update_and_hear(w, 0.1, heard, sizeof heard); /* into the inner machine, and on in it, in one update */
  assert_string_equal(heard, "exit ten>ground enter ten>ground enter >low exit low>high enter low>high ");
}

static void a_state_that_restarts_is_left_and_entered(void **state) {
  world *w = *state;
  char heard[200] = "";
  sinew_node_def nodes[] = {parent(SINEW_NODE_MACHINE, 1, 1), clip("hit", ONE, 0)};
  sinew_transition_def t = transition(-1, 0, "hit");
  t.restart = true;
  nodes[0].transition_count = 1;
  give(w, nodes, 2, &t, 1);
  update(w, 0.1);
  sinew_actor_send(w->stage, w->actor, "hit");
  update_and_hear(w, 0.1, heard, sizeof heard);
  assert_string_equal(heard, "exit hit>hit enter hit>hit ");
}

/* The keys outlive the graph that had them, until the next update; a new graph of the same states enters nothing. */
static void keys_outlive_their_graph(void **state) {
  world *w = *state;
  char heard[200] = "";
  give_jump(w);
  update(w, 0.1);
  assert_true(sinew_actor_set_graph(w->stage, w->actor, 0, NULL, 0, NULL));
  hear(w, heard, sizeof heard);
  assert_string_equal(heard, "enter >one ");
  give_jump(w);
  update(w, 0.1);
  heard[0] = 0;
  give_jump(w);
  update_and_hear(w, 0.1, heard, sizeof heard);
  assert_true(sinew_actor_hold_graph(w->stage, w->actor, 0, 0));
  update_and_hear(w, 0.1, heard, sizeof heard);
  give_jump(w);
  update_and_hear(w, 0.1, heard, sizeof heard);
  assert_string_equal(heard, "");
}

/* A switch has children and no states; what its machines do is told. */
static void a_switch_tells_of_the_machines_below_it(void **state) {
  world *w = *state;
  char heard[200] = "";
  sinew_node_def nodes[] = {parent(SINEW_NODE_SWITCH, 1, 2), parent(SINEW_NODE_MACHINE, 3, 1), clip("ten", TEN, 0),
                            clip("low", ZERO, 0)};
  give(w, nodes, 4, NULL, 0);
  update(w, 0.1);
  set(w, SPEED, 1);
  update_and_hear(w, 0.1, heard, sizeof heard);
  set(w, SPEED, 0);
  update_and_hear(w, 0.1, heard, sizeof heard);
  assert_string_equal(heard, "exit low> enter >low ");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_WORLD(a_jump_is_told_alike_at_any_rate),
      WITH_WORLD(an_exit_tells_how_long_the_state_lasted),
      WITH_WORLD(machines_inside_leave_first_and_enter_after),
      WITH_WORLD(a_state_that_restarts_is_left_and_entered),
      WITH_WORLD(keys_outlive_their_graph),
      WITH_WORLD(a_switch_tells_of_the_machines_below_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
