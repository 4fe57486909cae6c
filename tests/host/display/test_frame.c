/* The loop without pictures: order, time, input, limits. */
#include "support/fixture.h"

#include "base/memory/memory.h"
#include "host/host.h"

typedef struct app_log {
  sinew_host *host;
  char order[256];
  int updates, keys_down, keys_up, clicks;
  double time;
  char last_key[32], dropped[64];
  bool last_ctrl, fails, was_down_in_update;
} app_log;

static void on_update(void *user, double dt) {
  app_log *log = user;
  float value = 3;
  bool flag = true;
  int chosen = 1;
  log->updates++;
  log->time += dt;
  log->was_down_in_update = sinew_host_is_down(log->host, "space");
  if (strlen(log->order) < 200) strcat(log->order, "u");
  sinew_ui_begin(log->host, "Panel");
  assert_false(sinew_ui_button(log->host, "b"));
  assert_false(sinew_ui_slider(log->host, "s", &value, 0, 1));
  assert_false(sinew_ui_checkbox(log->host, "c", &flag));
  assert_false(sinew_ui_list(log->host, "l", NULL, 0, &chosen));
  sinew_ui_end(log->host);
  assert_true(value == 3 && flag && chosen == 1);
}

static void on_draw(void *user) {
  app_log *log = user;
  if (strlen(log->order) < 200) strcat(log->order, "d");
  sinew_host_draw_line(log->host, &(sinew_line){0}, true);
  sinew_host_draw_text(log->host, 1, 2, (const uint8_t[4]){255, 255, 255, 255}, "text");
}

static void on_key(void *user, const char *key, bool down, bool ctrl) {
  app_log *log = user;
  log->keys_down += down;
  log->keys_up += !down;
  log->last_ctrl = ctrl;
  snprintf(log->last_key, sizeof log->last_key, "%s", key);
  if (strlen(log->order) < 200) strcat(log->order, "k");
}

static void on_mouse(void *user, int button, bool down) {
  (void)button;
  ((app_log *)user)->clicks += down;
}

static void on_drop(void *user, const char *path) {
  app_log *log = user;
  snprintf(log->dropped, sizeof log->dropped, "%s", path);
}

static bool on_failed(void *user) { return ((app_log *)user)->fails; }

static sinew_host *make_host(app_log *log, int frame_limit) {
  sinew_host_def def = sinew_host_def_default();
  sinew_error error = {0};
  def.output = SINEW_OUTPUT_NONE;
  def.frame_limit = frame_limit;
  sinew_host *host = sinew_host_create(&def, &error);
  if (!host) fail_msg("%s", error.message);
  *log = (app_log){.host = host};
  sinew_host_set_app(host, &(sinew_app){.user = log,
                                        .update = on_update,
                                        .draw = on_draw,
                                        .key = on_key,
                                        .mouse = on_mouse,
                                        .drop = on_drop,
                                        .failed = on_failed});
  return host;
}

static void step(sinew_host *host, int frames) {
  sinew_error error = {0};
  for (int i = 0; i < frames; i++)
    if (!sinew_host_step(host, 0.02, &error)) fail_msg("%s", error.message);
}

static void test_a_thousand_frames(void **state) {
  (void)state;
  app_log log;
  sinew_error error;
  sinew_host *host = make_host(&log, 1000);
  assert_true(sinew_host_run(host, &error));
  assert_int_equal(log.updates, 1000);
  assert_int_equal(sinew_host_frame(host), 1000);
  assert_near(sinew_host_time(host), 1000.0 / 60, 1e-9);
  assert_near(log.time, sinew_host_time(host), 1e-9);
  assert_true(sinew_host_run(host, &error)); /* and another thousand */
  assert_int_equal(sinew_host_frame(host), 2000);
  sinew_host_destroy(host);
}

static void test_the_order_of_a_frame(void **state) {
  (void)state;
  app_log log;
  sinew_host *host = make_host(&log, 0);
  sinew_host_send_key(host, "a", true);
  step(host, 2);
  assert_string_equal(log.order, "kudud");
  sinew_host_destroy(host);
}

/* With an actor that plays: what a frame needs was taken in the first frames. */
static void test_a_warm_frame_allocates_nothing(void **state) {
  (void)state;
  app_log log;
  sinew_host *host = make_host(&log, 0);
  sinew_model *model = random_model(60, SHAPE_RANDOM, 20, true);
  sinew_stage *stage = sinew_host_stage(host);
  sinew_actor actor = sinew_actor_create(stage, "one", model, NULL);
  sinew_play_def play = sinew_play_def_default();
  assert_int_not_equal(sinew_actor_play(stage, actor, &play, NULL).id, 0);
  step(host, 100);
  uint64_t before = mem_request_count();
  step(host, 500);
  assert_int_equal(mem_request_count() - before, 0);
  sinew_model_release(model);
  sinew_host_destroy(host);
}

static void test_keys_reach_the_application(void **state) {
  (void)state;
  app_log log;
  sinew_host *host = make_host(&log, 0);
  assert_false(sinew_host_send_key(host, "nokey", true));
  assert_true(sinew_host_send_key(host, "space", true));
  assert_true(sinew_host_send_key(host, "space", true)); /* a repeat */
  assert_false(sinew_host_is_down(host, "space"));       /* not before its frame */
  step(host, 1);
  assert_true(log.was_down_in_update && sinew_host_is_down(host, "space"));
  assert_int_equal(log.keys_down, 1);
  sinew_host_send_key(host, "space", false);
  step(host, 1);
  assert_int_equal(log.keys_up, 1);
  assert_false(log.was_down_in_update);
  sinew_host_send_key(host, "left_ctrl", true);
  sinew_host_send_key(host, "s", true);
  step(host, 1);
  assert_string_equal(log.last_key, "s");
  assert_true(log.last_ctrl);
  assert_false(sinew_host_is_down(host, "no such key"));
  sinew_host_destroy(host);
}

static void test_view_keys(void **state) {
  (void)state;
  app_log log;
  sinew_host *host = make_host(&log, 0);
  sinew_view_options *view = sinew_host_view(host);
  assert_true(view->ground && !view->wireframe);
  const char *keys[] = {"w", "b", "g", "f3"};
  for (int i = 0; i < 4; i++) sinew_host_send_key(host, keys[i], true);
  step(host, 1);
  assert_true(view->wireframe && view->skeleton && !view->ground && view->stats);
  assert_int_equal(log.keys_down, 4); /* the application hears them as well */
  for (int i = 0; i < 4; i++) sinew_host_send_key(host, keys[i], false);
  sinew_host_set_view_keys(host, false);
  for (int i = 0; i < 4; i++) sinew_host_send_key(host, keys[i], true);
  step(host, 1);
  assert_true(view->wireframe && !view->ground);
  sinew_host_destroy(host);
}

static void tap(sinew_host *host, const char *key) {
  sinew_host_send_key(host, key, true);
  sinew_host_send_key(host, key, false);
  step(host, 2); /* down in one frame, up in the next */
}

static void test_time_stands_still_and_slows_down(void **state) {
  (void)state;
  app_log log;
  sinew_host *host = make_host(&log, 0);
  sinew_host_set_view_keys(host, false); /* it needs no leave */
  tap(host, "f6");
  double time = log.time;
  int updates = log.updates;
  step(host, 5);
  assert_int_equal(log.updates, updates + 5); /* panels live there */
  assert_true(log.time == time && sinew_host_time(host) == time);
  tap(host, "f7");
  step(host, 5);
  assert_near(log.time, time + 1.0 / 60, 1e-12);
  tap(host, "f6");
  time = log.time;
  step(host, 10);
  assert_near(log.time, time + 10 * 0.02, 1e-12);
  static const double speeds[] = {0.25, 0.0625, 1};
  for (int i = 0; i < 3; i++) {
    tap(host, "f8");
    time = log.time;
    step(host, 10);
    assert_near(log.time, time + 10 * 0.02 * speeds[i], 1e-12);
    assert_near(sinew_host_time(host), log.time, 1e-12);
  }
  tap(host, "f7"); /* pauses what ran */
  step(host, 1);
  time = log.time;
  step(host, 5);
  assert_true(log.time == time);
  sinew_host_destroy(host);
}

/* No number takes time away. */
static void test_a_speed_that_is_none_counts_as_one(void **state) {
  (void)state;
  app_log log;
  sinew_host *host = make_host(&log, 0);
  const float none[] = {0, -1, NAN, INFINITY};
  for (int i = 0; i < 4; i++) {
    sinew_host_view(host)->speed = none[i];
    double time = sinew_host_time(host);
    step(host, 1);
    assert_near(sinew_host_time(host), time + 0.02, 1e-12);
  }
  sinew_host_destroy(host);
}

static void test_the_mouse_turns_the_camera(void **state) {
  (void)state;
  app_log log;
  sinew_host *host = make_host(&log, 0);
  sinew_vec3 before = sinew_host_camera(host)->position;
  for (int pass = 0; pass < 2; pass++) {
    sinew_host_set_orbit(host, pass == 1);
    sinew_host_send_mouse(host, 600, 300);
    sinew_host_send_button(host, 1, true);
    step(host, 1);
    sinew_host_send_mouse(host, 800, 350);
    step(host, 30);
    sinew_host_send_button(host, 1, false);
    step(host, 1);
    double moved = distance_between(before, sinew_host_camera(host)->position);
    assert_true(pass == 0 ? moved == 0 : moved > 0.3);
  }
  assert_int_equal(log.clicks, 2);
  float x, y;
  sinew_host_mouse(host, &x, &y);
  assert_true(x == 800 && y == 350);
  sinew_host_destroy(host);
}

static void test_a_dropped_file(void **state) {
  (void)state;
  app_log log;
  sinew_host *host = make_host(&log, 0);
  sinew_host_send_drop(host, "fox.glb");
  sinew_host_send_drop(host, NULL);
  step(host, 1);
  assert_string_equal(log.dropped, "fox.glb");
  sinew_host_destroy(host);
}

static void test_failure_ends_the_run(void **state) {
  (void)state;
  app_log log;
  sinew_error error = {0};
  sinew_host *host = make_host(&log, 100);
  log.fails = true;
  assert_false(sinew_host_run(host, &error));
  assert_int_equal(log.updates, 1);
  assert_non_null(strstr(error.message, "frame 1"));
  sinew_host_destroy(host);
}

static void quit_at_five(void *user, double dt) {
  app_log *log = user;
  (void)dt;
  if (++log->updates == 5) sinew_host_quit(log->host);
}

static void test_quit(void **state) {
  (void)state;
  app_log log;
  sinew_host *host = make_host(&log, 0);
  sinew_host_set_app(host, &(sinew_app){.user = &log, .update = quit_at_five});
  assert_true(sinew_host_run(host, NULL));
  assert_int_equal(log.updates, 5);
  sinew_host_destroy(host);
}

static void step_inside(void *user, double dt) {
  app_log *log = user;
  sinew_error error = {0};
  log->updates++;
  assert_false(sinew_host_step(log->host, dt, &error));
  assert_non_null(strstr(error.message, "within a frame"));
}

static void test_a_frame_within_a_frame(void **state) {
  (void)state;
  app_log log;
  sinew_host *host = make_host(&log, 0);
  sinew_host_set_app(host, &(sinew_app){.user = &log, .update = step_inside});
  step(host, 3);
  assert_int_equal(log.updates, 3);
  sinew_host_destroy(host);
}

static void test_steps_without_sense(void **state) {
  (void)state;
  app_log log;
  sinew_error error;
  sinew_host *host = make_host(&log, 0);
  assert_true(sinew_host_step(host, NAN, &error));
  assert_true(sinew_host_step(host, INFINITY, &error));
  assert_true(sinew_host_step(host, 0, &error));
  assert_true(sinew_host_time(host) == 0);
  sinew_host_set_app(host, NULL);
  step(host, 1);
  sinew_host_destroy(host);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_thousand_frames),
      cmocka_unit_test(test_the_order_of_a_frame),
      cmocka_unit_test(test_a_warm_frame_allocates_nothing),
      cmocka_unit_test(test_keys_reach_the_application),
      cmocka_unit_test(test_view_keys),
      cmocka_unit_test(test_time_stands_still_and_slows_down),
      cmocka_unit_test(test_a_speed_that_is_none_counts_as_one),
      cmocka_unit_test(test_the_mouse_turns_the_camera),
      cmocka_unit_test(test_a_dropped_file),
      cmocka_unit_test(test_failure_ends_the_run),
      cmocka_unit_test(test_quit),
      cmocka_unit_test(test_a_frame_within_a_frame),
      cmocka_unit_test(test_steps_without_sense),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
