/* The viewer's own state, without pictures: what its keys, files and clips do. */
#include "support/fixture.h"

#include "base/memory/memory.h"

#include "cli/args.c"
#include "cli/info/facts.c"
#include "cli/info/space_hint.c"
#include "cli/json.c"
#include "cli/new/scene_template.c"
#include "cli/pack.c"
#include "cli/view/view_model.c"
#include "cli/view/view_pack.c"
#include "cli/view/view_panel.c"
#include "cli/view/view_roles.c"
#include "cli/view/view_save.c"

#include "cli/view/view.c"

const char cli_program[] = "sinew";

#define HERO SINEW_SOURCE "/assets/hero.glb"

static void quiet(void *user, sinew_log_level level, const char *line) { (void)user, (void)level, (void)line; }

static viewer *open_viewer(const char *model) {
  static viewer v;
  sinew_error error = {0};
  sinew_host_def def = sinew_host_def_default();
  def.output = SINEW_OUTPUT_NONE;
  v = (viewer){.clip = -1, .speed = 1};
  v.host = sinew_host_create(&def, &error);
  assert_non_null(v.host);
  sinew_host_set_app(v.host, &(sinew_app){.user = &v, .update = on_update, .key = on_key, .drop = on_drop});
  if (!view_open(&v, model, &error)) fail_msg("%s", error.message);
  return &v;
}

static int role_joint(const viewer *v, sinew_role role) {
  int joints[SINEW_ROLES];
  sinew_model_roles(v->model, joints);
  return joints[role];
}

static void close_viewer(viewer *v) {
  view_close(v);
  sinew_host_destroy(v->host);
}

static void step(viewer *v, int frames) {
  for (int i = 0; i < frames; i++) assert_true(sinew_host_step(v->host, 0.02, NULL));
}

static void tap(viewer *v, const char *key) {
  assert_true(sinew_host_send_key(v->host, key, true));
  assert_true(sinew_host_send_key(v->host, key, false));
  step(v, 2);
}

/* A folder with the hero and a clip of the hero's that travels; removed by close_folder. */
static viewer *open_folder(char folder[64]) {
  char command[512];
  sinew_error error = {0};
  viewer *v = open_viewer(HERO);
  snprintf(folder, 64, "/tmp/sinew-pack-XXXXXX");
  assert_non_null(mkdtemp(folder));
  snprintf(command, sizeof command, "cp '%s' '%s/man.glb' && cp '%s/assets/hero_walk.bvh' '%s'", HERO, folder,
           SINEW_SOURCE, folder);
  assert_int_equal(system(command), 0);
  view_pack_def def = {.folder = folder};
  if (!view_pack_open(v, &def, &error)) fail_msg("%s", error.message);
  return v;
}

static void close_folder(viewer *v, const char *folder) {
  char command[128];
  view_pack_close(v);
  close_viewer(v);
  snprintf(command, sizeof command, "rm -r '%s'", folder);
  assert_int_equal(system(command), 0);
}

static const pack_row *chosen_row(const viewer *v) { return v->pack->pack.rows + v->pack->chosen; }

static void test_a_folder_is_a_table_of_its_clips(void **state) {
  (void)state;
  char folder[64];
  viewer *v = open_folder(folder);
  assert_int_equal(v->pack->pack.row_count, sinew_model_clip_count(v->model));
  assert_true(sinew_model_find_clip(v->model, "hero_walk") >= 0);
  assert_int_equal(chosen_row(v)->clip, v->clip);
  int before = v->clip;
  tap(v, "down");
  assert_int_not_equal(chosen_row(v)->clip, before);
  assert_int_equal(v->clip, before); /* not before Enter */
  tap(v, "enter");
  assert_int_equal(v->clip, chosen_row(v)->clip);
  v->pack->sort = -(PACK_SPEED + 1);
  sort_rows(v->pack);
  assert_int_equal(v->clip, chosen_row(v)->clip); /* the choice stays with its clip */
  for (int i = 1; i < v->pack->pack.row_count; i++)
    assert_true(v->pack->pack.rows[i - 1].speed >= v->pack->pack.rows[i].speed);
  close_folder(v, folder);
}

static void test_a_sample_is_copied(void **state) {
  (void)state;
  char folder[64], expected[128];
  viewer *v = open_folder(folder);
  for (int i = 0; i < v->pack->pack.row_count; i++)
    if (v->pack->pack.rows[i].clip == sinew_model_find_clip(v->model, "Run")) v->pack->chosen = i;
  sinew_vec3 own; /* where a blend space puts the clip */
  sinew_clip_velocity(v->model, chosen_row(v)->clip, &own);
  assert_true(own.z > 2);
  assert_true(view_pack_key(v, "c", true));
  assert_false(view_pack_key(v, "c", false)); /* contacts */
  snprintf(expected, sizeof expected, "{ %g, \"Run\" },", round(100 * (double)own.z) / 100);
  assert_string_equal(sinew_host_clipboard(v->host), expected);
  close_folder(v, folder);
}

static void test_a_folder_that_breaks_leaves_what_was_shown(void **state) {
  (void)state;
  char folder[64], command[128];
  sinew_error error = {0};
  viewer *v = open_folder(folder);
  const sinew_model *shown = v->model;
  snprintf(command, sizeof command, "rm '%s'/*", folder);
  assert_int_equal(system(command), 0);
  assert_false(view_pack_reload(v, &error));
  assert_non_null(strstr(error.message, "holds no model file"));
  assert_ptr_equal(v->model, shown);
  step(v, 3);
  close_folder(v, folder);
}

static void test_space_restarts_and_p_pauses(void **state) {
  (void)state;
  viewer *v = open_viewer(HERO);
  assert_string_equal(v->clip_names[v->clip], "Idle");
  step(v, 10);
  assert_near(view_time(v), 0.2, 1e-6);
  tap(v, "space");
  assert_near(view_time(v), 0.04, 1e-6);
  tap(v, "p");
  double stopped = view_time(v);
  step(v, 10);
  assert_true(v->is_paused && view_time(v) == stopped);
  tap(v, "p");
  assert_true(view_time(v) > stopped);
  close_viewer(v);
}

static void test_seeking_stays_in_the_clip(void **state) {
  (void)state;
  viewer *v = open_viewer(HERO);
  view_seek(v, 1e9);
  assert_near(view_time(v), view_duration(v), 1e-6);
  view_seek(v, -5);
  assert_near(view_time(v), 0, 1e-9);
  close_viewer(v);
}

static void test_a_bad_file_leaves_the_old_model(void **state) {
  (void)state;
  viewer *v = open_viewer(HERO);
  sinew_model *before = v->model;
  sinew_host_send_drop(v->host, SINEW_SOURCE "/assets/no such file.glb");
  step(v, 1);
  assert_ptr_equal(v->model, before);
  assert_non_null(strstr(sinew_host_problem(v->host, 0), "no such file.glb"));
  assert_int_equal(sinew_stage_actor_count(sinew_host_stage(v->host)), 1);
  sinew_host_send_drop(v->host, HERO);
  step(v, 1);
  assert_null(sinew_host_problem(v->host, 0));
  assert_int_equal(sinew_stage_actor_count(sinew_host_stage(v->host)), 1);
  close_viewer(v);
}

static void test_escape_closes_the_problem(void **state) {
  (void)state;
  viewer *v = open_viewer(HERO);
  sinew_host_send_drop(v->host, "nothing.glb");
  step(v, 1);
  assert_non_null(sinew_host_problem(v->host, 0));
  tap(v, "escape");
  assert_null(sinew_host_problem(v->host, 0));
  close_viewer(v);
}

/* The hero is about 1.7 m tall and stands on the ground; its morph targets are listed once each. */
static void test_what_is_measured_and_listed(void **state) {
  (void)state;
  viewer *v = open_viewer(HERO);
  assert_near(v->high.y - v->low.y, 1.7, 0.3);
  assert_near(v->low.y, 0, 0.05);
  bool smiles = false;
  for (int i = 0; i < v->morph_count; i++) {
    smiles = smiles || strcmp(v->morphs[i], "Smile") == 0;
    for (int j = 0; j < i; j++) assert_string_not_equal(v->morphs[i], v->morphs[j]);
  }
  assert_true(smiles);
  assert_non_null(strstr(v->summary, "joints"));
  close_viewer(v);
}

static void test_a_file_written_anew_keeps_clip_and_time(void **state) {
  (void)state;
  viewer *v = open_viewer(HERO);
  view_play(v, sinew_model_find_clip(v->model, "Walk"), 0);
  view_seek(v, 0.5);
  on_files_changed(v, &(const char *){v->path}, 1);
  assert_string_equal(v->clip_names[v->clip], "Walk");
  assert_near(view_time(v), 0.5, 1e-6);
  close_viewer(v);
}

static void test_a_selected_joint_gets_a_role(void **state) {
  (void)state;
  viewer *v = open_viewer(HERO);
  int left = sinew_model_find_joint(v->model, "LeftToeBase"), right = sinew_model_find_joint(v->model, "RightToeBase");
  int neck = sinew_model_find_joint(v->model, "Neck");
  view_set_role(v, left, SINEW_ROLE_LEFT_FOOT);
  view_set_role(v, right, SINEW_ROLE_RIGHT_FOOT);
  view_set_role(v, neck, SINEW_ROLE_HEAD);
  assert_int_equal(role_joint(v, SINEW_ROLE_LEFT_FOOT), left);
  assert_int_equal(role_joint(v, SINEW_ROLE_RIGHT_FOOT), right);
  assert_int_equal(role_joint(v, SINEW_ROLE_HEAD), neck);
  assert_int_equal(v->load->role_count, 3);
  view_set_role(v, neck, -1);
  assert_string_equal(sinew_model_joint_name(v->model, role_joint(v, SINEW_ROLE_HEAD)), "Head");
  sinew_host_select(v->host, v->actor, left);
  step(v, 2); /* the panel offers it */
  close_viewer(v);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_selected_joint_gets_a_role),
      cmocka_unit_test(test_a_folder_is_a_table_of_its_clips),
      cmocka_unit_test(test_a_sample_is_copied),
      cmocka_unit_test(test_a_folder_that_breaks_leaves_what_was_shown),
      cmocka_unit_test(test_space_restarts_and_p_pauses),
      cmocka_unit_test(test_seeking_stays_in_the_clip),
      cmocka_unit_test(test_a_bad_file_leaves_the_old_model),
      cmocka_unit_test(test_escape_closes_the_problem),
      cmocka_unit_test(test_what_is_measured_and_listed),
      cmocka_unit_test(test_a_file_written_anew_keeps_clip_and_time),
  };
  sinew_set_log(quiet, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
