/* Graphs and events from scripts: what they decide, what a save keeps, and what is refused. */
#include "harness.h"

#include <sinew/graph.h>

#define PREFIX                                                                                                         \
  "local sinew = require 'sinew'\n"                                                                                    \
  "local man = sinew.model 'hero.glb'\n"

static const char *const machine = PREFIX
    "local hero = sinew.actor('hero', man, { params = { speed = 0.5, turn = 0 } })\n"
    "man:markers('Walk', { { 0.1, 'left', sync = true, data = { foot = 'L' } }, { 0.55, 'right', sync = true } })\n"
    "local walk = 1.6\n"
    "hero:set_graph(sinew.state_machine {\n"
    "  start = 'move',\n"
    "  states = {\n"
    "    move = sinew.blend_space_1d { param = 'speed', sync = true,\n"
    "      { 0, 'Idle' }, { function() return walk end, 'Walk' }, { 4.2, 'Run' } },\n"
    "    jump = sinew.clip { 'Jump', loop = 'once' },\n"
    "  },\n"
    "  transitions = {\n"
    "    { 'move', 'jump', on = 'jump', fade = 0.12, blend = 'inertial' },\n"
    "    { 'jump', 'move', before_end = 0.15, fade = 0.25 },\n"
    "    { '*', 'move', when = function(actor) return actor.params.turn > 3 end, fade = 0 },\n"
    "  },\n"
    "})\n"
    "hero:on('left', function(e) print('step', e.name, e.clip, e.data.foot, e.layer, e.weight > 0.1) end)\n"
    "sinew.on('key_pressed', function(key)\n"
    "  if key == 'j' then hero:send 'jump' end\n"
    "  if key == 't' then hero.params.turn = 4 end\n"
    "  if key == 's' then hero.params.speed = 1.6 end\n"
    "  if key == 'p' then print('at', hero:state(), hero:history()[1], hero.params.speed) end\n"
    "end)\n";

static void expect_state(harness *h, const char *line) {
  h->printed[0] = 0;
  harness_key(h, "p");
  harness_expect(h->printed, line);
}

static void a_machine_is_told_and_asked(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, machine);
  harness_step(&h, 30);
  expect_state(&h, "at\tmove");
  harness_key(&h, "j");
  harness_step(&h, 1);
  expect_state(&h, "at\tjump");
  harness_step(&h, 120); /* the jump takes 1.8 s */
  expect_state(&h, "at\tmove");
  harness_expect(h.printed, "jump");
  harness_key(&h, "j");
  harness_step(&h, 5);
  harness_key(&h, "t");
  harness_step(&h, 1);
  expect_state(&h, "at\tmove");
  harness_close(&h);
}

/* Shares of 0.5 m/s between 0 and 1.6, told by path; a machine's transition, and one of actions. */
static void what_plays_can_be_read(void **state) {
  static harness h;
  static char text[8192];
  (void)state;
  snprintf(
      text, sizeof text, "%s%s", machine,
      "function sinew.test()\n"
      "  sinew.simulate { seconds = 1 }\n"
      "  local by = {}\n"
      "  for _, item in ipairs(hero:playing()) do by[item.path or item.kind] = item end\n"
      "  local share = 0.5 / 1.6\n"
      "  assert(by[''].kind == 'state_machine' and by[''].normalized_weight == 1 and by.move.normalized_weight == 1)\n"
      "  assert(math.abs(by['move/2'].normalized_weight - share) < 1e-6 and by['move/2'].clip == 'Walk')\n"
      "  assert(math.abs(by['move/1'].normalized_weight - (1 - share)) < 1e-6 and by['move/3'].normalized_weight == "
      "0)\n"
      "  assert(by.jump == nil and by.move.clip == 'Idle')\n"
      "  assert(math.abs(by['move/2'].phase - by['move/2'].time / man:duration 'Walk') < 1e-6)\n"
      "  assert(math.abs(by['move/2'].speed - 1) < 0.01 and by['move/2'].line:match 'scene.lua:%d+')\n"
      "  assert(hero:transition() == nil)\n"
      "  hero:send 'jump'\n"
      "  sinew.simulate { frames = 3 }\n"
      "  local way = hero:transition()\n"
      "  assert(way.from == 'move' and way.to == 'jump' and way.blend == 'inertial' and way.fade == 0.12)\n"
      "  assert(math.abs(way.time - 0.05) < 1e-9 and math.abs(way.progress - 0.05 / 0.12) < 1e-6)\n"
      "  local wave = hero:layer('arm', {}):play('Wave', { fade = 0.2, weight = 0.5 })\n"
      "  sinew.simulate { frames = 3 }\n"
      "  assert(#hero:playing { layer = 'arm' } == 1 and wave.normalized_weight == 1 and wave.rate == 1)\n"
      "  local same = hero:playing { layer = 'arm' }[1]\n"
      "  assert(same.action.clip == 'Wave' and same.kind == 'action' and same.layer == 'arm')\n"
      "  local other = sinew.actor('other', man)\n"
      "  other:play('Walk')\n"
      "  sinew.simulate { frames = 3 }\n"
      "  other:play('Run', { fade = 0.1, ease = 'in' })\n"
      "  sinew.simulate { frames = 3 }\n"
      "  way = other:transition()\n"
      "  assert(way.from == 'Walk' and way.to == 'Run' and way.blend == 'crossfade')\n"
      "  assert(math.abs(way.progress - 0.25) < 1e-6, way.progress)\n"
      "end\n");
  harness_open(&h, text);
  if (!sinew_scene_test(h.scene, NULL, &h.error)) fail_msg("%s", h.error.message);
  harness_close(&h);
}

static sinew_node_def node_at(const harness *h, const char *actor, int node) {
  sinew_node_def n;
  assert_true(sinew_actor_node(sinew_host_stage(h->host), sinew_scene_find_actor(h->scene, actor), 0, node, &n));
  return n;
}

static bool stands_at(const sinew_node_def *n, double x, double y) { return hypot(n->x - x, n->y - y) < 0.02; }

/* Clips of 1.4, 4, 0.8 to the left, -0.8, -1 m/s and of none, whatever is written around them. */
static void samples_without_a_place_stand_where_their_clips_travel(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, "local sinew = require 'sinew'\n"
                   "local man = sinew.model('hero.glb', { clips = { 'hero_extra.glb' } })\n"
                   "local v = man:velocity 'StrafeLeft'\n"
                   "assert(math.abs(v.x - 0.8) < 0.01 and math.abs(v.z) < 0.01, tostring(v))\n"
                   "assert(man:velocity('Idle') == sinew.vec3(0, 0, 0))\n"
                   "local a = sinew.actor('a', man, { params = { left = 0, ahead = 0 } })\n"
                   "a:set_graph(sinew.blend_space_2d { param_x = 'left', param_y = 'ahead', sync = true,\n"
                   "  'Walk', 'Run', 'StrafeLeft', { 'StrafeRight' }, 'WalkBack', { 0, 0, 'Idle' } })\n"
                   "local b = sinew.actor('b', man, { params = { speed = 0 } })\n"
                   "b:set_graph(sinew.blend_space_1d { param = 'speed', sync = true, 'Idle',\n"
                   "  sinew.clip { 'Walk', speed = 0.5 }, { 3.6, 'Run' }, 'WalkBack' })\n");
  const double positions[6][2] = {{0, 1.4}, {0, 3.99}, {0.8, 0}, {-0.8, 0}, {0, -1}, {0, 0}};
  for (int i = 0; i < 6; i++) {
    sinew_node_def n = node_at(&h, "a", 1 + i);
    if (!stands_at(&n, positions[i][0], positions[i][1])) fail_msg("sample %d stands at %g, %g", i, n.x, n.y);
  }
  const double line[4] = {0, 0.7, 3.6, -1};
  for (int i = 0; i < 4; i++) {
    sinew_node_def n = node_at(&h, "b", 1 + i);
    if (!stands_at(&n, line[i], 0)) fail_msg("sample %d stands at %g, %g", i, n.x, n.y);
  }
  harness_close(&h);
}

static void steps_are_heard_with_their_data(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, machine);
  harness_key(&h, "s");
  harness_step(&h, 60);
  harness_expect(h.printed, "step\tleft\tWalk\tL\tbase\ttrue");
  harness_close(&h);
}

static void a_save_keeps_the_state_and_the_parameters(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, machine);
  harness_key(&h, "s");
  harness_key(&h, "j");
  harness_step(&h, 20);
  char *edited = malloc(strlen(machine) + 64);
  strcpy(edited, machine);
  memcpy(strstr(edited, "fade = 0.25"), "fade = 0.35", 11);
  sinew_actor actor = sinew_scene_find_actor(h.scene, "hero");
  sinew_machine_state before, after;
  assert_true(sinew_actor_machine(sinew_host_stage(h.host), actor, 0, 0, &before));
  assert_true(harness_reload(&h, edited));
  assert_true(sinew_actor_machine(sinew_host_stage(h.host), actor, 0, 0, &after));
  assert_int_equal(before.state, after.state);
  assert_true(before.time == after.time);
  harness_expect(sinew_scene_summary(h.scene), "hero graph, jump → move: fade 0.25 → 0.35");
  expect_state(&h, "at\tjump");
  harness_expect(h.printed, "1.6");
  assert_true(harness_reload(&h, edited));
  harness_expect(sinew_scene_summary(h.scene), "nothing declared has changed");
  free(edited);
  harness_close(&h);
}

static void three_saves_leave_one_handler(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, machine);
  for (int i = 0; i < 3; i++) assert_true(harness_reload(&h, machine));
  harness_key(&h, "s");
  h.printed[0] = 0;
  harness_step(&h, 56); /* one stride of 0.93 s */
  const char *first = strstr(h.printed, "step");
  assert_non_null(first);
  assert_null(strstr(first + 1, "step"));
  harness_close(&h);
}

static void a_failed_save_leaves_the_graph_alone(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, machine);
  char *broken = malloc(strlen(machine) + 64);
  strcpy(broken, machine);
  strcat(broken, "error 'no'\n");
  harness_key(&h, "j");
  harness_step(&h, 5);
  assert_false(harness_reload(&h, broken));
  expect_state(&h, "at\tjump");
  harness_step(&h, 120);
  expect_state(&h, "at\tmove");
  free(broken);
  harness_close(&h);
}

static void a_graph_that_is_no_longer_declared_goes(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, machine);
  harness_step(&h, 10);
  assert_true(harness_reload(&h, PREFIX "sinew.actor('hero', man, { params = { speed = 0 } })\n"));
  sinew_actor actor = sinew_scene_find_actor(h.scene, "hero");
  assert_false(sinew_actor_has_graph(sinew_host_stage(h.host), actor, 0));
  harness_step(&h, 30);
  harness_close(&h);
}

static void a_condition_that_fails_is_shown_and_asked_no_more(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX "local asked = 0\n"
                          "local hero = sinew.actor('hero', man)\n"
                          "hero:set_graph(sinew.state_machine { states = { a = 'Idle', b = 'Walk' }, transitions = {\n"
                          "  { 'a', 'b', when = function() asked = asked + 1; error 'oops' end } } })\n"
                          "function sinew.update() print('asked', asked) end\n");
  harness_step(&h, 10);
  harness_expect(sinew_scene_problem(h.scene), "oops");
  harness_expect(h.printed, "asked\t1\n");
  assert_null(strstr(h.printed, "asked\t2"));
  harness_close(&h);
}

static void a_handler_that_fails_is_called_no_more_and_others_are(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX "local hero = sinew.actor('hero', man)\n"
                          "hero:play('Walk', { speed = 4 })\n"
                          "hero:on('loop', function() print 'bad'; error 'oops' end)\n"
                          "hero:on('*', function(e) print('good', e.name) end)\n");
  harness_step(&h, 60);
  const char *bad = strstr(h.printed, "bad");
  assert_non_null(bad);
  assert_null(strstr(bad + 1, "bad"));
  const char *good = strstr(h.printed, "good\tloop");
  assert_non_null(good);
  assert_non_null(strstr(good + 1, "good\tloop"));
  harness_close(&h);
}

#define HERO PREFIX "local hero = sinew.actor('hero', man, { params = { speed = 0 } })\n"

/* An error in a sample, a state or a transition names the line of that entry. */
static void mistakes_are_said_with_their_own_lines(void **state) {
  (void)state;
  static const char *const scenes[][2] = {
      {"hero:set_graph(sinew.blend_space_1d { param = 'speed',\n  { 0, 'Idle' },\n  { 1.6, 'Wlk' } })",
       ":6: no clip 'Wlk'"},
      {"hero:set_graph(sinew.blend_space_1d { param = 'speed',\n  { 0, 'Idle' },\n  { 'x', 'Walk' } })",
       ":6: the graph's node: a sample is { position, clip }"},
      {"hero:set_graph(sinew.blend_space_1d { param = 'speed',\n  { 0, 'Idle' },\n  { 'Walk', 1.6 } })",
       ":6: the graph's node: a sample is { position, clip }, as in { 1.6, \"Walk\" }"},
      {"hero:set_graph(sinew.blend_space_1d { param = 'speed',\n  { 0, 'Idle' },\n  { true, 'Walk' } })",
       ":6: the graph's node: a sample's position is a number"},
      {"hero:set_graph(sinew.blend_space_2d { param_x = 'speed', param_y = 'speed',\n  { 'Walk', 0, 1.6 } })",
       ":5: the graph's node: a sample is { x, y, clip }"},
      {"hero:set_graph(sinew.blend {\n  { 'Idle', 1 },\n\n  { 'Walk', 'pace' } })", ":7: no parameter 'pace'"},
      {"hero:set_graph(sinew.state_machine {\n  states = {\n    a = 'Idle',\n    b = 'Wlk' } })", ":7: no clip 'Wlk'"},
      {"hero:set_graph(sinew.state_machine { states = { a = 'Idle', b = 'Walk' }, transitions = {\n"
       "  { 'a', 'b', on = 'x' },\n  { 'b', 'c', on = 'y' } } })",
       ":6: no state 'c'"},
      {"local ways = {\n  { 'a', 'b', on = 'x' },\n  { 'b', 'a' },\n}\n"
       "hero:set_graph(sinew.state_machine { states = { a = 'Idle', b = 'Walk' }, transitions = ways })",
       ":6: the graph's node: a transition needs one of"},
  };
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
    harness_refused("local sinew = require 'sinew'\nlocal man = sinew.model 'hero.glb'\n"
                    "local hero = sinew.actor('hero', man, { params = { speed = 1 } })\n",
                    scenes[i][0], scenes[i][1]);
}

static void refused(const char *text, const char *reason) { harness_refused(HERO, text, reason); }

static void what_cannot_be_is_refused_with_the_reason(void **state) {
  (void)state;
  refused("hero:set_graph 'Wlak'", "did you mean 'Walk'");
  refused("hero:set_graph(sinew.blend_space_1d { param = 'sped', { 0, 'Idle' } })", "did you mean 'speed'");
  refused("hero:set_graph(sinew.blend_space_1d { { 0, 'Idle' } })", "it needs param");
  refused("hero:set_graph(sinew.blend_space_1d { param = 'speed', { 0, 'Idel' } })", "did you mean 'Idle'");
  refused("hero:set_graph(sinew.blend_space_1d { param = 'speed', { 0, 'Idle', 3 } })",
          "a sample is { position, clip }");
  refused("hero:set_graph(sinew.blend_space_1d { param = 'speed', { 0, 'Idle', speed = 2 } })", "it has no 'speed'");
  refused("hero:set_graph(sinew.blend_space_1d { param = 'speed', { 0, 1, 'Idle' } })", "it has no '3'");
  refused("hero:set_graph(sinew.blend_space_2d { param_x = 'speed', param_y = 'speed', { 0, 1, 'Idle', at = 1 } })",
          "it has no 'at'");
  refused("hero:set_graph(sinew.blend { { 'Idle', 1, loop = 'once' } })", "it has no 'loop'");
  refused("hero:set_graph(sinew.blend_space_1d { param = 'speed', { {}, 'Idle' } })", "a number or a function");
  refused("hero:set_graph(sinew.state_machine { states = { a = 'Idle' }, start = 'b' })", "no state 'b'");
  refused("hero:set_graph(sinew.state_machine { states = { a = 'Idle' }, transitions = { { 'a', 'a' } } })",
          "needs one of on, when and before_end");
  refused("hero:set_graph(sinew.state_machine { states = {} })", "no samples, states or children");
  refused("hero:set_graph(sinew.state_machine { sattes = {} })", "did you mean 'states'");
  refused("hero:set_graph(sinew.clip { 'Walk', loop = 'sometimes' })", "loop must be");
  refused("hero:set_graph {}", "must be a node of a graph");
  refused("hero.params.sped = 1", "did you mean 'speed'");
  refused("hero.params.speed = 0/0", "a finite number");
  refused("sinew.actor('x', man, { params = { 1 } })", "params are names with numbers");
  refused("sinew.actor('x', man, { params = { grounded = true } })", "a flag is 0 or 1");
  refused("man:markers('Walk', { { 9, 'late' } })", "outside the clip");
  refused("man:markers('Walk', { 'left' })", "a marker is { time");
  refused("hero:send 'jump'", "cannot be called at the top level");
  refused("hero:set_graph 'Walk' hero:set_graph 'Run'", "has a graph on that layer already");
  refused("local n = sinew.blend { 'Walk' } n[1] = n hero:set_graph(n)", "deeper than 16 levels");
}

static void actors_made_at_run_time_keep_graph_and_handlers_through_a_save(void **state) {
  static harness h;
  static const char *const text =
      PREFIX "local made\n"
             "sinew.on('key_pressed', function(key)\n"
             "  if key ~= 'm' then return end\n"
             "  local pal = sinew.actor('pal', man, { params = { go = 0 } })\n"
             "  local at = 0\n"
             "  pal:set_graph(sinew.blend_space_1d { param = 'go', { function() at = at + 1 return 0 end, 'Walk' } })\n"
             "  pal:on('loop', function() print('pal', at > 40) end)\n"
             "end)\n";
  (void)state;
  harness_open(&h, text);
  harness_key(&h, "m");
  harness_step(&h, 10);
  assert_true(harness_reload(&h, text));
  h.printed[0] = 0;
  harness_step(&h, 80);
  harness_expect(h.printed, "pal\ttrue");
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mistakes_are_said_with_their_own_lines),
      cmocka_unit_test(a_machine_is_told_and_asked),
      cmocka_unit_test(what_plays_can_be_read),
      cmocka_unit_test(samples_without_a_place_stand_where_their_clips_travel),
      cmocka_unit_test(steps_are_heard_with_their_data),
      cmocka_unit_test(a_save_keeps_the_state_and_the_parameters),
      cmocka_unit_test(three_saves_leave_one_handler),
      cmocka_unit_test(a_failed_save_leaves_the_graph_alone),
      cmocka_unit_test(a_graph_that_is_no_longer_declared_goes),
      cmocka_unit_test(a_condition_that_fails_is_shown_and_asked_no_more),
      cmocka_unit_test(a_handler_that_fails_is_called_no_more_and_others_are),
      cmocka_unit_test(what_cannot_be_is_refused_with_the_reason),
      cmocka_unit_test(actors_made_at_run_time_keep_graph_and_handlers_through_a_save),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
