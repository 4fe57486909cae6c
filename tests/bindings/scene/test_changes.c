/* Changes made in panels are recorded by what they change: a replay of edited code, whose panels look otherwise, gives
 * them to the same things. */
#include "bindings/scene/past.h"

#include "host/edit/change.h"

#include <sinew/actor_modifiers.h>
#include <sinew/graph.h>
#include <sinew/playing.h>

enum { WALK_NODE = 2 };

/* A scene in which clicks could hit the wrong thing: parameters, layers, modifiers, actors and widgets of the new code
 * come first. */
static const char text[] =
    "local sinew = require 'sinew'\n"
    "local man = sinew.model('hero.glb', { clips = { 'hero_extra.glb' } })\n"
    "%s\n"
    "local hero = sinew.actor('hero', man, { params = { %s speed = 1, side = 0 } })\n"
    "%s\n"
    "local lamp = sinew.actor('lamp', man)\n"
    "hero:set_graph(sinew.blend_space_1d { param = 'speed', sync = true, { 0, 'Idle' }, { 1.4, 'Walk' },"
    " { 4, 'Run' } })\n"
    "local upper = hero:layer('upper', { mask = { ['Spine/**'] = 1 } })\n"
    "upper:play('Wave', { weight = 0.8 })\n"
    "hero:set_modifiers { %s sinew.look_at { 'look', chain = { 'Head' }, target = { 0, 1.6, 2 } } }\n"
    "hero:attach('RightHand', lamp, { offset = { position = { 0, 0.1, 0 } } })\n"
    "lamp:set_graph(sinew.state_machine { start = 'a', states = { a = 'Idle', b = 'Walk' },\n"
    "transitions = { %s { 'a', 'b', on = 'x', fade = 0.3 } } })\n"
    "local of = { size = 1, lit = false, more = 1, deep = false, turned = false, page = 0 }\n"
    "local pressed = 0\n"
    "secret = 'none'\n"
    "function sinew.update()\n"
    "  sinew.ui.panel('Panel', function()\n"
    "    %s\n"
    "    sinew.ui.slider(of, 'size', 0, 2)\n"
    "    sinew.ui.checkbox(of, 'lit')\n"
    "    if sinew.ui.button 'press' then pressed = pressed + 1 end\n"
    "    sinew.ui.tree('fold', function() sinew.ui.checkbox(of, 'deep') end)\n"
    "    local seen = {}\n"
    "    sinew.ui.tabs('pages', { %s { 'one', function() seen[1] = 1 end },\n"
    "      { 'two', function() seen[1] = 2 sinew.ui.checkbox(of, 'turned') end } })\n"
    "    of.page = seen[1] or of.page\n"
    "  end)\n"
    "end\n"
    "function sinew.key_pressed(key) print('told ' .. key) end\n"
    "function sinew.mouse_pressed(button) print('mouse ' .. button) end\n"
    "function sinew.draw()\n"
    "  if sinew.frame == 60 then print('page', of.page) end\n"
    "  if sinew.frame == 90 then print('end', of.size, of.lit, pressed, secret, sinew.selected and "
    "sinew.selected.joint, hero.params.speed, of.deep, of.turned, of.page) end\n"
    "end\n";

static void write_scene(harness *h, bool edited) {
  static char out[4096];
  if (edited)
    snprintf(out, sizeof out, text, "sinew.actor('first', man).position = { 3, 0, 0 }", "before = 2,",
             "hero:layer('lower', { mask = { ['Hips/**'] = 1 } })",
             "sinew.look_at { 'early', chain = { 'Neck' }, weight = 0 },", "{ 'b', 'a', on = 'y' },",
             "sinew.ui.text 'a line more' sinew.ui.slider(of, 'more', 0, 2) sinew.ui.button 'other'",
             "{ 'zero', function() seen[2] = 1 end },");
  else snprintf(out, sizeof out, text, "", "", "", "", "", "", "");
  harness_write(h->path, out);
}

static void open_run(harness *h, bool records, bool edited) {
  static char log[128];
  sinew_host_def def = sinew_host_def_default();
  if (records) {
    memset(h, 0, sizeof *h);
    snprintf(h->folder, sizeof h->folder, "/tmp/sinew-test-XXXXXX");
    assert_non_null(mkdtemp(h->folder));
    snprintf(h->path, sizeof h->path, "%s/scene.lua", h->folder);
    snprintf(log, sizeof log, "%s/run.rec", h->folder);
  }
  h->printed[0] = '\0';
  def.output = records ? SINEW_OUTPUT_OFFSCREEN : SINEW_OUTPUT_NONE;
  def.width = 960, def.height = 540;
  def.panels_only = records;
  *(records ? &def.record_input : &def.replay_input) = log;
  h->host = sinew_host_create(&def, &h->error);
  if (!h->host) fail_msg("%s", h->error.message);
  write_scene(h, edited);
  sinew_scene_def scene = sinew_scene_def_default();
  scene.print = harness_print, scene.print_user = h;
  h->scene = sinew_scene_create(h->host, h->path, &scene, &h->error);
  if (!h->scene) fail_msg("%s", h->error.message);
  sinew_app app = sinew_scene_app(h->scene);
  sinew_host_set_app(h->host, &app);
}

static void close_run(harness *h) {
  sinew_scene_destroy(h->scene);
  sinew_host_destroy(h->host);
}

/* ---- fields of every kind of object ---- */

static sinew_edit of_hero(const harness *h) { return (sinew_edit){.actor = sinew_scene_find_actor(h->scene, "hero")}; }

static int layer_of(const harness *h, const char *name) {
  sinew_actor hero = of_hero(h).actor;
  for (int i = 0; i < sinew_actor_layer_count(h->host->stage, hero); i++)
    if (strcmp(sinew_actor_layer_name(h->host->stage, hero, i), name) == 0) return i;
  fail_msg("there is no layer %s", name);
  return -1;
}

static int modifier_of(const harness *h, const char *name) {
  sinew_actor hero = of_hero(h).actor;
  for (int i = 0; i < sinew_actor_modifier_count(h->host->stage, hero); i++)
    if (strcmp(sinew_actor_modifier_name(h->host->stage, hero, i), name) == 0) return i;
  fail_msg("there is no modifier %s", name);
  return -1;
}

static int way_of_lamp(const harness *h) {
  sinew_transition_def way;
  sinew_actor lamp = sinew_scene_find_actor(h->scene, "lamp");
  for (int i = 0; sinew_actor_transition_def(h->host->stage, lamp, 0, i, &way); i++)
    if (strcmp(way.event, "x") == 0) return i;
  fail_msg("there is no such transition");
  return -1;
}

/* Describes the changed things in words. */
static void describe(const harness *h, char *out, size_t size) {
  sinew_stage *s = h->host->stage;
  sinew_actor hero = of_hero(h).actor, lamp = sinew_scene_find_actor(h->scene, "lamp"), chosen;
  sinew_layer_def upper = sinew_actor_layer(s, hero, layer_of(h, "upper"));
  sinew_play_def wave;
  sinew_modifier_def look;
  sinew_node_def walk;
  sinew_transition_def way;
  sinew_playing clip;
  sinew_attachment held;
  int arm = sinew_model_find_joint(sinew_actor_model(s, hero), "LeftArm"), picked, params[2] = {-1, -1};
  for (int i = 0; i < sinew_actor_param_count(s, hero); i++) {
    if (strcmp(sinew_actor_param_name(s, hero, i), "speed") == 0) params[0] = i;
    if (strcmp(sinew_actor_param_name(s, hero, i), "side") == 0) params[1] = i;
  }
  assert_true(sinew_action_read_state(s, sinew_actor_action(s, hero, layer_of(h, "upper"), 0), &wave));
  assert_true(sinew_actor_read_modifier_state(s, hero, modifier_of(h, "look"), &look));
  assert_true(sinew_actor_node(s, hero, 0, WALK_NODE, &walk));
  assert_true(sinew_actor_transition_def(s, lamp, 0, way_of_lamp(h), &way));
  sinew_actor_node_playing(s, hero, 0, WALK_NODE, &clip);
  assert_true(sinew_actor_attachment(s, lamp, &held));
  bool any = sinew_host_selected(h->host, &chosen, &picked), pinned;
  double seen = sinew_actor_seen_param(s, hero, params[0], &pinned);
  snprintf(out, size,
           "side %a seen %a pinned %d visible %d opacity %a wave %a %a %d %a layer %a %d mask %a look %a %a %a %a "
           "walk at %a phase %a lamp %a %a picked %s %d paused %d node %a way %a surface %d of %s",
           sinew_actor_param(s, hero, params[1]), seen, pinned, sinew_actor_is_visible(s, hero),
           (double)sinew_actor_opacity(s, hero), (double)wave.weight, wave.speed, wave.paused, wave.time,
           (double)upper.weight, upper.space, (double)(upper.joint_weights ? upper.joint_weights[arm] : 1),
           (double)look.weight, (double)look.target.x, (double)look.target.y, (double)look.target.z, walk.x, clip.phase,
           (double)held.offset.translation.y, (double)held.offset.rotation.w, any ? sinew_actor_name(s, chosen) : "-",
           picked, h->host->view.wireframe, walk.speed, way.fade, (int)h->host->view.surface, h->host->view.joint);
}

typedef struct change_case {
  sinew_edit_kind of;
  const char *field;
  double values[7];
  int count;
} change_case;

static const change_case cases[] = {
    {SINEW_EDIT_ACTOR, "params.side", {0.1}, 1},
    {SINEW_EDIT_ACTOR, "pins.speed", {1.7}, 1},
    {SINEW_EDIT_ACTOR, "visible", {0}, 1},
    {SINEW_EDIT_ACTOR, "opacity", {0.3}, 1},
    {SINEW_EDIT_ACTION, "weight", {0.7}, 1},
    {SINEW_EDIT_ACTION, "speed", {0.6}, 1},
    {SINEW_EDIT_ACTION, "paused", {1}, 1},
    {SINEW_EDIT_ACTION, "time", {0.43}, 1},
    {SINEW_EDIT_LAYER, "weight", {0.9}, 1},
    {SINEW_EDIT_LAYER, "space", {1}, 1},
    {SINEW_EDIT_LAYER, "mask.LeftArm", {0.2, 1}, 2},
    {SINEW_EDIT_MODIFIER, "weight", {0.4}, 1},
    {SINEW_EDIT_MODIFIER, "target", {1.1, 1.2, 1.3}, 3},
    {SINEW_EDIT_ATTACHMENT, "offset", {0, 0.2, 0, 0, 0.6, 0, 0.8}, 7},
    {SINEW_EDIT_SAMPLE, "place", {1.5, 0}, 2},
    {SINEW_EDIT_SAMPLE, "time", {0.31}, 1},
    {SINEW_EDIT_ACTOR, "joint.LeftArm", {0}, 1},
    {SINEW_EDIT_VIEW, "wireframe", {1}, 1},
    {SINEW_EDIT_VIEW, "surface", {SINEW_SURFACE_WEIGHT}, 1},
    {SINEW_EDIT_VIEW, "joint", {0}, 0},
    {SINEW_EDIT_NODE, "speed", {0.5}, 1},
    {SINEW_EDIT_TRANSITION, "fade", {1.5}, 1},
};

static sinew_edit edit_of(const harness *h, const change_case *c) {
  sinew_edit of = of_hero(h);
  of.kind = c->of, of.field = c->field;
  if (c->count == 0) of.text = "RightArm";
  if (c->of == SINEW_EDIT_LAYER || c->of == SINEW_EDIT_ACTION) of.layer = layer_of(h, "upper");
  if (c->of == SINEW_EDIT_ACTION) of.action = sinew_actor_action(h->host->stage, of.actor, of.layer, 0);
  if (c->of == SINEW_EDIT_MODIFIER) of.index = modifier_of(h, "look");
  if (c->of == SINEW_EDIT_SAMPLE || c->of == SINEW_EDIT_NODE) of.index = WALK_NODE;
  if (c->of == SINEW_EDIT_TRANSITION) of.index = way_of_lamp(h);
  if (c->of == SINEW_EDIT_ATTACHMENT || c->of == SINEW_EDIT_TRANSITION)
    of.actor = sinew_scene_find_actor(h->scene, "lamp");
  return of;
}

static void expect_replay(harness *h, bool edited, const char *wanted) {
  static char found[2048];
  open_run(h, false, edited);
  assert_true(sinew_host_run(h->host, &h->error));
  describe(h, found, sizeof found);
  assert_string_equal(found, wanted);
  close_run(h);
}

/* Morph targets, which this hero has none of, and the lines of the console are tried below. */
static void a_change_of_each_kind_of_object_is_made_again(void **state) {
  (void)state;
  static char before[2048], wanted[2048];
  harness h;
  open_run(&h, true, false);
  harness_step(&h, 10);
  h.host->view.graph = true; /* or what is pinned is let go */
  tap(&h, "f6");             /* clips stand still: what differs is the change */
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const change_case *c = cases + i;
    const sinew_edit of = edit_of(&h, c);
    describe(&h, before, sizeof before);
    if (!change_make(h.host, &of, c->values, c->count)) fail_msg("a change of %s is refused", c->field);
    harness_step(&h, 1);
    describe(&h, wanted, sizeof wanted);
    if (strcmp(before, wanted) == 0) fail_msg("a change of %s changes nothing", c->field);
  }
  describe(&h, wanted, sizeof wanted);
  close_run(&h);
  expect_replay(&h, false, wanted);
  expect_replay(&h, true, wanted);
}

/* ---- by mouse and keys ---- */

static void click(harness *h, const char *label, float along) {
  float box[4];
  if (!ui_find_item(h->host->ui, label, box)) fail_msg("there is no '%s'", label);
  sinew_host_send_mouse(h->host, box[0] + along * (box[2] - box[0]), (box[1] + box[3]) / 2);
  harness_step(h, 2);
  sinew_host_send_button(h->host, 1, true);
  harness_step(h, 1);
  sinew_host_send_button(h->host, 1, false);
  harness_step(h, 2);
}

static void play_out(harness *h, bool edited, char *out, size_t size) {
  open_run(h, false, edited);
  assert_true(sinew_host_run(h->host, &h->error));
  snprintf(out, size, "%.4000s", h->printed);
  close_run(h);
}

/* The edited scene's widgets, tabs and lines stand elsewhere, so the clicks of then would hit others. */
static void what_hands_did_in_panels_is_done_again(void **state) {
  (void)state;
  static char live[4096], same[4096], edited[4096];
  harness h;
  open_run(&h, true, false);
  h.host->view.inspector = true;
  harness_step(&h, 5);
  click(&h, "size", 0.2f);
  click(&h, "lit", 0.1f);
  click(&h, "press", 0.5f);
  click(&h, "press", 0.5f);
  click(&h, "fold", 0.2f);
  click(&h, "deep", 0.1f);
  click(&h, "two", 0.5f);
  click(&h, "turned", 0.1f);
  click(&h, "Graph", 0.5f);
  click(&h, "Play", 0.5f);
  sinew_host_send_key(h.host, "left_ctrl", true);
  harness_step(&h, 1);
  tap(&h, "grave");
  sinew_host_send_key(h.host, "left_ctrl", false);
  harness_step(&h, 3);
  for (const char *c = "secret = 'kept'"; *c; c++) sinew_host_send_character(h.host, (unsigned char)*c);
  tap(&h, "w"); /* a letter: nobody is told */
  tap(&h, "enter");
  harness_step(&h, 90 - (int)sinew_host_frame(h.host));
  snprintf(live, sizeof live, "%.4000s", h.printed);
  assert_non_null(strstr(live, "end\t0.4"));
  assert_non_null(strstr(live, "true\t2\tkept"));
  assert_non_null(strstr(live, "true\ttrue\t2\n")); /* in the tree, on the page, and which that is */
  assert_null(strstr(live, "told w") || strstr(live, "mouse") ? live : NULL);
  close_run(&h);
  play_out(&h, false, same, sizeof same);
  assert_string_equal(same, live);
  play_out(&h, true, edited, sizeof edited);
  assert_string_equal(edited, live);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_change_of_each_kind_of_object_is_made_again),
                                     cmocka_unit_test(what_hands_did_in_panels_is_done_again)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
