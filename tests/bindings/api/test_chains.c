/* Save after save, each a graph that means what the last one did, with frames of any length between them: every joint
 * stays where an untouched twin has it. */
#include "harness.h"

#include <sinew/graph.h>

#define SPACE "sinew.blend_space_1d { param = 'pace', sync = true, { 0, 'Idle' }, { 1.6, 'Walk' } }"
#define PLANE                                                                                                          \
  "sinew.blend_space_2d { param_x = 'pace', param_y = 'turn', sync = true, { 0, 0, 'Idle' }, { 1.6, 0, 'Walk' }, "     \
  "{ 0, 1, 'Jump' } }"
#define STATES(start, states) "sinew.state_machine { start = '" start "', states = { " states " } }"
#define BLEND(node) "sinew.blend { { " node ", 1 } }"

static const char *const graphs[] = {
    SPACE,
    BLEND(SPACE),
    BLEND(BLEND(SPACE)),
    PLANE,
    STATES("move", "move = " SPACE ", jump = 'Jump'"),
    STATES("jump", "move = " SPACE ", jump = 'Jump'"),
    STATES("go", "go = " SPACE ", jump = 'Jump'"),
    STATES("jump", "go = " PLANE ", jump = 'Jump'"),
    STATES("a", "a = " STATES("b", "b = " SPACE ", c = 'Wave'") ", jump = 'Jump'"),
    BLEND(STATES("move", "move = " BLEND(SPACE) ", jump = 'Jump'")),
    "sinew.switch { param = 'turn', " SPACE ", 'Jump' }",
    "sinew.switch { param = 'turn', " BLEND(SPACE) ", " SPACE " }",
    STATES("move", "jump = 'Jump', move = sinew.switch { param = 'turn', " BLEND(PLANE) ", 'Wave' }"),
    STATES("a", "a = " STATES("b", "b = " STATES("c", "c = " SPACE ", d = 'Wave'") ", e = 'Jump'")),
    "sinew.blend { { " SPACE ", 1 }, { 'Wave', 0 } }",
    "sinew.blend { { 'Wave', 0 }, { " STATES("move", "idle = 'Idle', move = " SPACE) ", 1 } }",
    STATES("move", "idle = 'Idle', jump = 'Jump', move = " SPACE ", walk = 'Walk'"),
    STATES("walking", "run = 'Run', still = 'Idle', walking = sinew.blend { { " SPACE ", 1 }, { 'Wave', 0 } }"),
};

enum { JOINTS = 128, SAVES = 60, LATER = 25 };

/* Numbers without pattern that are the same each time. */
static unsigned next_random(unsigned *state) { return (*state = *state * 1664525u + 1013904223u) >> 16; }

static void put(harness *h, const char *graph) {
  char text[2048];
  snprintf(text, sizeof text,
           "local sinew = require 'sinew'\n"
           "local man = sinew.model 'hero.glb'\n"
           "local twin = sinew.actor('twin', man, { params = { pace = 1.2, turn = 0 } })\n"
           "local hero = sinew.actor('hero', man, { params = { pace = 1.2, turn = 0 } })\n"
           "twin:set_graph(" SPACE ")\n"
           "hero:set_graph(%s)\n",
           graph);
  if (h->scene ? !harness_reload(h, text) : !harness_load(h, text, NULL)) fail_msg("%s", h->error.message);
}

/* The largest distance between the joints of the two actors. */
static double apart(const harness *h) {
  const sinew_stage *stage = sinew_host_stage(h->host);
  sinew_actor hero = sinew_scene_find_actor(h->scene, "hero"), twin = sinew_scene_find_actor(h->scene, "twin");
  const sinew_mat3x4 *a = sinew_actor_joints(stage, hero), *b = sinew_actor_joints(stage, twin);
  double worst = 0;
  for (int i = 0; i < sinew_model_joint_count(sinew_actor_model(stage, hero)); i++)
    for (int k = 3; k < 12; k += 4) worst = fmax(worst, fabs((double)a[i].m[k] - (double)b[i].m[k]));
  return worst;
}

static void step(harness *h, int frames, unsigned *random) {
  for (int i = 0; i < frames; i++)
    assert_true(sinew_host_step(h->host, 0.002 + 0.1 * (next_random(random) % 1000) / 1000, &h->error));
}

enum { GRAPHS = sizeof graphs / sizeof *graphs };

static double worst_later(harness *h, unsigned *random) {
  double worst = 0;
  for (int i = 0; i < LATER; i++) {
    step(h, 1, random);
    worst = fmax(worst, apart(h));
  }
  return worst;
}

/* From each to each other one, and from that on. */
static void graphs_that_mean_the_same_follow_each_other(void **state) {
  static harness h;
  unsigned random = 7;
  (void)state;
  harness_open_host(&h);
  put(&h, graphs[0]);
  step(&h, 20, &random);
  for (int i = 0; i < 2 * GRAPHS * GRAPHS; i++) {
    int from = i / 2 / GRAPHS, to = i / 2 % GRAPHS;
    put(&h, graphs[i % 2 ? to : from]);
    double off = worst_later(&h, &random);
    if (off > 0.001)
      fail_msg("a joint is off by %.3f m: %s of graphs %d and %d", off, i % 2 ? "there" : "back", from, to);
  }
  harness_close(&h);
}

/* By its key, though nothing of what plays is in the new one. */
static void a_state_stays_though_all_clips_are_others(void **state) {
  static harness h;
  sinew_machine_state is;
  (void)state;
  unsigned random = 7;
  harness_open_host(&h);
  put(&h, STATES("b", "a = 'Idle', b = 'Walk'"));
  step(&h, 10, &random);
  put(&h, STATES("c", "b = 'Run', c = 'Jump'"));
  sinew_actor hero = sinew_scene_find_actor(h.scene, "hero");
  assert_true(sinew_actor_machine(sinew_host_stage(h.host), hero, 0, 0, &is));
  assert_int_equal(is.state, 0);
  assert_true(is.time > 0);
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(graphs_that_mean_the_same_follow_each_other),
                                     cmocka_unit_test(a_state_stays_though_all_clips_are_others)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
