/* C functions whose work a script chooses: large models, many names, huge numbers. Each comes back, with its answer or
 * with an error of the budget; ctest's time limit is what a loop without end would meet. */
#include "harness.h"

#define CHAIN_OF(count)                                                                                                \
  "local joints = {}\n"                                                                                                \
  "for i = 1, " #count " do\n"                                                                                         \
  "  joints[i] = { name = 'j' .. i, parent = i > 1 and i - 1 or nil, position = { 0, 0.001, 0 } }\n"                   \
  "end\n"                                                                                                              \
  "local chain = sinew.build_model { joints = joints }\n"
#define CHAIN CHAIN_OF(20000)

static void open_limited(harness *h, const char *text, int64_t limit) {
  sinew_scene_def def = sinew_scene_def_default();
  def.instruction_limit = limit;
  harness_open_host(h);
  if (!harness_load(h, text, &def)) fail_msg("%s", h->error.message);
}

/* It is not the budget that ends what has to be quick by itself. */
static void open_scene(harness *h, const char *text) { open_limited(h, text, 200000000); }

/* The budget ends it before it takes long. */
static void expect_paid_for(const char *text) {
  harness h;
  open_limited(&h, text, 5000000);
  harness_step(&h, 1);
  harness_expect(sinew_scene_problem(h.scene), "ran too long");
  harness_close(&h);
}

static void test_masks(void **state) {
  harness h;
  (void)state;
  open_scene(&h, CHAIN "function sinew.update()\n"
                       "  local all = {} for i = 1, 2000 do all['j' .. i .. '/**'] = i / 2000 end\n"
                       "  all['j7'] = 0.25\n"
                       "  local actor = sinew.actor('a', chain)\n"
                       "  actor:layer('l', { mask = chain:mask(all) })\n"
                       "  print 'painted'\nend");
  harness_step(&h, 1);
  if (sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
  harness_expect(h.printed, "painted");
  harness_close(&h);
}

/* Work that no data structure makes fast is charged. */
static void test_names_are_paid_for(void **state) {
  (void)state;
  expect_paid_for(CHAIN "function sinew.update()\n"
                        "  local all = {} for i = 1, 20000 do all['j' .. i] = 1 end\n"
                        "  for i = 1, 10 do chain:mask(all) end\nend");
}

static void test_roles_are_paid_for(void **state) {
  (void)state;
  expect_paid_for(CHAIN "function sinew.update() for i = 1, 2000 do chain:roles() end end");
}

/* An hour of a test is no hour of the machine; what its frames evaluate is paid for, and what their callbacks spend. */
static void test_frames_of_tests_are_paid_for(void **state) {
  static const char *const scenes[] = {CHAIN_OF(3000) "for i = 1, 20 do sinew.actor('a' .. i, chain) end",
                                       "sinew.crowd(sinew.model 'hero.glb', 5000, { graph = sinew.clip { 'Idle' } })",
                                       "function sinew.update() for i = 1, 100000 do end end", ""};
  static const int least[] = {133, 40, 20, 19800}, most[] = {173, 56, 200, 20001};
  (void)state;
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
    harness h;
    sinew_scene_def def = sinew_scene_def_default();
    char text[1000];
    def.instruction_limit = 1000000;
    snprintf(text, sizeof text,
             "%s\nlocal count = 0\nfunction sinew.draw() count = count + 1 end\n"
             "function sinew.test() print(pcall(sinew.simulate, { frames = 1000000 })) print('frames ' .. count) error "
             "'over' end",
             scenes[i]);
    harness_open_host(&h);
    if (!harness_load(&h, text, &def)) fail_msg("%s", h.error.message);
    assert_false(sinew_scene_test(h.scene, NULL, &h.error));
    harness_expect(h.printed, "more than 20.0 million instructions and joints in its frames");
    int frames = atoi(strstr(h.printed, "frames ") + 7);
    if (frames < least[i] || frames > most[i]) fail_msg("%s: %d frames", scenes[i], frames);
    harness_close(&h);
  }
}

/* A table that is in others many times is kept as often. */
static void test_kept_values_are_paid_for(void **state) {
  harness h;
  sinew_scene_def def = sinew_scene_def_default();
  (void)state;
  def.instruction_limit = 5000000;
  harness_open_host(&h);
  assert_false(harness_load(&h,
                            "local t = { 1 }\n"
                            "for i = 1, 14 do local of = t t = {} for k = 1, 8 do t[k] = of end end\n"
                            "sinew.keep('deep', t)",
                            &def));
  harness_expect(h.error.message, "ran too long");
  harness_close(&h);
}

/* Where memory is refused, Lua collects all its garbage first. */
static void test_refused_memory_is_paid_for(void **state) {
  harness h;
  sinew_scene_def def = sinew_scene_def_default();
  (void)state;
  def.memory_limit = (size_t)64 << 20;
  def.instruction_limit = 200000000;
  harness_open_host(&h);
  assert_true(harness_load(&h,
                           "local all, refused = {}, 0\n"
                           "local function add(text) all[#all + 1] = text .. #all end\n"
                           "function sinew.update()\n"
                           "  while pcall(function() add(('x'):rep(1000000)) end) do end\n"
                           "  local large = all[1]\n"
                           "  while true do if not pcall(add, large) then refused = refused + 1 end end\n"
                           "end\n"
                           "function sinew.draw() all = nil print(refused) sinew.draw = nil end",
                           &def));
  harness_step(&h, 1);
  harness_expect(sinew_scene_problem(h.scene), "ran too long");
  int count = atoi(h.printed);
  if (count < 20 || count > 200) fail_msg("%d times", count);
  harness_close(&h);
}

static void test_poses_of_strangers(void **state) {
  harness h;
  (void)state;
  open_scene(&h, CHAIN "local others = {}\n"
                       "for i = 1, 20000 do others[i] = { name = 'other' .. i } end\n"
                       "local flat = sinew.build_model { joints = others }\n"
                       "function sinew.update()\n"
                       "  chain:rest():save 'chain.pose'\n"
                       "  local _, report = sinew.load_pose('chain.pose', flat)\n"
                       "  print(#report.unknown > 0 and #report.missing > 0 and 'strangers')\n"
                       "  _, report = sinew.load_pose('chain.pose', chain)\n"
                       "  print(#report.unknown + #report.missing)\nend");
  harness_step(&h, 1);
  if (sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
  assert_string_equal(h.printed, "strangers\n0\n");
  harness_close(&h);
}

static void test_a_bake_at_a_huge_speed(void **state) {
  static const char *const speeds[] = {"1e20", "1e30", "3e38", "1e-30"};
  (void)state;
  for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
    harness h;
    char text[512];
    snprintf(text, sizeof text,
             "local hero = sinew.actor('hero', 'hero.glb')\nlocal frame = 0\n"
             "function sinew.update()\n"
             "  frame = frame + 1\n"
             "  if frame == 1 then hero:play 'Walk' hero:bake('take.glb', { seconds = 600, rate = 1000 }) end\n"
             "  if frame == 3 then sinew.view.speed = %s end\n"
             "end",
             speeds[i]);
    open_scene(&h, text);
    harness_step(&h, 12);
    if (sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
    harness_close(&h);
  }
}

/* A spring for each joint of a long chain would turn all joints below it, each of them, in every frame. */
static void test_modifiers_of_everything(void **state) {
  harness h;
  (void)state;
  open_scene(&h, CHAIN "local actor = sinew.actor('a', chain)\n"
                       "function sinew.update()\n"
                       "  local all = {} for i = 1, 20000 do all[i] = i end\n"
                       "  actor:set_modifiers { sinew.spring { 's', joints = all } }\nend");
  harness_step(&h, 2);
  harness_expect(sinew_scene_problem(h.scene), "too many joints");
  harness_close(&h);
}

/* Each pattern of a list costs as much as there are joints. */
static void test_patterns_of_modifiers_are_paid_for(void **state) {
  (void)state;
  expect_paid_for(CHAIN "function sinew.update()\n"
                        "  local all = {} for i = 1, 100000 do all[i] = 'j1/**' end\n"
                        "  sinew.actor('a', chain):set_modifiers { sinew.spring { 's', joints = all } }\nend");
}

/* With three million instructions none of these may be done more than twenty times: each looks at 4,000 joints. */
static void test_work_on_poses_is_paid_for(void **state) {
  static const char *const calls[] = {
      "pose:mirror()",        "pose:save 'chain.pose'", "sinew.load_pose('chain.pose', chain)",
      "pose:retarget(chain)", "chain:match(chain)",     "actor:measure()",
      "chain:joints()"};
  (void)state;
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    harness h;
    char text[2000];
    sinew_scene_def def = sinew_scene_def_default();
    def.instruction_limit = 3000000;
    snprintf(
        text, sizeof text,
        CHAIN_OF(4000) "local actor, pose, count = sinew.actor('a', chain), chain:rest(), 0\n"
                       "function sinew.update() pose:save 'chain.pose' while true do %s count = count + 1 end end\n"
                       "function sinew.draw() print(count) end\n",
        calls[i]);
    harness_open_host(&h);
    if (!harness_load(&h, text, &def)) fail_msg("%s", h.error.message);
    harness_step(&h, 1);
    harness_expect(sinew_scene_problem(h.scene), "ran too long: more than 3 million instructions");
    int count = atoi(h.printed);
    if (count < 1 || count > 20) fail_msg("%s: %d times", calls[i], count);
    harness_close(&h);
  }
}

/* Each waits for the disk: a thousand would stop a window for longer than its second of work. */
static void test_files_are_paid_for(void **state) {
  harness h;
  (void)state;
  harness_open(&h, "local pose, count = sinew.build_model({ joints = { { name = 'a' } } }):rest(), 0\n"
                   "function sinew.update() while true do pose:save 'a.pose' count = count + 1 end end\n"
                   "function sinew.draw() print(count) end\n");
  harness_step(&h, 1);
  harness_expect(sinew_scene_problem(h.scene), "ran too long");
  int count = atoi(h.printed);
  if (count < 100 || count > 300) fail_msg("%d files", count);
  harness_close(&h);
}

/* A million and a half characters are not looked through more often than a million instructions pay for. */
static void test_work_on_text_is_paid_for(void **state) {
  static const char *const calls[] = {"long:find('y', 1, true)",
                                      "long:find(long .. 'y')",
                                      "('y'):find(long)",
                                      "long:byte(1, 65000)",
                                      "pcall(string.pack, 'b' .. long)",
                                      "tonumber(long, 36)",
                                      "long:upper()",
                                      "utf8.len(long)",
                                      "require 'nothing'",
                                      "chain:mask { head = 1 }",
                                      "sinew.help ''",
                                      "sinew.model(long)",
                                      "sinew.actor(long, chain)"};
  (void)state;
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    harness h;
    sinew_scene_def def = sinew_scene_def_default();
    char text[2000];
    def.instruction_limit = 1000000;
    snprintf(
        text, sizeof text,
        CHAIN_OF(
            4000) "local long, count = ('x'):rep(8000):rep(200), 0\n"
                  "function sinew.update() while true do pcall(function() return %s end) count = count + 1 end end\n"
                  "function sinew.draw() print(count) end\n",
        calls[i]);
    harness_open_host(&h);
    if (!harness_load(&h, text, &def)) fail_msg("%s", h.error.message);
    harness_step(&h, 1);
    harness_expect(sinew_scene_problem(h.scene), "ran too long: more than 1 million instructions");
    int count = atoi(h.printed);
    if (count < 1 || count > 2000) fail_msg("%s: %d times", calls[i], count);
    harness_close(&h);
  }
}

/* Each would take its memory, and its time in each frame. */
static void test_too_many_joints(void **state) {
  harness h;
  (void)state;
  open_scene(&h, CHAIN "local pin = sinew.build_model { joints = { { name = 'pin' } } }\n"
                       "local first = sinew.actor('first', pin)\n"
                       "function sinew.update()\n"
                       "  for i = 1, 209 do sinew.actor('a' .. i, chain) end\n"
                       "  print(pcall(sinew.actor, 'one', chain)) print(pcall(first.attach, first, 'pin', chain))\n"
                       "  sinew.actor('a1'):remove() sinew.actor('another', chain)\n"
                       "  print 'room again' sinew.update = nil\nend");
  harness_step(&h, 1);
  if (sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
  harness_expect(h.printed, "the actors of a scene have 4194304 joints at most, and with 'one' they would have 4200");
  harness_expect(h.printed, "room again");
  assert_false(harness_reload(&h, CHAIN "for i = 1, 210 do sinew.actor('a' .. i, chain) end"));
  harness_expect(h.error.message, "joints at most");
  assert_true(harness_reload(&h, CHAIN "for i = 1, 209 do sinew.actor('b' .. i, chain) end"));
  harness_close(&h);
}

/* Ten thousand of one file: each is called by the next number, and a number that is free again is taken again. */
static void test_names_by_number(void **state) {
  harness h;
  (void)state;
  open_scene(&h, "local man = sinew.model 'hero.glb'\n"
                 "local base, last = sinew.actor('base', man)\n"
                 "for i = 1, 10000 do last = base:attach('RightHand', man) end\n"
                 "print(last.name)\n"
                 "function sinew.update()\n"
                 "  print(base:attach('RightHand', man).name)\n"
                 "  sinew.actor('hero 77'):remove() sinew.actor('hero'):remove()\n"
                 "  for _ = 1, 3 do print(base:attach('RightHand', man).name) end\n"
                 "  print(sinew.actor('hero 9999').name)\n"
                 "  sinew.update = nil\nend");
  harness_step(&h, 1);
  if (sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
  assert_string_equal(h.printed, "hero 10000\nhero 10001\nhero\nhero 77\nhero 10002\nhero 9999\n");
  harness_close(&h);
}

/* From within a function of Sinew the lock on calls looks through the calls above: a stack of 100,000 would take
 * minutes. */
static void test_a_deep_stack_inside_a_function(void **state) {
  (void)state;
  expect_paid_for("local hero = sinew.actor('hero', sinew.model 'hero.glb', { params = { at = 0 } })\n"
                  "local function deep(n)\n"
                  "  if n == 0 then for i = 1, 1000 do pcall(hero.play, hero, 'Walk') end return 1 end\n"
                  "  return 1 + deep(n - 1)\nend\n"
                  "function sinew.update()\n"
                  "  hero:set_graph(sinew.blend_space_1d { param = 'at',\n"
                  "    { function() return deep(100000) end, 'Idle' }, { 1, 'Walk' } })\n"
                  "end");
}

static void test_too_many_crowds(void **state) {
  harness h;
  (void)state;
  open_scene(&h, "local man = sinew.model 'hero.glb'\n"
                 "function sinew.update()\n"
                 "  for i = 1, 1024 do sinew.crowd(man, 1) end\n"
                 "  print(sinew.crowd('crowd 1024').name)\n"
                 "  print(pcall(sinew.crowd, man, 1))\n"
                 "  sinew.update = nil\nend");
  harness_step(&h, 1);
  harness_expect(h.printed, "crowd 1024\nfalse\t");
  harness_expect(h.printed, "a scene may have 1024 crowds, and 'crowd 1025' is one too many");
  harness_close(&h);
}

static void test_too_many_plays(void **state) {
  harness h;
  (void)state;
  harness_open_host(&h);
  assert_false(harness_load(&h,
                            "local hero = sinew.actor('hero', 'hero.glb')\n"
                            "for i = 1, 2000 do hero:play('Walk', { weight = 1 }) end\n",
                            NULL));
  harness_expect(h.error.message, "the top level plays 1024 clips on 'hero' at most");
  harness_close(&h);
}

/* Rows of actors from the lower end upwards, again in each frame: waves that were found by passes over all actors, and
 * looked for among all in each wave, took seconds for each frame. */
static void test_rows_of_actors(void **state) {
  harness h;
  (void)state;
  open_scene(&h, "local pin = sinew.build_model { joints = { { name = 'pin' } } }\n"
                 "local all = {}\n"
                 "for i = 1, 16000 do all[i] = sinew.actor('pin ' .. i, pin) end\n"
                 "function sinew.update()\n"
                 "  local hung = 0\n"
                 "  for i = 15999, 1, -1 do\n"
                 "    if i % 256 > 0 and pcall(all[i].attach, all[i], 'pin', all[i + 1]) then hung = hung + 1 end\n"
                 "  end\n"
                 "  print(hung)\nend");
  harness_step(&h, 5);
  if (sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
  harness_expect(h.printed, "15937\n15937\n");
  harness_close(&h);
}

/* Each is asked for each event whether it wants to hear it. */
static void test_handlers_that_hear_nothing(void **state) {
  harness h;
  (void)state;
  open_limited(&h,
               "local hero = sinew.actor('hero', 'hero.glb')\n"
               "for i = 1, 20000 do hero:on('never ' .. i, function() end) end\n"
               "hero:play('Walk', { speed = 1e6 })\n"
               "local frames = 0\n"
               "function sinew.draw() frames = frames + 1 print(frames, #hero:events()) end",
               5000000);
  harness_step(&h, 2);
  harness_expect(sinew_scene_problem(h.scene), "ran too long");
  harness_expect(h.printed, "2\t4095\n");
  harness_close(&h);
}

/* A row that a save would make longer than any may be. */
static void test_a_row_that_is_too_long(void **state) {
  (void)state;
  harness_refused("local link = sinew.build_model { joints = { { name = 'pin' } } }\n",
                  "local last = sinew.actor('first', link)\n"
                  "for i = 1, 256 do last = last:attach('pin', link) end\n",
                  "more than 256 actors would be attached one to the other");
}

/* A save compares every value that a load has made with those of the last. Too many start again, and the summary says
 * so. */
static void test_saves_are_paid_for(void **state) {
  static const char *const saves[] = {
      "local t = {} for i = 1, 50000 do t[i] = i end\nfor i = 1, 20000 do _G['a' .. i] = t end",
      "for i = 1, 3000 do local t = {} for k = 1, 60 do t[k] = k end _G['a' .. i] = t end"};
  (void)state;
  for (size_t i = 0; i < sizeof saves / sizeof *saves; i++) {
    harness h;
    sinew_scene_def def = sinew_scene_def_default();
    def.instruction_limit = 2000000;
    harness_open_host(&h);
    if (!harness_load(&h, saves[i], &def)) fail_msg("%zu: %s", i, h.error.message);
    harness_step(&h, 1);
    assert_true(harness_reload(&h, saves[i]));
    harness_expect(sinew_scene_summary(h.scene), "some variables");
    harness_close(&h);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_saves_are_paid_for),
      cmocka_unit_test(test_masks),
      cmocka_unit_test(test_roles_are_paid_for),
      cmocka_unit_test(test_frames_of_tests_are_paid_for),
      cmocka_unit_test(test_kept_values_are_paid_for),
      cmocka_unit_test(test_refused_memory_is_paid_for),
      cmocka_unit_test(test_names_are_paid_for),
      cmocka_unit_test(test_poses_of_strangers),
      cmocka_unit_test(test_a_bake_at_a_huge_speed),
      cmocka_unit_test(test_modifiers_of_everything),
      cmocka_unit_test(test_patterns_of_modifiers_are_paid_for),
      cmocka_unit_test(test_work_on_poses_is_paid_for),
      cmocka_unit_test(test_files_are_paid_for),
      cmocka_unit_test(test_names_by_number),
      cmocka_unit_test(test_too_many_joints),
      cmocka_unit_test(test_work_on_text_is_paid_for),
      cmocka_unit_test(test_a_deep_stack_inside_a_function),
      cmocka_unit_test(test_too_many_crowds),
      cmocka_unit_test(test_too_many_plays),
      cmocka_unit_test(test_rows_of_actors),
      cmocka_unit_test(test_a_row_that_is_too_long),
      cmocka_unit_test(test_handlers_that_hear_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
