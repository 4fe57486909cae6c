/* Saves keep the values of modifiers that scripts have set. */
#include "harness.h"

#include <sinew/actor_modifiers.h>

#define PREFIX                                                                                                         \
  "local sinew = require 'sinew'\n"                                                                                    \
  "local man = sinew.model 'hero.glb'\n"                                                                               \
  "local hero = sinew.actor('hero', man, { position = { 1, 0, 2 } })\n"

static sinew_stage *stage_of(const harness *h) { return sinew_host_stage(h->host); }
static sinew_actor actor_of(const harness *h) { return sinew_scene_find_actor(h->scene, "hero"); }

static sinew_modifier_def state_of(const harness *h, const char *name) {
  sinew_modifier_def state;
  const sinew_stage *stage = stage_of(h);
  int index = sinew_actor_find_modifier(stage, actor_of(h), name);
  assert_true(sinew_actor_read_modifier_state(stage, actor_of(h), index, &state));
  return state;
}

static const char *const looking =
    PREFIX "hero:set_modifiers {\n"
           "  sinew.look_at { 'look', chain = { 'Neck', 'Head' }, target = { 1, 1.6, 9 }, weight = 0.5 },\n"
           "  sinew.spring { 'tail', joints = { 'Ponytail1/**' } },\n"
           "  sinew.modifier { 'f', function() print 'old' end },\n"
           "}\n"
           "sinew.on('key_pressed', function() hero.modifiers.look.weight = 0.9; hero.modifiers.look.target = { 5, 1, "
           "5 } end)\n";

static char *edit(const char *text, const char *from, const char *to) {
  char *edited = malloc(strlen(text) + strlen(to) + 1);
  const char *at = strstr(text, from);
  assert_non_null(at);
  sprintf(edited, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  return edited;
}

static void reload_edited(harness *h, const char *text, const char *from, const char *to) {
  char *edited = edit(text, from, to);
  if (!harness_reload(h, edited)) fail_msg("%s", h->error.message);
  free(edited);
}

static void a_save_keeps_what_it_does_not_change(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, looking);
  harness_step(&h, 2);
  harness_key(&h, "m");
  assert_true(harness_reload(&h, looking));
  harness_expect(sinew_scene_summary(h.scene), "nothing declared has changed");
  assert_float_equal(state_of(&h, "look").weight, 0.9f, 1e-6f);
  reload_edited(&h, looking, "{ 1, 1.6, 9 }", "{ 2, 1.6, 9 }");
  harness_expect(sinew_scene_summary(h.scene), "hero look: target");
  assert_float_equal(state_of(&h, "look").weight, 0.9f, 1e-6f);
  assert_float_equal(state_of(&h, "look").target.x, 2, 1e-6f);
  harness_key(&h, "m");
  reload_edited(&h, looking, "weight = 0.5", "weight = 0.2"); /* and the target is the old one again */
  assert_float_equal(state_of(&h, "look").weight, 0.2f, 1e-6f);
  assert_float_equal(state_of(&h, "look").target.x, 1, 1e-6f);
  harness_key(&h, "m");
  h.printed[0] = 0;
  reload_edited(&h, looking, "'old'", "'new'");
  harness_step(&h, 1);
  harness_expect(h.printed, "new");
  assert_null(strstr(h.printed, "old"));
  harness_close(&h);
}

static void a_failed_save_leaves_modifiers_and_their_functions(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, looking);
  harness_step(&h, 2);
  char *broken = edit(looking, "sinew.on", "error 'no'\nsinew.on");
  assert_false(harness_reload(&h, broken));
  free(broken);
  h.printed[0] = 0;
  harness_step(&h, 1);
  harness_expect(h.printed, "old");
  assert_int_equal(sinew_actor_modifier_count(stage_of(&h), actor_of(&h)), 3);
  harness_close(&h);
}

static void modifiers_that_are_no_longer_declared_go(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, looking);
  harness_step(&h, 2);
  assert_true(harness_reload(&h, PREFIX));
  assert_int_equal(sinew_actor_modifier_count(stage_of(&h), actor_of(&h)), 0);
  h.printed[0] = 0;
  harness_step(&h, 2);
  assert_null(strstr(h.printed, "old"));
  harness_close(&h);
}

static void modifiers_set_at_run_time_go_on_after_a_save(void **state) {
  static harness h;
  static const char *const text =
      PREFIX "sinew.on('key_pressed', function()\n"
             "  hero:set_modifiers { sinew.modifier { 'late', function() print 'late' end } }\n"
             "end)\n";
  (void)state;
  harness_open(&h, text);
  harness_key(&h, "m");
  assert_true(harness_reload(&h, text));
  harness_step(&h, 2);
  harness_expect(h.printed, "late\nlate\n");
  harness_close(&h);
}

/* Nothing of it has changed but where it stands. */
static void a_modifier_knows_its_new_line(void **state) {
  (void)state;
  harness h;
  static const char text[] =
      "local sinew = require 'sinew'\n"
      "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
      "%shero:set_modifiers { sinew.limit { 'a', joint = 'Head' },\n"
      "%s  sinew.limit { 'b', joint = 'Neck' } }\n"
      "sinew.on('key_pressed', function() print(hero.modifiers.a.line, hero.modifiers.b.line) end)\n";
  char saves[2][1024];
  snprintf(saves[0], sizeof *saves, text, "", "");
  snprintf(saves[1], sizeof *saves, text, "-- a line\n", "\n\n");
  harness_open(&h, saves[0]);
  harness_step(&h, 2);
  assert_true(harness_reload(&h, saves[1]));
  harness_key(&h, "k");
  harness_expect(h.printed, "scene.lua:4\t");
  harness_expect(h.printed, "scene.lua:7\n");
  harness_close(&h);
}

/* Calls end inside first, and two tables may say the same. */
static void machines_in_one_line_know_their_own(void **state) {
  (void)state;
  harness h;
  harness_open(&h,
               "local sinew = require 'sinew'\n"
               "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
               "hero:set_graph(sinew.state_machine { start = 'a', states = { a = 'Idle', b = sinew.state_machine { "
               "start = 'a', states = { a = 'Idle', b = 'Walk' },\n"
               "transitions = { { 'a', 'b', on = 'in' } } } },\n"
               "transitions = { { 'a', 'b', on = 'go' } } })\n"
               "sinew.on('key_pressed', function(key) if key == 'k' then print(select(2, hero:history())[1].line) else "
               "hero:send 'go' end end)\n");
  harness_step(&h, 2);
  harness_key(&h, "g");
  harness_step(&h, 2);
  harness_key(&h, "k");
  harness_expect(h.printed, "scene.lua:5\n");
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_modifier_knows_its_new_line),
      cmocka_unit_test(machines_in_one_line_know_their_own),
      cmocka_unit_test(a_save_keeps_what_it_does_not_change),
      cmocka_unit_test(a_failed_save_leaves_modifiers_and_their_functions),
      cmocka_unit_test(modifiers_that_are_no_longer_declared_go),
      cmocka_unit_test(modifiers_set_at_run_time_go_on_after_a_save),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
