/* The slide of feet in a blend space, compared with the velocities of its clips. */
#include "../host_fixture.h"

#include "host/graph/space_slide.h"

typedef struct bench {
  sinew_stage *stage;
  sinew_model *model;
  sinew_actor actor;
} bench;

/* A space of the walk, at these places; twice the same clip is that clip everywhere between. */
static slide_space make(bench *b, sinew_node_kind kind, const char *clip, const double (*places)[2], int count) {
  sinew_error error = {{0}};
  sinew_node_def nodes[5];
  const char *const params[] = {"x", "y"};
  b->stage = sinew_stage_create(&error);
  b->model = sinew_model_load(SINEW_SOURCE "/assets/hero.glb", NULL, &error);
  b->actor = sinew_actor_create(b->stage, "hero", b->model, &error);
  for (int i = 0; i <= count; i++) nodes[i] = sinew_node_def_default();
  nodes[0].kind = kind, nodes[0].first_child = 1, nodes[0].child_count = count;
  nodes[0].param_x = 0, nodes[0].param_y = kind == SINEW_NODE_SPACE_2D ? 1 : -1, nodes[0].sync = true;
  for (int i = 0; i < count; i++) {
    nodes[1 + i].clip = sinew_model_find_clip(b->model, clip);
    nodes[1 + i].x = places[i][0], nodes[1 + i].y = places[i][1];
  }
  const sinew_graph_def graph = {.nodes = nodes, .node_count = count + 1};
  assert_true(sinew_actor_set_params(b->stage, b->actor, params, NULL, 2, &error));
  if (!sinew_actor_set_graph(b->stage, b->actor, 0, &graph, 0, &error)) fail_msg("%s", error.message);
  return (slide_space){b->stage, b->actor, 0, 0};
}

static void release(bench *b, space_slide *s) {
  space_slide_release(s);
  sinew_stage_destroy(b->stage);
  sinew_model_release(b->model);
}

/* The walk goes at its own speed wherever it stands: what is wanted beyond that, its feet slide. */
static void what_a_clip_does_not_travel_it_slides(void **state) {
  bench b;
  sinew_vec3 own;
  const double places[][2] = {{1.1, 0}, {1.7, 0}};
  (void)state;
  slide_space space = make(&b, SINEW_NODE_SPACE_1D, "Walk", places, 2);
  assert_true(sinew_clip_velocity(b.model, sinew_model_find_clip(b.model, "Walk"), &own));
  space_slide *s = space_slide_measure(NULL, &space, 60);
  assert_null(space_slide_problem(s));
  assert_int_equal(space_slide_rows(s), 1);
  for (int i = 0; i < SLIDE_COLUMNS; i++) {
    double speed = 1.1 + 0.6 * (i + 0.5) / SLIDE_COLUMNS;
    assert_near(space_slide_fraction(s, i, 0), fabs(speed - (double)own.z) / speed, 0.03);
    assert_near(space_slide_at(s, speed, 7), space_slide_fraction(s, i, 0), 0);
  }
  release(&b, s);
}

/* Sideways, too; and nothing is said of where no clip reaches. */
static void a_plane_has_its_cells_where_clips_reach(void **state) {
  bench b;
  const double places[][2] = {{-0.3, 1.2}, {0.3, 1.2}, {0, 1.7}};
  (void)state;
  slide_space space = make(&b, SINEW_NODE_SPACE_2D, "Walk", places, 3);
  space_slide *s = space_slide_measure(NULL, &space, 60);
  assert_null(space_slide_problem(s));
  assert_true(isnan(space_slide_at(s, -0.28, 1.68)) && isnan(space_slide_at(s, 3, 3)));
  double aside = 0.2 / sqrt(0.2 * 0.2 + 1.26 * 1.26); /* of a walk that goes straight ahead at 1.4 */
  assert_near(space_slide_at(s, 0.2, 1.26), aside, 0.06);
  assert_true(space_slide_at(s, 0, 1.4) < 0.05);
  release(&b, s);
}

/* It begins again when a sample moves, and goes on where nothing has changed. */
static void a_moved_sample_is_measured_again(void **state) {
  bench b;
  const double places[][2] = {{1.3, 0}, {1.5, 0}};
  double low[2], high[2];
  (void)state;
  slide_space space = make(&b, SINEW_NODE_SPACE_1D, "Walk", places, 2);
  space_slide *s = space_slide_measure(NULL, &space, 0);
  assert_true(isnan(space_slide_fraction(s, 0, 0)));
  s = space_slide_measure(s, &space, 60);
  double before = space_slide_fraction(s, SLIDE_COLUMNS - 1, 0);
  assert_true(sinew_actor_set_node(b.stage, b.actor, 0, 2, 1.8, 0));
  s = space_slide_measure(s, &space, 60);
  space_slide_range(s, low, high);
  assert_near(high[0], 1.8, 1e-6);
  assert_true(space_slide_fraction(s, SLIDE_COLUMNS - 1, 0) > before + 0.1);
  release(&b, s);
}

static void what_is_no_velocity_is_said(void **state) {
  bench b;
  const double places[][2] = {{0, 0}, {1, 0}}, angles[][2] = {{-40, 0}, {40, 0}};
  (void)state;
  slide_space space = make(&b, SINEW_NODE_SPACE_1D, "Idle", places, 2);
  space_slide *s = space_slide_measure(NULL, &space, 60);
  assert_string_equal(space_slide_problem(s), "slide: known only if samples are at their clips' velocities");
  assert_true(isnan(space_slide_at(s, 0.5, 0)));
  release(&b, s);
  space = make(&b, SINEW_NODE_SPACE_1D, "Walk", angles, 2);
  s = space_slide_measure(NULL, &space, 60);
  assert_string_equal(space_slide_problem(s), "slide: known only if samples are at their clips' velocities");
  release(&b, s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_a_clip_does_not_travel_it_slides),
      cmocka_unit_test(a_plane_has_its_cells_where_clips_reach),
      cmocka_unit_test(a_moved_sample_is_measured_again),
      cmocka_unit_test(what_is_no_velocity_is_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
