/* Levels in scenes: who walks there, what a save does, what is asked, and what is refused. */
#include "harness.h"

#define YARD                                                                                                           \
  "local sinew = require 'sinew'\n"                                                                                    \
  "yard = sinew.level {\n"                                                                                             \
  "  { 'floor', box = { 24, 0.2, 24 }, position = { 0, -0.1, 0 }, surface = 'stone' },\n"                              \
  "  { 'stairs', stairs = { 12, rise = 0.17, run = 0.28, width = 2 }, position = { 4, 0, 2 }, surface = 'wood' },\n"   \
  "  { 'upstairs', box = { 6, 0.2, 6 }, position = { 4, 1.94, 8.36 } },\n"                                             \
  "  { 'wall', box = { 6, 3, 0.2 }, position = { -6, 1.5, 3 } },\n"                                                    \
  "  { 'lift', box = { 2, 0.2, 2 }, position = { -4, 0.1, -4 } } }\n"                                                  \
  "hero = sinew.actor('hero', 'hero.glb', { position = { 4, 0, 0 } })\n"                                               \
  "motor = hero:motor { level = yard }\n"                                                                              \
  "hero:set_graph(sinew.blend_space_1d { param = 'speed', sync = true, 'Idle', 'Walk', 'Run' })\n"                     \
  "local function near(a, b, by) assert(math.abs(a - b) <= (by or 0.002), a .. ' is not ' .. b) end\n"

static void expect(const char *test) {
  harness h;
  char text[8192];
  snprintf(text, sizeof text, "%s%s", YARD, test);
  harness_open_host(&h);
  if (!harness_load(&h, text, NULL)) fail_msg("%s", h.error.message);
  if (!sinew_scene_test(h.scene, NULL, &h.error)) fail_msg("%s", h.error.message);
  harness_close(&h);
}

static void she_climbs_the_stairs(void **state) {
  (void)state;
  expect("function sinew.test()\n"
         "  sinew.simulate { seconds = 0.5 }\n"
         "  near(hero.position.y, 0)\n"
         "  assert(motor.grounded and motor.surface == 'stone' and motor.rise == 0)\n"
         "  motor.velocity = { 0, 0, 1.4 }\n"
         "  local before, most = hero.position.y, 0\n"
         "  for i = 1, 300 do\n"
         "    sinew.simulate { seconds = 1 / 60 }\n"
         "    most, before = math.max(most, math.abs(hero.position.y - before)), hero.position.y\n"
         "    assert(motor.grounded and hero.params.grounded == 1, i)\n"
         "  end\n"
         "  near(hero.position.y, 2.04)\n"
         "  near(hero.position.x, 4)\n"
         "  assert(most < 0.06, most)\n"
         "  near(motor.velocity.z, 1.4)\n"
         "  near(hero.params.speed, 1.4)\n"
         "  motor.velocity = { 0, 0, -1.4 }\n"
         "  sinew.simulate { seconds = 6 }\n"
         "  near(hero.position.y, 0)\n"
         "end\n");
}

/* With the wall ahead, what is left of her velocity is along it: no run on the spot. */
static void a_wall_takes_her_speed(void **state) {
  (void)state;
  expect("function sinew.test()\n"
         "  hero.position = { -6, 0, 1 }\n"
         "  motor.velocity = { 0, 0, 3 }\n"
         "  sinew.simulate { seconds = 2 }\n"
         "  near(hero.position.z, 3 - 0.1 - 0.3)\n"
         "  assert(hero.params.speed < 0.2, hero.params.speed)\n"
         "  motor.velocity = { 1, 0, 1 }\n"
         "  sinew.simulate { seconds = 1 }\n"
         "  assert(hero.position.x > -5.3, hero.position.x)\n"
         "end\n");
}

static void she_jumps_and_rides(void **state) {
  (void)state;
  expect("function sinew.test()\n"
         "  sinew.simulate { seconds = 0.5 }\n"
         "  assert(motor:jump(1.1))\n"
         "  local highest = 0\n"
         "  for i = 1, 90 do sinew.simulate { seconds = 1 / 60 }; highest = math.max(highest, hero.position.y) end\n"
         "  near(highest, 1.1, 0.01)\n"
         "  assert(motor.grounded)\n"
         "  hero.position = { -4.3, 0.3, -4 }\n"
         "  sinew.simulate { seconds = 0.5 }\n"
         "  near(hero.position.y, 0.2)\n"
         "  for i = 1, 60 do\n"
         "    yard.lift.position = { -4, 0.1 + i / 60, -4 + i / 60 }\n"
         "    sinew.simulate { seconds = 1 / 60 }\n"
         "  end\n"
         "  sinew.simulate { seconds = 1 / 60 }\n"
         "  near(hero.position.y, 1.2, 0.004)\n"
         "  near(hero.position.z, -3, 0.004)\n"
         "  motor:jump(1)\n"
         "  sinew.simulate { seconds = 1 / 60 }\n"
         "  assert(not motor.grounded and motor.rise > 4 and motor.surface == nil and not motor:jump(1))\n"
         "end\n");
}

static void questions_are_answered(void **state) {
  (void)state;
  expect("function sinew.test()\n"
         "  sinew.simulate { seconds = 1 / 60 }\n"
         "  local height, normal, part = sinew.ground(4, 8, 10)\n"
         "  near(height, 2.04)\n"
         "  near(normal.y, 1)\n"
         "  assert(part == 'upstairs')\n"
         "  near(sinew.ground(4, 8, 1.5), 0, 0.001)\n"
         "  assert(sinew.ground(40, 8) == nil)\n"
         "  local hit = sinew.raycast({ -6, 1, 0 }, { -6, 1, 6 })\n"
         "  assert(hit.part == 'wall' and hit.actor == yard.wall and hit.surface == nil)\n"
         "  near(hit.distance, 2.9)\n"
         "  near(hit.normal.z, -1)\n"
         "  assert(sinew.raycast({ -6, 1, 0 }, { -6, 1, 6 }, { ignore = yard.wall }) == nil)\n"
         "  assert(sinew.raycast({ 0, 1, 0 }, { 0, -1, 0 }).surface == 'stone')\n"
         "  yard.wall:remove()\n"
         "  sinew.simulate { seconds = 1 }\n"
         "  assert(sinew.raycast({ -6, 1, 0 }, { -6, 1, 6 }) == nil)\n"
         "end\n");
}

static void what_cannot_be_is_a_sentence(void **state) {
  (void)state;
  expect("local function refuses(words, f, ...)\n"
         "  local ok, message = pcall(f, ...)\n"
         "  assert(not ok and message:find(words, 1, true), message)\n"
         "end\n"
         "function sinew.test()\n"
         "  refuses('it has no part', sinew.level, {})\n"
         "  refuses(\"part 'a' has no shape\", sinew.level, { { 'a' } })\n"
         "  refuses(\"part 'a' has two shapes, box and sphere\", sinew.level, { { 'a', box = { 1, 1, 1 }, sphere = 1 } "
         "})\n"
         "  refuses('each edge of a box must be more than 0', sinew.level, { { 'a', box = { 1, 0, 1 } } })\n"
         "  refuses(\"'rise' must be a number\", sinew.level, { { 'a', stairs = { 3, run = 1, width = 1 } } })\n"
         "  refuses('row 2 of heights does not have 2 numbers', sinew.level,\n"
         "    { { 'a', heights = { { 0, 1 }, { 0 } }, size = { 1, 1 } } })\n"
         "  refuses(\"part 'a' exists twice\", sinew.level, { { 'a', sphere = 1 }, { 'a', sphere = 1 } })\n"
         "  refuses(\"did you mean 'box'?\", sinew.level, { { 'a', bax = { 1, 1, 1 } } })\n"
         "  refuses('has no direction', sinew.raycast, { 0, 0, 0 }, { 0, 0, 0 })\n"
         "  refuses(\"did you mean\", function() return yard.nme end)\n"
         "  refuses('is for a motor with a level', function() hero:motor { radius = 1 } end)\n"
         "  refuses('at least twice the radius', function() hero:motor { level = yard, radius = 1 } end)\n"
         "  local other = sinew.actor('other', 'hero.glb')\n"
         "  refuses('the motor has no level', function() return other:motor().grounded end)\n"
         "end\n");
}

static float height_of(harness *h) {
  sinew_stage *stage = sinew_host_stage(h->host);
  for (int i = 0; i < sinew_stage_actor_count(stage); i++) {
    sinew_actor actor = sinew_stage_actor(stage, i);
    if (strcmp(sinew_actor_name(stage, actor), "hero") == 0) return sinew_actor_transform(stage, actor).translation.y;
  }
  return NAN;
}

/* A save that makes the stairs steeper while she is on them: she stands on the new ones. */
static void a_save_puts_her_on_the_new_stairs(void **state) {
  (void)state;
  static const char *const scene =
      "local sinew = require 'sinew'\n"
      "local yard = sinew.level { { 'floor', box = { 24, 0.2, 24 }, position = { 0, -0.1, 0 } },\n"
      "  { 'stairs', stairs = { 12, rise = %s, run = 0.28, width = 2 }, position = { 0, 0, 1 } } }\n"
      "local hero = sinew.actor('hero', 'hero.glb')\n"
      "local motor = hero:motor { level = yard }\n"
      "function sinew.update() motor.velocity = { 0, 0, sinew.time < 1.5 and 1.4 or 0 } end\n";
  harness h;
  char text[2048];
  snprintf(text, sizeof text, scene, "0.1");
  harness_open(&h, text);
  harness_step(&h, 150);
  float before = height_of(&h);
  assert_true(before > 0.2f && before < 0.8f);
  snprintf(text, sizeof text, scene, "0.17");
  if (!harness_reload(&h, text)) fail_msg("%s", h.error.message);
  harness_step(&h, 60);
  float after = height_of(&h);
  /* on the step under her middle, where she stood with the edge of the next */
  if (after > before * 1.7f + 0.01f || after < before * 1.7f - 0.18f)
    fail_msg("%g became %g", (double)before, (double)after);
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(she_climbs_the_stairs),        cmocka_unit_test(a_wall_takes_her_speed),
      cmocka_unit_test(she_jumps_and_rides),          cmocka_unit_test(questions_are_answered),
      cmocka_unit_test(what_cannot_be_is_a_sentence), cmocka_unit_test(a_save_puts_her_on_the_new_stairs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
