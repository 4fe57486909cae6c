/* Actors and joints are picked where they are seen. */
#include "panel_bench.h"

#include "host/panels/joints.h"
#include "support/rig.h"

typedef struct bench {
  sinew_host *host;
  sinew_model *model;
  sinew_actor actor, other;
  int presses, undone;
} bench;

static void on_mouse(void *user, int button, bool down) {
  bench *b = user;
  b->presses += button == 1 && down;
}

static void on_key(void *user, const char *key, bool down, bool ctrl) {
  bench *b = user;
  b->undone += ctrl && down && strcmp(key, "z") == 0;
}

static void undo(bench *b) {
  sinew_host_send_key(b->host, "left_ctrl", true);
  bench_step(b->host, 1);
  bench_press(b->host, "z");
  sinew_host_send_key(b->host, "left_ctrl", false);
  bench_step(b->host, 1);
}

static void make(bench *b, float scale, bool drawn) {
  sinew_error error = {{0}};
  *b = (bench){.host = bench_host(scale, drawn)};
  sinew_host_set_app(b->host, &(sinew_app){.user = b, .mouse = on_mouse, .key = on_key});
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
  b->host->def.panels_only = true; /* nobody looks at these */
  bench_step(b->host, 20);
  b->host->def.panels_only = !drawn;
}

static void release(bench *b) {
  sinew_host_destroy(b->host);
  sinew_model_release(b->model);
}

static void pixel_of(const bench *b, sinew_actor actor, const char *joint, float *x, float *y) {
  const sinew_mat3x4 *m = sinew_actor_joints(b->host->stage, actor) + sinew_model_find_joint(b->model, joint);
  sinew_transform transform = sinew_actor_transform(b->host->stage, actor);
  sinew_mat3x4 world = sinew_mat3x4_from_transform(&transform);
  float at[2];
  bench_project(b->host, sinew_mat3x4_transform_point(&world, (sinew_vec3){m->m[3], m->m[7], m->m[11]}), at);
  *x = at[0], *y = at[1];
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
    float at[2];
    bench_project(b.host, p, at);
    x = at[0], y = at[1];
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
  for (const char *c = "forearm"; *c; c++) sinew_host_send_character(b.host, (unsigned char)*c);
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

static int add_arm(bench *b) {
  sinew_error error = {{0}};
  sinew_layer_def def = sinew_layer_def_default();
  float weights[128] = {0};
  int arm = sinew_model_find_joint(b->model, "RightArm");
  for (int i = arm; i < sinew_model_joint_count(b->model); i++)
    weights[i] = i == arm || weights[sinew_model_joint_parent(b->model, i)] > 0;
  def.joint_weights = weights;
  int layer = sinew_actor_add_layer(b->host->stage, b->actor, "arm", &def, &error);
  assert_int_equal(layer, 1);
  return layer;
}

static void select_joint(bench *b, const char *name) {
  sinew_host_select(b->host, b->actor, sinew_model_find_joint(b->model, name));
  bench_step(b->host, 3);
}

static void drag_item(bench *b, const char *label, float from, float to) {
  float box[4];
  bench_find(b->host, label, box);
  float y = (box[1] + box[3]) / 2, width = box[2] - box[0];
  bench_drag(b->host, box[0] + width * from, y, box[0] + width * to, y);
}

/* Weight, space and mask of a layer change while it plays, and are noted for the script. */
static void layers_change_beside_the_joint(void **state) {
  (void)state;
  bench b;
  make(&b, 1, false);
  int layer = add_arm(&b), head = sinew_model_find_joint(b.model, "Head");
  const sinew_stage *stage = b.host->stage;
  select_joint(&b, "Head");
  drag_item(&b, "weight", 0.1f, -3);
  assert_true(sinew_actor_layer(stage, b.actor, layer).weight == 0);
  bench_click(b.host, "in model space");
  assert_int_equal(sinew_actor_layer(stage, b.actor, layer).space, SINEW_LAYER_MODEL);
  drag_item(&b, "mask here", 0.1f, 3);
  sinew_layer_def def = sinew_actor_layer(stage, b.actor, layer);
  assert_true(def.joint_weights[head] == 1 && def.joint_weights[head - 1] == 0);
  const change_list *changes = &b.host->inspector.changes;
  assert_int_equal(changes->count, 2);
  assert_string_equal(changes->changes[0].line,
                      "hero:layer(\"arm\", { weight = 0, space = \"model\", mask = { [\"RightArm/**\"] = 1 } })");
  assert_string_equal(changes->changes[0].edits[0].field, "weight");
  assert_string_equal(changes->changes[0].edits[1].text, "\"model\"");
  assert_string_equal(changes->changes[1].edits[0].field, "mask");
  assert_non_null(strstr(changes->changes[1].line, "hero:layer(\"arm\"):set_mask({"));
  assert_non_null(strstr(changes->changes[1].line, "[\"Head/**\"] = 1"));
  assert_non_null(strstr(changes->changes[1].line, "[\"RightArm/**\"] = 1"));
  release(&b);
}

/* The nearest pattern above a joint says what it weighs, as model:mask reads it. */
static void masks_become_few_patterns(void **state) {
  (void)state;
  char text[2048], tiny[40];
  float weights[128] = {0};
  sinew_model *model = bench_hero();
  int count = sinew_model_joint_count(model);
  assert_true(mask_as_lua(model, weights, text, sizeof text));
  assert_string_equal(text, "{ }");
  for (int i = 1; i < count; i++) weights[i] = 1;
  weights[sinew_model_find_joint(model, "Head")] = 0.25f;
  assert_true(mask_as_lua(model, weights, text, sizeof text));
  assert_non_null(strstr(text, "[\"Head/**\"] = 0.25"));
  for (int i = 1; i < count; i++) { /* read back: the last pattern on the way up from the joint */
    float read = 0;
    for (int at = i; at > 0; at = sinew_model_joint_parent(model, at)) {
      char pattern[SINEW_JOINT_PATH + 16];
      snprintf(pattern, sizeof pattern, "[\"%s/**\"] = ", sinew_model_joint_name(model, at));
      const char *found = strstr(text, pattern);
      if (!found) continue;
      read = strtof(found + strlen(pattern), NULL);
      break;
    }
    assert_true(read == weights[i]);
  }
  assert_false(mask_as_lua(model, weights, tiny, sizeof tiny));
  sinew_model_release(model);
}

/* Dragged over the leg the mask is the brush's there; the camera stays, and elsewhere a drag turns it as ever. */
static void a_mask_is_painted_on_the_character(void **state) {
  (void)state;
  bench b;
  float from[2], to[2];
  make(&b, 1, false);
  int layer = add_arm(&b), leg = sinew_model_find_joint(b.model, "LeftLeg");
  const sinew_stage *stage = b.host->stage;
  sinew_host_view(b.host)->paused = true;
  select_joint(&b, "Head");
  assert_true(mask_at(b.host, b.actor, layer, leg) == 0);
  bench_click(b.host, "paint the mask");
  drag_item(&b, "brush", 0.1f, 0.5f);
  assert_true(b.host->selection.brush > 0.3f && b.host->selection.brush < 0.9f);
  sinew_vec3 camera = b.host->camera.position;
  pixel_of(&b, b.actor, "LeftLeg", &from[0], &from[1]);
  pixel_of(&b, b.actor, "LeftFoot", &to[0], &to[1]);
  bench_drag(b.host, (from[0] + to[0]) / 2, (from[1] + to[1]) / 2, from[0], from[1]);
  assert_true(mask_at(b.host, b.actor, layer, leg) == b.host->selection.brush);
  assert_false(b.host->selection.paints);
  assert_true(mask_at(b.host, b.actor, layer, sinew_model_find_joint(b.model, "LeftFoot")) == 0);
  assert_memory_equal(&camera, &b.host->camera.position, sizeof camera);
  assert_int_equal(b.presses, 0);
  const float *shown;
  assert_ptr_equal(mask_painted(b.host, &shown), b.model);
  assert_ptr_equal(shown, sinew_actor_layer(stage, b.actor, layer).joint_weights);
  undo(&b);
  assert_true(mask_at(b.host, b.actor, layer, leg) == 0);
  assert_true(mask_at(b.host, b.actor, layer, sinew_model_find_joint(b.model, "RightHand")) == 1);
  assert_int_equal(b.undone, 0); /* the application hears of those only that are not ours */
  undo(&b);
  assert_int_equal(b.undone, 1);
  float free_area[4];
  ui_free_area(b.host->ui, free_area);
  bench_drag(b.host, free_area[0] + 10, 20, free_area[0] + 90, 20);
  assert_memory_not_equal(&camera, &b.host->camera.position, sizeof camera);
  /* Another actor is picked: nothing is painted any more. */
  sinew_host_select(b.host, b.other, 1);
  bench_step(b.host, 2);
  assert_null(mask_painted(b.host, &shown));
  release(&b);
}

/* It is painted all the same; once it is said that its Lua is too long. */
static void a_mask_that_is_too_long_for_lua_is_told(void **state) {
  (void)state;
  enum { JOINTS = 1500 };
  static joint_desc joints[JOINTS];
  static char names[JOINTS][64];
  static float weights[JOINTS + 1];
  sinew_error error = {{0}};
  bench b;
  make(&b, 1, false);
  for (int i = 0; i < JOINTS; i++) {
    snprintf(names[i], sizeof names[i], "a joint whose name is rather long %04d", i);
    joints[i] = (joint_desc){.name = names[i], .parent = i - 1, .rest = sinew_transform_identity()};
  }
  sinew_model *chain = make_rig(joints, JOINTS, NULL, 0, 0);
  sinew_actor actor = sinew_actor_create(b.host->stage, "chain", chain, &error);
  sinew_layer_def def = sinew_layer_def_default();
  int layer = sinew_actor_add_layer(b.host->stage, actor, "all", &def, &error), before = b.host->messages.toast_count;
  for (int i = 0; i <= JOINTS; i++) weights[i] = (float)(i % 2);
  def.joint_weights = weights;
  assert_true(sinew_actor_set_layer(b.host->stage, actor, layer, &def));
  for (int i = 3; i < 6; i++) mask_set(b.host, actor, layer, i, 0.25f, false);
  assert_true(mask_at(b.host, actor, layer, 3) == 0.25f && mask_at(b.host, actor, layer, 7) == 1);
  assert_int_equal(b.host->messages.toast_count, before + 1);
  assert_non_null(strstr(b.host->messages.toasts[before].text, "more than 64 KB of Lua"));
  assert_int_equal(b.host->inspector.changes.count, 0); /* nor is an earlier mask written in its place */
  sinew_model_release(chain);
  release(&b);
}

static bool say_cause(void *user, sinew_actor actor, const sinew_cause *cause, char *out, size_t size) {
  (void)user, (void)actor;
  return cause->clip >= 0 && snprintf(out, size, "idle -> run (scene.lua:8)") > 0;
}

static void transitions_are_named_beside_causes(void **state) {
  (void)state;
  bench b;
  char text[4096];
  make(&b, 1, false);
  sinew_host_set_app(b.host, &(sinew_app){.user = &b, .cause_text = say_cause});
  joints_explain(b.host, b.actor, sinew_model_find_joint(b.model, "LeftForeArm"), text, sizeof text);
  assert_non_null(strstr(text, "%: "));
  assert_non_null(strstr(text, "\n    in idle -> run (scene.lua:8)\n"));
  release(&b);
}

/* Orange surrounds the picked actor, on both sides of the head, and nothing surrounds the other one. */
static void the_picked_actor_has_an_outline(void **state) {
  (void)state;
  for (int scale = 1; scale <= 2; scale++) {
    bench b;
    make(&b, (float)scale, true);
    sinew_host_view(b.host)->paused = true;
    int orange[2][2] = {{0}};
    for (int picked = 0; picked < 2; picked++) {
      if (picked) sinew_host_select(b.host, b.actor, 1);
      b.host->selection.shows_joints = false;
      bench_step(b.host, 2);
      for (int k = 0; k < 2; k++) {
        float x, y;
        pixel_of(&b, k ? b.other : b.actor, "Head", &x, &y);
        assert_true(host_read_picture(b.host, &(sinew_error){{0}}));
        for (int i = -40 * scale; i < 40 * scale; i++) {
          const uint8_t *c = pixel_at(&b.host->pixels, (int)x + i, (int)y - 4 * scale);
          orange[picked][k] += c[0] > 200 && c[1] < 190 && c[2] < 110 && c[0] > c[1] + 40;
        }
      }
    }
    assert_int_equal(orange[0][0], 0);
    assert_int_equal(orange[1][1], orange[0][1]);
    assert_in_range(orange[1][0], 2 * scale, 14 * scale);
    release(&b);
  }
}

/* For eyes: SINEW_PICTURES=folder keeps what it looks like. */
static void pictures(void **state) {
  (void)state;
  for (int scale = 1; scale <= 2 && getenv("SINEW_PICTURES"); scale++) {
    bench b;
    make(&b, (float)scale, true);
    sinew_host_view(b.host)->inspector = sinew_host_view(b.host)->paused = true;
    b.host->shows_keys = scale == 2;
    select_joint(&b, "LeftForeArm");
    bench_picture(b.host, "picking", scale);
    b.host->shows_keys = false;
    add_arm(&b);
    select_joint(&b, "RightArm");
    bench_click(b.host, "paint the mask");
    bench_picture(b.host, "painting", scale);
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
                                     cmocka_unit_test(layers_change_beside_the_joint),
                                     cmocka_unit_test(masks_become_few_patterns),
                                     cmocka_unit_test(a_mask_is_painted_on_the_character),
                                     cmocka_unit_test(a_mask_that_is_too_long_for_lua_is_told),
                                     cmocka_unit_test(transitions_are_named_beside_causes),
                                     cmocka_unit_test(the_picked_actor_has_an_outline),
                                     cmocka_unit_test(pictures)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
