/* Actors and joints are picked where they are seen. */
#include "panel_bench.h"

#include "host/panels/joints.h"

typedef struct bench {
  sinew_host *host;
  sinew_model *model;
  sinew_actor actor, other;
  int presses;
} bench;

static void on_mouse(void *user, int button, bool down) {
  bench *b = user;
  b->presses += button == 1 && down;
}

static void make(bench *b, float scale, bool drawn) {
  sinew_error error = {{0}};
  *b = (bench){.host = bench_host(scale, drawn)};
  sinew_host_set_app(b->host, &(sinew_app){.user = b, .mouse = on_mouse});
  b->model = bench_hero();
  b->actor = sinew_actor_create(b->host->stage, "hero", b->model, &error);
  b->other = sinew_actor_create(b->host->stage, "behind", b->model, &error);
  sinew_transform transform = sinew_transform_identity();
  transform.translation = (sinew_vec3){0.8f, 0, -0.5f};
  transform.rotation = sinew_quat_from_axis_angle((sinew_vec3){0, 1, 0}, 1);
  sinew_actor_set_transform(b->host->stage, b->other, &transform);
  sinew_play_def play = sinew_play_def_default();
  play.clip = sinew_model_find_clip(b->model, "Walk"), play.fade = 0;
  sinew_actor_play(b->host->stage, b->actor, &play, &error);
  bench_step(b->host, 20);
}

static void release(bench *b) {
  sinew_host_destroy(b->host);
  sinew_model_release(b->model);
}

/* Where the renderer's own matrices put a point of the world. */
static void project(const bench *b, sinew_vec3 p, float *x, float *y) {
  const sinew_host *h = b->host;
  const sinew_camera camera = sinew_host_shown_camera(h);
  sinew_mat4 view = sinew_camera_view(&camera);
  sinew_mat4 projection = sinew_camera_projection(&camera, (float)h->width / (float)h->height);
  const float from[4] = {p.x, p.y, p.z, 1};
  float eye[4] = {0}, clip[4] = {0};
  for (int r = 0; r < 4; r++)
    for (int k = 0; k < 4; k++) eye[r] += view.m[4 * k + r] * from[k];
  for (int r = 0; r < 4; r++)
    for (int k = 0; k < 4; k++) clip[r] += projection.m[4 * k + r] * eye[k];
  *x = (clip[0] / clip[3] * 0.5f + 0.5f) * (float)h->width;
  *y = (0.5f - clip[1] / clip[3] * 0.5f) * (float)h->height;
}

static void pixel_of(const bench *b, sinew_actor actor, const char *joint, float *x, float *y) {
  const sinew_mat3x4 *m = sinew_actor_joints(b->host->stage, actor) + sinew_model_find_joint(b->model, joint);
  sinew_transform transform = sinew_actor_transform(b->host->stage, actor);
  sinew_mat3x4 world = sinew_mat3x4_from_transform(&transform);
  project(b, sinew_mat3x4_transform_point(&world, (sinew_vec3){m->m[3], m->m[7], m->m[11]}), x, y);
}

static void press(bench *b, float x, float y, float to_x) {
  sinew_host_send_mouse(b->host, x, y);
  bench_step(b->host, 1);
  sinew_host_send_button(b->host, 1, true);
  bench_step(b->host, 1);
  sinew_host_send_mouse(b->host, to_x, y);
  bench_step(b->host, 1);
  sinew_host_send_button(b->host, 1, false);
  bench_step(b->host, 2);
}

static void ctrl_click(bench *b, float x, float y) {
  sinew_host_send_key(b->host, "left_ctrl", true);
  press(b, x, y, x);
  sinew_host_send_key(b->host, "left_ctrl", false);
  bench_step(b->host, 1);
}

static const char *chosen(const bench *b, sinew_actor *actor) {
  int joint;
  return sinew_host_selected(b->host, actor, &joint) ? sinew_model_joint_name(b->model, joint) : "nothing";
}

/* A ray through a pixel goes through all points that are seen there. */
static void rays_meet_what_is_seen(void **state) {
  (void)state;
  bench b;
  make(&b, 1, false);
  b.host->camera.position = (sinew_vec3){2, 1.7f, 2.5f};
  b.host->camera.shift_x = 0.3f, b.host->camera.shift_y = -0.2f;
  for (int i = 0; i < 20; i++) {
    float x, y;
    sinew_vec3 p = {0.1f * (float)(i % 5) - 0.2f, 0.4f * (float)(i % 4) + 0.1f, 0.15f * (float)(i % 3)};
    project(&b, p, &x, &y);
    ray r = ray_through(&b.host->camera, x, y, WIDTH, HEIGHT);
    double to[3] = {(double)(p.x - r.origin.x), (double)(p.y - r.origin.y), (double)(p.z - r.origin.z)};
    double d[3] = {(double)r.direction.x, (double)r.direction.y, (double)r.direction.z}, along = 0, apart = 0;
    double length = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    for (int k = 0; k < 3; k++) along += to[k] * d[k] / length;
    for (int k = 0; k < 3; k++) apart += (to[k] - along * d[k]) * (to[k] - along * d[k]);
    assert_true(along > 0 && sqrt(apart) < 1e-4);
  }
  release(&b);
}

static void triangles_are_met_inside_only(void **state) {
  (void)state;
  const float a[] = {0, 0, 0}, b[] = {2, 0, 0}, c[] = {0, 2, 0};
  float inside[3];
  ray r = {{0.5f, 0.5f, 3}, {0, 0, -2}};
  assert_near(ray_triangle(&r, a, b, c, inside), 1.5, 1e-6);
  assert_near(inside[0], 0.5, 1e-6);
  assert_near(inside[1], 0.25, 1e-6);
  assert_near(ray_triangle(&r, a, c, b, inside), 1.5, 1e-6); /* from behind, too */
  r.origin.x = 1.6f;
  assert_true(isinf(ray_triangle(&r, a, b, c, inside)));
  r = (ray){{0.5f, 0.5f, -3}, {0, 0, -2}};
  assert_true(isinf(ray_triangle(&r, a, b, c, inside)));
  assert_true(isinf(ray_triangle(&r, a, a, c, inside)));
  r = (ray){{0.5f, 0.5f, 3}, {1, 0, 0}};
  assert_true(isinf(ray_triangle(&r, a, b, c, inside)));
}

/* Half-way along a bone its own joint moves the skin most. */
static void ctrl_click_picks_the_joint_that_is_seen(void **state) {
  (void)state;
  static const char *const bones[][2] = {{"LeftForeArm", "LeftHand"},
                                         {"LeftLeg", "LeftFoot"},
                                         {"RightLeg", "RightFoot"},
                                         {"LeftUpLeg", "LeftLeg"},
                                         {"LeftArm", "LeftForeArm"}};
  bench b;
  sinew_actor actor;
  make(&b, 1, false);
  for (size_t i = 0; i < sizeof bones / sizeof *bones; i++) {
    float from[2], to[2];
    pixel_of(&b, b.actor, bones[i][0], &from[0], &from[1]);
    pixel_of(&b, b.actor, bones[i][1], &to[0], &to[1]);
    ctrl_click(&b, (from[0] + to[0]) / 2, (from[1] + to[1]) / 2);
    const char *name = chosen(&b, &actor); /* or a helper: LeftForeArmTwist */
    if (strncmp(name, bones[i][0], strlen(bones[i][0])) != 0) fail_msg("%s in place of %s", name, bones[i][0]);
    assert_int_equal(actor.id, b.actor.id);
  }
  float x, y;
  pixel_of(&b, b.other, "Head", &x, &y);
  ctrl_click(&b, x, y);
  assert_string_equal(chosen(&b, &actor), "Head");
  assert_int_equal(actor.id, b.other.id);
  assert_int_equal(b.presses, 0); /* the application knows nothing of it */
  ctrl_click(&b, WIDTH - 10, 10);
  assert_string_equal(chosen(&b, &actor), "nothing");
  release(&b);
}

/* Live, a plain click is the scene's; paused it picks, unless it was a drag that turned the camera. */
static void plain_clicks_pick_while_paused(void **state) {
  (void)state;
  bench b;
  sinew_actor actor;
  float x, y;
  make(&b, 1, false);
  pixel_of(&b, b.actor, "Head", &x, &y);
  press(&b, x, y, x);
  assert_string_equal(chosen(&b, &actor), "nothing");
  assert_int_equal(b.presses, 1);
  sinew_host_view(b.host)->paused = true;
  bench_step(b.host, 1);
  pixel_of(&b, b.actor, "Head", &x, &y);
  press(&b, x, y, x);
  assert_string_equal(chosen(&b, &actor), "Head");
  press(&b, x, y, x + 40);
  assert_string_equal(chosen(&b, &actor), "Head");
  sinew_actor_set_visible(b.host->stage, b.actor, false);
  sinew_actor_set_visible(b.host->stage, b.other, false);
  bench_step(b.host, 1);
  press(&b, x, y, x);
  assert_string_equal(chosen(&b, &actor), "nothing");
  release(&b);
}

static void click_item(bench *b, const char *label) {
  float box[4];
  if (!ui_find_item(b->host->ui, label, box)) fail_msg("there is no '%s'", label);
  press(b, (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, (box[0] + box[2]) / 2);
}

static void the_tree_is_searched_and_chosen_from(void **state) {
  (void)state;
  bench b;
  sinew_actor actor;
  make(&b, 1, false);
  sinew_host_select(b.host, b.actor, sinew_model_find_joint(b.model, "Head"));
  bench_step(b.host, 3);
  assert_true(bench_shows(b.host, "Joints") && bench_shows(b.host, "Head"));
  click_item(&b, "search");
  for (const char *c = "forearm"; *c; c++) input_push_character(&b.host->input, (unsigned char)*c);
  bench_step(b.host, 2);
  assert_true(bench_shows(b.host, "LeftForeArm") && !bench_shows(b.host, "Hips"));
  click_item(&b, "LeftForeArm");
  assert_string_equal(chosen(&b, &actor), "LeftForeArm");
  sinew_host_select(b.host, b.actor, 100000);
  assert_string_equal(chosen(&b, &actor), "nothing");
  bench_step(b.host, 2);
  assert_false(bench_shows(b.host, "Joints"));
  sinew_host_select(b.host, b.actor, 3);
  sinew_actor_destroy(b.host->stage, b.actor);
  bench_step(b.host, 2);
  assert_string_equal(chosen(&b, &actor), "nothing");
  release(&b);
}

/* The arm's own rotation comes first, then what those above add, down to the hips; each by its clip. */
static void own_rotation_is_apart_from_that_of_ancestors(void **state) {
  (void)state;
  bench b;
  char text[4096], tiny[20];
  make(&b, 1, false);
  int joint = sinew_model_find_joint(b.model, "LeftForeArm");
  joints_explain(b.host, b.actor, joint, text, sizeof text);
  assert_true(strncmp(text, "LeftForeArm itself\n  Walk 100 %: ", 33) == 0);
  const char *arm = strstr(text, "by LeftArm\n  Walk 100 %: ");
  const char *hips = strstr(text, "by Hips\n");
  assert_non_null(arm);
  assert_true(!hips || hips > arm);
  assert_null(strstr(text, "Hand")); /* nothing of what is below */
  joints_explain(b.host, b.actor, joint, tiny, sizeof tiny);
  assert_true(strlen(tiny) < sizeof tiny);
  release(&b);
}

/* For eyes: SINEW_PICTURES=folder keeps what it looks like. */
static void pictures(void **state) {
  (void)state;
  sinew_error error = {{0}};
  const char *folder = getenv("SINEW_PICTURES");
  for (int scale = 1; scale <= 2 && folder; scale++) {
    bench b;
    picture p;
    char path[512];
    make(&b, (float)scale, true);
    sinew_host_view(b.host)->inspector = sinew_host_view(b.host)->paused = true;
    b.host->shows_keys = scale == 2;
    sinew_host_select(b.host, b.actor, sinew_model_find_joint(b.model, "LeftForeArm"));
    bench_step(b.host, 4);
    snprintf(path, sizeof path, "%s/picking-%dx.png", folder, scale);
    assert_true(picture_create(&p, b.host->width, b.host->height, NULL));
    assert_true(sinew_renderer_read(b.host->renderer, p.width, p.height, p.rgba, &error));
    assert_true(png_write(path, &p, NULL));
    picture_release(&p);
    release(&b);
  }
}

/* ? lists the keys, and only while nothing moves. */
static void a_question_mark_lists_the_keys(void **state) {
  (void)state;
  bench b;
  make(&b, 1, false);
  for (int paused = 0; paused < 2; paused++) {
    sinew_host_view(b.host)->paused = paused;
    sinew_host_send_key(b.host, "left_shift", true);
    bench_step(b.host, 1);
    int before = ui_overlay(b.host->ui)->vertex_count;
    for (int down = 1; down >= 0; down--) {
      sinew_host_send_key(b.host, "slash", down);
      bench_step(b.host, 2);
    }
    assert_int_equal(ui_overlay(b.host->ui)->vertex_count > before + 1000, paused);
    sinew_host_send_key(b.host, "left_shift", false);
    bench_step(b.host, 1);
  }
  release(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rays_meet_what_is_seen),
                                     cmocka_unit_test(triangles_are_met_inside_only),
                                     cmocka_unit_test(ctrl_click_picks_the_joint_that_is_seen),
                                     cmocka_unit_test(plain_clicks_pick_while_paused),
                                     cmocka_unit_test(the_tree_is_searched_and_chosen_from),
                                     cmocka_unit_test(own_rotation_is_apart_from_that_of_ancestors),
                                     cmocka_unit_test(a_question_mark_lists_the_keys),
                                     cmocka_unit_test(pictures)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
