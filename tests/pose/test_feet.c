/* Root motion from feet: a walk with known steps, on the spot and over the ground, and our own character's. */
#include "support/rig.h"

#include <sinew/motion.h>

static const double pi = 3.14159265358979323846, duration = 1, stride = 1.4; /* metres in a cycle */

enum { LEFT = 1, RIGHT, ROWS = 121, PATH = 121 };

static bool on_the_spot;
static double down = 0.6, beginning;

/* Down for the first 60 % (or another share) of its own cycle, in which it goes back under the character by as much of
 * the stride; then it swings forwards through the air. The right foot is half a cycle behind. */
static sinew_transform motion(int joint, double time) {
  sinew_transform t = sinew_transform_identity();
  double phase = fmod(time / duration + beginning + (joint ? 0.5 : 0), 1), z, y = 0;
  if (phase < down) z = stride * (down / 2 - phase);
  else {
    double s = (phase - down) / (1 - down);
    z = stride * (-down / 2 - (1 - down) * s + s * s * (3 - 2 * s)); /* leaves and lands at the ground's speed */
    y = 0.15 * sin(pi * s);
  }
  t.translation =
      (sinew_vec3){joint ? -0.1f : 0.1f, (float)(0.08 + y), (float)(z + (on_the_spot ? 0 : stride * time / duration))};
  return t;
}

static sinew_model *make_walker(bool spot) {
  on_the_spot = spot;
  joint_desc joints[2] = {{"LeftFoot", -1, motion(0, 0), false, 0}, {"RightFoot", -1, motion(1, 0), false, 0}};
  return make_rig(joints, 2, motion, duration, ROWS);
}

static const int feet[] = {LEFT, RIGHT};

static sinew_find_contacts_job make_search(const sinew_model *model, sinew_contact *output, int capacity, int *count) {
  return (sinew_find_contacts_job){.model = model,
                                   .clip = sinew_model_clip(model, 0),
                                   .feet = feet,
                                   .foot_count = 2,
                                   .height = 0.03f,
                                   .speed = 0.3f,
                                   .shortest = 0.05,
                                   .rate = 240,
                                   .loop = true,
                                   .output = output,
                                   .capacity = capacity,
                                   .count = count};
}

static sinew_root_from_feet_job make_root(const sinew_model *model, sinew_vec3 *path) {
  return (sinew_root_from_feet_job){model, sinew_model_clip(model, 0), feet, 2, 0.03f, path, PATH};
}

/* The left foot is down in 0 .. 0.6, the right one in 0.5 .. 1.1. */
static void expect_the_walk(const sinew_contact *contacts, int count) {
  const double want[2][2] = {{0, 0.6}, {0.5, 1.1}};
  assert_int_equal(count, 2);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(contacts[i].foot, i);
    assert_near(contacts[i].start, want[i][0], 0.02);
    assert_near(contacts[i].end, want[i][1], 0.02);
  }
}

static void contacts_of_a_walk_are_found(void **state) {
  (void)state;
  for (int spot = 0; spot < 2; spot++) {
    sinew_model *model = make_walker(spot);
    sinew_vec3 path[PATH];
    sinew_contact contacts[8];
    int count = -1;
    sinew_find_contacts_job job = make_search(model, contacts, 8, &count);
    sinew_root_from_feet_job root = make_root(model, path);
    if (spot) assert_true(sinew_root_from_feet(&root));
    if (spot) job.path = path, job.path_count = PATH;
    assert_true(sinew_find_contacts(&job));
    expect_the_walk(contacts, count);
    job.capacity = 1; /* what does not fit is counted */
    contacts[1].foot = 99;
    assert_true(sinew_find_contacts(&job));
    assert_int_equal(count, 2);
    assert_int_equal(contacts[1].foot, 99);
    job.loop = false, job.capacity = 8; /* without a loop the right foot comes down twice */
    assert_true(sinew_find_contacts(&job));
    assert_int_equal(count, 3);
    job.shortest = 0.3;
    assert_true(sinew_find_contacts(&job));
    assert_int_equal(count, 2);
    sinew_model_release(model);
  }
}

static void a_foot_that_stands_or_flies_for_ever(void **state) {
  (void)state;
  sinew_model *model = make_walker(false);
  int root = 0, count = -1;
  sinew_contact contact;
  sinew_find_contacts_job job = make_search(model, &contact, 1, &count);
  job.feet = &root, job.foot_count = 1; /* the virtual root never moves */
  assert_true(sinew_find_contacts(&job));
  assert_int_equal(count, 1);
  assert_near(contact.start, 0, 0);
  assert_near(contact.end, duration, 1e-9);
  job.feet = feet, job.speed = 1e-6f, job.shortest = 1e-3;
  sinew_model_release(model);
  model = make_walker(true);
  job.model = model, job.clip = sinew_model_clip(model, 0);
  assert_true(sinew_find_contacts(&job)); /* without its path every foot of a walk on the spot slides */
  assert_int_equal(count, 0);
  sinew_model_release(model);
}

/* On the spot the feet go back at the stride's speed, so the root goes forwards at it, at every moment. */
static void planted_feet_carry_the_root(void **state) {
  (void)state;
  sinew_model *model = make_walker(true);
  sinew_vec3 path[PATH], out;
  sinew_root_from_feet_job job = make_root(model, path);
  assert_true(sinew_root_from_feet(&job));
  for (int i = 0; i < PATH; i++) {
    assert_near(path[i].x, 0, 1e-6);
    assert_near(path[i].y, 0, 0);
    assert_near(path[i].z, stride * i / (PATH - 1), 0.03);
  }
  assert_near(path[PATH - 1].z, stride, 0.03);
  int64_t loops[] = {0, 1, 5, -3};
  for (int i = 0; i < 4; i++) {
    assert_true(sinew_root_path(&(sinew_root_path_job){path, PATH, duration, 0.25, 0.75, loops[i], &out}));
    double whole = path[PATH - 1].z;
    assert_near(out.z, (double)loops[i] * whole + path[90].z - path[30].z, 1e-5);
  }
  sinew_model_release(model);
  model = make_walker(false); /* over the ground planted feet stand still, and so does what they say of the root */
  job = make_root(model, path);
  assert_true(sinew_root_from_feet(&job));
  assert_near(path[PATH - 1].z, 0, 0.03);
  sinew_model_release(model);
}

/* A run whose first moment is in the air: the root goes on in flight as the last foot sent it. */
static void in_flight_the_root_goes_on(void **state) {
  (void)state;
  down = 0.3, beginning = 0.35;
  sinew_model *model = make_walker(true);
  sinew_vec3 path[PATH];
  sinew_root_from_feet_job job = make_root(model, path);
  assert_true(sinew_root_from_feet(&job));
  for (int i = 0; i < PATH; i++) {
    double want = stride * i / (PATH - 1);
    assert_near(path[i].z, want, 0.02 + 0.08 * want);
  }
  sinew_model_release(model);
  down = 0.6, beginning = 0;
}

static void bad_jobs_are_refused_and_write_nothing(void **state) {
  (void)state;
  sinew_model *model = make_walker(true), *other = random_model(9, SHAPE_CHAIN, 3, false);
  sinew_contact contact = {42, 1, 2};
  sinew_vec3 path[PATH] = {{42, 42, 42}};
  int count = -1, missing[] = {1, 99};
  sinew_find_contacts_job bad[14];
  for (int i = 0; i < 14; i++) bad[i] = make_search(model, &contact, 1, &count);
  bad[0].model = NULL, bad[1].clip = NULL, bad[2].clip = sinew_model_clip(other, 0), bad[3].feet = NULL;
  bad[4].foot_count = 0, bad[5].foot_count = SINEW_FEET_MAX + 1, bad[6].feet = missing, bad[7].height = NAN;
  bad[8].speed = 0, bad[9].shortest = NAN, bad[10].rate = 0, bad[11].rate = NAN, bad[12].count = NULL;
  bad[13].path_count = 5;
  for (int i = 0; i < 14; i++) {
    assert_non_null(sinew_find_contacts_check(bad + i));
    assert_false(sinew_find_contacts(bad + i));
  }
  assert_int_equal(count, -1);
  assert_int_equal(contact.foot, 42);
  sinew_root_from_feet_job roots[5];
  for (int i = 0; i < 5; i++) roots[i] = make_root(model, path);
  roots[0].height = 0, roots[1].height = NAN, roots[2].path = NULL, roots[3].path_count = 1, roots[4].feet = missing;
  for (int i = 0; i < 5; i++) assert_false(sinew_root_from_feet(roots + i));
  sinew_vec3 out = {1, 2, 3};
  sinew_root_path_job paths[] = {{NULL, PATH, 1, 0, 1, 0, &out},   {path, 1, 1, 0, 1, 0, &out},
                                 {path, PATH, 0, 0, 1, 0, &out},   {path, PATH, NAN, 0, 1, 0, &out},
                                 {path, PATH, 1, NAN, 1, 0, &out}, {path, PATH, 1, 0, INFINITY, 0, &out},
                                 {path, PATH, 1, 0, 1, 0, NULL}};
  for (int i = 0; i < 7; i++) assert_false(sinew_root_path(paths + i));
  assert_near(path[0].x, 42, 0);
  assert_near(out.x, 1, 0);
  sinew_model_release(model), sinew_model_release(other);
  forget_made_clip();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts_of_a_walk_are_found),
      cmocka_unit_test(a_foot_that_stands_or_flies_for_ever),
      cmocka_unit_test(planted_feet_carry_the_root),
      cmocka_unit_test(in_flight_the_root_goes_on),
      cmocka_unit_test(bad_jobs_are_refused_and_write_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
