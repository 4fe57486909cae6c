/* Blends of gaits whose markers do not lie where the feet come down, as an author sets them: no leg jumps, no foot
 * slides more than with markers in their places. Without markers recorded clips keep step, too. */
#include "harness.h"

#define HEAD                                                                                                           \
  "local sinew = require 'sinew'\n"                                                                                    \
  "local function walk(man, name, speed, clips)\n"                                                                     \
  "  local hero = sinew.actor(name, man, { params = { speed = speed } })\n"                                            \
  "  hero:root_motion { axes = 'xz', feet = true }\n"                                                                  \
  "  hero:set_graph(sinew.blend_space_1d { param = 'speed', sync = true, table.unpack(clips) })\n"                     \
  "  sinew.simulate { seconds = 1 }\n"                                                                                 \
  "  hero:measure()\n"                                                                                                 \
  "  sinew.simulate { seconds = 2 }\n"                                                                                 \
  "  local m, playing = hero.metrics, hero:playing()\n"                                                                \
  "  hero:remove()\n"                                                                                                  \
  "  assert(m.turn < 8, ('%s: %s jumps by %.0f radians a second'):format(name, m.turn_joint, m.turn))\n"               \
  "  return m, playing\n"                                                                                              \
  "end\n"

static void expect_passes(const char *text, const char *const *folders, int count) {
  harness h;
  sinew_scene_def def = sinew_scene_def_default();
  def.allow = folders, def.allow_count = count;
  harness_open_host(&h);
  if (!harness_load(&h, text, &def)) fail_msg("%s", h.error.message);
  if (!sinew_scene_test(h.scene, NULL, &h.error)) fail_msg("%s", h.error.message);
  harness_close(&h);
}

static void markers_beside_the_steps(void **state) {
  (void)state;
  expect_passes(HEAD
                "local man = sinew.model 'hero.glb'\n"
                "local function shifted(clip, by)\n"
                "  local marks = man:find_steps(clip)\n"
                "  for _, m in ipairs(marks) do m[1] = (m[1] + by) % man:duration(clip) m.sync = true end\n"
                "  table.sort(marks, function(a, b) return a[1] < b[1] end)\n"
                "  return marks\n"
                "end\n"
                "function sinew.test()\n"
                "  local in_place = {}\n"
                "  man:markers('Run', shifted('Run', 0))\n"
                "  for _, by in ipairs { 0, 0.02, 0.1, -0.05 } do\n"
                "    man:markers('Walk', shifted('Walk', by))\n"
                "    for _, speed in ipairs { 1.8, 2.4, 3 } do\n"
                "      local m = walk(man, ('%g s, %g m/s'):format(by, speed), speed, { 'Walk', 'Run' })\n"
                "      in_place[speed] = in_place[speed] or m.slide\n"
                "      assert(m.slide < 0.22 or by ~= 0, ('slides by %.2f m/s'):format(m.slide))\n"
                "      assert(m.slide < 1.15 * in_place[speed], ('slides by %.2f m/s, and by %.2f with markers in '\n"
                "        .. 'their places'):format(m.slide, in_place[speed]))\n"
                "    end\n"
                "  end\n"
                "end\n",
                NULL, 0);
}

/* Their feet drift by centimetres while they stand. Each of the clips holds one stride. */
static void recorded_clips_keep_step(void **state) {
  const char *folder = SINEW_SOURCE "/../shared/models/real/files", *folders[] = {folder};
  char text[4000];
  (void)state;
  if (access(folder, R_OK) != 0) skip();
  snprintf(text, sizeof text, "local at = '%s/'\n%s", folder,
           HEAD "local man = sinew.model(at .. 'pab_arnaud.fbx',\n"
                "  { clips = { at .. 'pab_walk.fbx', at .. 'pab_jog.fbx', at .. 'pab_run.fbx' } })\n"
                "function sinew.test()\n"
                "  for _, pair in ipairs { { 'pab_walk', 'pab_jog', 2 }, { 'pab_jog', 'pab_run', 4 } } do\n"
                "    local a, b, speed = table.unpack(pair)\n"
                "    local _, playing = walk(man, a .. ' ' .. b, speed, { a, b })\n"
                "    local rates = {}\n"
                "    for _, p in ipairs(playing) do if p.kind == 'clip' then rates[p.clip] = p.speed / "
                "man:duration(p.clip) end end\n"
                "    local ratio = rates[a] / rates[b]\n"
                "    assert(ratio > 0.6 and ratio < 1.6, ('%s: %.2f strides to one'):format(a, ratio))\n"
                "  end\n"
                "end\n");
  expect_passes(text, folders, 1);
}

/* ---- what is said of samples ---- */

static void keep_line(void *user, sinew_log_level level, const char *line) {
  char *kept = user;
  (void)level;
  if (strstr(line, "the sample")) snprintf(kept + strlen(kept), 1024 - strlen(kept), "%s\n", line);
}

/* Once for each, at any reload. */
static void samples_that_slide_or_never_show_are_noted(void **state) {
  static char said[1024];
  const char *text =
      "local sinew = require 'sinew'\n"
      "local hero = sinew.actor('hero', sinew.model 'hero.glb', { params = { speed = 1 } })\n"
      "hero:set_graph(sinew.blend_space_1d { param = 'speed', sync = true, 'Idle', 'Wave', { 1.6, 'Walk' } })\n";
  harness h;
  (void)state;
  said[0] = 0;
  sinew_set_log(keep_line, said);
  harness_open_host(&h);
  assert_true(harness_load(&h, text, NULL));
  harness_expect(said, "the sample 'Wave' never shows, because 'Idle' has the same position, (0, 0)");
  harness_expect(said, "the sample 'Walk' is 0.2 m/s from its clip's velocity (1.4, 0)");
  said[0] = 0;
  assert_true(harness_reload(&h, text));
  assert_string_equal(said, "");
  harness_close(&h);
  sinew_set_log(NULL, NULL);
}

/* What a scene leaves out is as long as the figure is large: the height of planted feet, and how far a pelvis moves. */
static void a_figure_in_centimetres_needs_no_other_options(void **state) {
  (void)state;
  expect_passes(
      "local sinew = require 'sinew'\n"
      "local function try(unit)\n"
      "  local man = sinew.model('hero.glb', { unit = unit })\n"
      "  local hero, other = sinew.actor('walks ' .. unit, man), sinew.actor('stands ' .. unit, man)\n"
      "  hero:root_motion { axes = 'xz', feet = true }\n"
      "  hero:play 'Walk'\n"
      "  other:play 'Idle'\n"
      "  other:set_modifiers { sinew.plant { 'feet', ground = function(x) return x > 0 and 0 or -0.2 * unit end },\n"
      "    sinew.chain { 'reach', root = 'RightArm', tip = 'RightHand', target = { -0.3 * unit, 1.2 * unit, 0.2 * unit "
      "} } }\n"
      "  sinew.simulate { seconds = 1 }\n"
      "  local motor, steps = other:motor(), man:find_steps 'Walk'\n"
      "  other.scale = 2\n"
      "  assert(math.abs(other:motor().acceleration - 9 * unit) < 1e-6 * unit, 'a giant has the metre of others')\n"
      "  other.scale = 1 / unit\n"
      "  assert(math.abs(other:motor().acceleration - 9) < 1e-6, 'scaled to metres')\n"
      "  other.scale = 1\n"
      "  motor = other:motor()\n"
      "  motor.velocity = { 0, 0, 1.5 * unit }\n"
      "  sinew.simulate { seconds = 1 / 6 }\n"
      "  assert(math.abs(other.params.speed / unit - 1.5) < 1e-3, other.params.speed / unit)\n"
      "  assert(#steps == 2 and steps[1][2] ~= steps[2][2], #steps)\n"
      "  return hero.position.z / unit, other:joint('Hips').y / unit, other:joint('RightHand').y / unit\n"
      "end\n"
      "function sinew.test()\n"
      "  local way, hips, hand = try(1)\n"
      "  local far, low, up = try(100)\n"
      "  assert(way > 1.3 and math.abs(far - way) < 0.01, ('%g m, and %g'):format(way, far))\n"
      "  assert(hips < 0.8 and math.abs(low - hips) < 0.001, ('%g m, and %g'):format(hips, low))\n"
      "  assert(math.abs(up - hand) < 0.002, ('%g m, and %g'):format(hand, up))\n"
      "end\n",
      NULL, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(markers_beside_the_steps),
                                     cmocka_unit_test(recorded_clips_keep_step),
                                     cmocka_unit_test(samples_that_slide_or_never_show_are_noted),
                                     cmocka_unit_test(a_figure_in_centimetres_needs_no_other_options)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
