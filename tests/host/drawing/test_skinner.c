/* Whoever skins, the picture is the same. */
#include "host_fixture.h"

#include "host/host.h"

enum { WIDTH = 320, HEIGHT = 180 };

static sinew_model *model;

static int set_up(void **state) {
  (void)state;
  model = sinew_model_load(SINEW_SOURCE "/assets/hero.glb", NULL, NULL);
  return model ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  sinew_model_release(model);
  return 0;
}

static sinew_host *make_host(sinew_output output) {
  sinew_host_def def = sinew_host_def_default();
  sinew_error error = {{0}};
  def.output = output;
  def.width = WIDTH, def.height = HEIGHT;
  def.samples = 1;
  def.shadow_size = 256;
  sinew_host *host = sinew_host_create(&def, &error);
  if (!host) fail_msg("%s", error.message);
  return host;
}

/* In mid-stride and with a grin, linear and by dual quaternions. */
static void add_actors(sinew_host *host) {
  for (int i = 0; i < 2; i++) {
    sinew_actor actor = sinew_actor_create(host->stage, i ? "dual" : "linear", model, NULL);
    sinew_play_def play = sinew_play_def_default();
    play.clip = sinew_model_find_clip(model, "Run"), play.time = 0.2, play.speed = 0, play.fade = 0;
    assert_int_not_equal(sinew_actor_play(host->stage, actor, &play, NULL).id, 0);
    sinew_transform position = sinew_transform_identity();
    position.translation.x = (float)i - 0.5f;
    assert_true(sinew_actor_set_transform(host->stage, actor, &position));
    assert_true(sinew_actor_set_morph(host->stage, actor, "Smile", 1));
    sinew_actor_set_skinning(host->stage, actor, i ? SINEW_SKINNING_DUAL_QUATERNION : SINEW_SKINNING_LINEAR);
  }
  sinew_host_frame_box(host, (sinew_vec3){-1, 0, -0.5f}, (sinew_vec3){1, 1.8f, 0.5f});
}

static picture picture_of(sinew_host *host) {
  sinew_error error = {{0}};
  picture p = {0};
  assert_true(sinew_host_step(host, 1.0 / 60, &error));
  assert_true(picture_create(&p, WIDTH, HEIGHT, NULL));
  if (!sinew_renderer_read(host->renderer, WIDTH, HEIGHT, p.rgba, &error)) fail_msg("%s", error.message);
  return p;
}

static int count_different(const picture *a, const picture *b) {
  int count = 0;
  for (int i = 0; i < WIDTH * HEIGHT * 4; i++) count += abs(a->rgba[i] - b->rgba[i]) > 8;
  return count;
}

static void every_skinner_gives_the_same_picture(void **state) {
  (void)state;
  sinew_host *host = make_host(SINEW_OUTPUT_OFFSCREEN);
  sinew_error error = {{0}};
  picture empty = picture_of(host), first = {0};
  add_actors(host);
  const char *name;
  int count = 0;
  for (; (name = sinew_host_skinner_name(host, count)); count++) {
    if (!sinew_host_set_skinner(host, name, &error)) fail_msg("%s", error.message);
    assert_string_equal(sinew_host_skinner(host), name);
    picture p = picture_of(host);
    bool given = host->items[0].skinned && host->items[1].skinned;
    assert_int_equal(given, strcmp(name, "cpu") == 0);
    if (count == 0) first = p;
    if (count == 0) assert_true(count_different(&p, &empty) > 2000);
    else assert_in_range(count_different(&p, &first), 0, 40);
    if (count > 0) picture_release(&p);
  }
  assert_true(count >= 3);
  picture_release(&first);
  picture_release(&empty);
  sinew_host_destroy(host);
}

static void what_is_not_there_is_refused_with_what_is(void **state) {
  (void)state;
  sinew_host *host = make_host(SINEW_OUTPUT_NONE);
  sinew_error error = {{0}};
  assert_true(sinew_host_set_skinner(host, "cpu", &error));
  assert_false(sinew_host_set_skinner(host, "gpu", &error));
  assert_string_equal(error.message, "no skinner 'gpu' on this machine; there are vertex, feedback, cpu");
  assert_false(sinew_host_set_skinner(host, "compute", &error));
  assert_string_equal(sinew_host_skinner(host), "cpu");
  assert_true(sinew_host_set_skinner(host, "feedback", &error));
  assert_string_equal(sinew_host_skinner(host), "feedback");
  assert_null(sinew_host_skinner_name(host, 3));
  sinew_host_destroy(host);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_skinner_gives_the_same_picture),
                                     cmocka_unit_test(what_is_not_there_is_refused_with_what_is)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
