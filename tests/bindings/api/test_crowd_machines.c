/* Crowds whose members run state machines, from scripts: against actors with the same graph; what a save keeps. */
#include "harness.h"

#include "host/host.h"

#define PREFIX                                                                                                         \
  "local sinew = require 'sinew'\n"                                                                                    \
  "local man = sinew.model 'hero.glb'\n"
/* `name` is what the state that moves is called, `fade` the way there. */
#define MACHINE(name, fade)                                                                                            \
  "sinew.state_machine { start = 'idle', states = { idle = 'Idle', " name " = "                                        \
  "sinew.blend_space_1d { param = 'speed', { 1.4, 'Walk' }, { 3.6, 'Run' } }, hello = sinew.clip { 'Wave', loop = "    \
  "'once' } }, transitions = {\n"                                                                                      \
  "  { 'idle', '" name "', when = 'speed > 0.5', fade = " fade " },\n"                                                 \
  "  { '" name "', 'idle', when = 'speed <= 0.5', fade = 0.2 },\n"                                                     \
  "  { 'idle', 'hello', when = 'greet > 0', fade = 0.15 },\n"                                                          \
  "  { 'hello', 'idle', before_end = 0.2, fade = 0.2 } } }"
#define CROWD(graph)                                                                                                   \
  "local crowd = sinew.crowd(man, 6, { graph = " graph ", params = { speed = 0, greet = 0 } })\n"                      \
  "for i = 1, 6 do crowd:place(i, i, 0, 0) end\n"

static void holds(const char *text, int frames) {
  static harness h;
  char whole[6000];
  snprintf(whole, sizeof whole, PREFIX "%s\n", text);
  harness_open(&h, whole);
  harness_step(&h, frames);
  if (sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
  harness_close(&h);
}

static void members_do_what_actors_do(void **state) {
  (void)state;
  holds(
      CROWD(MACHINE(
          "move", "0.3")) "local twins = {}\n"
                          "for i = 1, 6 do\n"
                          "  twins[i] = sinew.actor('twin ' .. i, man, { position = { i, 0, 0 },\n"
                          "    params = { speed = 0, greet = 0 } })\n"
                          "  twins[i]:set_graph(" MACHINE(
                              "move",
                              "0.3") ")\n"
                                     "end\n"
                                     "local frame, seen = 0, {}\n"
                                     "function sinew.update()\n"
                                     "  for i = 1, 6 do\n"
                                     "    local state = crowd:state(i)\n"
                                     "    assert(frame == 0 or state == twins[i]:state(), i .. ' is in ' .. "
                                     "tostring(state))\n"
                                     "    if state then seen[state] = true end\n"
                                     "    for _, joint in ipairs { 'Hips', 'Head', 'LeftHand', 'RightHand' } do\n"
                                     "      local d = twins[i]:joint(joint) - crowd:joint(i, joint)\n"
                                     "      local far = math.sqrt(d.x ^ 2 + d.y ^ 2 + d.z ^ 2)\n"
                                     "      assert(frame == 0 or far < 2e-4, ('%d, %s: %g m'):format(i, joint, far))\n"
                                     "    end\n"
                                     "    local beat = (frame // 40 + i) % 5\n"
                                     "    local speed, greet = beat < 2 and 0 or beat, beat == 1 and 1 or 0\n"
                                     "    crowd.params.speed[i], crowd.params.greet[i] = speed, greet\n"
                                     "    twins[i].params.speed, twins[i].params.greet = speed, greet\n"
                                     "  end\n"
                                     "  frame = frame + 1\n"
                                     "  if frame == 300 then assert(seen.idle and seen.move and seen.hello) end\n"
                                     "end\n",
      301);
}

/* At rest in the one clip, a metre up in the other: joint b fades as the clip does. */
static void a_joint_of_one_clip_fades_as_an_actors_does(void **state) {
  (void)state;
  holds("local function turned(a) return { 0, 0, math.sin(a / 2), math.cos(a / 2) } end\n"
        "local rig = sinew.build_model { name = 'rig', joints = { { name = 'r' }, { name = 'q', parent = 'r' },\n"
        "  { name = 'b', parent = 'r', position = { 2, 0, 0 } } }, clips = {\n"
        "  { name = 'A', tracks = { q = { times = { 0, 1 }, rotations = { turned(-1), turned(-1) } } } },\n"
        "  { name = 'B', tracks = { q = { times = { 0, 1 }, rotations = { turned(1), turned(1) } },\n"
        "    b = { times = { 0, 1 }, positions = { { 2, 1, 0 }, { 2, 1, 0 } } } } } } }\n"
        "local function machine() return sinew.state_machine { start = 'a', states = { a = 'A', b = 'B' },\n"
        "  transitions = { { 'a', 'b', when = 'go > 0.5', fade = 0.5 } } } end\n"
        "local one = sinew.crowd(rig, 1, { name = 'one', params = { go = 0 }, graph = machine() })\n"
        "local twin = sinew.actor('twin', rig, { params = { go = 0 } })\n"
        "twin:set_graph(machine(), { fade = 0 })\n"
        "local frame, between = 0, 0\n"
        "function sinew.update()\n"
        "  frame = frame + 1\n"
        "  local a, b = twin:joint 'b', one:joint(1, 'b')\n"
        "  assert(frame < 3 or math.abs(a.y - b.y) < 1e-5, ('%d: %g, not %g'):format(frame, b.y, a.y))\n"
        "  if b.y > 0.05 and b.y < 0.95 then between = between + 1 end\n"
        "  twin.params.go = frame > 5 and 1 or 0\n"
        "  one.params.go[1] = twin.params.go\n"
        "  if frame == 60 then assert(between > 20, between) end\n"
        "end\n",
        61);
}

/* Features that slots alone do not have: speeds, parts of clips, ends, smoothed parameters, machines in a blend. Only
 * an actor keeps its feet above the ground during a crossfade. */
static void members_play_what_actors_play(void **state) {
  (void)state;
  holds(
      "local graphs = { sinew.clip { 'Walk', speed = 2, from = 0.2, to = 0.8 }, sinew.clip { 'Wave', loop = 'once' },\n"
      "  sinew.blend_space_1d { param = 'v', smooth = 0.2, { 0, 'Idle' }, { 1, 'Run' } },\n"
      "  sinew.blend { { " MACHINE(
          "move",
          "0.3") ", 2 }, { 'Idle', 1 } },\n"
                 "  sinew.switch { param = 'v', fade = 0.3, 'Idle', 'Walk' } }\n"
                 "local all, frame = {}, 0\n"
                 "for i, graph in ipairs(graphs) do\n"
                 "  local params = { v = 0, speed = 0, greet = 0 }\n"
                 "  local actor = sinew.actor('actor ' .. i, man, { params = params })\n"
                 "  actor:set_graph(graph)\n"
                 "  all[i] = { actor, sinew.crowd(man, 2, { name = 'crowd ' .. i, graph = graph, params = params }) }\n"
                 "end\n"
                 "function sinew.update()\n"
                 "  frame = frame + 1\n"
                 "  for i, pair in ipairs(all) do\n"
                 "    for _, joint in ipairs { 'Hips', 'Head', 'LeftHand', 'RightFoot' } do\n"
                 "      local d = pair[1]:joint(joint) - pair[2]:joint(2, joint)\n"
                 "      local far = math.sqrt(d.x ^ 2 + d.y ^ 2 + d.z ^ 2)\n"
                 "      local most = joint == 'RightFoot' and 0.06 or 2e-4\n"
                 "      assert(frame == 1 or far < most, ('graph %d, %s: %g m'):format(i, joint, far))\n"
                 "    end\n"
                 "    local on = frame // 30 % 2\n"
                 "    pair[1].params.v, pair[2].params.v[2] = on, on\n"
                 "    pair[1].params.speed, pair[2].params.speed[2] = 3 * on, 3 * on\n"
                 "  end\n"
                 "end\n",
      200);
}

/* ---- saves ---- */

static void run(harness *h, const char *text, bool first) {
  char whole[6000];
  snprintf(whole, sizeof whole,
           PREFIX "%s\n"
                  "function sinew.update()\n"
                  "  for i = 1, 6 do\n"
                  "    local hips, hand = crowd:joint(i, 'Hips'), crowd:joint(i, 'LeftHand')\n"
                  "    print(('%%d %%s %%.6f %%.6f %%.6f'):format(i, crowd:state(i) or '-', hips.y, hand.y, hand.z))\n"
                  "  end\n"
                  "end\n",
           text);
  if (first) harness_open(h, whole);
  else assert_true(harness_reload(h, whole));
}

/* The state of member i and the height of its hand, as printed in the last frame. */
static double hand_of(const harness *h, int member, char state[32]) {
  char key[8];
  double y = 0, z = 0, hips = 0;
  const char *last = NULL;
  snprintf(key, sizeof key, "%d ", member);
  for (const char *at = h->printed; (at = strstr(at, key)); at++)
    if (at == h->printed || at[-1] == '\n') last = at;
  assert_non_null(last);
  assert_int_equal(sscanf(last + 2, "%31s %lf %lf %lf", state, &hips, &y, &z), 4);
  return y + 10 * z;
}

static const char *const values = "for i = 1, 6 do crowd.params.speed[i] = i % 3 * 1.5 end\n";

static void expect_unnoticed(const char *before, const char *after, const char *told) {
  static harness h, twin;
  char text[3000], saved[3000], state[32], other[32];
  snprintf(text, sizeof text, "%s%s", before, values);
  snprintf(saved, sizeof saved, "%s%s", after, values);
  run(&h, text, true);
  run(&twin, text, true);
  harness_step(&h, 50);
  harness_step(&twin, 50);
  run(&h, saved, false);
  if (told) harness_expect(h.host->messages.toasts[h.host->messages.toast_count - 1].text, told);
  for (int frame = 0; frame < 25; frame++) {
    h.printed[0] = twin.printed[0] = 0;
    harness_step(&h, 1);
    harness_step(&twin, 1);
    for (int i = 1; i <= 6; i++) assert_true(fabs(hand_of(&h, i, state) - hand_of(&twin, i, other)) < 1e-4);
  }
  harness_close(&h);
  harness_close(&twin);
}

static void a_renamed_state_goes_on(void **state) {
  (void)state;
  expect_unnoticed(CROWD(MACHINE("move", "0.3")), CROWD(MACHINE("travel", "0.3")), "travel");
}

static void a_fade_changes_alone(void **state) {
  (void)state;
  expect_unnoticed(CROWD(MACHINE("move", "0.3")), CROWD(MACHINE("move", "0.35")), "0.3 → 0.35");
}

static void more_members_leave_the_others_alone(void **state) {
  (void)state;
  expect_unnoticed(CROWD(MACHINE("move", "0.3")),
                   "local crowd = sinew.crowd(man, 9, { graph = " MACHINE(
                       "move", "0.3") ", params = { speed = 0, greet = 0 } })\n"
                                      "for i = 1, 6 do crowd:place(i, i, 0, 0) end\n",
                   NULL);
}

/* A space that has become a state goes on where its clips are. */
static void a_space_becomes_a_state(void **state) {
  static harness h;
  char name[32];
  (void)state;
  run(&h, CROWD("sinew.blend_space_1d { param = 'speed', { 0, 'Idle' }, { 3, 'Run' } }") "crowd.params.speed = 3\n",
      true);
  harness_step(&h, 49);
  double before = hand_of(&h, 2, name);
  h.printed[0] = 0;
  harness_step(&h, 1);
  double step = fabs(hand_of(&h, 2, name) - before);
  before = hand_of(&h, 2, name);
  assert_string_equal(name, "-");
  run(&h,
      CROWD("sinew.state_machine { start = 'run', states = { run = 'Run', idle = 'Idle' }, transitions = { "
            "{ 'run', 'idle', when = 'speed < 1' } } }") "crowd.params.speed = 3\n",
      false);
  for (int frame = 0; frame < 3; frame++) {
    h.printed[0] = 0;
    harness_step(&h, 1);
    double now = hand_of(&h, 2, name);
    assert_true(fabs(now - before) < 2 * step + 0.05);
    before = now;
  }
  assert_string_equal(name, "run");
  harness_close(&h);
}

/* ---- numbers ---- */

static void members_begin_at_their_phases(void **state) {
  (void)state;
  holds(CROWD(MACHINE("move", "0.3")) "for i = 1, 6 do crowd.phase[i] = i / 7 end\n"
                                      "local frame = 0\n"
                                      "function sinew.update(dt)\n"
                                      "  frame = frame + 1\n"
                                      "  for i = 1, 6 do\n"
                                      "    local passed = (frame - 1) * dt / man:duration 'Idle'\n"
                                      "    local off = math.abs(crowd.phase[i] - (i / 7 + passed) % 1)\n"
                                      "    assert(off < 1e-4, i .. ' is off by ' .. off)\n"
                                      "  end\n"
                                      "end\n",
        20);
}

static void resized_crowds_keep_their_states(void **state) {
  (void)state;
  holds(CROWD(MACHINE("move", "0.3")) "for i = 1, 6 do crowd.params.speed[i] = i % 2 end\n"
                                      "local frame = 0\n"
                                      "function sinew.update()\n"
                                      "  frame = frame + 1\n"
                                      "  if frame == 30 then crowd:resize(8) end\n"
                                      "  if frame < 5 then return end\n"
                                      "  for i = 1, 6 do\n"
                                      "    local name, seconds = crowd:state(i)\n"
                                      "    assert(name == (i % 2 == 1 and 'move' or 'idle'), tostring(name))\n"
                                      "    assert(frame < 32 or seconds > 0.4)\n"
                                      "  end\n"
                                      "end\n",
        60);
}

/* ---- misuse ---- */

static void expect_refused(const char *graph, const char *why) {
  char text[3000];
  snprintf(text, sizeof text, "sinew.crowd(man, 3, { graph = %s, params = { speed = 0 } })", graph);
  harness_refused(PREFIX, text, why);
}

static void misuse_gets_a_sentence(void **state) {
  (void)state;
#define TWO(transition)                                                                                                \
  "sinew.state_machine { start = 'a', states = { a = 'Idle', b = 'Walk' }, transitions = { { 'a', 'b', " transition    \
  " } } }"
  expect_refused(TWO("when = function() return true end"), "its conditions are text");
  expect_refused(TWO("on = 'jump'"), "only actors receive events");
  expect_refused(TWO("when = 'sped > 1'"), "sped");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(members_do_what_actors_do),
      cmocka_unit_test(a_joint_of_one_clip_fades_as_an_actors_does),
      cmocka_unit_test(members_play_what_actors_play),
      cmocka_unit_test(a_renamed_state_goes_on),
      cmocka_unit_test(a_fade_changes_alone),
      cmocka_unit_test(more_members_leave_the_others_alone),
      cmocka_unit_test(a_space_becomes_a_state),
      cmocka_unit_test(members_begin_at_their_phases),
      cmocka_unit_test(resized_crowds_keep_their_states),
      cmocka_unit_test(misuse_gets_a_sentence),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
