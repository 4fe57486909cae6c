/* Models and folders of clips that are written again while a scene runs: what plays goes on where it was. */
#include "harness.h"

static void run(const char *format, const harness *h) {
  char command[512];
  snprintf(command, sizeof command, format, SINEW_SOURCE, h->folder);
  assert_int_equal(system(command), 0);
}

static bool plays(const harness *h, const char *clip) {
  sinew_stage *stage = sinew_host_stage(h->host);
  sinew_actor hero = sinew_scene_find_actor(h->scene, "hero");
  return sinew_model_find_clip(sinew_actor_model(stage, hero), clip) >= 0;
}

/* A file that is put into a folder of clips joins the model, and what plays goes on. Others change nothing. */
static void test_a_folder_gets_a_clip_file(void **state) {
  harness h;
  char folder[300];
  sinew_play_def before, after;
  (void)state;
  harness_open_host(&h);
  run("mkdir '%2$s/pack' && cp '%1$s/assets/hero_walk.bvh' '%2$s/pack/stroll.bvh'", &h);
  snprintf(folder, sizeof folder, "%s/pack", h.folder);
  const char *text = "print 'run'\n"
                     "local hero = sinew.actor('hero', sinew.model('hero.glb', { clips = { 'pack/*.bvh' } }))\n"
                     "hero:play('Walk', { fade = 0 })\n";
  if (!harness_load(&h, text, NULL)) fail_msg("%s", h.error.message);
  harness_step(&h, 20);
  assert_true(plays(&h, "stroll") && !plays(&h, "amble"));
  sinew_stage *stage = sinew_host_stage(h.host);
  sinew_app app = sinew_scene_app(h.scene);
  run("true '%1$s' > '%2$s/pack/notes.txt'", &h);
  app.files_changed(h.scene, &(const char *){folder}, 1);
  assert_string_equal(h.printed, "run\n");
  run("cp '%1$s/assets/hero_walk.bvh' '%2$s/pack/amble.bvh'", &h);
  sinew_actor hero = sinew_scene_find_actor(h.scene, "hero");
  assert_true(sinew_action_read_state(stage, sinew_actor_action(stage, hero, 0, 0), &before));
  app.files_changed(h.scene, &(const char *){folder}, 1);
  for (int i = 0; i < 2000 && !plays(&h, "amble"); i++) harness_step(&h, 0), usleep(5000);
  assert_true(plays(&h, "stroll") && plays(&h, "amble"));
  hero = sinew_scene_find_actor(h.scene, "hero");
  assert_true(sinew_action_read_state(stage, sinew_actor_action(stage, hero, 0, 0), &after));
  assert_true(after.time == before.time);
  assert_null(sinew_scene_problem(h.scene));
  harness_close(&h);
}

/* A model file that was written again takes the place of the old one; what plays goes on where it was. */
static void test_model_written_anew(void **state) {
  static const char *const text = "local man = sinew.model 'own.glb'\n"
                                  "local hero = sinew.actor('hero', man)\n"
                                  "hero:play('Walk', { fade = 0 })\n"
                                  "hero:layer('arm', { mask = { Head = 1 } }):play('Wave')\n"
                                  "local pal = sinew.actor('pal', man)\n"
                                  "function sinew.update() hero.position = { 0, 0, sinew.time } end\n";
  harness h;
  sinew_play_def before, after;
  (void)state;
  harness_open_host(&h);
  run("cp '%1$s/assets/hero.glb' '%2$s/own.glb' && touch '%2$s/own.glb'", &h);
  if (!harness_load(&h, text, NULL)) fail_msg("%s", h.error.message);
  harness_step(&h, 20);
  sinew_stage *stage = sinew_host_stage(h.host);
  sinew_actor hero = sinew_scene_find_actor(h.scene, "hero");
  assert_true(sinew_action_read_state(stage, sinew_actor_action(stage, hero, 0, 0), &before));
  sinew_model *old = sinew_model_retain(sinew_actor_model(stage, hero));
  run("cp '%1$s/assets/hero.glb' '%2$s/own.glb' && touch '%2$s/own.glb'", &h);
  assert_true(harness_reload(&h, text));
  harness_expect(sinew_scene_summary(h.scene), "own.glb was loaded again");
  hero = sinew_scene_find_actor(h.scene, "hero");
  assert_true(sinew_actor_model(stage, hero) != old);
  assert_int_equal(sinew_stage_actor_count(stage), 2);
  assert_true(sinew_action_read_state(stage, sinew_actor_action(stage, hero, 0, 0), &after));
  assert_true(after.time == before.time && after.clip == before.clip);
  assert_int_equal(sinew_actor_action_count(stage, hero, 1), 1);
  harness_step(&h, 2);
  assert_null(sinew_scene_problem(h.scene));
  assert_true(sinew_actor_transform(stage, hero).translation.z > 0.3f);
  sinew_model_release(old);
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_folder_gets_a_clip_file),
      cmocka_unit_test(test_model_written_anew),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
