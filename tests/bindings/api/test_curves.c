/* Curves of clips, as scenes make and read them; what a save changes of them. */
#include "harness.h"

#include <sinew/curve.h>

#define HERO                                                                                                           \
  "local sinew = require 'sinew'\n"                                                                                    \
  "local man = sinew.model 'hero.glb'\n"                                                                               \
  "local hero = sinew.actor('hero', man)\n"
#define SAY                                                                                                            \
  "hero:play('Wave', { fade = 0 })\nfunction sinew.draw() print(string.format('%.3f', hero:curve('grip'))) end\n"

static void a_scene_makes_reads_and_uses_them(void **state) {
  harness h;
  (void)state;
  harness_open(&h, HERO "man:curve('Wave', 'grip', { { 0, 1 }, { 1, 0 }, { 2, 0 }, { 2.4, 0.5 } })\n"
                        "hero:play('Walk', { fade = 0 })\n"
                        "local upper = hero:layer('upper', { mask = { ['RightShoulder/**'] = 1 } })\n"
                        "local point, seen = { 0.3, 1.3, 0.4 }, nil\n"
                        "hero:set_modifiers { sinew.ik { 'hand', tip = 'LeftHand', target = point, weight = 'grip' },\n"
                        "  sinew.modifier { 'look', function(pose, actor) seen = actor:curve 'grip' end } }\n"
                        "function sinew.test()\n"
                        "  sinew.simulate { frames = 1 }\n"
                        "  assert(hero:curve 'grip' == 0 and hero:curve('grip', 0.25) == 0.25)\n"
                        "  local function off() local a = hero:joint 'LeftHand'\n"
                        "    return math.abs(a.x - 0.3) + math.abs(a.y - 1.3) + math.abs(a.z - 0.4) end\n"
                        "  assert(off() < 0.02, off())\n" /* nothing says otherwise */
                        "  local wave = upper:play('Wave', { fade = 0, speed = 0, time = 0.5 })\n"
                        "  sinew.simulate { frames = 1 }\n"
                        "  assert(math.abs(hero:curve 'grip' - 0.5) < 1e-6 and seen == hero:curve 'grip')\n"
                        "  assert(off() > 0.1)\n"
                        "  wave.time = 2.6\n"
                        "  upper.weight = 0.5\n"
                        "  sinew.simulate { frames = 1 }\n"
                        "  assert(math.abs(hero:curve('grip', 1) - 0.75) < 1e-6)\n"
                        "  assert(table.concat(man:curves 'Wave', ' ') == 'grip' and #man:curves 'Walk' == 0)\n"
                        "  man:curve('Wave', 'open', { { 0, 1 } })\n"
                        "  assert(table.concat(man:curves 'Wave', ' ') == 'grip open')\n"
                        "  man:curve('Wave', 'grip', {})\n"
                        "  assert(table.concat(man:curves 'Wave', ' ') == 'open')\n"
                        "  assert(not pcall(hero.curve, hero, 'grip') or hero:curve 'grip' == 0)\n"
                        "end\n");
  if (!sinew_scene_test(h.scene, NULL, &h.error)) fail_msg("%s", h.error.message);
  harness_close(&h);
}

static void what_is_wrong_is_said(void **state) {
  static const char *const wrong[][2] = {
      {"man:curve('Wvae', 'grip', { { 0, 1 } })", "did you mean 'Wave'"},
      {"man:curve('Wave', 'grip', { { 0, 1 }, { 3, 1 } })", "key 2 lies at 3"},
      {"man:curve('Wave', 'grip', { { 1, 1 }, { 0.5, 1 } })", "in order of time"},
      {"man:curve('Wave', 'grip', { 0, 1 })", "a key is { time, value }"},
      {"man:curve('Wave', 'grip', { { 0, 1, 2 } })", "a key is { time, value }"},
      {"man:curve('Wave', 'grip', { { 0, 1, smooth = true } })", "a key is { time, value }"},
      {"man:curve('Wave', 'grip', { { 0, 1 / 0 } })", "curve"},
      {"man:curve('Wave', '', { { 0, 1 } })", "1 to 63 bytes"},
      {"man:curve('Wave', 'grip', { { 0, 1 } }) hero:curve 'girp'", "no curve 'girp'"},
      {"hero:set_modifiers { sinew.ik { 'hand', tip = 'LeftHand', weight = 'grip' } }", "no curve of its clips"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char text[600];
    snprintf(text, sizeof text, "%s\n", wrong[i][0]);
    harness_refused(HERO, text, wrong[i][1]);
  }
}

static void expect_save(harness *h, const char *text, const char *printed, const char *told) {
  if (!harness_reload(h, text)) fail_msg("%s", h->error.message);
  harness_expect(sinew_scene_summary(h->scene), told);
  h->printed[0] = 0;
  harness_step(h, 1);
  harness_expect(h->printed, printed);
}

static void a_save_changes_what_it_says_and_no_more(void **state) {
  harness h;
  (void)state;
  harness_open(&h, HERO "man:curve('Wave', 'grip', { { 0, 0.25 } })\n" SAY);
  harness_step(&h, 1);
  harness_expect(h.printed, "0.250");
  expect_save(&h, HERO "man:curve('Wave', 'grip', { { 0, 0.75 } })\n" SAY, "0.750", "Wave: curve grip has changed");
  expect_save(&h, HERO "man:curve('Wave', 'grip', { { 0, 0.75 } }) man:curve('Walk', 'step', { { 0, 1 } })\n" SAY,
              "0.750", "Walk: curve step");
  expect_save(&h, HERO "man:curve('Wave', 'grip', { { 0, 0.75 } })\n" SAY, "0.750", "Walk: curve step");
  double value;
  sinew_stage *stage = sinew_host_stage(h.host);
  sinew_model *model = sinew_actor_model(stage, sinew_scene_find_actor(h.scene, "hero"));
  assert_false(sinew_stage_curve(stage, model, sinew_model_find_clip(model, "Walk"), "step", 0, &value));
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_scene_makes_reads_and_uses_them),
                                     cmocka_unit_test(what_is_wrong_is_said),
                                     cmocka_unit_test(a_save_changes_what_it_says_and_no_more)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
