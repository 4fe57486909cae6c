/* Poses as values, from scripts: against the jobs of C, and what is refused. */
#include "harness.h"

#include <sinew/pose.h>

#define PREFIX                                                                                                         \
  "local sinew = require 'sinew'\n"                                                                                    \
  "local man = sinew.model 'hero.glb'\n"

static void holds(const char *text) {
  static harness h;
  char whole[4096];
  snprintf(whole, sizeof whole, PREFIX "%s\n", text);
  harness_open(&h, whole);
  harness_step(&h, 2);
  if (sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
  harness_close(&h);
}

static void a_sample_is_what_the_clip_has(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX "local hero = sinew.actor('hero', man)\n"
                          "local t = man:sample('Walk', 0.3):get 'LeftUpLeg'\n"
                          "print(string.format('%.6f %.6f %.6f %.6f', t.rotation.x, t.rotation.y, t.rotation.z, "
                          "t.rotation.w))\n");
  const sinew_model *model = sinew_actor_model(sinew_host_stage(h.host), sinew_scene_find_actor(h.scene, "hero"));
  sinew_transform t;
  sinew_sample_joint_job job = {model, sinew_model_clip(model, sinew_model_find_clip(model, "Walk")), 0.3,
                                sinew_model_find_joint(model, "LeftUpLeg"), &t};
  assert_true(sinew_sample_joint(&job));
  double x, y, z, w;
  assert_int_equal(sscanf(h.printed, "%lf %lf %lf %lf", &x, &y, &z, &w), 4);
  double dot =
      x * (double)t.rotation.x + y * (double)t.rotation.y + z * (double)t.rotation.z + w * (double)t.rotation.w;
  assert_true(fabs(fabs(dot) - 1) < 1e-5);
  harness_close(&h);
}

/* The bones keep their lengths, the hand comes to the point, half a weight to less, and the rest stays. */
static void a_limb_bends_to_a_point(void **state) {
  (void)state;
  holds("local p = man:sample('Idle', 0)\n"
        "local function at(q, name) return q:get(name, 'model').position end\n"
        "local function apart(a, b) local d = a - b return math.sqrt(d.x * d.x + d.y * d.y + d.z * d.z) end\n"
        "local before = man:sample('Idle', 0)\n"
        "local goal = sinew.vec3(-0.25, 1.3, 0.35)\n"
        "assert(apart(at(p, 'RightHand'), goal) > 0.3)\n"
        "local left = p:ik('RightHand', goal)\n"
        "assert(left < 1e-3 and apart(at(p, 'RightHand'), goal) < 1e-3, left)\n"
        "for _, bone in ipairs { { 'RightArm', 'RightForeArm' }, { 'RightForeArm', 'RightHand' } } do\n"
        "  local was = apart(at(before, bone[1]), at(before, bone[2]))\n"
        "  assert(math.abs(apart(at(p, bone[1]), at(p, bone[2])) - was) < 1e-4)\n"
        "end\n"
        "assert(apart(at(p, 'LeftHand'), at(before, 'LeftHand')) == 0)\n"
        "assert(apart(at(p, 'RightHandIndex1'), at(p, 'RightHand')) < 0.15, 'what hangs from it comes along')\n"
        "local half = man:sample('Idle', 0)\n"
        "left = half:ik('RightHand', goal, { weight = 0.5 })\n"
        "assert(left > 0.05 and left < apart(at(before, 'RightHand'), goal))\n"
        "local far = man:sample('Idle', 0)\n"
        "assert(far:ik('RightHand', { 0, 1.3, 9 }) > 8)\n"
        "for _, wrong in ipairs { { 'Root', goal }, { 'RightHand', goal, { soften = 3 } }, { 'RightHand', goal, { "
        "wieght = 1 } },\n"
        "  { 'RightHand', { 0 / 0, 0, 0 } } } do assert(not pcall(p.ik, p, table.unpack(wrong))) end\n");
}

static void sums_and_turns_are_what_they_say(void **state) {
  (void)state;
  holds("local a, b, rest = man:sample('Walk', 0), man:sample('Run', 0.2), man:rest()\n"
        "assert(rest:add(b, rest):compare(b) < 1e-4)\n"
        "assert(a:add(b, b):compare(a) < 1e-4)\n"
        "assert(a:blend(b, 1, { Head = 0 }):compare(a) < 1e-4)\n"
        "assert(a:mirror():mirror():compare(a) < 0.01 and a:mirror():compare(a) > 0.1)\n"
        "assert(a:retarget(man):compare(a) < 0.001)\n"
        "local c = man:rest() c:rotate('Head', 'y', 1)\n"
        "assert(c:compare(rest) > 0.01) assert(rest:compare(man:rest()) == 0)\n"
        "c:take(rest) assert(c:compare(rest) < 1e-5)\n"
        "c:take(c)\n"
        "local _, joint = a:compare(a:blend(b, 1, { ['LeftUpLeg/**'] = 1 })) assert(joint:find '^Left')");
}

/* By names, by guess, by a map, and not at all. */
static void how_two_models_match_is_said(void **state) {
  (void)state;
  holds("local his = sinew.model 'brawler.glb'\n"
        "local match = man:match(his)\n"
        "assert(match.guessed.upperarm_l == 'LeftArm' and not match.matched.upperarm_l)\n"
        "assert(match.scale > 0.5 and match.scale < 1.5)\n"
        "local count = #match.missing\n"
        "for _, list in ipairs { match.matched, match.guessed } do for _ in pairs(list) do count = count + 1 end end\n"
        "assert(count == #his:joints(), count)\n"
        "match = man:match(his, { map = { LeftArm = 'upperarm_r', Head = false } })\n"
        "assert(match.matched.upperarm_r == 'LeftArm')\n"
        "local headless = false\n"
        "for _, joint in ipairs(match.missing) do headless = headless or joint == 'head' end\n"
        "assert(headless and not match.guessed.head)\n"
        "assert(man:match(man).matched.Head == 'Head')\n"
        "local ok, reason = pcall(man.match, man, his, { map = { Nobody = 'head' } })\n"
        "assert(not ok and reason:find 'model:match: .*Nobody', reason)");
}

static void a_pose_of_another_skeleton_is_taken_over(void **state) {
  (void)state;
  holds("local other = sinew.model 'hero_zup.dae'\n"
        "local a = man:sample('Walk', 0.2)\n"
        "local b = a:retarget(other)\n"
        "local x, y = a:get('LeftFoot', 'model').position, b:get('LeftFoot', 'model').position\n"
        "assert(math.abs(x.y - y.y) < 0.02 and math.abs(x.z - y.z) < 0.02)");
}

/* Joints cross over by the map, or stay where they rest; a map that cannot be says why, each time. */
static void a_pose_is_taken_over_by_a_map(void **state) {
  (void)state;
  holds("local other = sinew.model 'hero_zup.dae'\n"
        "local a = man:sample('Wave', 1.1)\n"
        "local plain = a:retarget(other)\n"
        "local crossed = a:retarget(other, { map = { RightForeArm = 'LeftForeArm', LeftForeArm = 'RightForeArm' } })\n"
        "local stiff = a:retarget(other, { map = { RightForeArm = false } })\n"
        "local rest = other:rest():get('RightForeArm').rotation\n"
        "local function turn(pose) local q = pose:get('RightForeArm').rotation\n"
        "  return 1 - math.abs(q.x * rest.x + q.y * rest.y + q.z * rest.z + q.w * rest.w) end\n"
        "assert(turn(plain) > 0.05 and turn(stiff) < 1e-6, turn(plain))\n"
        "assert(crossed:compare(plain) > 0.05)\n"
        "assert(a:retarget(other):compare(plain) == 0)\n"
        "for i = 1, 2 do\n"
        "  local fine, why = pcall(a.retarget, a, other, { map = { RightForeArm = 'Tentacle' } })\n"
        "  assert(not fine and why:find 'Tentacle', why)\n"
        "end\n"
        "assert(not pcall(a.retarget, a, other, { map = { 5 } }))\n"
        "assert(not pcall(a.retarget, a, other, { mpa = {} }))");
}

/* More pairs of models than are kept at a time, over and over, within what a scene may do at its top level. */
static void how_two_models_match_is_found_once(void **state) {
  (void)state;
  holds("local other = sinew.model 'hero_zup.dae'\n"
        "local a = man:sample('Walk', 0.2)\n"
        "local b = a:retarget(other)\n"
        "for i = 1, 2000 do assert(a:retarget(other):compare(b) == 0) end\n"
        "for i = 1, 40 do a:retarget(other, { map = { ['RightToeBase' ] = i % 20 < 10 and 'RightToeBase' or false,\n"
        "  [man:joints()[i % 20 + 30]] = false } }) end\n"
        "assert(a:retarget(other):compare(b) == 0)");
}

/* A pose takes some kilobytes; a million would be more than a scene may hold. */
static void the_memory_of_poses_counts(void **state) {
  static harness h;
  (void)state;
  harness_open_host(&h);
  sinew_scene_def def = sinew_scene_def_default();
  def.memory_limit = 8u << 20;
  assert_false(harness_load(&h, PREFIX "local all = {}\nfor i = 1, 100000 do all[i] = man:rest() end\n", &def));
  harness_expect(h.error.message, "memory");
  harness_close(&h);
}

static void a_saved_pose_comes_back(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX
               "local fox, done = sinew.model 'fox.glb'\n"
               "function sinew.update()\n"
               "  if done then return end done = true\n"
               "  local walk = man:sample('Walk', 0.3)\n"
               "  walk:save 'walk.pose' walk:save 'walk.pose'\n"
               "  local back, report = sinew.load_pose('walk.pose', man)\n"
               "  assert(#report.missing == 0 and #report.unknown == 0 and back:compare(walk) == 0)\n"
               "  local a, b = walk:read(), back:read() for i = 1, #a do assert(a[i] == b[i]) end\n"
               "  local other, unmet = sinew.load_pose('walk.pose', fox)\n"
               "  assert(#unmet.missing > 5 and #unmet.unknown > 5 and other.count == #fox:joints())\n"
               "  local ok, why = pcall(walk.save, walk, '../walk.pose') assert(not ok and why:find 'own folder')\n"
               "  ok, why = pcall(walk.save, walk, '/tmp/walk.pose') assert(not ok and why:find 'own folder')\n"
               "  ok, why = pcall(walk.save, walk, 'walk.txt') assert(not ok and why:find 'end in .pose')\n"
               "  ok, why = pcall(walk.save, walk, 'note.pose') assert(not ok and why:find 'is not replaced')\n"
               "  ok, why = pcall(sinew.load_pose, 'note.pose', man) assert(not ok and why:find 'this is not a pose')\n"
               "  ok, why = pcall(sinew.load_pose, 'wlak.pose', man) assert(not ok and why:find \"mean 'walk.pose'\")\n"
               "  ok, why = pcall(sinew.load_pose, '/etc/passwd', man) assert(not ok and why:find 'outside')\n"
               "  print 'all'\n"
               "end\n");
  char path[128];
  snprintf(path, sizeof path, "%s/note.pose", h.folder);
  harness_write(path, "my notes about poses\n");
  harness_step(&h, 2);
  if (sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
  harness_expect(h.printed, "all");
  harness_close(&h);
}

static void refused(const char *text, const char *reason) { harness_refused(PREFIX, text, reason); }

static void what_cannot_be_is_refused_with_the_reason(void **state) {
  (void)state;
  refused("man:sample('Wlak', 0)", "did you mean 'Walk'");
  refused("man:sample('Walk', 0/0)", "a finite number");
  refused("man:rest():blend(sinew.model 'hero_zup.dae':rest(), 1)", "pose:retarget takes one over");
  refused("man:rest():blend(man:rest(), -1)", "a weight, 0 or more");
  refused("man:rest():blend(man:rest(), 1, { Haed = 1 })", "did you mean 'Head'");
  refused("man:rest():miror()", "did you mean 'mirror'");
  refused("sinew.actor('a', man):pose()", "not there yet");
  refused("man:rest():save 'rest.pose'", "save it later");
  refused("sinew.load_pose('walk.pose')", "'model' must be a model");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sample_is_what_the_clip_has),
      cmocka_unit_test(a_limb_bends_to_a_point),
      cmocka_unit_test(sums_and_turns_are_what_they_say),
      cmocka_unit_test(how_two_models_match_is_said),
      cmocka_unit_test(a_pose_of_another_skeleton_is_taken_over),
      cmocka_unit_test(a_pose_is_taken_over_by_a_map),
      cmocka_unit_test(how_two_models_match_is_found_once),
      cmocka_unit_test(the_memory_of_poses_counts),
      cmocka_unit_test(a_saved_pose_comes_back),
      cmocka_unit_test(what_cannot_be_is_refused_with_the_reason),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
