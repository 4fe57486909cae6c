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
  expect_summary(&h, "speed is called tempo now");
  expect_seen(&h, "7\t5\t2");
  snprintf(text, sizeof text, form, "tempo", 3, "tempo", "tempo"); /* one leaf; its neighbours stay as they are */
  save(&h, text);
  expect_summary(&h, "cfg.walk.sway.m 2 → 3");
  expect_seen(&h, "7\t5\t3");
  harness_close(&h);
}

/* A variable that becomes a field of a table that is new, and the other way round. */
static void test_a_variable_that_becomes_a_field(void **state) {
#define COUNTS(declare, n) declare "\nfunction sinew.update() " n " = " n " + 1; print(" n ") end\n"
  static const struct {
    const char *text, *told, *seen;
  } saves[] = {{COUNTS("local n = 0", "n"), "loaded", "1"},
               {COUNTS("local s = { n = 0, m = 1 }", "s.n"), "n is s.n now", "2"},
               {COUNTS("local n = 0", "n"), "s.n is n now", "3"},
               {COUNTS("local s = sinew.keep('s', { n = 0 })", "s.n"), "n is s.n now", "4"},
               {COUNTS("local s = { t = { n = 0 } }", "s.t.n"), "s is gone", "1"}};
  (void)state;
  harness h;
  harness_open(&h, saves[0].text);
  for (size_t i = 0; i < sizeof saves / sizeof *saves; i++) {
    if (i > 0) save(&h, saves[i].text);
    expect_summary(&h, saves[i].told);
    expect_seen(&h, saves[i].seen);
  }
  harness_close(&h);
#undef COUNTS
}

/* An entry under another name, where the file says the same but for it. */
static void test_an_entry_that_is_renamed(void **state) {
  static const char *const makers[] = {"(", "sinew.keep('s', "};
  (void)state;
  for (int i = 0; i < 2; i++) {
    char text[2][256];
    static const char *const form = "local s = %s{ a = 1, %s = 0 })\n"
                                    "function sinew.update() s.%s = s.%s + %d; print(s.%s) end\n";
    snprintf(text[0], sizeof *text, form, makers[i], "t", "t", "t", 1, "t");
    snprintf(text[1], sizeof *text, form, makers[i], "clock", "clock", "clock", 1, "clock");
    harness h;
    harness_open(&h, text[0]);
    harness_step(&h, 4);
    save(&h, text[1]);
    expect_summary(&h, "t is called clock now");
    if (strstr(sinew_scene_summary(h.scene), ", ")) fail_msg("%s", sinew_scene_summary(h.scene));
    expect_seen(&h, "5");
    harness_close(&h);
  }
}

/* Where what uses it says the same but for the name; elsewhere it is another variable. */
static void test_a_variable_that_is_renamed(void **state) {
  static const char *const text = "local %s, %s = 0, 0\nfunction sinew.update() %s = %s + %s; %s = 2; print(%s) end\n";
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
}

/* The message names the lost value, because it cannot be kept. */
static void test_a_variable_that_goes(void **state) {
  (void)state;
  harness h;
  harness_open(&h, counter(0, "\nlocal still = 3 function sinew.key_pressed() print(still) end\n"));
  harness_step(&h, 5);
  save(&h, "local other, more = 0, 1\nfunction sinew.update() other = other + more print(other) end\n");
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
  save(&h, "function sinew.update() print(1) end\n");
  expect_summary(&h, "two is gone");
  save(&h, KEPT("two", "")); /* it is kept for ten seconds */
  expect_seen(&h, "6");
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
       "a is called b now, b is called a now", "4\t8"},
      {COUNTS("local s = { a = 0, b = 0 }", "s.a", "s.b"), COUNTS("local s = { b = 0, c = 0 }", "s.b", "s.c"),
       "a is called b now, b is called c now", "4\t8"},
      {COUNTS("local s = { in_it = { a = 0, b = 10 } }", "s.in_it.a", "s.in_it.b"),
       COUNTS("local s = { in_it = { b = 0, a = 10 } }", "s.in_it.b", "s.in_it.a"),
       "a is called b now, b is called a now", "4\t18"},
      {COUNTS(TWO("a", "b"), "p.n", "q.n"), COUNTS(TWO("b", "a"), "p.n", "q.n"), "a is called b now, b is called a now",
       "4\t8"},
      {COUNTS(TWO("a", "b"), "p.n", "q.n"), COUNTS(TWO("b", "c"), "p.n", "q.n"), "a is called b now, b is called c now",
       "4\t8"},
      {COUNTS("local s = sinew.keep('s', { a = 0, b = 0 })", "s.a", "s.b"),
       COUNTS("local s = sinew.keep('s', { b = 0, a = 0 })", "s.b", "s.a"), "a is called b now, b is called a now",
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_variable_that_moves),
      cmocka_unit_test(test_a_variable_that_becomes_a_field),
      cmocka_unit_test(test_an_entry_that_is_renamed),
      cmocka_unit_test(test_an_inner_entry_that_is_renamed),
      cmocka_unit_test(test_a_variable_that_is_renamed),
      cmocka_unit_test(test_a_variable_that_goes),
      cmocka_unit_test(test_a_variable_that_moves_into_a_module),
      cmocka_unit_test(test_two_that_come_for_one_that_goes),
      cmocka_unit_test(test_a_kept_table_that_is_renamed),
      cmocka_unit_test(test_names_that_change_places),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
