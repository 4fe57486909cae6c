/* sinew.view and what an actor is skinned by: fields that reach the host and the stage. */
#include "harness.h"

static void view_fields_are_the_host_s(void **state) {
  (void)state;
  harness h;
  harness_open(&h, "local sinew = require 'sinew'\n"
                   "sinew.view.surface = 'weight'\n"
                   "sinew.view.joint = 'LeftHand'\n"
                   "sinew.view.axes, sinew.view.bounds, sinew.view.ground = true, true, false\n"
                   "print(sinew.view.surface, sinew.view.joint, sinew.view.axes, sinew.view.names)\n"
                   "print(pcall(function() sinew.view.surface = 'normal' end))\n"
                   "print(pcall(function() sinew.view.bones = true end))\n");
  const sinew_view_options *view = sinew_host_view(h.host);
  assert_int_equal(view->surface, SINEW_SURFACE_WEIGHT);
  assert_string_equal(view->joint, "LeftHand");
  assert_true(view->axes && view->bounds && !view->ground && !view->names && !view->wireframe);
  harness_expect(h.printed, "weight\tLeftHand\ttrue\tfalse");
  harness_expect(h.printed, "\"normals\"");
  harness_expect(h.printed, "sinew.view has no field 'bones'");
  harness_close(&h);
}

/* A scene may slow itself down; who pressed a key meanwhile keeps what they chose. */
static void a_scene_slows_down_and_pauses(void **state) {
  (void)state;
  harness h;
  harness_open(&h, "sinew.view.speed = 0.5\n"
                   "function sinew.key_pressed() sinew.view.paused = not sinew.view.paused end\n"
                   "function sinew.update(dt) print(('%.6f'):format(dt)) end\n");
  harness_step(&h, 1);
  harness_expect(h.printed, "0.008333\n");
  h.printed[0] = 0;
  assert_true(sinew_host_send_key(h.host, "a", true));
  harness_step(&h, 1); /* the key comes when the frame has its time */
  harness_step(&h, 2);
  assert_string_equal(h.printed, "0.008333\n0.000000\n0.000000\n");
  assert_false(harness_reload(&h, "sinew.view.speed = 0"));
  harness_expect(h.error.message, "speed");
  assert_true(harness_reload(&h, "local nothing"));
  assert_true(sinew_host_view(h.host)->speed == 1);
  harness_close(&h);
}

/* Debug views are fields of the top level as others are: a save that fails sets none, what a person has chosen since
 * stays, and what is declared no more is as it was before. */
static void views_are_part_of_the_load(void **state) {
  static const char *const text = "sinew.view.names, sinew.view.ground = true, false\n"
                                  "sinew.view.surface, sinew.view.skinner = 'joints', 'cpu'\n";
  char broken[512];
  harness h;
  (void)state;
  harness_open(&h, "local nothing");
  const sinew_view_options before = *sinew_host_view(h.host);
  const char *skinner = sinew_host_skinner(h.host);
  sinew_view_options *view = sinew_host_view(h.host);
  snprintf(broken, sizeof broken, "%s assert(sinew.view.names and sinew.view.surface == 'joints') error 'late'", text);
  assert_false(harness_reload(&h, broken));
  harness_expect(h.error.message, "late");
  assert_memory_equal(view, &before, sizeof before);
  assert_true(harness_reload(&h, text));
  assert_true(view->names && !view->ground && view->surface == SINEW_SURFACE_JOINTS);
  assert_string_equal(sinew_host_skinner(h.host), "cpu");
  harness_expect(sinew_scene_summary(h.scene), "view.names true");
  view->names = false; /* as a key does */
  assert_true(harness_reload(&h, text));
  assert_false(view->names);
  assert_true(sinew_scene_restart(h.scene, &h.error));
  assert_true(view->names);
  assert_true(harness_reload(&h, "local nothing"));
  assert_memory_equal(view, &before, sizeof before);
  assert_string_equal(sinew_host_skinner(h.host), skinner);
  harness_close(&h);
}

static void the_joint_of_the_view_is_part_of_the_load(void **state) {
  (void)state;
  harness h;
  harness_open(&h, "local nothing");
  char *joint = sinew_host_view(h.host)->joint;
  snprintf(joint, 64, "Hips");
  assert_false(harness_reload(&h, "sinew.view.joint = 'Head' error 'no'"));
  assert_string_equal(joint, "Hips");
  assert_true(harness_reload(&h, "sinew.view.joint = 'Head' print(sinew.view.joint)"));
  harness_expect(h.printed, "Head\n");
  assert_string_equal(joint, "Head");
  snprintf(joint, 64, "Neck"); /* what a person chose stays, until the file says something else */
  assert_true(harness_reload(&h, "sinew.view.joint = 'Head' print(sinew.view.joint) local other"));
  assert_string_equal(joint, "Neck");
  assert_true(
      harness_reload(&h, "sinew.view.joint = 'Spine' function sinew.key_pressed() sinew.view.joint = 'Root' end"));
  assert_string_equal(joint, "Spine");
  harness_key(&h, "a");
  harness_step(&h, 1);
  assert_string_equal(joint, "Root");
  assert_true(harness_reload(&h, "local nothing"));
  assert_string_equal(joint, "Hips");
  harness_close(&h);
}

/* While it runs; a save leaves alone what it did not change, as with every field. */
static void skinning_switches_while_the_scene_runs(void **state) {
  (void)state;
  harness h;
  static const char scene[] =
      "local sinew = require 'sinew'\n"
      "local hero = sinew.actor('hero', sinew.model 'hero.glb', { skinning = 'dual_quaternion' })\n"
      "print(hero.skinning)\n"
      "function sinew.key_pressed() hero.skinning = 'linear' end\n";
  harness_open(&h, scene);
  sinew_stage *stage = sinew_host_stage(h.host);
  sinew_actor actor = sinew_stage_actor(stage, 0);
  harness_expect(h.printed, "dual_quaternion");
  assert_int_equal(sinew_actor_skinning(stage, actor), SINEW_SKINNING_DUAL_QUATERNION);
  assert_true(sinew_host_send_key(h.host, "a", true));
  harness_step(&h, 2);
  assert_int_equal(sinew_actor_skinning(stage, actor), SINEW_SKINNING_LINEAR);
  assert_true(harness_reload(&h, scene));
  assert_int_equal(sinew_actor_skinning(stage, actor), SINEW_SKINNING_LINEAR);
  assert_false(harness_reload(&h, "local sinew = require 'sinew'\n"
                                  "sinew.actor('hero', sinew.model 'hero.glb').skinning = 'dual'\n"));
  harness_expect(h.error.message, "\"dual_quaternion\"");
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(view_fields_are_the_host_s), cmocka_unit_test(a_scene_slows_down_and_pauses),
      cmocka_unit_test(views_are_part_of_the_load), cmocka_unit_test(the_joint_of_the_view_is_part_of_the_load),
      cmocka_unit_test(skinning_switches_while_the_scene_runs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
