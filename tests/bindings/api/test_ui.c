/* Widgets of scenes, without pictures: forms of calls, values that stay, mistakes that are said. */
#include "harness.h"

static const char prelude[] = "local sinew = require 'sinew'\n"
                              "local done\n"
                              "local ui, t = sinew.ui, { n = 0.5, s = 'b', c = { 1, 0, 0 } }\n";

static void run(harness *h, const char *code) {
  char text[2048];
  snprintf(text, sizeof text, "%sfunction sinew.update() if not done then done = true\n%s\nend end\n", prelude, code);
  harness_open(h, text);
  harness_step(h, 2);
}

static void values_stay_where_there_are_no_pictures(void **state) {
  (void)state;
  harness h;
  run(&h, "print(ui.drag(t, 'n'), ui.drag('n', 3, 0.1, 0, 4, 'label'))\n"
          "print(ui.combo(t, 's', { 'a', 'b' }), ui.combo('label', 'none of them', { 'a' }))\n"
          "print(ui.color(t, 'c')[1], ui.color('label', sinew.vec3(0, 0.5, 0)).y)\n"
          "print(ui.timeline(t, 'n', 2, { { 0, 'left' }, { 2, 'right' } }), ui.timeline('label', 1.25, 2))\n"
          "ui.plot('plot', { 1, 2, 3 }) ui.plot('plot', {}, 0, 1)\n"
          "ui.tree('tree', function() end, true)\n"
          "ui.tabs('tabs', { { 'one', function() end } })\n"
          "ui.panel('panel', function() print 'in the panel' end)");
  harness_expect(h.printed, "0.5\t3");
  harness_expect(h.printed, "b\tnone of them");
  harness_expect(h.printed, "1\t0.5");
  harness_expect(h.printed, "0.5\t1.25");
  harness_expect(h.printed, "in the panel");
  harness_close(&h);
}

static void mistakes_are_said(void **state) {
  (void)state;
  static const struct {
    const char *code, *message;
  } mistakes[] = {
      {"ui.drag(t, 'm')", "no number in the table is called 'm'"},
      {"ui.drag(t, 'n', 1, 2, 1)", "'minimum' 2.0 is above 'maximum' 1.0"},
      {"ui.combo(t, 's', { 'a', 7 })", "item 2 is not a string"},
      {"ui.combo(t, 'n', { 'a' })", "no string in the table is called 'n'"},
      {"ui.color(t, 'n')", "'n' is not a color"},
      {"ui.timeline(t, 'n', 2, { { 3, 'late' } })", "mark 1 lies outside of 0 to 2.0 s"},
      {"ui.timeline(t, 'n', 2, { 'step' })", "a mark is { time, \"name\" }"},
      {"ui.timeline(t, 'n', 2, { { 1, 7 } })", "a mark is { time, \"name\" }"},
      {"ui.button(('x'):rep(1024))", "a label has at most 1023 bytes (this one has 1024)"},
      {"ui.combo('c', 'x', { ('x'):rep(1024) })", "a label has at most 1023 bytes"},
      {"ui.slider(t, ('x'):rep(1024), 0, 1)", "no number in the table"},
      {"ui.tabs('tabs', { { 'one' } })", "a tab is { \"label\", function } (number 1)"},
      {"ui.tree('tree')", "'widgets' must be a function"},
  };
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    harness h;
    char code[256];
    snprintf(code, sizeof code, "print(select(2, pcall(function() %s end)))", mistakes[i].code);
    run(&h, code);
    harness_expect(h.printed, mistakes[i].message);
    harness_close(&h);
  }
}

/* Dear ImGui aborts the program if a text has too many vertices, or if there are too many windows. */
static void no_amount_ends_the_program(void **state) {
  static const char many_panels[] =
      "for i = 1, 2000 do n = n + 1 ui.panel('panel ' .. n, function() ui.text 'x' end) end";
  static const char *const drawn[] = {
      "ui.text(('x x'):rep(300000))",
      "ui.text(('\\xf4\\x8f\\xbf\\xbf'):rep(100000))",
      "sinew.debug.text(0, 0, ('x'):rep(1000000))",
      "sinew.debug.text(0, 0, ('x\\n'):rep(300000))",
      many_panels,
      "for i = 1, 40000 do ui.tree('tree ' .. i, function() end) end",
      "ui.tabs('tabs', tabs)",
  };
  (void)state;
  for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++) {
    harness h;
    char text[1000];
    if (!harness_open_panels(&h)) skip();
    snprintf(text, sizeof text,
             "local sinew = require 'sinew'\nlocal ui, n, tabs = sinew.ui, 0, {}\n"
             "for i = 1, 40000 do tabs[i] = { 'tab ' .. i, function() end } end\n"
             "function sinew.draw() %s end",
             drawn[i]);
    if (!harness_load(&h, text, NULL)) fail_msg("%s", h.error.message);
    harness_step(&h, drawn[i] == many_panels ? 20 : 2); /* others of them in each frame */
    if (sinew_scene_problem(h.scene)) fail_msg("%s: %s", drawn[i], sinew_scene_problem(h.scene));
    harness_close(&h);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_stay_where_there_are_no_pictures),
                                     cmocka_unit_test(no_amount_ends_the_program), cmocka_unit_test(mistakes_are_said)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
