/* Variables that move across saves: into another file or table, to another name, into sinew.keep. Each keeps its value,
 * and the message says where it is. */
#include "seen.h"

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

/* The message names the lost value, because it cannot be kept. */
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

/* The scene has counted to 5; a module that counts, too, waits to be required. */
static void open_beside_module(harness *h) {
  char path[128];
  harness_open(h, counter(0, ""));
  harness_step(h, 5);
  snprintf(path, sizeof path, "%s/own.lua", h->folder);
  harness_write(path, "local count = 0\nreturn function() count = count + 1 return count end\n");
}

static void test_a_variable_that_moves_into_a_module(void **state) {
  static const char *const text = "local m = require 'own'\nfunction sinew.update() print(m()) end\n";
  (void)state;
  harness h;
  open_beside_module(&h);
  save(&h, text);
  expect_summary(&h, "count is in own.lua now");
  expect_seen(&h, "6");
  harness_close(&h);
}

/* Which of the two goes on cannot be told. */
static void test_two_that_come_for_one_that_goes(void **state) {
  static const char *const text = "count = 0\nlocal m = require 'own'\nfunction sinew.update() print(m(), count) end\n";
  (void)state;
  harness h;
  open_beside_module(&h);
  save(&h, text);
  expect_seen(&h, "1\t0");
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

/* ---- names that change among themselves ---- */

#define COUNTS(declare, x, y)                                                                                          \
  declare "\nfunction sinew.update() " x " = " x " + 1; " y " = " y " + 2; print(" x ", " y ") end\n"

#define TWO(a, b) "local p, q = sinew.keep('" a "', { n = 0 }), sinew.keep('" b "', { n = 0 })"

/* Every change in the text must agree: a value that merely moved to another line is another value. */
static void test_names_that_change_places(void **state) {
  static const struct {
    const char *before, *after, *told, *seen;
  } saves[] = {
      {COUNTS("local a, b = 0, 10", "a", "b"), COUNTS("local b, a = 0, 10", "b", "a"),
       "a is called b now, b is called a now", "4\t18"},
      {COUNTS("local a, b = 0, 0", "a", "b"), COUNTS("local b, a = 0, 0", "b", "a"),
       "a is called b now, b is called a now", "4\t8"},
      {COUNTS("local a, b = 0, 10", "a", "b"), COUNTS("local b, c = 0, 10", "b", "c"),
       "a is called b now, b is called c now", "4\t18"},
      {COUNTS("local a, b = 0, 10", "a", "b"), "-- more\n" COUNTS("local b, c = 0, 10\nlocal d = 5", "b", "c"),
       "a is called b now, b is called c now", "4\t18"},
      {COUNTS("a, b = 0, 10", "a", "b"), COUNTS("b, a = 0, 10", "b", "a"), "a is called b now, b is called a now",
       "4\t18"},
      {COUNTS("a, b = 0, 10", "a", "b"), COUNTS("b, c = 0, 10", "b", "c"), "a is called b now, b is called c now",
       "4\t18"},
      {COUNTS("local s = { a = 0, b = 0 }", "s.a", "s.b"), COUNTS("local s = { b = 0, a = 0 }", "s.b", "s.a"),
       "s.a is called b now, s.b is called a now", "4\t8"},
      {COUNTS("local s = { a = 0, b = 0 }", "s.a", "s.b"), COUNTS("local s = { b = 0, c = 0 }", "s.b", "s.c"),
       "s.a is called b now, s.b is called c now", "4\t8"},
      {COUNTS("local s = { in_it = { a = 0, b = 10 } }", "s.in_it.a", "s.in_it.b"),
       COUNTS("local s = { in_it = { b = 0, a = 10 } }", "s.in_it.b", "s.in_it.a"),
       "s.in_it.a is called b now, s.in_it.b is called a now", "4\t18"},
      {COUNTS(TWO("a", "b"), "p.n", "q.n"), COUNTS(TWO("b", "a"), "p.n", "q.n"), "a is called b now, b is called a now",
       "4\t8"},
      {COUNTS(TWO("a", "b"), "p.n", "q.n"), COUNTS(TWO("b", "c"), "p.n", "q.n"), "a is called b now, b is called c now",
       "4\t8"},
      {COUNTS("local s = sinew.keep('s', { a = 0, b = 0 })", "s.a", "s.b"),
       COUNTS("local s = sinew.keep('s', { b = 0, a = 0 })", "s.b", "s.a"), "s.a is called b now, s.b is called a now",
       "4\t8"},
      {COUNTS("local a, b = 0, 0 sinew.actor('one', sinew.model 'hero.glb')", "a", "b"),
       COUNTS("local b, a = 0, 0 sinew.actor('two', sinew.model 'hero.glb')", "b", "a"),
       "one is called two now, a is called b now, b is called a now", "4\t8"},
      {COUNTS("local s = { a = 0, b = 0 }", "s.a", "s.b"), COUNTS("local s = { b = 0, a = 0 }", "s.a", "s.b"),
       "new code in scene.lua; nothing declared has changed", "4\t8"},
      {COUNTS("local a, b = 0, 10", "a", "b"), COUNTS("local b, a = 0, 10", "a", "b"), "a 0 → 10, b 10 → 0", "11\t2"},
      {COUNTS("local a, b = 0, 10", "a", "b"), COUNTS("local a, b = 10, 0", "a", "b"), "a 0 → 10, b 10 → 0", "11\t2"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof saves / sizeof *saves; i++) {
    harness h;
    harness_open(&h, saves[i].before);
    harness_step(&h, 3);
    save(&h, saves[i].after);
    const char *told = strstr(sinew_scene_summary(h.scene), "ms: ") + 4;
    if (strlen(told) != strlen(saves[i].told)) fail_msg("%zu: %s", i, told);
    for (const char *clause = saves[i].told; clause; clause = strstr(clause, ", ")) { /* in any order */
      clause += clause == saves[i].told ? 0 : 2;
      char one[64];
      snprintf(one, sizeof one, "%.*s", (int)strcspn(clause, ","), clause);
      harness_expect(told, one);
    }
    expect_seen(&h, saves[i].seen);
    harness_close(&h);
  }
}

/* A table inside of a table has what was beside it, under its name or another. */
static void test_an_entry_that_goes_deeper(void **state) {
#define CLOCK(declare, t) declare "\nfunction sinew.update() " t " = " t " + 1; print(" t ") end\n"
  static const char *const saves[][3] = {
      {CLOCK("local s = { t = 0, n = 3 }", "s.t"), CLOCK("local s = { clock = { t = 0 }, n = 3 }", "s.clock.t"),
       "s.t is s.clock.t now, s.clock { t = 0 }"},
      {CLOCK("local s = { t = 0, n = 3 }", "s.t"), CLOCK("local s = { clock = { time = 0 }, n = 3 }", "s.clock.time"),
       "s.t is s.clock.time now, s.clock { time = 0 }"},
      {CLOCK("local s = { clock = { t = 0 }, n = 3 }", "s.clock.t"), CLOCK("local s = { t = 0, n = 3 }", "s.t"),
       "s.clock.t is s.t now, s.clock is gone"},
      {CLOCK("local k = sinew.keep('k', { t = 0 })", "k.t"),
       CLOCK("local k = sinew.keep('k', { clock = { t = 0 } })", "k.clock.t"),
       "k.t is k.clock.t now, k.clock { t = 0 }"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof saves / sizeof *saves; i++) {
    harness h;
    harness_open(&h, saves[i][0]);
    harness_step(&h, 3);
    save(&h, saves[i][1]);
    assert_string_equal(strstr(sinew_scene_summary(h.scene), "ms: ") + 4, saves[i][2]);
    expect_seen(&h, "4");
    harness_close(&h);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_variable_that_moves),
      cmocka_unit_test(test_a_variable_that_is_kept),
      cmocka_unit_test(test_a_variable_that_becomes_an_entry),
      cmocka_unit_test(test_an_entry_that_is_renamed),
      cmocka_unit_test(test_an_inner_entry_that_is_renamed),
      cmocka_unit_test(test_a_variable_of_another_shape_and_name),
      cmocka_unit_test(test_a_variable_that_is_renamed),
      cmocka_unit_test(test_a_variable_that_goes),
      cmocka_unit_test(test_a_variable_that_moves_into_a_module),
      cmocka_unit_test(test_two_that_come_for_one_that_goes),
      cmocka_unit_test(test_a_kept_table_that_is_renamed),
      cmocka_unit_test(test_names_that_change_places),
      cmocka_unit_test(test_an_entry_that_goes_deeper),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
