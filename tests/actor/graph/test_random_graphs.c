/* Random graphs, whose results are known in their kind: finite, turned by rotations, the same again and in any number
 * of threads, and the same in any number of steps where nothing depends on when it is looked at. */
#include "actor/cast.h"
#include "base/sanitizers.h"

#include <sinew/graph.h>

/* So many actors that their joints are worth a second thread. */
enum { NODES = 80, TRANSITIONS = 40, PARAMS = 3, ACTORS = 14, FRAMES = 40 };
enum { GRAPHS = SANITIZES_THREADS ? 2 : SANITIZES_ADDRESSES ? 5 : 12 }; /* each of 14 actors has a graph of its own */

/* LINKED: clips in sync, and weights that stand between two frames. MOVING: weights that follow and fade, clips by
 * themselves; so briefly that no more fade at once than fit, where inertia would take over. ANY: all of it, and
 * inertial transitions. */
typedef enum graph_mode { LINKED, MOVING, ANY } graph_mode;

typedef struct random_graph {
  sinew_node_def nodes[NODES];
  sinew_transition_def transitions[TRANSITIONS];
  int depth[NODES], node_count, transition_count;
} random_graph;

static double fade_of(graph_mode mode) { return (double)random_range(0, mode == ANY ? 0.4f : 0.1f); }

static void make_clip(sinew_node_def *n) {
  n->clip = (int)(random_bits() % CAST_CLIPS);
  n->loop = (sinew_loop_mode)(random_bits() % 4);
  n->loop_count = 1 + (int)(random_bits() % 3);
  n->speed = (double)random_range(-1.5f, 2);
}

static void add_transitions(random_graph *g, sinew_node_def *n, graph_mode mode) {
  n->first_transition = g->transition_count;
  for (int i = 0; i < 2 && g->transition_count < TRANSITIONS; i++, n->transition_count++) {
    sinew_transition_def *t = g->transitions + g->transition_count++;
    *t = sinew_transition_def_default();
    t->from = -1;
    t->to = (int)(random_bits() % (uint32_t)n->child_count);
    t->event = i ? "go" : "stop";
    t->fade = fade_of(mode);
    t->ease = (sinew_ease)(random_bits() % 4);
    t->kind = (sinew_transition_kind)(random_bits() % (mode == ANY ? 3 : 1));
    t->keep_phase = mode == ANY && random_bits() % 2;
    t->restart = random_bits() % 2;
  }
}

static void make_parent(random_graph *g, int node, graph_mode mode) {
  static const sinew_node_kind kinds[] = {SINEW_NODE_BLEND, SINEW_NODE_SPACE_1D, SINEW_NODE_SPACE_2D, SINEW_NODE_SWITCH,
                                          SINEW_NODE_MACHINE};
  sinew_node_def *n = g->nodes + node;
  n->kind = kinds[random_bits() % (mode == LINKED ? 3 : 5)];
  n->first_child = g->node_count;
  n->child_count = 2 + (int)(random_bits() % 3);
  n->speed = (double)random_range(0.5f, 1.5f);
  n->param_x = (int)(random_bits() % PARAMS);
  n->param_y = n->kind == SINEW_NODE_SPACE_2D ? (int)(random_bits() % PARAMS) : -1;
  if (n->kind == SINEW_NODE_BLEND || n->kind == SINEW_NODE_MACHINE) n->param_x = -1;
  n->sync = mode != MOVING && n->kind <= SINEW_NODE_SPACE_2D && random_bits() % 2;
  n->smooth = mode != LINKED && random_bits() % 2 && n->kind != SINEW_NODE_MACHINE ? (double)random_range(0, 0.3f) : 0;
  n->fade = fade_of(mode);
  for (int i = 0; i < n->child_count; i++) {
    sinew_node_def *c = g->nodes + g->node_count;
    *c = sinew_node_def_default();
    c->x = (double)random_range(0, 2) + i;
    c->y = (double)random_range(-1, 2);
    g->depth[g->node_count++] = g->depth[node] + 1;
  }
  if (n->kind == SINEW_NODE_MACHINE) add_transitions(g, n, mode);
}

static void give_graph(sinew_stage *stage, sinew_actor actor, graph_mode mode) {
  static const char *const names[PARAMS] = {"a", "b", "c"};
  random_graph g = {.node_count = 1};
  sinew_error error;
  g.nodes[0] = sinew_node_def_default();
  for (int i = 0; i < g.node_count; i++) {
    bool parent = i == 0 || (g.depth[i] < 4 && g.node_count + 4 < NODES && random_bits() % 3 == 0);
    if (parent) make_parent(&g, i, mode);
    else make_clip(g.nodes + i);
  }
  sinew_graph_def def = {g.nodes, g.node_count, g.transitions, g.transition_count};
  assert_true(sinew_actor_set_params(stage, actor, names, NULL, PARAMS, NULL));
  if (!sinew_actor_set_graph(stage, actor, 0, &def, 0, &error)) fail_msg("%s", error.message);
}

/* ---- running ---- */

typedef struct show {
  sinew_stage *stage;
  sinew_actor actors[ACTORS];
  graph_mode mode;
} show;

static show open_show(uint64_t seed, sinew_model *model, graph_mode mode, int threads) {
  show s = {.stage = sinew_stage_create(NULL), .mode = mode};
  random_seed(seed);
  assert_true(sinew_stage_set_threads(s.stage, threads));
  for (int i = 0; i < ACTORS; i++) {
    s.actors[i] = sinew_actor_create(s.stage, "a", model, NULL);
    give_graph(s.stage, s.actors[i], mode);
  }
  return s;
}

/* Makes the changes that a script may make between two frames; shows with the same seed make the same ones. */
static void steer(const show *s) {
  for (int i = 0; i < ACTORS; i++) {
    for (int p = 0; p < PARAMS; p++)
      if (random_bits() % 4 == 0)
        assert_true(sinew_actor_set_param(s->stage, s->actors[i], p, (double)random_range(-1, 4)));
    uint32_t chance = random_bits() % 6;
    if (chance < 2) assert_true(sinew_actor_send(s->stage, s->actors[i], chance ? "go" : "stop"));
  }
}

static void take(record *r, const show *s) {
  for (int i = 0; i < ACTORS; i++) {
    sinew_pose pose = sinew_actor_pose(s->stage, s->actors[i]);
    for (int j = 0; j < pose.joint_count; j++) {
      sinew_transform t = sinew_pose_joint(&pose, j);
      record_add(r, &t, sizeof t);
    }
  }
}

static record run(uint64_t seed, sinew_model *model, graph_mode mode, int threads, int steps) {
  record r = {0};
  show s = open_show(seed, model, mode, threads);
  for (int f = 0; f < FRAMES; f++) {
    steer(&s);
    double dt = (double)random_range(0.03f, 0.2f);
    for (int i = 0; i < steps; i++) sinew_stage_update(s.stage, dt / steps);
    take(&r, &s);
  }
  sinew_stage_destroy(s.stage);
  return r;
}

/* ---- rules ---- */

static void poses_are_finite_and_turned_by_rotations_at_any_dt(void **state) {
  sinew_model *model = *state;
  static const double odd[] = {0, -0.3, 1e6, -1e12, 1e-9, (double)NAN, (double)INFINITY};
  for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
    show s = open_show(seed, model, ANY, 1);
    for (int f = 0; f < FRAMES; f++) {
      steer(&s);
      sinew_stage_update(s.stage, f % 3 ? (double)random_range(0, 0.1f) : odd[random_bits() % 7]);
      record r = {0};
      take(&r, &s);
      expect_finite((const float *)(const void *)r.bytes, r.size / sizeof(float));
      for (size_t i = 0; i < r.size / sizeof(sinew_transform); i++) {
        sinew_transform t;
        memcpy(&t, r.bytes + i * sizeof t, sizeof t);
        sinew_quat q = t.rotation;
        assert_near(sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w), 1, 1e-5);
      }
      free(r.bytes);
    }
    sinew_stage_destroy(s.stage);
  }
}

static void the_same_again_and_in_any_number_of_threads(void **state) {
  for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
    record one = run(seed, *state, ANY, 1, 1), again = run(seed, *state, ANY, 2 + (int)(seed % 4), 1);
    expect_same_record(&one, &again);
  }
}

/* In floats of some metres, after 40 frames. */
static void expect_near_record(record *a, record *b, uint64_t seed) {
  const float *x = (const float *)(const void *)a->bytes, *y = (const float *)(const void *)b->bytes;
  assert_int_equal(a->size, b->size);
  for (size_t i = 0; i < a->size / sizeof *x; i++)
    if (!(fabsf(x[i] - y[i]) < 2e-4f))
      fail_msg("graph %d: number %zu is %g in one step and %g in several", (int)seed, i, (double)x[i], (double)y[i]);
  free(a->bytes), free(b->bytes);
}

static void one_step_is_as_good_as_several(void **state) {
  for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
    for (graph_mode mode = LINKED; mode <= MOVING; mode++) {
      record one = run(seed, *state, mode, 1, 1), several = run(seed, *state, mode, 1, 2 + (int)(seed % 3));
      expect_near_record(&one, &several, seed);
    }
  }
}

static int set_up(void **state) {
  random_seed(5);
  *state = cast_model(CAST_JOINTS);
  return 0;
}

static int tear_down(void **state) {
  sinew_model_release(*state);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(poses_are_finite_and_turned_by_rotations_at_any_dt),
      cmocka_unit_test(the_same_again_and_in_any_number_of_threads),
      cmocka_unit_test(one_step_is_as_good_as_several),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
