/* Each debug view of a walking hero, as a person sees it, against a stored picture. */
#include <sinew/host.h>

#include "render/stored.h"

#include <unistd.h>

enum { WIDTH = 160, HEIGHT = 120, FRAMES = 20 };

static sinew_model *hero;

typedef struct scene {
  sinew_host *host;
  sinew_actor actor;
  float z;
} scene;

/* She walks as fast as her clip does. */
static void walk(void *user, double dt) {
  scene *s = user;
  sinew_transform position = sinew_transform_identity();
  position.translation.z = s->z += 1.4f * (float)dt;
  sinew_actor_set_transform(sinew_host_stage(s->host), s->actor, &position);
}

static sinew_host_def host_def(const char *capture) {
  sinew_host_def def = sinew_host_def_default();
  def.output = SINEW_OUTPUT_OFFSCREEN;
  def.width = WIDTH, def.height = HEIGHT;
  def.samples = 1, def.shadow_size = 0;
  def.scale = 1;
  def.frame_limit = FRAMES;
  def.capture = capture;
  def.capture_from = FRAMES - 1;
  return def;
}

static void add_hero(scene *s) {
  sinew_error error = {0};
  sinew_play_def play = sinew_play_def_default();
  s->actor = sinew_actor_create(sinew_host_stage(s->host), "hero", hero, &error);
  play.clip = sinew_model_find_clip(hero, "Walk");
  assert_int_not_equal(sinew_actor_play(sinew_host_stage(s->host), s->actor, &play, &error).id, 0);
}

/* The picture of the last frame, as it is captured. */
static picture draw(const sinew_view_options *view, sinew_vec3 from, sinew_vec3 to) {
  char path[] = "/tmp/sinew-view-XXXXXX.png";
  sinew_error error = {0};
  int file = mkstemps(path, 4);
  assert_true(file >= 0);
  close(file);
  sinew_host_def def = host_def(path);
  scene s = {.host = sinew_host_create(&def, &error)};
  if (!s.host) fail_msg("%s", error.message);
  add_hero(&s);
  *sinew_host_view(s.host) = *view;
  sinew_host_set_orbit(s.host, false);
  sinew_host_camera(s.host)->position = from;
  sinew_host_camera(s.host)->target = to;
  sinew_host_set_app(s.host, &(sinew_app){.user = &s, .update = walk});
  if (!sinew_host_run(s.host, &error)) fail_msg("%s", error.message);
  stored_by_this_device();
  sinew_host_destroy(s.host);
  picture p = {0};
  p.rgba = stbi_load(path, &p.width, &p.height, NULL, 4);
  assert_non_null(p.rgba);
  remove(path);
  return p;
}

/* Of what a view adds no more than half may be elsewhere. */
static void expect_view(const char *name, const sinew_view_options *view, sinew_vec3 from, sinew_vec3 to) {
  picture plain = draw(&(sinew_view_options){.ground = true}, from, to), shown = draw(view, from, to);
  int added = picture_difference(&plain, &shown, 10);
  if (added < 100) fail_msg("%s: only %d pixels show it", name, added);
  int most = stored_most(&shown);
  if (stored_by_this_device() && added / 2 < most) most = added / 2;
  expect_stored_within(name, &shown, most);
  picture_free(&plain), picture_free(&shown);
}

static const sinew_vec3 beside = {1.2f, 1.3f, 2.2f}, middle = {0, 0.9f, 0.45f};

static void each_view_looks_as_it_did(void **state) {
  (void)state;
  const sinew_vec3 near_hand = {0.9f, 1.0f, 1.0f}, hand = {0.25f, 0.85f, 0.45f}, low = {0.8f, 0.35f, 1.1f};
  const sinew_vec3 feet = {0, 0.05f, 0.4f}, above = {0.4f, 0.7f, -0.5f}, path = {0, 0, 0.25f};
  expect_view("wireframe", &(sinew_view_options){.ground = true, .wireframe = true}, beside, middle);
  expect_view("skeleton", &(sinew_view_options){.ground = true, .skeleton = true}, beside, middle);
  expect_view("names", &(sinew_view_options){.ground = true, .names = true}, beside, middle);
  expect_view("axes", &(sinew_view_options){.ground = true, .axes = true}, near_hand, hand);
  expect_view("bind_pose", &(sinew_view_options){.ground = true, .bind_pose = true}, beside, middle);
  expect_view("bounds", &(sinew_view_options){.ground = true, .bounds = true}, beside, middle);
  expect_view("root_path", &(sinew_view_options){.ground = true, .root_path = true}, above, path);
  expect_view("contacts", &(sinew_view_options){.ground = true, .contacts = true}, low, feet);
  expect_view("scale", &(sinew_view_options){.ground = true, .scale = true}, beside, middle);
}

static void the_weights_of_a_joint_are_heat(void **state) {
  (void)state;
  sinew_view_options view = {.ground = true, .surface = SINEW_SURFACE_WEIGHT, .joint = "Spine1"};
  expect_view("weight", &view, beside, middle);
}

static int load_hero(void **state) {
  (void)state;
  return !(hero = sinew_model_load(SINEW_SOURCE "/assets/hero.glb", NULL, NULL));
}

static int release_hero(void **state) {
  (void)state;
  sinew_model_release(hero);
  return 0;
}

int main(void) {
  gpu_or_skip();
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_view_looks_as_it_did),
                                     cmocka_unit_test(the_weights_of_a_joint_are_heat)};
  return cmocka_run_group_tests(tests, load_hero, release_hero);
}
