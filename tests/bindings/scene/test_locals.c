/* Variables of the scripts across saves. Each case has a scene that prints what its functions see. */
#include "seen.h"

/* ---- the rule ---- */

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
                                  "  task.run(function() while true do n = n + 1; print(n); task.wait(0.01) end end)\n"
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

/* ---- what lives on ---- */

/* A task whose code is the same goes on; another begins again. */
static void test_tasks_go_on_where_they_are(void **state) {
  static const char *const text =
      "local task = require 'sinew.task'\n"
      "local n = 0\n"
      "local function count()\n  for i = 1, 100 do n = n + %d; task.wait(0.01) end\nend\n"
      "task.run(count)\ntask.run(function() task.run(count) end)\n"
      "function sinew.key_pressed() task.run(function()\n  task.wait(0.05)\n  n = %d\nend) end\n"
      "function sinew.update() print(n, task.count()) end\n";
  char now[512], other[512];
  (void)state;
  harness h;
  snprintf(now, sizeof now, text, 1, 500);
  harness_open(&h, now);
  harness_step(&h, 4);
  char before[64];
  snprintf(before, sizeof before, "%s", seen(&h));
  save(&h, now);
  expect_silence(&h);
  assert_true(atoi(seen(&h)) > atoi(before) && atoi(h.printed) < atoi(before) + 8);
  assert_non_null(strstr(h.printed, "\t2"));
  harness_key(&h, "k");
  harness_step(&h, 1);
  snprintf(other, sizeof other, text, 1, 900);
  save(&h, other); /* the key's task is no more */
  expect_summary(&h, "the task of scene.lua:8 ends");
  harness_step(&h, 10);
  assert_true(atoi(seen(&h)) < 500);
  harness_close(&h);
}

/* The names of the functions that use them tell which is which. */
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
  expect_silence(&h);
  expect_seen(&h, "3\t6");
  harness_close(&h);
}

static void test_objects_are_held(void **state) {
  static const char *const text = "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
                                  "local move, list, still = nil, {}, function() return 1 end\n"
                                  "function sinew.update()\n"
                                  "  print(move and move.clip, list[1] == still)\n"
                                  "  move = move or hero:play 'Walk'\n"
                                  "  list[1] = still\n"
                                  "end\n";
  (void)state;
  harness h;
  harness_open(&h, text);
  expect_seen(&h, "nil\tfalse");
  save(&h, text);
  expect_silence(&h);
  expect_seen(&h, "Walk\ttrue"); /* the function is the new one in the list, too */
  harness_close(&h);
}

static void test_instances_of_classes(void **state) {
  static const char *const text = "local class = {}\nclass.__index = class\n"
                                  "function class:hurt() self.hp = self.hp - %d end\n"
                                  "local player = setmetatable({ hp = 10 }, class)\n"
                                  "function sinew.update() player:hurt(); print(player.hp) end\n";
  char now[512];
  (void)state;
  harness h;
  snprintf(now, sizeof now, text, 1);
  harness_open(&h, now);
  expect_seen(&h, "9");
  snprintf(now, sizeof now, text, 3);
  save(&h, now);
  expect_silence(&h);
  expect_seen(&h, "6");
  harness_close(&h);
}

/* In the place of the one that both versions declare; a callback that only the new one declares counts. */
static void test_a_callback_that_a_script_has_assigned(void **state) {
  static const char *const text = "local function other() print 'other' end\n"
                                  "%s\nsinew.on('draw', function() sinew.update = other end)\n%s\n";
  char now[512];
  (void)state;
  harness h;
  snprintf(now, sizeof now, text, "function sinew.update() print 'first' end", "");
  harness_open(&h, now);
  expect_seen(&h, "first");
  save(&h, now);
  expect_seen(&h, "other");
  snprintf(now, sizeof now, text, "", "");
  save(&h, now); /* it is no longer declared */
  expect_seen(&h, "");
  expect_seen(&h, "other");
  save(&h, now);
  expect_seen(&h, "other");
  save(&h, "function sinew.update() print 'mine' end\n");
  expect_seen(&h, "mine");
  harness_close(&h);
}

static void test_a_script_carries_over_what_no_rule_does(void **state) {
  (void)state;
  harness h;
  harness_open(&h, counter(0, ""));
  harness_step(&h, 4);
  save(&h, "local s = { other = 0 }\nfunction sinew.reloaded(old) s.other = old.count end\n"
           "function sinew.update() s.other = s.other + 1; print(s.other) end\n");
  expect_seen(&h, "5");
  harness_close(&h);
}

/* A variable and a kept table; by a callback, and by the file. */
static void test_what_is_forgotten_starts_anew(void **state) {
  static const char *const text = "%slocal s = { n = 0, list = { 1 }, f = function() return 7 end }\n"
                                  "local k, t = sinew.keep('k', { n = 0 }), s.list\nlocal stays = 0\n"
                                  "function sinew.update() s.n, k.n, stays, t[1] = s.n + 1, k.n + 1, stays + 1, 5\n"
                                  "  if s.list then s.list = s.n %% 2 == 1 and s.list or {} end\n"
                                  "  print(s.n, k.n, stays, s.f()) end\n"
                                  "function sinew.key_pressed() sinew.forget 's' sinew.forget 'k' end\n";
  char now[1024];
  (void)state;
  harness h;
  snprintf(now, sizeof now, text, "");
  harness_open(&h, now);
  harness_step(&h, 3);
  expect_seen(&h, "4\t4\t4\t7");
  harness_key(&h, "k");
  expect_seen(&h, "1\t1\t5\t7");
  snprintf(now, sizeof now, text, "sinew.forget 's'\nsinew.forget 'k'\n");
  save(&h, now);
  expect_seen(&h, "1\t1\t6\t7");
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

static void test_deep_and_large_tables(void **state) {
  static const char *const deep = "local t = {}\nlocal first = true\n"
                                  "function sinew.update() if first then for i = 1, 100000 do t = { t } end end\n"
                                  "first = false; print(t[1][1][1] ~= nil) end\n";
  static const char *const large = "local t = {}\nlocal first = true\n"
                                   "function sinew.update() if first then for i = 1, 300000 do t[i] = i end end\n"
                                   "first = false; print(#t) end\n";
  (void)state;
  harness h;
  harness_open(&h, deep);
  expect_seen(&h, "true");
  save(&h, deep);
  expect_silence(&h);
  expect_seen(&h, "true");
  harness_close(&h);
  harness_open(&h, large);
  expect_seen(&h, "300000");
  save(&h, large);
  expect_seen(&h, "300000");
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
      cmocka_unit_test(test_tasks_go_on_where_they_are),
      cmocka_unit_test(test_a_name_bound_twice),
      cmocka_unit_test(test_objects_are_held),
      cmocka_unit_test(test_instances_of_classes),
      cmocka_unit_test(test_a_callback_that_a_script_has_assigned),
      cmocka_unit_test(test_a_script_carries_over_what_no_rule_does),
      cmocka_unit_test(test_what_is_forgotten_starts_anew),
      cmocka_unit_test(test_keep_follows_its_own_rule),
      cmocka_unit_test(test_kept_tables_that_hold_themselves),
      cmocka_unit_test(test_deep_and_large_tables),
      cmocka_unit_test(test_random_edits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
