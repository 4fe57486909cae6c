/* Conditions of transitions as text, in scenes: Lua itself says what they come to. */
#include "harness.h"

static void expect_test(const char *text) {
  harness h;
  harness_open(&h, text);
  if (!sinew_scene_test(h.scene, NULL, &h.error)) fail_msg("%s", h.error.message);
  harness_close(&h);
}

/* ---- random ones ---- */

typedef struct text {
  char at[400];
  uint32_t seed;
} text;

static int pick(text *t, int count) {
  t->seed = t->seed * 1664525u + 1013904223u;
  return (int)(t->seed >> 16) % count;
}

static void put(text *t, const char *part) {
  size_t used = strlen(t->at);
  snprintf(t->at + used, sizeof t->at - used, "%s", part);
}

static void put_leaf(text *t) {
  static const char *const leaves[] = {"a", "b", "c", "0.5", "1", "2", "-a", "abs(b)"};
  put(t, leaves[pick(t, 8)]);
}

static void put_comparison(text *t) {
  static const char *const signs[] = {" < ", " <= ", " > ", " >= ", " == ", " ~= "}, *const sums[] = {" + ", " - ",
                                                                                                      " * ", " / 2 * "};
  put_leaf(t);
  if (pick(t, 2)) put(t, sums[pick(t, 3)]), put_leaf(t);
  put(t, signs[pick(t, 6)]);
  put_leaf(t);
}

/* Four comparisons, joined this way and that. */
static void put_condition(text *t) {
  static const char *const joints[] = {" and ", " or "}, *const forms[] = {"@&@&@&@", "(@&@)&(@&@)", "@&(@&@)&@",
                                                                           "not (@&@)&@", "not (@)&not (@&@)"};
  for (const char *f = forms[pick(t, 5)]; *f; f++) {
    char plain[] = {*f, 0};
    if (*f == '@') put_comparison(t);
    else put(t, *f == '&' ? joints[pick(t, 2)] : plain);
  }
}

enum { CONDITIONS = 120, SCENE = 200 * 400 };

static void add_text(char *scene, const char *format, const char *condition, int i) {
  size_t used = strlen(scene);
  snprintf(scene + used, SCENE - used, format, condition, i, i);
}

/* Each is a transition of its own, which is asked where `pick` is its number; Lua reads the same text. */
static void they_hold_where_lua_says_so(void **state) {
  static char scene[SCENE];
  static text conditions[CONDITIONS];
  (void)state;
  strcpy(scene, "local sinew = require 'sinew'\nlocal abs = math.abs\nlocal lua = {\n");
  for (int i = 0; i < CONDITIONS; i++) {
    conditions[i] = (text){.seed = (uint32_t)i * 977u + 5u};
    put_condition(&conditions[i]);
    add_text(scene, "  function(a, b, c) return %s end,\n", conditions[i].at, i);
  }
  strcat(scene,
         "}\nlocal hero = sinew.actor('hero', sinew.model 'hero.glb', { params = { a = 0, b = 0, c = 0, pick = 0 } "
         "})\nhero:set_graph(sinew.state_machine { start = 'no', states = { no = 'Idle', yes = 'Walk' }, "
         "transitions = {\n  { 'yes', 'no', when = 'pick == 0', fade = 0 },\n");
  for (int i = 0; i < CONDITIONS; i++)
    add_text(scene, "  { 'no', 'yes', when = '(%s) and pick == %d', fade = 0 },\n", conditions[i].at, i + 1);
  strcat(scene, "} })\n"
                "function sinew.test()\n"
                "  local params, held = hero.params, 0\n"
                "  for i, holds in ipairs(lua) do\n"
                "    for round = 1, 4 do\n"
                "      local a, b, c = (i * 3 + round) % 5 / 2 - 1, (i + 2 * round) % 7 / 2 - 1, (i * round) % 3 - 1\n"
                "      params.a, params.b, params.c, params.pick = a, b, c, 0\n"
                "      sinew.simulate { frames = 1 }\n"
                "      params.pick = i\n"
                "      sinew.simulate { frames = 1 }\n"
                "      assert((hero:state() == 'yes') == holds(a, b, c), i)\n"
                "      if holds(a, b, c) then held = held + 1 end\n"
                "    end\n"
                "  end\n"
                "  assert(held > 100 and held < 380, held)\n"
                "end\n");
  expect_test(scene);
}

/* ---- what is told ---- */

static void a_refusal_says_which_part_was_false(void **state) {
  (void)state;
  expect_test(
      "local sinew, machine = require 'sinew', require 'sinew.machine'\n"
      "local hero = sinew.actor('hero', sinew.model 'hero.glb', { params = { speed = 0, turn = 2 } })\n"
      "hero:set_graph(machine { start = 'idle', states = { idle = 'Idle', run = 'Run' },\n"
      "  'idle -> run: when speed > 0.2 and abs(turn) < 1, fade 0.1, inertial',\n"
      "  'run -> idle: when speed < 0.1' })\n"
      "function sinew.test()\n"
      "  hero:measure()\n"
      "  local function last()\n"
      "    local refusals = sinew.timeline(hero).refusals\n"
      "    return refusals[#refusals].reason, #refusals\n"
      "  end\n"
      "  hero.params.speed = 0.14\n"
      "  sinew.simulate { frames = 3 }\n"
      "  hero.params.speed = 0.16\n" /* the same part: not told again */
      "  sinew.simulate { frames = 3 }\n"
      "  local reason, count = last()\n"
      "  assert(reason == 'speed 0.14 > 0.2 is false' and count == 1, reason)\n"
      "  hero.params.speed = 1\n"
      "  sinew.simulate { frames = 3 }\n"
      "  reason, count = last()\n"
      "  assert(reason == 'abs(turn) 2 < 1 is false' and count == 2, reason)\n"
      "  hero.params.turn = 0.5\n"
      "  sinew.simulate { frames = 3 }\n"
      "  assert(hero:state() == 'run')\n"
      "  local past = select(2, hero:history())[1]\n"
      "  assert(past.reason == 'speed > 0.2 and abs(turn) < 1' and past.line:match 'scene.lua:3$', past.reason)\n"
      "end\n");
}

static void what_cannot_be_read_names_the_line(void **state) {
  static const char *const scene =
      "local sinew, machine = require 'sinew', require 'sinew.machine'\n"
      "local hero = sinew.actor('hero', sinew.model 'hero.glb', { params = { speed = 0 } })\n"
      "hero:set_graph(machine { start = 'idle', states = { idle = 'Idle', run = 'Run' },\n"
      "  'idle -> run: on go',\n"
      "  'idle -> run: when sped > 0.2, fade 0.1' })\n";
  harness h;
  (void)state;
  harness_open_host(&h);
  assert_false(harness_load(&h, scene, NULL));
  harness_expect(h.error.message, "scene.lua:3");
  harness_expect(h.error.message, "'sped' at character 1 is not known");
  harness_expect(h.error.message, "speed, time_left, phase, state_time");
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(they_hold_where_lua_says_so),
                                     cmocka_unit_test(a_refusal_says_which_part_was_false),
                                     cmocka_unit_test(what_cannot_be_read_names_the_line)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
