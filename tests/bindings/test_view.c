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
  const struct CMUnitTest tests[] = {cmocka_unit_test(view_fields_are_the_host_s),
                                     cmocka_unit_test(a_scene_slows_down_and_pauses),
                                     cmocka_unit_test(skinning_switches_while_the_scene_runs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
