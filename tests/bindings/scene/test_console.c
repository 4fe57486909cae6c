/* The console in a running scene. */
#include "harness.h"

static const char scene[] =
    "local sinew = require 'sinew'\n"
    "local hero = sinew.actor('hero', sinew.model 'hero.glb', { params = { speed = 0.5, sway = 0 } })\n"
    "local unused = sinew.actor('friend', sinew.model 'hero.glb')\n"
    "local tune, count = { fade = 0.25, deep = { er = 1 } }, 0\n"
    "total = 7\n"
    "hero:play 'Walk'\n"
    "function sinew.update() count = count + 1; tune.last = hero.params.speed end\n";

static const char *ask(harness *h, const char *text) {
  static char out[8192];
  if (!sinew_scene_evaluate(h->scene, text, out, sizeof out)) fail_msg("%s: %s", text, out);
  return out;
}

static const char *fails(harness *h, const char *text) {
  static char out[8192];
  if (sinew_scene_evaluate(h->scene, text, out, sizeof out)) fail_msg("%s: no error, but %s", text, out);
  return out;
}

static void values_are_shown(void **state) {
  static const char *const cases[][2] = {
      {"1 + 1", "2"},
      {"0.1 + 0.2", "0.3"},
      {"'a', nil, true", "a\nnil\ntrue"},
      {"", ""},
      {"local x = 3 return x * 2", "6"},
      {"{}", "{}"},
      {"{ 1, 2, x = 'a\"b', ['a b'] = false, [10] = {} }", "{ 1, 2, [10] = {}, [\"a b\"] = false, x = \"a\\\"b\" }"},
      {"{ { a = 1, b = 'x' }, { a = 22 } }", "a   b\n1   x\n22  "},
      {"{ { 1 }, { 2 } }", "{ { 1 }, { 2 } }"},
      {"{ ('long'):rep(10), ('text'):rep(12) }",
       "{\n  \"longlonglonglonglonglonglonglonglonglong\",\n  \"texttexttexttexttexttexttexttexttexttexttexttext\"\n}"},
      {"tune.fade", "0.25"},
      {"tune.deep", "{ er = 1 }"},
      {"total", "7"},
      {"hero.name", "hero"},
      {"friend.name", "friend"},
      {"nothing", "nil"},
      {"sinew.vec3(1, 2, 3).y", "2"}};
  static harness h;
  (void)state;
  harness_open(&h, scene);
  harness_step(&h, 2);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) assert_string_equal(ask(&h, cases[i][0]), cases[i][1]);
  assert_string_equal(ask(&h, "local t = {} t.t = t return t"), "{ t = { t = { t = { t = { t = {…} } } } } }");
  assert_true(strlen(ask(&h, "local t = {} for i = 1, 500 do t[i] = i end return t")) < 1000);
  harness_close(&h);
}

/* Variables of the file are the scene's own, whoever assigns; a new name is a global that functions see. */
static void it_changes_the_scene(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, scene);
  harness_step(&h, 3);
  assert_string_equal(ask(&h, "count"), "3");
  ask(&h, "count = 100");
  harness_step(&h, 1);
  assert_string_equal(ask(&h, "count"), "101");
  ask(&h, "hero.params.speed = 1.25");
  harness_step(&h, 1);
  assert_string_equal(ask(&h, "tune.last"), "1.25");
  ask(&h, "total, fresh = 8, 'new'");
  assert_string_equal(ask(&h, "total, fresh"), "8\nnew");
  ask(&h, "hero:play('Run', { fade = 0 })");
  harness_step(&h, 1);
  assert_string_equal(ask(&h, "hero:playing()[1].clip"), "Run");
  harness_close(&h);
}

/* A failure is told, and the scene goes on. */
static void errors_are_told_and_end_there(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, scene);
  harness_step(&h, 1);
  harness_expect(fails(&h, "hero:play 'Wlak'"), "did you mean 'Walk'?");
  harness_expect(fails(&h, "1 +"), "console:1:");
  harness_expect(fails(&h, "nothing.field"), "nothing");
  harness_expect(fails(&h, "io.open('/etc/passwd')"), "not available to scenes");
  harness_expect(fails(&h, "os.execute('true')"), "execute");
  harness_expect(fails(&h, "while true do end"), "instructions");
  harness_expect(fails(&h, "error({ code = 3 })"), "{ code = 3 }");
  harness_expect(fails(&h, "('x'):rep(1e12)"), "");
  harness_expect(fails(&h, "\27Lua"), "");
  harness_step(&h, 2);
  assert_null(sinew_scene_problem(h.scene));
  assert_string_equal(ask(&h, "count"), "3");
  char tiny[8];
  assert_true(sinew_scene_evaluate(h.scene, "'äöüäöü'", tiny, sizeof tiny));
  assert_true(strlen(tiny) < sizeof tiny);
  harness_close(&h);
}

typedef struct expectation {
  const char *text;
  int from;
  const char *has, *lacks;
} expectation;

static void it_completes_names(void **state) {
  static const expectation cases[] = {{"her", 0, "hero\n", "total\n"},
                                      {"x = to", 4, "total\n", "hero\n"},
                                      {"frien", 0, "friend\n", NULL},
                                      {"tune.", 5, "fade\n", "er\n"},
                                      {"tune.deep.", 10, "er\n", "fade\n"},
                                      {"hero:pl", 5, "play\n", "visible\n"},
                                      {"hero.vi", 5, "visible\n", "play\n"},
                                      {"hero.params.s", 12, "speed\nsway\n", NULL},
                                      {"print(hero.params.sp", 18, "speed\n", "sway\n"},
                                      {"hero:play \"Wa", 11, "Walk\n", "Run\n"},
                                      {"hero:play('", 11, "Run\n", "Hips\n"},
                                      {"hero:explain(\"RightF", 14, "RightForeArm\n", "LeftForeArm\n"},
                                      {"sinew.ve", 6, "vec3\n", "actor\n"},
                                      {"sinew.", 6, "camera\n", NULL},
                                      {"sinew.camera.", 13, "position\n", "vec3\n"},
                                      {"string.re", 7, "rep\n", "upper\n"},
                                      {"nothing.", 8, "", "hero"},
                                      {"hero:explain(\"a\\\"b", 14, "", "hero"},
                                      {"1 + ", 4, "hero\n", NULL},
                                      {"io.", 3, "", "open"}};
  static harness h;
  char names[65536];
  int from;
  (void)state;
  harness_open(&h, scene);
  harness_step(&h, 2);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const expectation *e = cases + i;
    int count = sinew_scene_complete(h.scene, e->text, &from, names, sizeof names);
    if (!strstr(names, e->has)) fail_msg("%s: no %s in %s", e->text, e->has, names);
    if (e->lacks && strstr(names, e->lacks)) fail_msg("%s: %s in %s", e->text, e->lacks, names);
    if (count > 0) assert_int_equal(from, e->from);
  }
  char few[7];
  assert_int_equal(sinew_scene_complete(h.scene, "hero.params.s", &from, few, sizeof few), 1);
  assert_null(sinew_scene_problem(h.scene));
  harness_close(&h);
}

static void files_are_found_by_how_messages_call_them(void **state) {
  static harness h;
  char path[1024];
  (void)state;
  harness_open(&h, scene);
  assert_true(sinew_scene_locate(h.scene, "scene.lua", path, sizeof path));
  assert_string_equal(path, sinew_scene_file(h.scene, 0));
  assert_false(sinew_scene_locate(h.scene, "cene.lua", path, sizeof path));
  assert_false(sinew_scene_locate(h.scene, "", path, sizeof path));
  harness_close(&h);
}

static void what_is_picked_is_known(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, scene);
  harness_step(&h, 2);
  assert_string_equal(ask(&h, "sinew.selected"), "nil");
  sinew_actor hero = sinew_scene_find_actor(h.scene, "hero");
  sinew_host_select(h.host, hero, sinew_model_find_joint(sinew_actor_model(sinew_host_stage(h.host), hero), "Head"));
  assert_string_equal(ask(&h, "sinew.selected.actor == hero, sinew.selected.joint"), "true\nHead");
  harness_close(&h);
}

static void texts_that_are_not_lua_are_refused_with_their_line(void **state) {
  (void)state;
  char message[200];
  assert_true(sinew_lua_parses("main.lua", "local x = 1\nreturn x", message, sizeof message));
  assert_false(sinew_lua_parses("main.lua", "local x = 1\nlocal y = = 2", message, sizeof message));
  assert_string_equal(message, "main.lua:2: unexpected symbol near '='");
  assert_false(sinew_lua_parses("main.lua", "\x1bLua", message, sizeof message)); /* bytecode */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_are_shown),
                                     cmocka_unit_test(it_changes_the_scene),
                                     cmocka_unit_test(errors_are_told_and_end_there),
                                     cmocka_unit_test(it_completes_names),
                                     cmocka_unit_test(files_are_found_by_how_messages_call_them),
                                     cmocka_unit_test(what_is_picked_is_known),
                                     cmocka_unit_test(texts_that_are_not_lua_are_refused_with_their_line)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
