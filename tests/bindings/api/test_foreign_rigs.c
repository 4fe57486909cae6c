/* Recipes of other engines on rigs that others made: the way they face, what they are called, and how they were
 * recorded. */
#include "harness.h"

#define SHARED SINEW_SOURCE "/../shared/models/"
#define SINEW "local sinew = require 'sinew'\n"

static char said[4096];

static void keep_line(void *user, sinew_log_level level, const char *line) {
  (void)level, (void)user;
  snprintf(said + strlen(said), sizeof said - strlen(said), "%s\n", line);
}

static void expect_passes(const char *text) {
  static const char *const folders[] = {SHARED "real", SHARED "files"};
  harness h;
  sinew_scene_def def = sinew_scene_def_default();
  def.allow = folders, def.allow_count = access(folders[0], R_OK) == 0 ? 2 : 0;
  said[0] = 0;
  sinew_set_log(keep_line, NULL);
  harness_open_host(&h);
  if (!harness_load(&h, text, &def)) fail_msg("%s", h.error.message);
  if (!sinew_scene_test(h.scene, NULL, &h.error)) fail_msg("%s", h.error.message);
  harness_close(&h);
  sinew_set_log(NULL, NULL);
}

static void need(const char *file) {
  if (access(file, R_OK) == 0) return;
  print_message("skipped: there is no %s\n", file);
  skip();
}

/* ---- which way they face ---- */

static void one_that_faces_back_is_noted(void **state) {
  (void)state;
  expect_passes(SINEW "local man = sinew.model('hero.glb', { front = '-z' })\n"
                      "local hero = sinew.actor('hero', man, { params = { speed = 1 } })\n"
                      "hero:set_graph(sinew.blend_space_1d { param = 'speed', sync = true, 'Idle', 'Walk' })\n"
                      "sinew.actor('other', man):motor()\n"
                      "function sinew.test() end\n");
  harness_expect(said, "scene.lua:4: 'hero.glb' faces -z, but motors and blend spaces of velocities expect characters "
                       "that face +z: load it with { front = \"-z\" }");
  harness_expect(said, "scene.lua:5: 'hero.glb' faces -z");
  expect_passes(SINEW "sinew.actor('hero', sinew.model 'hero.glb'):motor()\nfunction sinew.test() end\n");
  assert_null(strstr(said, "faces"));
}

/* The axes that modifiers assume if a scene names none turn with the rig. */
static void modifiers_act_alike_whichever_way_it_faces(void **state) {
  (void)state;
  expect_passes(
      SINEW "local function ground(x, z) return 0.1 * math.floor(z / 0.5), { 0, 1, 0 } end\n"
            "local function add(name, front, rotation)\n"
            "  local hero = sinew.actor(name, sinew.model('hero.glb', { front = front }), { rotation = rotation })\n"
            "  hero:play('Idle', { weight = 0.6 })\n"
            "  hero:play('Walk', { weight = 0.4 })\n"
            "  hero:set_modifiers {\n"
            "    sinew.look_at { 'look', chain = { 'Neck', 'Head' }, target = { 1, 1.5, 3 } },\n"
            "    sinew.warp { 'strides' }, sinew.plant { 'feet', ground = ground, lock = 0.15 } }\n"
            "  return hero\n"
            "end\n"
            "local a, b, c = add('a', nil, 0), add('b', '-z', math.pi), add('c', '+x', math.pi / 2)\n"
            "function sinew.test()\n"
            "  for i = 1, 120 do\n"
            "    for _, hero in ipairs { a, b, c } do hero.position = { 0, 0.2 * i / 60, i / 60 } end\n"
            "    sinew.simulate { frames = 1 }\n"
            "    for _, joint in ipairs { 'Head', 'LeftLeg', 'LeftFoot', 'RightLeg', 'RightFoot' } do\n"
            "      for _, other in ipairs { b, c } do\n"
            "        local d = other:joint(joint) - a:joint(joint)\n"
            "        local off = math.abs(d.x) + math.abs(d.y) + math.abs(d.z)\n"
            "        assert(off < 2e-3, ('%s of %s is %.4f m off in frame %d'):format(joint, other.name, off, i))\n"
            "      end\n"
            "    end\n"
            "    local q = b:pose():get('Head', 'model').rotation\n"
            "    local p = a:pose():get('Head', 'model').rotation\n"
            "    local same = p.z * q.x + p.w * q.y - p.x * q.z - p.y * q.w -- after half a turn about y\n"
            "    assert(math.abs(same) > 0.99999, same)\n"
            "  end\n"
            "end\n");
}

/* ---- samples ---- */

/* The walk drifts to one side and the run to the other by less than a hundredth. */
static void gaits_in_a_row_are_a_line(void **state) {
  (void)state;
  need(SHARED "files/Fox.glb");
  expect_passes(
      SINEW
      "local fox = sinew.model('" SHARED "files/Fox.glb', { edits = { { clip = 'Walk' },\n"
      "  { clip = 'Walk', name = 'Back', reverse = true } } })\n"
      "local it = sinew.actor('it', fox, { params = { left = 0, ahead = 0 } })\n"
      "it:set_graph(sinew.blend_space_2d { param_x = 'left', param_y = 'ahead', sync = true,\n"
      "  'Survey', 'Walk', 'Run', 'Back' })\n"
      "local function shown(left, ahead)\n"
      "  it.params.left, it.params.ahead = left, ahead\n"
      "  sinew.simulate { frames = 2 }\n"
      "  local list = {}\n"
      "  for _, p in ipairs(it:playing()) do\n"
      "    if p.kind == 'clip' and p.normalized_weight > 0.02 then list[#list + 1] = p.clip end\n"
      "  end\n"
      "  table.sort(list)\n"
      "  return table.concat(list, ' ')\n"
      "end\n"
      "function sinew.test()\n"
      "  local walk = fox:velocity('Walk').z\n"
      "  for _, case in ipairs { { 0, walk, 'Walk' }, { 0, 2 * walk, 'Run Walk' }, { 0, walk / 2, 'Survey Walk' },\n"
      "    { 50, walk, 'Walk' }, { -50, walk, 'Walk' }, { 0, -walk / 2, 'Back Survey' }, { 70, 0, 'Survey' } } do\n"
      "    local got = shown(case[1], case[2])\n"
      "    assert(got == case[3], ('at %g, %g: %s'):format(case[1], case[2], got))\n"
      "  end\n"
      "end\n");
}

/* ---- steps ---- */

/* A foot that stands goes to and fro between the keys of a recording; one foot of the run was never seen to stand, and
 * the walk had a third step. */
static void steps_of_recordings_are_found(void **state) {
  (void)state;
  need(SHARED "real/bench/pab.glb");
  expect_passes(SINEW "local function steps(man, clip, feet)\n"
                      "  local names = {}\n"
                      "  for _, m in ipairs(man:find_steps(clip, feet)) do names[#names + 1] = m[2] end\n"
                      "  return table.concat(names, ' ')\n"
                      "end\n"
                      "function sinew.test()\n"
                      "  local pab, robot = sinew.model '" SHARED "real/bench/pab.glb', sinew.model '" SHARED
                      "real/files/robot.glb'\n"
                      "  for _, clip in ipairs { 'walk', 'jog', 'run' } do\n"
                      "    local got = steps(pab, clip)\n"
                      "    assert(got == 'right left', clip .. ': ' .. got)\n"
                      "  end\n"
                      "  local got = steps(robot, 'Robot_Walking', { ['Foot.L'] = 'left', ['Foot.R'] = 'right' })\n"
                      "  assert(got == 'left right', got)\n"
                      "end\n");
}

/* ---- layers ---- */

static void an_upper_body_returns(void **state) {
  (void)state;
  need(SHARED "real/files/robot.glb");
  expect_passes(SINEW "local task = require 'sinew.task'\n"
                      "local man = sinew.model '" SHARED "real/files/robot.glb'\n"
                      "local it, twin = sinew.actor('it', man), sinew.actor('twin', man)\n"
                      "it:play('Robot_Walking', { fade = 0 })\n"
                      "twin:play('Robot_Walking', { fade = 0 })\n"
                      "local upper = it:layer('upper', { mask = { ['Abdomen/**'] = 1 },\n"
                      "  play = { loop = 'once', fade = 0.2, fade_out = 0.3 } })\n"
                      "function sinew.test()\n"
                      "  for _, clip in ipairs { 'Robot_Wave', 'Robot_Punch', 'Robot_ThumbsUp', 'Robot_No' } do\n"
                      "    local heard\n"
                      "    task.run(function() heard = upper:play(clip):wait 'finish' end)\n"
                      "    sinew.simulate { seconds = 0.35 }\n"
                      "    assert(it:pose():compare(twin:pose()) > 0.1)\n"
                      "    sinew.simulate { seconds = man:duration(clip) - 0.3 }\n"
                      "    assert(heard, clip)\n"
                      "    sinew.simulate { seconds = 0.1 }\n"
                      "    assert(it:pose():compare(twin:pose()) < 1e-5, clip)\n"
                      "  end\n"
                      "end\n");
}

static void a_pose_that_adds_nothing_is_noted(void **state) {
  static const char text[] =
      SINEW "local man = sinew.model('" SHARED "real/bench/pab.glb')\n"
            "local it = sinew.actor('it', man, { params = { curl = 1 } })\n"
            "it:play 'walk'\n"
            "it:layer('curl', { mode = 'additive'%s }):play 'curl_additive_sampled'\n"
            "it:layer('aim', { mode = 'additive'%s })\n"
            "it:set_graph(sinew.blend { { 'curl_additive_sampled', 'curl' } }, { layer = 'aim' })\n"
            "function sinew.test() end\n";
  char scene[2048];
  (void)state;
  need(SHARED "real/bench/pab.glb");
  snprintf(scene, sizeof scene, text, "", "");
  expect_passes(scene);
  harness_expect(said, "scene.lua:5: 'curl_additive_sampled' is a single pose, and adds nothing to what is below the "
                       "additive layer 'curl': give the layer a reference");
  harness_expect(said, "additive layer 'aim'");
  snprintf(scene, sizeof scene, text, ", reference = man:rest()", ", reference = 'walk'");
  expect_passes(scene);
  assert_null(strstr(said, "single pose"));
}

static void a_clip_that_travels_and_jumps_back_is_noted(void **state) {
  static const char text[] = SINEW "local hero = sinew.actor('hero', 'hero.glb')\n%s\n"
                                   "function sinew.test() sinew.simulate { seconds = 2 } end\n";
  static const char *const quiet[] = {"hero:play 'RunRoot' hero:root_motion()",
                                      "hero:play 'RunRoot' hero:root_motion(false)",
                                      "hero:play('RunRoot', { loop = 'once' })", "hero:play 'Run'",
                                      "hero:set_graph(sinew.blend { { 'RunRoot', 0.2 }, { 'Run', 0.8 } })"};
  static const char *const noted[] = {"hero:play 'RunRoot'", "hero:set_graph(sinew.clip { 'RunRoot' })"};
  char scene[2048];
  (void)state;
  for (size_t i = 0; i < sizeof noted / sizeof *noted; i++) {
    snprintf(scene, sizeof scene, text, noted[i]);
    expect_passes(scene);
    const char *note = strstr(said, "scene.lua:2: 'hero' jumps back by 2.67 m each time 'RunRoot' begins again");
    assert_non_null(note);
    assert_null(strstr(strstr(note, "begins again"), "jumps back"));
  }
  for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++) {
    snprintf(scene, sizeof scene, text, quiet[i]);
    expect_passes(scene);
    if (strstr(said, "jumps back")) fail_msg("%s: %s", quiet[i], said);
  }
}

/* ---- words ---- */

static void what_is_left_out_means_what_one_expects(void **state) {
  (void)state;
  expect_passes(
      SINEW
      "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
      "hero:play('WalkRoot', { fade = 0 })\n"
      "hero:root_motion()\n"
      "function sinew.test()\n"
      "  sinew.simulate { seconds = 3 }\n"
      "  assert(math.abs(hero.position.z - 4.2) < 0.05, hero.position.z)\n"
      "  hero:root_motion(false)\n"
      "  sinew.simulate { frames = 1 }\n"
      "  local stood = hero.position.z\n"
      "  sinew.simulate { seconds = 1 }\n"
      "  assert(hero.position.z == stood)\n"
      "  hero:root_motion(true)\n"
      "  sinew.simulate { seconds = 1 }\n"
      "  assert(hero.position.z > stood + 1.3)\n"
      "  local function fails(part, f, ...)\n"
      "    local fine, message = pcall(f, ...)\n"
      "    assert(not fine and message:find(part, 1, true), message)\n"
      "  end\n"
      "  fails('returns by itself', function() return sinew.one_shot end)\n"
      "  fails('have a speed', function() return sinew.time_scale end)\n"
      "  fails(\"edits name clips as their files do, here 'Walk'\", sinew.model, 'hero.glb',\n"
      "    { edits = { { clip = 'Walk', name = 'Stroll' }, { clip = 'Stroll', name = 'Back', reverse = true } } })\n"
      "end\n");
}

/* ---- scaled joints ---- */

/* Files that went through centimetres scale the armature, and its joints have the scale. */
#define SCALED                                                                                                         \
  SINEW "local rig = sinew.build_model { name = 'centimetres', joints = {\n"                                           \
        "  { name = 'Armature', scale = { 0.01, 0.01, 0.02 } },\n"                                                     \
        "  { name = 'Hand', parent = 'Armature', position = { -40, 120, 0 } } },\n"                                    \
        "  clips = { { name = 'Grow', tracks = { Hand = { times = { 0 }, scales = { { 2, 2, 2 } } } } } } }\n"         \
        "local prop = sinew.build_model { name = 'prop', joints = { { name = 'grip' },\n"                              \
        "  { name = 'tip', parent = 'grip', position = { 0, 1, 1 } } } }\n"                                            \
        "local man = sinew.actor('man', rig)\n"

static void what_is_attached_keeps_its_size_and_offset(void **state) {
  (void)state;
  expect_passes(SCALED
                "local held = man:attach('Hand', prop, { name = 'held', offset = { position = { 0, 0, 0.1 } } })\n"
                "local old = man:attach('Hand', prop, { name = 'old', offset = { position = { 0, 0, 10 } },\n"
                "  joint_scale = true })\n"
                "local function near(a, b) assert(math.abs(a - b) < 1e-5, a .. ' is not ' .. b) end\n"
                "function sinew.test()\n"
                "  sinew.simulate { frames = 1 }\n"
                "  local hand, grip, tip = man:joint 'Hand', held:joint 'grip', held:joint 'tip'\n"
                "  near((grip - hand).z, 0.1) near((tip - grip).y, 1) near((tip - grip).z, 1)\n"
                "  near((old:joint 'grip' - hand).z, 0.2) near((old:joint 'tip' - old:joint 'grip').y, 0.01)\n"
                "  man:play 'Grow' sinew.simulate { frames = 60 }\n"
                "  near((held:joint 'tip' - held:joint 'grip').y, 2)\n"
                "end\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_that_faces_back_is_noted),
                                     cmocka_unit_test(modifiers_act_alike_whichever_way_it_faces),
                                     cmocka_unit_test(gaits_in_a_row_are_a_line),
                                     cmocka_unit_test(steps_of_recordings_are_found),
                                     cmocka_unit_test(an_upper_body_returns),
                                     cmocka_unit_test(what_is_attached_keeps_its_size_and_offset),
                                     cmocka_unit_test(a_pose_that_adds_nothing_is_noted),
                                     cmocka_unit_test(a_clip_that_travels_and_jumps_back_is_noted),
                                     cmocka_unit_test(what_is_left_out_means_what_one_expects)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
