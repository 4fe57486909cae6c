/* Root motion and attachments from scripts: what they do, what a save keeps, and what is refused. */
#include "harness.h"

#include <sinew/actor_modifiers.h>

#define PREFIX                                                                                                         \
  "local sinew = require 'sinew'\n"                                                                                    \
  "local man = sinew.model 'hero.glb'\n"                                                                               \
  "local hero = sinew.actor('hero', man)\n"

static sinew_vec3 place_of(const harness *h, const char *name) {
  return sinew_actor_transform(sinew_host_stage(h->host), sinew_scene_find_actor(h->scene, name)).translation;
}

static sinew_actor attached_to(const sinew_stage *stage, sinew_actor actor) {
  sinew_attachment held;
  return sinew_actor_attachment(stage, actor, &held) ? held.to : (sinew_actor){0};
}

/* ---- root motion ---- */

#define TRAVEL "hero:play('WalkRoot', { fade = 0 })\n"

/* The joint's way in the clip itself. */
static double stride(const harness *h) {
  const sinew_model *model = sinew_actor_model(sinew_host_stage(h->host), sinew_scene_find_actor(h->scene, "hero"));
  const sinew_clip *clip = sinew_model_clip(model, sinew_model_find_clip(model, "WalkRoot"));
  sinew_transform from, to;
  sinew_sample_joint_job job = {model, clip, 0, sinew_model_find_joint(model, "Root"), &from};
  assert_true(sinew_sample_joint(&job));
  job.time = sinew_clip_duration(clip);
  job.output = &to;
  assert_true(sinew_sample_joint(&job));
  return (double)to.translation.z - (double)from.translation.z;
}

static void an_actor_travels_as_far_as_its_clip(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX TRAVEL "hero:root_motion { joint = 'Root' }\n");
  harness_step(&h, 56 * 3); /* three passes of 0.9333 s */
  assert_true(fabs((double)place_of(&h, "hero").z - 3 * stride(&h)) < 0.03);
  harness_close(&h);
}

static void what_is_not_applied_is_there_to_be_asked(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX TRAVEL "hero:root_motion { joint = 'Root', apply = false }\n"
                                 "local way = 0\n"
                                 "function sinew.update() way = way + hero:root_delta().z print(way > 1.0) end\n");
  harness_step(&h, 57);
  harness_expect(h.printed, "true");
  assert_true(place_of(&h, "hero").z == 0);
  harness_close(&h);
}

static void a_save_leaves_an_unchanged_root_alone_and_one_that_went_is_off(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX TRAVEL "hero:root_motion { joint = 'Root' }\n");
  harness_step(&h, 30);
  assert_true(harness_reload(&h, PREFIX TRAVEL "hero:root_motion { joint = 'Root' }\n"));
  harness_expect(sinew_scene_summary(h.scene), "nothing declared has changed");
  float before = place_of(&h, "hero").z;
  harness_step(&h, 30);
  assert_true(place_of(&h, "hero").z > before + 0.3f);
  assert_true(harness_reload(&h, PREFIX TRAVEL));
  before = place_of(&h, "hero").z;
  harness_step(&h, 10);
  assert_true(place_of(&h, "hero").z == before);
  harness_close(&h);
}

/* ---- attachments ---- */

#define HOLD                                                                                                           \
  "local lamp = hero:attach('RightHand', man, { name = 'lamp', offset = { position = { 0, 0.1, 0 } } })\n"             \
  "hero:play 'Walk'\n"

static void what_is_attached_is_where_the_joint_is(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX HOLD "sinew.on('key_pressed', function() lamp:detach() end)\n");
  const sinew_stage *stage = sinew_host_stage(h.host);
  sinew_actor hero = sinew_scene_find_actor(h.scene, "hero");
  int joint = sinew_model_find_joint(sinew_actor_model(stage, hero), "RightHand");
  for (int i = 0; i < 20; i++) {
    harness_step(&h, 1);
    sinew_vec3 at = sinew_mat3x4_transform_point(sinew_actor_joints(stage, hero) + joint, (sinew_vec3){0, 0.1f, 0});
    sinew_vec3 lamp = place_of(&h, "lamp");
    assert_true(fabsf(at.x - lamp.x) + fabsf(at.y - lamp.y) + fabsf(at.z - lamp.z) < 1e-5f);
  }
  harness_key(&h, "m");
  sinew_vec3 before = place_of(&h, "lamp");
  harness_step(&h, 10);
  sinew_vec3 after = place_of(&h, "lamp");
  assert_memory_equal(&before, &after, sizeof before);
  harness_close(&h);
}

static void a_save_keeps_lets_go_and_follows_another_model(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX HOLD);
  harness_step(&h, 5);
  assert_true(harness_reload(&h, PREFIX HOLD));
  harness_expect(sinew_scene_summary(h.scene), "nothing declared has changed");
  const sinew_stage *stage = sinew_host_stage(h.host);
  sinew_actor lamp = sinew_scene_find_actor(h.scene, "lamp");
  assert_true(attached_to(stage, lamp).id == sinew_scene_find_actor(h.scene, "hero").id);
  assert_true(harness_reload(&h, "local man = sinew.model 'hero.glb'\n"
                                 "local hero = sinew.actor('hero', sinew.model 'hero.fbx')\n" HOLD));
  lamp = sinew_scene_find_actor(h.scene, "lamp");
  assert_true(attached_to(stage, lamp).id == sinew_scene_find_actor(h.scene, "hero").id);
  assert_true(harness_reload(&h, PREFIX "sinew.actor('lamp', man)\n"));
  assert_true(attached_to(stage, sinew_scene_find_actor(h.scene, "lamp")).id == 0);
  harness_close(&h);
}

static void refused(const char *text, const char *reason) { harness_refused(PREFIX, text, reason); }

static void what_cannot_be_is_refused_with_the_reason(void **state) {
  (void)state;
  refused("hero:root_motion { joint = 'Rot' }", "did you mean 'Root'");
  refused("hero:root_motion { jiont = 'Root' }", "did you mean 'joint'");
  refused("hero:root_motion { joint = 'Root', axes = 'xw' }", "axes are x, y, z and yaw");
  refused("hero:root_motion { joint = 'Root', feet = { 'LeftFot' } }", "did you mean 'LeftFoot'");
  refused("hero:attach('RihgtHand', man)", "did you mean 'RightHand'");
  refused("hero:attach('RightHand', man, { ofset = {} })", "did you mean 'offset'");
  refused("hero:attach('RightHand', man, { offset = { positon = { 0, 0, 0 } } })", "did you mean 'position'");
  refused("hero:attach('RightHand', hero)", "cannot be attached to 'hero'");
  refused("local b = hero:attach('Head', man) b:attach('Head', hero)", "which is attached to it");
  refused("hero:detach()", "cannot be called at the top level");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_actor_travels_as_far_as_its_clip),
      cmocka_unit_test(what_is_not_applied_is_there_to_be_asked),
      cmocka_unit_test(a_save_leaves_an_unchanged_root_alone_and_one_that_went_is_off),
      cmocka_unit_test(what_is_attached_is_where_the_joint_is),
      cmocka_unit_test(a_save_keeps_lets_go_and_follows_another_model),
      cmocka_unit_test(what_cannot_be_is_refused_with_the_reason),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
