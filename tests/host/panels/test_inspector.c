/* The inspector is used as a person uses it: with the mouse, by what is on the picture. */
#include "panel_bench.h"

#include <sinew/actor_modifiers.h>
#include <sinew/curve.h>
#include <sinew/graph.h>
#include <sinew/playing.h>

enum { WIDE = 1000, HIGH = 800 };

typedef struct bench {
  sinew_host *host;
  sinew_model *model;
  sinew_actor actor;
  sinew_action walk;
} bench;

static void add_graph(bench *b) {
  const char *const names[] = {"speed", "turn rate"};
  const int clips[] = {sinew_model_find_clip(b->model, "Idle"), sinew_model_find_clip(b->model, "Walk")};
  sinew_node_def nodes[] = {sinew_node_def_default(), sinew_node_def_default(), sinew_node_def_default()};
  sinew_graph_def graph = {nodes, 3, NULL, 0};
  sinew_error error = {{0}};
  assert_true(sinew_actor_set_params(b->host->stage, b->actor, names, NULL, 2, &error));
  nodes[0].kind = SINEW_NODE_SPACE_1D, nodes[0].key = "gait";
  nodes[0].first_child = 1, nodes[0].child_count = 2, nodes[0].param_x = 0;
  for (int i = 0; i < 2; i++) nodes[i + 1].clip = clips[i], nodes[i + 1].x = i;
  int layer = sinew_actor_add_layer(b->host->stage, b->actor, "upper", NULL, &error);
  assert_int_equal(layer, 1);
  if (!sinew_actor_set_graph(b->host->stage, b->actor, layer, &graph, 0, &error)) fail_msg("%s", error.message);
}

static bench make_at(int width, int height, float scale, bool drawn) {
  bench b = {.host = bench_host_of(width, height, scale, drawn), .model = bench_hero()};
  sinew_error error = {{0}};
  b.actor = sinew_actor_create(b.host->stage, "hero", b.model, &error);
  sinew_play_def play = sinew_play_def_default();
  play.clip = sinew_model_find_clip(b.model, "Walk"), play.fade = 0;
  b.walk = sinew_actor_play(b.host->stage, b.actor, &play, &error);
  const sinew_marker marks[] = {{.time = 0.2, .name = "left"}, {.time = 0.7, .name = "right", .sync = true}};
  assert_true(sinew_stage_set_markers(b.host->stage, b.model, play.clip, marks, 2, &error));
  add_graph(&b);
  sinew_host_view(b.host)->inspector = true;
  bench_step(b.host, 3);
  return b;
}

static bench make(float scale) { return make_at(WIDE, HIGH, scale, false); }

static void release(bench *b) {
  sinew_host_destroy(b->host);
  sinew_model_release(b->model);
}

/* Presses at one share of the widget's width, lets go at another. */
static void drag(bench *b, const char *label, float from, float to) {
  float box[4];
  bench_find(b->host, label, box);
  float y = (box[1] + box[3]) / 2, width = box[2] - box[0];
  bench_drag(b->host, box[0] + width * from, y, box[0] + width * to, y);
}

static void click(bench *b, const char *label) { drag(b, label, 0.05f, 0.05f); }

static sinew_play_def state_of(bench *b) {
  sinew_play_def s;
  assert_true(sinew_action_read_state(b->host->stage, b->walk, &s));
  return s;
}

static void f1_opens_and_closes_it(void **state) {
  (void)state;
  bench b = make(1);
  float box[4];
  bench_find(b.host, "Copy as Lua", box);
  for (int down = 1; down >= 0; down--) assert_true(sinew_host_send_key(b.host, "f1", down));
  bench_step(b.host, 3);
  assert_false(ui_find_item(b.host->ui, "Copy as Lua", box));
  release(&b);
}

/* Paused, and taken to a quarter and three quarters of the clip. */
static void a_clip_is_scrubbed(void **state) {
  (void)state;
  bench b = make(1);
  double duration = sinew_clip_duration(sinew_model_clip(b.model, state_of(&b).clip));
  click(&b, "paused");
  assert_true(state_of(&b).paused);
  drag(&b, "time", 0.25f, 0.25f);
  assert_near(state_of(&b).time, 0.25 * duration, 0.01 * duration);
  drag(&b, "time", 0.25f, 0.75f);
  assert_near(state_of(&b).time, 0.75 * duration, 0.01 * duration);
  assert_int_equal(b.host->inspector.changes.count, 1); /* time is not noted */
  assert_string_equal(b.host->inspector.changes.changes[0].line,
                      "hero:play(\"Walk\", { layer = \"base\", weight = 1, speed = 1 }).paused = true");
  release(&b);
}

static bool shows(bench *b, const char *text) { return bench_shows(b->host, text); }

/* 1 and 0.4 of asking are 71 % and 29 % of what shows. */
static void shares_are_of_what_shows(void **state) {
  (void)state;
  bench b = make(1);
  sinew_play_def play = sinew_play_def_default();
  play.clip = sinew_model_find_clip(b.model, "Idle"), play.fade = 0, play.solo = false, play.weight = 0.4f;
  sinew_actor_play(b.host->stage, b.actor, &play, NULL);
  bench_step(b.host, 2);
  assert_true(shows(&b, "71 %") && shows(&b, "29 %") && shows(&b, "Walk") && shows(&b, "Idle"));
  sinew_actor_set_param(b.host->stage, b.actor, 0, 0.25);
  bench_step(b.host, 1);
  click(&b, "Graph");
  assert_true(shows(&b, "75 %") && shows(&b, "25 %"));
  release(&b);
}

/* Where they come from is all the same. */
static void curves_of_playing_clips_show(void **state) {
  (void)state;
  bench b = make(1);
  const sinew_curve_key keys[] = {{0, 0.25}};
  for (int i = 0; i < 2; i++) {
    int clip = sinew_model_find_clip(b.model, i ? "Wave" : "Walk");
    assert_true(sinew_stage_set_curve(b.host->stage, b.model, clip, i ? "hidden" : "left_grip", keys, 1, NULL));
  }
  bench_step(b.host, 2);
  assert_true(shows(&b, "curve left_grip: 0.25") && !shows(&b, "hidden"));
  release(&b);
}

static void transitions_in_progress_show(void **state) {
  (void)state;
  bench b = make(1);
  sinew_play_def play = sinew_play_def_default();
  play.clip = sinew_model_find_clip(b.model, "Run"), play.fade = 0.5;
  sinew_actor_play(b.host->stage, b.actor, &play, NULL);
  bench_step(b.host, 15);
  assert_true(shows(&b, "Walk → Run") && shows(&b, "crossfade, 0.23 of 0.50 s") && shows(&b, "47 %"));
  bench_step(b.host, 30);
  assert_false(shows(&b, "Walk → Run"));
  release(&b);
}

/* The graph's first clip that shows, while time stands. */
static void a_clip_of_a_graph_is_scrubbed(void **state) {
  (void)state;
  bench b = make(1);
  sinew_playing playing;
  click(&b, "Graph");
  sinew_host_view(b.host)->paused = true;
  for (int quarter = 1; quarter < 4; quarter++) {
    drag(&b, "time", 0.1f, 0.25f * (float)quarter);
    assert_true(sinew_actor_node_playing(b.host->stage, b.actor, 1, 1, &playing));
    assert_near(playing.phase, 0.25 * quarter, 0.01);
  }
  release(&b);
}

static void what_was_changed_is_copied_as_lua(void **state) {
  (void)state;
  bench b = make(1);
  char expected[256];
  drag(&b, "weight", 0.1f, -3);
  assert_true(state_of(&b).weight == 0);
  drag(&b, "speed", 0.1f, 3);
  assert_true(state_of(&b).speed == 2);
  click(&b, "space");
  click(&b, "model");
  assert_true(sinew_actor_layer(b.host->stage, b.actor, 1).space == SINEW_LAYER_MODEL);
  click(&b, "Actor");
  click(&b, "visible");
  assert_false(sinew_actor_is_visible(b.host->stage, b.actor));
  drag(&b, "opacity", 0.1f, -3);
  assert_true(sinew_actor_opacity(b.host->stage, b.actor) == 0);
  click(&b, "Graph");
  drag(&b, "turn rate", 0.1f, 0.4f);
  double turn = sinew_actor_param(b.host->stage, b.actor, 1);
  assert_true(turn > 0.1 && turn < 3);
  click(&b, "Views");
  click(&b, "bind pose");
  assert_true(sinew_host_view(b.host)->bind_pose);
  click(&b, "Copy as Lua");
  snprintf(expected, sizeof expected,
           "hero:play(\"Walk\", { layer = \"base\", weight = 0, speed = 2 })\n"
           "hero:layer(\"upper\", { weight = 1, space = \"model\" })\n"
           "hero.visible = false\n"
           "hero.opacity = 0\n"
           "hero.params[\"turn rate\"] = %.6g\n"
           "sinew.view.bind_pose = true\n",
           turn);
  assert_string_equal(sinew_host_clipboard(b.host), expected);
  click(&b, "Forget");
  assert_int_equal(b.host->inspector.changes.count, 0);
  release(&b);
}

typedef struct wish {
  char field[64], text[64];
  double value;
  int count;
} wish;

/* A parameter has a place in the script, and nothing else has. */
static bool write_number(void *user, const sinew_edit *edit, char *answer, size_t size) {
  wish *w = user;
  snprintf(answer, size, edit->shows ? "scene.lua:1: would be" : "scene.lua:1: done");
  if (edit->shows) return true;
  w->count++;
  snprintf(w->field, sizeof w->field, "%s", edit->field);
  snprintf(w->text, sizeof w->text, "%s", edit->text ? edit->text : "");
  w->value = edit->value;
  return strcmp(edit->field, "params.speed") == 0;
}

static void apply_writes_what_has_a_place(void **state) {
  (void)state;
  bench b = make(1);
  wish w = {.count = 0};
  assert_false(shows(&b, "Apply"));
  sinew_host_set_app(b.host, &(sinew_app){.user = &w, .write = write_number});
  bench_step(b.host, 1);
  click(&b, "Graph");
  drag(&b, "speed", 0.1f, 0.4f);
  assert_true(shows(&b, "scene.lua:1: would be")); /* before it is written */
  assert_int_equal(w.count, 0);
  click(&b, "Apply");
  assert_int_equal(w.count, 1);
  assert_string_equal(w.field, "params.speed");
  assert_near(w.value, sinew_actor_param(b.host->stage, b.actor, 0), 1e-9);
  assert_int_equal(b.host->inspector.changes.count, 0);
  /* All of it is asked for: both options of an action, and what no line says, which stays for Copy as Lua. */
  click(&b, "Play");
  drag(&b, "weight", 0.1f, 0.5f);
  drag(&b, "speed", 0.1f, 0.6f);
  click(&b, "Actor");
  click(&b, "visible");
  click(&b, "Apply");
  assert_int_equal(w.count, 4);
  assert_string_equal(w.field, "visible");
  assert_string_equal(w.text, "false");
  assert_int_equal(b.host->inspector.changes.count, 2);
  release(&b);
}

static void the_joint_of_the_weights_is_chosen(void **state) {
  (void)state;
  bench b = make(1);
  float box[4];
  click(&b, "Views");
  assert_false(ui_find_item(b.host->ui, "joint", box));
  click(&b, "surface");
  click(&b, "weight");
  click(&b, "joint");
  click(&b, "Hips");
  assert_string_equal(sinew_host_view(b.host)->joint, "Hips");
  click(&b, "Copy as Lua");
  assert_string_equal(sinew_host_clipboard(b.host), "sinew.view.surface = \"weight\"\nsinew.view.joint = \"Hips\"\n");
  release(&b);
}

/* The order is of first changes; what is changed again has its last value only. */
static void names_become_lua(void **state) {
  (void)state;
  change_list list = {0};
  char text[LUA_TEXT];
  const char *const names[][2] = {{"speed", ".speed"},  {"_2", "._2"},  {"2", "[\"2\"]"},
                                  {"end", "[\"end\"]"}, {"", "[\"\"]"}, {"a \"b\\\n", "[\"a \\\"b\\\\\\010\"]"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    lua_key(text, names[i][0]);
    assert_string_equal(text, names[i][1]);
  }
  lua_actor(text, "hero 2");
  assert_string_equal(text, "sinew.actor(\"hero 2\")");
  char endless[3000];
  memset(endless, '"', sizeof endless - 1), endless[sizeof endless - 1] = '\0';
  lua_key(text, endless);
  assert_true(strlen(text) < LUA_TEXT);
  changes_note(&list, "a.x", "1");
  changes_note(&list, "b", "2");
  changes_note(&list, "a.x", "3");
  char *lua = changes_as_lua(&list);
  assert_string_equal(lua, "a.x = 3\nb = 2\n");
  mem_free(lua);
  changes_clear(&list);
}

/* Nothing to show, and a model without anything that moves. */
static void an_empty_stage_is_inspected(void **state) {
  (void)state;
  bench b = make(1);
  sinew_actor_destroy(b.host->stage, b.actor);
  bench_step(b.host, 3);
  click(&b, "Views");
  bench_step(b.host, 2);
  release(&b);
}

/* Everything that is in it lies within it, at any scale. */
static void nothing_is_cut_off(void **state) {
  (void)state;
  const char *const labels[] = {"actor", "Copy as Lua", "Forget", "Walk", "weight", "speed"};
  for (int scale = 1; scale <= 2; scale++) {
    bench b = make((float)scale);
    float area[4];
    ui_free_area(b.host->ui, area);
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
      float box[4];
      bench_find(b.host, labels[i], box);
      assert_true(box[0] > area[2] && box[2] < WIDE * scale - 8 * scale);
      assert_true(box[1] > 0 && box[3] < HIGH * scale);
    }
    release(&b);
  }
}

static void draw_scene_panel(void *user, double dt) {
  float value = 1;
  (void)dt;
  sinew_ui_slider(user, "height", &value, 0, 2);
}

/* Numbers lie behind panels, so they are what the overlay has before the rest. */
static void panels_and_numbers_leave_each_other_room(void **state) {
  (void)state;
  bench b = make_at(640, 360, 1, false);
  b.host->app.update = draw_scene_panel, b.host->app.user = b.host;
  for (int inspected = 0; inspected < 2; inspected++) {
    float right, bottom, area[4];
    sinew_host_view(b.host)->inspector = inspected;
    sinew_host_view(b.host)->stats = false;
    bench_step(b.host, 3);
    ui_panels_end(b.host->ui, &right, &bottom);
    ui_free_area(b.host->ui, area);
    assert_true(right > 100 && bottom > 40 && right <= area[2]);
    int without = ui_overlay(b.host->ui)->vertex_count;
    sinew_host_view(b.host)->stats = true;
    bench_step(b.host, 1);
    const sinew_overlay *o = ui_overlay(b.host->ui);
    assert_true(o->vertex_count > without + 100);
    for (int i = 0; i < o->vertex_count - without; i++) {
      const sinew_overlay_vertex *v = &o->vertices[i];
      assert_true((v->x > right || v->y > bottom) && v->x < area[2] && v->y < 360);
    }
  }
  release(&b);
}

static picture picture_of(bench *b) {
  picture p;
  sinew_error error = {{0}};
  assert_true(picture_create(&p, b->host->width, b->host->height, NULL));
  if (!sinew_renderer_read(b->host->renderer, p.width, p.height, p.rgba, &error)) fail_msg("%s", error.message);
  return p;
}

static void each_tab_shows_its_own(void **state) {
  (void)state;
  const char *const tabs[] = {"Play", "Graph", "Pose", "Views"};
  const bool drawn = getenv("SINEW_PICTURES") != NULL;
  for (int scale = 1; scale <= (drawn ? 2 : 1); scale++) {
    bench b = make_at(WIDE, HIGH, (float)scale, drawn);
    int vertices[4];
    for (int i = 0; i < 4; i++) {
      click(&b, tabs[i]);
      vertices[i] = ui_overlay(b.host->ui)->vertex_count;
      for (int k = 0; k < i; k++) assert_int_not_equal(vertices[i], vertices[k]);
      if (!drawn) continue;
      char name[32];
      snprintf(name, sizeof name, "inspector-%s", tabs[i]);
      bench_picture(b.host, name, scale);
    }
    release(&b);
  }
}

static double light(const picture *p, int x, int y) {
  const uint8_t *c = pixel_at(p, x, y);
  return (0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]) / 255;
}

/* Dark, with light text on it, at the right; beside it the picture is as it was. */
static void the_panel_is_in_the_picture(void **state) {
  (void)state;
  bench b = make_at(480, 300, 1, true);
  sinew_host_view(b.host)->paused = true;
  bench_step(b.host, 1);
  picture with = picture_of(&b);
  float box[4], area[4];
  ui_free_area(b.host->ui, area);
  int edge = (int)area[2], bright = 0, dark = 0, moved = 0;
  bench_find(b.host, "Copy as Lua", box);
  sinew_host_view(b.host)->inspector = false;
  bench_step(b.host, 1);
  picture without = picture_of(&b);
  for (int y = (int)box[1] + 2; y < (int)box[3] - 2; y++)
    for (int x = (int)box[0] + 2; x < (int)box[2] - 2; x++)
      bright += light(&with, x, y) > 0.75, dark += light(&with, x, y) < 0.35;
  for (int y = 0; y < 300; y++)
    for (int x = 0; x < edge; x++) moved += abs(pixel_at(&with, x, y)[1] - pixel_at(&without, x, y)[1]) > 2;
  assert_true(bright > 60 && dark > 2 * bright);
  assert_true(light(&without, 470, 20) > 0.5 && light(&with, 470, 20) < 0.35);
  assert_int_equal(moved, 0);
  picture_release(&with), picture_release(&without);
  release(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(f1_opens_and_closes_it),
                                     cmocka_unit_test(shares_are_of_what_shows),
                                     cmocka_unit_test(apply_writes_what_has_a_place),
                                     cmocka_unit_test(curves_of_playing_clips_show),
                                     cmocka_unit_test(transitions_in_progress_show),
                                     cmocka_unit_test(a_clip_of_a_graph_is_scrubbed),
                                     cmocka_unit_test(a_clip_is_scrubbed),
                                     cmocka_unit_test(what_was_changed_is_copied_as_lua),
                                     cmocka_unit_test(the_joint_of_the_weights_is_chosen),
                                     cmocka_unit_test(names_become_lua),
                                     cmocka_unit_test(an_empty_stage_is_inspected),
                                     cmocka_unit_test(nothing_is_cut_off),
                                     cmocka_unit_test(panels_and_numbers_leave_each_other_room),
                                     cmocka_unit_test(each_tab_shows_its_own),
                                     cmocka_unit_test(the_panel_is_in_the_picture)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
