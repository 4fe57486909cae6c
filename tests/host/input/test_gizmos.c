/* Targets and attachments are dragged in the picture. */
#include "panel_bench.h"

#include "math/quat.h"
#include "math/vec3.h"

#include <sinew/actor_modifiers.h>

typedef struct bench {
  sinew_host *host;
  sinew_model *model;
  sinew_actor actor, held;
  int presses;
} bench;

static void on_mouse(void *user, int button, bool down) {
  bench *b = user;
  b->presses += button == 1 && down;
}

/* One looks at a point, and holds another one in the hand. */
static void make(bench *b, float scale, bool drawn) {
  sinew_error error = {{0}};
  *b = (bench){.host = bench_host(scale, drawn), .model = bench_hero()};
  sinew_host_set_app(b->host, &(sinew_app){.user = b, .mouse = on_mouse});
  sinew_stage *stage = b->host->stage;
  b->actor = sinew_actor_create(stage, "hero", b->model, &error);
  b->held = sinew_actor_create(stage, "held", b->model, &error);
  sinew_modifier_def defs[2] = {sinew_modifier_def_default(SINEW_MODIFIER_AIM),
                                sinew_modifier_def_default(SINEW_MODIFIER_SPRING)};
  int head = sinew_model_find_joint(b->model, "Head"), tail = sinew_model_find_joint(b->model, "Ponytail1");
  defs[0].name = "gaze", defs[0].joints = &head, defs[0].joint_count = 1;
  defs[0].target = (sinew_vec3){0.5f, 1.5f, 0.4f};
  defs[1].name = "hair", defs[1].joints = &tail, defs[1].joint_count = 1;
  if (!sinew_actor_set_modifiers(stage, b->actor, defs, 2, &error)) fail_msg("%s", error.message);
  sinew_transform offset = sinew_transform_identity();
  offset.scale = (sinew_vec3){0.2f, 0.2f, 0.2f};
  offset.translation = (sinew_vec3){0.02f, 0.1f, 0};
  offset.rotation = sinew_quat_from_axis_angle((sinew_vec3){1, 0, 0}, 0.3f);
  if (!sinew_actor_attach(
          stage, b->held,
          &(sinew_attachment){.to = b->actor, .joint = sinew_model_find_joint(b->model, "LeftHand"), .offset = offset},
          &error))
    fail_msg("%s", error.message);
  bench_step(b->host, 5);
}

static void release(bench *b) {
  sinew_host_destroy(b->host);
  sinew_model_release(b->model);
}

static gizmo only_gizmo(bench *b, sinew_actor actor) {
  gizmo all[GIZMO_MOST];
  sinew_host_select(b->host, actor, 1);
  bench_step(b->host, 2);
  assert_int_equal(gizmos_find(b->host, all), 1);
  return all[0];
}

static sinew_vec3 target_of(const bench *b) {
  sinew_modifier_def s;
  assert_true(sinew_actor_read_modifier_state(b->host->stage, b->actor, 0, &s));
  return s.target;
}

static void pixels_are_where_the_renderer_puts_them(void **state) {
  (void)state;
  bench b;
  make(&b, 1, false);
  gizmo g = only_gizmo(&b, b.actor);
  for (int i = 0; i < 3; i++) {
    float at[2], expected[2];
    assert_true(gizmo_pixel(b.host, &g, (gizmo_handle)i, at));
    bench_project(b.host, vec3_add_scaled(g.at, 0.8f * g.length, g.axes[i]), expected);
    assert_near(at[0], expected[0], 0.05);
    assert_near(at[1], expected[1], 0.05);
  }
  release(&b);
}

/* Along one axis only, and the handle stays under the mouse; neither the scene nor the camera knows of it. */
static void an_axis_moves_a_target_along_itself(void **state) {
  (void)state;
  for (int scale = 1; scale <= 2; scale++)
    for (int axis = 0; axis < 3; axis++) {
      bench b;
      float from[2], to[2], end[2];
      make(&b, (float)scale, false);
      gizmo g = only_gizmo(&b, b.actor);
      sinew_vec3 before = target_of(&b), camera = b.host->camera.position;
      sinew_vec3 wanted = vec3_add_scaled(before, 0.21f, g.axes[axis]);
      assert_true(gizmo_pixel(b.host, &g, (gizmo_handle)axis, from));
      bench_project(b.host, vec3_add_scaled(wanted, 0.8f * g.length, g.axes[axis]), to);
      bench_drag(b.host, from[0], from[1], to[0], to[1]);
      sinew_vec3 after = target_of(&b);
      assert_near(vec3_distance(after, wanted), 0, 0.004);
      assert_near(vec3_length(vec3_without(vec3_sub(after, before), g.axes[axis])), 0, 1e-5);
      bench_project(b.host, vec3_add_scaled(after, 0.8f * g.length, g.axes[axis]), end);
      assert_near(end[0], to[0], 2);
      assert_memory_equal(&camera, &b.host->camera.position, sizeof camera);
      assert_int_equal(b.presses, 0);
      assert_false(b.host->selection.drag.is_on);
      const change_list *changes = &b.host->inspector.changes;
      assert_int_equal(changes->count, 1);
      assert_string_equal(changes->changes[0].target, "hero.modifiers.gaze.target");
      assert_string_equal(changes->changes[0].edits[0].field, "target");
      assert_near(changes->changes[0].edits[0].y, after.y, 1e-6);
      release(&b);
    }
}

static void the_centre_follows_the_mouse(void **state) {
  (void)state;
  bench b;
  float from[2], now[2];
  make(&b, 1, false);
  gizmo g = only_gizmo(&b, b.actor);
  assert_true(gizmo_pixel(b.host, &g, GIZMO_CENTRE, from));
  bench_drag(b.host, from[0], from[1], from[0] - 60, from[1] + 35);
  bench_project(b.host, target_of(&b), now);
  assert_near(now[0], from[0] - 60, 0.5);
  assert_near(now[1], from[1] + 35, 0.5);
  /* A press beside all of it is the scene's. */
  bench_drag(b.host, now[0] - 200, now[1] + 150, now[0] - 200, now[1] + 150);
  assert_int_equal(b.presses, 1);
  release(&b);
}

/* An eighth of a ring is an eighth of a turn, in the joint's own axes. */
static void a_ring_turns_an_attachment(void **state) {
  (void)state;
  bench b;
  float from[2], to[2];
  sinew_attachment before, after;
  make(&b, 1, false);
  gizmo g = only_gizmo(&b, b.held);
  assert_true(sinew_actor_attachment(b.host->stage, b.held, &before));
  assert_int_equal(before.to.id, b.actor.id);
  int axis = 0; /* the ring that faces the camera most is never seen edge on */
  sinew_vec3 ahead = vec3_unit(vec3_sub(b.host->camera.target, b.host->camera.position), (sinew_vec3){0, 0, 1});
  for (int i = 1; i < 3; i++)
    if (fabsf(vec3_dot(g.axes[i], ahead)) > fabsf(vec3_dot(g.axes[axis], ahead))) axis = i;
  assert_true(gizmo_pixel(b.host, &g, (gizmo_handle)(GIZMO_RING_X + axis), from));
  bench_project(b.host, vec3_add_scaled(g.at, 0.75f * g.length, g.axes[(axis + 2) % 3]), to);
  bench_drag(b.host, from[0], from[1], to[0], to[1]);
  assert_true(sinew_actor_attachment(b.host->stage, b.held, &after));
  sinew_quat turn =
      sinew_quat_multiply(after.offset.rotation, (sinew_quat){-before.offset.rotation.x, -before.offset.rotation.y,
                                                              -before.offset.rotation.z, before.offset.rotation.w});
  const float part[3] = {turn.x, turn.y, turn.z};
  assert_near(2 * atan2(part[axis], turn.w), 0.785398, 0.02);
  assert_near(part[(axis + 1) % 3], 0, 1e-4);
  assert_near(vec3_distance(after.offset.translation, before.offset.translation), 0, 1e-6);
  const change_list *changes = &b.host->inspector.changes;
  assert_int_equal(changes->count, 1);
  assert_string_equal(changes->changes[0].target, "hero:attach(\"LeftHand\", held");
  assert_string_equal(changes->changes[0].edits[0].field, "offset.rotation");
  release(&b);
}

static void an_axis_moves_an_attachment_along_the_joint_s(void **state) {
  (void)state;
  bench b;
  float from[2], to[2];
  sinew_attachment before, after;
  int axis = 0;
  make(&b, 1, false);
  gizmo g = only_gizmo(&b, b.held);
  sinew_vec3 ahead = vec3_unit(vec3_sub(b.host->camera.target, b.host->camera.position), (sinew_vec3){0, 0, 1});
  for (int i = 1; i < 3; i++)
    if (fabsf(vec3_dot(g.axes[i], ahead)) < fabsf(vec3_dot(g.axes[axis], ahead))) axis = i;
  sinew_actor_attachment(b.host->stage, b.held, &before);
  assert_true(gizmo_pixel(b.host, &g, (gizmo_handle)axis, from));
  bench_project(b.host, vec3_add_scaled(g.at, 0.8f * g.length + 0.1f, g.axes[axis]), to);
  bench_drag(b.host, from[0], from[1], to[0], to[1]);
  sinew_actor_attachment(b.host->stage, b.held, &after);
  const float moved[3] = {after.offset.translation.x - before.offset.translation.x,
                          after.offset.translation.y - before.offset.translation.y,
                          after.offset.translation.z - before.offset.translation.z};
  for (int i = 0; i < 3; i++) assert_near(moved[i], i == axis ? 0.1 : 0, 0.004);
  assert_string_equal(b.host->inspector.changes.changes[0].edits[0].field, "offset.position");
  release(&b);
}

/* A spring has no target; one that follows a joint, and nothing that is picked, have no gizmo. */
static void what_cannot_be_dragged_has_none(void **state) {
  (void)state;
  bench b;
  gizmo all[GIZMO_MOST];
  sinew_error error;
  make(&b, 1, false);
  assert_int_equal(gizmos_find(b.host, all), 0);
  only_gizmo(&b, b.actor);
  assert_false(sinew_actor_modifier_aims(b.host->stage, b.actor, 1));
  int hand = sinew_model_find_joint(b.model, "LeftHand");
  assert_true(sinew_actor_set_modifier_target(b.host->stage, b.actor, 0, b.actor, hand, &error));
  assert_int_equal(gizmos_find(b.host, all), 0);
  sinew_host_select(b.host, b.held, 1);
  sinew_actor_destroy(b.host->stage, b.actor);
  bench_step(b.host, 1);
  assert_int_equal(gizmos_find(b.host, all), 0);
  release(&b);
}

static void pictures(void **state) {
  (void)state;
  for (int scale = 1; scale <= 2 && getenv("SINEW_PICTURES"); scale++)
    for (int held = 0; held < 2; held++) {
      bench b;
      make(&b, (float)scale, true);
      sinew_host_view(b.host)->inspector = true;
      only_gizmo(&b, held ? b.held : b.actor);
      bench_click(b.host, "Pose");
      bench_picture(b.host, held ? "gizmo-attachment" : "gizmo-target", scale);
      release(&b);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pixels_are_where_the_renderer_puts_them),
                                     cmocka_unit_test(an_axis_moves_a_target_along_itself),
                                     cmocka_unit_test(the_centre_follows_the_mouse),
                                     cmocka_unit_test(a_ring_turns_an_attachment),
                                     cmocka_unit_test(an_axis_moves_an_attachment_along_the_joint_s),
                                     cmocka_unit_test(what_cannot_be_dragged_has_none),
                                     cmocka_unit_test(pictures)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
