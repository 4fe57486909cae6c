/* Modifiers from scripts: what they do to joints, and what is refused. */
#include "harness.h"

#include <sinew/actor_modifiers.h>

#define PREFIX                                                                                                         \
  "local sinew = require 'sinew'\n"                                                                                    \
  "local man = sinew.model 'hero.glb'\n"                                                                               \
  "local hero = sinew.actor('hero', man, { position = { 1, 0, 2 } })\n"

static sinew_stage *stage_of(const harness *h) { return sinew_host_stage(h->host); }
static sinew_actor actor_of(const harness *h) { return sinew_scene_find_actor(h->scene, "hero"); }

/* A joint's matrix in the world. */
static sinew_mat3x4 world_matrix(const harness *h, const char *name) {
  const sinew_stage *stage = stage_of(h);
  sinew_actor actor = actor_of(h);
  sinew_transform position = sinew_actor_transform(stage, actor);
  sinew_mat3x4 matrix = sinew_mat3x4_from_transform(&position);
  int joint = sinew_model_find_joint(sinew_actor_model(stage, actor), name);
  assert_true(joint >= 0);
  return sinew_mat3x4_multiply(&matrix, sinew_actor_joints(stage, actor) + joint);
}

static sinew_vec3 place_of(const harness *h, const char *name) {
  sinew_mat3x4 m = world_matrix(h, name);
  return (sinew_vec3){m.m[3], m.m[7], m.m[11]};
}

static double distance(sinew_vec3 a, sinew_vec3 b) {
  return sqrt(pow((double)a.x - b.x, 2) + pow((double)a.y - b.y, 2) + pow((double)a.z - b.z, 2));
}

static float miss_of(const harness *h, const char *name) {
  const sinew_stage *stage = sinew_host_stage(h->host);
  return sinew_actor_reach_error(stage, actor_of(h), sinew_actor_find_modifier(stage, actor_of(h), name));
}

/* ---- effects ---- */

static void a_hand_comes_to_its_target_and_says_what_it_misses(void **state) {
  static harness h;
  (void)state;
  harness_open(&h,
               PREFIX "hero:set_modifiers { sinew.ik { 'reach', tip = 'RightHand', target = { 0.8, 1.2, 2.35 } } }\n"
                      "sinew.on('key_pressed', function()\n"
                      "  print('miss', hero.modifiers.reach.reach_error < 0.002)\n"
                      "  hero.modifiers.reach.target = { 0.8, 1.2, 9 }\n"
                      "end)\n");
  harness_step(&h, 2);
  assert_true(distance(place_of(&h, "RightHand"), (sinew_vec3){0.8f, 1.2f, 2.35f}) < 0.002);
  harness_key(&h, "m");
  harness_expect(h.printed, "miss\ttrue");
  harness_step(&h, 1);
  assert_true(miss_of(&h, "reach") > 5);
  harness_close(&h);
}

/* The head looks along its +z at rest, so along the model's. */
/* Until there is a target, and again where there is none any more, joints are where the clips have them. */
static void without_a_target_nothing_is_reached_for(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX "hero:set_modifiers {\n"
                          "  sinew.ik { 'reach', tip = 'RightHand' },\n"
                          "  sinew.look_at { 'look', chain = { 'Neck', 'Head' } },\n"
                          "  sinew.chain { 'tail', root = 'Ponytail1', tip = 'Ponytail4' },\n"
                          "}\n");
  harness_step(&h, 2);
  sinew_vec3 hand = place_of(&h, "RightHand"), tail = place_of(&h, "Ponytail4");
  assert_true(harness_reload(&h, PREFIX));
  harness_step(&h, 60);
  assert_true(distance(hand, place_of(&h, "RightHand")) < 1e-5);
  assert_true(distance(tail, place_of(&h, "Ponytail4")) < 1e-5);
  harness_close(&h);
}

static void a_target_may_come_and_go(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX "hero:set_modifiers { sinew.ik { 'reach', tip = 'RightHand' } }\n"
                          "sinew.on('key_pressed', function(key)\n"
                          "  print('target', hero.modifiers.reach.target)\n"
                          "  hero.modifiers.reach.target = key == 't' and { 0.8, 1.2, 2.35 } or nil\n"
                          "end)\n");
  harness_step(&h, 2);
  sinew_vec3 hand = place_of(&h, "RightHand");
  harness_key(&h, "t");
  harness_expect(h.printed, "target\tnil");
  harness_step(&h, 2);
  assert_true(distance(place_of(&h, "RightHand"), (sinew_vec3){0.8f, 1.2f, 2.35f}) < 0.002);
  harness_key(&h, "n");
  harness_step(&h, 1);
  assert_true(distance(hand, place_of(&h, "RightHand")) < 1e-5);
  harness_close(&h);
}

static void a_head_looks_at_a_point_up_to_its_limit(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX
               "hero:set_modifiers { sinew.look_at { 'look', chain = { 'Spine2', 'Neck', 'Head' }, limit = 1 } }\n"
               "hero.modifiers.look.target = { 3, 1.5, 4 }\n"
               "sinew.on('key_pressed', function() hero.modifiers.look.target = { 9, 1.5, 1 } end)\n");
  sinew_vec3 rest = {0, 0, 1};
  harness_step(&h, 60);
  sinew_mat3x4 m = world_matrix(&h, "Head");
  double x = 3 - (double)m.m[3], y = 1.5 - (double)m.m[7], z = 4 - (double)m.m[11],
         length = sqrt(x * x + y * y + z * z);
  assert_true(((double)m.m[2] * x + (double)m.m[6] * y + (double)m.m[10] * z) / length > 0.999);
  harness_key(&h, "m");
  harness_step(&h, 60);
  m = world_matrix(&h, "Head"); /* asked to turn by 97 degrees */
  double angle = acos((double)(m.m[2] * rest.x + m.m[6] * rest.y + m.m[10] * rest.z));
  assert_true(angle > 0.9 && angle < 1.01);
  harness_close(&h);
}

static void a_target_may_be_a_joint_that_moves(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX "local pal = sinew.actor('pal', man, { position = { 0.75, -0.25, 2 } })\n"
                          "hero:set_modifiers { sinew.ik { 'reach', tip = 'LeftHand', weight = 0 } }\n"
                          "local reach = hero.modifiers.reach\n"
                          "reach.weight, reach.target = 1, { pal, 'Head' }\n"
                          "function sinew.update(dt) pal.position = pal.position + sinew.vec3(0.1, 0, 0) * dt end\n");
  sinew_vec3 before = {0, 0, 0};
  for (int i = 0; i < 60; i++) {
    harness_step(&h, 1);
    sinew_vec3 hand = place_of(&h, "LeftHand");
    assert_true((double)miss_of(&h, "reach") < 0.01);
    if (i > 1) assert_true(fabs((double)hand.x - (double)before.x - 0.1 / 60) < 1e-3);
    before = hand;
  }
  harness_close(&h);
}

/* In a load they are shown with both names; later the call raises, and nothing has changed. */
static void two_that_aim_at_each_other_are_refused(void **state) {
  static harness h;
  (void)state;
  harness_open(&h,
               PREFIX "local pal = sinew.actor('pal', man, { position = { 0.75, 0, 2 } })\n"
                      "hero:set_modifiers { sinew.look_at { 'look', chain = { 'Head' }, target = { pal, 'Head' } } }\n"
                      "pal:set_modifiers { sinew.look_at { 'look', chain = { 'Head' }, target = { hero, 'Head' } } }\n"
                      "function sinew.key_pressed()\n"
                      "  local fine, why = pcall(function() pal.modifiers.look.target = { hero, 'Head' } end)\n"
                      "  print(fine, why)\n"
                      "  pal.modifiers.look.target = { 0, 1, 9 }\n"
                      "  hero.modifiers.look.target = { hero, 'LeftHand' }\n"
                      "  pal.modifiers.look.target = { hero, 'Head' }\n"
                      "end\n");
  harness_step(&h, 2);
  harness_expect(sinew_scene_problem(h.scene),
                 "scene.lua:6: the modifier 'look' of 'pal' cannot aim at a joint of 'hero'");
  harness_key(&h, "x");
  harness_expect(h.printed, "false\t");
  harness_expect(h.printed, "cannot aim at a joint of 'hero', which itself waits for 'pal'");
  harness_step(&h, 2);
  harness_close(&h);
}

/* The hero stands at z = 2 on a slope of 1 in 5 across: the ground under a foot is 0.2 (x − 1). */
static void feet_stand_on_the_ground_that_a_function_gives(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX
               "hero:set_modifiers { sinew.plant { 'feet', pelvis = 'Hips', feet = { 'LeftFoot', 'RightFoot' },\n"
               "  ground = function(x, z) return 0.2 * (x - 1), sinew.vec3(-0.2, 1, 0) end } }\n"
               "hero.modifiers.feet.weight = 0\n"
               "sinew.on('key_pressed', function() hero.modifiers.feet.weight = 1 end)\n");
  harness_step(&h, 2);
  sinew_vec3 left = place_of(&h, "LeftFoot"), right = place_of(&h, "RightFoot"), hips = place_of(&h, "Hips");
  harness_key(&h, "m");
  harness_step(&h, 2);
  sinew_vec3 left_now = place_of(&h, "LeftFoot"), right_now = place_of(&h, "RightFoot");
  assert_true(fabs((double)left_now.y - (double)left.y - 0.2 * ((double)left.x - 1)) < 0.003);
  assert_true(fabs((double)right_now.y - (double)right.y - 0.2 * ((double)right.x - 1)) < 0.003);
  assert_true(left.x > 1.05f && right.x < 0.95f);
  assert_true(place_of(&h, "Hips").y < hips.y - 0.01f);
  harness_close(&h);
}

static void a_tail_stays_behind_and_a_chain_reaches(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX
               "hero:set_modifiers {\n"
               "  sinew.spring { 'tail', joints = { 'Ponytail1/**' }, gravity = { 0, 0, 0 } },\n"
               "  sinew.chain { 'feel', root = 'LeftShoulder', tip = 'LeftHand', target = { 1.3, 1.2, 2.3 } },\n"
               "}\n"
               "sinew.on('key_pressed', function() hero.position = hero.position + sinew.vec3(0, 0, 0.2) end)\n");
  harness_step(&h, 60);
  assert_true(distance(place_of(&h, "LeftHand"), (sinew_vec3){1.3f, 1.2f, 2.3f}) < 0.002);
  double tail = (double)place_of(&h, "Ponytail4").z - (double)place_of(&h, "Head").z;
  harness_key(&h, "m");
  harness_step(&h, 1);
  assert_true((double)place_of(&h, "Ponytail4").z - (double)place_of(&h, "Head").z < tail - 0.05);
  harness_step(&h, 240);
  assert_true(fabs((double)place_of(&h, "Ponytail4").z - (double)place_of(&h, "Head").z - tail) < 0.001);
  harness_close(&h);
}

static void limits_hold_and_helpers_follow(void **state) {
  static harness h;
  (void)state;
  harness_open(&h,
               PREFIX "hero:set_modifiers {\n"
                      "  sinew.modifier { 'bend', function(pose) pose:rotate('LeftForeArm', 'y', -1.2) end },\n"
                      "  sinew.twist { 'elbow', joint = 'LeftForeArmHalf', source = 'LeftForeArm', fraction = 0.5 },\n"
                      "  sinew.limit { 'stiff', joint = 'RightArm', swing = 0.01, twist_min = 0, twist_max = 0 },\n"
                      "  sinew.copy_transform { 'hold', joint = 'RightHand', source = 'Head', parts = 'position',\n"
                      "               offset = { position = { 0, 0.3, 0 } } },\n"
                      "}\n"
                      "hero:play 'Walk'\n");
  harness_step(&h, 60);
  const sinew_stage *stage = stage_of(&h);
  const sinew_model *model = sinew_actor_model(stage, actor_of(&h));
  sinew_pose pose = sinew_actor_pose(stage, actor_of(&h));
  int fore = sinew_model_find_joint(model, "LeftForeArm"), half = sinew_model_find_joint(model, "LeftForeArmHalf");
  int arm = sinew_model_find_joint(model, "RightArm");
  sinew_quat rest = sinew_model_joint_rest(model, fore).rotation, now = sinew_pose_joint(&pose, fore).rotation;
  sinew_quat half_rest = sinew_model_joint_rest(model, half).rotation,
             half_now = sinew_pose_joint(&pose, half).rotation;
  double whole = 2 * acos(fabs((double)(rest.x * now.x + rest.y * now.y + rest.z * now.z + rest.w * now.w)));
  double part = 2 * acos(fabs((double)(half_rest.x * half_now.x + half_rest.y * half_now.y + half_rest.z * half_now.z +
                                       half_rest.w * half_now.w)));
  assert_true(whole > 0.8 && fabs(part - whole / 2) < 0.01);
  rest = sinew_model_joint_rest(model, arm).rotation;
  now = sinew_pose_joint(&pose, arm).rotation;
  assert_true(fabs((double)(rest.x * now.x + rest.y * now.y + rest.z * now.z + rest.w * now.w)) > cos(0.0055));
  sinew_mat3x4 head = world_matrix(&h, "Head");
  sinew_vec3 held = sinew_mat3x4_transform_point(&head, (sinew_vec3){0, 0.3f, 0});
  assert_true(distance(place_of(&h, "RightHand"), held) < 1e-4);
  harness_close(&h);
}

/* ---- functions ---- */

static void a_function_has_every_joint_in_both_spaces(void **state) {
  static harness h;
  (void)state;
  harness_open(
      &h, PREFIX
      "local function near(a, b) for i = 1, #a do if math.abs(a[i] - b[i]) > 1e-4 then return false end end return "
      "true end\n"
      "hero:set_modifiers { sinew.modifier { 'all', function(pose, actor, dt)\n"
      "  assert(actor == hero and dt > 0.016 and dt < 0.017 and pose.count == #man:joints())\n"
      "  local before = pose:get('Head', 'model')\n"
      "  pose:rotate('Neck', 'y', 0.5, 'model')\n"
      "  assert(not near(pose:get('Head', 'model').rotation, before.rotation), 'children follow')\n"
      "  pose:rotate('Neck', { 0, 1, 0 }, -0.5, 'model')\n"
      "  assert(near(pose:get('Head', 'model').rotation, before.rotation))\n"
      "  before.position = before.position + { 0.1, 0.2, 0.3 }\n"
      "  pose:set('Head', before, 'model')\n"
      "  assert(near(pose:get('Head', 'model').position, before.position))\n"
      "  pose:set(1, { position = { 1, 2, 3 } })\n"
      "  assert(near(pose:get(1).position, { 1, 2, 3 }) and near(pose:get(man:joints()[1]).position, { 1, 2, 3 }))\n"
      "  print 'through'\n"
      "end } }\n");
  harness_step(&h, 2);
  if (sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
  harness_expect(h.printed, "through\nthrough\n");
  harness_close(&h);
}

static void all_joints_at_once_leave_no_garbage(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX "local buffer, frames = {}, 0\n"
                          "hero:set_modifiers { sinew.modifier { 'bulk', function(pose)\n"
                          "  frames = frames + 1\n"
                          "  pose:read(buffer)\n"
                          "  assert(#buffer == pose.count * 10)\n"
                          "  buffer[2] = buffer[2] + 0.5\n"
                          "  pose:write(buffer)\n"
                          "  local before = collectgarbage 'count'\n"
                          "  for i = 1, 100 do pose:write(pose:read(buffer)) end\n"
                          "  if frames > 1 then assert(collectgarbage 'count' - before < 1) end\n"
                          "end } }\n");
  harness_step(&h, 3);
  if (sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
  const sinew_model *model = sinew_actor_model(stage_of(&h), actor_of(&h));
  sinew_pose pose = sinew_actor_pose(stage_of(&h), actor_of(&h));
  double raised = (double)sinew_pose_joint(&pose, 1).translation.y;
  assert_true(fabs(raised - (double)sinew_model_joint_rest(model, 1).translation.y - 0.5) < 1e-5);
  harness_close(&h);
}

/* Found by their names over and over they are the same objects, until their actor has others. */
static void modifiers_are_found_without_garbage(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX "hero:set_modifiers { sinew.look_at { 'look', chain = { 'Head' } } }\n"
                          "local look = hero.modifiers.look\n"
                          "function sinew.update()\n"
                          "  assert(hero.modifiers == hero.modifiers and hero.modifiers.look == look)\n"
                          "  local before = collectgarbage 'count'\n"
                          "  for i = 1, 100 do hero.modifiers.look.weight = 0.5 end\n"
                          "  if sinew.frame > 2 then assert(collectgarbage 'count' - before < 1) end\n"
                          "end\n"
                          "function sinew.key_pressed()\n"
                          "  hero:set_modifiers {}\n"
                          "  assert(not pcall(function() return hero.modifiers.look end))\n"
                          "  sinew.update = nil\n"
                          "  print 'gone'\n"
                          "end\n");
  harness_step(&h, 5);
  harness_key(&h, "x");
  if (sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
  harness_expect(h.printed, "gone");
  harness_close(&h);
}

static void a_functions_weight_is_how_much_of_it_counts(void **state) {
  static harness h;
  (void)state;
  harness_open(
      &h,
      PREFIX "hero:set_modifiers { sinew.modifier { 'up', function(pose) pose:set(1, { position = { 0, 1, 0 } }) end,\n"
             "  weight = 0.25 } }\n");
  harness_step(&h, 2);
  const sinew_model *model = sinew_actor_model(stage_of(&h), actor_of(&h));
  sinew_pose pose = sinew_actor_pose(stage_of(&h), actor_of(&h));
  double rest = (double)sinew_model_joint_rest(model, 1).translation.y;
  assert_true(fabs((double)sinew_pose_joint(&pose, 1).translation.y - (0.75 * rest + 0.25)) < 1e-5);
  harness_close(&h);
}

static const char *const failing = PREFIX
    "local calls = 0\n"
    "hero:set_modifiers {\n"
    "  sinew.modifier { 'bad', function(pose) calls = calls + 1; pose:rotate('Head', 'y', 1); error 'oops' end },\n"
    "  sinew.modifier { 'good', function(pose) pose:rotate('Neck', 'y', 0.3) end },\n"
    "}\n"
    "sinew.on('key_pressed', function() print('calls', calls) end)\n";

static void a_function_that_fails_is_shown_and_called_no_more_and_others_are(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, failing);
  harness_step(&h, 10);
  harness_expect(sinew_scene_problem(h.scene), "oops");
  harness_key(&h, "m");
  harness_expect(h.printed, "calls\t1\n");
  const sinew_model *model = sinew_actor_model(stage_of(&h), actor_of(&h));
  sinew_pose pose = sinew_actor_pose(stage_of(&h), actor_of(&h));
  int head = sinew_model_find_joint(model, "Head"), neck = sinew_model_find_joint(model, "Neck");
  assert_true(
      fabs((double)(sinew_pose_joint(&pose, head).rotation.y - sinew_model_joint_rest(model, head).rotation.y)) < 1e-5);
  assert_true(
      fabs((double)(sinew_pose_joint(&pose, neck).rotation.y - sinew_model_joint_rest(model, neck).rotation.y)) > 0.1);
  assert_true(harness_reload(&h, failing));
  assert_null(sinew_scene_problem(h.scene));
  harness_step(&h, 2);
  harness_expect(sinew_scene_problem(h.scene), "oops");
  harness_close(&h);
}

static void says(const char *body, const char *reason) {
  static harness h;
  char text[2048];
  snprintf(text, sizeof text, PREFIX "hero:set_modifiers { sinew.modifier { 'f', function(pose)\n%s\nend } }\n", body);
  harness_open(&h, text);
  harness_step(&h, 3);
  harness_expect(sinew_scene_problem(h.scene), reason);
  harness_close(&h);
}

static void a_function_changes_nothing_but_poses(void **state) {
  (void)state;
  says("sinew.actor('other', man)", "the stage is being updated");
  says("hero:play 'Walk'", "actor:play: the stage is being updated; do it in update() or in an event handler");
  says("hero:layer('x', {})", "the stage is being updated");
  says("hero:set_graph 'Walk'", "the stage is being updated");
  says("hero:set_modifiers {}", "the stage is being updated");
  says("sinew.model 'hero.glb'", "the stage is being updated");
  says("pose:rotate('Haed', 'y', 1)", "did you mean 'Head'");
  says("pose:rotate('Head', 'q', 1)", "an axis is");
  says("pose:rotate('Head', 'y', 0/0)", "a finite number");
  says("pose:get(9999)", "no joint 9999 in hero.glb: they have names, or numbers from 1 to ");
  says("pose:get(0)", "no joint 0 in hero.glb");
  says("pose:set('Head', { postion = { 0, 0, 0 } })", "did you mean 'position'");
  says("pose:set('Head', { position = { 0, 0, 1e400 } })", "three finite numbers");
  says("pose:write { 1, 2, 3 }", "not a finite number");
  says("pose:get('Head', 'world')", "\"local\" or \"model\"");
}

static void a_pose_that_is_over_says_so(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX "local held\n"
                          "hero:set_modifiers { sinew.modifier { 'f', function(pose) held = pose end } }\n"
                          "function sinew.update() if held then held:rotate('Head', 'y', 1) end end\n");
  harness_step(&h, 3);
  harness_expect(sinew_scene_problem(h.scene), "was valid only while the function of a modifier ran");
  harness_close(&h);
}

/* ---- mistakes ---- */

static void refused(const char *text, const char *reason) { harness_refused(PREFIX, text, reason); }

static void what_cannot_be_is_refused_with_the_reason(void **state) {
  (void)state;
  refused("hero:set_modifiers { sinew.ik { 'a', tip = 'RihgtHand' } }", "did you mean 'RightHand'");
  refused("hero:set_modifiers { sinew.ik { 'a', tpi = 'RightHand' } }", "did you mean 'tip'");
  refused("hero:set_modifiers { sinew.ik { 'a' } }", "it needs tip");
  refused("hero:set_modifiers { sinew.ik { tip = 'RightHand' } }", "its name comes first");
  refused("hero:set_modifiers { sinew.ik { 'a', tip = 'Hero' } }", "no two joints above it");
  refused("hero:set_modifiers { sinew.ik { 'a', tip = 'RightHand', upper = 'LeftArm' } }",
          "the modifier 'a' is not valid");
  refused("hero:set_modifiers { sinew.ik { 'a', tip = 'RightHand', soften = 7 } }", "the modifier 'a' is not valid");
  refused("hero:set_modifiers { sinew.ik { 'a', tip = 'RightHand', target = { 'x' } } }", "or { actor, \"joint\" }");
  refused("hero:set_modifiers { sinew.ik { 'a', tip = 'RightHand', target = { hero, 'Haed' } } }",
          "did you mean 'Head'");
  refused("hero:set_modifiers { sinew.look_at { 'a', chain = { 'Nekc' } } }", "did you mean 'Neck'");
  refused("hero:set_modifiers { sinew.look_at { 'a', chain = {} } }", "its chain is empty");
  refused("hero:set_modifiers { sinew.look_at { 'a', chain = { 'Neck', 'Head' }, weights = { 1 } } }",
          "as many weights");
  refused("hero:set_modifiers { sinew.copy_transform { 'a', joint = 'Head', source = 'Neck', parts = 'all' } }",
          "its parts are one or more");
  refused("hero:set_modifiers { sinew.modifier { 'a' } }", "it needs a function");
  refused("hero:set_modifiers { sinew.plant { 'a', feet = {} } }", "it has 1 to 16 feet");
  refused("hero:set_modifiers { {} }", "number 1 is not a modifier");
  refused("hero:set_modifiers { sinew.spring { 'a', joints = { 'Ponytail1' } }, sinew.spring { 'a', joints = { 'Head' "
          "} } }",
          "another modifier of the actor has that name");
  refused("hero:set_modifiers {} hero:set_modifiers {}", "has modifiers already");
  refused("hero:set_modifiers { sinew.spring { 'tail', joints = { 'Ponytail1' } } } hero.modifiers.tial.weight = 1",
          "did you mean 'tail'");
  refused("hero:set_modifiers { sinew.spring { 'tail', joints = { 'Ponytail1' } } } hero.modifiers.tail.wieght = 1",
          "did you mean 'weight'");
  refused(
      "local t = {} for i = 1, 65 do t[i] = sinew.spring { 's' .. i, joints = { 'Head' } } end hero:set_modifiers(t)",
      "64 at most");
}

/* Of each kind: what it needs, and whether it has a target and a pole. */
static const struct {
  const char *text;
  bool target, pole;
} aims[] = {
    {"look_at { 'a', chain = { 'Head' }", true, false},
    {"ik { 'a', tip = 'RightHand'", true, true},
    {"chain { 'a', root = 'LeftShoulder', tip = 'LeftHand'", true, false},
    {"spring { 'a', joints = { 'Ponytail1' }", false, false},
    {"limit { 'a', joint = 'Head'", false, false},
    {"copy_transform { 'a', joint = 'Head', source = 'Neck'", false, false},
    {"twist { 'a', joint = 'LeftUpLeg', source = 'RightUpLeg'", false, false},
    {"plant { 'a', pelvis = 'Hips', feet = { 'LeftFoot', 'RightFoot' }", false, false},
    {"modifier { 'a', function() end", false, false},
};

static void expect_aim(const char *text, const char *value, bool has) {
  static harness h;
  char declared[512], assigned[512], reason[64];
  snprintf(declared, sizeof declared, PREFIX "hero:set_modifiers { sinew.%s, %s = { 0, 1, 2 } } }\n", text, value);
  snprintf(assigned, sizeof assigned,
           PREFIX "hero:set_modifiers { sinew.%s } }\n"
                  "sinew.on('key_pressed', function() hero.modifiers.a.%s = { 0, 1, 2 } end)\n",
           text, value);
  harness_open_host(&h);
  bool loads = harness_load(&h, declared, NULL);
  if (loads != has) fail_msg("%s with %s: %s", text, value, loads ? "not refused" : h.error.message);
  snprintf(reason, sizeof reason, "no option '%s'", value);
  if (!has) harness_expect(h.error.message, reason);
  harness_close(&h);
  harness_open(&h, assigned);
  harness_key(&h, "x");
  snprintf(reason, sizeof reason, "has no %s", value);
  if (has && sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
  if (!has) harness_expect(sinew_scene_problem(h.scene), reason);
  harness_close(&h);
}

static void what_has_no_target_or_pole_refuses_one(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof aims / sizeof *aims; i++) {
    expect_aim(aims[i].text, "target", aims[i].target);
    expect_aim(aims[i].text, "pole", aims[i].pole);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_hand_comes_to_its_target_and_says_what_it_misses),
      cmocka_unit_test(without_a_target_nothing_is_reached_for),
      cmocka_unit_test(a_target_may_come_and_go),
      cmocka_unit_test(a_head_looks_at_a_point_up_to_its_limit),
      cmocka_unit_test(a_target_may_be_a_joint_that_moves),
      cmocka_unit_test(two_that_aim_at_each_other_are_refused),
      cmocka_unit_test(feet_stand_on_the_ground_that_a_function_gives),
      cmocka_unit_test(a_tail_stays_behind_and_a_chain_reaches),
      cmocka_unit_test(limits_hold_and_helpers_follow),
      cmocka_unit_test(a_function_has_every_joint_in_both_spaces),
      cmocka_unit_test(all_joints_at_once_leave_no_garbage),
      cmocka_unit_test(modifiers_are_found_without_garbage),
      cmocka_unit_test(a_functions_weight_is_how_much_of_it_counts),
      cmocka_unit_test(a_function_that_fails_is_shown_and_called_no_more_and_others_are),
      cmocka_unit_test(a_function_changes_nothing_but_poses),
      cmocka_unit_test(a_pose_that_is_over_says_so),
      cmocka_unit_test(what_cannot_be_is_refused_with_the_reason),
      cmocka_unit_test(what_has_no_target_or_pole_refuses_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
