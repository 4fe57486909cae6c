/* Models whose files change while the scene goes on. */
#include "watched.h"

static const char watching[] = "local man = sinew.model '%s'\n"
                               "local hero = sinew.actor('hero', man)\n"
                               "hero:play('Walk', { fade = 0 })\n"
                               "hero:layer('arm', { mask = { Head = 1 } }):play 'Wave'\n";

static void open_watching(harness *h, const char *model) {
  char text[1024];
  snprintf(text, sizeof text, watching, model);
  setenv("SINEW_CACHE", "off", 1);
  if (!harness_load(h, text, NULL)) fail_msg("%s", h->error.message);
  harness_step(h, 3);
}

static const sinew_model *model_of(const harness *h) {
  return sinew_actor_model(sinew_host_stage(h->host), sinew_scene_find_actor(h->scene, "hero"));
}

static double walk_time(const harness *h, double *duration) {
  const sinew_stage *stage = sinew_host_stage(h->host);
  sinew_play_def action;
  sinew_actor hero = sinew_scene_find_actor(h->scene, "hero");
  assert_int_equal(sinew_actor_action_count(stage, hero, 0), 1);
  assert_int_equal(sinew_actor_action_count(stage, hero, 1), 1);
  assert_true(sinew_action_read_state(stage, sinew_actor_action(stage, hero, 0, 0), &action));
  *duration = sinew_clip_duration(sinew_model_clip(model_of(h), action.clip));
  return action.time;
}

/* Every frame moves the clock by its step, those in which the new model is read and comes, too. */
static void expect_new_model(harness *h) {
  sinew_model *old = sinew_model_retain((sinew_model *)(uintptr_t)model_of(h));
  double duration, time = walk_time(h, &duration);
  int frames = 0;
  for (; model_of(h) == old; frames++) {
    harness_step(h, 1);
    pause_for(0.005);
    assert_true(fabs(remainder(walk_time(h, &duration) - time - (frames + 1) / 60.0, duration)) < 1e-6);
  }
  assert_null(sinew_scene_problem(h->scene));
  sinew_model_release(old);
}

static void a_model_that_is_saved_takes_the_old_ones_place(void **state) {
  (void)state;
  harness h;
  char path[128];
  open_watched(&h);
  copy_asset(&h, "hero.glb", "own.glb");
  open_watching(&h, "own.glb");
  copy_asset(&h, "hero.glb", "own.glb");
  expect_new_model(&h);
  snprintf(path, sizeof path, "%s/own.glb", h.folder);
  harness_write(path, "half of a file");
  const sinew_model *model = model_of(&h);
  for (int i = 0; i < 100; i++) harness_step(&h, 1), pause_for(0.005);
  assert_ptr_equal(model_of(&h), model);
  assert_null(sinew_scene_problem(h.scene));
  copy_asset(&h, "hero.glb", "own.glb");
  expect_new_model(&h);
  harness_close(&h);
}

static void a_texture_beside_the_model_counts_as_the_model(void **state) {
  (void)state;
  harness h;
  open_watched(&h);
  copy_asset(&h, "hero.gltf", "own.gltf");
  copy_asset(&h, "hero.bin", "hero.bin");
  copy_asset(&h, "hero_palette.png", "hero_palette.png");
  copy_asset(&h, "hero_colors.png", "hero_colors.png");
  open_watching(&h, "own.gltf");
  const sinew_model *model = model_of(&h);
  assert_true(sinew_model_image_count(model) > 0);
  uint8_t before = sinew_model_image(model, 0).rgba[0];
  int width = sinew_model_image(model, 0).width;
  bool colors_first = strstr(sinew_model_image(model, 0).name, "colors") != NULL;
  copy_asset(&h, colors_first ? "hero_palette.png" : "hero_colors.png",
             colors_first ? "hero_colors.png" : "hero_palette.png");
  expect_new_model(&h);
  sinew_image_view image = sinew_model_image(model_of(&h), 0);
  assert_true(image.rgba[0] != before || image.width != width);
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_model_that_is_saved_takes_the_old_ones_place),
      cmocka_unit_test(a_texture_beside_the_model_counts_as_the_model),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
