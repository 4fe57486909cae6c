/* The host with pictures, offscreen: what frames show and where they go. */
#include "host_fixture.h"

#include "host/host.h"
#include "support/packed_picture.h"

static sinew_host *offscreen_host(int width, int height, const char *target, int frames) {
  sinew_host_def def = sinew_host_def_default();
  sinew_error error = {0};
  def.output = SINEW_OUTPUT_OFFSCREEN;
  def.width = width;
  def.height = height;
  def.capture = target;
  def.frame_limit = frames;
  def.samples = 1;
  def.shadow_size = 0;
  def.watch = true;
  sinew_host *host = sinew_host_create(&def, &error);
  if (!host) fail_msg("%s", error.message);
  return host;
}

static void step(sinew_host *host, int frames) {
  sinew_error error = {0};
  for (int i = 0; i < frames; i++)
    if (!sinew_host_step(host, 1.0 / 60, &error)) fail_msg("%s", error.message);
}

/* The picture of the last frame. */
static picture picture_of(sinew_host *host) {
  picture p;
  sinew_error error = {0};
  assert_true(picture_create(&p, host->width, host->height, &error));
  if (!sinew_renderer_read(host->renderer, p.width, p.height, p.rgba, &error)) fail_msg("%s", error.message);
  return p;
}

static int count_color(const picture *p, int red, int green, int blue, int tolerance) {
  int count = 0;
  for (int i = 0; i < p->width * p->height; i++) {
    const uint8_t *c = p->rgba + 4 * i;
    count += abs(c[0] - red) <= tolerance && abs(c[1] - green) <= tolerance && abs(c[2] - blue) <= tolerance;
  }
  return count;
}

static int count_different(const picture *a, const picture *b) {
  int count = 0;
  assert_true(a->width == b->width && a->height == b->height);
  for (int i = 0; i < a->width * a->height; i++) count += memcmp(a->rgba + 4 * i, b->rgba + 4 * i, 4) != 0;
  return count;
}

static void test_the_last_picture_is_saved(void **state) {
  (void)state;
  sinew_host *host = offscreen_host(160, 90, test_file("last.png"), 3);
  sinew_error error = {0};
  assert_true(sinew_host_run(host, &error));
  assert_true(file_exists(test_file("last.png"))); /* at the end of the run, not of the host */
  sinew_host_destroy(host);
  picture p = read_png(test_file("last.png"));
  assert_int_equal(p.width, 160);
  assert_int_equal(p.height, 90);
  picture_release(&p);
}

static void test_two_runs_give_the_same_bytes(void **state) {
  (void)state;
  picture p[2];
  for (int i = 0; i < 2; i++) {
    sinew_host *host = offscreen_host(320, 180, NULL, 0);
    sinew_host_log(host, SINEW_LOG_INFO, "hello");
    step(host, 7);
    p[i] = picture_of(host);
    sinew_host_destroy(host);
  }
  assert_int_equal(count_different(&p[0], &p[1]), 0);
  picture_release(&p[0]);
  picture_release(&p[1]);
}

static void test_bad_definitions(void **state) {
  (void)state;
  sinew_host_def good = sinew_host_def_default();
  good.output = SINEW_OUTPUT_NONE;
  sinew_host_def cases[6];
  for (int i = 0; i < 6; i++) cases[i] = good;
  cases[0].width = 0;
  cases[1].height = 1 << 20;
  cases[2].fixed_dt = NAN;
  cases[3].frame_limit = -1;
  cases[4].capture = "x.png"; /* nothing is drawn */
  cases[5].output = (sinew_output)7;
  for (int i = 0; i < 6; i++) {
    sinew_error error = {0};
    assert_null(sinew_host_create(&cases[i], &error));
    assert_true(strlen(error.message) > 10);
  }
}

static void test_a_place_for_pictures_is_checked_first(void **state) {
  (void)state;
  sinew_host_def def = sinew_host_def_default();
  sinew_error error = {0};
  def.output = SINEW_OUTPUT_OFFSCREEN;
  def.capture = "no/such/folder/x.png";
  assert_null(sinew_host_create(&def, &error));
  assert_non_null(strstr(error.message, "no/such/folder"));
}

/* The red bar of the panel is there while the problem is, and gone with it. */
static void test_a_problem_shows_until_it_is_cleared(void **state) {
  (void)state;
  sinew_host *host = offscreen_host(640, 360, NULL, 0);
  step(host, 2);
  picture before = picture_of(host);
  assert_int_equal(count_color(&before, 196, 52, 48, 12), 0);
  assert_null(sinew_host_problem(host, 0));
  sinew_host_set_problem(host, 0, "scene.lua:12", "attempt to index a nil value\n\n> 12  hero:paly()\n");
  sinew_host_set_problem(host, 99, "x", "outside the slots");
  assert_string_equal(sinew_host_problem(host, 0), "attempt to index a nil value\n\n> 12  hero:paly()\n");
  assert_null(sinew_host_problem(host, 99));
  step(host, 2);
  picture during = picture_of(host);
  assert_true(count_color(&during, 196, 52, 48, 12) > 2000);
  sinew_host_set_problem(host, 0, NULL, NULL);
  step(host, 2);
  picture after = picture_of(host);
  assert_int_equal(count_different(&before, &after), 0);
  picture_release(&before);
  picture_release(&during);
  picture_release(&after);
  sinew_host_destroy(host);
}

static void test_problems_of_any_length(void **state) {
  (void)state;
  sinew_host *host = offscreen_host(200, 100, NULL, 0);
  char *text = malloc(100001);
  for (int i = 0; i < 100000; i++) text[i] = i % 700 == 0 ? '\n' : i % 3 ? 'x' : '\xc3';
  text[100000] = '\0';
  for (int slot = 0; slot < 8; slot++) sinew_host_set_problem(host, slot, "title", slot % 2 ? "" : text);
  sinew_host_log(host, SINEW_LOG_ERROR, text);
  sinew_host_toast(host, text);
  sinew_host_set_help(host, text);
  step(host, 2);
  free(text);
  sinew_host_destroy(host);
}

typedef struct panel_app {
  sinew_host *host;
  int pressed;
  float speed;
} panel_app;

static void draw_panel(void *user, double dt) {
  panel_app *app = user;
  (void)dt;
  app->pressed += sinew_ui_button(app->host, "Jump");
  sinew_ui_slider(app->host, "speed", &app->speed, 0, 10);
}

/* The panel "Scene" begins 16 pixels from the corner: title, button, slider. */
static void test_panels_are_clicked(void **state) {
  (void)state;
  sinew_host *host = offscreen_host(640, 360, NULL, 0);
  panel_app app = {.host = host, .speed = 1};
  sinew_host_set_app(host, &(sinew_app){.user = &app, .update = draw_panel});
  sinew_vec3 camera = sinew_host_camera(host)->position;
  step(host, 3);
  sinew_host_send_mouse(host, 50, 58);
  sinew_host_send_button(host, 1, true);
  sinew_host_send_button(host, 1, false);
  step(host, 4);
  assert_int_equal(app.pressed, 1);
  sinew_host_send_mouse(host, 100, 87);
  sinew_host_send_button(host, 1, true);
  step(host, 2);
  float dragged = app.speed;
  assert_true(dragged > 2 && dragged < 8);
  sinew_host_send_mouse(host, 150, 87);
  sinew_host_send_button(host, 1, false);
  step(host, 3);
  assert_true(app.speed > dragged);
  assert_memory_equal(&camera, &sinew_host_camera(host)->position, sizeof camera); /* the drag was the slider's */
  sinew_host_destroy(host);
}

static void draw_lines(void *user) {
  sinew_host *host = user;
  sinew_vec3 t = sinew_host_camera(host)->target;
  for (int i = 0; i < 40; i++) {
    float y = t.y - 0.4f + 0.02f * (float)i;
    sinew_host_draw_line(host, &(sinew_line){{t.x - 1, y, t.z}, {t.x + 1, y, t.z}, {255, 0, 255, 255}}, i % 2);
  }
  sinew_host_draw_text(host, 60, 60, (const uint8_t[4]){0, 255, 0, 255}, "####");
}

static void test_lines_and_text_of_a_frame(void **state) {
  (void)state;
  sinew_host *host = offscreen_host(160, 90, NULL, 0);
  sinew_host_set_app(host, &(sinew_app){.user = host, .draw = draw_lines});
  step(host, 2);
  picture with = picture_of(host);
  assert_true(count_color(&with, 255, 0, 255, 70) > 50);
  assert_true(count_color(&with, 0, 255, 0, 90) > 5);
  sinew_host_set_app(host, NULL);
  step(host, 1);
  picture without = picture_of(host);
  assert_int_equal(count_color(&without, 255, 0, 255, 70), 0);
  picture_release(&with);
  picture_release(&without);
  sinew_host_destroy(host);
}

static void test_stats_and_skeleton_can_be_shown(void **state) {
  (void)state;
  sinew_host *host = offscreen_host(640, 360, NULL, 0);
  sinew_model *model = random_model(30, SHAPE_CHAIN, 5, false);
  sinew_actor actor = sinew_actor_create(sinew_host_stage(host), "one", model, NULL);
  sinew_model_release(model);
  step(host, 2);
  picture before = picture_of(host);
  *sinew_host_view(host) = (sinew_view_options){.wireframe = true, .skeleton = true, .ground = true, .stats = true};
  sinew_host_frame_box(host, (sinew_vec3){-3, -3, -3}, (sinew_vec3){3, 3, 3});
  step(host, 2);
  picture after = picture_of(host);
  assert_true(count_different(&before, &after) > 1000);
  assert_int_equal(host->models.count, 1);
  sinew_actor_destroy(sinew_host_stage(host), actor);
  step(host, 1);
  assert_int_equal(host->models.count, 0); /* gone with its last actor */
  picture_release(&before);
  picture_release(&after);
  sinew_host_destroy(host);
}

static void test_a_window_without_a_size_draws_nothing(void **state) {
  (void)state;
  sinew_host *host = offscreen_host(64, 64, NULL, 0);
  step(host, 1);
  host->width = host->height = 0;
  step(host, 3);
  host->width = host->height = 64;
  step(host, 1);
  sinew_host_destroy(host);
}

static void test_a_warm_idle_frame_allocates_nothing(void **state) {
  (void)state;
  sinew_host *host = offscreen_host(64, 64, NULL, 0);
  step(host, 30);
  uint64_t before = mem_request_count();
  step(host, 30);
  assert_int_equal(mem_request_count() - before, 0);
  sinew_host_destroy(host);
}

static void hear(void *user, const char *const *paths, int count) {
  (void)paths;
  *(int *)user += count;
}

static void test_watched_files_reach_the_application(void **state) {
  (void)state;
  sinew_host *host = offscreen_host(32, 32, NULL, 0);
  sinew_error error = {0};
  int changes = 0;
  write_text(test_file("scene.lua"), "one");
  assert_true(sinew_host_watch(host, test_file("scene.lua"), &error));
  sinew_host_set_app(host, &(sinew_app){.user = &changes, .files_changed = hear});
  write_text(test_file("scene.lua"), "changed");
  for (int i = 0; i < 500 && changes == 0; i++) {
    step(host, 1);
    wait_ms(5);
  }
  assert_int_equal(changes, 1);
  sinew_host_unwatch_all(host);
  sinew_host_destroy(host);
}

/* A large picture is on its way while the first frame is drawn; then it is there. A run without a window waits. */
static void test_a_packed_picture_comes_later(void **state) {
  (void)state;
  sinew_error error = {0};
  setenv("SINEW_IMPORT", TEST_IMPORT, 1);
  picture_bytes packed = packed_png(0, 1024, 512);
  write_picture(test_file("0.png"), &packed);
  write_picture_gltf(test_file("pictures.gltf"), 1);
  free(packed.data);
  picture drawn[2];
  for (int waits = 0; waits < 2; waits++) {
    sinew_host *host = offscreen_host(64, 64, NULL, 0);
    sinew_model *model = sinew_model_load(test_file("pictures.gltf"), NULL, &error);
    if (!model) fail_msg("%s", error.message);
    assert_non_null(sinew_model_image(model, 0).packed);
    sinew_actor_create(sinew_host_stage(host), "wall", model, &error);
    assert_true(host->models.waits);
    host->models.waits = waits;
    *sinew_host_camera(host) = (sinew_camera){{0.5f, 0.5f, 1}, {0.5f, 0.5f, 0}, {0, 1, 0}, 0.9f, 0.1f, 100, 0, 0};
    step(host, 1);
    picture first = picture_of(host);
    for (int i = 0; i < 1000 && host->models.entries[0].pictures; i++) step(host, 1), wait_ms(5);
    assert_null(host->models.entries[0].pictures);
    drawn[waits] = picture_of(host);
    assert_true((count_different(&first, &drawn[waits]) > 1000) == (waits == 0));
    picture_release(&first);
    sinew_model_release(model);
    sinew_host_destroy(host);
  }
  assert_int_equal(count_different(&drawn[0], &drawn[1]), 0);
  picture_release(&drawn[0]), picture_release(&drawn[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_packed_picture_comes_later),
      cmocka_unit_test(test_the_last_picture_is_saved),
      cmocka_unit_test(test_two_runs_give_the_same_bytes),
      cmocka_unit_test(test_bad_definitions),
      cmocka_unit_test(test_a_place_for_pictures_is_checked_first),
      cmocka_unit_test(test_a_problem_shows_until_it_is_cleared),
      cmocka_unit_test(test_problems_of_any_length),
      cmocka_unit_test(test_panels_are_clicked),
      cmocka_unit_test(test_lines_and_text_of_a_frame),
      cmocka_unit_test(test_stats_and_skeleton_can_be_shown),
      cmocka_unit_test(test_a_window_without_a_size_draws_nothing),
      cmocka_unit_test(test_a_warm_idle_frame_allocates_nothing),
      cmocka_unit_test(test_watched_files_reach_the_application),
  };
  if (no_pictures_here()) return 77;
  return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
