/* Motors and roles, as scenes use them. */
#include "harness.h"

static void expect_test(const char *text) {
  harness h;
  harness_open(&h, text);
  if (!sinew_scene_test(h.scene, NULL, &h.error)) fail_msg("%s", h.error.message);
  harness_close(&h);
}

/* v² / 2b = 2/3 m from 4 m/s with 12 m/s². */
static void a_motor_moves_turns_and_sets_parameters(void **state) {
  (void)state;
  expect_test("local sinew = require 'sinew'\n"
              "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
              "local motor = hero:motor { acceleration = 8, braking = 12, turn_rate = 2 }\n"
              "hero:set_graph(sinew.state_machine { start = 'idle', states = { idle = 'Idle', run = 'Run' },\n"
              "  transitions = { { 'idle', 'run', when = 'wanted > 0.1 and abs(turn) < 2' } } })\n"
              "local function near(a, b) assert(math.abs(a - b) < 1e-3, a .. ' is not ' .. b) end\n"
              "function sinew.test()\n"
              "  motor.velocity = { 0, 0, 4 }\n"
              "  sinew.simulate { seconds = 1 }\n"
              "  assert(hero:state() == 'run')\n"
              "  near(hero.position.z, 4 - 4 * 4 / (2 * 8))\n"
              "  near(hero.params.speed, 4) near(hero.params.ahead, 4) near(hero.params.left, 0)\n"
              "  near(hero.params.to_stop, 4 * 4 / (2 * 12))\n"
              "  local z = hero.position.z\n"
              "  motor.velocity = { 0, 0, 0 }\n"
              "  sinew.simulate { seconds = 1 }\n"
              "  near(hero.position.z - z, 4 * 4 / (2 * 12)) near(hero.params.wanted, 0)\n"
              "  motor.facing = math.pi / 2\n" /* to the left, where x is ahead */
              "  sinew.simulate { frames = 1 }\n"
              "  near(hero.params.turn, math.pi / 2 - 2 / 60)\n" /* what is left after this frame */
              "  sinew.simulate { seconds = 1 }\n"
              "  near(hero.params.turn, 0) near(hero.rotation.y, math.sin(math.pi / 4))\n"
              "  motor.velocity = { 0, 0, 1 }\n" /* which is to its right */
              "  sinew.simulate { seconds = 1 }\n"
              "  near(hero.params.left, -1) near(hero.params.ahead, 0)\n"
              "  motor.facing = nil\n"
              "  sinew.simulate { seconds = 1 }\n"
              "  near(hero.params.ahead, 1) near(hero.rotation.y, 0)\n"
              "  motor.acceleration, motor.braking, motor.velocity = 1e38, 1e38, { 1e30, 0, -1e30 }\n"
              "  sinew.simulate { frames = 5 }\n"
              "  assert(math.abs(hero.position.x) < math.huge and hero.params.speed == hero.params.speed)\n"
              "  assert(not pcall(hero.motor, hero, { braking = 0 }) and not pcall(hero.motor, hero, { brake = 1 }))\n"
              "end\n");
}

static void step(harness *h, const char *text, int frames) {
  if (text) {
    harness_write(h->path, text);
    if (!sinew_scene_reload(h->scene, &h->error)) fail_msg("%s", h->error.message);
  }
  harness_step(h, frames);
}

#define HERO                                                                                                           \
  "local sinew = require 'sinew'\n"                                                                                    \
  "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
#define SAY "  print(string.format('%.3f %.3f', hero.position.z, hero.params.speed))\n"
#define MOTOR(limits)                                                                                                  \
  HERO "local motor = hero:motor { " limits " }\n"                                                                     \
       "function sinew.update()\n  motor.velocity = { 0, 0, 4 }\nend\nfunction sinew.draw()\n" SAY "end\n"

/* After half a second at 8 m/s² it has 4 m/s; a save that changes the braking changes nothing of that. */
static void a_save_keeps_the_stride(void **state) {
  harness h;
  (void)state;
  harness_open(&h, MOTOR("acceleration = 8"));
  step(&h, NULL, 15);
  harness_expect(h.printed, "0.250 2.000\n");
  h.printed[0] = 0;
  step(&h, MOTOR("acceleration = 8, braking = 3"), 15);
  harness_expect(h.printed, "1.000 4.000\n");
  harness_close(&h);
}

static void joints_of_roles_need_not_be_written(void **state) {
  (void)state;
  expect_test("local sinew = require 'sinew'\n"
              "local man = sinew.model 'hero.glb'\n"
              "local hero = sinew.actor('hero', man)\n"
              "local roles = man:roles()\n"
              "assert(roles.root == 'Root' and roles.pelvis == 'Hips' and roles.left_foot == 'LeftFoot')\n"
              "assert(roles.right_ball == 'RightToeBase' and roles.left_hand == 'LeftHand' and roles.head == 'Head')\n"
              "local typed = man:find_steps('Walk', { LeftToeBase = 'left', RightToeBase = 'right' })\n"
              "local found = man:find_steps 'Walk'\n"
              "assert(#found == #typed and #found > 1)\n"
              "for i, step in ipairs(found) do assert(step[1] == typed[i][1] and step[2] == typed[i][2]) end\n"
              "local other = sinew.actor('other', man)\n"
              "local ground = function(x, z) return 0.1 * z end\n"
              "hero:set_modifiers { sinew.plant { 'feet', ground = ground } }\n"
              "other:set_modifiers { sinew.plant { 'feet', pelvis = 'Hips', feet = { 'LeftFoot', 'RightFoot' }, ground "
              "= ground } }\n"
              "hero:root_motion { feet = true } other:root_motion { joint = 'Root',\n"
              "  feet = { 'LeftFoot', 'RightFoot', 'LeftToeBase', 'RightToeBase' } }\n"
              "hero:play 'Walk' other:play 'Walk'\n"
              "function sinew.test()\n"
              "  sinew.simulate { seconds = 1 }\n"
              "  assert(hero.position.z > 0.5, hero.position.z)\n"
              "  for _, joint in ipairs { 'Hips', 'LeftFoot', 'RightFoot' } do\n"
              "    local a, b = hero:joint(joint), other:joint(joint)\n"
              "    assert(a.x == b.x and a.y == b.y and a.z == b.z, joint)\n"
              "  end\n"
              "end\n");
}

/* Turned by a clip: its feet stand, at any frame rate, and the rest is turned when it has ended. The clip takes 1.2 s;
 * by itself the motor would take 0.26. */
static void a_clip_that_turns_says_how_fast(void **state) {
  (void)state;
  expect_test(
      "local sinew = require 'sinew'\n"
      "local machine = require 'sinew.machine'\n"
      "local man = sinew.model('hero.glb', { clips = { 'hero_extra.glb' } })\n"
      "local hero = sinew.actor('hero', man)\n"
      "local motor = hero:motor { turn_rate = 6 }\n"
      "hero:set_graph(machine { start = 'idle', states = { idle = 'Idle', turn = sinew.clip { 'Turn90', match = 'turn' "
      "} },\n"
      "  'idle -> turn: when abs(turn) > 0.9, fade 0.1, inertial', 'turn -> idle: before_end 0.15' })\n"
      "local function yaw() return 2 * math.asin(hero.rotation.y) end\n"
      "function sinew.test()\n"
      "  sinew.simulate { seconds = 0.5 }\n"
      "  motor.facing = 1.4\n"
      "  sinew.simulate { frames = 2 }\n"
      "  assert(hero:state() == 'turn' and yaw() < 0.01, yaw())\n"
      "  sinew.simulate { frames = 8 }\n"
      "  hero:measure { height = 0.03 }\n"
      "  sinew.simulate { frames = 26 }\n"
      "  assert(yaw() > 0.4 and yaw() < 1, yaw())\n"
      "  assert(hero.metrics.slide < 0.08, hero.metrics.slide)\n"
      "  sinew.simulate { seconds = 1 }\n"
      "  assert(hero:state() == 'idle' and math.abs(yaw() - 1.4) < 1e-3, yaw())\n"
      "  motor.facing = 1.9\n" /* too little for the state: at its own rate, from the next frame on */
      "  sinew.simulate { frames = 6 }\n"
      "  assert(math.abs(yaw() - 1.9) < 1e-3, yaw())\n"
      "end\n");
}

/* Asked to go the other way, with a clip for a quarter of a turn: it turns by two of them, each by 1.4 times as much at
 * most, and goes afterwards. A wish that moves away all the time is followed no faster. */
static void who_turns_on_the_spot_goes_afterwards(void **state) {
  (void)state;
  expect_test("local sinew = require 'sinew'\n"
              "local machine = require 'sinew.machine'\n"
              "local man = sinew.model('hero.glb', { clips = { 'hero_extra.glb' } })\n"
              "local hero = sinew.actor('hero', man)\n"
              "local motor = hero:motor { turn_rate = 6 }\n"
              "hero:set_graph(machine { start = 'idle', states = { idle = 'Idle', move = 'Walk', turn = sinew.clip { "
              "'Turn90', match = "
              "'turn' } },\n"
              "  'idle -> turn: when abs(turn) > 0.9, fade 0.1, inertial', 'turn -> idle: before_end 0.15',\n"
              "  'idle -> move: when wanted > 0.1, fade 0.2, inertial', 'move -> idle: when wanted < 0.1, fade 0.2, "
              "inertial' })\n"
              "local function yaw() return 2 * math.atan(hero.rotation.y, hero.rotation.w) end\n"
              "function sinew.test()\n"
              "  sinew.simulate { seconds = 1 }\n"
              "  local turns, x, z = 0, hero.position.x, hero.position.z\n"
              "  motor.velocity = { 1.4 * math.sin(3.1), 0, 1.4 * math.cos(3.1) }\n"
              "  sinew.simulate { frames = 3 }\n"
              "  while hero:state() == 'turn' do\n"
              "    local from = yaw()\n"
              "    while hero:state() == 'turn' do sinew.simulate { frames = 1 } end\n"
              "    turns = turns + 1\n"
              "    local turned = (yaw() - from) % (2 * math.pi)\n"
              "    assert(turned < 1.4 * math.pi / 2 + 0.01, turned)\n"
              "    sinew.simulate { frames = 2 }\n"
              "  end\n"
              "  local far = math.sqrt((hero.position.x - x) ^ 2 + (hero.position.z - z) ^ 2)\n"
              "  assert(turns == 2 and far < 0.03, turns .. ' turns, ' .. far .. ' m')\n"
              "  sinew.simulate { seconds = 1 }\n"
              "  assert(hero:state() == 'move' and math.abs(hero.params.speed - 1.4) < 1e-3)\n"
              "  motor.velocity = { 0, 0, 0 }\n"
              "  sinew.simulate { seconds = 1 }\n"
              "  local from = yaw()\n"
              "  for i = 1, 60 do motor.facing = yaw() + 1.5 sinew.simulate { frames = 1 } end\n"
              "  local turned = (yaw() - from) % (2 * math.pi)\n"
              "  assert(turned > 1 and turned < 1.4 * math.pi / 2 + 0.01, turned)\n"
              "end\n");
}

static void a_model_without_them_asks_for_names(void **state) {
  (void)state;
  expect_test("local sinew = require 'sinew'\n"
              "local box = sinew.build_model { joints = { { name = 'box' } } }\n"
              "local actor = sinew.actor('box', box)\n"
              "function sinew.test()\n"
              "  assert(not next(box:roles()))\n"
              "  local fine, message = pcall(actor.root_motion, actor, {})\n"
              "  assert(not fine and message:find('the root of this model is not known', 1, true), message)\n"
              "  fine, message = pcall(actor.set_modifiers, actor, { sinew.plant { 'feet' } })\n"
              "  assert(not fine and message:find('roles = { left_foot = ', 1, true), message)\n"
              "end\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_motor_moves_turns_and_sets_parameters),
                                     cmocka_unit_test(a_save_keeps_the_stride),
                                     cmocka_unit_test(a_clip_that_turns_says_how_fast),
                                     cmocka_unit_test(who_turns_on_the_spot_goes_afterwards),
                                     cmocka_unit_test(joints_of_roles_need_not_be_written),
                                     cmocka_unit_test(a_model_without_them_asks_for_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
