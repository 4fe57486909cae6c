/* Vectors that are read as fields of an object. */
#include "harness.h"

#define PREFIX                                                                                                         \
  "local sinew = require 'sinew'\n"                                                                                    \
  "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"

static void fields_that_stay_are_read_without_garbage(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX "local motor = hero:motor {}\n"
                          "local sum = 0\n"
                          "function sinew.update()\n"
                          "  hero.position = { sinew.frame, 2, 3 }\n"
                          "  motor.velocity = { 1, 0, sinew.frame }\n"
                          "  sum = hero.position.x + hero.rotation.w + hero.scale.z + motor.velocity.z\n"
                          "  local before = collectgarbage 'count'\n"
                          "  for _ = 1, 1000 do\n"
                          "    sum = sum + hero.position.x * hero.position.y + hero.rotation.w + hero.scale.z\n"
                          "    sum = sum + motor.velocity.z\n"
                          "  end\n"
                          "  local made = collectgarbage 'count' - before\n"
                          "  assert(made < 0.5, made)\n"
                          "end\n");
  harness_step(&h, 5);
  if (sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
  harness_close(&h);
}

/* A field that changes is another vector: who keeps one keeps its numbers. */
static void a_vector_that_is_kept_is_a_value(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX "function sinew.test()\n"
                          "  hero.position = { 1, 2, 3 }\n"
                          "  local kept, turn = hero.position, hero.rotation\n"
                          "  assert(rawequal(kept, hero.position))\n"
                          "  hero.position = { 4, 5, 6 }\n"
                          "  assert(kept.x == 1 and kept.z == 3 and hero.position.x == 4 and hero.position.z == 6)\n"
                          "  hero.position = { 1, 2, 3 }\n"
                          "  assert(hero.position == kept and kept.y == 2)\n"
                          "  hero.rotation = 1\n"
                          "  assert(turn.w == 1 and hero.rotation.w < 0.9 and hero.scale.x == 1)\n"
                          "  hero.scale = 2\n"
                          "  assert(hero.scale.x == 2 and hero.position.x == 1)\n"
                          "  print 'kept'\n"
                          "end\n");
  if (!sinew_scene_test(h.scene, NULL, &h.error)) fail_msg("%s", h.error.message);
  harness_expect(h.printed, "kept");
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fields_that_stay_are_read_without_garbage),
                                     cmocka_unit_test(a_vector_that_is_kept_is_a_value)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
