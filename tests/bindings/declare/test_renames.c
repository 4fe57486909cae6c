/* Actors and crowds that a save gives other names go on as who they were: in each of the next 25 frames they stand
 * where those of an untouched twin stand. */
#include "harness.h"

#include <sinew/crowd.h>

#define HEAD "local sinew = require 'sinew'\nlocal model = sinew.model 'hero.glb'\n"
#define WALKER(name)                                                                                                   \
  "local man = sinew.actor('" name "', model, { params = { speed = 1 } })\n"                                           \
  "man.position = { 1, 0, 0 }\n"                                                                                       \
  "man:play('Walk', { fade = 0 })\n"                                                                                   \
  "sinew.on('update', function(dt) man.position = man.position + { 0, 0, 1.4 * dt } end)\n"
#define ROW(name, count)                                                                                               \
  "for i = 1, " count " do local a = sinew.actor('" name "' .. i, model) a:play('Walk', { time = i / 7 }) "            \
  "a.position = { i, 0, 0 } sinew.on('update', function(dt) a.position = a.position + { 0, 0, i * dt } end) end\n"
#define CROWD(name)                                                                                                    \
  "local c = sinew.crowd(model, 3, { name = '" name "', graph = 'Walk' })\n"                                           \
  "sinew.on('update', function(dt) for i = 1, 3 do c.z[i] = c.z[i] + i * dt end end)\n"                                \
  "sinew.on('key_pressed', function() print(string.format('crowd %.3f %.3f', c.z[1], c.z[3])) end)\n"

#define SPACE(param) "sinew.blend_space_1d { param = '" param "', { 0, 'Idle' }, { 1.6, 'Walk' }, { 4, 'Run' } }"
#define DRIVEN(name, param, more)                                                                                      \
  "local man = sinew.actor('" name "', model, { params = { " param " = 1.5, lean = 0.1 " more "} })\n"                 \
  "man:set_graph(" SPACE(                                                                                              \
      param) ")\n"                                                                                                     \
             "if sinew.time < 0.1 then sinew.on('update', function() if sinew.frame == 3 then man.params." param       \
             " = 3 end end) end\n"
#define DRIVEN_CROWD(param)                                                                                            \
  "local c = sinew.crowd(model, 3, { name = 'people', params = { " param                                               \
  " = 1.5 }, graph = " SPACE(param) " })\n"                                                                            \
                                    "sinew.on('key_pressed', function(key) if key == 's' then c.params." param         \
                                    "[2] = 3 end "                                                                     \
                                    "print(c.params." param "[1], c.params." param "[2]) end)\n"

#define PAIR(a, b)                                                                                                     \
  WALKER(a)                                                                                                            \
  "local other = sinew.actor('" b "', model)\nother.position = { -1, 0, 0 }\nother:play('Run', { fade = 0 "            \
  "})\nsinew.on('update', function(dt) other.position = other.position - { 0, 0, dt } end)\n"
#define TWICE(a, b, order)                                                                                             \
  "local man = sinew.actor('hero', model, { params = { " order " } })\n"                                               \
  "man:set_graph(sinew.blend { { sinew.blend_space_1d { param = '" a "', { 0, 'Idle' }, { 1, 'Walk' } }, 1 }, "        \
  "{ sinew.blend_space_1d { param = '" b "', { 0, 'Jump' }, { 1, 'Wave' } }, 1 } })\n"                                 \
  "if sinew.time < 0.1 then sinew.on('update', function() if sinew.frame == 3 then man.params." a                      \
  " = 0.3 man.params." b " = 0.9 end end) end\n"

#define ASKED(param, more)                                                                                             \
  "local man = sinew.actor('hero', model, { params = { " param " = 0 } })\n"                                           \
  "man:set_graph(sinew.state_machine { start = 'a', states = { a = 'Walk', b = 'Run' }, transitions = {\n"             \
  "{ 'a', 'b', when = '" param " > 0.5', fade = 0.3 }, " more " } })\n"                                                \
  "sinew.on('update', function() if sinew.frame == 3 then man.params." param " = 1 end end)\n"

typedef struct edit {
  const char *what, *before, *after, *name, *told; /* the first that is called otherwise, now, and what is said */
} edit;

static const edit edits[] = {
    {"an actor", WALKER("hero"), WALKER("man"), "man", "hero is called man now"},
    {"an actor, and a speed", WALKER("hero"), WALKER("man") "man:layer('up', {})", "man", "hero is called man now"},
    {"all of a loop", ROW("hero", "3"), ROW("man", "3"), "man1", "hero1 is called man1 now, hero2 is called man2 now"},
    {"all of a longer loop", ROW("hero", "3"), ROW("man", "4"), "man1", "hero1 is called man1 now"},
    {"an actor above another that is new", WALKER("hero"), WALKER("man") "sinew.actor('other', model)", "man",
     "hero is called man now"},
    {"a parameter", DRIVEN("hero", "speed", ""), DRIVEN("hero", "pace", ""), "hero", "hero.speed is called pace now"},
    {"an actor and its parameter", DRIVEN("hero", "speed", ""), DRIVEN("man", "pace", ""), "man",
     "hero is called man now, man.speed is called pace now"},
    {"two actors swap their names", PAIR("hero", "man"), PAIR("man", "hero"), "man",
     "hero is called man now, man is called hero now"},
    {"two actors take names in turn", PAIR("hero", "man"), PAIR("man", "he"), "man",
     "hero is called man now, man is called he now"},
    {"two actors take names in turn, backwards", PAIR("man", "hero"), PAIR("hero", "he"), "he",
     "man is called hero now, hero is called he now"},
    {"two parameters swap their names", TWICE("a", "b", "a = 1, b = 0.5"), TWICE("b", "a", "b = 1, a = 0.5"), "hero",
     "hero.a is called b now, hero.b is called a now"},
    {"two parameters that are declared alike", TWICE("a", "b", "a = 1, b = 1"), TWICE("b", "a", "b = 1, a = 1"), "hero",
     "hero.a is called b now, hero.b is called a now"},
    {"parameters take names in turn", TWICE("a", "b", "a = 1, b = 0.5"), TWICE("b", "c", "b = 1, c = 0.5"), "hero",
     "hero.a is called b now, hero.b is called c now"},
    {"a parameter that only a condition asks", ASKED("turn", ""), ASKED("lean", ""), "hero",
     "hero.turn is called lean now"},
    {"a parameter that only a condition asks, beside another", ASKED("turn", ""),
     ASKED("lean", "{ 'b', 'a', on = 'x' }"), "hero", "hero.turn is called lean now"},
    {"a parameter, while another comes", DRIVEN("hero", "speed", ""), DRIVEN("hero", "pace", ", turn = 0 "), "hero",
     "hero.speed is called pace now"},
};

static sinew_vec3 hand_of(const harness *h, const char *name) {
  const sinew_stage *stage = sinew_host_stage(h->host);
  sinew_actor actor = sinew_scene_find_actor(h->scene, name);
  if (!actor.id) fail_msg("there is no %s", name);
  assert_string_equal(sinew_actor_name(stage, actor), name);
  const float *m =
      sinew_actor_joints(stage, actor)[sinew_model_find_joint(sinew_actor_model(stage, actor), "LeftHand")].m;
  sinew_transform t = sinew_actor_transform(stage, actor);
  return (sinew_vec3){m[3] + t.translation.x, m[7] + t.translation.y, m[11] + t.translation.z};
}

static void compare(const edit *e, const char *before_name) {
  static harness twin, edited;
  harness *both[] = {&twin, &edited};
  char text[4096];
  for (int i = 0; i < 2; i++) {
    snprintf(text, sizeof text, "%s%s", HEAD, e->before);
    harness_open_host(both[i]);
    if (!harness_load(both[i], text, NULL)) fail_msg("%s", both[i]->error.message);
    harness_step(both[i], 77);
  }
  snprintf(text, sizeof text, "%s%s", HEAD, e->after);
  if (!harness_reload(&edited, text)) fail_msg("%s", edited.error.message);
  if (!strstr(sinew_scene_summary(edited.scene), e->told))
    fail_msg("%s: '%s'", e->what, sinew_scene_summary(edited.scene));
  if (strstr(sinew_scene_summary(edited.scene), "gone"))
    fail_msg("%s: '%s'", e->what, sinew_scene_summary(edited.scene));
  double worst = 0;
  for (int frame = 0; frame < 25; frame++) {
    harness_step(&twin, 1);
    harness_step(&edited, 1);
    sinew_vec3 a = hand_of(&twin, before_name), b = hand_of(&edited, e->name);
    worst = fmax(worst, fabs((double)(a.x - b.x)) + fabs((double)(a.y - b.y)) + fabs((double)(a.z - b.z)));
  }
  if (worst > 1e-4) fail_msg("%s: a hand is off by %.4f m", e->what, worst);
  harness_close(&twin);
  harness_close(&edited);
}

static void who_is_called_otherwise_goes_on(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof edits / sizeof *edits; i++)
    compare(edits + i, strstr(edits[i].before, "for i") ? "hero1" : "hero");
}

static void a_crowd_that_is_called_otherwise_stays_where_it_is(void **state) {
  (void)state;
  static harness twin, edited;
  harness *both[] = {&twin, &edited};
  for (int i = 0; i < 2; i++) {
    harness_open(both[i], HEAD CROWD("people"));
    harness_step(both[i], 30);
  }
  assert_true(harness_reload(&edited, HEAD CROWD("folk")));
  harness_expect(sinew_scene_summary(edited.scene), "people is called folk now");
  const sinew_stage *stage = sinew_host_stage(edited.host);
  assert_string_equal(sinew_crowd_name(stage, sinew_stage_crowd(stage, 0)), "folk");
  for (int i = 0; i < 2; i++) {
    harness_step(both[i], 30);
    harness_key(both[i], "k");
  }
  assert_string_equal(twin.printed, "crowd 1.000 3.000\n");
  assert_string_equal(edited.printed, twin.printed);
  harness_close(&twin);
  harness_close(&edited);
}

static void the_parameter_of_a_crowd_keeps_its_values(void **state) {
  (void)state;
  static harness h;
  harness_open(&h, HEAD DRIVEN_CROWD("speed"));
  harness_step(&h, 3);
  harness_key(&h, "s");
  assert_true(harness_reload(&h, HEAD DRIVEN_CROWD("pace")));
  assert_string_equal(strstr(sinew_scene_summary(h.scene), "people."), "people.speed is called pace now");
  harness_step(&h, 3);
  harness_key(&h, "k");
  assert_string_equal(h.printed, "1.5\t3.0\n1.5\t3.0\n");
  harness_close(&h);
}

#define CROWDS(a, b, p, q)                                                                                             \
  "local c = sinew.crowd(model, 2, { name = '" a "', params = { " p " = 1, " q " = 0.5 }, graph = sinew.blend { { "    \
  "sinew.blend_space_1d { param = '" p "', { 0, 'Idle' }, { 1, 'Walk' } }, 1 }, { sinew.blend_space_1d { param = '" q  \
  "', { 0, 'Jump' }, { 1, 'Wave' } }, 1 } } })\nlocal d = sinew.crowd(model, 2, { name = '" b "', graph = 'Run' })\n"  \
  "sinew.on('key_pressed', function(k) if k == 's' then c.params." p "[2] = 0.3 c.params." q                           \
  "[2] = 0.9 c.x[1] = 7 d.x[1] = 8 end print(c.params." p "[2], c.params." q "[2], c.x[1], d.x[1]) end)\n"

static void crowds_and_their_parameters_swap_their_names(void **state) {
  (void)state;
  static const char *const afters[][2] = {
      {HEAD CROWDS("b", "a", "q", "p"),
       "a is called b now, b is called a now, b.p is called q now, b.q is called p now"},
      {HEAD CROWDS("b", "c", "q", "r"),
       "a is called b now, b is called c now, b.p is called q now, b.q is called r now"},
  };
  for (int i = 0; i < 2; i++) {
    static harness h;
    harness_open(&h, HEAD CROWDS("a", "b", "p", "q"));
    harness_step(&h, 3);
    harness_key(&h, "s");
    assert_true(harness_reload(&h, afters[i][0]));
    assert_string_equal(strstr(sinew_scene_summary(h.scene), "ms: ") + 4, afters[i][1]);
    h.printed[0] = 0;
    harness_step(&h, 3);
    harness_key(&h, "k");
    if (!strstr(h.printed, "0.3") || !strstr(h.printed, "0.89")) fail_msg("%s", h.printed);
    harness_expect(h.printed, "7.0\t8.0");
    harness_close(&h);
  }
}

#define GRAPH_OF(params, param) "sinew.actor('hero', model, { params = { " params " } }):set_graph(" SPACE(param) ")\n"

/* A new thing that takes only another's line, or a name in a condition's text, is not a renamed one. */
static void who_takes_another_place_is_no_other(void **state) {
  static const char *const saves[][2] = {
      {PAIR("hero", "man"), "sinew.actor('man', model):play('Walk', { fade = 0 })\nsinew.actor('hero', model)\n"},
      {TWICE("a", "b", "a = 1, b = 0.5"), TWICE("b", "a", "a = 1, b = 0.5")},
      {GRAPH_OF("a = 1, b = 1", "a"), GRAPH_OF("a = 2, b = 1", "b")}, /* b stays as it is */
  };
  (void)state;
  for (size_t i = 0; i < sizeof saves / sizeof *saves; i++) {
    harness h;
    char text[2][4096];
    for (int k = 0; k < 2; k++) snprintf(text[k], sizeof text[k], "%s%s", HEAD, saves[i][k]);
    harness_open(&h, text[0]);
    harness_step(&h, 10);
    assert_true(harness_reload(&h, text[1]));
    if (strstr(sinew_scene_summary(h.scene), "called")) fail_msg("%s", sinew_scene_summary(h.scene));
    harness_close(&h);
  }
}

/* It drives something else: it begins as it is declared. */
static void another_parameter_begins_anew(void **state) {
  (void)state;
  static harness h;
  harness_open(&h, HEAD DRIVEN("hero", "speed", ""));
  harness_step(&h, 10);
  assert_true(harness_reload(&h, HEAD "local man = sinew.actor('hero', model, { params = { turn = 0 } })\n"
                                      "man:set_graph(sinew.switch { param = 'turn', 'Idle', 'Walk' })\n"
                                      "sinew.on('key_pressed', function() print(man.params.turn) end)\n"));
  if (strstr(sinew_scene_summary(h.scene), "called")) fail_msg("%s", sinew_scene_summary(h.scene));
  harness_key(&h, "k");
  assert_string_equal(h.printed, "0.0\n");
  harness_close(&h);
}

#define TWO(a, b)                                                                                                      \
  "sinew.blend { { sinew.blend_space_1d { param = '" a "', { 0, 'Idle' }, { 1, 'Walk' } }, 1 }, "                      \
  "{ sinew.blend_space_1d { param = '" b "', { 0, 'Idle' }, { 1, 'Walk' } }, 1 } }"

/* Only the text says it: a line that is another but for its names tells nothing. */
static void a_parameter_is_known_by_its_places(void **state) {
  static const struct {
    const char *before, *from, *after, *to;
    bool renamed;
  } saves[] = {
      {"a = 0", SPACE("a"), "c = 0",
       "sinew.blend_space_1d { param = 'c', { -1, 'Jump' }, { 0, 'Idle' }, { 1.6, 'Walk' }, { 4, 'Run' } }", false},
      {"a = 0", SPACE("a"), "c = 0", "sinew.blend_space_1d { param = 'c', { 0, 'Jump' }, { 1, 'Wave' } }", false},
      {"a = 0", SPACE("a"), "c = 0", "sinew.switch { param = 'c', 'Idle', 'Walk', 'Run' }", false},
      {"a = 0, b = 0", TWO("a", "b"), "c = 0, b = 0", TWO("c", "b"), true},
      {"a = 0, b = 0", TWO("a", "b"), "c = 0", TWO("c", "c"), false},
      {"a = 0", TWO("a", "a"), "c = 0, d = 0", TWO("c", "d"), false},
  };
  (void)state;
  for (size_t i = 0; i < sizeof saves / sizeof *saves; i++) {
    harness h;
    char text[2][1024];
    static const char *const form = HEAD "sinew.actor('hero', model, { params = { %s } }):set_graph(%s)\n";
    snprintf(text[0], sizeof *text, form, saves[i].before, saves[i].from);
    snprintf(text[1], sizeof *text, form, saves[i].after, saves[i].to);
    harness_open(&h, text[0]);
    harness_step(&h, 2);
    assert_true(harness_reload(&h, text[1]));
    bool told = strstr(sinew_scene_summary(h.scene), saves[i].renamed ? "hero.a is called c now" : " is called ");
    if (told != saves[i].renamed) fail_msg("%s → %s: %s", saves[i].from, saves[i].to, sinew_scene_summary(h.scene));
    harness_close(&h);
  }
}

static void one_that_goes_is_no_other_that_comes(void **state) {
  (void)state;
  static harness h;
  harness_open(&h, HEAD WALKER("hero"));
  harness_step(&h, 30);
  assert_true(harness_reload(&h, "local sinew = require 'sinew'\nsinew.actor('fox', sinew.model 'fox.glb')\n"));
  harness_expect(sinew_scene_summary(h.scene), "hero is gone");
  assert_true(harness_reload(&h, HEAD WALKER("hero")));
  harness_expect(sinew_scene_summary(h.scene), "hero is back");
  harness_close(&h);
}

/* One line says both: who stands there is still there. */
static void an_actor_with_another_name_and_another_model(void **state) {
  static const char *const afters[] = {
      "local sinew = require 'sinew'\nlocal model = sinew.model 'hero.fbx'\n" WALKER("man"),
      "local sinew = require 'sinew'\n-- more\nlocal model = sinew.model 'hero.fbx'\n" WALKER("man")};
  (void)state;
  for (int i = 0; i < 2; i++) {
    static harness twin, edited;
    harness *both[] = {&twin, &edited};
    for (int k = 0; k < 2; k++) {
      harness_open(both[k], HEAD WALKER("hero"));
      harness_step(both[k], 50);
    }
    assert_true(harness_reload(&edited, afters[i]));
    harness_expect(sinew_scene_summary(edited.scene), "hero is called man now");
    harness_expect(sinew_scene_summary(edited.scene), "man: model hero.glb → hero.fbx");
    harness_step(&twin, 25);
    harness_step(&edited, 25);
    sinew_vec3 a = hand_of(&twin, "hero"), b = hand_of(&edited, "man");
    double off = fabs((double)(a.x - b.x)) + fabs((double)(a.y - b.y)) + fabs((double)(a.z - b.z));
    if (off > 0.02) fail_msg("%d: a hand is off by %.4f m", i, off);
    harness_close(&twin);
    harness_close(&edited);
  }
}

/* The load runs twice, which nobody notices; if it fails the second time, all is as it was. */
static void a_load_that_runs_again_says_nothing_twice(void **state) {
  (void)state;
  static harness h;
  sinew_scene_def def = sinew_scene_def_default();
  char text[2048];
  def.trust = true;
  harness_open_host(&h);
  if (!harness_load(&h, HEAD WALKER("hero"), &def)) fail_msg("%s", h.error.message);
  snprintf(
      text, sizeof text,
      HEAD
      "local mark = '%s/mark'\nif io.open(mark) then error 'a second time' end io.open(mark, 'w'):close()\n" WALKER(
          "man"),
      h.folder);
  assert_false(harness_reload(&h, text));
  harness_expect(h.error.message, "a second time");
  harness_step(&h, 3);
  assert_true(sinew_scene_find_actor(h.scene, "hero").id != 0);
  assert_true(sinew_scene_find_actor(h.scene, "man").id == 0);
  assert_true(harness_reload(&h, HEAD "print 'hello'\n" WALKER("hero")));
  assert_true(harness_reload(&h, HEAD "print 'hello'\n" WALKER("man")));
  assert_string_equal(h.printed, "hello\nhello\n");
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(who_is_called_otherwise_goes_on),
      cmocka_unit_test(a_crowd_that_is_called_otherwise_stays_where_it_is),
      cmocka_unit_test(the_parameter_of_a_crowd_keeps_its_values),
      cmocka_unit_test(crowds_and_their_parameters_swap_their_names),
      cmocka_unit_test(who_takes_another_place_is_no_other),
      cmocka_unit_test(another_parameter_begins_anew),
      cmocka_unit_test(a_parameter_is_known_by_its_places),
      cmocka_unit_test(one_that_goes_is_no_other_that_comes),
      cmocka_unit_test(an_actor_with_another_name_and_another_model),
      cmocka_unit_test(a_load_that_runs_again_says_nothing_twice),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
