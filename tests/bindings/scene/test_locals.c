/* Variables of the scripts across saves. Each case has a scene that prints what its functions see. */
#include "harness.h"

/* What update has printed in one frame. */
static const char *seen(harness *h) {
  h->printed[0] = 0;
  harness_step(h, 1);
  h->printed[strcspn(h->printed, "\n")] = 0;
  return h->printed;
}

static void expect_seen(harness *h, const char *text) { assert_string_equal(seen(h), text); }

static void save(harness *h, const char *text) {
  if (!harness_reload(h, text)) fail_msg("%s", h->error.message);
}

static void expect_summary(harness *h, const char *text) { harness_expect(sinew_scene_summary(h->scene), text); }

static void expect_silence(harness *h) { expect_summary(h, "nothing declared has changed"); }

/* ---- the rule ---- */

static const char counting[] = "local count = %d -- %s\n"
                               "function sinew.update() count = count + 1; print(count) end\n";

static const char *counter(int from, const char *comment) {
  static char text[256];
  snprintf(text, sizeof text, counting, from, comment);
  return text;
}

static void test_a_comment_leaves_the_living_value(void **state) {
  (void)state;
  harness h;
  harness_open(&h, counter(0, "one"));
  expect_seen(&h, "1");
  expect_seen(&h, "2");
  save(&h, counter(0, "two"));
  expect_silence(&h);
  expect_seen(&h, "3");
  harness_close(&h);
}

static void test_another_declared_value_counts(void **state) {
  (void)state;
  harness h;
  harness_open(&h, counter(0, ""));
  harness_step(&h, 5);
  save(&h, counter(10, ""));
  expect_summary(&h, "count 0 → 10");
  expect_seen(&h, "11");
  save(&h, counter(10, "again"));
  expect_seen(&h, "12");
  save(&h, counter(0, "back"));
  expect_seen(&h, "1");
  harness_close(&h);
}

static void test_a_value_that_has_not_changed_follows_the_edit(void **state) {
  (void)state;
  harness h;
  harness_open(&h, "local still = 1\nfunction sinew.update() print(still) end\n");
  save(&h, "local still = 2\nfunction sinew.update() print(still) end\n");
  expect_seen(&h, "2");
  harness_close(&h);
}

static void test_a_mistake_changes_nothing(void **state) {
  (void)state;
  harness h;
  harness_open(&h, counter(0, ""));
  expect_seen(&h, "1");
  assert_false(harness_reload(&h, "local count = 7\nthis is no Lua"));
  assert_false(harness_reload(&h, "local count = 7\nfunction sinew.update() count = 5 end\nerror 'no'"));
  expect_seen(&h, "2");
  save(&h, counter(0, "right"));
  expect_seen(&h, "3");
  harness_close(&h);
}

static void test_ctrl_r_starts_again(void **state) {
  (void)state;
  harness h;
  harness_open(&h, counter(0, ""));
  harness_step(&h, 5);
  assert_true(sinew_scene_restart(h.scene, &h.error));
  expect_seen(&h, "1");
  harness_close(&h);
}

/* ---- kinds of values ---- */

static void expect_kept(const char *declaration, const char *change, const char *show, const char *shown) {
  char text[1024];
  harness h;
  snprintf(text, sizeof text,
           "%s\nlocal first = true\n"
           "function sinew.update() if first then first = false; %s end print(%s) end\n",
           declaration, change, show);
  harness_open(&h, text);
  expect_seen(&h, shown);
  strcat(text, "-- saved\n");
  save(&h, text);
  expect_seen(&h, shown);
  harness_close(&h);
}

static void test_all_kinds_of_plain_data(void **state) {
  (void)state;
  expect_kept("local v = 0", "v = 0.25", "v", "0.25");
  expect_kept("local v = 0", "v = 'text'", "v", "text");
  expect_kept("local v", "v = 7", "v", "7");
  expect_kept("local v = 7", "v = nil", "v", "nil");
  expect_kept("local v = false", "v = true", "v", "true");
  expect_kept("local v = 0/0", "v = 1", "v", "1");
  expect_kept("local v = {}", "v.x = 1; v[1] = 'a'", "v.x, v[1], #v", "1\ta\t1");
  expect_kept("local v = { 1, 2, 3 }", "v[2] = nil; v[3] = nil", "#v", "1");
  expect_kept("local v = { a = { b = { c = 0 } } }", "v.a.b.c = 5", "v.a.b.c", "5");
  expect_kept("local v = sinew.camera.position", "v = v * 2", "v == sinew.camera.position * 2", "true");
  expect_kept("score = 0", "score = 9", "score", "9");
  expect_kept("local v = { true }", "v[false] = 2; v[1.5] = 3", "v[false], v[1.5]", "2\t3");
}

static void test_tables_are_refilled_in_place(void **state) {
  static const char *const text = "local list = { 0 }\n"
                                  "local both = { inner = list }\n"
                                  "local function first() return list[1] end\n"
                                  "function sinew.update()\n"
                                  "  both.inner[1] = both.inner[1] + 1\n"
                                  "  print(first(), both.inner == list)\n"
                                  "end\n";
  (void)state;
  harness h;
  harness_open(&h, text);
  expect_seen(&h, "1\ttrue");
  save(&h, text);
  expect_seen(&h, "2\ttrue");
  harness_close(&h);
}

static void test_tables_that_became_shared_stay_shared(void **state) {
  static const char *const text = "local a, b = { n = 1 }, { n = 1 }\n"
                                  "local c = { 1, 2 }\n"
                                  "function sinew.update()\n"
                                  "  print(a.n, b == c[1], c[1] == c[2])\n"
                                  "  c[1], c[2], a.n, b.n = b, b, 3, 3\n"
                                  "end\n";
  (void)state;
  harness h;
  harness_open(&h, text);
  expect_seen(&h, "1\tfalse\tfalse");
  expect_seen(&h, "3\ttrue\ttrue");
  save(&h, text);
  expect_seen(&h, "3\ttrue\ttrue");
  harness_close(&h);
}

static void test_a_table_that_holds_itself(void **state) {
  (void)state;
  expect_kept("local v = { n = 0 }; v.me = v", "v.n = 4", "v.n, v.me == v", "4\ttrue");
}

static void test_a_table_declared_with_other_values(void **state) {
  static const char *const before = "local t = { speed = 1, name = 'a', list = { 1, 2 }, gone = 1 }\n"
                                    "function sinew.update() t.speed, t.list[1] = 2, 7; print(t.speed, t.name) end\n";
  static const char *const after = "local t = { speed = 1, name = 'b', list = { 1, 3, 4 }, more = 5 }\n"
                                   "local other = t.list\n"
                                   "function sinew.update() print(t.speed, t.name, t.gone, t.more, #t.list, other[1], "
                                   "other[2], other[3]) end\n";
  (void)state;
  harness h;
  harness_open(&h, before);
  expect_seen(&h, "2\ta");
  save(&h, after);
  expect_summary(&h, "t.gone is gone, t.list[2] 2 → 3, t.list[3] 4, t.more 5, 1 more in t");
  expect_seen(&h, "2\tb\tnil\t5\t3\t7\t3\t4");
  save(&h,
       "local t = { speed = 3, name = 'b', list = { 1 } }\nfunction sinew.update() print(t.speed, #t.list, t.list[1]) "
       "end\n");
  expect_seen(&h, "3\t1\t7");
  harness_close(&h);
}

/* ---- who holds a variable ---- */

static void test_all_closures_share_it(void **state) {
  static const char *const text = "local n = 0\n"
                                  "local function add() n = n + 1 end\n"
                                  "local calls = { { call = function() return n end } }\n"
                                  "local read = coroutine.wrap(function() while true do coroutine.yield(n) end end)\n"
                                  "read()\n"
                                  "function sinew.update() add(); print(n, calls[1].call(), read()) end\n";
  (void)state;
  harness h;
  harness_open(&h, text);
  expect_seen(&h, "1\t1\t1");
  save(&h, text);
  expect_seen(&h, "2\t2\t2");
  harness_close(&h);
}

static void test_only_a_coroutine_holds_it(void **state) {
  static const char *const text = "local task = require 'sinew.task'\n"
                                  "do\n"
                                  "  local n = 0\n"
                                  "  task.run(function() while true do n = n + 1; print(n); task.wait(0) end end)\n"
                                  "end\n";
  (void)state;
  harness h;
  harness_open(&h, text);
  harness_step(&h, 3);
  save(&h, text);
  assert_true(atoi(seen(&h)) > 3);
  harness_close(&h);
}

static void test_graph_conditions_and_event_handlers_hold_it(void **state) {
  static const char *const text =
      "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
      "local asked, steps = 0, 0\n"
      "hero:set_graph(sinew.state_machine { start = 'a', states = { a = 'Idle', b = 'Walk' },\n"
      "  transitions = { { 'a', 'b', when = function() asked = asked + 1; print(asked) return false end } } })\n";
  (void)state;
  harness h;
  harness_open(&h, text);
  harness_step(&h, 2);
  int before = atoi(seen(&h));
  assert_true(before > 0);
  save(&h, text);
  assert_int_equal(atoi(seen(&h)), before + 1);
  harness_close(&h);
}

static void test_modules(void **state) {
  static const char *const text = "local m = require 'own'\nfunction sinew.update() print(m.count()) end\n";
  char path[128];
  (void)state;
  harness h;
  harness_open_host(&h);
  snprintf(path, sizeof path, "%s/own.lua", h.folder);
  harness_write(path, "local n = 0\nreturn { count = function() n = n + 1 return n end }\n");
  if (!harness_load(&h, text, NULL)) fail_msg("%s", h.error.message);
  expect_seen(&h, "1");
  save(&h, text);
  expect_seen(&h, "2");
  harness_write(path, "local n = 10\nreturn { count = function() n = n + 1 return n end }\n");
  save(&h, text);
  expect_summary(&h, "n 0 → 10");
  expect_seen(&h, "11");
  harness_close(&h);
}

/* ---- what moves ---- */

/* The declared value is the same, and so the living one stays; another one counts. */
static void test_a_variable_that_moves(void **state) {
  static const char *const moved = "function sinew.update() count = count + 1; print(count) end\n";
  char text[256];
  (void)state;
  harness h;
  harness_open(&h, counter(0, ""));
  harness_step(&h, 5);
  snprintf(text, sizeof text, "count = 0\n%s", moved);
  save(&h, text);
  expect_summary(&h, "count is a global now");
  expect_seen(&h, "6");
  save(&h, counter(0, ""));
  expect_summary(&h, "count is a local now");
  expect_seen(&h, "7");
  snprintf(text, sizeof text, "count = 20\n%s", moved);
  save(&h, text);
  expect_summary(&h, "count 0 → 20");
  expect_seen(&h, "21");
  harness_close(&h);
}

/* A table that is kept from now on, and is a plain local again; what the file declares otherwise counts. */
static void test_a_variable_that_is_kept(void **state) {
#define COUNTS(value) "local s = " value "\nfunction sinew.update() s.n = s.n + 1; print(s.n, s.way) end\n"
  (void)state;
  harness h;
  harness_open(&h, COUNTS("{ n = 0, way = 'left' }"));
  harness_step(&h, 5);
  save(&h, COUNTS("sinew.keep('s', { n = 0, way = 'left' })"));
  expect_summary(&h, "s is kept now");
  expect_seen(&h, "6\tleft");
  save(&h, COUNTS("{ n = 0, way = 'right' }"));
  expect_summary(&h, "s is a local now");
  expect_seen(&h, "7\tright");
  save(&h, COUNTS("sinew.keep('s', { n = 50, way = 'right' })")); /* not what was kept before it was a local */
  expect_seen(&h, "51\tright");
  assert_false(harness_reload(&h, "error 'a slip'"));
  save(&h, COUNTS("sinew.keep('other', { n = 3, way = 'up' })"));
  expect_summary(&h, "s is gone");
  if (strstr(sinew_scene_summary(h.scene), "now")) fail_msg("%s", sinew_scene_summary(h.scene));
  expect_seen(&h, "4\tup");
  save(&h, COUNTS("sinew.keep('other', { n = 3, way = 'up' })"));
  assert_null(strstr(sinew_scene_summary(h.scene), "gone"));
  harness_close(&h);
#undef COUNTS
}

/* A variable becomes an entry of a table, of the scene, of a module or a kept one, and the other way round. */
static void test_a_variable_that_becomes_an_entry(void **state) {
#define STEPS(declare, n, way)                                                                                         \
  declare "\nfunction sinew.update() " n " = " n " + 1; " way ".x = 7; print(" n ", " way ".x, " way ".y) end\n"
#define LOCALS STEPS("local n, way = 0, { x = 0, y = 2 }", "n", "way")
#define TABLE STEPS("local s = { n = 0, way = { x = 0, y = 2 } }; local inner = s.way", "s.n", "inner")
  static const struct {
    const char *text, *told, *seen;
  } saves[] = {
      {LOCALS, "", "1\t7\t2"},
      {TABLE, "n is s.n now", "2\t7\t2"},
      {LOCALS, "s.n is n now", "3\t7\t2"},
      {STEPS("local s = sinew.keep('t', { n = 0, way = { x = 0, y = 2 } })", "s.n", "s.way"), "way is t.way now",
       "4\t7\t2"},
      {TABLE, "t.n is s.n now", "5\t7\t2"},
      {STEPS("local s, clock = { way = { x = 0, y = 2 } }, { n = 0 }", "clock.n", "s.way"), "s.n is clock.n now",
       "6\t7\t2"},
      {STEPS("local s = { n = 30, way = { x = 0, y = 3 } }", "s.n", "s.way"), "clock is gone", "31\t7\t3"},
      {STEPS("n = 30; local s = { way = { x = 0, y = 3 } }", "n", "s.way"), "s.n is n now", "32\t7\t3"},
      {STEPS("local a, b, s = { n = 30 }, { n = 30 }, { way = { x = 0, y = 3 } }\nfunction sinew.draw() b.n = 0 end",
             "a.n", "s.way"),
       "n is gone (it was 32)", "31\t7\t3"} /* it may be either */
  };
  (void)state;
  harness h;
  harness_open(&h, saves[0].text);
  for (size_t i = 0; i < sizeof saves / sizeof *saves; i++) {
    if (i > 0) save(&h, saves[i].text);
    expect_summary(&h, saves[i].told);
    expect_seen(&h, saves[i].seen);
  }
  harness_close(&h);
#undef STEPS
#undef LOCALS
#undef TABLE
}

/* However deep it lies. */
static void test_an_inner_entry_that_is_renamed(void **state) {
  static const char *const form = "local cfg = { walk = { %s = 1, sway = { n = 1, m = %d } }, run = { pace = 3 } }\n"
                                  "local first = true\nfunction sinew.update()\n"
                                  "if first then cfg.walk.%s = 7; cfg.walk.sway.n = 5; first = false end\n"
                                  "print(cfg.walk.%s, cfg.walk.sway.n, cfg.walk.sway.m) end\n";
  char text[512];
  (void)state;
  harness h;
  snprintf(text, sizeof text, form, "speed", 2, "speed", "speed");
  harness_open(&h, text);
  expect_seen(&h, "7\t5\t2");
  snprintf(text, sizeof text, form, "tempo", 2, "tempo", "tempo");
  save(&h, text);
  expect_summary(&h, "cfg.walk.speed is cfg.walk.tempo now");
  expect_seen(&h, "7\t5\t2");
  snprintf(text, sizeof text, form, "tempo", 3, "tempo", "tempo"); /* one leaf; its neighbours stay as they are */
  save(&h, text);
  expect_summary(&h, "cfg.walk.sway.m 2 → 3");
  expect_seen(&h, "7\t5\t3");
  harness_close(&h);
}

/* A variable that becomes an entry under another name, and back; several at once. */
static void test_a_variable_of_another_shape_and_name(void **state) {
#define COUNTS(declare, a, b)                                                                                          \
  declare "\nfunction sinew.update() " a " = " a " + 1; " b " = " b " + 2; print(" a ", " b ") end\n"
  static const char *const saves[] = {
      COUNTS("local pace, turn = 0, 0", "pace", "turn"),
      COUNTS("local gait = { speed = 0, yaw = 0 }", "gait.speed", "gait.yaw"),
      COUNTS("local pace, turn = 0, 0", "pace", "turn"),
      COUNTS("local gait, turn = { speed = 0 }, 0", "gait.speed", "turn"),
      COUNTS("local gait, turn = { speed = 0 }, 0", "turn",
             "gait.speed") /* these change places, and stay what they are */
  };
  static const char *const seen_then[] = {"1\t2", "2\t4", "3\t6", "4\t8", "9\t6"};
  (void)state;
  harness h;
  harness_open(&h, saves[0]);
  expect_seen(&h, seen_then[0]);
  for (int i = 1; i < 5; i++) {
    save(&h, saves[i]);
    if (i == 1) expect_summary(&h, "pace is gait.speed now"), expect_summary(&h, "turn is gait.yaw now");
    expect_seen(&h, seen_then[i]);
  }
  harness_close(&h);
#undef COUNTS
}

/* A save ends all tasks, and the file begins those of its top level. */
static void test_tasks_that_begin_again_are_told(void **state) {
  static const char *const text = "local task = require 'sinew.task'\n"
                                  "local function wait() task.wait(100) end\n"
                                  "task.run(wait)\ntask.run(function() task.run(wait) end)\n"
                                  "function sinew.update() print(task.count()) end\n";
  (void)state;
  harness h;
  harness_open(&h, text);
  expect_seen(&h, "2");
  save(&h, text);
  expect_summary(&h, "starts again: tasks (2 ended, 2 begun)");
  save(&h, "local task = require 'sinew.task'\nfunction sinew.update() print(task.count()) end\n");
  expect_summary(&h, "tasks (2 ended, 0 begun)");
  expect_seen(&h, "0");
  save(&h, text);
  if (strstr(sinew_scene_summary(h.scene), "tasks")) fail_msg("%s", sinew_scene_summary(h.scene));
  harness_close(&h);
}

/* An entry under another name, where the file says the same but for it. */
static void test_an_entry_that_is_renamed(void **state) {
  static const char *const makers[] = {"(", "sinew.keep('s', "};
  (void)state;
  for (int i = 0; i < 2; i++) {
    char text[3][256];
    static const char *const form = "local s = %s{ a = 1, %s = 0 })\n"
                                    "function sinew.update() s.%s = s.%s + %d; print(s.%s) end\n";
    snprintf(text[0], sizeof *text, form, makers[i], "t", "t", "t", 1, "t");
    snprintf(text[1], sizeof *text, form, makers[i], "clock", "clock", "clock", 1, "clock");
    snprintf(text[2], sizeof *text, form, makers[i], "other", "other", "other", 2, "other");
    harness h;
    harness_open(&h, text[0]);
    harness_step(&h, 4);
    save(&h, text[1]);
    expect_summary(&h, "s.t is s.clock now");
    if (strstr(sinew_scene_summary(h.scene), ", ")) fail_msg("%s", sinew_scene_summary(h.scene));
    expect_seen(&h, "5");
    save(&h, text[2]); /* it does something else */
    expect_seen(&h, "2");
    harness_close(&h);
  }
}

/* Where what uses it says the same but for the name; elsewhere it is another variable. */
static void test_a_variable_that_is_renamed(void **state) {
  static const char *const text = "local %s, %s = 0, 0\nfunction sinew.update() %s = %s + %s; %s = 2; print(%s) end\n";
  static const char *const others[] = {
      "local n, b = 0, 0\nfunction sinew.update() n = n + 2; b = 2; print(n) end\n",    /* it does something else */
      "local n, b = 1, 0\nfunction sinew.update() n = n + 1; b = 2; print(n) end\n",    /* it is declared otherwise */
      "local a, b = 0, 0\nfunction sinew.update() a = a + 1; b = 2; print(a, b) end\n", /* it stays what it is */
      "local b, n = 0, 0\nfunction sinew.update() b = n + 1; b = 2; print(n) end\n",    /* only some of it is renamed */
      "local n, m = 0, 0\nfunction sinew.update() n = n + 1; m = 2; print(m) end\n"};   /* it is two others */
  static const char *const told[] = {"a is gone (it was 5)", "a is gone (it was 5)", "nothing declared",
                                     "a is gone (it was 5)", "a is gone (it was 5)"};
  char first[256], second[256];
  (void)state;
  harness h;
  snprintf(first, sizeof first, text, "a", "b", "a", "a", "1", "b", "a");
  harness_open(&h, first);
  harness_step(&h, 5);
  snprintf(second, sizeof second, text, "n", "b", "n", "n", "1", "b", "n");
  save(&h, second);
  expect_summary(&h, "a is called n now");
  expect_seen(&h, "6");
  save(&h, first);
  expect_seen(&h, "7");
  snprintf(second, sizeof second, text, "n", "m", "n", "n", "1", "m", "n");
  save(&h, second);
  expect_summary(&h, "a is called n now");
  expect_summary(&h, "b is called m now");
  expect_seen(&h, "8");
  harness_close(&h);
  harness_open(&h, "local a = 0\nfunction sinew.update() a = a + 1; print('a', a) end\n");
  harness_step(&h, 5);
  save(&h, "local n = 0\nfunction sinew.update() n = n + 1; print('a', n) end\n"); /* the text keeps the word */
  expect_summary(&h, "a is called n now");
  harness_close(&h);
  for (int i = 0; i < 5; i++) {
    harness_open(&h, first);
    harness_step(&h, 5);
    save(&h, others[i]);
    expect_summary(&h, told[i]);
    harness_close(&h);
  }
}

/* What it was is told, as it cannot be kept. */
static void test_a_variable_that_goes(void **state) {
  (void)state;
  harness h;
  harness_open(&h, counter(0, "\nlocal still = 3 function sinew.key_pressed() print(still) end\n"));
  harness_step(&h, 5);
  save(&h, "local other = 0\nfunction sinew.update() other = other + 1 print(other) end\n");
  expect_summary(&h, "count is gone (it was 5)");
  assert_null(strstr(sinew_scene_summary(h.scene), "still"));
  expect_seen(&h, "1");
  harness_close(&h);
}

static void test_a_variable_that_moves_into_a_module(void **state) {
  static const char *const text = "local m = require 'own'\nfunction sinew.update() print(m()) end\n";
  char path[128];
  (void)state;
  harness h;
  harness_open(&h, counter(0, ""));
  harness_step(&h, 5);
  snprintf(path, sizeof path, "%s/own.lua", h.folder);
  harness_write(path, "local count = 0\nreturn function() count = count + 1 return count end\n");
  save(&h, text);
  expect_summary(&h, "count is in own.lua now");
  expect_seen(&h, "6");
  harness_close(&h);
}

/* Which of the two goes on cannot be told. */
static void test_two_that_come_for_one_that_goes(void **state) {
  static const char *const text = "count = 0\nlocal m = require 'own'\nfunction sinew.update() print(m(), count) end\n";
  char path[128];
  (void)state;
  harness h;
  harness_open(&h, counter(0, ""));
  harness_step(&h, 5);
  snprintf(path, sizeof path, "%s/own.lua", h.folder);
  harness_write(path, "local count = 0\nreturn function() count = count + 1 return count end\n");
  save(&h, text);
  expect_seen(&h, "1\t0");
  harness_close(&h);
}

/* ---- what starts again ---- */

static void test_a_name_bound_twice(void **state) {
  static const char *const text = "local n = 0\nlocal function one() n = n + 1 return n end\n"
                                  "local n = 0\nlocal function two() n = n + 2 return n end\n"
                                  "function sinew.update() print(one(), two()) end\n";
  (void)state;
  harness h;
  harness_open(&h, text);
  expect_seen(&h, "1\t2");
  expect_seen(&h, "2\t4");
  save(&h, text);
  expect_summary(&h, "starts again: n (several have this name)");
  expect_seen(&h, "1\t2");
  save(&h, text);
  save(&h, text); /* nothing has run since */
  expect_silence(&h);
  harness_close(&h);
}

static void test_objects_start_again(void **state) {
  static const char *const text = "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
                                  "local move, list, still = nil, {}, function() end\n"
                                  "function sinew.update()\n"
                                  "  move = move or hero:play 'Walk'\n"
                                  "  list[1] = still\n"
                                  "end\n";
  (void)state;
  harness h;
  harness_open(&h, text);
  save(&h, text);
  expect_silence(&h);
  harness_step(&h, 1);
  save(&h, text);
  expect_summary(&h, "move (holds functions or objects)");
  expect_summary(&h, "list (holds functions or objects)");
  assert_null(strstr(sinew_scene_summary(h.scene), "still ("));
  assert_null(strstr(sinew_scene_summary(h.scene), "hero ("));
  harness_close(&h);
}

static void test_instances_of_classes_start_again(void **state) {
  static const char *const text = "local class = {}\nclass.__index = class\n"
                                  "local player = setmetatable({ hp = 10 }, class)\n"
                                  "function sinew.update() player.hp = player.hp - 1; print(player.hp) end\n";
  (void)state;
  harness h;
  harness_open(&h, text);
  expect_seen(&h, "9");
  save(&h, text);
  expect_summary(&h, "player (holds functions or objects)");
  expect_seen(&h, "9");
  harness_close(&h);
}

static void test_keep_follows_its_own_rule(void **state) {
  static const char *const before = "local tune = sinew.keep('tune', { a = 1, b = 1 })\n"
                                    "function sinew.update() tune.a = 5; print(tune.a, tune.b) end\n";
  static const char *const after = "local tune = sinew.keep('tune', { a = 1, b = 2 })\n"
                                   "function sinew.update() print(tune.a, tune.b) end\n";
  (void)state;
  harness h;
  harness_open(&h, before);
  expect_seen(&h, "5\t1");
  save(&h, after);
  expect_seen(&h, "5\t2");
  assert_null(strstr(sinew_scene_summary(h.scene), "starts again"));
  harness_close(&h);
}

#define KEPT(name, more)                                                                                               \
  "local k = sinew.keep('" name "', { n = 0, list = { 1 } })\n" more                                                   \
  "function sinew.update() k.n = k.n + 1; print(k.n) end\n"

static void test_a_kept_table_that_is_renamed(void **state) {
  (void)state;
  harness h;
  harness_open(&h, KEPT("one", ""));
  harness_step(&h, 4);
  save(&h, KEPT("two", ""));
  expect_summary(&h, "one is called two now");
  expect_seen(&h, "5");
  save(&h, KEPT("three", "sinew.keep('four', { n = 0, list = { 1 } })\n")); /* either may be it */
  expect_summary(&h, "two is gone");
  expect_seen(&h, "1");
  save(&h, KEPT("two", "sinew.keep('four', { n = 0, list = { 1 } })\n")); /* it is kept for ten seconds */
  expect_summary(&h, "three is gone");
  expect_seen(&h, "6");
  save(&h, KEPT("five", "sinew.keep('four', { n = 0, list = { 1 } }) k.n = 20\n"));
  expect_summary(&h, "two is gone, five joins");
  expect_seen(&h, "21");
  harness_close(&h);
}

static void test_kept_tables_that_hold_themselves(void **state) {
  static const char *const text = "local k = sinew.keep('k', { a = 1 })\n"
                                  "function sinew.update() k[function() end] = k end\n";
  (void)state;
  harness h;
  harness_open(&h, text);
  harness_step(&h, 1);
  harness_reload(&h, text); /* keep may refuse it: the host lives on */
  harness_step(&h, 1);
  harness_close(&h);
}

/* ---- much of it ---- */

static void test_deep_and_large_tables_end(void **state) {
  static const char *const deep = "local t = {}\n"
                                  "function sinew.update() for i = 1, 100000 do t = { t } end end\n";
  static const char *const large = "local t = {}\n"
                                   "function sinew.update() for i = 1, 300000 do t[i] = i end end\n";
  (void)state;
  harness h;
  harness_open(&h, deep);
  harness_step(&h, 1);
  save(&h, deep);
  expect_summary(&h, "t (too large)");
  harness_close(&h);
  harness_open(&h, large);
  harness_step(&h, 1);
  save(&h, large);
  expect_summary(&h, "t (too large)");
  harness_close(&h);
}

/* ---- random edits against the rule itself ---- */

enum { NAMES = 6, ROUNDS = 60 };

typedef struct variable {
  int declared, living;
  bool is_there;
} variable;

static void write_variables(char *text, size_t size, const variable *v, int first) {
  size_t used = (size_t)snprintf(text, size, "-- %d\n", rand());
  for (int k = 0; k < NAMES; k++) {
    int i = (first + k) % NAMES;
    if (v[i].is_there) used += (size_t)snprintf(text + used, size - used, "local v%d = %d\n", i, v[i].declared);
  }
  used += (size_t)snprintf(text + used, size - used, "function sinew.update() print(");
  for (int i = 0; i < NAMES; i++)
    used += (size_t)snprintf(text + used, size - used, v[i].is_there ? "v%d, " : "'-', ", i);
  used += (size_t)snprintf(text + used, size - used, "0) end\nfunction sinew.key_pressed(key)\n");
  for (int i = 0; i < NAMES; i++)
    if (v[i].is_there)
      used += (size_t)snprintf(text + used, size - used, "  if key == '%d' then v%d = v%d * 2 + 1 end\n", i, i, i);
  snprintf(text + used, size - used, "end\n");
}

static void expect_variables(harness *h, const variable *v) {
  char expected[256];
  size_t used = 0;
  for (int i = 0; i < NAMES; i++)
    used += (size_t)snprintf(expected + used, sizeof expected - used, v[i].is_there ? "%d\t" : "-\t", v[i].living);
  snprintf(expected + used, sizeof expected - used, "0");
  expect_seen(h, expected);
}

/* Adds, removes, declares again or leaves alone; reorders. */
static void edit(variable *v) {
  for (int i = 0; i < NAMES; i++) {
    int what = rand() % 6, value = rand() % 3;
    if (!v[i].is_there) {
      if (what < 2) v[i] = (variable){value, value, true};
    } else if (what == 0) {
      v[i].is_there = false;
    } else if (what == 1 && value != v[i].declared) {
      v[i].declared = v[i].living = value;
    }
  }
}

static void press_some(harness *h, variable *v) {
  char key[2] = "0";
  for (int i = 0; i < NAMES; i++) {
    if (!v[i].is_there || rand() % 2 || v[i].living > 100000) continue;
    key[0] = (char)('0' + i);
    sinew_host_send_key(h->host, key, true);
    sinew_host_send_key(h->host, key, false);
    harness_step(h, 2);
    v[i].living = v[i].living * 2 + 1;
  }
}

static void test_random_edits(void **state) {
  char text[2048];
  variable v[NAMES] = {{0, 0, true}, {1, 1, true}};
  (void)state;
  srand(7);
  write_variables(text, sizeof text, v, 0);
  harness h;
  harness_open(&h, text);
  for (int round = 0; round < ROUNDS; round++) {
    press_some(&h, v);
    expect_variables(&h, v);
    edit(v);
    write_variables(text, sizeof text, v, rand() % NAMES);
    save(&h, text);
    expect_variables(&h, v);
  }
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_comment_leaves_the_living_value),
      cmocka_unit_test(test_another_declared_value_counts),
      cmocka_unit_test(test_a_value_that_has_not_changed_follows_the_edit),
      cmocka_unit_test(test_a_mistake_changes_nothing),
      cmocka_unit_test(test_ctrl_r_starts_again),
      cmocka_unit_test(test_all_kinds_of_plain_data),
      cmocka_unit_test(test_tables_are_refilled_in_place),
      cmocka_unit_test(test_tables_that_became_shared_stay_shared),
      cmocka_unit_test(test_a_table_that_holds_itself),
      cmocka_unit_test(test_a_table_declared_with_other_values),
      cmocka_unit_test(test_all_closures_share_it),
      cmocka_unit_test(test_only_a_coroutine_holds_it),
      cmocka_unit_test(test_graph_conditions_and_event_handlers_hold_it),
      cmocka_unit_test(test_modules),
      cmocka_unit_test(test_a_variable_that_moves),
      cmocka_unit_test(test_a_variable_that_is_kept),
      cmocka_unit_test(test_a_variable_that_becomes_an_entry),
      cmocka_unit_test(test_an_entry_that_is_renamed),
      cmocka_unit_test(test_an_inner_entry_that_is_renamed),
      cmocka_unit_test(test_a_variable_of_another_shape_and_name),
      cmocka_unit_test(test_tasks_that_begin_again_are_told),
      cmocka_unit_test(test_a_variable_that_is_renamed),
      cmocka_unit_test(test_a_variable_that_goes),
      cmocka_unit_test(test_a_variable_that_moves_into_a_module),
      cmocka_unit_test(test_two_that_come_for_one_that_goes),
      cmocka_unit_test(test_a_name_bound_twice),
      cmocka_unit_test(test_objects_start_again),
      cmocka_unit_test(test_instances_of_classes_start_again),
      cmocka_unit_test(test_keep_follows_its_own_rule),
      cmocka_unit_test(test_a_kept_table_that_is_renamed),
      cmocka_unit_test(test_kept_tables_that_hold_themselves),
      cmocka_unit_test(test_deep_and_large_tables_end),
      cmocka_unit_test(test_random_edits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
