/* The ring returns what it packs: times, positions and scales to the bit, rotations to 1.5e-4 rad. Constant values take
 * little room. */
#include "host_fixture.h"

#include "host/past/ring_part.h"

#include <math.h>

enum { GROUPS = 16 };

static sinew_model *model;
static int joints;
static uint32_t dice_state;

static uint32_t dice(void) { return dice_state = dice_state * 1664525u + 1013904223u, dice_state >> 8; }
static float number(void) { return (float)dice() / (1 << 23) - 1; }

static void load(const char *file) {
  sinew_error error = {{0}};
  char path[512];
  snprintf(path, sizeof path, SINEW_SOURCE "/assets/%s", file);
  model = sinew_model_load(path, NULL, &error);
  if (!model) fail_msg("%s", error.message);
  joints = sinew_model_joint_count(model);
  assert_true(joints <= GROUPS * SINEW_LANES);
}

/* Moves joint j: bit 0 rotates, 1 moves, 2 scales it; otherwise it has its rest pose or, with bit 3, another constant
 * one. */
static void shake(sinew_pose pose, int j, bool anew) {
  sinew_transform t = sinew_model_joint_rest(model, j);
  float q[4] = {number(), number(), number(), number()};
  float size = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (j & 1 || anew) t.rotation = (sinew_quat){q[0] / size, q[1] / size, q[2] / size, q[3] / size};
  else t.rotation = sinew_pose_joint(&pose, j).rotation;
  if (j & 8) t.translation.x += 1, t.scale.y = 2;
  if (j & 2) t.translation = (sinew_vec3){number(), number(), number()};
  if (j & 4) t.scale = (sinew_vec3){number(), 1, number()};
  sinew_pose_set_joint(&pose, j, &t);
}

static ring_moment some_moment(int i) {
  ring_moment m = {.transform = sinew_transform_identity(), .opacity = 0.5f, .state = i / 7, .slid = (float)i};
  m.clip_count = i % 3;
  for (int c = 0; c < m.clip_count; c++)
    m.clips[c] = (ring_clip){(int16_t)(c + i / 10), 1, number(), number(), c ? 1 : number()};
  m.param_count = 2;
  m.params[1] = number();
  return m;
}

/* Of two rotations, in radians: twice the distance on the sphere. */
static double apart(sinew_quat a, sinew_quat b) {
  const float *p = &a.x, *q = &b.x;
  double dot = 0, away = 0;
  for (int k = 0; k < 4; k++) dot += (double)p[k] * (double)q[k];
  for (int k = 0; k < 4; k++) away += pow((double)p[k] - (dot < 0 ? -1 : 1) * (double)q[k], 2);
  return 2 * sqrt(away);
}

/* Filled with so many moments, and read before it is packed and after. */
static void check(int count) {
  static sinew_pose_group then[RING_BLOCK][GROUPS], room[GROUPS];
  static ring_moment moments[RING_BLOCK];
  ring_part *p = ring_part_create((sinew_actor){7}, "somebody", model, 3);
  assert_non_null(p);
  for (int i = 0; i < count; i++) {
    sinew_pose pose = {then[i], joints};
    if (i > 0) memcpy(then[i], then[i - 1], sizeof then[i]);
    for (int j = 0; j < joints; j++) shake(pose, j, i == 0);
    moments[i] = some_moment(i);
    ring_part_add(p, moments + i, &pose, NULL);
  }
  for (int packed = 0; packed <= 1; packed++) {
    if (packed) ring_part_pack(p);
    assert_int_equal(p->open == NULL, packed);
    for (int i = 0; i < count; i++) {
      ring_moment m;
      sinew_pose now = {room, joints}, was = {then[i], joints};
      ring_part_moment(p, i, &m);
      assert_memory_equal(&m, moments + i, sizeof m);
      ring_part_pose(p, i, &now);
      for (int j = 0; j < joints; j++) {
        sinew_transform a = sinew_pose_joint(&now, j), b = sinew_pose_joint(&was, j);
        assert_memory_equal(&a.translation, &b.translation, sizeof a.translation);
        assert_memory_equal(&a.scale, &b.scale, sizeof a.scale);
        assert_true(apart(a.rotation, b.rotation) < 1.5e-4);
        sinew_quat alone = ring_part_rotation(p, i, j);
        assert_memory_equal(&alone, &a.rotation, sizeof alone);
      }
    }
  }
  ring_part_free(p);
}

static void what_is_packed_comes_back(void **state) {
  (void)state;
  const char *const files[] = {"hero.glb", "fox.glb"};
  int past_the_last = 0; /* lanes without a joint */
  dice_state = 1;
  for (int f = 0; f < 2; f++) {
    load(files[f]);
    past_the_last += sinew_pose_group_count(joints) * SINEW_LANES - joints;
    for (int count = 1; count <= RING_BLOCK; count++) check(count);
    sinew_model_release(model);
  }
  assert_true(past_the_last > 0);
}

/* An actor in the rest pose takes a few hundred bytes; if all joints rotate, six bytes for each joint and moment. */
static void what_does_not_change_takes_no_room(void **state) {
  (void)state;
  static sinew_pose_group groups[GROUPS];
  load("hero.glb");
  sinew_pose pose = {groups, joints};
  for (int turns = 0; turns <= 1; turns++) {
    ring_part *p = ring_part_create((sinew_actor){7}, "somebody", model, 0);
    ring_moment m = {.opacity = 1, .state = -1};
    sinew_model_rest_pose(model, pose);
    for (int i = 0; i < RING_BLOCK; i++) {
      for (int j = 0; turns && j < joints; j++) {
        sinew_transform t = sinew_model_joint_rest(model, j);
        t.rotation = (sinew_quat){sinf(0.1f * (float)(i + j)), 0, 0, cosf(0.1f * (float)(i + j))};
        sinew_pose_set_joint(&pose, j, &t);
      }
      ring_part_add(p, &m, &pose, NULL);
    }
    ring_part_pack(p);
    size_t fixed = 8 + sizeof m + (size_t)sinew_pose_group_count(joints) * 6;
    assert_int_equal(p->packed_size, fixed + (size_t)joints * 6 * (turns ? RING_BLOCK : 1));
    ring_part_free(p);
  }
  sinew_model_release(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_packed_comes_back),
                                     cmocka_unit_test(what_does_not_change_takes_no_room)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
