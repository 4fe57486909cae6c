/* A graph is drawn while it plays, and clicked on. */
#include "panel_bench.h"

#include "host/graph/graph_sheet.h"

typedef struct bench {
  sinew_host *host;
  sinew_model *model;
  sinew_actor actor;
  sinew_edit written;
  int writes, escapes;
} bench;

static bool write_sample(void *user, const sinew_edit *edit, char *answer, size_t size) {
  bench *b = user;
  assert_int_equal(edit->kind, SINEW_EDIT_SAMPLE);
  b->written = *edit;
  b->writes++;
  return snprintf(answer, size, "it is written"), true;
}

static void on_key(void *user, const char *key, bool down, bool ctrl) {
  bench *b = user;
  (void)ctrl;
  b->escapes += down && strcmp(key, "escape") == 0;
}

/* idle, move (a space of Idle, Walk, Run along `speed`), strafe (a plane), wave. */
static void give_graph(bench *b) {
  static const struct {
    const char *key, *clip;
    sinew_node_kind kind;
    int first, count;
    double x, y;
  } nodes[] = {{NULL, NULL, SINEW_NODE_MACHINE, 1, 4, 0, 0},    {"idle", "Idle", SINEW_NODE_CLIP, 0, 0, 0, 0},
               {"move", NULL, SINEW_NODE_SPACE_1D, 5, 3, 0, 0}, {"strafe", NULL, SINEW_NODE_SPACE_2D, 8, 4, 0, 0},
               {"wave", "Wave", SINEW_NODE_CLIP, 0, 0, 0, 0},   {NULL, "Idle", SINEW_NODE_CLIP, 0, 0, 0, 0},
               {NULL, "Walk", SINEW_NODE_CLIP, 0, 0, 1.4, 0},   {NULL, "Run", SINEW_NODE_CLIP, 0, 0, 4, 0},
               {"stand", "Idle", SINEW_NODE_CLIP, 0, 0, 0, 0},  {"ahead", "Walk", SINEW_NODE_CLIP, 0, 0, 0, 1.4},
               {"left", "Walk", SINEW_NODE_CLIP, 0, 0, 1, 0},   {"right", "Run", SINEW_NODE_CLIP, 0, 0, -1, 0}};
  enum { NODES = sizeof nodes / sizeof *nodes, WAYS = 4 };
  const char *const params[] = {"speed", "side"};
  sinew_node_def defs[NODES];
  sinew_transition_def ways[WAYS];
  sinew_error error = {{0}};
  for (int i = 0; i < NODES; i++) {
    defs[i] = sinew_node_def_default();
    defs[i].key = nodes[i].key, defs[i].kind = nodes[i].kind, defs[i].x = nodes[i].x, defs[i].y = nodes[i].y;
    defs[i].first_child = nodes[i].first, defs[i].child_count = nodes[i].count;
    if (nodes[i].clip) defs[i].clip = sinew_model_find_clip(b->model, nodes[i].clip);
  }
  defs[2].param_x = 0, defs[3].param_x = 1, defs[3].param_y = 0;
  for (int i = 0; i < WAYS; i++) ways[i] = sinew_transition_def_default();
  ways[0].from = 0, ways[0].to = 1, ways[0].when = "speed > 0.2 and state_time > 0.1", ways[0].fade = 0.5;
  ways[1].from = 1, ways[1].to = 0, ways[1].when = "speed < 0.1", ways[1].fade = 0.5;
  ways[2].from = 1, ways[2].to = 2, ways[2].when = "side > 0.5", ways[2].fade = 0.5;
  ways[3].from = -1, ways[3].to = 3, ways[3].event = "wave";
  defs[0].transition_count = WAYS;
  assert_true(sinew_actor_set_params(b->host->stage, b->actor, params, NULL, 2, &error));
  if (!sinew_actor_set_graph(b->host->stage, b->actor, 0, &(sinew_graph_def){defs, NODES, ways, WAYS}, 0, &error))
    fail_msg("%s", error.message);
}

static void make(bench *b, float scale, bool drawn) {
  sinew_error error = {{0}};
  *b = (bench){.host = bench_host(scale, drawn), .model = bench_hero()};
  b->actor = sinew_actor_create(b->host->stage, "hero", b->model, &error);
  sinew_host_set_app(b->host, &(sinew_app){.user = b, .write = write_sample, .key = on_key});
  give_graph(b);
  sinew_host_view(b->host)->graph = true;
  ui_set_region_size(b->host->ui, UI_BOTTOM, 310);
  bench_step(b->host, 3);
}

static void release(bench *b) {
  sinew_host_destroy(b->host);
  sinew_model_release(b->model);
}

static void set(bench *b, const char *param, double value) {
  sinew_stage *stage = b->host->stage;
  assert_true(sinew_actor_set_param(stage, b->actor, sinew_actor_find_param(stage, b->actor, param), value));
}

static bool shows(const bench *b, const char *text) { return bench_shows(b->host, text); }

static void what_a_way_out_asks_for_is_told_part_by_part(void **state) {
  (void)state;
  bench b;
  make(&b, 1, false);
  set(&b, "speed", 0.14);
  bench_step(b.host, 20);
  assert_true(shows(&b, "→ move") && shows(&b, "→ wave, from any state") && !shows(&b, "→ idle"));
  assert_true(shows(&b, "speed 0.14 > 0.2 ✗") && shows(&b, "on wave ✗"));
  set(&b, "speed", 1.4);
  bench_step(b.host, 15);
  sinew_transition_state t;
  assert_true(sinew_actor_transition(b.host->stage, b.actor, 0, 0, &t));
  char text[128];
  bench_step(b.host, 1); /* what a picture shows is of the update before it */
  snprintf(text, sizeof text, "idle → move: %.0f %%, %.2f of 0.50 s", (double)t.progress * 100, t.time);
  assert_true(shows(&b, text));
  bench_step(b.host, 40);
  assert_true(shows(&b, "→ idle") && shows(&b, "speed 1.4 < 0.1 ✗") && shows(&b, "side 0 > 0.5 ✗"));
  release(&b);
}

/* Three eighths of the way from Walk to Run; in the middle of a plane's left and right. */
static void nodes_and_samples_show_normalised_weights(void **state) {
  (void)state;
  bench b;
  make(&b, 1, false);
  set(&b, "speed", 1.4 + 2.6 * 3 / 8);
  bench_step(b.host, 90);
  bench_click(b.host, "move");
  assert_true(shows(&b, "Walk 63 %") || shows(&b, "Walk 62 %"));
  assert_true(shows(&b, "Run 38 %") || shows(&b, "Run 37 %"));
  assert_true(shows(&b, "→ speed 2.38") && shows(&b, "Idle"));
  set(&b, "side", 1), set(&b, "speed", 0.7);
  bench_step(b.host, 90);
  bench_click(b.host, "strafe");
  set(&b, "side", 0.5);
  bench_step(b.host, 3);
  assert_true(shows(&b, "left 50 %") && shows(&b, "ahead 50 %") && shows(&b, "right"));
  assert_true(shows(&b, "→ side 0.5, ↑ speed 0.7"));
  float text[4], dot[4], space[4]; /* the one at the right edge has its label at its left */
  bench_find(b.host, "left 50 %", text), bench_find(b.host, "sample left", dot), bench_find(b.host, "space", space);
  assert_true(text[2] <= dot[0] && dot[2] <= space[2]);
  bench_click(b.host, "wave");
  assert_true(shows(&b, "does not play"));
  release(&b);
}

/* The point lies between the samples as the parameters lie between theirs. */
static void the_point_stands_where_the_parameters_are(void **state) {
  (void)state;
  bench b;
  float idle[2], run[2], point[2];
  make(&b, 1, false);
  bench_click(b.host, "move");
  for (int i = 0; i <= 4; i++) {
    set(&b, "speed", i);
    bench_step(b.host, 2);
    bench_middle(b.host, "sample Idle", &idle[0], &idle[1]);
    bench_middle(b.host, "sample Run", &run[0], &run[1]);
    bench_middle(b.host, "point", &point[0], &point[1]);
    assert_near(point[0], idle[0] + (run[0] - idle[0]) * (float)i / 4, 0.5);
  }
  release(&b);
}

static double seen(const bench *b, const char *param, bool *pinned) {
  int index = sinew_actor_find_param(b->host->stage, b->actor, param);
  return sinew_actor_seen_param(b->host->stage, b->actor, index, pinned);
}

/* Dragged half-way between Walk and Run it stays there, whatever the scene sets, until Esc: which the scene does not
 * hear then, and hears again afterwards. */
static void the_dragged_point_pins_its_parameter(void **state) {
  (void)state;
  bench b;
  float x, y, walk[2], run[2];
  bool pinned;
  make(&b, 1, false);
  set(&b, "speed", 0.7);
  bench_step(b.host, 60);
  bench_click(b.host, "move");
  bench_middle(b.host, "sample Walk", &walk[0], &walk[1]);
  bench_middle(b.host, "sample Run", &run[0], &run[1]);
  bench_middle(b.host, "point", &x, &y);
  bench_drag(b.host, x, y, (walk[0] + run[0]) / 2, y);
  assert_near(seen(&b, "speed", &pinned), 2.7, 0.02);
  assert_true(pinned);
  double held = seen(&b, "speed", &pinned);
  for (int i = 0; i < 10; i++) set(&b, "speed", 0.3), bench_step(b.host, 1);
  assert_near(seen(&b, "speed", &pinned), held, 0);
  assert_true(shows(&b, "Walk 50 %") && shows(&b, "Run 50 %"));
  bench_press(b.host, "escape");
  assert_near(seen(&b, "speed", &pinned), 0.3, 0);
  assert_false(pinned);
  assert_int_equal(b.escapes, 0);
  bench_press(b.host, "escape");
  assert_int_equal(b.escapes, 1);
  assert_int_equal(b.writes, 0);
  /* A point outside the picture cannot be pinned either. */
  bench_middle(b.host, "point", &x, &y);
  bench_drag(b.host, x, y, x + 40, y);
  assert_true((seen(&b, "speed", &pinned), pinned));
  sinew_host_view(b.host)->graph = false;
  bench_step(b.host, 1);
  assert_false((seen(&b, "speed", &pinned), pinned));
  release(&b);
}

/* The grid that passes under it: how many lines, and how far before the actor one is that lies across its way. */
static int count_lines(const bench *b, float *across) {
  const line_list *lines = &b->host->lines;
  int count = 0;
  for (int i = 0; i < lines->count; i++) {
    const sinew_line *l = lines->lines + i;
    if (l->color[0] != 120 || l->color[1] != 200 || l->color[2] != 255) continue;
    if (l->a.z == l->b.z) *across = l->a.z;
    count++;
  }
  return count;
}

/* In a frame the ground passes by as far as the pinned speed says; what is no velocity moves nothing. */
static void a_pinned_velocity_runs_on_a_treadmill(void **state) {
  (void)state;
  bench b;
  float x, y, run[2], before = 0, after = 0;
  bool pinned;
  make(&b, 1, false);
  set(&b, "speed", 0.7);
  bench_step(b.host, 60);
  assert_int_equal(count_lines(&b, &before), 0);
  bench_click(b.host, "move");
  bench_middle(b.host, "sample Run", &run[0], &run[1]);
  bench_middle(b.host, "point", &x, &y);
  bench_drag(b.host, x, y, run[0], y);
  double speed = seen(&b, "speed", &pinned);
  assert_near(speed, 4, 0.05);
  assert_in_range(count_lines(&b, &before), 16, 18);
  for (int i = 0; i < 20; i++) {
    bench_step(b.host, 1);
    assert_true(count_lines(&b, &after) >= 16);
    float passed = fmodf(before - after + 2 * 0.5f, 0.5f);
    assert_near(passed, speed / 60, 1e-4);
    before = after;
  }
  sinew_host_view(b.host)->paused = true;
  bench_step(b.host, 3);
  count_lines(&b, &after);
  assert_near(after, before, 1e-6);
  bench_press(b.host, "escape");
  assert_int_equal(count_lines(&b, &before), 0);
  release(&b);
}

/* A line of three clips along a parameter of that name; pinned at `value`, what the treadmill's velocity is. */
static bool run_on_line(bench *b, const char *param, const double places[3], const char *const clips[3], double value,
                        float out[2]) {
  sinew_node_def defs[4];
  sinew_error error = {{0}};
  sinew_actor actor = sinew_actor_create(b->host->stage, param, b->model, &error);
  for (int i = 0; i < 4; i++) defs[i] = sinew_node_def_default();
  defs[0].kind = SINEW_NODE_SPACE_1D, defs[0].first_child = 1, defs[0].child_count = 3, defs[0].param_x = 0;
  for (int i = 0; i < 3; i++) {
    defs[1 + i].kind = SINEW_NODE_CLIP, defs[1 + i].x = places[i];
    defs[1 + i].clip = sinew_model_find_clip(b->model, clips[i]);
  }
  assert_true(sinew_actor_set_params(b->host->stage, actor, &param, NULL, 1, &error));
  assert_true(sinew_actor_set_graph(b->host->stage, actor, 0, &(sinew_graph_def){defs, 4, NULL, 0}, 0, &error));
  char field[64];
  snprintf(field, sizeof field, "pins.%s", param);
  assert_true(change_make(b->host, &(sinew_edit){.kind = SINEW_EDIT_ACTOR, .actor = actor, .field = field}, &value, 1));
  bool any = graph_treadmill_velocity(b->host, out);
  change_unpin(b->host);
  return any;
}

/* Walk travels 1.4 m/s and Run 4: the parameters' unit and sign are what the samples say, and an angle is no velocity.
 */
static void the_treadmill_follows_the_clips(void **state) {
  (void)state;
  static const char *const strides[] = {"Idle", "Walk", "Run"}, *const still[] = {"Idle", "Idle", "Idle"};
  bench b;
  float v[2];
  make(&b, 1, false);
  assert_true(run_on_line(&b, "pace", (const double[]){0, 0.35, 1}, strides, 0.5, v));
  assert_near(v[0], 0, 0.02);
  assert_near(v[1], 2, 0.04);
  assert_true(run_on_line(&b, "back", (const double[]){0, -5.04, -14.4}, strides, -7.2, v)); /* kilometres an hour */
  assert_near(v[1], 2, 0.04);
  assert_false(run_on_line(&b, "lean", (const double[]){-1, 0, 1}, still, 0.5, v));
  assert_false(
      run_on_line(&b, "mood", (const double[]){1, 0, -1}, strides, 0.5, v)); /* standing still at 1, walking at 0 */
  assert_near(v[0] + v[1], 0, 0);
  release(&b);
}

/* Nine samples in a plane of a hundred pixels: no name covers another one, or another sample's dot. */
static void names_of_samples_do_not_overlap(void **state) {
  (void)state;
  enum { SAMPLES = 9 };
  static graph_label labels[SAMPLES];
  const float mouse[2] = {-1000, -1000};
  bench b;
  make(&b, 1, false);
  for (float width = 90; width < 800; width *= 1.5f)
    for (int plane = 0; plane < 2; plane++) {
      graph_sheet sheet = {.host = b.host, .ui = b.host->ui, .scale = 1, .line = 17};
      graph_plot p = {.sheet = &sheet, .plane = plane, .box = {10, 10, 10 + width, 150}};
      int shown = 0;
      for (int i = 0; i < SAMPLES; i++) {
        graph_label *l = labels + i;
        snprintf(l->text, sizeof l->text, "RunStrafe%d", i);
        l->at[0] = 10 + width * (float)(i % 3 + 1) / 4, l->at[1] = plane ? 40 + 30 * (float)(i / 3) : 80;
        l->radius = 4, l->weight = i == 4 ? 0.5f : 0;
      }
      graph_labels_place(&p, labels, plane ? SAMPLES : 3, mouse);
      for (int i = 0; i < (plane ? SAMPLES : 3); i++) {
        const float *box = labels[i].box;
        if (!labels[i].is_shown) continue;
        shown++;
        assert_true(box[0] >= p.box[0] && box[1] >= p.box[1] && box[3] <= p.box[3]);
        for (int k = 0; k < i; k++) {
          const float *other = labels[k].box;
          bool apart = box[2] <= other[0] || other[2] <= box[0] || box[3] <= other[1] || other[3] <= box[1];
          assert_true(apart || !labels[k].is_shown);
        }
      }
      assert_true(shown >= (plane ? 3 : 2) && (!plane || labels[4].is_shown));
      if (width > 600) assert_int_equal(shown, plane ? SAMPLES : 3);
    }
  release(&b);
}

static void both_parameters_of_a_plane_are_pinned(void **state) {
  (void)state;
  bench b;
  float x, y, ahead[2], stand[2], left[2];
  bool pinned;
  make(&b, 1, false);
  bench_click(b.host, "strafe");
  bench_middle(b.host, "sample ahead", &ahead[0], &ahead[1]);
  bench_middle(b.host, "sample stand", &stand[0], &stand[1]);
  bench_middle(b.host, "sample left", &left[0], &left[1]);
  set(&b, "side", -1.2), set(&b, "speed", 0.5);
  bench_step(b.host, 2);
  bench_middle(b.host, "point", &x, &y);
  bench_drag(b.host, x, y, (stand[0] + left[0]) / 2, (stand[1] + ahead[1]) / 2);
  assert_near(seen(&b, "side", &pinned), 0.5, 0.02);
  assert_true(pinned);
  assert_near(seen(&b, "speed", &pinned), 0.7, 0.02);
  assert_true(pinned);
  release(&b);
}

/* Run from 4 m/s to half-way to Walk; what plays follows at once, the file when it is let go. */
static void a_dragged_sample_moves_and_is_written(void **state) {
  (void)state;
  bench b;
  sinew_node_def node;
  float run[2], walk[2];
  make(&b, 1, false);
  set(&b, "speed", 2);
  bench_step(b.host, 60);
  bench_click(b.host, "move");
  bench_middle(b.host, "sample Run", &run[0], &run[1]);
  bench_middle(b.host, "sample Walk", &walk[0], &walk[1]);
  bench_drag(b.host, run[0], run[1], (run[0] + walk[0]) / 2, run[1]);
  assert_int_equal(b.writes, 1);
  assert_int_equal(b.written.index, 7);
  assert_near(b.written.value, 2.7, 0.02);
  assert_true(sinew_actor_node(b.host->stage, b.actor, 0, 7, &node));
  assert_near(node.x, b.written.value, 0);
  assert_near(fabs(node.x * 100 - round(node.x * 100)), 0, 1e-9); /* a number that can be read */
  bench_step(b.host, 2);
  float weight = sinew_actor_node_weight(b.host->stage, b.actor, 0, 7);
  assert_near(weight, (2 - 1.4) / (node.x - 1.4), 1e-5);
  bool pinned;
  assert_near(seen(&b, "speed", &pinned), 2, 0);
  assert_false(pinned);
  release(&b);
}

/* Neither a graph that is replaced by a smaller one nor an actor that is gone leaves anything behind. */
static void what_is_gone_is_drawn_no_longer(void **state) {
  (void)state;
  bench b;
  sinew_error error = {{0}};
  make(&b, 1, false);
  bench_click(b.host, "wave");
  sinew_node_def node = sinew_node_def_default();
  node.key = "alone";
  assert_true(sinew_actor_set_graph(b.host->stage, b.actor, 0, &(sinew_graph_def){&node, 1, NULL, 0}, 0, &error));
  bench_step(b.host, 2);
  assert_true(shows(&b, "alone") && !shows(&b, "wave"));
  sinew_actor_destroy(b.host->stage, b.actor);
  bench_step(b.host, 2);
  assert_true(shows(&b, "No actor has a graph."));
  release(&b);
}

static void f10_opens_and_closes_it(void **state) {
  (void)state;
  bench b;
  make(&b, 1, false);
  sinew_host_set_view_keys(b.host, true);
  bench_press(b.host, "f10");
  assert_false(shows(&b, "Graph"));
  bench_press(b.host, "f10");
  assert_true(shows(&b, "Graph") && shows(&b, "move"));
  release(&b);
}

static void pictures(void **state) {
  (void)state;
  for (int scale = 1; scale <= 2 && getenv("SINEW_PICTURES"); scale++) {
    bench b;
    make(&b, (float)scale, true);
    set(&b, "speed", 1.9);
    bench_step(b.host, 20);
    bench_picture(b.host, "graph-machine", scale);
    bench_step(b.host, 20);
    bench_click(b.host, "move");
    bench_picture(b.host, "graph-line", scale);
    float at[2], run[2];
    bench_middle(b.host, "point", &at[0], &at[1]), bench_middle(b.host, "sample Walk", &run[0], &run[1]);
    bench_drag(b.host, at[0], at[1], run[0], run[1] + 20);
    bench_picture(b.host, "graph-treadmill", scale);
    bench_press(b.host, "escape");
    set(&b, "side", 1);
    bench_step(b.host, 35);
    set(&b, "side", 0.4), set(&b, "speed", 0.8);
    bench_click(b.host, "strafe");
    bench_picture(b.host, "graph-plane", scale);
    release(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_a_way_out_asks_for_is_told_part_by_part),
                                     cmocka_unit_test(nodes_and_samples_show_normalised_weights),
                                     cmocka_unit_test(the_point_stands_where_the_parameters_are),
                                     cmocka_unit_test(the_dragged_point_pins_its_parameter),
                                     cmocka_unit_test(both_parameters_of_a_plane_are_pinned),
                                     cmocka_unit_test(a_pinned_velocity_runs_on_a_treadmill),
                                     cmocka_unit_test(the_treadmill_follows_the_clips),
                                     cmocka_unit_test(names_of_samples_do_not_overlap),
                                     cmocka_unit_test(a_dragged_sample_moves_and_is_written),
                                     cmocka_unit_test(what_is_gone_is_drawn_no_longer),
                                     cmocka_unit_test(f10_opens_and_closes_it),
                                     cmocka_unit_test(pictures)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
