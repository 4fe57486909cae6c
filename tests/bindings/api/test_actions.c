/* Actions, layers and tasks of scripts, beyond those in the examples. */
#include "harness.h"

#define PREFIX                                                                                                         \
  "local sinew = require 'sinew'\n"                                                                                    \
  "local task = require 'sinew.task'\n"                                                                                \
  "local man = sinew.model 'hero.glb'\n"                                                                               \
  "local hero = sinew.actor('hero', man)\n"

static void run(harness *h, const char *body) {
  static char text[8000];
  snprintf(text, sizeof text, PREFIX "function sinew.test()\n%s\nend\n", body);
  harness_open(h, text);
  if (!sinew_scene_test(h->scene, NULL, &h->error)) fail_msg("%s", h->error.message);
}

static void an_event_names_the_action_that_caused_it(void **state) {
  harness h;
  (void)state;
  harness_open(&h, PREFIX "local a = hero:play('Jump', { loop = 'once', from = 0.2, to = 0.4 })\n"
                          "hero:on('finish', function(e) print('ended', e.action == a, e.action.clip, a.actor == hero) "
                          "end)\n");
  harness_step(&h, 30);
  harness_expect(h.printed, "ended\ttrue\tJump\ttrue");
  harness_close(&h);
}

static void a_part_of_a_clip_is_left_before_its_own_end(void **state) {
  harness h;
  (void)state;
  run(&h, "hero:play('Idle', { fade = 0 })\n"
          "hero:layer('whole', {})\n"
          "local jump = hero:play('Jump', { layer = 'whole', loop = 'once', from = 0.2, to = 0.8, fade = 0, fade_out = "
          "0.3 })\n"
          "sinew.simulate { seconds = 0.55 }\n"
          "assert(not jump.done)\n"
          "sinew.simulate { seconds = 0.1 }\n"
          "assert(jump.done)\n"
          "assert(jump.clip == 'Jump')\n");
  harness_close(&h);
}

static void a_stopped_action_stays_gone(void **state) {
  harness h;
  (void)state;
  run(&h, "local gone = hero:play('Idle', { fade = 0 })\n"
          "gone:stop(0)\n"
          "sinew.simulate { frames = 1 }\n"
          "for _ = 1, 2100 do\n"
          "  local other = hero:play('Run', { weight = 0.5, fade = 0 })\n"
          "  gone:stop(0)\n"
          "  assert(gone.done and gone ~= other and not other.done)\n"
          "  other:stop(0)\n"
          "end\n");
  harness_close(&h);
}

static void a_heard_seek_causes_what_lies_between(void **state) {
  harness h;
  (void)state;
  run(&h, "man:markers('Walk', { { 0.5, 'step' } })\n"
          "local steps, walk = 0, hero:play('Walk', { speed = 0 })\n"
          "hero:on('step', function() steps = steps + 1 end)\n"
          "sinew.simulate { frames = 20 }\n"
          "walk:seek(0.7)\n"
          "sinew.simulate { frames = 2 }\n"
          "assert(steps == 0 and walk.time == 0.7)\n"
          "walk:seek(0.2, true)\n"
          "sinew.simulate { frames = 2 }\n"
          "assert(steps == 1 and walk.time == 0.2)\n"
          "walk:seek(99)\n"
          "assert(walk.time == walk.duration)\n");
  harness_close(&h);
}

static void a_phase_is_a_share_of_the_clip(void **state) {
  harness h;
  (void)state;
  run(&h, "local walk = hero:play('Walk', { speed = 0 })\n"
          "walk.phase = 0.25\n"
          "sinew.simulate { frames = 1 }\n"
          "assert(math.abs(walk.time - 0.25 * walk.duration) < 1e-9 and math.abs(walk.phase - 0.25) < 1e-9)\n"
          "walk.phase = 7\n"
          "assert(walk.phase == 1 and walk.time == walk.duration)\n"
          "walk.phase = -1\n"
          "assert(walk.phase == 0)\n");
  harness_close(&h);
}

/* A script may poll events instead of handling them: each comes once, and only those of this actor. */
static void what_has_happened_can_be_asked(void **state) {
  harness h;
  (void)state;
  run(&h, "man:markers('Walk', { { 0.5, 'step', data = 'left' } })\n"
          "local other, heard, asked, datum = sinew.actor('other', man), 0, 0\n"
          "other:play('Walk', { fade = 0, speed = 3 })\n"
          "local walk = hero:play('Walk', { fade = 0 })\n"
          "hero:on('*', function() heard = heard + 1 end)\n"
          "for _ = 1, 200 do\n"
          "  sinew.simulate { frames = 1 }\n"
          "  for _, event in ipairs(hero:events()) do\n"
          "    asked = asked + 1\n"
          "    assert(event.actor == hero and event.action == walk and event.clip == 'Walk')\n"
          "    if event.name == 'step' then datum = event.data end\n"
          "  end\n"
          "end\n"
          "assert(asked == heard and asked >= 5 and datum == 'left', asked .. ' of ' .. heard)\n");
  harness_close(&h);
}

static void a_layer_fades_and_takes_another_mask_without_a_jump(void **state) {
  harness h;
  (void)state;
  run(&h, "hero:play('Idle', { fade = 0, speed = 0 })\n"
          "local arm = hero:layer('arm', { mask = { ['RightShoulder/**'] = 1 }, weight = 0 })\n"
          "arm:play('Wave', { fade = 0, time = 1.2, speed = 0 })\n"
          "local function hand() return hero:joint 'RightHand' end\n"
          "local function leap(before)\n"
          "  local d = hand() - before\n"
          "  return math.sqrt(d.x * d.x + d.y * d.y + d.z * d.z)\n"
          "end\n"
          "sinew.simulate { frames = 2 }\n"
          "local rest, most, whole = hand(), 0, 0\n"
          "arm:fade(1, 0.5)\n"
          "for i = 1, 30 do\n"
          "  local before = hand()\n"
          "  sinew.simulate { frames = 1 }\n"
          "  most = math.max(most, leap(before))\n"
          "end\n"
          "whole = leap(rest)\n"
          "assert(arm.weight == 1 and whole > 0.3 and most < whole / 8, most .. ' of ' .. whole)\n"
          "local up = hand()\n"
          "arm:set_mask({ ['LeftShoulder/**'] = 1 }, 0.5)\n"
          "for i = 1, 40 do\n"
          "  local before = hand()\n"
          "  sinew.simulate { frames = 1 }\n"
          "  assert(leap(before) < whole / 8)\n"
          "end\n"
          "assert(leap(rest) < 0.01, 'the right arm is free again')\n");
  harness_close(&h);
}

/* The hand is where half of the way from each reference to the wave takes it, as poses say it. */
static void an_additive_layer_adds_what_its_clip_has_beyond_a_reference(void **state) {
  harness h;
  (void)state;
  run(&h, "hero:play('Idle', { fade = 0, speed = 0 })\n"
          "local idle, wave = man:sample('Idle', 0), man:sample('Wave', 1.2)\n"
          "local layer\n"
          "local function hand(reference, from)\n"
          "  layer = hero:layer('add', { mode = 'additive', weight = 0.5, reference = reference })\n"
          "  layer:play('Wave', { fade = 0, time = 1.2, speed = 0 })\n"
          "  sinew.simulate { frames = 2 }\n"
          "  local apart = hero:pose():compare(idle:add(wave, from, 0.5))\n"
          "  assert(apart < 1e-5, apart)\n"
          "  return hero:joint 'RightHand'\n"
          "end\n"
          "local seen = {}\n"
          "for _, case in ipairs {\n"
          "  { nil, man:sample('Wave', 0) },\n"
          "  { 'Run', man:sample('Run', 0) },\n"
          "  { { clip = 'Run', time = 0.3 }, man:sample('Run', 0.3) },\n"
          "  { idle:blend(man:sample('Jump', 0.4), 0.5), idle:blend(man:sample('Jump', 0.4), 0.5) },\n"
          "} do\n"
          "  local place = tostring(hand(case[1], case[2]))\n"
          "  assert(not seen[place])\n"
          "  seen[place] = true\n"
          "end\n"
          "local function refused(reference, words)\n"
          "  local fine, message = pcall(hand, reference)\n"
          "  assert(not fine and message:find(words, 1, true), message)\n"
          "end\n"
          "refused('Rum', \"did you mean 'Run'\")\n"
          "refused({ time = 1 }, 'names no clip')\n"
          "refused({ clip = 'Run', tme = 1 }, \"did you mean 'time'\")\n"
          "refused(sinew.model('brawler.glb'):rest(), 'of another model')\n"
          "refused(7.5, 'reference')\n");
  harness_close(&h);
}

#define BREATH(reference)                                                                                              \
  PREFIX "hero:layer('breath', { mode = 'additive', reference = " reference " }):play('Wave', { speed = 0 })\n"

/* It is compared by value, changes without a jump, and the layer goes on meanwhile. */
static void a_reference_survives_a_save_and_may_change_with_it(void **state) {
  static const char *const texts[] = {BREATH("man:sample('Run', 0.2)"), BREATH("{ clip = 'Run', time = 0.3 }"),
                                      BREATH("'Idle'")};
  static const sinew_reference_kind kinds[] = {SINEW_REFERENCE_POSE, SINEW_REFERENCE_CLIP, SINEW_REFERENCE_CLIP};
  harness h;
  (void)state;
  harness_open(&h, texts[0]);
  for (int i = 0; i < 6; i++) {
    sinew_stage *stage = sinew_host_stage(h.host);
    sinew_actor hero = sinew_scene_find_actor(h.scene, "hero");
    int layer = sinew_actor_find_layer(stage, hero, "breath");
    sinew_action action = sinew_actor_action(stage, hero, layer, 0);
    harness_step(&h, 20);
    assert_int_equal(sinew_actor_layer(stage, hero, layer).reference.kind, kinds[i / 2]);
    if (i % 2) harness_expect(sinew_scene_summary(h.scene), "nothing declared has changed");
    if (!harness_reload(&h, texts[(i + 1) / 2 % 3])) fail_msg("%s", h.error.message);
    if (i % 2) harness_expect(sinew_scene_summary(h.scene), "hero breath: reference");
    assert_true(sinew_action_is_valid(stage, action));
  }
  harness_close(&h);
}

/* Spine, Spine1 and Spine2 carry a third, two thirds, all: the layer turns them by so much and no more. */
static void a_layer_says_how_its_clips_play(void **state) {
  harness h;
  (void)state;
  run(&h,
      "local arm = hero:layer('arm', { play = { loop = 'once', fade = 0.1, fade_out = 0.25, speed = 2 } })\n"
      "local body = hero:layer 'arm'\n"
      "function sinew.test()\n"
      "  hero:play('Idle', { fade = 0 })\n"
      "  local wave = arm:play 'Wave'\n"
      "  assert(wave.speed == 2 and wave.loop == 'once')\n"
      "  local slow = body:play('Wave', { speed = 0.5 })\n"
      "  assert(slow.speed == 0.5 and slow.loop == 'once')\n"
      "  local other = hero:play('Wave', { layer = 'arm', loop = 'forever' })\n"
      "  assert(other.speed == 2 and other.loop == 'forever')\n"
      "  assert(hero:play('Wave').speed == 1 and hero:play('Wave').loop == 'forever')\n"
      "  local last = arm:play 'Wave'\n"
      "  local frames = 0\n"
      "  while not last.done do frames = frames + 1 sinew.simulate { frames = 1 } end\n"
      "  assert(math.abs(frames - 60 * last.duration / 2) <= 2, frames)\n" /* it fades out as it ends, and is gone */
      "  for bad, reason in pairs { ['layer = \"base\"'] = 'it is this one', ['fades = 1'] = \"no option 'fades'\",\n"
      "    ['fade = \"x\"'] = 'play' } do\n"
      "    local fine, message = pcall(hero.layer, hero, 'x', { play = load('return { ' .. bad .. ' }')() })\n"
      "    assert(not fine and message:find(reason, 1, true), message)\n"
      "  end\n"
      "end\n");
  if (!sinew_scene_test(h.scene, NULL, &h.error)) fail_msg("%s", h.error.message);
  harness_close(&h);
}

static void a_mask_may_grow_from_joint_to_joint(void **state) {
  harness h;
  (void)state;
  run(&h, "local function top(mask)\n"
          "  hero:layer('upper', { mask = mask }):play('Run', { fade = 0, time = 0.3, speed = 0 })\n"
          "  sinew.simulate { frames = 40 }\n"
          "  return hero:joint 'Head'\n"
          "end\n"
          "hero:play('Idle', { fade = 0, speed = 0 })\n"
          "local list = top { ['Spine/**'] = { 0.25, 0.5, 1 } }\n"
          "local names = top { ['Spine/**'] = 1, Spine = 0.25, Spine1 = 0.5 }\n"
          "local all = top { ['Spine/**'] = 1 }\n"
          "assert(tostring(list) == tostring(names) and tostring(list) ~= tostring(all))\n"
          "assert(not pcall(top, { ['Spine/**'] = { 0.5, 2 } }))\n"
          "assert(not pcall(top, { ['Spine/**'] = {} }))\n");
  harness_close(&h);
}

/* Our hero's walk has each foot down for a little more than half of the time, one after the other. */
static void steps_are_found_in_a_clip(void **state) {
  harness h;
  (void)state;
  run(&h, "for _, clip in ipairs { 'Walk', 'WalkRoot', 'Run' } do\n"
          "  local steps = man:find_steps(clip, { LeftToeBase = 'left', RightToeBase = 'right' })\n"
          "  assert(#steps == 2, clip .. ' has ' .. #steps)\n"
          "  assert(steps[1][2] ~= steps[2][2] and steps[1].sync and steps[1].data:find 'Toe')\n"
          "  local share = (steps[2][1] - steps[1][1]) / man:duration(clip)\n"
          "  assert(math.abs(share - 0.5) < 0.03, clip .. ': ' .. share)\n"
          "  man:markers(clip, steps)\n"
          "end\n"
          "local fine, message = pcall(man.find_steps, man, 'Walk', { LeftToeBas = 'left' })\n"
          "assert(not fine and message:find 'LeftToeBase', message)\n"
          "assert(not pcall(man.find_steps, man, 'Walk', {}))\n");
  harness_close(&h);
}

static void an_error_in_a_task_ends_that_one_alone(void **state) {
  harness h;
  (void)state;
  harness_open(&h, PREFIX "task.run(function() task.wait(0.1) error 'this one fails' end)\n"
                          "task.every(0.1, function() print 'beat' end)\n"
                          "function sinew.update() if sinew.frame == 16 then print 'updated' end end\n");
  harness_step(&h, 31);
  harness_expect(sinew_scene_problem(h.scene), "this one fails");
  harness_expect(h.printed, "beat\nbeat\nupdated\nbeat\nbeat\n");
  harness_close(&h);
}

static void a_repeated_error_is_counted(void **state) {
  harness h;
  (void)state;
  harness_open(&h, PREFIX "function sinew.update() sinew.report 'it is dark' end\n");
  harness_step(&h, 12);
  bool found = false;
  for (int slot = 0; slot < 12; slot++) {
    const char *text = sinew_host_problem(h.host, slot);
    found = found || (text && strstr(text, "it is dark (12 times)"));
  }
  assert_true(found);
  harness_expect(sinew_scene_problem(h.scene), "it is dark");
  harness_close(&h);
}

/* A save ends what ran, and what the top level starts begins again: never two of one. */
static void a_save_does_not_double_a_task(void **state) {
  static const char scene[] = PREFIX "task.every(0.5, function() print 'beat' end)\n";
  harness h;
  (void)state;
  harness_open(&h, scene);
  harness_step(&h, 5);
  for (int i = 0; i < 3; i++) assert_true(harness_reload(&h, scene));
  h.printed[0] = 0;
  harness_step(&h, 31);
  assert_string_equal(h.printed, "beat\n");
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_event_names_the_action_that_caused_it),
      cmocka_unit_test(a_part_of_a_clip_is_left_before_its_own_end),
      cmocka_unit_test(a_stopped_action_stays_gone),
      cmocka_unit_test(a_heard_seek_causes_what_lies_between),
      cmocka_unit_test(a_phase_is_a_share_of_the_clip),
      cmocka_unit_test(what_has_happened_can_be_asked),
      cmocka_unit_test(a_layer_fades_and_takes_another_mask_without_a_jump),
      cmocka_unit_test(an_additive_layer_adds_what_its_clip_has_beyond_a_reference),
      cmocka_unit_test(a_reference_survives_a_save_and_may_change_with_it),
      cmocka_unit_test(a_layer_says_how_its_clips_play),
      cmocka_unit_test(a_mask_may_grow_from_joint_to_joint),
      cmocka_unit_test(steps_are_found_in_a_clip),
      cmocka_unit_test(an_error_in_a_task_ends_that_one_alone),
      cmocka_unit_test(a_repeated_error_is_counted),
      cmocka_unit_test(a_save_does_not_double_a_task),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
