/* Legs that are bent until a foot is where it should be: a recorded knee, or one between two motions, is nearly
 * straight and a little to the side. */
#include "support/hero.h"

#include "actor/sync/leg_bend.h"

enum { JOINTS = 128, DIRECTIONS = 360 };

typedef struct bench {
  sinew_model *model;
  gait_table gaits;
  const leg *leg;
  sinew_pose pose;
  sinew_mat3x4 joints[JOINTS];
} bench;

static bench open_bench(void) {
  bench b = {.model = load_hero()};
  int count = sinew_model_joint_count(b.model);
  b.leg = gait_take(&b.gaits, b.model)->legs;
  b.pose = (sinew_pose){calloc((size_t)sinew_pose_group_count(count), sizeof(sinew_pose_group)), count};
  assert_true(count <= JOINTS);
  return b;
}

static void close_bench(bench *b) {
  gait_leave(&b->gaits, b->gaits.items[0]);
  mem_free(b->gaits.items);
  free(b->pose.groups);
  sinew_model_release(b->model);
}

static sinew_vec3 place_of(const bench *b, int joint) {
  return (sinew_vec3){b->joints[joint].m[3], b->joints[joint].m[7], b->joints[joint].m[11]};
}

static double distance(sinew_vec3 a, sinew_vec3 b) {
  return sqrt(pow((double)a.x - b.x, 2) + pow((double)a.y - b.y, 2) + pow((double)a.z - b.z, 2));
}

/* The hero at rest, but that a shin is turned by `angle` towards a direction: 0 to the side, a quarter ahead. */
static sinew_posed stand(bench *b, double angle, double direction) {
  for (int i = 0; i < sinew_model_joint_count(b->model); i++) {
    sinew_transform rest = sinew_model_joint_rest(b->model, i);
    sinew_pose_set_joint(&b->pose, i, &rest);
  }
  sinew_posed posed = {b->model, b->pose, b->joints};
  sinew_local_to_model(&(sinew_local_to_model_job){b->model, b->pose, b->joints, 0});
  sinew_quat over = sinew_transform_from_mat3x4(b->joints + sinew_model_joint_parent(b->model, b->leg->shin)).rotation;
  sinew_quat back = {-over.x, -over.y, -over.z, over.w};
  float s = (float)sin(angle / 2), c = (float)cos(angle / 2);
  sinew_quat bend = {s * (float)cos(direction), 0, s * (float)sin(direction), c};
  sinew_transform shin = sinew_pose_joint(&b->pose, b->leg->shin);
  shin.rotation = sinew_quat_multiply(back, sinew_quat_multiply(bend, sinew_quat_multiply(over, shin.rotation)));
  sinew_pose_set_joint(&b->pose, b->leg->shin, &shin);
  sinew_local_to_model(&(sinew_local_to_model_job){b->model, b->pose, b->joints, 0});
  return posed;
}

/* Lifts the foot, and returns the knee. */
static sinew_vec3 lift(bench *b, double angle, double direction, float by) {
  sinew_posed posed = stand(b, angle, direction);
  sinew_vec3 ball = place_of(b, b->leg->toes);
  ball.y += by;
  leg_bend(b->leg, &posed, ball, 1);
  double off = distance(place_of(b, b->leg->toes), ball);
  if (off > 1e-3) fail_msg("bent by %g towards %g: the ball is %g m off", angle, direction, off);
  return place_of(b, b->leg->shin);
}

/* Bent to a side by ever so little, a knee used to bend there, and on one side or the other. */
static void a_nearly_straight_knee_bends_where_it_points(void **state) {
  (void)state;
  bench b = open_bench();
  for (double angle = 0.005; angle < 0.1; angle *= 2) {
    sinew_vec3 before = lift(&b, angle, 0, 0.12f);
    for (int i = 1; i <= DIRECTIONS; i++) {
      double direction = i * 2 * 3.14159265358979323846 / DIRECTIONS;
      sinew_vec3 knee = lift(&b, angle, direction, 0.12f), hip = place_of(&b, b.leg->thigh);
      if (knee.z < hip.z + 0.1f) fail_msg("bent by %g towards %g: the knee does not point ahead", angle, direction);
      if (distance(knee, before) > 0.005) fail_msg("bent by %g towards %g: the knee jumps", angle, direction);
      before = knee;
    }
  }
  close_bench(&b);
}

/* What is there already stays: a foot that is in its place moves nothing, and a knee that is well bent stays in its
 * plane. */
static void a_leg_keeps_its_own_plane(void **state) {
  (void)state;
  bench b = open_bench();
  for (int i = 0; i < 5; i++) {
    double direction = -0.6 + 0.3 * i;
    sinew_posed posed = stand(&b, 1, direction);
    sinew_vec3 knee = place_of(&b, b.leg->shin), hip = place_of(&b, b.leg->thigh), foot = place_of(&b, b.leg->foot);
    leg_bend(b.leg, &posed, place_of(&b, b.leg->toes), 1);
    assert_true(distance(place_of(&b, b.leg->shin), knee) < 1e-4);
    double side =
        ((double)knee.x - hip.x) - ((double)foot.x - hip.x) * ((double)knee.y - hip.y) / ((double)foot.y - hip.y);
    knee = lift(&b, 1, direction, -0.02f), foot = place_of(&b, b.leg->foot);
    double now =
        ((double)knee.x - hip.x) - ((double)foot.x - hip.x) * ((double)knee.y - hip.y) / ((double)foot.y - hip.y);
    assert_true(fabs(now - side) < 0.02);
  }
  close_bench(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_nearly_straight_knee_bends_where_it_points),
                                     cmocka_unit_test(a_leg_keeps_its_own_plane)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
