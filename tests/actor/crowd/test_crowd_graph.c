/* Graphs that each character of a crowd runs by itself: against actors with the same graph and the same parameters. */
#include "actor/cast.h"
#include "support/failing_heap.h"

#include <sinew/crowd.h>

enum { COUNT = 12, JOINTS = 37 };
static const char *const names[] = {"speed", "jump"};

static sinew_model *model;

static int set_up(void **state) {
  (void)state;
  random_seed(7);
  model = cast_model(JOINTS);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  sinew_model_release(model);
  return 0;
}

/* A machine: "stand" plays a clip, "go" a space of two, "jump" a clip once, and leads back by itself. */
typedef struct machine {
  sinew_node_def nodes[6];
  sinew_transition_def transitions[4];
  sinew_graph_def def;
} machine;

static sinew_node_def clip_node(const char *key, int clip) {
  sinew_node_def n = sinew_node_def_default();
  n.key = key;
  n.clip = clip;
  return n;
}

static sinew_transition_def transition(int from, int to, const char *when, double fade) {
  sinew_transition_def t = sinew_transition_def_default();
  t.from = from, t.to = to, t.when = when, t.fade = fade;
  return t;
}

static void make_machine(machine *m, sinew_transition_kind kind) {
  m->nodes[0] = sinew_node_def_default();
  m->nodes[0].kind = SINEW_NODE_MACHINE;
  m->nodes[0].first_child = 1, m->nodes[0].child_count = 3, m->nodes[0].transition_count = 4;
  m->nodes[1] = clip_node("stand", 0);
  m->nodes[2] = sinew_node_def_default();
  m->nodes[2].key = "go";
  m->nodes[2].kind = SINEW_NODE_SPACE_1D;
  m->nodes[2].first_child = 4, m->nodes[2].child_count = 2, m->nodes[2].param_x = 0;
  m->nodes[3] = clip_node("jump", 3);
  m->nodes[3].loop = SINEW_LOOP_ONCE;
  m->nodes[4] = clip_node(NULL, 1);
  m->nodes[5] = clip_node(NULL, 2);
  m->nodes[5].x = 3;
  m->transitions[0] = transition(0, 1, "speed > 0.5", 0.3);
  m->transitions[1] = transition(1, 0, "speed <= 0.5", 0.2);
  m->transitions[2] = transition(-1, 2, "jump > 0 and state_time > 0.1", 0.15);
  m->transitions[3] = transition(2, 0, NULL, 0.1);
  m->transitions[3].before_end = 0.1;
  for (int i = 0; i < 4; i++) m->transitions[i].kind = kind;
  m->def = (sinew_graph_def){m->nodes, 6, m->transitions, 4};
}

static sinew_crowd_def crowd_of(const machine *m) {
  sinew_crowd_def def = sinew_crowd_def_default();
  def.model = model;
  def.count = COUNT;
  def.graph = &m->def;
  def.param_names = names;
  def.param_count = 2;
  return def;
}

typedef struct world {
  sinew_stage *stage;
  sinew_crowd crowd;
  sinew_crowd_characters all;
  sinew_actor actors[COUNT];
} world;

static world make_world(const machine *m, int threads, bool actors) {
  world w = {.stage = sinew_stage_create(NULL)};
  sinew_crowd_def def = crowd_of(m);
  sinew_error error;
  assert_true(sinew_stage_set_threads(w.stage, threads));
  w.crowd = sinew_crowd_create(w.stage, &def, &error);
  if (!w.crowd.id) fail_msg("%s", error.message);
  w.all = sinew_crowd_view(w.stage, w.crowd);
  for (int i = 0; i < COUNT && actors; i++) {
    w.actors[i] = sinew_actor_create(w.stage, "a", model, NULL);
    assert_true(sinew_actor_set_params(w.stage, w.actors[i], names, NULL, 2, NULL));
    assert_true(sinew_actor_set_graph(w.stage, w.actors[i], 0, &m->def, 0, NULL));
  }
  return w;
}

/* Another choice every third of a second, the same for an actor and its character. */
static void set_params(const world *w, double seconds) {
  for (int i = 0; i < COUNT; i++) {
    uint32_t roll = (uint32_t)((int)(3 * seconds) * 31 + i * 17) * 2654435761u;
    float speed = (float)(roll >> 8 & 3), jump = (roll >> 16 & 7) == 0;
    w->all.params[i] = speed;
    w->all.params[COUNT + i] = jump;
    if (!w->actors[i].id) continue;
    sinew_actor_set_param(w->stage, w->actors[i], 0, (double)speed);
    sinew_actor_set_param(w->stage, w->actors[i], 1, (double)jump);
  }
}

static const sinew_mat3x4 *palette(const world *w, int offset) {
  int count;
  return sinew_stage_palettes(w->stage, &count) + offset;
}

static const sinew_mat3x4 *palette_of(const world *w, int character) {
  return palette(w, sinew_crowd_palette_offset(w->stage, w->crowd) + character * sinew_model_palette_count(model));
}

/* The difference of two palettes, relative to the character's size. */
static double distance(const sinew_mat3x4 *a, const sinew_mat3x4 *b) {
  double most = 0, size = 1;
  for (int k = 0; k < 12 * sinew_model_palette_count(model); k++) {
    size = fmax(size, fabs((double)b->m[k]));
    most = fmax(most, fabs((double)a->m[k] - (double)b->m[k]));
  }
  return most / size;
}

static int state_of(const world *w, int character) {
  sinew_machine_state state;
  return sinew_crowd_machine(w->stage, w->crowd, character, 0, &state) ? state.state : -1;
}

static void a_character_does_what_an_actor_does(void **state) {
  static const double steps[] = {1.0 / 30, 1.0 / 60, 1.0 / 144};
  machine m;
  (void)state;
  make_machine(&m, SINEW_TRANSITION_CROSSFADE);
  for (int k = 0; k < 3; k++) {
    world w = make_world(&m, 1, true);
    bool seen[3] = {false};
    for (int frame = 0; frame * steps[k] < 4; frame++) {
      set_params(&w, frame * steps[k]);
      sinew_stage_update(w.stage, steps[k]);
      for (int i = 0; i < COUNT; i++) {
        sinew_machine_state actor;
        assert_true(sinew_actor_machine(w.stage, w.actors[i], 0, 0, &actor));
        assert_int_equal(state_of(&w, i), actor.state);
        seen[actor.state] = true;
        const sinew_mat3x4 *theirs = palette(&w, sinew_actor_palette_offset(w.stage, w.actors[i]));
        assert_true(distance(palette_of(&w, i), theirs) < 1e-5);
      }
    }
    assert_true(seen[0] && seen[1] && seen[2]);
    sinew_stage_destroy(w.stage);
  }
}

static void threads_do_not_change_a_bit(void **state) {
  machine m;
  (void)state;
  make_machine(&m, SINEW_TRANSITION_CROSSFADE);
  world one = make_world(&m, 1, false), four = make_world(&m, 4, false);
  for (int frame = 0; frame < 120; frame++) {
    set_params(&one, frame / 60.0);
    set_params(&four, frame / 60.0);
    sinew_stage_update(one.stage, 1.0 / 60);
    sinew_stage_update(four.stage, 1.0 / 60);
    size_t size = (size_t)(COUNT * sinew_model_palette_count(model)) * sizeof(sinew_mat3x4);
    assert_memory_equal(palette_of(&one, 0), palette_of(&four, 0), size);
  }
  sinew_stage_destroy(one.stage);
  sinew_stage_destroy(four.stage);
}

/* Where an actor would go on by inertia, a character crossfades: no frame jumps. */
static void inertial_transitions_crossfade(void **state) {
  machine m;
  (void)state;
  make_machine(&m, SINEW_TRANSITION_INERTIAL);
  for (int i = 0; i < 4; i++) m.transitions[i].fade = 0.5;
  world w = make_world(&m, 1, false);
  sinew_stage_update(w.stage, 1.0 / 60);
  sinew_mat3x4 before[JOINTS + 1];
  int jumps = 0;
  w.all.params[0] = 2;
  size_t size = (size_t)sinew_model_palette_count(model) * sizeof *before;
  for (int frame = 0; frame < 60; frame++) {
    memcpy(before, palette_of(&w, 0), size);
    w.all.params[COUNT] = frame % 20 < 10;
    jumps += state_of(&w, 0) == 2;
    sinew_stage_update(w.stage, 1e-6); /* time hardly moves, so nothing may */
    assert_true(distance(palette_of(&w, 0), before) < 1e-3);
    sinew_stage_update(w.stage, 1.0 / 60);
  }
  assert_in_range(jumps, 5, 55);
  sinew_stage_destroy(w.stage);
}

/* Where more states fade than there is room for, the oldest is gone, and the others stay. */
static void of_many_fades_the_oldest_ends(void **state) {
  static const char *const when[] = {"speed == 0", "speed == 1", "speed == 2", "speed == 3", "speed == 4"};
  (void)state;
  sinew_node_def nodes[CAST_CLIPS + 1];
  sinew_transition_def ways[CAST_CLIPS];
  nodes[0] = sinew_node_def_default();
  nodes[0].kind = SINEW_NODE_MACHINE;
  nodes[0].first_child = 1, nodes[0].child_count = nodes[0].transition_count = CAST_CLIPS;
  for (int i = 0; i < CAST_CLIPS; i++) {
    nodes[i + 1] = clip_node(NULL, i);
    ways[i] = transition(-1, i, when[i], 1);
  }
  sinew_graph_def graph = {nodes, CAST_CLIPS + 1, ways, CAST_CLIPS};
  sinew_crowd_def def = sinew_crowd_def_default();
  sinew_error error;
  def.model = model, def.graph = &graph, def.param_names = names, def.param_count = 2;
  sinew_stage *stage = sinew_stage_create(NULL);
  sinew_crowd crowd = sinew_crowd_create(stage, &def, &error);
  if (!crowd.id) fail_msg("%s", error.message);
  sinew_crowd_characters all = sinew_crowd_view(stage, crowd);
  sinew_stage_update(stage, 0.1);
  for (int i = 1; i < CAST_CLIPS + 3; i++) {
    bool shows[CAST_CLIPS] = {false};
    all.params[0] = (float)(i % CAST_CLIPS);
    sinew_stage_update(stage, 0.1);
    for (int s = 0; s < all.slot_count; s++)
      if (all.slots[s].clip[0] >= 0) shows[all.slots[s].clip[0]] = true;
    for (int k = 0; k < CAST_CLIPS; k++) { /* the last four that were entered */
      int age = (i - k + CAST_CLIPS) % CAST_CLIPS;
      assert_int_equal(shows[k], age < 4 && age <= i);
    }
  }
  sinew_stage_destroy(stage);
}

/* A save renames a state: nobody notices. */
static void a_crowd_continues_another(void **state) {
  machine m, next;
  (void)state;
  make_machine(&m, SINEW_TRANSITION_CROSSFADE);
  make_machine(&next, SINEW_TRANSITION_CROSSFADE);
  next.nodes[2].key = "walk around";
  world w = make_world(&m, 1, false);
  for (int frame = 0; frame < 100; frame++) {
    set_params(&w, frame / 60.0);
    sinew_stage_update(w.stage, 1.0 / 60);
  }
  sinew_crowd_def def = crowd_of(&next);
  world other = w;
  other.crowd = sinew_crowd_create(w.stage, &def, NULL);
  other.all = sinew_crowd_view(w.stage, other.crowd);
  assert_true(sinew_crowd_continue(w.stage, other.crowd, w.crowd));
  assert_false(sinew_crowd_continue(w.stage, other.crowd, other.crowd));
  bool went = false;
  for (int frame = 100; frame < 130; frame++) {
    set_params(&w, 99 / 60.0);
    set_params(&other, 99 / 60.0);
    sinew_stage_update(w.stage, 1.0 / 60);
    for (int i = 0; i < COUNT; i++) {
      assert_int_equal(state_of(&w, i), state_of(&other, i));
      assert_true(distance(palette_of(&other, i), palette_of(&w, i)) < 1e-5);
      went |= state_of(&w, i) == 1;
    }
  }
  assert_true(went);
  sinew_stage_destroy(w.stage);
}

/* From slots to a graph and back: a clip that plays in both keeps its time. */
static void slots_and_graphs_continue_each_other(void **state) {
  machine m;
  (void)state;
  make_machine(&m, SINEW_TRANSITION_CROSSFADE);
  sinew_stage *stage = sinew_stage_create(NULL);
  sinew_crowd_def plain = sinew_crowd_def_default(), def = crowd_of(&m);
  plain.model = model, plain.count = COUNT;
  sinew_crowd slots = sinew_crowd_create(stage, &plain, NULL), graph = sinew_crowd_create(stage, &def, NULL);
  for (int i = 0; i < COUNT; i++) assert_true(sinew_crowd_seek(stage, slots, i, (i + 0.5) / COUNT));
  sinew_stage_update(stage, 0.001);
  assert_true(sinew_crowd_continue(stage, graph, slots));
  sinew_stage_update(stage, 0.001);
  sinew_crowd back = sinew_crowd_create(stage, &plain, NULL);
  assert_true(sinew_crowd_continue(stage, back, graph));
  for (int i = 0; i < COUNT; i++) {
    double phase = sinew_crowd_phase(stage, slots, i);
    assert_near(sinew_crowd_phase(stage, graph, i), phase, 1e-9);
    assert_near(sinew_crowd_phase(stage, back, i), phase, 1e-9);
  }
  sinew_stage_destroy(stage);
}

static void a_phase_is_sought(void **state) {
  machine m;
  (void)state;
  make_machine(&m, SINEW_TRANSITION_CROSSFADE);
  world w = make_world(&m, 1, false);
  for (int i = 0; i < COUNT; i++) assert_true(sinew_crowd_seek(w.stage, w.crowd, i, i / (double)COUNT));
  sinew_stage_update(w.stage, 0);
  for (int i = 0; i < COUNT; i++) assert_near(sinew_crowd_phase(w.stage, w.crowd, i), i / (double)COUNT, 1e-9);
  sinew_stage_update(w.stage, 1e-9);
  for (int i = 0; i < COUNT; i++) assert_near(sinew_crowd_phase(w.stage, w.crowd, i), i / (double)COUNT, 1e-6);
  assert_false(sinew_crowd_seek(w.stage, w.crowd, COUNT, 0));
  assert_false(sinew_crowd_seek(w.stage, w.crowd, -1, 0));
  assert_false(sinew_crowd_seek(w.stage, w.crowd, 0, NAN));
  assert_false(sinew_crowd_seek(w.stage, (sinew_crowd){0}, 0, 0));
  sinew_stage_destroy(w.stage);
}

/* Until its time moves, a character begins as its parameters say. */
static void it_begins_as_its_parameters_say(void **state) {
  (void)state;
  sinew_node_def nodes[3] = {sinew_node_def_default(), clip_node("a", 0), clip_node("b", 1)};
  nodes[0].kind = SINEW_NODE_SWITCH;
  nodes[0].first_child = 1, nodes[0].child_count = 2, nodes[0].param_x = 0, nodes[0].fade = 1;
  machine m = {.def = {nodes, 3, NULL, 0}};
  world w = make_world(&m, 1, false);
  for (int i = 0; i < COUNT; i++) w.all.params[i] = (float)(i % 2);
  sinew_stage_update(w.stage, 0.01);
  for (int i = 0; i < COUNT; i++) {
    assert_int_equal(w.all.slots[0].clip[i], i % 2);
    assert_true(w.all.slots[0].weight[i] == 1 && w.all.slots[1].clip[i] == -1);
  }
  sinew_stage_destroy(w.stage);
}

/* ---- misuse ---- */

static void expect_refused(const machine *m, const char *why) {
  sinew_stage *stage = sinew_stage_create(NULL);
  sinew_error error = {{0}};
  sinew_crowd_def def = crowd_of(m);
  assert_int_equal(sinew_crowd_create(stage, &def, &error).id, 0);
  if (!strstr(error.message, why)) fail_msg("'%s' does not say '%s'", error.message, why);
  sinew_stage_destroy(stage);
}

static void misuse_gets_a_sentence(void **state) {
  machine m, good;
  (void)state;
  make_machine(&good, SINEW_TRANSITION_CROSSFADE);
  m = good, m.def.nodes = m.nodes, m.def.transitions = m.transitions;
  m.transitions[0].when = "sped > 1", expect_refused(&m, "sped");
  m.transitions[0] = good.transitions[0], m.transitions[0].event = "x", expect_refused(&m, "events");
  m.transitions[0] = good.transitions[0], m.transitions[0].condition = 1, expect_refused(&m, "text");
  m.transitions[0] = good.transitions[0], m.nodes[1].clip = 99, expect_refused(&m, "no such clip");
  m.nodes[1] = good.nodes[1], m.nodes[2].sync = true, m.nodes[2].sync_group = "legs", expect_refused(&m, "phase");
  m.nodes[2] = good.nodes[2], m.nodes[3].match = SINEW_MATCH_TRAVELLED, expect_refused(&m, "match");
}

static void strange_parameters_do_no_harm(void **state) {
  static const float strange[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f};
  machine m;
  (void)state;
  make_machine(&m, SINEW_TRANSITION_CROSSFADE);
  world w = make_world(&m, 1, false);
  for (int frame = 0; frame < 60; frame++) {
    for (int i = 0; i < COUNT; i++) {
      w.all.params[i] = strange[(frame + i) % 5];
      w.all.speed[i] = strange[(frame + 2 * i) % 5];
    }
    sinew_stage_update(w.stage, frame % 3 ? 1.0 / 60 : 1e20);
    for (int k = 0; k < 12 * sinew_model_palette_count(model) * COUNT; k++)
      assert_true(isfinite(palette_of(&w, 0)->m[k]));
  }
  sinew_stage_destroy(w.stage);
}

static void without_memory_there_is_a_sentence_and_no_leak(void **state) {
  machine m;
  (void)state;
  make_machine(&m, SINEW_TRANSITION_CROSSFADE);
  m.nodes[2].sync = true;
  sinew_crowd_def def = crowd_of(&m);
  bool made = false;
  for (long requests = 1; !made; requests++) {
    failing_heap heap = {.left = requests};
    failing_heap_install(&heap);
    sinew_error error = {{0}};
    sinew_stage *stage = sinew_stage_create(&error);
    sinew_crowd crowd = {0};
    if (stage) crowd = sinew_crowd_create(stage, &def, &error);
    if (stage) sinew_stage_update(stage, 0.1);
    made = crowd.id != 0;
    assert_true(made || strstr(error.message, "memory"));
    sinew_stage_destroy(stage);
    assert_int_equal(heap.living, 0);
    sinew_set_allocator(NULL);
    assert_in_range(requests, 1, 40);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_character_does_what_an_actor_does),
      cmocka_unit_test(threads_do_not_change_a_bit),
      cmocka_unit_test(inertial_transitions_crossfade),
      cmocka_unit_test(a_crowd_continues_another),
      cmocka_unit_test(slots_and_graphs_continue_each_other),
      cmocka_unit_test(of_many_fades_the_oldest_ends),
      cmocka_unit_test(a_phase_is_sought),
      cmocka_unit_test(it_begins_as_its_parameters_say),
      cmocka_unit_test(misuse_gets_a_sentence),
      cmocka_unit_test(strange_parameters_do_no_harm),
      cmocka_unit_test(without_memory_there_is_a_sentence_and_no_leak),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
