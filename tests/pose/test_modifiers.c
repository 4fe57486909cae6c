/* Any modifier after any other, on any skeleton, scaled unevenly or not: all stays finite, of unit length and in step.
 */
#include "model/pose_group.h"
#include "support/fixture.h"

#include <sinew/modifier_jobs.h>

enum { JOINTS = 40 };

typedef struct subject {
  sinew_posed posed;
  int path[JOINTS + 1], depth; /* from a random joint up to the root */
} subject;

static sinew_vec3 any_position(void) {
  float reach = random_bits() % 8 ? 2 : random_bits() % 2 ? 1e20f : 0;
  return (sinew_vec3){random_range(-reach, reach), random_range(-reach, reach), random_range(-reach, reach)};
}

static int any_joint(void) { return (int)(random_bits() % (JOINTS + 1)); }

static void choose_path(subject *s) {
  s->depth = 0;
  for (int joint = any_joint(); joint >= 0; joint = sinew_model_joint_parent(s->posed.model, joint))
    s->path[s->depth++] = joint;
}

static void bend_two_bones(subject *s) {
  if (s->depth < 3) return;
  int middle = 1 + (int)(random_bits() % (uint32_t)(s->depth - 2));
  sinew_two_bone_job job = {.posed = s->posed,
                            .upper = s->path[s->depth - 1],
                            .middle = s->path[middle],
                            .tip = s->path[0],
                            .target = any_position(),
                            .has_pole = random_bits() % 2,
                            .pole = any_position(),
                            .hinge = any_position(),
                            .soften = random_range(0.5f, 1),
                            .keep_tip = random_bits() % 2,
                            .weight = random_range(0, 1)};
  assert_true(sinew_two_bone(&job));
}

static void aim(subject *s) {
  int chain[JOINTS + 1], count = 1 + (int)(random_bits() % (uint32_t)s->depth);
  for (int i = 0; i < count; i++) chain[i] = s->path[count - 1 - i];
  sinew_aim_job job = {.posed = s->posed,
                       .chain = chain,
                       .count = count,
                       .forward = {0, random_range(-1, 1), 1},
                       .up = any_position(),
                       .target = any_position(),
                       .limit = random_range(0, 3.14f),
                       .weight = random_range(0, 1)};
  assert_true(sinew_aim(&job));
}

static void solve_chain(subject *s) {
  if (s->depth < 2) return;
  sinew_fabrik_job job = {.posed = s->posed,
                          .root = s->path[s->depth - 1],
                          .tip = s->path[0],
                          .target = any_position(),
                          .iterations = 1 + (int)(random_bits() % 30),
                          .tolerance = random_range(0, 0.1f),
                          .weight = random_range(0, 1)};
  assert_true(sinew_fabrik(&job));
}

static void spring(subject *s) {
  static sinew_spring_state state;
  sinew_spring_job job = {.posed = s->posed,
                          .joints = s->path,
                          .count = 1,
                          .states = &state,
                          .world = sinew_mat3x4_identity(),
                          .dt = random_range(0, 3),
                          .frequency = random_range(0.01f, 30),
                          .damping = random_range(0, 3),
                          .gravity = {0, -9.81f, 0},
                          .weight = random_range(0, 1)};
  assert_true(sinew_spring(&job));
}

static void limit(subject *s) {
  sinew_limit_job job = {.posed = s->posed,
                         .joint = any_joint(),
                         .axis = {random_range(-1, 1), 1, 0},
                         .swing = random_range(0, 3),
                         .twist_min = random_range(-3, 0),
                         .twist_max = random_range(0, 3),
                         .weight = random_range(0, 1)};
  assert_true(sinew_limit(&job));
}

static void copy(subject *s) {
  sinew_copy_transform_job job = {.posed = s->posed,
                                  .joint = any_joint(),
                                  .source = any_joint(),
                                  .parts = SINEW_COPY_POSITION | SINEW_COPY_ROTATION,
                                  .offset = random_transform(false),
                                  .weight = random_range(0, 1)};
  bool allowed = sinew_copy_transform_check(&job) == NULL;
  assert_true(sinew_copy_transform(&job) == allowed);
}

static void expect_sound(const subject *s) {
  sinew_mat3x4 again[JOINTS + 1];
  assert_true(sinew_local_to_model(&(sinew_local_to_model_job){s->posed.model, s->posed.pose, again, 0}));
  assert_memory_equal(again, s->posed.joints, sizeof again);
  for (int j = 0; j <= JOINTS; j++) {
    for (int e = 0; e < 12; e++) assert_true(isfinite(again[j].m[e]));
    sinew_quat q = sinew_pose_joint(&s->posed.pose, j).rotation;
    assert_near((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w, 1, 1e-5);
  }
}

static void any_order_is_sound(void **state) {
  (void)state;
  void (*modifiers[])(subject *) = {bend_two_bones, aim, solve_chain, spring, limit, copy};
  for (int i = 0; i < 100; i++) {
    sinew_model *model = random_model(JOINTS, (skeleton_shape)(i % 4), 0, i % 3 == 0);
    sinew_mat3x4 joints[JOINTS + 1];
    subject s = {.posed = {model, copy_pose(model_rest_pose(model)), joints}};
    assert_true(sinew_local_to_model(&(sinew_local_to_model_job){model, s.posed.pose, joints, 0}));
    for (int k = 0; k < 40; k++) {
      choose_path(&s);
      modifiers[random_bits() % 6](&s);
      expect_sound(&s);
    }
    free(s.posed.pose.groups);
    sinew_model_release(model);
  }
  forget_made_clip();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(any_order_is_sound)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
