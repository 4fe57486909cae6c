/* Graphs: parameters, blend spaces, switches, machines, sync, and going on under a new definition. */
#include "support/fixture.h"

#include "base/memory.h"

#include <sinew/event.h>
#include <sinew/graph.h>

/* One joint that moves along x. Clip i goes from begin[i] to end[i] in duration[i] seconds:
 * 0 "zero" stands at 0, 1 "one" at 1, 2 "ten" at 10, 3 "slow" 0 → 2 in 2 s, 4 "fast" 0 → 1 in 1 s, 5 "jump" 5 → 6 in
 * 0.5 s. */
enum { ZERO, ONE, TEN, SLOW, FAST, JUMP, CLIPS };
static const char *const clip_names[CLIPS] = {"zero", "one", "ten", "slow", "fast", "jump"};
static const float clip_begin[CLIPS] = {0, 1, 10, 0, 0, 5}, clip_end[CLIPS] = {0, 1, 10, 2, 1, 6};
static const float clip_duration[CLIPS] = {1, 1, 1, 2, 1, 0.5f};

static sinew_model *make_model(void) {
  joint_desc joint = {.name = "tip", .parent = -1, .rest = sinew_transform_identity()};
  float times[CLIPS][2] = {{0}}, rows[CLIPS][6] = {{0}};
  static bool carried = true;
  sinew_transform base = sinew_transform_identity();
  clip_track track = {TRACK_TRANSLATION, 0, 0, false, 0, true};
  clip_table_desc tables[CLIPS];
  clip_desc clips[CLIPS];
  for (int i = 0; i < CLIPS; i++) {
    times[i][1] = clip_duration[i], rows[i][0] = clip_begin[i], rows[i][3] = clip_end[i];
    tables[i] = (clip_table_desc){times[i], 2, rows[i], 3, &track, 1};
    clips[i] = (clip_desc){.name = clip_names[i],
                           .duration = (double)clip_duration[i],
                           .tables = tables + i,
                           .table_count = 1,
                           .carried = &carried,
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

typedef struct world {
  sinew_model *model;
  sinew_stage *stage;
  sinew_actor actor;
} world;

static int set_up(void **state) {
  static world w;
  const char *names[] = {"speed", "turn"};
  w.model = make_model();
  w.stage = sinew_stage_create(NULL);
  w.actor = sinew_actor_create(w.stage, "hero", w.model, NULL);
  *state = &w;
  return sinew_actor_set_params(w.stage, w.actor, names, NULL, PARAMS, NULL) ? 0 : -1;
}

static int tear_down(void **state) {
  world *w = *state;
  sinew_stage_destroy(w->stage);
  sinew_model_release(w->model);
  return 0;
}

static double tip(const world *w) { return (double)sinew_actor_joints(w->stage, w->actor)[1].m[3]; }

static void update(world *w, double dt) { sinew_stage_update(w->stage, dt); }

static void set(world *w, int param, double value) {
  assert_true(sinew_actor_set_param(w->stage, w->actor, param, value));
}

static sinew_node_def clip(const char *key, int index, double x) {
  sinew_node_def n = sinew_node_def_default();
  n.key = key, n.clip = index, n.x = x;
  return n;
}

static sinew_node_def parent(sinew_node_kind kind, int first, int count) {
  sinew_node_def n = sinew_node_def_default();
  n.kind = kind, n.first_child = first, n.child_count = count;
  if (kind == SINEW_NODE_SPACE_1D || kind == SINEW_NODE_SPACE_2D || kind == SINEW_NODE_SWITCH) n.param_x = SPEED;
  if (kind == SINEW_NODE_SPACE_2D) n.param_y = TURN;
  return n;
}

static void give(world *w, const sinew_node_def *nodes, int node_count, const sinew_transition_def *transitions,
                 int transition_count) {
  sinew_error error = {""};
  sinew_graph_def def = {nodes, node_count, transitions, transition_count};
  if (!sinew_actor_set_graph(w->stage, w->actor, 0, &def, 0, &error)) fail_msg("%s", error.message);
}

static const char *refuse(world *w, const sinew_node_def *nodes, int node_count) {
  static sinew_error error;
  sinew_graph_def def = {nodes, node_count, NULL, 0};
  assert_false(sinew_actor_set_graph(w->stage, w->actor, 0, &def, 0, &error));
  return error.message;
}

static sinew_machine_state machine(const world *w) {
  sinew_machine_state m;
  assert_true(sinew_actor_machine(w->stage, w->actor, 0, 0, &m));
  return m;
}

/* ---- parameters ---- */

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
    /* Both clips are heard: each foot of the one with the same foot of the other. */
    assert_int_equal(events_named(w, "left") % 2, 0);
    assert_true(abs(left - right) <= 2);
  }
  assert_true(left > 40);
}

static void actions_and_graphs_share_a_named_phase(void **state) {
  world *w = *state;
  sinew_node_def nodes[] = {parent(SINEW_NODE_SPACE_1D, 1, 1), clip("slow", SLOW, 0)};
  nodes[0].sync = true, nodes[0].sync_group = "legs";
  give(w, nodes, 2, NULL, 0);
  for (int i = 0; i < 7; i++) update(w, 0.1);
  sinew_play_def def = sinew_play_def_default();
  def.clip = FAST, def.fade = 0, def.sync_group = "legs";
  assert_int_not_equal(sinew_actor_play(w->stage, w->actor, &def, NULL).id, 0);
  update(w, 0);
  assert_near(tip(w), 0.35, 1e-5); /* 0.7 of 2 s is 0.35 of 1 s */
}

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
  world *w = *state;
  sinew_transition_def t = transition(0, 1, "go", 1);
  t.ease = SINEW_EASE_IN;
  give_machine(w, &t, 1);
  sinew_actor_send(w->stage, w->actor, "go");
  update(w, 0.5);
  assert_near(tip(w), 1 + 9 * 0.25, 1e-5);
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

static bool is_fast(void *user, sinew_actor actor, int condition) {
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
  double place[3] = {0}, fastest = 0;
  for (int i = 0; i < 1500; i++) {
    if (i == 400 || i == 900) sinew_actor_send(w->stage, w->actor, "go");
    if (i == 550) sinew_actor_send(w->stage, w->actor, "back"); /* in the middle of the first */
    update(w, dt);
    place[2] = place[1], place[1] = place[0], place[0] = tip(w);
    if (i < 2) continue;
    double acceleration = (place[0] - 2 * place[1] + place[2]) / (dt * dt);
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
  assert_near(tip(w), 0, 1e-6); /* entered anew, it starts where it starts */
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

/* ---- misuse ---- */

static void a_graph_that_cannot_be_is_refused_with_the_reason(void **state) {
  world *w = *state;
  sinew_node_def lonely[] = {parent(SINEW_NODE_SPACE_1D, 1, 0)};
  assert_non_null(strstr(refuse(w, lonely, 1), "has no children"));
  sinew_node_def foreign[] = {clip("x", 99, 0)};
  assert_non_null(strstr(refuse(w, foreign, 1), "'x' cannot be: there is no such clip"));
  sinew_node_def twins[] = {parent(SINEW_NODE_BLEND, 1, 2), clip("x", 0, 1), clip("x", 1, 1)};
  assert_non_null(strstr(refuse(w, twins, 3), "one name"));
  sinew_node_def circle[] = {parent(SINEW_NODE_BLEND, 0, 1)};
  assert_non_null(strstr(refuse(w, circle, 1), "do not come after it"));
  sinew_node_def shared[] = {parent(SINEW_NODE_BLEND, 1, 2), parent(SINEW_NODE_BLEND, 2, 1), clip("x", 0, 1)};
  assert_non_null(strstr(refuse(w, shared, 3), "another's"));
  sinew_node_def steered[] = {parent(SINEW_NODE_SPACE_1D, 1, 1), clip("x", 0, 1)};
  steered[0].param_x = 5;
  assert_non_null(strstr(refuse(w, steered, 2), "no such parameter"));
  sinew_node_def nowhere[] = {parent(SINEW_NODE_BLEND, 1, 1), clip("x", 0, (double)INFINITY)};
  assert_non_null(strstr(refuse(w, nowhere, 2), "not a finite number"));
  sinew_node_def nothing[1];
  assert_non_null(strstr(refuse(w, nothing, 0), "between 1 and"));
  assert_false(sinew_actor_has_graph(w->stage, w->actor, 0));
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

static void parameters_that_a_graph_needs_stay(void **state) {
  world *w = *state;
  sinew_node_def nodes[] = {parent(SINEW_NODE_SPACE_2D, 1, 1), clip("a", ONE, 0)};
  give(w, nodes, 2, NULL, 0);
  const char *one[] = {"speed"};
  assert_false(sinew_actor_set_params(w->stage, w->actor, one, NULL, 1, NULL));
  assert_int_equal(sinew_actor_param_count(w->stage, w->actor), 2);
}

#define RULE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      RULE(parameters_keep_their_values_when_declared_anew),
      RULE(a_space_blends_the_neighbours_of_its_parameter),
      RULE(a_plane_blends_the_corners_of_its_triangle),
      RULE(a_blend_shares_by_weights_and_parameters),
      RULE(spaces_nest_and_their_weights_multiply),
      RULE(a_followed_parameter_comes_as_near_in_two_half_steps_as_in_one),
      RULE(clips_in_sync_keep_one_phase_at_their_mean_duration),
      RULE(markers_meet_while_clips_are_in_sync),
      RULE(no_step_is_swallowed_by_sync),
      RULE(actions_and_graphs_share_a_named_phase),
      RULE(an_event_takes_a_transition_with_a_crossfade),
      RULE(an_event_is_forgotten_after_the_update),
      RULE(easing_shapes_a_fade),
      RULE(a_one_shot_leaves_before_its_end_at_the_same_moment_whatever_dt),
      RULE(a_condition_is_asked),
      RULE(a_transition_under_way_may_turn_back_without_a_jump),
      RULE(more_fades_than_fit_do_not_jump),
      RULE(a_locked_transition_is_not_interrupted),
      RULE(a_frozen_transition_leaves_a_standing_picture),
      RULE(keeping_phase_begins_at_the_same_share),
      RULE(an_inertial_transition_moves_on_without_a_jump_in_place_or_speed),
      RULE(a_switch_follows_its_parameter),
      RULE(machines_nest),
      RULE(an_action_covers_the_graph_and_uncovers_it),
      RULE(a_graph_given_anew_goes_on),
      RULE(what_a_new_graph_lacks_leaves_by_inertia),
      RULE(a_graph_that_cannot_be_is_refused_with_the_reason),
      RULE(a_warm_graph_allocates_nothing),
      RULE(parameters_that_a_graph_needs_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
