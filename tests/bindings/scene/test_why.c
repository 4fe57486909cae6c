/* actor:explain, actor.metrics and actor:bake. */
#include "harness.h"

static void expect_test(const char *text) {
  harness h;
  harness_open(&h, text);
  if (!sinew_scene_test(h.scene, NULL, &h.error)) fail_msg("%s", h.error.message);
  harness_close(&h);
}

static void a_joint_is_explained_with_the_lines_that_made_its_pose(void **state) {
  (void)state;
  expect_test("local sinew = require 'sinew'\n"
              "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
              "hero:play('Walk', { fade = 0, weight = 0.75 })\n"
              "hero:play('Run', { fade = 0, weight = 0.25 })\n"
              "local arm = hero:layer('arm', { weight = 0.5, mask = { ['RightShoulder/**'] = 1 } })\n"
              "arm:play('Wave', { fade = 0 })\n"
              "function sinew.test()\n"
              "  sinew.simulate { frames = 10 }\n"
              "  local why = hero:explain 'LeftForeArm'\n"
              "  assert(#why == 2, #why)\n"
              "  assert(why[1].kind == 'clip' and why[1].name == 'Walk' and why[1].layer == 'base')\n"
              "  assert(math.abs(why[1].weight - 0.75) < 1e-6 and why[1].degrees > 0)\n"
              "  assert(why[1].line:match 'scene.lua:3$' and why[2].line:match 'scene.lua:4$', why[1].line)\n"
              "  why = hero:explain 'RightForeArm'\n"
              "  assert(#why == 4, tostring(why))\n"
              "  assert(math.abs(why[1].weight - 0.375) < 1e-6 and math.abs(why[3].weight - 0.5) < 1e-6)\n"
              "  assert(why[4].kind == 'layer' and why[4].name == 'arm' and why[4].line:match 'scene.lua:5$')\n"
              "  assert(tostring(why):match 'hero.RightForeArm\\n.*Walk.*37.5 %%.*Wave.*50.0 %%', tostring(why))\n"
              "  local fine, message = pcall(hero.explain, hero, 'LeftForArm')\n"
              "  assert(not fine and message:match \"did you mean 'LeftForeArm'\", message)\n"
              "end\n");
}

/* Of an action on the base and of one on a layer; one that has ended is forgotten, and its successor is not taken for
 * it. */
static void what_was_played_at_run_time_has_the_line_of_the_call(void **state) {
  (void)state;
  expect_test("local sinew = require 'sinew'\n"
              "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
              "local arm = hero:layer('arm', { mask = { ['RightShoulder/**'] = 1 } })\n"
              "function sinew.test()\n"
              "  for i = 1, 3 do hero:play('Walk', { fade = 0 }) sinew.simulate { frames = 2 } end\n"
              "  hero:play('Run', { fade = 0 })\n"
              "  arm:play('Wave', { fade = 0, weight = 0.5 })\n"
              "  sinew.simulate { frames = 2 }\n"
              "  local why = hero:explain 'RightForeArm'\n"
              "  assert(why[1].name == 'Run' and why[1].line:match 'scene.lua:6$', tostring(why))\n"
              "  assert(why[2].name == 'Wave' and why[2].line:match 'scene.lua:7$', tostring(why))\n"
              "end\n");
}

static void a_clip_of_a_graph_has_the_line_of_the_graph(void **state) {
  (void)state;
  expect_test("local sinew = require 'sinew'\n"
              "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
              "hero:set_graph(sinew.blend { { 'Walk', 1 }, { 'Run', 3 } })\n"
              "function sinew.test()\n"
              "  sinew.simulate { seconds = 0.5 }\n"
              "  local why = hero:explain 'Hips'\n"
              "  assert(#why == 2 and why[2].name == 'Run' and math.abs(why[2].weight - 0.75) < 1e-6, tostring(why))\n"
              "  assert(why[2].line:match 'scene.lua:3$', why[2].line)\n"
              "end\n");
}

/* Samples of one space, states of one machine: each is said with the line that it stands on. */
static void each_sample_and_state_has_its_own_line(void **state) {
  (void)state;
  expect_test("local sinew = require 'sinew'\n"
              "local hero = sinew.actor('hero', sinew.model 'hero.glb', { params = { speed = 0.8 } })\n"
              "local jump = { 'Jump', loop = 'once' }\n"
              "hero:set_graph(sinew.blend_space_1d { param = 'speed', -- { a comment, }\n"
              "  { 0, 'Idle' },\n"
              "  { 1.6, sinew.clip { 'Walk',\n"
              "    speed = 1 } },\n"
              "  { 4, 'Run' } })\n"
              "hero:layer('top', { mask = { ['RightShoulder/**'] = 1 } })\n"
              "hero:set_graph(sinew.state_machine { start = 'up', states = {\n"
              "    idle = 'Breath',\n"
              "    up = 'Wave' }, transitions = { { 'up', 'idle', on = 'x' } } }, { layer = 'top' })\n"
              "function sinew.test()\n"
              "  sinew.simulate { seconds = 0.5 }\n"
              "  local lines = {}\n"
              "  for _, joint in ipairs { 'Hips', 'RightHand' } do\n"
              "    for _, cause in ipairs(hero:explain(joint)) do lines[cause.name] = cause.line end\n"
              "  end\n"
              "  assert(lines.Idle:match ':5$' and lines.Walk:match ':6$', tostring(hero:explain 'Hips'))\n"
              "  assert(lines.Wave:match ':12$', lines.Wave)\n"
              "end\n");
}

static void a_modifier_is_said_with_its_line(void **state) {
  (void)state;
  expect_test("local sinew = require 'sinew'\n"
              "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
              "hero:set_modifiers {\n"
              "  sinew.modifier { 'nod', function(pose) pose:rotate('Head', 'x', 0.3) end },\n"
              "}\n"
              "function sinew.test()\n"
              "  sinew.simulate { frames = 2 }\n"
              "  local why = hero:explain 'Head'\n"
              "  local last = why[#why]\n"
              "  assert(last.kind == 'modifier' and last.name == 'nod' and last.line:match 'scene.lua:%d$')\n"
              "  assert(math.abs(last.degrees - math.deg(0.3)) < 0.01, last.degrees)\n"
              "end\n");
}

static void nothing_is_measured_until_asked_for(void **state) {
  (void)state;
  expect_test("local sinew = require 'sinew'\n"
              "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
              "hero:play('Walk', { fade = 0 })\n"
              "function sinew.test()\n"
              "  sinew.simulate { frames = 2 }\n"
              "  assert(hero.metrics == nil)\n"
              "  hero:measure()\n"
              "  sinew.simulate { seconds = 1 }\n"
              "  local m = hero.metrics\n"
              "  assert(math.abs(m.seconds - 1) < 1e-3 and m.pop < 0.001, m.pop)\n"
              "  assert(m.slide > 0.5 and m.slide_joint:match 'Foot' or m.slide_joint:match 'Toe', m.slide_joint)\n"
              "  hero:play('Run', { fade = 0 })\n"
              "  sinew.simulate { frames = 10 }\n"
              "  assert(hero.metrics.pop > 0.4 and hero.metrics.pop_time > 1, hero.metrics.pop)\n"
              "  assert(not pcall(hero.measure, hero, { feet = { 'LeftFot' } }))\n"
              "end\n");
}

static void a_timeline_has_the_moments_and_their_lines(void **state) {
  (void)state;
  expect_test(
      "local sinew = require 'sinew'\n"
      "local hero = sinew.actor('hero', sinew.model 'hero.glb', { params = { speed = 0 } })\n"
      "hero:set_graph(sinew.state_machine { start = 'idle',\n"
      "  states = { idle = 'Idle', run = 'Run' },\n"
      "  transitions = {\n"
      "    { 'idle', 'run', fade = 0, when = function(a) return a.params.speed > 0.2 end },\n"
      "    { 'run', 'idle', on = 'halt', fade = 0.5, blend = 'inertial' } } })\n"
      "function sinew.test()\n"
      "  assert(not pcall(sinew.timeline, hero))\n"
      "  hero:measure()\n"
      "  sinew.simulate { seconds = 1 }\n"
      "  local line = sinew.timeline(hero)\n"
      "  assert(#line.pops == 0 and #line.transitions == 0 and #line.refusals == 1, tostring(line))\n"
      "  local refused = line.refusals[1]\n"
      "  assert(refused.from == 'idle' and refused.to == 'run' and refused.line:match 'scene.lua:6$', refused.line)\n"
      "  assert(refused.reason == 'its condition is false', refused.reason)\n"
      "  hero.params.speed = 1\n"
      "  sinew.simulate { seconds = 1 }\n"
      "  hero:send 'halt'\n"
      "  sinew.simulate { frames = 2 }\n"
      "  line = sinew.timeline(hero)\n"
      "  local run, halt = line.transitions[1], line.transitions[2]\n"
      "  assert(math.abs(run.time - 1) < 1e-6 and run.to == 'run' and run.reason == 'its condition holds')\n"
      "  assert(halt.to == 'idle' and halt.reason == 'on halt' and halt.line:match 'scene.lua:7$')\n"
      "  local pop = line.pops[1]\n"
      "  assert(pop.angle > 0.5 and math.abs(pop.speed - 60 * pop.angle) < 1e-3 and pop.joint and pop.text:find('idle "
      "-> run', 1, true), pop.text)\n"
      "  assert(#line.marks == #line.pops + #line.slides + #line.transitions + #line.refusals)\n"
      "  assert(hero.metrics.turn >= pop.angle and hero.metrics.pop >= pop.metres - 1e-6 and hero.metrics.turn_joint)\n"
      "  assert(select(2, tostring(line):gsub('\\n', '')) == #line.marks - 1)\n"
      "end\n");
}

static void a_cut_names_the_call(void **state) {
  (void)state;
  expect_test("local sinew = require 'sinew'\n"
              "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
              "local walk = hero:play 'Walk'\n"
              "local arm = hero:layer('arm', { weight = 0, mask = { ['RightShoulder/**'] = 1 } })\n"
              "arm:play 'Wave'\n"
              "function sinew.update() walk.weight = 1; hero.position = hero.position end\n"
              "local function cause(change)\n"
              "  sinew.simulate { seconds = 1 }\n"
              "  hero:measure()\n"
              "  sinew.simulate { seconds = 0.5 }\n"
              "  change()\n"
              "  sinew.simulate { seconds = 0.5 }\n"
              "  local line = sinew.timeline(hero)\n"
              "  assert(#line.pops == 1 and line.pops[1].text:find(line.pops[1].cause, 1, true), tostring(line))\n"
              "  return line.pops[1].cause\n"
              "end\n"
              "function sinew.test()\n"
              "  local said = cause(function() walk = hero:play('Run', { fade = 0 }) end)\n"
              "  assert(said:match '^actor:play %(.*scene.lua:18%)$', said)\n"
              "  said = cause(function() walk.time = 0.2 end)\n"
              "  assert(said:match '^action.time %(.*scene.lua:20%)$', said)\n"
              "  said = cause(function() arm.weight = 1 end)\n"
              "  assert(said:match '^layer.weight %(.*scene.lua:22%)$', said)\n"
              "end\n");
}

static void a_slide_names_the_clip_that_moves_the_foot(void **state) {
  (void)state;
  expect_test("local sinew = require 'sinew'\n"
              "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
              "hero:play('Walk', { fade = 0 })\n"
              "hero:layer('arm', { mask = { ['RightShoulder/**'] = 1 } }):play 'Wave'\n"
              "local speed = 0\n"
              "function sinew.update(dt)\n"
              "  hero.position = hero.position + { 0, 0, speed * dt }\n"
              "end\n"
              "local function slides(s)\n"
              "  speed = s\n"
              "  sinew.simulate { seconds = 1 } hero:measure() sinew.simulate { seconds = 2 }\n"
              "  return sinew.timeline(hero).slides\n"
              "end\n"
              "function sinew.test()\n"
              "  local list = slides(3)\n"
              "  for _, s in ipairs(list) do\n"
              "    assert(s.cause:match \"^'Walk' %(.*scene.lua:3%) goes 1.40 m/s, the actor 3.00 by actor.position %(.*:7%)$\", s.cause)\n"
              "    assert(s.text:find(s.cause, 1, true) and s.rank > 1)\n"
              "  end\n"
              "  assert(#list > 2 and math.abs(hero.metrics.slide - 1.6) < 0.05, hero.metrics.slide)\n"
              "  slides(hero.model:velocity('Walk').z)\n"
              "  assert(hero.metrics.slide < 0.02, hero.metrics.slide)\n"
              "end\n");
}

/* Places, morph targets, parameters, functions of modifiers, seams: each jump has its line. */
static void every_kind_of_jump_names_its_line(void **state) {
  (void)state;
  expect_test("local sinew = require 'sinew'\n"
              "local man = sinew.model 'hero.glb'\n"
              "local hero = sinew.actor('hero', man, { params = { speed = 0 } })\n"
              "hero:set_graph(sinew.blend_space_1d { param = 'speed', sync = true, 'Idle', 'Walk', 'Run' })\n"
              "local lean = 0\n"
              "hero:set_modifiers { sinew.modifier { 'lean', function(pose)\n"
              "  pose:rotate('Spine', 'x', lean)\n"
              "end } }\n"
              "local changes = {\n"
              "  { function() hero.position = { 3, 0, 0 } end, 'hero jumped by 300 cm after actor.position', 10 },\n"
              "  { function() hero.rotation = math.pi end, 'hero jumped by 180° after actor.rotation', 11 },\n"
              "  { function() hero.morphs.Smile = 1 end, 'Smile jumped by 1 cm after actor.morphs.Smile', 12 },\n"
              "  { function() hero.params.speed = 3 end, 'after actor.params.speed', 13 },\n"
              "  { function() lean = 0.5 end, 'Spine jumped by 29° and', 7 },\n"
              "  { function() hero:play('Walk', { from = 0.1, to = 0.5, fade = 0.4 }) end, \"at the seam of 'Walk'\", 15 },\n"
              "}\n"
              "function sinew.test()\n"
              "  for _, change in ipairs(changes) do\n"
              "    sinew.simulate { seconds = 1 } hero:measure() sinew.simulate { frames = 10 }\n"
              "    change[1]()\n"
              "    sinew.simulate { seconds = 1 }\n"
              "    local pops = sinew.timeline(hero).pops\n"
              "    assert(#pops >= 1, change[2])\n"
              "    assert(pops[1].text:find(change[2], 1, true), pops[1].text)\n"
              "    assert(pops[1].text:match('scene.lua:(%d+)%)') == tostring(change[3]), pops[1].text)\n"
              "  end\n"
              "end\n");
}

static void play_in_each_frame_goes_on_and_only_what_plays_is_listed(void **state) {
  (void)state;
  expect_test("local sinew = require 'sinew'\n"
              "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
              "local frame\n"
              "function sinew.update() if frame then frame() end end\n"
              "function sinew.test()\n"
              "  local actions = {}\n"
              "  frame = function() actions[#actions + 1] = hero:play('Walk', { speed = 1.1 }) end\n"
              "  sinew.simulate { seconds = 0.5 }\n"
              "  assert(#hero:playing() == 1 and actions[1].time > 0.5 and not actions[1].done)\n"
              "  frame = nil\n"
              "  local again = hero:play('Walk', { speed = 1.1, restart = true, fade = 0 })\n"
              "  sinew.simulate { frames = 1 }\n"
              "  assert(again.time < 0.1 and actions[1].done)\n"
              "  hero:play('Walk', { speed = 1.2, fade = 0 })\n"
              "  sinew.simulate { frames = 1 }\n"
              "  assert(hero:playing()[1].speed == 1.2 and #hero:playing() == 1)\n"
              "  hero:stop(0)\n"
              "  hero:set_graph(sinew.state_machine { start = 'a', states = { a = 'Walk', jump = 'Jump' },\n"
              "    transitions = { { 'a', 'jump', on = 'jump' } } })\n"
              "  sinew.simulate { frames = 2 }\n"
              "  for _, entry in ipairs(hero:playing()) do assert(entry.clip == 'Walk', entry.clip) end\n"
              "end\n");
}

/* Where a frame takes longer than a cause may be ago, what was done before it is the cause all the same. */
static void a_slow_machine_names_the_call(void **state) {
  (void)state;
  static const double steps[] = {1.0 / 60, 0.1, 0.11};
  for (int i = 0; i < 3; i++) {
    harness h;
    harness_open(&h, "local sinew = require 'sinew'\n"
                     "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
                     "hero:play 'Idle'\n"
                     "function sinew.update()\n"
                     "  if sinew.frame == 2 then hero:measure() end\n"
                     "  if sinew.frame == 20 then hero:play('Run', { fade = 0 }) end\n"
                     "  if sinew.frame == 22 then print(sinew.timeline(hero)) end\n"
                     "end\n");
    for (int frame = 0; frame < 24; frame++) assert_true(sinew_host_step(h.host, steps[i], &h.error));
    harness_expect(h.printed, "after actor:play (");
    harness_expect(h.printed, "scene.lua:6)");
    harness_close(&h);
  }
}

/* The module that reads the machine is Sinew's own: what counts is where the scene wrote it. */
static void a_machine_in_words_has_the_line_of_the_scene(void **state) {
  (void)state;
  expect_test(
      "local sinew, machine = require 'sinew', require 'sinew.machine'\n"
      "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
      "hero:set_graph(machine { start = 'idle', states = { idle = 'Idle', run = 'Run' }, 'idle -> run: on go' })\n"
      "function sinew.test()\n"
      "  hero:measure()\n"
      "  sinew.simulate { frames = 2 }\n"
      "  local line = sinew.timeline(hero).refusals[1].line\n"
      "  assert(line:match 'scene.lua:3$', line)\n"
      "end\n");
}

static void what_changes_over_names_its_transition_and_the_past_its_reasons(void **state) {
  (void)state;
  expect_test(
      "local sinew = require 'sinew'\n"
      "local hero = sinew.actor('hero', sinew.model 'hero.glb', { params = { speed = 0 } })\n"
      "hero:set_graph(sinew.state_machine { start = 'idle',\n"
      "  states = { idle = 'Idle', run = 'Run', walk = 'Walk' },\n"
      "  transitions = {\n"
      "    { 'idle', 'run', fade = 0.4, blend = 'inertial', when = function(a) return a.params.speed > 0.2 end },\n"
      "    { 'run', 'walk', on = 'halt', fade = 0.5 } } })\n"
      "local function find(kind, name)\n"
      "  for _, cause in ipairs(hero:explain 'LeftUpLeg') do\n"
      "    if cause.kind == kind and cause.name == name then return cause end\n"
      "  end\n"
      "end\n"
      "function sinew.test()\n"
      "  sinew.simulate { seconds = 0.5 }\n"
      "  assert(not find('clip', 'Idle').transition and not find('inertia', 'inertia'))\n"
      "  assert(#select(2, hero:history()) == 0)\n"
      "  hero.params.speed = 1\n"
      "  sinew.simulate { seconds = 0.1 }\n"
      "  local inertia = find('inertia', 'inertia')\n"
      "  assert(inertia.transition == 'idle -> run' and inertia.transition_line:match 'scene.lua:6$')\n"
      "  sinew.simulate { seconds = 1.4 }\n"
      "  assert(not find('clip', 'Run').transition)\n"
      "  hero:send 'halt'\n"
      "  sinew.simulate { seconds = 0.1 }\n"
      "  for _, name in ipairs { 'Run', 'Walk' } do\n"
      "    local fading = find('clip', name)\n"
      "    assert(fading.transition == 'run -> walk' and fading.transition_line:match 'scene.lua:7$', name)\n"
      "  end\n"
      "  assert(tostring(hero:explain 'LeftUpLeg'):find('run -> walk', 1, true))\n"
      "  local names, past = hero:history()\n"
      "  assert(#names == 2 and #past == 2 and names[1] == 'run' and past[1].state == 'run')\n"
      "  assert(math.abs(past[1].seconds - 1.5) < 0.02 and past[1].reason == 'on halt', past[1].seconds)\n"
      "  assert(math.abs(past[2].seconds - 0.5) < 0.02 and past[2].reason == 'its condition holds')\n"
      "  assert(past[1].line:match 'scene.lua:7$' and past[2].line:match 'scene.lua:6$')\n"
      "end\n");
}

/* Half a metre over the level that she stands on there is no foot; on a ground of that height there is one. */
static void feet_are_measured_on_the_ground_of_a_function(void **state) {
  (void)state;
  expect_test("local sinew = require 'sinew'\n"
              "local man = sinew.model 'hero.glb'\n"
              "local hero = sinew.actor('hero', man, { position = { 0, 0.5, 0 } })\n"
              "hero:play('Walk', { fade = 0 })\n"
              "local function slide(ground)\n"
              "  hero:measure { ground = ground }\n"
              "  sinew.simulate { seconds = 1 }\n"
              "  return hero.metrics.slide\n"
              "end\n"
              "function sinew.test()\n"
              "  local plain = slide(nil)\n"
              "  assert(plain > 0.5, plain)\n"
              "  assert(slide(function(x, z) return 0 end) == 0)\n"
              "  local there = slide(function(x, z) return 0.5, { 0, 1, 0 } end)\n"
              "  assert(math.abs(there - plain) < 0.1, there)\n"
              "end\n");
}

/* The waves that feet are planted on are the ground that they are measured on, unless the scene says another one. */
static void planted_feet_are_measured_on_their_ground(void **state) {
  (void)state;
  expect_test(
      "local sinew = require 'sinew'\n"
      "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
      "local walk = hero:play('Walk', { fade = 0 })\n"
      "local function ground(x, z) return 0.5 + 0.12 * math.sin(2.5 * z), { 0, 1, -0.3 * math.cos(2.5 * z) } end\n"
      "hero:set_modifiers { sinew.plant { 'feet', pelvis = 'Hips', feet = { 'LeftFoot', 'RightFoot' },\n"
      "  ground = ground } }\n"
      "function sinew.update(dt)\n"
      "  local at = hero.position\n"
      "  hero.position = { at.x, (ground(at.x, at.z)), at.z + 1.35 * dt }\n"
      "end\n"
      "local function slide(options)\n"
      "  hero.position, walk.time = { 0, 0.5, 0 }, 0\n"
      "  sinew.simulate { seconds = 1 }\n"
      "  hero:measure(options)\n"
      "  sinew.simulate { seconds = 4 }\n"
      "  return hero.metrics.slide, #sinew.timeline(hero).slides\n"
      "end\n"
      "function sinew.test()\n"
      "  local real, contacts = slide { ground = ground }\n"
      "  local found, found_contacts = slide()\n"
      "  local level = slide { ground = function() return hero.position.y end }\n"
      "  assert(math.abs(found - real) < 0.05 * real, found .. ' for ' .. real)\n"
      "  assert(math.abs(contacts - found_contacts) <= 1, found_contacts .. ' for ' .. contacts)\n"
      "  assert(level > 2 * real, level .. ' for ' .. real)\n"
      "end\n");
}

static void a_ground_that_fails_is_shown_and_asked_no_more(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, "local sinew = require 'sinew'\n"
                   "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
                   "local asked = 0\n"
                   "sinew.on('key_pressed', function(key)\n"
                   "  if key == 'm' then hero:measure { ground = function() asked = asked + 1 return 'low' end } end\n"
                   "  if key == 'p' then print('asked', asked) end\n"
                   "end)\n");
  harness_step(&h, 1);
  harness_key(&h, "m");
  harness_step(&h, 5);
  harness_expect(sinew_scene_problem(h.scene), "the ground of actor:measure returned no height");
  harness_key(&h, "p");
  harness_expect(h.printed, "asked\t1");
  harness_close(&h);
}

/* State that only the ground function holds disappears with the actor that it was given for. */
static void a_ground_goes_with_its_actor(void **state) {
  (void)state;
  expect_test("local sinew = require 'sinew'\n"
              "local man = sinew.model 'hero.glb'\n"
              "function sinew.test()\n"
              "  local held = setmetatable({}, { __mode = 'k' })\n"
              "  for i = 1, 3 do\n"
              "    local own, actor = {}, sinew.actor('walker ' .. i, man)\n"
              "    held[own] = true\n"
              "    actor:measure { ground = function() return own and 0 end }\n"
              "    if i > 1 then actor:remove() end\n"
              "  end\n"
              "  sinew.simulate { frames = 2 }\n"
              "  collectgarbage() collectgarbage()\n"
              "  local count = 0\n"
              "  for _ in pairs(held) do count = count + 1 end\n"
              "  assert(count == 1, count)\n"
              "end\n");
}

static const char baking[] = "local sinew = require 'sinew'\n"
                             "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
                             "hero:play('Walk', { fade = 0 })\n";

static void run_baking(const char *test, const char *expected, bool removes) {
  char text[4096], file[128];
  harness h;
  snprintf(text, sizeof text, "%s%s", baking, test);
  harness_open(&h, text);
  if (!sinew_scene_test(h.scene, NULL, &h.error)) fail_msg("%s", h.error.message);
  if (removes) sinew_scene_destroy(h.scene), h.scene = NULL;
  harness_expect(h.printed, expected);
  snprintf(file, sizeof file, "%s/baked.glb", h.folder);
  assert_int_equal(access(file, R_OK), 0);
  harness_close(&h);
}

static void what_is_baked_moves_as_what_was_shown(void **state) {
  (void)state;
  run_baking("local seen = {}\n"
             "function sinew.draw() seen[#seen + 1] = hero:joint 'LeftHand' end\n"
             "function sinew.test()\n"
             "  sinew.simulate { frames = 30 }\n"
             "  hero:play('Run', { fade = 0.4 })\n"
             "  seen = {}\n"
             "  hero:bake('baked.glb', { seconds = 0.5 })\n"
             "  sinew.simulate { frames = 31 }\n"
             "  local twin = sinew.actor('twin', sinew.model 'baked.glb')\n"
             "  twin:play('baked', { fade = 0, speed = 0, time = 0.25, loop = 'once' })\n"
             "  local want = seen[16]\n"
             "  sinew.simulate { frames = 1 }\n"
             "  local off = twin:joint 'LeftHand' - want\n"
             "  assert(math.abs(off.x) + math.abs(off.y) + math.abs(off.z) < 2e-4, tostring(off))\n"
             "end\n",
             "baked 31 keys, 0.5 s: ", false);
}

static void a_bake_that_is_cut_off_is_written(void **state) {
  (void)state;
  run_baking(
      "function sinew.test() hero:bake('baked.glb', { seconds = 9, rate = 30 }) sinew.simulate { frames = 21 } end\n",
      "baked 11 keys, 0.333 s: ", true);
}

static void a_scene_writes_nothing_but_takes_in_its_own_folder(void **state) {
  (void)state;
  run_baking("function sinew.test()\n"
             "  local function refused(file, why)\n"
             "    local fine, message = pcall(hero.bake, hero, file)\n"
             "    assert(not fine and message:find(why, 1, true), message)\n"
             "  end\n"
             "  refused('scene.lua', 'does not end in .glb')\n"
             "  refused('../baked.glb', 'own folder')\n"
             "  refused('/tmp/baked.glb', 'own folder')\n"
             "  refused('not/there/baked.glb', 'own folder')\n"
             "  refused('.glb', 'does not end')\n"
             "  assert(not pcall(hero.bake, hero, 'baked.glb', { seconds = 1e6 }))\n"
             "  for i = 1, 2 do\n" /* over the one that was baked before */
             "    hero:bake('baked.glb', { seconds = 0.1 })\n"
             "    sinew.simulate { frames = 10 }\n"
             "  end\n"
             "end\n",
             "baked 7 keys", false);
  harness h;
  char file[128];
  harness_open_host(&h);
  snprintf(file, sizeof file, "%s/baked.glb", h.folder);
  harness_write(file, "of somebody else");
  char text[1024];
  snprintf(text, sizeof text, "%sfunction sinew.update() hero:bake 'baked.glb' end\n", baking);
  assert_true(harness_load(&h, text, NULL));
  sinew_host_step(h.host, 1.0 / 60, &h.error);
  harness_expect(sinew_scene_problem(h.scene), "was not baked by Sinew");
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_joint_is_explained_with_the_lines_that_made_its_pose),
      cmocka_unit_test(what_was_played_at_run_time_has_the_line_of_the_call),
      cmocka_unit_test(a_clip_of_a_graph_has_the_line_of_the_graph),
      cmocka_unit_test(each_sample_and_state_has_its_own_line),
      cmocka_unit_test(a_modifier_is_said_with_its_line),
      cmocka_unit_test(nothing_is_measured_until_asked_for),
      cmocka_unit_test(what_changes_over_names_its_transition_and_the_past_its_reasons),
      cmocka_unit_test(a_cut_names_the_call),
      cmocka_unit_test(a_slow_machine_names_the_call),
      cmocka_unit_test(a_machine_in_words_has_the_line_of_the_scene),
      cmocka_unit_test(a_timeline_has_the_moments_and_their_lines),
      cmocka_unit_test(a_ground_goes_with_its_actor),
      cmocka_unit_test(feet_are_measured_on_the_ground_of_a_function),
      cmocka_unit_test(a_slide_names_the_clip_that_moves_the_foot),
      cmocka_unit_test(every_kind_of_jump_names_its_line),
      cmocka_unit_test(play_in_each_frame_goes_on_and_only_what_plays_is_listed),
      cmocka_unit_test(planted_feet_are_measured_on_their_ground),
      cmocka_unit_test(a_ground_that_fails_is_shown_and_asked_no_more),
      cmocka_unit_test(what_is_baked_moves_as_what_was_shown),
      cmocka_unit_test(a_bake_that_is_cut_off_is_written),
      cmocka_unit_test(a_scene_writes_nothing_but_takes_in_its_own_folder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
