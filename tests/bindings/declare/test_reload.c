/* A save changes what it names and nothing else: clocks go on to the last bit, joints to a millimetre. */
#include "harness.h"

enum { ACTIONS = 64, BEFORE = 60 };

static const char *const scene =
    "local sinew = require 'sinew'\n"
    "local tune = sinew.keep('tune', { swift = 2, deep = { low = 1, high = 5 } })\n"
    "local man = sinew.model 'hero.glb'\n"
    "local hero = sinew.actor('hero', man, { position = { 0, 0, 0 } })\n"
    "local walk = hero:play('Walk', { fade = 0.2 })\n"
    "hero:layer('arm', { mask = { ['RightShoulder/**'] = 1 } }):play('Wave', { loop = 'once' })\n"
    "hero:layer('breath', { mode = 'additive', weight = 0.6 }):play('Breath')\n"
    "local pal = sinew.actor('pal', man, { position = { 1, 0, 0 } })\n"
    "local a, b = pal:play('Idle', { weight = 1 }), pal:play('Run', { weight = 0 })\n"
    "b.weight = 0.25\n"
    "sinew.camera.position = { 0, 2, 5 }\n"
    "function sinew.update(dt)\n"
    "  tune.swift = tune.swift + dt\n"
    "  hero.position = { 0, 0, sinew.time }\n"
    "  b.weight = 0.5\n"
    "end\n"
    "sinew.on('key_pressed', function(key) if key == 'e' then hero:play('Jump', { fade = 0 }) end end)\n"
    "function sinew.draw() print(tune.swift, tune.deep.low, tune.deep.high) end\n";

typedef struct moment {
  int action_count;
  sinew_play_def actions[ACTIONS];
  int64_t loops[ACTIONS];
  float faded[ACTIONS];
  int joint_count;
  sinew_mat3x4 joints[2][128];
  sinew_transform positions[2];
} moment;

static void take_actions(const harness *h, sinew_actor actor, moment *m) {
  const sinew_stage *stage = sinew_host_stage(h->host);
  for (int layer = 0; layer < sinew_actor_layer_count(stage, actor); layer++) {
    for (int i = 0; i < sinew_actor_action_count(stage, actor, layer); i++) {
      assert_true(m->action_count < ACTIONS);
      sinew_action action = sinew_actor_action(stage, actor, layer, i);
      m->loops[m->action_count] = sinew_action_loops(stage, action);
      m->faded[m->action_count] = sinew_action_strength(stage, action);
      assert_true(sinew_action_read_state(stage, action, &m->actions[m->action_count++]));
    }
  }
}

static void take(const harness *h, moment *m) {
  static const char *const names[] = {"hero", "pal"};
  const sinew_stage *stage = sinew_host_stage(h->host);
  memset(m, 0, sizeof *m);
  for (int i = 0; i < 2; i++) {
    sinew_actor actor = sinew_scene_find_actor(h->scene, names[i]);
    if (!actor.id) continue;
    m->joint_count = sinew_model_joint_count(sinew_actor_model(stage, actor));
    assert_true(m->joint_count <= 128);
    memcpy(m->joints[i], sinew_actor_joints(stage, actor), (size_t)m->joint_count * sizeof(sinew_mat3x4));
    m->positions[i] = sinew_actor_transform(stage, actor);
    take_actions(h, actor, m);
  }
}

static void expect_same_clocks(const moment *a, const moment *b) {
  assert_int_equal(a->action_count, b->action_count);
  assert_true(a->action_count >= 5);
  for (int i = 0; i < a->action_count; i++) {
    assert_true(a->actions[i].clip == b->actions[i].clip);
    assert_true(a->actions[i].time == b->actions[i].time);
    assert_true(a->loops[i] == b->loops[i]);
    assert_true(a->faded[i] == b->faded[i]);
  }
}

static void expect_same_joints(const moment *a, const moment *b, int actors) {
  for (int actor = 0; actor < actors; actor++) {
    assert_memory_equal(&a->positions[actor], &b->positions[actor], sizeof a->positions[actor]);
    for (int j = 0; j < a->joint_count; j++) {
      for (int k = 3; k < 12; k += 4) {
        assert_true(fabsf(a->joints[actor][j].m[k] - b->joints[actor][j].m[k]) <= 0.001f);
      }
    }
  }
}

static void run_unedited(moment *m) {
  harness h;
  harness_open(&h, scene);
  harness_step(&h, BEFORE + 1);
  take(&h, m);
  harness_close(&h);
}

/* `from` → `to` everywhere in the scene. */
static void edit(char *out, size_t size, const char *from, const char *to) {
  const char *at = strstr(scene, from);
  assert_non_null(at);
  snprintf(out, size, "%.*s%s%s", (int)(at - scene), scene, to, at + strlen(from));
}

static void expect_unmoved(const char *from, const char *to, const char *summary) {
  static moment plain, edited;
  char text[4096];
  harness h;
  run_unedited(&plain);
  harness_open(&h, scene);
  harness_step(&h, BEFORE);
  edit(text, sizeof text, from, to);
  if (!harness_reload(&h, text)) fail_msg("%s", h.error.message);
  harness_expect(sinew_scene_summary(h.scene), summary);
  harness_step(&h, 1);
  take(&h, &edited);
  expect_same_clocks(&plain, &edited);
  expect_same_joints(&plain, &edited, 2);
  assert_null(sinew_scene_problem(h.scene));
  harness_close(&h);
}

static void test_comment(void **state) {
  (void)state;
  expect_unmoved("local man", "-- a man\nlocal man", "nothing declared has changed");
}

static void test_line_above_everything(void **state) {
  (void)state;
  expect_unmoved("local sinew", "local zero = 0\n\nlocal sinew", "nothing declared has changed");
}

static void test_fade(void **state) {
  (void)state;
  expect_unmoved("fade = 0.2", "fade = 0.4", "fade 0.2 → 0.4");
}

static void test_keep_default(void **state) {
  harness h;
  char text[4096];
  (void)state;
  expect_unmoved("high = 5", "high = 7", "tune.deep.high 5 → 7");
  harness_open(&h, scene);
  harness_step(&h, BEFORE);
  edit(text, sizeof text, "high = 5", "high = 7");
  assert_true(harness_reload(&h, text));
  h.printed[0] = 0;
  harness_step(&h, 1);
  double swift;
  int low, high;
  assert_int_equal(sscanf(h.printed, "%lf %d %d", &swift, &low, &high), 3);
  assert_true(fabs(swift - (2 + 61.0 / 60)) < 1e-9); /* what it has become */
  assert_int_equal(low, 1);
  assert_int_equal(high, 7);
  harness_close(&h);
}

static void test_syntax_error_changes_nothing(void **state) {
  static moment plain, edited;
  char text[4096];
  harness h;
  (void)state;
  run_unedited(&plain);
  harness_open(&h, scene);
  harness_step(&h, BEFORE);
  edit(text, sizeof text, "local walk =", "local walk = =");
  assert_false(harness_reload(&h, text));
  harness_expect(h.error.message, "scene.lua:5:");
  harness_expect(sinew_host_problem(h.host, 0), "local walk = =");
  harness_step(&h, 1);
  take(&h, &edited);
  expect_same_clocks(&plain, &edited);
  expect_same_joints(&plain, &edited, 2);
  assert_true(harness_reload(&h, scene));
  assert_null(sinew_host_problem(h.host, 0));
  assert_null(sinew_scene_problem(h.scene));
  harness_close(&h);
}

/* Declarations before the error are forgotten with it. */
static void test_late_error_rolls_back(void **state) {
  static moment plain, edited;
  char text[4096];
  harness h;
  (void)state;
  run_unedited(&plain);
  harness_open(&h, scene);
  harness_step(&h, BEFORE);
  edit(text, sizeof text, "sinew.camera.position = { 0, 2, 5 }",
       "hero:play('Run', { fade = 0 }) hero.scale = 3 walk.time = 0 sinew.actor('third', man)\n"
       "hero:layer('more', {}):play('Idle') tune.swift = -100 sinew.camera.position = { 9, 9, 9 } error 'late'");
  assert_false(harness_reload(&h, text));
  harness_expect(h.error.message, "late");
  assert_int_equal(sinew_stage_actor_count(sinew_host_stage(h.host)), 2);
  h.printed[0] = 0;
  harness_step(&h, 1);
  take(&h, &edited);
  expect_same_clocks(&plain, &edited);
  expect_same_joints(&plain, &edited, 2);
  assert_true(atof(h.printed) > 2);
  assert_true(sinew_host_camera(h.host)->position.z == 5.0f);
  harness_close(&h);
}

/* It goes or comes by steps, and is all gone or all there within 13 frames. */
static void expect_fade(harness *h, sinew_actor actor, int sign) {
  const sinew_stage *stage = sinew_host_stage(h->host);
  int frames = 0;
  for (float before = -1; before != sinew_actor_opacity(stage, actor); frames++) {
    before = sinew_actor_opacity(stage, actor);
    harness_step(h, 1);
    float step = (float)sign * (sinew_actor_opacity(stage, actor) - before);
    assert_true(step >= 0 && step < 0.1f);
  }
  assert_in_range(frames, 10, 14);
  assert_true(sinew_actor_opacity(stage, actor) == (sign > 0 ? 1.0f : 0.0f));
}

static void test_actor_removed_and_back(void **state) {
  static moment plain, edited;
  char text[4096];
  harness h;
  (void)state;
  run_unedited(&plain);
  harness_open(&h, scene);
  harness_step(&h, BEFORE);
  sinew_actor hero = sinew_scene_find_actor(h.scene, "hero"), pal = sinew_scene_find_actor(h.scene, "pal");
  double before = -1;
  sinew_play_def state_before;
  sinew_stage *stage = sinew_host_stage(h.host);
  edit(text, sizeof text,
       "local pal = sinew.actor('pal', man, { position = { 1, 0, 0 } })\n"
       "local a, b = pal:play('Idle', { weight = 1 }), pal:play('Run', { weight = 0 })\n"
       "b.weight = 0.25\n",
       "local b = {}\n");
  assert_true(harness_reload(&h, text));
  harness_expect(sinew_scene_summary(h.scene), "pal is gone");
  assert_true(sinew_action_read_state(stage, sinew_actor_action(stage, pal, 0, 0), &state_before));
  before = state_before.time;
  assert_int_equal(sinew_scene_find_actor(h.scene, "pal").id, 0);
  harness_step(&h, 1);
  take(&h, &edited);
  expect_same_joints(&plain, &edited, 1);
  expect_fade(&h, pal, -1);
  harness_step(&h, 300);
  assert_true(harness_reload(&h, scene));
  assert_int_equal(sinew_scene_find_actor(h.scene, "pal").id, pal.id);
  assert_true(sinew_action_read_state(stage, sinew_actor_action(stage, pal, 0, 0), &state_before));
  assert_true(state_before.time == before);
  expect_fade(&h, pal, 1);
  assert_true(harness_reload(&h, text));
  harness_step(&h, 11 * 60);
  assert_false(sinew_actor_is_valid(stage, pal));
  assert_true(sinew_actor_is_valid(stage, hero));
  harness_close(&h);
}

/* An actor's opacity is its own: the fades of a removal and a return multiply it. */
static void test_opacity_outlives_a_removal(void **state) {
  harness h;
  (void)state;
  harness_open(&h, "local sinew = require 'sinew'\nlocal man = sinew.model 'hero.glb'\n"
                   "local hero = sinew.actor('hero', man, { opacity = 0.5 })\n"
                   "function sinew.update() print(hero.opacity) end\n");
  const sinew_stage *stage = sinew_host_stage(h.host);
  sinew_actor hero = sinew_scene_find_actor(h.scene, "hero");
  harness_step(&h, 30);
  assert_true(sinew_actor_opacity(stage, hero) == 0.5f);
  sinew_actor_set_opacity(sinew_host_stage(h.host), hero, 0.25f);
  h.printed[0] = 0;
  harness_step(&h, 30);
  harness_expect(h.printed, "0.25");
  assert_true(sinew_actor_opacity(stage, hero) == 0.25f);
  assert_true(harness_reload(&h, "local man = require 'sinew'.model 'hero.glb'\n"));
  harness_step(&h, 30);
  assert_true(sinew_actor_opacity(stage, hero) == 0);
  assert_true(harness_reload(&h, "local sinew = require 'sinew'\n"
                                 "sinew.actor('hero', sinew.model 'hero.glb', { opacity = 0.5 })\n"));
  harness_step(&h, 30);
  assert_true(sinew_actor_opacity(stage, hero) == 0.25f);
  harness_close(&h);
}

static void test_one_handler_after_three_reloads(void **state) {
  harness h;
  (void)state;
  harness_open(&h, scene);
  for (int i = 0; i < 3; i++) assert_true(harness_reload(&h, scene));
  assert_int_equal(sinew_scene_handler_count(h.scene, "update"), 1);
  assert_int_equal(sinew_scene_handler_count(h.scene, "key_pressed"), 1);
  assert_int_equal(sinew_scene_handler_count(h.scene, "key_released"), 0);
  harness_close(&h);
}

/* A play that is named by the edit starts; the one it replaces goes; and the way back finds the first again. */
static void test_another_clip(void **state) {
  char text[4096];
  harness h;
  (void)state;
  harness_open(&h, scene);
  harness_step(&h, BEFORE);
  sinew_stage *stage = sinew_host_stage(h.host);
  sinew_actor hero = sinew_scene_find_actor(h.scene, "hero");
  sinew_play_def walking, running;
  sinew_action_read_state(stage, sinew_actor_action(stage, hero, 0, 0), &walking);
  edit(text, sizeof text, "hero:play('Walk'", "hero:play('Run'");
  assert_true(harness_reload(&h, text));
  harness_step(&h, 30);
  assert_int_equal(sinew_actor_action_count(stage, hero, 0), 1);
  assert_true(sinew_action_read_state(stage, sinew_actor_action(stage, hero, 0, 0), &running));
  assert_true(running.clip != walking.clip);
  assert_true(harness_reload(&h, scene));
  harness_step(&h, 30);
  assert_int_equal(sinew_actor_action_count(stage, hero, 0), 1);
  assert_true(sinew_action_read_state(stage, sinew_actor_action(stage, hero, 0, 0), &running));
  assert_int_equal(running.clip, walking.clip);
  harness_close(&h);
}

/* A play of the top level that a key has replaced stays replaced. */
static void test_runtime_play_survives(void **state) {
  harness h;
  (void)state;
  harness_open(&h, scene);
  harness_step(&h, 10);
  assert_true(sinew_host_send_key(h.host, "e", true));
  harness_step(&h, 10);
  sinew_stage *stage = sinew_host_stage(h.host);
  sinew_actor hero = sinew_scene_find_actor(h.scene, "hero");
  sinew_play_def before, after;
  assert_true(sinew_action_read_state(stage, sinew_actor_action(stage, hero, 0, 0), &before));
  assert_true(harness_reload(&h, scene));
  assert_int_equal(sinew_actor_action_count(stage, hero, 0), 1);
  assert_true(sinew_action_read_state(stage, sinew_actor_action(stage, hero, 0, 0), &after));
  assert_true(before.clip == after.clip && before.time == after.time);
  harness_close(&h);
}

/* A play that was replaced stays replaced when its declaration disappears and returns, as happens while a file is
 * written in pieces. */
static void test_replaced_play_stays_replaced(void **state) {
  harness h;
  (void)state;
  harness_open(&h, scene);
  harness_step(&h, 10);
  assert_true(sinew_host_send_key(h.host, "e", true));
  harness_step(&h, 2);
  sinew_stage *stage = sinew_host_stage(h.host);
  sinew_actor hero = sinew_scene_find_actor(h.scene, "hero");
  sinew_action jump = sinew_actor_action(stage, hero, 0, 0);
  assert_true(harness_reload(&h, "sinew.actor('hero', sinew.model 'hero.glb')"));
  harness_step(&h, 2);
  assert_true(harness_reload(&h, scene));
  harness_step(&h, 2);
  assert_int_equal(sinew_actor_action_count(stage, hero, 0), 1);
  assert_int_equal(sinew_actor_action(stage, hero, 0, 0).id, jump.id);
  harness_close(&h);
}

/* ---- no joint jumps ---- */

static double moved(const sinew_mat3x4 *a, const sinew_mat3x4 *b) {
  double x = a->m[3] - b->m[3], y = a->m[7] - b->m[7], z = a->m[11] - b->m[11];
  return sqrt(x * x + y * y + z * z);
}

/* Its joints when a save comes, and as the save has left them, before time goes on. */
static void take_around(const char *text, const char *edited, int frames, sinew_mat3x4 out[2][128]) {
  harness h;
  harness_open(&h, text);
  harness_step(&h, frames);
  for (int i = 0; i < 2; i++) {
    sinew_actor hero = sinew_scene_find_actor(h.scene, "hero");
    const sinew_stage *stage = sinew_host_stage(h.host);
    int joints = sinew_model_joint_count(sinew_actor_model(stage, hero));
    memcpy(out[i], sinew_actor_joints(stage, hero), (size_t)joints * sizeof(sinew_mat3x4));
    if (i == 0 && !harness_reload(&h, edited)) fail_msg("%s", h.error.message);
    assert_true(sinew_host_step(h.host, 0, &h.error));
  }
  harness_close(&h);
}

#define SCENE_OF(play) "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n" play

#define LEAN "sinew.modifier { 'lean', function(pose) pose:rotate('Spine1', 'z', 0.6) end },"
#define RAISE "sinew.modifier { 'lean', function(pose) pose:rotate('LeftArm', 'z', 1) end },"
#define LOOK(target) "sinew.look_at { 'look', chain = { 'Neck', 'Head' }, target = { " target " } },"

/* A change continues from the pose that was shown: the save moves no joint, although a cut would move some by 30 cm. */
static void test_no_joint_jumps(void **state) {
  static const char *const cases[][2] = {
      {SCENE_OF("hero:play 'Walk'"), SCENE_OF("hero:play('Run', { fade = 0 })")},
      {SCENE_OF("hero:play 'Walk'"), SCENE_OF("hero:play('Walk', { time = 0.4 })")},
      {SCENE_OF("hero:play 'Walk'"), SCENE_OF("hero:play 'Walk' hero:layer('w', {}):play('Wave', { fade = 0 })")},
      {SCENE_OF("hero:play 'Walk' hero:layer('w', {}):play('Wave', { fade = 0 })"), SCENE_OF("hero:play 'Walk'")},
      {SCENE_OF("hero:play 'Walk' hero:layer('w', {}):play('Wave', { fade = 0 })"),
       SCENE_OF("hero:play 'Walk' hero:layer('w', { weight = 0.1 }):play('Wave', { fade = 0 })")},
      {SCENE_OF("hero:play 'Walk' hero:layer('w', {}):play('Wave', { fade = 0 })"),
       SCENE_OF("hero:play 'Walk' hero:layer('w', { mask = { Head = 1 } }):play('Wave', { fade = 0 })")},
      {SCENE_OF("hero:play 'Idle' hero:layer('a', {}):play 'Wave' hero:layer('b', {}):play 'Jump'"),
       SCENE_OF("hero:play 'Idle' hero:layer('b', {}):play 'Jump' hero:layer('a', {}):play 'Wave'")},
      {SCENE_OF("hero:play 'Walk' hero:set_modifiers { " LEAN LOOK("1, 1.6, 2") "}"), SCENE_OF("hero:play 'Walk'")},
      {SCENE_OF("hero:play 'Walk'"), SCENE_OF("hero:play 'Walk' hero:set_modifiers { " LEAN LOOK("1, 1.6, 2") "}")},
      {SCENE_OF("hero:play 'Walk' hero:set_modifiers { " LEAN "}"),
       SCENE_OF("hero:play 'Walk' hero:set_modifiers { " RAISE "}")},
      {SCENE_OF("hero:play 'Run' hero:set_modifiers { " LOOK("1, 1.6, 2") "}"),
       SCENE_OF("hero:play 'Walk' hero:set_modifiers { " LOOK("-1, 1.6, 2") "}")},
      {SCENE_OF("hero:set_graph(sinew.clip { 'Run' })"), SCENE_OF("")},
      {SCENE_OF("hero:play 'WalkRoot' hero:root_motion { joint = 'Root' }"), SCENE_OF("hero:play 'WalkRoot'")},
      {SCENE_OF("hero:play 'WalkRoot'"), SCENE_OF("hero:play 'WalkRoot' hero:root_motion { joint = 'Root' }")},
  };
  static sinew_mat3x4 at[2][128], plain[2][128];
  (void)state;
  double worst = 0, cut = 0;
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    for (int frames = 3; frames < 40; frames += 9) { /* in the fade of the first play, and after it */
      take_around(cases[c][0], cases[c][1], frames, at);
      take_around(cases[c][1], cases[c][1], frames, plain);
      for (int j = 1; j < 60; j++) {
        worst = fmax(worst, moved(&at[1][j], &at[0][j]));
        cut = fmax(cut, moved(&plain[1][j], &at[0][j]));
      }
    }
  }
  if (worst > 0.001) fail_msg("a joint jumps %.2f mm", worst * 1e3);
  assert_true(cut > 0.3);
}

/* Each edit is told in its own words, and as the only one. */
static void test_messages(void **state) {
  static const char *const cases[][3] = {
      {SCENE_OF("hero:layer('a', {}):play 'Wave' hero:layer('b', {}):play 'Jump'"),
       SCENE_OF("hero:layer('b', {}):play 'Jump' hero:layer('a', {}):play 'Wave'"), "hero layer order: a above b"},
      {SCENE_OF("local t = sinew.keep('t', { a = { x = 1, y = 'no' } })"),
       SCENE_OF("local t = sinew.keep('t', { a = 2 })"), "t.a { "},
      {SCENE_OF("function sinew.update() end"), SCENE_OF("function sinew.update() return 1 end"),
       "new code in scene.lua; nothing declared has changed"},
      {SCENE_OF(""), SCENE_OF(""), "ms: nothing declared has changed"},
      {SCENE_OF("hero:layer('a', { mask = { Head = 1 } })"), SCENE_OF("hero:layer('a', { mask = { Neck = 1 } })"),
       "hero a: mask changed"},
      {SCENE_OF("hero:layer('arm', {}):play('Wave', { to = 0.8 })"),
       SCENE_OF("hero:layer('arm', {}):play('Wave', { to = 0.4 })"), "hero arm \"Wave\": to 0.8 → 0.4"},
      {SCENE_OF("hero:set_modifiers { " LEAN LOOK("1, 1.6, 2") "}"),
       SCENE_OF("hero:set_modifiers { " LOOK("1, 1.6, 2") LEAN "}"), "hero modifier order: lean after look"},
      {SCENE_OF("hero:play('Wave', { loop = 'once' })"), SCENE_OF("hero:play('Wave', { loop = 'once', speed = 2 })"),
       "speed 1 → 2 (it has ended)"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    harness h;
    harness_open(&h, cases[i][0]);
    harness_step(&h, 2);
    if (i == 7) {
      harness_step(&h, 200);
      sinew_stage *stage = sinew_host_stage(h.host);
      sinew_action_stop(stage, sinew_actor_action(stage, sinew_scene_find_actor(h.scene, "hero"), 0, 0), 0);
    }
    assert_true(harness_reload(&h, cases[i][1]));
    harness_expect(sinew_scene_summary(h.scene), cases[i][2]);
    if (strstr(sinew_scene_summary(h.scene), "0x")) fail_msg("%s", sinew_scene_summary(h.scene));
    harness_close(&h);
  }
}

static void test_changed_option_applies(void **state) {
  char text[4096];
  harness h;
  (void)state;
  harness_open(&h, scene);
  harness_step(&h, 10);
  edit(text, sizeof text, "position = { 1, 0, 0 }", "position = { 2, 0, 0 }, scale = 2");
  assert_true(harness_reload(&h, text));
  sinew_actor pal = sinew_scene_find_actor(h.scene, "pal");
  sinew_transform position = sinew_actor_transform(sinew_host_stage(h.host), pal);
  assert_true(position.translation.x == 2.0f && position.scale.y == 2.0f);
  harness_expect(sinew_scene_summary(h.scene), "pal.position 1 0 0 → 2 0 0");
  assert_true(harness_reload(&h, scene)); /* what is no longer declared is the default again */
  position = sinew_actor_transform(sinew_host_stage(h.host), pal);
  assert_true(position.translation.x == 1.0f && position.scale.y == 1.0f);
  harness_close(&h);
}

static void test_layer_goes_and_comes(void **state) {
  char text[4096];
  harness h;
  (void)state;
  harness_open(&h, scene);
  harness_step(&h, 10);
  sinew_stage *stage = sinew_host_stage(h.host);
  sinew_actor hero = sinew_scene_find_actor(h.scene, "hero");
  edit(text, sizeof text, "hero:layer('breath', { mode = 'additive', weight = 0.6 }):play('Breath')\n", "");
  assert_true(harness_reload(&h, text));
  harness_step(&h, 40);
  int layer = sinew_actor_find_layer(stage, hero, "breath");
  assert_true(sinew_actor_layer(stage, hero, layer).weight == 0.0f);
  assert_true(harness_reload(&h, scene));
  assert_true(sinew_actor_layer(stage, hero, layer).weight == 0.6f);
  assert_int_equal(sinew_actor_action_count(stage, hero, layer), 1);
  assert_true(harness_reload(&h, text));
  harness_step(&h, 11 * 60);
  assert_int_equal(sinew_actor_find_layer(stage, hero, "breath"), -1);
  harness_close(&h);
}

/* A module beside the scene is part of the same transaction. */
static void test_modules(void **state) {
  harness h;
  char module[128];
  (void)state;
  harness_open_host(&h);
  snprintf(module, sizeof module, "%s/part.lua", h.folder);
  harness_write(module, "sinew.on('update', function() print 'one' end) return { n = 1 }");
  assert_true(harness_load(&h, "local part = require 'part' assert(part == require 'part' and part.n == 1)", NULL));
  assert_int_equal(sinew_scene_file_count(h.scene), 2);
  harness_step(&h, 1);
  harness_write(module, "sinew.on('update', function() print 'two' end) return { n = 1 } }");
  assert_false(sinew_scene_reload(h.scene, &h.error));
  harness_expect(h.error.message, "part.lua:1:");
  harness_step(&h, 1);
  harness_write(module, "sinew.on('update', function() print 'two' end) return { n = 1 }");
  assert_true(sinew_scene_reload(h.scene, &h.error));
  harness_step(&h, 1);
  assert_string_equal(h.printed, "one\none\ntwo\n");
  harness_close(&h);
}

static void test_restart_forgets(void **state) {
  harness h;
  (void)state;
  harness_open(&h, scene);
  harness_step(&h, BEFORE);
  assert_true(sinew_scene_restart(h.scene, &h.error));
  h.printed[0] = 0;
  harness_step(&h, 1);
  assert_true(fabs(atof(h.printed) - (2 + 1.0 / 60)) < 1e-9);
  assert_int_equal(sinew_stage_actor_count(sinew_host_stage(h.host)), 2);
  harness_close(&h);
}

/* By a program between two frames, and by a key within one. */
static void test_restart_begins_at_the_first_frame(void **state) {
  harness h;
  char first[100];
  (void)state;
  harness_open(&h, "print(sinew.frame, sinew.time)\n"
                   "function sinew.update(dt) print(sinew.frame, math.abs(sinew.time - sinew.frame * dt) < 1e-12) end");
  harness_step(&h, 3);
  snprintf(first, sizeof first, "%.99s", h.printed);
  assert_string_equal(first, "0\t0.0\n1\ttrue\n2\ttrue\n3\ttrue\n");
  h.printed[0] = 0;
  assert_true(sinew_scene_restart(h.scene, &h.error));
  harness_step(&h, 3);
  assert_string_equal(h.printed, first);
  h.printed[0] = 0;
  sinew_host_send_key(h.host, "left_ctrl", true);
  sinew_host_send_key(h.host, "r", true);
  harness_step(&h, 3);
  assert_string_equal(h.printed, first);
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_comment),
      cmocka_unit_test(test_line_above_everything),
      cmocka_unit_test(test_fade),
      cmocka_unit_test(test_keep_default),
      cmocka_unit_test(test_syntax_error_changes_nothing),
      cmocka_unit_test(test_late_error_rolls_back),
      cmocka_unit_test(test_actor_removed_and_back),
      cmocka_unit_test(test_opacity_outlives_a_removal),
      cmocka_unit_test(test_one_handler_after_three_reloads),
      cmocka_unit_test(test_another_clip),
      cmocka_unit_test(test_runtime_play_survives),
      cmocka_unit_test(test_replaced_play_stays_replaced),
      cmocka_unit_test(test_no_joint_jumps),
      cmocka_unit_test(test_messages),
      cmocka_unit_test(test_changed_option_applies),
      cmocka_unit_test(test_layer_goes_and_comes),
      cmocka_unit_test(test_modules),
      cmocka_unit_test(test_restart_forgets),
      cmocka_unit_test(test_restart_begins_at_the_first_frame),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
