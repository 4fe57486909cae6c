/* A scene as its host sees it: loading, callbacks, failures, tests, and what the API does to the stage. */
#include "harness.h"

#include "host/host.h"

static void test_missing_and_empty(void **state) {
  harness h;
  (void)state;
  harness_open_host(&h);
  assert_null(sinew_scene_create(h.host, "/nowhere/x.lua", NULL, &h.error));
  harness_expect(h.error.message, "there is no scene '/nowhere/x.lua'");
  assert_null(sinew_scene_create(h.host, "/tmp", NULL, &h.error));
  harness_expect(h.error.message, "'/tmp' is not a file that can be read, nor a folder with a main.lua");
  assert_false(harness_load(&h, "", NULL));
  harness_expect(h.error.message, "is empty");
  assert_false(harness_load(&h, "local x = (", NULL));
  harness_expect(h.error.message, "scene.lua:1:");
  assert_false(harness_load(&h, "\x1bLua", NULL));
  harness_expect(h.error.message, "is compiled Lua; a scene is text");
  assert_true(harness_load(&h, "#!/usr/bin/env sinew\nprint(debug == nil and 1 or 2)",
                           &(sinew_scene_def){.trust = true, .instruction_limit = 1000000, .memory_limit = 100 << 20}));
  harness_close(&h);
}

static void test_a_folder_is_its_main(void **state) {
  harness h;
  (void)state;
  harness_open_host(&h);
  sinew_scene_def def = sinew_scene_def_default();
  def.print = harness_print, def.print_user = &h;
  char main[96], slashed[96];
  snprintf(main, sizeof main, "%s/main.lua", h.folder);
  snprintf(slashed, sizeof slashed, "%s/", h.folder);
  harness_write(main, "print(require 'part')");
  snprintf(main, sizeof main, "%s/part.lua", h.folder);
  harness_write(main, "return 'whole'");
  for (int i = 0; i < 2; i++) {
    sinew_scene *scene = sinew_scene_create(h.host, i ? slashed : h.folder, &def, &h.error);
    if (!scene) fail_msg("%s", h.error.message);
    sinew_scene_destroy(scene);
  }
  assert_string_equal(h.printed, "whole\nwhole\n");
  harness_close(&h);
}

static void test_callbacks_in_order(void **state) {
  harness h;
  (void)state;
  harness_open(&h, "function sinew.update(dt) print(('update %.4f %d'):format(dt, sinew.frame)) end\n"
                   "function sinew.draw() print 'draw' end\n"
                   "function sinew.key_pressed(k) print('+' .. k, sinew.is_down(k)) end\n"
                   "function sinew.key_released(k) print('-' .. k) end\n"
                   "function sinew.mouse_pressed(x, y, b) print('mouse', x, y, b) end\n"
                   "sinew.on('update', function() print 'second' end)\n");
  harness_step(&h, 1);
  sinew_host_send_key(h.host, "w", true);
  sinew_host_send_mouse(h.host, 10, 20);
  sinew_host_send_button(h.host, 1, true);
  harness_step(&h, 1);
  sinew_host_send_key(h.host, "w", false);
  harness_step(&h, 1);
  assert_string_equal(h.printed, "update 0.0167 1\nsecond\ndraw\n"
                                 "+w\ttrue\nmouse\t10.0\t20.0\t1\nupdate 0.0167 2\nsecond\ndraw\n"
                                 "-w\nupdate 0.0167 3\nsecond\ndraw\n");
  harness_close(&h);
}

/* The failing handler alone is suspended; the count of failures is shown. */
static void test_suspension(void **state) {
  harness h;
  (void)state;
  harness_open(&h, "local n = 0\n"
                   "sinew.on('update', function() n = n + 1 if n == 2 then error 'first' end end)\n"
                   "sinew.on('update', function() if n == 2 then local x = nil + 1 end print(n) end)\n");
  harness_step(&h, 4);
  assert_string_equal(h.printed, "1\n");
  harness_expect(sinew_scene_problem(h.scene), "first");
  harness_expect(sinew_scene_problem(h.scene), "stack traceback");
  harness_expect(sinew_host_problem(h.host, 1), "a value is nil, and a calculation needs a number");
  assert_true(sinew_scene_app(h.scene).failed(h.scene));
  assert_true(harness_reload(&h, "print 'fine'"));
  assert_false(sinew_scene_app(h.scene).failed(h.scene));
  assert_null(sinew_host_problem(h.host, 1));
  harness_close(&h);
}

static void keep_log(void *user, sinew_log_level level, const char *line) {
  snprintf(user, 256, "%d %s", (int)level, line);
}

/* On the picture and in the terminal; the first load is no news. */
static void test_what_a_save_did_is_said(void **state) {
  static char logged[256];
  harness h;
  (void)state;
  sinew_set_log(keep_log, logged);
  harness_open(&h, "sinew.actor('hero', sinew.model 'hero.glb', { position = { 1, 0, 0 } })");
  logged[0] = 0;
  assert_int_equal(h.host->messages.toast_count, 0);
  assert_true(harness_reload(&h, "sinew.actor('hero', sinew.model 'hero.glb', { position = { 2, 0, 0 } })"));
  assert_int_equal(h.host->messages.toast_count, 1);
  const char *toast = h.host->messages.toasts[0].text;
  harness_expect(toast, "reloaded in ");
  harness_expect(toast, " ms: hero.position 1 0 0 → 2 0 0");
  assert_int_equal(logged[0], '0' + SINEW_LOG_INFO);
  assert_string_equal(logged + 2, toast);
  sinew_set_log(NULL, NULL);
  harness_close(&h);
}

/* The message, the lines around it, and who called; where nobody did, no line says the place again. */
static void test_the_overlay_says_who_called(void **state) {
  harness h;
  (void)state;
  harness_open(&h, "local function inner() local step, f = 7, print local x = nil + 1 end\n"
                   "local function outer()\n"
                   "  inner()\n"
                   "end\n"
                   "function sinew.update() outer() end\n");
  harness_step(&h, 1);
  const char *text = NULL;
  for (int slot = 0; slot < PROBLEM_LIMIT && !text; slot++) text = sinew_host_problem(h.host, slot);
  harness_expect(text, "scene.lua:1: a value is nil, and a calculation needs a number\n");
  harness_expect(text, "\n>    1  local function inner()");
  const char *outer = text ? strstr(text, "scene.lua:3: in upvalue 'outer'") : NULL;
  harness_expect(outer, "scene.lua:5: in function");
  harness_expect(outer, "\nlocals:\n  step = 7");
  assert_null(strstr(text, "\n  f = "));
  assert_null(strstr(text, "[C]"));
  assert_false(harness_reload(&h, "local x = = 1"));
  text = sinew_host_problem(h.host, 0);
  harness_expect(text, "unexpected symbol");
  assert_null(strstr(strstr(text, "scene.lua:1:") + 1, "scene.lua:1:"));
  harness_close(&h);
}

static const char every_callback[] = "local task = require 'sinew.task'\n"
                                     "local failing, hero = '%s', sinew.actor 'hero.glb'\n"
                                     "local function tell(name)\n"
                                     "  print(name)\n"
                                     "  if name == failing then error(name .. ' fails') end\n"
                                     "end\n"
                                     "hero:play('Walk', { speed = 60 }) hero:on('loop', function() tell 'loop' end)\n"
                                     "hero:set_modifiers { sinew.modifier { 'lean', function() tell 'lean' end } }\n"
                                     "for _, name in ipairs { 'update', 'draw', 'key_pressed', 'key_released',\n"
                                     "    'mouse_pressed', 'mouse_released', 'file_dropped' } do\n"
                                     "  sinew[name] = function() tell(name) end\n"
                                     "end\n"
                                     "sinew.on('update', function() tell 'second' end)\n"
                                     "for _, name in ipairs { 'task', 'other' } do\n"
                                     "  task.run(function() while true do tell(name) task.wait(0.001) end end)\n"
                                     "end\n";

static int count_lines(const char *text, const char *line) {
  int count = 0;
  size_t size = strlen(line);
  for (; (text = strstr(text, line)); text += size) count += text[size] == '\n' && text[-1] == '\n';
  return count;
}

/* Whatever fails is named, is not called again where it is a function that others call, and all others go on. */
static void test_each_callback_fails_alone(void **state) {
  static const struct {
    const char *name, *title;
  } cases[] = {{"update", "update is suspended"},
               {"draw", "draw is suspended"},
               {"key_pressed", "key_pressed is suspended"},
               {"key_released", "key_released is suspended"},
               {"mouse_pressed", "mouse_pressed is suspended"},
               {"mouse_released", "mouse_released is suspended"},
               {"file_dropped", "file_dropped is suspended"},
               {"second", "update is suspended"},
               {"loop", "loop is suspended"},
               {"lean", "lean"},
               {"task", "an error; the scene continues"}};
  enum { CASES = sizeof cases / sizeof *cases, ROUNDS = 4 };
  (void)state;
  for (int i = 0; i < CASES; i++) {
    static harness h;
    char text[2000];
    snprintf(text, sizeof text, every_callback, cases[i].name);
    harness_open(&h, text);
    snprintf(h.printed, sizeof h.printed, "\n");
    for (int round = 0; round < ROUNDS; round++) {
      sinew_host_send_key(h.host, "a", true), sinew_host_send_key(h.host, "a", false);
      sinew_host_send_button(h.host, 1, true), sinew_host_send_button(h.host, 1, false);
      sinew_host_send_drop(h.host, "a.txt");
      harness_step(&h, 3); /* a short tap takes a frame for each of its ends */
    }
    for (int k = 0; k < CASES; k++) {
      int count = count_lines(h.printed, cases[k].name);
      bool right = k == i ? count == 1 : count >= ROUNDS - 1;
      if (!right) fail_msg("%s fails, and %s was called %d times:\n%s", cases[i].name, cases[k].name, count, h.printed);
    }
    assert_true(count_lines(h.printed, "other") >= ROUNDS - 1);
    const problem *shown = NULL;
    for (int slot = 0; slot < PROBLEM_LIMIT; slot++)
      if (h.host->messages.problems[slot].title) shown = &h.host->messages.problems[slot];
    assert_non_null(shown);
    harness_expect(shown->title, cases[i].title);
    harness_expect(shown->title, "scene.lua:5:");
    snprintf(text, sizeof text, "%s fails", cases[i].name);
    harness_expect(shown->text, text);
    harness_close(&h);
  }
}

static void test_two_files_one_callback(void **state) {
  harness h;
  char module[128];
  (void)state;
  harness_open_host(&h);
  snprintf(module, sizeof module, "%s/part.lua", h.folder);
  harness_write(module, "function sinew.update() end");
  assert_false(harness_load(&h, "require 'part'\nfunction sinew.update() end", NULL));
  harness_expect(h.error.message, "sinew.update is already defined at ");
  harness_expect(h.error.message, "part.lua:1");
  harness_close(&h);
}

static void test_names_from_files(void **state) {
  harness h;
  const char *text =
      "local a, b = sinew.actor 'hero.glb', sinew.actor 'hero.glb'\nprint(a.name, b.name, a == sinew.actor 'hero')";
  (void)state;
  harness_open(&h, text);
  assert_string_equal(h.printed, "hero\thero 2\ttrue\n");
  assert_true(harness_reload(&h, text));
  assert_int_equal(sinew_stage_actor_count(sinew_host_stage(h.host)), 2);
  harness_close(&h);
}

static void test_playing(void **state) {
  harness h;
  (void)state;
  harness_open(
      &h,
      "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
      "local walk = hero:play('Walk', { speed = 2, time = 0.25, loop = 3 })\n"
      "assert(walk.speed == 2 and walk.time == 0.25 and walk.loop == 3 and not walk.done and walk.clip == 'Walk')\n"
      "walk.speed = 0.5 assert(walk.speed == 0.5)\n"
      "local wave\n"
      "function sinew.update()\n"
      "  if sinew.frame == 2 then wave = hero:play('Wave', { loop = 'once', fade = 0, speed = 10 }) end\n"
      "  if sinew.frame == 60 then assert(wave.done and walk.done) wave.weight = 0.5 walk.weight = 1 print 'done' end\n"
      "  if sinew.frame == 61 then hero:stop(0) end\n"
      "  if sinew.frame == 62 then wave:stop() hero:remove() print(pcall(function() return hero.name end)) end\n"
      "end\n");
  sinew_stage *stage = sinew_host_stage(h.host);
  sinew_actor hero = sinew_scene_find_actor(h.scene, "hero");
  sinew_play_def walk;
  assert_true(sinew_action_read_state(stage, sinew_actor_action(stage, hero, 0, 0), &walk));
  assert_true(walk.speed == 0.5 && walk.time == 0.25 && walk.loop == SINEW_LOOP_COUNT && walk.loop_count == 3);
  harness_step(&h, 61);
  assert_int_equal(sinew_actor_action_count(stage, hero, 0), 0);
  harness_step(&h, 2);
  harness_expect(h.printed, "done\nfalse\t");
  harness_expect(h.printed, "actor 'hero' has been removed");
  assert_null(sinew_scene_problem(h.scene));
  assert_int_equal(sinew_stage_actor_count(stage), 0);
  harness_close(&h);
}

static void test_fade_out(void **state) {
  harness h;
  (void)state;
  harness_open(
      &h, "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
          "hero:layer('arm', {})\nlocal wave = hero:play('Wave', { layer = 'arm', loop = 'once', fade_out = 0.2 })\n"
          "function sinew.update() if wave.done then print(sinew.time, wave.duration) sinew.update = nil end end");
  harness_step(&h, 60 * 6);
  double ended = 0, duration = 0;
  assert_int_equal(sscanf(h.printed, "%lf %lf", &ended, &duration), 2);
  assert_true(fabs(ended - duration) < 0.06);
  sinew_actor hero = sinew_scene_find_actor(h.scene, "hero");
  assert_int_equal(sinew_actor_action_count(sinew_host_stage(h.host), hero, 1), 0);
  harness_close(&h);
}

/* Weights of a mask: the joint's own name before a deeper subtree before a shallower one, whatever the order. */
static void test_masks(void **state) {
  harness h;
  (void)state;
  harness_open(&h, "local man = sinew.model 'hero.glb'\nlocal hero = sinew.actor('hero', man)\n"
                   "hero:play('Idle', { fade = 0, speed = 0 })\n"
                   "local arm = hero:layer('arm', { mask = man:mask { ['Spine1/**'] = 1, ['LeftShoulder/**'] = 0, "
                   "LeftHand = 1 } })\n"
                   "arm:play('Jump', { fade = 0, speed = 0, time = 0.4 })\n");
  harness_step(&h, 2);
  const sinew_stage *stage = sinew_host_stage(h.host);
  sinew_actor hero = sinew_scene_find_actor(h.scene, "hero");
  const sinew_model *model = sinew_actor_model(stage, hero);
  static sinew_pose_group groups[2][32];
  sinew_pose mixed = sinew_actor_pose(stage, hero);
  for (int clip = 0; clip < 2; clip++) {
    sinew_sample_job job = {.model = model,
                            .clip = sinew_model_clip(model, sinew_model_find_clip(model, clip ? "Jump" : "Idle")),
                            .time = clip ? 0.4 : 0,
                            .output = {groups[clip], sinew_model_joint_count(model)}};
    assert_true(sinew_sample(&job));
  }
  const struct {
    const char *joint;
    int from;
  } expected[] = {{"Hips", 0},     {"Spine", 0},   {"Spine1", 1},      {"Head", 1},
                  {"RightArm", 1}, {"LeftArm", 0}, {"LeftForeArm", 0}, {"LeftHand", 1}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    int joint = sinew_model_find_joint(model, expected[i].joint);
    sinew_pose source = {groups[expected[i].from], sinew_model_joint_count(model)};
    sinew_quat a = sinew_pose_joint(&mixed, joint).rotation, b = sinew_pose_joint(&source, joint).rotation;
    assert_true(fabsf(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w) > 0.99999f);
  }
  harness_close(&h);
}

static void test_test(void **state) {
  harness h;
  (void)state;
  harness_open(
      &h, "local n, down = 0, 0\nfunction sinew.update() n = n + 1 if sinew.is_down 'w' then down = down + 1 end end\n"
          "function sinew.key_pressed(k) if k == 'space' then print('space', n) end end\n"
          "function sinew.test()\n"
          "  sinew.simulate { seconds = 2, keys = { { 0.5, '+w' }, { 1, 'space' }, { 1.5, '-w' } } }\n"
          "  print(n, down) sinew.simulate { frames = 3 } print(n)\n"
          "  error 'enough' end");
  assert_true(sinew_scene_has_test(h.scene));
  assert_false(sinew_scene_test(h.scene, NULL, &h.error));
  harness_expect(h.error.message, "enough");
  assert_string_equal(h.printed, "space\t60\n120\t60\n123\n");
  assert_true(harness_reload(
      &h, "function sinew.update() error 'in update' end\nfunction sinew.test() sinew.simulate { frames = 2 } end"));
  assert_false(sinew_scene_test(h.scene, NULL, &h.error));
  harness_expect(h.error.message, "in update");
  assert_true(harness_reload(&h, "-- no test"));
  assert_false(sinew_scene_test(h.scene, NULL, &h.error));
  harness_expect(h.error.message, "has no test");
  harness_close(&h);
}

/* The mouse goes and clicks; each named test is there in order, and what is no function says so. */
static void test_named_tests(void **state) {
  static harness h;
  static char found[SINEW_TESTS][SINEW_TEST_NAME];
  (void)state;
  harness_open(&h, "local log = {}\n"
                   "function sinew.mouse_pressed(x, y, b) log[#log + 1] = ('+%d %d %d'):format(b, x, y) end\n"
                   "function sinew.mouse_released(x, y, b) log[#log + 1] = ('-%d %d %d'):format(b, x, y) end\n"
                   "function sinew.tests.clicks() sinew.simulate { seconds = 1, mouse = { { 0, 30, 40 },\n"
                   "  { 0.1, 'left' }, { 0.2, '+right' }, { 0.5, 31, 41 }, { 0.6, '-right' } } }\n"
                   "  print(table.concat(log, ',')) end\n"
                   "function sinew.tests.a_failure() error 'as it should' end\n"
                   "sinew.tests.typo = 3\n");
  static const char *const names[] = {"a_failure", "clicks", "typo"};
  assert_int_equal(sinew_scene_test_names(h.scene, found, &h.error), 3);
  for (int i = 0; i < 3; i++) assert_string_equal(found[i], names[i]);
  assert_false(sinew_scene_has_test(h.scene));
  if (!sinew_scene_test(h.scene, "clicks", &h.error)) fail_msg("%s", h.error.message);
  assert_string_equal(h.printed, "+1 30 40,-1 30 40,+2 30 40,-2 31 41\n");
  assert_false(sinew_scene_test(h.scene, "a_failure", &h.error));
  harness_expect(h.error.message, "as it should");
  assert_false(sinew_scene_test(h.scene, "typo", &h.error));
  harness_expect(h.error.message, "sinew.tests.typo is not a function but a number");
  assert_false(sinew_scene_test(h.scene, "click", &h.error));
  harness_expect(h.error.message, "no test 'click' in sinew.tests; did you mean 'clicks'?");
  assert_false(sinew_scene_test(h.scene, NULL, &h.error));
  harness_expect(h.error.message, "only named ones in sinew.tests");
  assert_true(harness_reload(&h, "function sinew.tests.other() end"));
  assert_int_equal(sinew_scene_test_names(h.scene, found, &h.error), 1);
  assert_string_equal(found[0], "other"); /* those of the last load are gone */
  assert_true(harness_reload(&h, "for i = 1, 1001 do sinew.tests['test ' .. i] = function() end end"));
  assert_int_equal(sinew_scene_test_names(h.scene, found, &h.error), -1);
  harness_expect(h.error.message, "more than 1000 tests");
  harness_close(&h);
}

/* The running scene continues the sequence from which the load drew, with a seed and without, and never draws the same
 * number again. */
static void test_random_goes_on_after_the_load(void **state) {
  static const char *const seeds[] = {"", "math.randomseed(7) ", "math.randomseed(0.5) ", "math.randomseed(1e300) "};
  static char whole[4][256];
  (void)state;
  for (int i = 0; i < 4; i++) {
    static harness h;
    char text[512];
    snprintf(text, sizeof text, "%sfor i = 1, 4 do print(math.random()) end", seeds[i]);
    harness_open(&h, text);
    snprintf(whole[i], sizeof whole[i], "%.255s", h.printed);
    harness_close(&h);
    snprintf(text, sizeof text,
             "%sfor i = 1, 2 do print(math.random()) end\nfunction sinew.update() print(math.random()) end", seeds[i]);
    harness_open(&h, text);
    harness_step(&h, 2);
    assert_string_equal(h.printed, whole[i]);
    harness_close(&h);
    for (int k = 0; k < i; k++) assert_string_not_equal(whole[i], whole[k]);
  }
}

/* For a model without clips, a message suggests a line that loads some, and that line works. */
static void test_a_model_without_clips_is_offered_some(void **state) {
  static harness h;
  char path[160];
  (void)state;
  harness_open_host(&h);
  snprintf(path, sizeof path, "%s/bare.gltf", h.folder);
  harness_write(
      path, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"Root\","
            "\"children\":[1]},{\"name\":\"Hips\",\"translation\":[0,1,0]}]}");
  assert_false(harness_load(&h, "local m = sinew.model('bare.gltf')\nsinew.actor('a', m):play 'Walk'", NULL));
  const char *offer = "sinew.model(\"bare.gltf\", { clips = { \"hero.glb\" } })";
  harness_expect(h.error.message, "no clip 'Walk' in bare.gltf, which has no clips");
  harness_expect(h.error.message, offer);
  char text[256];
  snprintf(text, sizeof text, "local m = %s\nsinew.actor('a', m):play 'Walk'", offer);
  if (!harness_load(&h, text, NULL)) fail_msg("%s", h.error.message);
  harness_step(&h, 2);
  harness_close(&h);
}

/* Two runs of one scene give the same joints, bit for bit. */
static void test_determinism(void **state) {
  const char *text = "local man = sinew.model 'hero.glb' local all = {}\n"
                     "for i = 1, 5 do all['a' .. i] = sinew.actor('a' .. i, man) all['a' .. i]:play('Walk', { time = "
                     "math.random() }) end\n"
                     "function sinew.update(dt) for name, a in pairs(all) do a.position = a.position + { math.random() "
                     "* dt, 0, 0 } end end\n";
  sinew_mat3x4 first[128];
  sinew_transform position;
  (void)state;
  for (int run = 0; run < 2; run++) {
    harness h;
    harness_open(&h, text);
    harness_step(&h, 50);
    const sinew_stage *stage = sinew_host_stage(h.host);
    sinew_actor actor = sinew_scene_find_actor(h.scene, "a3");
    int count = sinew_model_joint_count(sinew_actor_model(stage, actor));
    sinew_transform here = sinew_actor_transform(stage, actor);
    if (run == 0) {
      memcpy(first, sinew_actor_joints(stage, actor), (size_t)count * sizeof *first);
      position = here;
    } else {
      assert_memory_equal(first, sinew_actor_joints(stage, actor), (size_t)count * sizeof *first);
      assert_memory_equal(&position, &here, sizeof here);
    }
    harness_close(&h);
  }
}

/* Without a problem Ctrl+C is the scene's. */
static void test_an_error_can_be_copied(void **state) {
  harness h;
  (void)state;
  harness_open(&h, "local sinew = require 'sinew'\n"
                   "local function inner() error 'it is dark' end\n"
                   "function sinew.key_pressed(key) print('pressed ' .. key) if key == 'x' then inner() end end\n");
  sinew_app app = sinew_scene_app(h.scene);
  app.key(app.user, "c", true, true);
  harness_expect(h.printed, "pressed c");
  assert_null(sinew_host_clipboard(h.host));
  app.key(app.user, "x", true, false);
  app.key(app.user, "c", true, true);
  harness_expect(sinew_host_clipboard(h.host), "scene.lua:2: it is dark");
  harness_expect(sinew_host_clipboard(h.host), "stack traceback:");
  harness_expect(sinew_host_clipboard(h.host), "in upvalue 'inner'");
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_missing_and_empty),
      cmocka_unit_test(test_a_folder_is_its_main),
      cmocka_unit_test(test_callbacks_in_order),
      cmocka_unit_test(test_suspension),
      cmocka_unit_test(test_what_a_save_did_is_said),
      cmocka_unit_test(test_the_overlay_says_who_called),
      cmocka_unit_test(test_each_callback_fails_alone),
      cmocka_unit_test(test_an_error_can_be_copied),
      cmocka_unit_test(test_two_files_one_callback),
      cmocka_unit_test(test_names_from_files),
      cmocka_unit_test(test_playing),
      cmocka_unit_test(test_fade_out),
      cmocka_unit_test(test_masks),
      cmocka_unit_test(test_test),
      cmocka_unit_test(test_named_tests),
      cmocka_unit_test(test_random_goes_on_after_the_load),
      cmocka_unit_test(test_a_model_without_clips_is_offered_some),
      cmocka_unit_test(test_determinism),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
