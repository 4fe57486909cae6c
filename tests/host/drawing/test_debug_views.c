/* Debug views change the picture of an actor, and leave nothing behind. */
#include "render/shapes.h"

#include "host/host.h"
#include "model/pose_group.h"

#include <sinew/actor_modifiers.h>

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

/* Contacts: rings by the feet that stand, that slide, and how high those that stand are. */
typedef struct rings {
  int standing, sliding;
  float height;
} rings;

static rings count_rings(fixture *f, sinew_vec3 velocity) {
  rings found = {0};
  sinew_transform at = sinew_actor_transform(f->host->stage, f->actor);
  f->host->view.contacts = true;
  for (int i = 0; i < 3; i++) {
    at.translation.x += velocity.x / 60, at.translation.y += velocity.y / 60, at.translation.z += velocity.z / 60;
    assert_true(sinew_actor_set_transform(f->host->stage, f->actor, &at));
    step(f, 1);
  }
  for (int i = 0; i < f->host->lines_on_top.count; i++) {
    const sinew_line *line = &f->host->lines_on_top.lines[i];
    bool stands = line->color[1] > line->color[0];
    found.standing += stands, found.sliding += !stands;
    if (stands) found.height = line->a.y;
  }
  f->host->view.contacts = false;
  step(f, 1);
  return found;
}

/* The post's foot is a contact where it is near the ground and slow; fast, it slides; above, it is none. */
static void a_contact_is_near_the_ground_and_slow(void **state) {
  (void)state;
  fixture f = make(false);
  rings stands = count_rings(&f, (sinew_vec3){0, 0, 0}), creeps = count_rings(&f, (sinew_vec3){0.1f, 0, 0}),
        slides = count_rings(&f, (sinew_vec3){0, 0, 1.4f});
  assert_true(stands.standing > 0 && stands.sliding == 0 && stands.height < 0.02f);
  assert_true(creeps.standing == stands.standing && creeps.sliding == 0);
  assert_true(slides.standing == 0 && slides.sliding == stands.standing);
  release(&f);
}

/* Walking on the spot both feet slide; carried forward at the clip's speed, the one that is down stands. On ground that
 * a modifier knows, a foot stands at the height of that ground, and one that is as far above it as it was on the flat
 * does not. */
static void contacts_follow_the_walk_and_the_ground(void **state) {
  (void)state;
  fixture f = make(true);
  step(&f, 4);
  int sliding = 0, standing = 0;
  for (int i = 0; i < 8; i++) sliding += count_rings(&f, (sinew_vec3){0, 0, 0}).sliding;
  for (int i = 0; i < 8; i++) standing += count_rings(&f, (sinew_vec3){0, 0, 1.35f}).standing;
  assert_true(sliding > 0 && standing > 0);
  sinew_error error = {0};
  const char *const names[] = {"Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot"};
  int joints[7];
  for (int i = 0; i < 7; i++) assert_true((joints[i] = sinew_model_find_joint(f.model, names[i])) >= 0);
  sinew_modifier_def plant = sinew_modifier_def_default(SINEW_MODIFIER_PLANT);
  plant.name = "feet", plant.joints = joints, plant.joint_count = 7, plant.hinge = (sinew_vec3){1, 0, 0};
  if (!sinew_actor_set_modifiers(f.host->stage, f.actor, &plant, 1, &error)) fail_msg("%s", error.message);
  for (int foot = 0; foot < 2; foot++)
    assert_true(sinew_actor_set_ground(f.host->stage, f.actor, 0, foot, 0.3f, (sinew_vec3){0, 1, 0}, 1));
  rings raised = {0};
  for (int i = 0; i < 8 && raised.standing == 0; i++) raised = count_rings(&f, (sinew_vec3){0, 0, 1.35f});
  assert_true(raised.standing > 0 && fabsf(raised.height - 0.3f) < 0.02f);
  float height = 0;
  assert_true(sinew_actor_ground(f.host->stage, f.actor, joints[3], &height) && height == 0.3f);
  assert_false(sinew_actor_ground(f.host->stage, f.actor, joints[0], &height));
  release(&f);
}

/* A tick at each of 21 places of each axis, and the way between them; the step grows with the camera's distance. */
static void the_scale_is_in_metres(void **state) {
  (void)state;
  fixture f = make(false);
  const struct { float away, step; } cases[] = {{3, 1}, {11, 1}, {40, 5}, {100, 10}, {500, 50}};
  f.host->view.scale = true, f.host->has_orbit = false;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    f.host->camera.target = (sinew_vec3){0, 0, 0};
    f.host->camera.position = (sinew_vec3){0, 0.6f * cases[i].away, 0.8f * cases[i].away};
    step(&f, 1);
    assert_int_equal(f.host->lines.count, 2 * (21 + 20));
    float furthest = 0;
    for (int k = 0; k < f.host->lines.count; k++) furthest = fmaxf(furthest, f.host->lines.lines[k].b.x);
    assert_near(furthest, 10 * cases[i].step, 0.1f * cases[i].step);
  }
  release(&f);
}

/* Settings that a program made for an actor return when the view ends. */
static void the_bind_pose_of_an_actor_outlives_the_view(void **state) {
  (void)state;
  fixture f = make(true);
  sinew_actor_set_bind_pose(f.host->stage, f.actor, true);
  f.host->view.bind_pose = true;
  step(&f, 2);
  f.host->view.bind_pose = false;
  step(&f, 2);
  sinew_pose rest = model_rest_pose(f.model), shown = sinew_actor_pose(f.host->stage, f.actor);
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
  sinew_pose rest = model_rest_pose(f.model), shown = sinew_actor_pose(f.host->stage, f.actor);
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
  static const char *const keys[] = {"w", "b", "n", "x", "o", "r", "c", "g", "m", "f3", "f1"};
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
                                     cmocka_unit_test(a_contact_is_near_the_ground_and_slow),
                                     cmocka_unit_test(contacts_follow_the_walk_and_the_ground),
                                     cmocka_unit_test(the_scale_is_in_metres),
                                     cmocka_unit_test(the_bind_pose_lets_go),
                                     cmocka_unit_test(the_bind_pose_of_an_actor_outlives_the_view),
                                     cmocka_unit_test(keys_toggle_views)};
  return cmocka_run_group_tests_name("debug_views", tests, NULL, NULL);
}
