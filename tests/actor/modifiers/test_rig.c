/* Root motion, the order of modifiers, and attachments. */
#include "support/rig.h"
#include "support/stage_world.h"

#include "base/memory/memory.h"

#include <sinew/actor_modifiers.h>
#include <sinew/graph.h>

static const double pi = 3.14159265358979323846;

enum { ROOT = 1, HIP, KNEE, ANKLE, JOINTS = 4 };

/* A root that goes 0.8 m along z and turns 90° about y in a second, above a leg of two bones. */
static sinew_transform stride(int joint, double t) {
  static const float lengths[] = {0, 1, -0.5f, -0.5f};
  sinew_transform at = sinew_transform_identity();
  at.translation.y = lengths[joint];
  if (joint == 0) {
    at.translation.z = (float)(0.8 * t);
    at.rotation = sinew_quat_from_axis_angle((sinew_vec3){0, 1, 0}, (float)(pi / 2 * t));
  }
  if (joint == 1) at.rotation = sinew_quat_from_axis_angle((sinew_vec3){1, 0, 0}, (float)(0.5 * sin(2 * pi * t)));
  if (joint == 2) at.rotation = sinew_quat_from_axis_angle((sinew_vec3){1, 0, 0}, 0.4f);
  return at;
}

static int set_up(void **state) {
  static world w;
  const joint_desc joints[JOINTS] = {{.name = "root", .parent = -1, .rest = stride(0, 0)},
                                     {.name = "hip", .parent = 0, .rest = stride(1, 0)},
                                     {.name = "knee", .parent = 1, .rest = stride(2, 0)},
                                     {.name = "ankle", .parent = 2, .rest = stride(3, 0)}};
  world_open(&w, make_rig(joints, JOINTS, stride, 1, 241));
  *state = &w;
  return 0;
}

static void play(world *w, sinew_loop_mode loop, double speed, double fade) {
  sinew_play_def def = sinew_play_def_default();
  def.loop = loop, def.speed = speed, def.fade = fade, def.loop_count = 3;
  assert_int_not_equal(sinew_actor_play(w->stage, w->actor, &def, NULL).id, 0);
}

static void set_root(world *w, unsigned axes, bool apply) {
  sinew_root_def def = sinew_root_def_default();
  def.joint = ROOT, def.axes = axes, def.apply = apply;
  assert_true(sinew_actor_set_root(w->stage, w->actor, &def, NULL));
}

static sinew_vec3 joint_at(const world *w, int joint) {
  const float *m = sinew_actor_joints(w->stage, w->actor)[joint].m;
  return (sinew_vec3){m[3], m[7], m[11]};
}

static sinew_vec3 world_joint_at(const world *w, int joint) {
  sinew_transform t = sinew_actor_transform(w->stage, w->actor);
  sinew_mat3x4 m = sinew_mat3x4_from_transform(&t);
  return sinew_mat3x4_transform_point(&m, joint_at(w, joint));
}

static double yaw_of(sinew_transform t) { return 2 * atan2((double)t.rotation.y, (double)t.rotation.w); }

/* ---- root motion ---- */

static void loops_travel_as_many_strides_at_any_dt(void **state) {
  world *w = *state;
  for (int steps = 1; steps <= 256; steps *= 4) {
    sinew_transform home = sinew_transform_identity();
    sinew_actor_set_transform(w->stage, w->actor, &home);
    set_root(w, SINEW_ROOT_Z, true);
    play(w, SINEW_LOOP_FOREVER, 1, 0);
    for (int i = 0; i < steps; i++) sinew_stage_update(w->stage, 7.0 / steps);
    assert_near(sinew_actor_transform(w->stage, w->actor).translation.z, 7 * 0.8, 1e-4);
    assert_near(joint_at(w, ROOT).z, 0, 1e-5);
  }
}

static void four_quarter_turns_come_back(void **state) {
  world *w = *state;
  set_root(w, SINEW_ROOT_X | SINEW_ROOT_Z | SINEW_ROOT_YAW, true);
  play(w, SINEW_LOOP_FOREVER, 1, 0);
  for (int i = 0; i < 400; i++) sinew_stage_update(w->stage, 0.01);
  sinew_transform t = sinew_actor_transform(w->stage, w->actor);
  assert_near(t.translation.x, 0, 2e-3);
  assert_near(t.translation.z, 0, 2e-3);
  assert_near(fabs((double)t.rotation.w), 1, 1e-4); /* 360° */
}

static void a_one_shot_quarter_turn_ends_at_a_quarter(void **state) {
  world *w = *state;
  set_root(w, SINEW_ROOT_YAW, true);
  play(w, SINEW_LOOP_ONCE, 1, 0);
  for (int i = 0; i < 50; i++) sinew_stage_update(w->stage, 0.037);
  assert_near(yaw_of(sinew_actor_transform(w->stage, w->actor)), pi / 2, 1e-4);
}

static void a_quarter_turn_that_is_faded_in_alone_turns_a_quarter(void **state) {
  world *w = *state;
  set_root(w, SINEW_ROOT_YAW, true);
  play(w, SINEW_LOOP_ONCE, 1, 0.05); /* over the rest pose, which counts for less than 0.1 of a weight */
  for (int i = 0; i < 120; i++) sinew_stage_update(w->stage, 0.01);
  assert_near(yaw_of(sinew_actor_transform(w->stage, w->actor)), pi / 2, pi / 2 * 0.005);
}

static void backwards_it_walks_back(void **state) {
  world *w = *state;
  set_root(w, SINEW_ROOT_Z, true);
  play(w, SINEW_LOOP_COUNT, -1, 0);
  for (int i = 0; i < 100; i++) sinew_stage_update(w->stage, 0.07);
  assert_near(sinew_actor_transform(w->stage, w->actor).translation.z, -3 * 0.8, 1e-4);
}

static void the_delta_alone_is_for_the_caller(void **state) {
  world *w = *state;
  set_root(w, SINEW_ROOT_Z, false);
  play(w, SINEW_LOOP_FOREVER, 2, 0);
  sinew_stage_update(w->stage, 0.1);
  assert_near(sinew_actor_root_delta(w->stage, w->actor).translation.z, 0.16, 1e-5);
  assert_near(sinew_actor_transform(w->stage, w->actor).translation.z, 0, 0);
}

static void two_clips_share_by_weight(void **state) {
  world *w = *state;
  sinew_play_def def = sinew_play_def_default();
  set_root(w, SINEW_ROOT_Z, false);
  def.fade = 0, def.solo = false, def.weight = 3;
  sinew_actor_play(w->stage, w->actor, &def, NULL);
  def.weight = 1, def.speed = 5;
  sinew_actor_play(w->stage, w->actor, &def, NULL);
  sinew_stage_update(w->stage, 0.1);
  assert_near(sinew_actor_root_delta(w->stage, w->actor).translation.z, (3 * 0.08 + 1 * 0.4) / 4, 1e-5);
}

static void the_root_moves_in_the_direction_that_the_actor_faces(void **state) {
  world *w = *state;
  sinew_transform t = sinew_transform_identity();
  t.rotation = sinew_quat_from_axis_angle((sinew_vec3){0, 1, 0}, (float)(pi / 2));
  t.scale = (sinew_vec3){2, 2, 2};
  sinew_actor_set_transform(w->stage, w->actor, &t);
  set_root(w, SINEW_ROOT_Z, true);
  play(w, SINEW_LOOP_FOREVER, 1, 0);
  sinew_stage_update(w->stage, 0.5);
  t = sinew_actor_transform(w->stage, w->actor);
  assert_near(t.translation.x, 0.8, 1e-4);
  assert_near(t.translation.z, 0, 1e-4);
}

/* ---- modifiers ---- */

static const int leg[] = {HIP, KNEE, ANKLE};

static void a_target_is_in_the_world(void **state) {
  world *w = *state;
  sinew_transform t = {{3, 0.5f, -2}, random_quat(), {1.5f, 1.5f, 1.5f}};
  sinew_modifier_def def = sinew_modifier_def_default(SINEW_MODIFIER_TWO_BONE);
  def.name = "reach", def.joints = leg, def.joint_count = 3, def.soften = 1;
  sinew_actor_set_transform(w->stage, w->actor, &t);
  sinew_stage_update(w->stage, 0);
  sinew_vec3 hip = world_joint_at(w, HIP);
  def.target = (sinew_vec3){hip.x + 0.4f, hip.y - 0.6f, hip.z + 0.5f};
  assert_true(sinew_actor_set_modifiers(w->stage, w->actor, &def, 1, NULL));
  play(w, SINEW_LOOP_FOREVER, 1, 0);
  set_root(w, SINEW_ROOT_YAW, false);
  sinew_stage_update(w->stage, 0);
  assert_near(distance_between(world_joint_at(w, ANKLE), def.target), 0, 1e-4);
  sinew_modifier_def s;
  assert_true(sinew_actor_read_modifier_state(w->stage, w->actor, 0, &s));
  assert_near(sinew_actor_reach_error(w->stage, w->actor, 0), 0, 1e-4);
  s.weight = 0;
  assert_true(sinew_actor_set_modifier_state(w->stage, w->actor, 0, &s));
  sinew_stage_update(w->stage, 0);
  assert_true(distance_between(world_joint_at(w, ANKLE), def.target) > 0.1);
}

typedef struct heard {
  char order[64];
  double dt;
  float weight;
} heard;

static void note(void *user, sinew_actor actor, int index, const sinew_posed *posed, float weight, double dt) {
  heard *h = user;
  char name[2] = {(char)('0' + index), 0};
  (void)actor;
  strcat(h->order, name);
  h->dt = dt, h->weight = weight;
  sinew_transform t = sinew_pose_joint(&posed->pose, KNEE);
  t.translation.x += 1;
  sinew_pose_set_joint(&posed->pose, KNEE, &t);
  sinew_local_to_model(&(sinew_local_to_model_job){posed->model, posed->pose, posed->joints, KNEE});
}

static void functions_act_in_order_and_change_the_pose(void **state) {
  world *w = *state;
  heard h = {.order = ""};
  sinew_modifier_def defs[3];
  for (int i = 0; i < 3; i++) {
    defs[i] = sinew_modifier_def_default(SINEW_MODIFIER_FUNCTION);
    defs[i].name = i == 0 ? "a" : i == 1 ? "b" : "c", defs[i].function = note, defs[i].user = &h;
  }
  defs[1].weight = 0;
  defs[2].weight = 0.25f;
  assert_true(sinew_actor_set_modifiers(w->stage, w->actor, defs, 3, NULL));
  sinew_stage_update(w->stage, 0.125);
  assert_string_equal(h.order, "02");
  assert_near(h.dt, 0.125, 0);
  assert_near(h.weight, 0.25, 0);
  assert_near(joint_at(w, ANKLE).x, 2, 1e-6);
}

/* Swung by a step aside, taken away for a while, and where it would have been without that. */
static void a_spring_that_is_given_its_swing_back_goes_on_with_it(void **state) {
  world *w = *state;
  static const int tail[] = {KNEE, ANKLE};
  sinew_modifier_def def = sinew_modifier_def_default(SINEW_MODIFIER_SPRING);
  sinew_spring_state swing[2];
  def.name = "tail", def.joints = tail, def.joint_count = 2, def.damping = 0.1f;
  sinew_vec3 positions[2];
  for (int again = 0; again < 2; again++) {
    sinew_transform position = sinew_transform_identity();
    sinew_actor_set_modifiers(w->stage, w->actor, NULL, 0, NULL);
    sinew_actor_set_modifiers(w->stage, w->actor, &def, 1, NULL);
    sinew_actor_set_transform(w->stage, w->actor, &position);
    sinew_stage_update(w->stage, 1.0 / 60);
    position.translation.x = 0.1f;
    sinew_actor_set_transform(w->stage, w->actor, &position);
    for (int i = 0; i < 12; i++) sinew_stage_update(w->stage, 1.0 / 60);
    assert_int_equal(sinew_actor_springs(w->stage, w->actor, 0, swing, 2), 2);
    if (again) {
      sinew_actor_set_modifiers(w->stage, w->actor, NULL, 0, NULL);
      assert_int_equal(sinew_actor_springs(w->stage, w->actor, 0, NULL, 0), 0);
      sinew_stage_update(w->stage, 1);
      sinew_actor_set_modifiers(w->stage, w->actor, &def, 1, NULL);
      assert_false(sinew_actor_set_springs(w->stage, w->actor, 0, swing, 1));
      assert_true(sinew_actor_set_springs(w->stage, w->actor, 0, swing, 2));
    }
    for (int i = 0; i < 12; i++) sinew_stage_update(w->stage, 1.0 / 60);
    positions[again] = joint_at(w, ANKLE);
  }
  assert_true(fabs((double)swing[0].position.x) > 0.01);
  assert_near(distance_between(positions[0], positions[1]), 0, 1e-5);
}

static void a_spring_goes_on_when_the_modifiers_are_given_anew(void **state) {
  world *w = *state;
  static const int tail[] = {KNEE, ANKLE};
  sinew_modifier_def def = sinew_modifier_def_default(SINEW_MODIFIER_SPRING);
  def.name = "tail", def.joints = tail, def.joint_count = 2, def.damping = 0.1f;
  play(w, SINEW_LOOP_FOREVER, 1, 0);
  sinew_vec3 positions[2];
  for (int again = 0; again < 2; again++) {
    sinew_actor_set_modifiers(w->stage, w->actor, NULL, 0, NULL);
    sinew_actor_set_modifiers(w->stage, w->actor, &def, 1, NULL);
    play(w, SINEW_LOOP_FOREVER, 1, 0);
    for (int i = 0; i < 60; i++) {
      if (again && i == 30) assert_true(sinew_actor_set_modifiers(w->stage, w->actor, &def, 1, NULL));
      sinew_stage_update(w->stage, 1.0 / 60);
    }
    positions[again] = joint_at(w, ANKLE);
  }
  assert_near(distance_between(positions[0], positions[1]), 0, 1e-6);
}

static void a_modifier_that_cannot_be_is_refused_with_its_name(void **state) {
  world *w = *state;
  static const int wrong[] = {ANKLE, KNEE, HIP}, far[] = {HIP, KNEE, 99};
  sinew_error error;
  sinew_modifier_def defs[2] = {sinew_modifier_def_default(SINEW_MODIFIER_TWO_BONE),
                                sinew_modifier_def_default(SINEW_MODIFIER_TWO_BONE)};
  defs[0].name = "one", defs[0].joints = leg, defs[0].joint_count = 3;
  defs[1] = defs[0];
  assert_false(sinew_actor_set_modifiers(w->stage, w->actor, defs, 2, &error));
  assert_non_null(strstr(error.message, "'one' is not valid: another modifier has that name"));
  defs[1].name = "two", defs[1].joints = wrong;
  assert_false(sinew_actor_set_modifiers(w->stage, w->actor, defs, 2, &error));
  assert_non_null(strstr(error.message, "'two'"));
  defs[1].joints = far;
  assert_false(sinew_actor_set_modifiers(w->stage, w->actor, defs, 2, &error));
  defs[1].joints = leg, defs[1].weight = (float)NAN;
  assert_false(sinew_actor_set_modifiers(w->stage, w->actor, defs, 2, &error));
  defs[1].weight = 1, defs[1].joint_count = 2;
  assert_false(sinew_actor_set_modifiers(w->stage, w->actor, defs, 2, &error));
  defs[1] = sinew_modifier_def_default(SINEW_MODIFIER_FUNCTION);
  defs[1].name = "none";
  assert_false(sinew_actor_set_modifiers(w->stage, w->actor, defs, 2, &error));
  assert_int_equal(sinew_actor_modifier_count(w->stage, w->actor), 0);
  assert_true(sinew_actor_set_modifiers(w->stage, w->actor, defs, 1, &error));
  assert_int_equal(sinew_actor_find_modifier(w->stage, w->actor, "one"), 0);
  sinew_modifier_def s = {.weight = (float)NAN};
  assert_false(sinew_actor_set_modifier_state(w->stage, w->actor, 0, &s));
  assert_false(sinew_actor_set_modifier_state(w->stage, w->actor, 1, &s));
}

static void feet_stand_on_the_ground_that_they_are_given(void **state) {
  world *w = *state;
  static const int joints[] = {ROOT, HIP, KNEE, ANKLE};
  sinew_transform t = {{0, 2, 0}, {0, 0, 0, 1}, {1, 1, 1}};
  sinew_modifier_def def = sinew_modifier_def_default(SINEW_MODIFIER_PLANT);
  def.name = "feet", def.joints = joints, def.joint_count = 4;
  sinew_actor_set_transform(w->stage, w->actor, &t);
  assert_true(sinew_actor_set_modifiers(w->stage, w->actor, &def, 1, NULL));
  sinew_stage_update(w->stage, 0);
  float before = world_joint_at(w, ANKLE).y;
  assert_true(sinew_actor_set_ground(w->stage, w->actor, 0, 0, 1.8f, (sinew_vec3){0, 1, 0}, 1));
  assert_false(sinew_actor_set_ground(w->stage, w->actor, 0, 1, 0, (sinew_vec3){0, 1, 0}, 1));
  sinew_stage_update(w->stage, 0);
  assert_near(world_joint_at(w, ANKLE).y, (double)before - 0.2, 2e-3);
}

/* ---- attachments ---- */

static void an_attached_actor_stands_at_the_joint_in_the_same_frame(void **state) {
  world *w = *state;
  sinew_transform offset = {{0.1f, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
  /* Made first, so that the order of creation is not that of attachment. */
  sinew_actor hat = sinew_actor_create(w->stage, "hat", w->model, NULL);
  sinew_actor other = sinew_actor_create(w->stage, "other", w->model, NULL);
  assert_true(
      sinew_actor_attach(w->stage, w->actor, &(sinew_attachment){.to = other, .joint = KNEE, .offset = offset}, NULL));
  assert_true(sinew_actor_attach(
      w->stage, hat, &(sinew_attachment){.to = w->actor, .joint = ANKLE, .offset = sinew_transform_identity()}, NULL));
  sinew_play_def def = sinew_play_def_default();
  sinew_actor_play(w->stage, other, &def, NULL);
  for (int i = 0; i < 3; i++) sinew_stage_update(w->stage, 0.21);
  sinew_mat3x4 at = sinew_mat3x4_from_transform(&offset);
  at = sinew_mat3x4_multiply(sinew_actor_joints(w->stage, other) + KNEE, &at);
  at = sinew_mat3x4_multiply(&at, sinew_actor_joints(w->stage, w->actor) + ANKLE);
  sinew_transform placed = sinew_actor_transform(w->stage, hat);
  sinew_vec3 expected = {at.m[3], at.m[7], at.m[11]};
  assert_near(distance_between(placed.translation, expected), 0, 1e-5);
  sinew_actor_destroy(w->stage, other);
  sinew_stage_update(w->stage, 0.1);
  sinew_attachment on;
  assert_false(sinew_actor_attachment(w->stage, w->actor, &on));
  assert_true(sinew_actor_attachment(w->stage, hat, &on) && on.to.id == w->actor.id);
}

static void a_circle_of_attachments_is_refused_with_both_names(void **state) {
  world *w = *state;
  sinew_error error;
  sinew_actor hat = sinew_actor_create(w->stage, "hat", w->model, NULL);
  assert_true(sinew_actor_attach(
      w->stage, hat, &(sinew_attachment){.to = w->actor, .joint = KNEE, .offset = sinew_transform_identity()}, NULL));
  assert_false(sinew_actor_attach(
      w->stage, w->actor, &(sinew_attachment){.to = hat, .joint = KNEE, .offset = sinew_transform_identity()}, &error));
  assert_non_null(strstr(error.message, "'hero' cannot be attached to 'hat'"));
  assert_false(sinew_actor_attach(
      w->stage, hat, &(sinew_attachment){.to = hat, .joint = KNEE, .offset = sinew_transform_identity()}, &error));
  assert_false(sinew_actor_attach(
      w->stage, hat, &(sinew_attachment){.to = w->actor, .joint = 77, .offset = sinew_transform_identity()}, &error));
  assert_true(sinew_actor_attach(w->stage, hat, &(sinew_attachment){.joint = 0}, NULL));
  assert_true(sinew_actor_attach(
      w->stage, w->actor, &(sinew_attachment){.to = hat, .joint = KNEE, .offset = sinew_transform_identity()}, &error));
}

/* Whichever end of a row is made first. */
static void only_so_many_hang_in_a_row(void **state) {
  world *w = *state;
  for (int upwards = 0; upwards < 2; upwards++) {
    sinew_actor row[SINEW_ATTACH_MOST + 1];
    sinew_error error;
    for (int i = 0; i <= SINEW_ATTACH_MOST; i++) row[i] = sinew_actor_create(w->stage, "link", w->model, NULL);
    sinew_stage_update(w->stage, 0.1);
    for (int i = 0; i < SINEW_ATTACH_MOST; i++) {
      int k = upwards ? SINEW_ATTACH_MOST - 1 - i : i;
      bool hangs = sinew_actor_attach(
          w->stage, row[k + 1], &(sinew_attachment){.to = row[k], .joint = ANKLE, .offset = sinew_transform_identity()},
          &error);
      assert_int_equal(hangs, i < SINEW_ATTACH_MOST - 1);
    }
    assert_non_null(strstr(error.message, "more than 256 actors would be attached one to the other"));
    sinew_actor_attach(w->stage, row[SINEW_ATTACH_MOST / 2], &(sinew_attachment){.joint = 0}, NULL);
    sinew_stage_update(w->stage, 0.1); /* now there is room */
    int end = upwards ? 0 : SINEW_ATTACH_MOST - 1;
    assert_true(sinew_actor_attach(
        w->stage, row[end + 1],
        &(sinew_attachment){.to = row[end], .joint = ANKLE, .offset = sinew_transform_identity()}, &error));
  }
}

/* A row in no order, in which each hangs a step away from the one before, is in place after one update. */
static void a_long_row_is_placed_at_once(void **state) {
  enum { COUNT = 101 }; /* a prime: i * 37 % COUNT comes to each */
  world *w = *state;
  sinew_actor row[COUNT];
  sinew_transform step = sinew_transform_identity();
  step.translation.x = 0.5f;
  for (int i = 0; i < COUNT; i++) row[i * 37 % COUNT] = sinew_actor_create(w->stage, "link", w->model, NULL);
  for (int i = 0; i < COUNT; i++) {
    int k = i * 53 % COUNT;
    if (k > 0)
      assert_true(sinew_actor_attach(w->stage, row[k],
                                     &(sinew_attachment){.to = row[k - 1], .joint = 0, .offset = step}, NULL));
  }
  sinew_stage_update(w->stage, 0.1);
  for (int i = 0; i < COUNT; i++) assert_near(sinew_actor_transform(w->stage, row[i]).translation.x, 0.5 * i, 1e-3);
}

static void a_warm_rig_allocates_nothing(void **state) {
  world *w = *state;
  sinew_modifier_def def = sinew_modifier_def_default(SINEW_MODIFIER_TWO_BONE);
  def.name = "reach", def.joints = leg, def.joint_count = 3;
  sinew_actor_set_modifiers(w->stage, w->actor, &def, 1, NULL);
  set_root(w, SINEW_ROOT_Z, true);
  play(w, SINEW_LOOP_FOREVER, 1, 0);
  sinew_stage_update(w->stage, 0.1);
  uint64_t before = mem_request_count();
  for (int i = 0; i < 100; i++) sinew_stage_update(w->stage, 0.03);
  assert_int_equal(mem_request_count(), before);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_WORLD(loops_travel_as_many_strides_at_any_dt),
      WITH_WORLD(four_quarter_turns_come_back),
      WITH_WORLD(a_one_shot_quarter_turn_ends_at_a_quarter),
      WITH_WORLD(a_quarter_turn_that_is_faded_in_alone_turns_a_quarter),
      WITH_WORLD(backwards_it_walks_back),
      WITH_WORLD(the_delta_alone_is_for_the_caller),
      WITH_WORLD(two_clips_share_by_weight),
      WITH_WORLD(the_root_moves_in_the_direction_that_the_actor_faces),
      WITH_WORLD(a_target_is_in_the_world),
      WITH_WORLD(functions_act_in_order_and_change_the_pose),
      WITH_WORLD(a_spring_goes_on_when_the_modifiers_are_given_anew),
      WITH_WORLD(a_spring_that_is_given_its_swing_back_goes_on_with_it),
      WITH_WORLD(a_modifier_that_cannot_be_is_refused_with_its_name),
      WITH_WORLD(feet_stand_on_the_ground_that_they_are_given),
      WITH_WORLD(an_attached_actor_stands_at_the_joint_in_the_same_frame),
      WITH_WORLD(only_so_many_hang_in_a_row),
      WITH_WORLD(a_long_row_is_placed_at_once),
      WITH_WORLD(a_circle_of_attachments_is_refused_with_both_names),
      WITH_WORLD(a_warm_rig_allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
