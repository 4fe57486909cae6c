/* Changes in a running scene are written into its script, and the reload of that save changes nothing. */
#include "harness.h"

#include <sinew/actor_modifiers.h>
#include <sinew/event.h>
#include <sinew/graph.h>
#include <sinew/playing.h>

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>

static const char scene[] = "#!/usr/bin/env sinew\n"
                            "local sinew = require 'sinew' -- { speed = 7 }\r\n"
                            "local hero = sinew.actor('hero', sinew.model 'hero.glb', { params = { pace = 0.50 } })\n"
                            "local tune = { speed = 1 }\n"
                            "hero:play('Walk', {\n"
                            "  speed = 1.0, -- as it was recorded\n"
                            "})\n"
                            "hero:play('Idle', { weight = 0, speed = tune.speed })\n"
                            "function sinew.update() end\n";

static void read_script(const harness *h, char out[2048]) {
  FILE *file = fopen(h->path, "rb");
  assert_non_null(file);
  out[fread(out, 1, 2047, file)] = 0;
  fclose(file);
}

static sinew_action action_of(const harness *h, int index, sinew_actor *actor) {
  *actor = sinew_scene_find_actor(h->scene, "hero");
  return sinew_actor_action(sinew_host_stage(h->host), *actor, 0, index);
}

static bool put(harness *h, int action, const char *field, double value, char answer[512]) {
  sinew_edit edit = {.field = field, .value = value};
  sinew_action found = action_of(h, action < 0 ? 0 : action, &edit.actor);
  if (action >= 0) edit.kind = SINEW_EDIT_ACTION, edit.action = found;
  return sinew_scene_write(h->scene, &edit, answer, 512);
}

static void a_number_goes_to_its_place(void **state) {
  static harness h;
  char text[2048], answer[512], expected[sizeof scene + 8];
  sinew_actor actor;
  sinew_play_def s, after;
  int64_t loops;
  (void)state;
  harness_open(&h, scene);
  harness_step(&h, 20);
  sinew_action walk = action_of(&h, 0, &actor);
  assert_true(sinew_action_read_state(sinew_host_stage(h.host), walk, &s));
  s.speed = 1.25;
  assert_true(sinew_action_set_state(sinew_host_stage(h.host), walk, &s));
  harness_step(&h, 1);
  sinew_action_read_state(sinew_host_stage(h.host), walk, &s);
  loops = sinew_action_loops(sinew_host_stage(h.host), walk);
  if (!put(&h, 0, "speed", 1.25, answer)) fail_msg("%s", answer);
  harness_expect(answer, "scene.lua:5: speed 1.0 → 1.25");
  read_script(&h, text);
  const char *at = strstr(scene, "1.0, --");
  snprintf(expected, sizeof expected, "%.*s1.25%s", (int)(at - scene), scene, at + 3);
  assert_string_equal(text, expected);
  /* The same clip goes on at the same time, as fast as it went. */
  assert_true(sinew_scene_reload(h.scene, &h.error));
  assert_true(sinew_action_read_state(sinew_host_stage(h.host), action_of(&h, 0, &actor), &after));
  assert_true(after.speed == 1.25 && after.time == s.time && after.clip == s.clip);
  assert_true(sinew_action_loops(sinew_host_stage(h.host), action_of(&h, 0, &actor)) == loops);
  /* And once more, a parameter; then both are taken back, the last one first. */
  if (!put(&h, -1, "params.pace", 0.75, answer)) fail_msg("%s", answer);
  harness_expect(answer, "scene.lua:3: params.pace 0.50 → 0.75");
  assert_true(sinew_scene_undo(h.scene, answer, sizeof answer));
  read_script(&h, text);
  assert_string_equal(text, expected);
  assert_true(sinew_scene_undo(h.scene, answer, sizeof answer));
  read_script(&h, text);
  assert_string_equal(text, scene);
  assert_false(sinew_scene_undo(h.scene, answer, sizeof answer));
  harness_close(&h);
}

/* The script that a link leads to is written, and the link stays one. */
static void a_link_stays_a_link(void **state) {
  harness h;
  char answer[512], text[4000], real[200];
  struct stat info;
  (void)state;
  harness_open_host(&h);
  snprintf(real, sizeof real, "%s/real.lua", h.folder);
  harness_write(real, "");
  assert_int_equal(symlink("real.lua", h.path), 0);
  assert_true(harness_load(&h, scene, NULL));
  harness_step(&h, 2);
  if (!put(&h, -1, "params.pace", 0.75, answer)) fail_msg("%s", answer);
  assert_int_equal(lstat(h.path, &info), 0);
  assert_true(S_ISLNK(info.st_mode));
  read_script(&h, text);
  assert_non_null(strstr(text, "0.75"));
  harness_close(&h);
}

static const char spaces[] =
    "local sinew = require 'sinew'\n"
    "local hero = sinew.actor('hero', sinew.model 'hero.glb', { params = { speed = 1, x = 0.2, y = 0.7 } })\n"
    "hero:set_graph(sinew.state_machine { start = 'go',\n"
    "  states = { go = sinew.blend_space_1d { param = 'speed', { 0, 'Idle' }, { 1.40, 'Walk' },\n"
    "      { 4, 'Run' } },\n"
    "    side = sinew.blend_space_2d { param_x = 'x', param_y = 'y', { 0, 0, 'Idle' }, { -1e0, 0.5, 'Walk' }, 'Run' } "
    "},\n"
    "  transitions = { { 'go', 'side', when = 'x > 9' } } })\n";

static int find_sample(const harness *h, sinew_actor actor, double x) {
  sinew_node_def n;
  for (int i = 3; sinew_actor_node(sinew_host_stage(h->host), actor, 0, i, &n); i++)
    if (n.x == x) return i;
  fail_msg("there is no sample at %g", x);
  return -1;
}

static bool put_sample(harness *h, double from, double x, double y, char answer[512]) {
  sinew_actor actor = sinew_scene_find_actor(h->scene, "hero");
  sinew_edit edit = {.actor = actor,
                     .kind = SINEW_EDIT_SAMPLE,
                     .field = "sample",
                     .index = find_sample(h, actor, from),
                     .value = x,
                     .y = y};
  return sinew_scene_write(h->scene, &edit, answer, 512);
}

/* Of a line one number, of a plane both; a sample that places itself has none. The walk goes on meanwhile. */
static void a_sample_goes_to_its_place(void **state) {
  static harness h;
  char text[2048], answer[512];
  sinew_playing before, after;
  (void)state;
  harness_open(&h, spaces);
  harness_step(&h, 20);
  sinew_actor actor = sinew_scene_find_actor(h.scene, "hero");
  const sinew_stage *stage = sinew_host_stage(h.host);
  int walk = find_sample(&h, actor, 1.4);
  if (!put_sample(&h, 1.4, 1.55, 0, answer)) fail_msg("%s", answer);
  harness_expect(answer, "scene.lua:4: [2][1] 1.40 → 1.55");
  sinew_actor_node_playing(stage, actor, 0, walk, &before);
  assert_true(sinew_scene_reload(h.scene, &h.error));
  assert_int_equal(find_sample(&h, actor, 1.55), walk);
  harness_step(&h, 1);
  sinew_actor_node_playing(stage, actor, 0, walk, &after);
  assert_true(before.time > 0.2 && after.time > before.time && after.time < before.time + 0.05);
  if (!put_sample(&h, -1, -0.75, 0.25, answer)) fail_msg("%s", answer);
  harness_expect(answer, "scene.lua:6: [2][1] -1e0 → -0.75, [2][2] 0.5 → 0.25");
  read_script(&h, text);
  assert_non_null(strstr(text, "{ -0.75, 0.25, 'Walk' }, 'Run'"));
  assert_non_null(strstr(text, "{ 1.55, 'Walk' }"));
  assert_true(sinew_scene_reload(h.scene, &h.error));
  sinew_edit alone = {
      .actor = actor, .kind = SINEW_EDIT_SAMPLE, .field = "sample", .index = find_sample(&h, actor, -0.75) + 1};
  assert_false(sinew_scene_write(h.scene, &alone, answer, sizeof answer));
  harness_expect(answer, "scene.lua:6: '[3][1]' is not written there as a number");
  alone.index = 1; /* no sample */
  assert_false(sinew_scene_write(h.scene, &alone, answer, sizeof answer));
  assert_true(sinew_scene_undo(h.scene, answer, sizeof answer));
  assert_true(sinew_scene_undo(h.scene, answer, sizeof answer));
  read_script(&h, text);
  assert_string_equal(text, spaces);
  harness_close(&h);
}

static const char parts[] = "local sinew = require 'sinew'\n"
                            "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
                            "hero:layer('arm', { mask = { ['RightShoulder/**'] = 1 }, weight = 0.5 }):play 'Wave'\n"
                            "hero:layer('head', { weight = 1 })\n"
                            "hero:set_modifiers {\n"
                            "  sinew.look_at { 'gaze', chain = { 'Head' }, target = { 0, 1.5, 3 }, weight = .8 },\n"
                            "  sinew.ik { 'grip', tip = 'LeftHand', target = sinew.vec3(1, 1, 1), weight = 0.25 } }\n";

static bool put_part(harness *h, sinew_edit edit, char answer[512]) {
  edit.actor = sinew_scene_find_actor(h->scene, "hero");
  bool good = sinew_scene_write(h->scene, &edit, answer, 512);
  return good && sinew_scene_reload(h->scene, &h->error);
}

static void layers_and_modifiers_go_to_their_places(void **state) {
  static harness h;
  char answer[512];
  (void)state;
  harness_open(&h, parts);
  harness_step(&h, 2);
  assert_true(
      put_part(&h, (sinew_edit){.kind = SINEW_EDIT_LAYER, .layer = 1, .field = "weight", .value = 0.75}, answer));
  harness_expect(answer, "scene.lua:3: weight 0.5 → 0.75");
  assert_true(put_part(&h, (sinew_edit){.kind = SINEW_EDIT_LAYER, .layer = 2, .field = "weight", .value = 0}, answer));
  harness_expect(answer, "scene.lua:4: weight 1 → 0");
  assert_false(put_part(&h, (sinew_edit){.kind = SINEW_EDIT_LAYER, .layer = 0, .field = "weight"}, answer));
  sinew_edit gaze = {.kind = SINEW_EDIT_MODIFIER, .field = "target", .value = -0.5, .y = 1.25, .z = 3};
  if (!put_part(&h, gaze, answer)) fail_msg("%s", answer);
  harness_expect(answer, "scene.lua:6: target[1] 0 → -0.5, target[2] 1.5 → 1.25, target[3] 3 → 3");
  assert_true(put_part(&h, (sinew_edit){.kind = SINEW_EDIT_MODIFIER, .field = "weight", .value = 0.125}, answer));
  harness_expect(answer, "scene.lua:6: weight .8 → 0.125");
  sinew_edit grip = {.kind = SINEW_EDIT_MODIFIER, .index = 1, .field = "target"};
  assert_false(put_part(&h, grip, answer));
  harness_expect(answer, "scene.lua:7: 'target' is not written there as a table of constants");
  grip.index = 2; /* there is none */
  assert_false(put_part(&h, grip, answer));
  for (int i = 0; i < 4; i++) assert_true(sinew_scene_undo(h.scene, answer, sizeof answer));
  char text[2048];
  read_script(&h, text);
  assert_string_equal(text, parts);
  harness_close(&h);
}

static const char assigned[] = "local sinew = require 'sinew'\n"
                               "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
                               "hero:set_modifiers { sinew.ik { 'grip', tip = 'LeftHand', target = { 1, 1, 1 }, pole = "
                               "{ 0, 0, 1 }, weight = 0.25 } "
                               "}\n"
                               "hero.modifiers.grip.weight = 0.5\n"
                               "hero.modifiers.grip.target = { 0, 1, 2 }\n"
                               "hero.modifiers.grip.pole = { 0, 0, 3 }\n";

/* What was assigned after the call is written where it was assigned, as numbers or as Lua. */
static void an_assignment_overrides_the_call(void **state) {
  static harness h;
  char answer[512];
  (void)state;
  harness_open(&h, assigned);
  harness_step(&h, 2);
  sinew_edit weight = {.kind = SINEW_EDIT_MODIFIER, .field = "weight", .value = 0.75};
  sinew_edit target = {.kind = SINEW_EDIT_MODIFIER, .field = "target", .value = 0.25, .y = 1.5, .z = 2};
  sinew_edit pole = {.kind = SINEW_EDIT_MODIFIER, .field = "pole", .text = "{ 0, 0.5, 4 }"};
  if (!put_part(&h, weight, answer)) fail_msg("%s", answer);
  harness_expect(answer, "scene.lua:4: weight 0.5 → 0.75");
  if (!put_part(&h, target, answer)) fail_msg("%s", answer);
  harness_expect(answer, "scene.lua:5: target { 0, 1, 2 } → { 0.25, 1.5, 2 }");
  if (!put_part(&h, pole, answer)) fail_msg("%s", answer);
  harness_expect(answer, "scene.lua:6: pole { 0, 0, 3 } → { 0, 0.5, 4 }");
  sinew_modifier_def now;
  assert_true(
      sinew_actor_read_modifier_state(sinew_host_stage(h.host), sinew_scene_find_actor(h.scene, "hero"), 0, &now));
  assert_true(now.weight == 0.75f && now.target.x == 0.25f && now.target.y == 1.5f && now.pole.y == 0.5f);
  harness_close(&h);
}

/* ---- lists ---- */

static const char lists[] =
    "local sinew = require 'sinew'\n"
    "local man = sinew.model 'hero.glb'\n"
    "man:markers('Walk', { { 0.6, 'late', silent = false }, { 0.1, 'early', silent = false },\n"
    "  { 0.3, 'early', silent = false }, { 0.2, 'mid', silent = false } })\n"
    "local hero = sinew.actor('hero', man)\n"
    "hero:set_graph(sinew.state_machine { start = 'a', states = { a = sinew.clip { 'Idle', speed = 0.5 },\n"
    "  b = sinew.state_machine { states = { c = sinew.clip { 'Walk', speed = 0.6 },\n"
    "      d = sinew.clip { 'Run', speed = 0.7 } },\n"
    "    transitions = { { 'c', 'd', on = 'x', fade = 0.11 }, { 'd', 'c', on = 'y', fade = 0.12 } } } },\n"
    "  transitions = { { 'a', 'b', on = 'x', fade = 0.21 }, { 'b', 'a', on = 'y', fade = 0.22 },\n"
    "    { 'a', 'b', on = 'z', fade = 0.23 } } })\n"
    "hero:layer('one', { weight = 0.31 })\n"
    "hero:layer('two', { weight = 0.32 })\n"
    "hero:layer('three', { weight = 0.33 })\n"
    "hero:play('Wave', { weight = 0.1, speed = 0.41 })\n"
    "hero:play('Idle', { weight = 0.2, speed = 0.42 })\n"
    "hero:play('Wave', { weight = 0.3, speed = 0.43 })\n"
    "hero:set_modifiers { sinew.ik { 'l', tip = 'LeftHand', target = { 1, 1, 1 }, weight = 0.51 },\n"
    "  sinew.limit { 'm', joint = 'Head', weight = 0.52 },\n"
    "  sinew.limit { 'n', joint = 'Neck', weight = 0.53 } }\n";

static bool read_transition(const harness *h, sinew_actor actor, int index, double *value) {
  sinew_transition_def t;
  bool found = sinew_actor_transition_def(sinew_host_stage(h->host), actor, 0, index, &t);
  if (found) *value = t.fade;
  return found;
}

static bool read_node(const harness *h, sinew_actor actor, int index, double *value) {
  sinew_node_def n;
  bool found = sinew_actor_node(sinew_host_stage(h->host), actor, 0, index, &n);
  if (found) *value = n.kind == SINEW_NODE_CLIP ? n.speed : -1;
  return found;
}

/* Of the layers that the scene adds. */
static bool read_layer(const harness *h, sinew_actor actor, int index, double *value) {
  const sinew_stage *stage = sinew_host_stage(h->host);
  if (index + 1 >= sinew_actor_layer_count(stage, actor)) return false;
  *value = (double)sinew_actor_layer(stage, actor, index + 1).weight;
  return true;
}

static bool read_action(const harness *h, sinew_actor actor, int index, double *value) {
  const sinew_stage *stage = sinew_host_stage(h->host);
  sinew_play_def s;
  if (index >= sinew_actor_action_count(stage, actor, 0)) return false;
  assert_true(sinew_action_read_state(stage, sinew_actor_action(stage, actor, 0, index), &s));
  *value = s.speed;
  return true;
}

static bool read_modifier(const harness *h, sinew_actor actor, int index, double *value) {
  sinew_modifier_def s;
  bool found = sinew_actor_read_modifier_state(sinew_host_stage(h->host), actor, index, &s);
  if (found) *value = (double)s.weight;
  return found;
}

static int walk_of(const harness *h, sinew_actor actor) {
  return sinew_model_find_clip(sinew_actor_model(sinew_host_stage(h->host), actor), "Walk");
}

static const sinew_marker *marker_of(const harness *h, sinew_actor actor, int index) {
  const sinew_stage *stage = sinew_host_stage(h->host);
  int count = 0;
  const sinew_marker *all = sinew_stage_markers(stage, sinew_actor_model(stage, actor), walk_of(h, actor), &count);
  return index < count ? all + index : NULL;
}

static bool read_marker_time(const harness *h, sinew_actor actor, int index, double *value) {
  const sinew_marker *m = marker_of(h, actor, index);
  if (m) *value = m->time;
  return m;
}

static bool read_marker_flag(const harness *h, sinew_actor actor, int index, double *value) {
  const sinew_marker *m = marker_of(h, actor, index);
  if (m) *value = m->silent;
  return m;
}

typedef struct item_list {
  const char *name;
  sinew_edit_kind kind;
  const char *field;
  bool (*read)(const harness *h, sinew_actor actor, int index, double *value); /* false: there is no such item */
  int count;                                                                   /* of items with the field */
} item_list;

enum { ITEMS = 16 };

static int read_items(const harness *h, const item_list *list, sinew_actor actor, double values[ITEMS]) {
  int count = 0;
  while (count < ITEMS && list->read(h, actor, count, values + count)) count++;
  return count;
}

static sinew_edit edit_of_item(const harness *h, const item_list *list, sinew_actor actor, int index) {
  sinew_edit edit = {.kind = list->kind, .actor = actor, .field = list->field, .index = index};
  if (list->kind == SINEW_EDIT_LAYER) edit.layer = index + 1;
  if (list->kind == SINEW_EDIT_MARKER) edit.layer = walk_of(h, actor);
  if (list->kind == SINEW_EDIT_ACTION) edit.action = sinew_actor_action(sinew_host_stage(h->host), actor, 0, index);
  return edit;
}

enum { WRITES = 25 };

/* Writes each item of the list in turn. The save that follows changes this item, and no other. `texts` gets the script
 * as it was before each. */
static void write_each(harness *h, const item_list *list, char texts[][2048]) {
  sinew_actor actor = sinew_scene_find_actor(h->scene, "hero");
  double before[ITEMS], after[ITEMS];
  char answer[512];
  int written = 0, count = read_items(h, list, actor, before);
  for (int i = 0; i < count; i++) {
    if (before[i] < 0) continue;
    sinew_edit edit = edit_of_item(h, list, actor, i);
    edit.value = before[i] + 0.0625;
    if (list->read == read_marker_flag) edit.text = "true";
    read_script(h, texts[written]);
    if (!sinew_scene_write(h->scene, &edit, answer, sizeof answer)) fail_msg("%s %d: %s", list->name, i, answer);
    if (!sinew_scene_reload(h->scene, &h->error)) fail_msg("%s", h->error.message);
    assert_int_equal(read_items(h, list, actor, after), count);
    for (int k = 0; k < count; k++) {
      double wanted = k != i ? before[k] : edit.text ? 1 : edit.value;
      if (fabs(after[k] - wanted) > 1e-6) fail_msg("%s %d: item %d is %g: %s", list->name, i, k, after[k], answer);
    }
    memcpy(before, after, sizeof before);
    written++;
  }
  assert_int_equal(written, list->count);
}

static void each_item_of_a_list_goes_to_its_own_place(void **state) {
  static const item_list all[] = {{"transition", SINEW_EDIT_TRANSITION, "fade", read_transition, 5},
                                  {"node", SINEW_EDIT_NODE, "speed", read_node, 3},
                                  {"layer", SINEW_EDIT_LAYER, "weight", read_layer, 3},
                                  {"action", SINEW_EDIT_ACTION, "speed", read_action, 3},
                                  {"modifier", SINEW_EDIT_MODIFIER, "weight", read_modifier, 3},
                                  {"marker", SINEW_EDIT_MARKER, "time", read_marker_time, 4},
                                  {"marker", SINEW_EDIT_MARKER, "silent", read_marker_flag, 4}};
  static char texts[WRITES][2048], text[2048];
  static harness h;
  char answer[512];
  int written = 0, undone = 0;
  (void)state;
  harness_open(&h, lists);
  harness_step(&h, 2);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    write_each(&h, all + i, texts + written);
    written += all[i].count;
  }
  assert_int_equal(written, WRITES);
  while (sinew_scene_undo(h.scene, answer, sizeof answer)) { /* the latest first, as many as are remembered */
    read_script(&h, text);
    assert_string_equal(text, texts[WRITES - ++undone]);
  }
  assert_in_range(undone, 10, WRITES - 1);
  harness_expect(answer, "nothing to undo");
  harness_close(&h);
}

static const char values[] =
    "local sinew = require 'sinew'\n"
    "local hero = sinew.actor('hero', sinew.model 'hero.glb', { visible = true, params = { pace = 1 } })\n"
    "hero.opacity = 0.50 -- a ghost\n"
    "hero.morphs.Smile = 1; hero.morphs['Blink'] = 0.25\n"
    "hero.params.pace = 2\n"
    "hero:layer('arm', { mask = { ['RightArm/**'] = 1,\n"
    "  ['Spine'] = 0.5 }, space = 'local', weight = 1 })\n"
    "sinew.view.skeleton, sinew.view.surface = true, 'shaded'\n"
    "sinew.view.wireframe = false sinew.view.joint = 'Head'\n"
    "hero.morphs.Blink = hero.opacity\n"
    "hero:attach('LeftHand', sinew.actor('held', hero.model), {\n"
    "  offset = { position = { 0, 0.1, 0 }, rotation = 0.5 } })\n";

/* As Apply writes them: one after the other, and the reload that comes then changes nothing. */
static void any_value_goes_to_its_place(void **state) {
  static const struct {
    sinew_edit edit;
    bool good;
    const char *answer;
  } cases[] = {
      {{.field = "opacity", .value = 0.75}, true, "scene.lua:3: opacity 0.50 → 0.75"},
      {{.field = "morphs.Smile", .value = 0.5}, true, "scene.lua:4: morphs.Smile 1 → 0.5"},
      {{.field = "visible", .text = "false"}, true, "scene.lua:2: visible true → false"},
      {{.field = "params.pace", .value = 3}, true, "scene.lua:5: params.pace 2 → 3"},
      {{.kind = SINEW_EDIT_LAYER, .layer = 1, .field = "mask", .text = "{ Head = 0.5 }"}, true, "scene.lua:6: mask {"},
      {{.kind = SINEW_EDIT_LAYER, .layer = 1, .field = "space", .text = "\"model\""},
       true,
       "space 'local' → \"model\""},
      {{.kind = SINEW_EDIT_VIEW, .field = "wireframe", .text = "true"}, true, "scene.lua:9: wireframe false → true"},
      {{.kind = SINEW_EDIT_VIEW, .field = "joint", .text = "\"Hips\""}, true, "scene.lua:9: joint 'Head' → \"Hips\""},
      {{.kind = SINEW_EDIT_ATTACHMENT, .field = "offset.position", .text = "{ 0.5, 0.1, 0 }"},
       true,
       "offset.position { 0, 0.1, 0 } → { 0.5, 0.1, 0 }"},
      {{.kind = SINEW_EDIT_ATTACHMENT, .field = "offset.rotation", .text = "{ 0, 0, 0, 1 }"},
       false,
       "'offset.rotation' is not written there as a table of constants"},
      {{.field = "morphs.Blink", .value = 1}, false, "scene.lua:10: 'morphs.Blink' is not written there as a number"},
      {{.kind = SINEW_EDIT_VIEW, .field = "skeleton", .text = "false"}, false, "the line does not set 'skeleton'"},
      {{.kind = SINEW_EDIT_VIEW, .field = "names", .text = "true"}, true, "+ sinew.view.names = true"},
      {{.kind = SINEW_EDIT_LAYER, .layer = 1, .field = "weight", .value = 0.5}, true, "weight 1 → 0.5"},
      {{.field = "skinning", .text = "\"dual_quaternion\""}, true, "scene.lua:2: + skinning = \"dual_quaternion\""}};
  enum { CASES = sizeof cases / sizeof *cases };
  static harness h;
  char text[2048], answer[512];
  int written = 0;
  (void)state;
  harness_open(&h, values);
  harness_step(&h, 2);
  for (int i = 0; i < CASES; i++) {
    sinew_edit edit = cases[i].edit;
    edit.actor = sinew_scene_find_actor(h.scene, edit.kind == SINEW_EDIT_ATTACHMENT ? "held" : "hero");
    bool good = sinew_scene_write(h.scene, &edit, answer, sizeof answer);
    if (good != cases[i].good) fail_msg("%s", answer);
    harness_expect(answer, cases[i].answer);
    written += good;
  }
  read_script(&h, text);
  assert_non_null(strstr(text, "mask = { Head = 0.5 \n}, space = \"model\", weight = 0.5"));
  assert_non_null(strstr(text, "'Head'\nsinew.view.names = true\n") ||
                  strstr(text, "\"Hips\"\nsinew.view.names = true\n"));
  assert_non_null(strstr(text, "params = { pace = 1 }, skinning = \"dual_quaternion\" })\n"));
  if (!sinew_scene_reload(h.scene, &h.error)) fail_msg("%s", h.error.message);
  sinew_actor hero = sinew_scene_find_actor(h.scene, "hero");
  const sinew_stage *stage = sinew_host_stage(h.host);
  sinew_layer_def layer = sinew_actor_layer(stage, hero, 1);
  const sinew_model *model = sinew_actor_model(stage, hero);
  assert_false(sinew_actor_is_visible(stage, hero));
  assert_true(sinew_actor_opacity(stage, hero) == 0.75f && sinew_actor_morph(stage, hero, "Smile") == 0.5f);
  assert_true(layer.space == SINEW_LAYER_MODEL && layer.joint_weights[sinew_model_find_joint(model, "Head")] == 0.5f);
  assert_true(layer.joint_weights[sinew_model_find_joint(model, "RightHand")] == 0);
  assert_true(sinew_host_view(h.host)->wireframe);
  for (int i = 0; i < written; i++) assert_true(sinew_scene_undo(h.scene, answer, sizeof answer));
  read_script(&h, text);
  assert_string_equal(text, values);
  harness_close(&h);
}

/* The call stands in a module, with its options in a table of its own: the number is found there, and so is that of a
 * table in a variable. */
static void a_module_is_written_as_the_scene_is(void **state) {
  static const char module[] = "return function(hero)\n"
                               "  hero:play('Walk', { speed = 1 })\n"
                               "  local still = { weight = 0, speed = 1 }\n"
                               "  hero:play('Idle', still)\n"
                               "end\n";
  harness h;
  char path[200], text[512], answer[512];
  (void)state;
  harness_open_host(&h);
  snprintf(path, sizeof path, "%s/part.lua", h.folder);
  harness_write(path, module);
  assert_true(harness_load(&h,
                           "local sinew = require 'sinew'\n"
                           "require 'part'(sinew.actor('hero', sinew.model 'hero.glb'))\n",
                           NULL));
  harness_step(&h, 2);
  if (!put(&h, 0, "speed", 1.5, answer)) fail_msg("%s", answer);
  harness_expect(answer, "part.lua:2: speed 1 → 1.5");
  if (!put(&h, 1, "speed", 1.5, answer)) fail_msg("%s", answer);
  harness_expect(answer, "part.lua:4: speed 1 → 1.5");
  FILE *file = fopen(path, "rb");
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  assert_non_null(strstr(text, "hero:play('Walk', { speed = 1.5 })\n  local still = { weight = 0, speed = 1.5 }"));
  harness_close(&h);
}

/* Each leaves the file as it is, and says why. */
static void what_has_no_one_place_is_refused(void **state) {
  static harness h;
  char text[2048], answer[512];
  sinew_actor actor;
  (void)state;
  harness_open(&h, scene);
  harness_step(&h, 2);
  assert_false(put(&h, 1, "speed", 2, answer));
  harness_expect(answer, "scene.lua:8: 'speed' is not written there as a number");
  sinew_edit gone = {.kind = SINEW_EDIT_ACTION, .action = action_of(&h, 0, &actor), .field = "speed", .value = 1};
  assert_false(sinew_scene_write(h.scene, &gone, answer, sizeof answer));
  read_script(&h, text);
  assert_string_equal(text, scene);
  /* Somebody else has saved meanwhile. */
  harness_write(h.path, "-- other\n");
  assert_false(put(&h, 0, "speed", 2, answer));
  harness_expect(answer, "has changed since it was loaded");
  harness_write(h.path, scene);
  assert_true(put(&h, 0, "speed", 2, answer));
  harness_write(h.path, "-- other\n");
  assert_false(sinew_scene_undo(h.scene, answer, sizeof answer));
  harness_expect(answer, "changed since");
  assert_false(sinew_scene_undo(h.scene, answer, sizeof answer)); /* it is forgotten */
  harness_expect(answer, "nothing to undo");
  read_script(&h, text);
  assert_string_equal(text, "-- other\n");
  harness_close(&h);
}

static int count_files(const char *folder) {
  DIR *opened = opendir(folder);
  int count = -2; /* "." and ".." */
  assert_non_null(opened);
  while (readdir(opened)) count++;
  closedir(opened);
  return count;
}

/* A limit on the size of files is what a full disk is to a program. */
static void a_full_disk_leaves_the_script(void **state) {
  static harness h;
  char text[2048], answer[512];
  struct rlimit before, none;
  (void)state;
  harness_open(&h, scene);
  harness_step(&h, 2);
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &before);
  none = (struct rlimit){0, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &none);
  bool written = put(&h, 0, "speed", 1.25, answer);
  setrlimit(RLIMIT_FSIZE, &before);
  assert_false(written);
  harness_expect(answer, "scene.lua");
  read_script(&h, text);
  assert_string_equal(text, scene);
  assert_int_equal(count_files(h.folder), 1);
  assert_true(put(&h, 0, "speed", 1.25, answer));
  harness_close(&h);
}

/* The states of a path while somebody moves, unpacks or mounts things around a running scene. A fifo would block
 * whoever opens it, and ctest's time limit would end this test. */
static void fifo(const char *path) { assert_int_equal(mkfifo(path, 0600), 0); }
static void folder(const char *path) { assert_int_equal(mkdir(path, 0700), 0); }
static void loop(const char *path) { assert_int_equal(symlink(path, path), 0); }
static void dangling(const char *path) { assert_int_equal(symlink("/nowhere", path), 0); }
static void nothing(const char *path) { (void)path; }

static void something_else_is_where_the_script_was(void **state) {
  static void (*const put_there[])(const char *path) = {fifo, folder, loop, dangling, nothing};
  static harness h;
  char answer[512];
  (void)state;
  for (size_t i = 0; i < sizeof put_there / sizeof *put_there; i++) {
    harness_open(&h, "local sinew = require 'sinew'\n"
                     "local hero = sinew.actor('hero', sinew.model 'hero.glb', { params = { pace = 0.5 } })\n"
                     "hero:play('Walk', { speed = 1.0 })\n"
                     "function sinew.update() if sinew.frame > 2 then error 'late' end end\n");
    harness_step(&h, 2);
    remove(h.path);
    put_there[i](h.path);
    assert_false(put(&h, 0, "speed", 1.25, answer));
    assert_false(put(&h, -1, "params.pace", 0.75, answer));
    assert_false(sinew_scene_reload(h.scene, &h.error));
    harness_step(&h, 2); /* the message of the error quotes the script */
    harness_expect(sinew_scene_problem(h.scene), "scene.lua");
    remove(h.path);
    assert_true(harness_reload(&h, "print 'back'"));
    harness_step(&h, 1);
    harness_close(&h);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_link_stays_a_link),
                                     cmocka_unit_test(an_assignment_overrides_the_call),
                                     cmocka_unit_test(any_value_goes_to_its_place),
                                     cmocka_unit_test(each_item_of_a_list_goes_to_its_own_place),
                                     cmocka_unit_test(a_module_is_written_as_the_scene_is),
                                     cmocka_unit_test(a_number_goes_to_its_place),
                                     cmocka_unit_test(a_sample_goes_to_its_place),
                                     cmocka_unit_test(layers_and_modifiers_go_to_their_places),
                                     cmocka_unit_test(what_has_no_one_place_is_refused),
                                     cmocka_unit_test(a_full_disk_leaves_the_script),
                                     cmocka_unit_test(something_else_is_where_the_script_was)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
