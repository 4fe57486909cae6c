/* A declaration that a save removes is kept for ten seconds: it fades out, and returns as it was. */
#include "harness.h"

#include <sinew/actor_modifiers.h>
#include <sinew/graph.h>

#define PREFIX                                                                                                         \
  "local sinew = require 'sinew'\n"                                                                                    \
  "local man = sinew.model 'hero.glb'\n"                                                                               \
  "local hero = sinew.actor('hero', man)\n"                                                                            \
  "hero:play('Walk', { fade = 0 })\n"

static sinew_stage *stage_of(const harness *h) { return sinew_host_stage(h->host); }
static sinew_actor find(const harness *h, const char *name) { return sinew_scene_find_actor(h->scene, name); }

static void reload(harness *h, const char *text) {
  if (!harness_reload(h, text)) fail_msg("%s", h->error.message);
}

static sinew_vec3 place_of(const harness *h, const char *name) {
  return sinew_actor_transform(stage_of(h), find(h, name)).translation;
}

static double distance(sinew_vec3 a, sinew_vec3 b) {
  return sqrt(pow((double)a.x - b.x, 2) + pow((double)a.y - b.y, 2) + pow((double)a.z - b.z, 2));
}

/* ---- modifiers ---- */

#define REACH "sinew.ik { 'reach', tip = 'RightHand', target = { 0.1, 1.3, 0.4 }, weight = 0.5 },"
#define LOOK "sinew.look_at { 'look', chain = { 'Neck', 'Head' }, target = { 1, 1.6, 2 } },"
#define STEER                                                                                                          \
  "sinew.on('key_pressed', function()\n"                                                                               \
  "  hero.modifiers.reach.weight = 0.9\n"                                                                              \
  "  hero.modifiers.reach.target = { -0.2, 1.2, 0.4 }\n"                                                               \
  "end)\n"

static void expect_reach(const harness *h, float weight, float x) {
  sinew_modifier_def s;
  int index = sinew_actor_find_modifier(stage_of(h), find(h, "hero"), "reach");
  assert_true(sinew_actor_read_modifier_state(stage_of(h), find(h, "hero"), index, &s));
  assert_float_equal(s.weight, weight, 1e-6f);
  assert_float_equal(s.target.x, x, 1e-6f);
}

/* Kept things make room for declared ones, the oldest first. */
static void kept_layers_make_room(void **state) {
  static harness h;
  char text[1024];
  (void)state;
  harness_open(&h, PREFIX);
  for (int i = 0; i < 40; i++) {
    snprintf(text, sizeof text, "%shero:layer('a%d', {}):play 'Wave' hero:layer('b%d', {})\n", PREFIX, i, i);
    reload(&h, PREFIX); /* else they would be the last ones under other names */
    reload(&h, text);
    harness_step(&h, 1);
    assert_true(sinew_actor_find_layer(stage_of(&h), find(&h, "hero"), "a0") < 0 || i < 8);
  }
  reload(&h, PREFIX "hero:layer('a36', {}):play 'Wave'\n"); /* one that went lately is still there */
  harness_expect(sinew_scene_summary(h.scene), "layer a36 is back");
  harness_close(&h);
}

/* One out of the list, then the whole list. */
static void a_modifier_that_comes_back_is_what_it_had_become(void **state) {
  static const char *const gone[] = {PREFIX "hero:set_modifiers { " LOOK "}\n", PREFIX};
  static harness h;
  (void)state;
  for (int i = 0; i < 2; i++) {
    harness_open(&h, PREFIX "hero:set_modifiers { " LOOK REACH "}\n" STEER);
    harness_step(&h, 2);
    harness_key(&h, "m");
    reload(&h, gone[i]);
    assert_int_equal(sinew_actor_find_modifier(stage_of(&h), find(&h, "hero"), "reach"), -1);
    harness_step(&h, 300);
    reload(&h, PREFIX "hero:set_modifiers { " LOOK REACH "}\n" STEER);
    expect_reach(&h, 0.9f, -0.2f);
    harness_close(&h);
  }
}

static void what_is_declared_otherwise_is_not_held(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX "hero:set_modifiers { " REACH "}\n" STEER);
  harness_step(&h, 2);
  harness_key(&h, "m");
  reload(&h, PREFIX);
  reload(&h, PREFIX "hero:set_modifiers { sinew.ik { 'reach', tip = 'RightHand', target = { 0.1, 1.3, 0.4 }, weight = "
                    "0.3 } }\n");
  expect_reach(&h, 0.3f, -0.2f);
  reload(&h, PREFIX);
  harness_step(&h, 610); /* ten seconds and ten frames */
  reload(&h, PREFIX "hero:set_modifiers { " REACH "}\n");
  expect_reach(&h, 0.5f, 0.1f);
  harness_close(&h);
}

#define STAND "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
#define HAIR "hero:set_modifiers { sinew.spring { 'hair', joints = { 'Ponytail1/**' }, damping = 0.1 } }\n"
#define STEP "sinew.on('key_pressed', function() hero.position = { 0.15, 0, 0 } end)\n"

/* Of the hair's last joint, after a step aside; the hair may be away for some frames. */
static sinew_vec3 swing(const char *meanwhile, int frames, const char *then) {
  static harness h;
  sinew_spring_state states[8] = {{.started = false}};
  harness_open(&h, STAND HAIR STEP);
  harness_step(&h, 2);
  harness_key(&h, "m");
  harness_step(&h, 10);
  if (meanwhile) {
    reload(&h, meanwhile);
    harness_step(&h, frames);
    reload(&h, then);
  }
  harness_step(&h, 10);
  int count = sinew_actor_springs(stage_of(&h), find(&h, "hero"), 0, states, 8);
  assert_in_range(count, 1, 8);
  harness_close(&h);
  return states[count - 1].position;
}

static void a_spring_that_comes_back_swings_on(void **state) {
  (void)state;
  sinew_vec3 stayed = swing(NULL, 0, NULL), back = swing(STAND STEP, 180, STAND HAIR STEP);
  sinew_vec3 late = swing(STAND STEP, 610, STAND HAIR STEP); /* ten seconds and ten frames: from rest */
  assert_true(distance(stayed, late) > 0.05 && distance(stayed, back) < 0.015);
}

/* ---- in mid-motion ---- */

enum { JOINTS = 128 };

static int take(const harness *h, sinew_vec3 out[JOINTS]) {
  const sinew_stage *stage = stage_of(h);
  int count = sinew_model_joint_count(sinew_actor_model(stage, find(h, "hero")));
  const sinew_mat3x4 *joints = sinew_actor_joints(stage, find(h, "hero"));
  for (int i = 0; i < count; i++) out[i] = (sinew_vec3){joints[i].m[3], joints[i].m[7], joints[i].m[11]};
  return count;
}

static void advance(harness *h, double dt) { assert_true(sinew_host_step(h->host, dt, &h->error)); }

/* The scene, the scene as it is saved later, and the one becoming the other: in the two milliseconds around the save,
 * by how much a joint moves further than it does in both of the others. The save is between two keys of the clips: at a
 * key they change their speed themselves. */
static double excess(const char *text, const char *edited) {
  static harness runs[3];
  sinew_vec3 before[JOINTS], after[JOINTS];
  double moved[3][JOINTS] = {{0}}, worst = 0;
  for (int i = 0; i < 3; i++) {
    harness_open(&runs[i], i == 1 ? edited : text);
    for (int k = 0; k < 410; k++) advance(&runs[i], 0.001);
    int count = take(&runs[i], before);
    if (i == 2) reload(&runs[i], edited);
    for (int k = 0; k < 2; k++) advance(&runs[i], 0.001);
    take(&runs[i], after);
    for (int j = 0; j < count; j++) moved[i][j] = distance(after[j], before[j]);
    harness_close(&runs[i]);
  }
  for (int j = 0; j < JOINTS; j++) worst = fmax(worst, moved[2][j] - fmax(moved[0][j], moved[1][j]));
  return worst;
}

static void a_save_in_mid_motion_moves_no_joint_beyond_its_own_motion(void **state) {
  static const char *const cases[][2] = {
      {PREFIX "hero:set_modifiers { " LOOK REACH "}\n", PREFIX},
      {PREFIX, PREFIX "hero:set_modifiers { " LOOK REACH "}\n"},
      {PREFIX "hero:set_modifiers { " LOOK "}\n", PREFIX "hero:set_modifiers { " REACH "}\n"},
      {PREFIX "hero:set_modifiers { sinew.spring { 'hair', joints = { 'Ponytail1/**' } } }\n", PREFIX},
      {"local sinew = require 'sinew'\nlocal hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
       "hero:set_graph(sinew.clip { 'Run' })\n",
       "local sinew = require 'sinew'\nlocal hero = sinew.actor('hero', sinew.model 'hero.glb')\n"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double worst = excess(cases[i][0], cases[i][1]);
    if (worst > 0.001) fail_msg("case %zu: a joint jumps %.2f mm", i, worst * 1e3);
  }
}

/* ---- attachments ---- */

#define LAMP "local lamp = sinew.actor('lamp', man)\n"
#define ON(x) "hero:attach('RightHand', lamp, { offset = { position = { " x ", 0.1, 0 } } })\n"

static double off_the_hand(const harness *h, float x) {
  const sinew_stage *stage = stage_of(h);
  int joint = sinew_model_find_joint(sinew_actor_model(stage, find(h, "hero")), "RightHand");
  sinew_vec3 at =
      sinew_mat3x4_transform_point(sinew_actor_joints(stage, find(h, "hero")) + joint, (sinew_vec3){x, 0.1f, 0});
  return distance(at, place_of(h, "lamp"));
}

static void what_hangs_moves_without_a_jump_where_a_save_hangs_it_elsewhere(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX LAMP ON("0"));
  harness_step(&h, 30);
  assert_true(off_the_hand(&h, 0) < 1e-5);
  reload(&h, PREFIX LAMP ON("0.5"));
  harness_step(&h, 1);
  assert_true(off_the_hand(&h, 0) < 0.005); /* with the hand, and hardly further */
  harness_step(&h, 30);
  assert_true(off_the_hand(&h, 0.5f) < 1e-5);
  harness_close(&h);
}

static void what_hung_is_held_where_it_hung_last(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX LAMP ON("0") "sinew.on('key_pressed', function() " ON("0.5") "end)\n");
  harness_step(&h, 30);
  harness_key(&h, "m");
  harness_step(&h, 5);
  assert_true(off_the_hand(&h, 0.5f) < 1e-5);
  reload(&h, PREFIX LAMP);
  sinew_vec3 before = place_of(&h, "lamp");
  harness_step(&h, 20);
  assert_true(distance(before, place_of(&h, "lamp")) == 0); /* it stays where it was let go */
  reload(&h, PREFIX LAMP ON("0"));
  harness_step(&h, 1);
  assert_true(distance(before, place_of(&h, "lamp")) < 0.05); /* as far as the hand went, which is half a metre off */
  assert_true(off_the_hand(&h, 0.5f) > 0.2);
  harness_step(&h, 30);
  assert_true(off_the_hand(&h, 0.5f) < 1e-5);
  harness_close(&h);
}

static void an_actor_that_is_declared_no_more_fades_out_where_it_hangs(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX LAMP ON("0"));
  harness_step(&h, 30);
  sinew_actor lamp = find(&h, "lamp");
  reload(&h, PREFIX);
  harness_step(&h, 6);
  sinew_attachment on;
  assert_true(sinew_actor_attachment(stage_of(&h), lamp, &on) && on.to.id == find(&h, "hero").id);
  float opacity = sinew_actor_opacity(stage_of(&h), lamp);
  assert_true(opacity > 0 && opacity < 1);
  reload(&h, PREFIX LAMP ON("0"));
  harness_step(&h, 20);
  assert_true(find(&h, "lamp").id == lamp.id && sinew_actor_opacity(stage_of(&h), lamp) == 1);
  assert_true(off_the_hand(&h, 0) < 1e-5);
  harness_close(&h);
}

/* ---- root motion, graphs ---- */

#define TRAVEL "hero:play('WalkRoot', { fade = 0 })\n"
#define ROOT "hero:root_motion { joint = 'Root', axes = 'xz' }\n"

static void root_motion_that_comes_back_is_what_it_had_become(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX TRAVEL ROOT "sinew.on('key_pressed', function() "
                                      "hero:root_motion { joint = 'Root', axes = 'xz', apply = false } end)\n");
  harness_step(&h, 10);
  harness_key(&h, "m");
  reload(&h, PREFIX TRAVEL);
  harness_step(&h, 10);
  reload(&h, PREFIX TRAVEL ROOT);
  sinew_vec3 before = place_of(&h, "hero");
  harness_step(&h, 10);
  assert_true(distance(before, place_of(&h, "hero")) == 0); /* the delta is for the caller, still */
  harness_close(&h);
}

#define ACTOR                                                                                                          \
  "local sinew = require 'sinew'\n"                                                                                    \
  "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
#define MACHINE                                                                                                        \
  "hero:set_graph(sinew.state_machine { start = 'move', states = { move = 'Walk', up = 'Run' },\n"                     \
  "  transitions = { { 'move', 'up', on = 'up', fade = 0 } } })\n"                                                     \
  "sinew.on('key_pressed', function() hero:send 'up' end)\n"

/* Its state and the time in it; what a scene has begun again is in its first state. */
/* As the end of the summary: nothing else is told. */
static void expect_told(const harness *h, const char *told) {
  const char *summary = sinew_scene_summary(h->scene);
  size_t length = strlen(summary), end = strlen(told);
  if (length < end + 4 || strcmp(summary + length - end, told) != 0 || summary[length - end - 2] != ':')
    fail_msg("'%s' was told, and not '%s'", summary, told);
}

/* The model of what is kept for revival is kept, too. */
static void an_actor_that_comes_back_has_its_model(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX);
  reload(&h, "local sinew = require 'sinew'\n");
  reload(&h, "local sinew = require 'sinew' -- a second save that does without\n");
  harness_step(&h, 20);
  reload(&h, PREFIX);
  expect_told(&h, "hero is back");
  harness_close(&h);
}

static void a_graph_that_comes_back_goes_on_where_it_was(void **state) {
  static harness h;
  sinew_machine_state before, after;
  (void)state;
  harness_open(&h, ACTOR MACHINE);
  harness_key(&h, "m");
  harness_step(&h, 20);
  assert_true(sinew_actor_machine(stage_of(&h), find(&h, "hero"), 0, 0, &before));
  reload(&h, ACTOR);
  assert_false(sinew_actor_has_graph(stage_of(&h), find(&h, "hero"), 0));
  harness_step(&h, 300);
  reload(&h, ACTOR MACHINE);
  assert_true(sinew_actor_machine(stage_of(&h), find(&h, "hero"), 0, 0, &after));
  assert_true(before.state == after.state && before.time == after.time && before.time > 0.2);
  expect_told(&h, "hero: its graph is back");
  reload(&h, ACTOR);
  harness_step(&h, 610);
  reload(&h, ACTOR MACHINE);
  assert_true(sinew_actor_machine(stage_of(&h), find(&h, "hero"), 0, 0, &after));
  assert_true(after.state != before.state && after.time == 0);
  assert_false(sinew_actor_hold_graph(stage_of(&h), find(&h, "hero"), 7, 0));
  harness_close(&h);
}

/* ---- layers ---- */

static void expect_layers(const harness *h, const char *const *names, int count) {
  const sinew_stage *stage = sinew_host_stage(h->host);
  sinew_actor hero = sinew_scene_find_actor(h->scene, "hero");
  assert_int_equal(sinew_actor_layer_count(stage, hero), count);
  for (int i = 0; i < count; i++) assert_string_equal(sinew_actor_layer_name(stage, hero, i), names[i]);
}

/* A layer that is written between others lies between them; what plays on those goes on. */
static void layers_lie_as_they_are_declared(void **state) {
  static const char *const between = "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
                                     "hero:layer('one', {}):play 'Walk' hero:layer('two', {}):play 'Idle'\n"
                                     "hero:layer('three', {}):play 'Run'\n";
  harness h;
  (void)state;
  harness_open(&h, "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
                   "hero:layer('one', {}):play 'Walk' hero:layer('three', {}):play 'Run'\n"
                   "function sinew.update() if sinew.frame == 5 then hero:layer('late', {}) end end");
  harness_step(&h, 10);
  const sinew_stage *stage = sinew_host_stage(h.host);
  sinew_actor hero = sinew_scene_find_actor(h.scene, "hero");
  sinew_action run = sinew_actor_action(stage, hero, 2, 0);
  sinew_play_def before, after;
  assert_true(sinew_action_read_state(stage, run, &before));
  assert_true(harness_reload(&h, between));
  harness_expect(sinew_scene_summary(h.scene), "layer two joins");
  expect_layers(&h, (const char *const[]){"base", "one", "late", "two", "three"}, 5);
  assert_true(sinew_action_read_state(stage, run, &after));
  assert_int_equal(after.layer, 4);
  assert_true(after.clip == before.clip && after.time == before.time);
  assert_true(harness_reload(&h, "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
                                 "hero:layer('three', {}):play 'Run' hero:layer('one', {}):play 'Walk'"));
  harness_step(&h, 660); /* 'two' is held for ten seconds */
  expect_layers(&h, (const char *const[]){"base", "late", "three", "one"}, 4);
  assert_true(sinew_action_is_valid(stage, run));
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(layers_lie_as_they_are_declared),
      cmocka_unit_test(kept_layers_make_room),
      cmocka_unit_test(a_modifier_that_comes_back_is_what_it_had_become),
      cmocka_unit_test(what_is_declared_otherwise_is_not_held),
      cmocka_unit_test(a_spring_that_comes_back_swings_on),
      cmocka_unit_test(a_save_in_mid_motion_moves_no_joint_beyond_its_own_motion),
      cmocka_unit_test(what_hangs_moves_without_a_jump_where_a_save_hangs_it_elsewhere),
      cmocka_unit_test(what_hung_is_held_where_it_hung_last),
      cmocka_unit_test(an_actor_that_is_declared_no_more_fades_out_where_it_hangs),
      cmocka_unit_test(root_motion_that_comes_back_is_what_it_had_become),
      cmocka_unit_test(a_graph_that_comes_back_goes_on_where_it_was),
      cmocka_unit_test(an_actor_that_comes_back_has_its_model),
      cmocka_unit_test(an_actor_that_comes_back_has_its_model),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
