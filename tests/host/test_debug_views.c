/* What debug views add to a picture of an actor, and what they leave behind. */
#include "render/shapes.h"

#include "host/host.h"

typedef struct fixture {
  sinew_host *host;
  sinew_model *model;
  sinew_actor actor;
} fixture;

/* The hero walks; a post, which is drawn faster, stands. */
static fixture make(bool hero) {
  fixture f;
  sinew_error error = {0};
  sinew_host_def def = sinew_host_def_default();
  def.output = SINEW_OUTPUT_OFFSCREEN;
  def.width = 96, def.height = 64;
  def.samples = 1, def.shadow_size = 0;
  f.host = sinew_host_create(&def, &error);
  if (!f.host) fail_msg("%s", error.message);
  f.host->view.ground = false;
  f.model = hero ? sinew_model_load(SINEW_SOURCE "/assets/hero.glb", NULL, &error) : post_model(1, NULL, NULL);
  if (!f.model) fail_msg("%s", error.message);
  f.actor = sinew_actor_create(f.host->stage, "hero", f.model, &error);
  if (!hero) return f;
  sinew_play_def play = sinew_play_def_default();
  play.clip = sinew_model_find_clip(f.model, "Walk");
  assert_int_not_equal(sinew_actor_play(f.host->stage, f.actor, &play, &error).id, 0);
  return f;
}

static void release(fixture *f) {
  sinew_host_destroy(f->host);
  sinew_model_release(f->model);
}

static void step(fixture *f, int frames) {
  sinew_error error = {0};
  for (int i = 0; i < frames; i++)
    if (!sinew_host_step(f->host, 1.0 / 60, &error)) fail_msg("%s", error.message);
}

static int lines_with(fixture *f, bool *option) {
  *option = true;
  step(f, 1);
  int count = f->host->lines_on_top.count;
  *option = false;
  return count;
}

/* Joints of the skeleton: those that a skin of several joints is bound to. */
static int bound_joints(const sinew_model *model) {
  int most = 0;
  for (int s = 0; s < sinew_model_skin_count(model); s++)
    most = sinew_model_skin(model, s).count > most ? sinew_model_skin(model, s).count : most;
  return most;
}

static void axes_are_three_lines_a_joint(void **state) {
  (void)state;
  fixture f = make(true);
  step(&f, 1);
  assert_int_equal(f.host->lines_on_top.count, 0);
  assert_int_equal(lines_with(&f, &f.host->view.axes), 3 * bound_joints(f.model));
  const sinew_mat3x4 *joints = sinew_actor_joints(f.host->stage, f.actor);
  const sinew_line *line = f.host->lines_on_top.lines;
  int joint = 1;
  while (fabsf(joints[joint].m[3] - line->a.x) + fabsf(joints[joint].m[7] - line->a.y) > 1e-5f) joint++;
  assert_true(joint < sinew_model_joint_count(f.model));
  release(&f);
}

/* A path needs two points; it grows by one each frame up to its length, and a pause begins another. */
static void the_root_path_grows_and_begins_anew(void **state) {
  (void)state;
  fixture f = make(false);
  f.host->view.root_path = true;
  step(&f, 1);
  assert_int_equal(f.host->lines_on_top.count, 0);
  step(&f, 10);
  assert_int_equal(f.host->lines_on_top.count, 10);
  step(&f, TRAIL_POINTS + 20);
  assert_int_equal(f.host->lines_on_top.count, TRAIL_POINTS - 1);
  for (int i = 0; i < f.host->lines_on_top.count; i++) assert_true(f.host->lines_on_top.lines[i].a.y < 0.01f);
  f.host->view.root_path = false;
  step(&f, 2);
  f.host->view.root_path = true;
  step(&f, 3);
  assert_int_equal(f.host->lines_on_top.count, 2);
  release(&f);
}

/* A figure that is lifted off the ground touches it nowhere. */
static void contacts_are_near_the_ground(void **state) {
  (void)state;
  fixture f = make(true);
  assert_true(lines_with(&f, &f.host->view.contacts) > 0);
  sinew_transform up = sinew_transform_identity();
  up.translation.y = 1;
  assert_true(sinew_actor_set_transform(f.host->stage, f.actor, &up));
  assert_int_equal(lines_with(&f, &f.host->view.contacts), 0);
  release(&f);
}

/* What a program has set for an actor stays when the view ends. */
static void the_bind_pose_of_an_actor_outlives_the_view(void **state) {
  (void)state;
  fixture f = make(true);
  sinew_actor_set_bind_pose(f.host->stage, f.actor, true);
  f.host->view.bind_pose = true;
  step(&f, 2);
  f.host->view.bind_pose = false;
  step(&f, 2);
  sinew_pose rest = sinew_model_rest_pose(f.model), shown = sinew_actor_pose(f.host->stage, f.actor);
  size_t size = (size_t)sinew_pose_group_count(rest.joint_count) * sizeof *rest.groups;
  assert_memory_equal(shown.groups, rest.groups, size);
  release(&f);
}

/* The view holds the pose; without it the clip is where it would have been. */
static void the_bind_pose_lets_go(void **state) {
  (void)state;
  fixture f = make(true), other = make(true);
  step(&f, 2), step(&other, 6);
  f.host->view.bind_pose = true;
  step(&f, 2);
  sinew_pose rest = sinew_model_rest_pose(f.model), shown = sinew_actor_pose(f.host->stage, f.actor);
  size_t size = (size_t)sinew_pose_group_count(rest.joint_count) * sizeof *rest.groups;
  assert_memory_equal(shown.groups, rest.groups, size);
  f.host->view.bind_pose = false;
  step(&f, 2);
  shown = sinew_actor_pose(f.host->stage, f.actor);
  assert_memory_equal(shown.groups, sinew_actor_pose(other.host->stage, other.actor).groups, size);
  release(&f), release(&other);
}

/* Each key turns its view on and off again, and V goes round. */
static void keys_toggle_views(void **state) {
  (void)state;
  static const char *const keys[] = {"w", "b", "n", "x", "o", "r", "c", "g", "f3", "f1"};
  fixture f = make(false);
  sinew_view_options before = f.host->view;
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
      assert_true(sinew_host_send_key(f.host, keys[i], true));
      assert_true(sinew_host_send_key(f.host, keys[i], false));
      step(&f, 1);
      assert_int_equal(memcmp(&f.host->view, &before, sizeof before) == 0,
                       pass == 1 && i + 1 == sizeof keys / sizeof *keys);
    }
  }
  for (int i = 1; i <= SINEW_SURFACE_COUNT; i++) {
    assert_true(sinew_host_send_key(f.host, "v", true));
    assert_true(sinew_host_send_key(f.host, "v", false));
    step(&f, 2); /* the release comes a frame after the press */
    assert_int_equal(f.host->view.surface, i % SINEW_SURFACE_COUNT);
  }
  release(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(axes_are_three_lines_a_joint),
                                     cmocka_unit_test(the_root_path_grows_and_begins_anew),
                                     cmocka_unit_test(contacts_are_near_the_ground),
                                     cmocka_unit_test(the_bind_pose_lets_go),
                                     cmocka_unit_test(the_bind_pose_of_an_actor_outlives_the_view),
                                     cmocka_unit_test(keys_toggle_views)};
  return cmocka_run_group_tests_name("debug_views", tests, NULL, NULL);
}
