/* Values in the inspector that need more than the walk in test_controls.c: kept values, the options of a model,
 * vectors, and fields that share a name. */
#include "inspected.h"

static const char kept_scene[] = "local score = sinew.keep('score', { points = 3, on = true, at = sinew.vec3(1, 2, 3), "
                                 "name = 'x', ['two words'] = 1 })\n"
                                 "function sinew.update() hero.params.pace = score.points end";

/* Each is dragged, copied under its own name, and written over its default in the script. */
static void kept_values_have_controls(void **state) {
  static const char *const labels[] = {"score.points", "score.on", "score.at y"};
  static const char *const copied[] = {"sinew.keep(\"score\").points = ", "sinew.keep(\"score\").on = false",
                                       "sinew.keep(\"score\").at = sinew.vec3(1, "};
  static char before[4096], after[4096];
  (void)state;
  for (int i = 0; i < 3; i++) {
    harness h;
    float box[4];
    open_inspected(&h, kept_scene, true);
    click(&h, "Scene");
    assert_false(ui_find_item(h.host->ui, "score.name", box) || ui_find_item(h.host->ui, "score.two words", box));
    assert_true(drag(&h, labels[i], 0.05f, i == 1 ? 0 : 130));
    click(&h, "Copy as Lua");
    harness_expect(sinew_host_clipboard(h.host), copied[i]);
    if (i == 0) assert_true(sinew_actor_param(sinew_host_stage(h.host), edit_of(&h, SINEW_EDIT_ACTOR).actor, 0) != 3);
    read_script(&h, before);
    click(&h, "Apply");
    read_script(&h, after);
    assert_int_equal(strcmp(before, after) == 0, i == 2); /* no literal */
    if (i == 1) harness_expect(after, "on = false");
    close_scene(&h);
  }
}

/* The inspector shows the options that a model was loaded with, and lets nobody change them. */
static void the_options_of_a_model_are_shown_with_a_reason(void **state) {
  const float values[3] = {8};
  harness h;
  (void)state;
  open_inspected(&h, "", true);
  sinew_edit of = edit_of(&h, SINEW_EDIT_MODEL);
  click(&h, "Actor");
  click(&h, "model");
  int influences = find_control(&h, &of, "influences");
  sinew_control before = control_at(&h, &of, influences);
  assert_non_null(before.reason);
  drag(&h, "influences", 0.3f, 60);
  h.host->app.set_control(h.host->app.user, &of, influences, values);
  sinew_control now = control_at(&h, &of, influences);
  assert_true(is_same(&before, &now));
  assert_int_equal(h.host->inspector.changes.count, 0);
  close_scene(&h);
}

/* One of a node, the other of another node in the graph. */
static void a_value_leaves_those_before_it_as_they_are(void **state) {
  static const float slow[3] = {0.5f}, fast[3] = {1.5f};
  harness h;
  (void)state;
  open_inspected(&h, "hero:set_graph(sinew.blend { speed = 1, { 'Walk', 1 }, { 'Idle', 1 } })", true);
  sinew_edit of = edit_of(&h, SINEW_EDIT_NODE);
  int speed = find_control(&h, &of, "speed");
  h.host->app.set_control(h.host->app.user, &of, speed, slow);
  of.index = 1;
  h.host->app.set_control(h.host->app.user, &of, speed, fast);
  assert_true(control_at(&h, &of, speed).values[0] == 1.5f);
  of.index = 0;
  assert_true(control_at(&h, &of, speed).values[0] == 0.5f);
  close_scene(&h);
}

/* A joint's limit has no target to drag. */
static void a_modifier_shows_what_it_has(void **state) {
  harness h;
  float box[4];
  (void)state;
  open_inspected(&h, "hero:set_modifiers { sinew.limit { 'stiff', joint = 'Head' } }", true);
  click(&h, "Pose");
  assert_true(ui_find_item(h.host->ui, "weight", box));
  assert_false(ui_find_item(h.host->ui, "target y", box) || ui_find_item(h.host->ui, "pole y", box));
  close_scene(&h);
}

/* A value that returns to the one in the scene is no change. */
static void a_value_as_declared_is_not_copied(void **state) {
  harness h;
  (void)state;
  open_inspected(&h, "hero.visible = true", true);
  click(&h, "Actor");
  click(&h, "visible");
  assert_int_equal(h.host->inspector.changes.count, 1);
  click(&h, "visible");
  assert_int_equal(h.host->inspector.changes.count, 0);
  close_scene(&h);
}

/* Apply changes the line that declares the value. The reload of that save changes nothing. */
static void a_vector_is_written_into_the_script(void **state) {
  static const char *const lines[] = {"sinew.camera.target = { 0, 1, 0 }", "sinew.light.color = { 1, 0.5, 0.25 }"};
  (void)state;
  for (int i = 0; i < 2; i++) {
    harness h;
    open_inspected(&h, lines[i], true);
    click(&h, "Scene");
    assert_true(drag(&h, i ? "color" : "target y", 0.1f, -40));
    assert_int_equal(h.host->inspector.changes.count, 1);
    click(&h, "Apply");
    assert_int_equal(h.host->inspector.changes.count, 0);
    sinew_edit of = edit_of(&h, i ? SINEW_EDIT_LIGHT : SINEW_EDIT_CAMERA);
    int field = find_control(&h, &of, i ? "color" : "target");
    sinew_control now = control_at(&h, &of, field);
    assert_true(sinew_scene_reload(h.scene, &h.error));
    sinew_control then = control_at(&h, &of, field);
    assert_true(is_same(&now, &then) && then.is_declared);
    close_scene(&h);
  }
}

/* Both have a field called ground. */
static void the_ground_of_the_view_is_written_in_its_own_line(void **state) {
  harness h;
  char answer[512];
  (void)state;
  open_inspected(&h, "sinew.light.ground = { 0.5, 0.25, 0.5 }\nsinew.view.ground = true", true);
  sinew_edit edit = {.kind = SINEW_EDIT_VIEW, .field = "ground", .text = "false"};
  if (!sinew_scene_write(h.scene, &edit, answer, sizeof answer)) fail_msg("%s", answer);
  harness_expect(answer, "scene.lua:4: ground true → false");
  close_scene(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kept_values_have_controls),
      cmocka_unit_test(the_options_of_a_model_are_shown_with_a_reason),
      cmocka_unit_test(a_value_leaves_those_before_it_as_they_are),
      cmocka_unit_test(a_modifier_shows_what_it_has),
      cmocka_unit_test(a_value_as_declared_is_not_copied),
      cmocka_unit_test(a_vector_is_written_into_the_script),
      cmocka_unit_test(the_ground_of_the_view_is_written_in_its_own_line),
  };
  return cmocka_run_group_tests(tests, NULL, destroy_benches);
}
