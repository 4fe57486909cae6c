/* A capsule that walks: stairs, slopes, walls, lifts, falls, at several frame rates. */
#include "level/level_fixture.h"

#include "level/level.h"
#include "support/hero.h"

static const float rates[] = {30, 60, 144};
enum { RATES = 3 };

static sinew_walker_def def;

static void drive(sinew_walker *w, const sinew_level *level, float rate, float seconds, float x, float z) {
  for (int i = 0; i < (int)(seconds * rate + 0.5f); i++)
    sinew_walker_move(w, &def, level, 1 / rate, (sinew_vec3){x / rate, 0, z / rate});
}

static sinew_walker standing(const sinew_level *level, float x, float y, float z) {
  sinew_walker w = sinew_walker_at((sinew_vec3){x, y, z});
  drive(&w, level, 60, 1, 0, 0);
  assert_true(w.grounded);
  return w;
}

static bool close_to(float a, float b, float tolerance) { return fabsf(a - b) <= tolerance; }

/* How deep the capsule stands in the level's triangles. */
static float depth_of(const sinew_level *level, const sinew_walker *w) {
  sinew_vec3 from = {w->position.x, w->position.y + def.radius, w->position.z}, out;
  float depth;
  level_deepest(level, from, (sinew_vec3){0, def.height - 2 * def.radius, 0}, def.radius, 0, &depth, &out);
  return depth;
}

static void it_walks_on_level_ground(void **state) {
  (void)state;
  sinew_level *level = empty_level();
  add_floor(level, 40);
  for (int r = 0; r < RATES; r++) {
    sinew_walker w = standing(level, 0, 0.5f, 0);
    drive(&w, level, rates[r], 2, 3, -1);
    assert_true(close_to(w.position.x, 6, 1e-3f) && close_to(w.position.z, -2, 1e-3f));
    assert_true(close_to(w.position.y, 0, 3e-4f) && w.grounded && w.part == 0 && close_to(w.ground, 0, 1e-5f));
  }
  sinew_level_destroy(level);
}

static void it_climbs_stairs_and_comes_down(void **state) {
  (void)state;
  sinew_level *level = empty_level();
  add_floor(level, 40);
  add_shape(level, (sinew_shape){.kind = SINEW_SHAPE_STAIRS, .count = 12, .rise = 0.17f, .run = 0.28f, .width = 2},
            placed(0, 0, 2));
  add_box(level, 6, 0.2f, 6, placed(0, 12 * 0.17f - 0.1f, 2 + 12 * 0.28f + 3));
  for (int r = 0; r < RATES; r++)
    for (float speed = 0.7f; speed < 5; speed += 1.6f) {
      sinew_walker w = standing(level, 0, 0, 0);
      float highest = 0, frames = 7 / speed * rates[r];
      for (int i = 0; i < (int)frames; i++) {
        float before = w.position.y;
        sinew_walker_move(&w, &def, level, 1 / rates[r], (sinew_vec3){0, 0, speed / rates[r]});
        assert_true(w.grounded);
        highest = fmaxf(highest, w.position.y - before);
      }
      assert_true(close_to(w.position.y, 12 * 0.17f, 1e-3f));
      assert_true(close_to(w.position.z, (float)(int)frames * speed / rates[r], 2e-3f));
      /* the round end climbs an edge instead of jumping onto it */
      assert_true(highest < 0.04f + 2.6f * speed / rates[r]);
      for (int i = 0; i < (int)frames; i++) {
        sinew_walker_move(&w, &def, level, 1 / rates[r], (sinew_vec3){0, 0, -speed / rates[r]});
        assert_true(w.grounded);
      }
      assert_true(close_to(w.position.y, 0, 1e-3f) && close_to(w.position.z, 0, 4e-3f));
    }
  sinew_level_destroy(level);
}

static void a_step_is_as_high_as_said(void **state) {
  (void)state;
  for (int r = 0; r < RATES; r++)
    for (float height = 0.1f; height < 0.6f; height += 0.05f) {
      sinew_level *level = empty_level();
      add_floor(level, 40);
      add_box(level, 4, height, 4, placed(0, height / 2, 4));
      sinew_walker w = standing(level, 0, 0, 0);
      drive(&w, level, rates[r], 3, 0, 1.5f);
      bool up = height <= def.step + 1e-4f;
      assert_true(close_to(w.position.y, up ? height : 0, 1e-3f));
      assert_true(up ? w.position.z > 4 : close_to(w.position.z, 2 - def.radius, 1e-3f));
      sinew_level_destroy(level);
    }
}

/* Long slopes of every steepness on both sides of the limit. */
static void it_stays_on_slopes_that_are_not_too_steep(void **state) {
  (void)state;
  for (int degrees = 10; degrees <= 70; degrees += 5) {
    float angle = (float)degrees * 0.0174532925f;
    sinew_level *level = empty_level();
    add_floor(level, 40);
    add_box(level, 20, 0.2f, 20, turned(placed(0, 0, 4), 1, 0, 0, -angle));
    sinew_walker w = standing(level, 0, 0, 3);
    drive(&w, level, 60, 3, 0, 1);
    sinew_walker there = w;
    drive(&w, level, 60, 2, 0, 0);
    if (degrees < 50) {
      assert_true(w.grounded && w.position.y > 0.3f);
      assert_true(close_to(w.position.y, there.position.y, 1e-3f) && close_to(w.position.z, there.position.z, 1e-3f));
      /* on a slope, the axis meets the ground below the lowest point of the round end */
      assert_true(close_to(w.position.y - w.ground, def.radius * (1 / cosf(angle) - 1), 2e-3f));
    } else if (degrees > 50) assert_true(close_to(w.position.y, 0, 0.02f));
    sinew_level_destroy(level);
  }
}

/* A body slides down without friction: by half g sin² of the angle, as seen from the side, times the time squared. */
static void it_slides_down_what_is_too_steep(void **state) {
  (void)state;
  sinew_level *level = empty_level();
  add_floor(level, 60);
  add_box(level, 20, 0.2f, 20, turned(placed(0, 0, 4), 1, 0, 0, -1.05f));
  for (int r = 0; r < RATES; r++) {
    sinew_walker w = sinew_walker_at((sinew_vec3){0, 6, 6});
    drive(&w, level, rates[r], 0.9f, 0, 0);
    float speed = w.rise;
    drive(&w, level, rates[r], 0.3f, 0, 0);
    assert_true(!w.grounded && close_to(speed - w.rise, def.gravity * sinf(1.05f) * sinf(1.05f) * 0.3f, 0.05f));
    drive(&w, level, rates[r], 3, 0, 0);
    assert_true(w.grounded && close_to(w.position.y, 0, 1e-3f));
  }
  sinew_level_destroy(level);
}

static void it_slides_along_walls(void **state) {
  (void)state;
  sinew_level *level = empty_level();
  add_floor(level, 40);
  add_box(level, 30, 3, 0.2f, placed(0, 1.5f, 3));
  for (int r = 0; r < RATES; r++) {
    sinew_walker w = standing(level, 0, 0, 0);
    drive(&w, level, rates[r], 4, 2, 2);
    assert_true(close_to(w.position.x, 8, 0.02f) && close_to(w.position.z, 2.9f - def.radius, 1e-3f));
    assert_true(close_to(w.position.y, 0, 1e-3f));
  }
  sinew_level_destroy(level);
}

static void a_corner_holds_it(void **state) {
  (void)state;
  sinew_level *level = empty_level();
  add_floor(level, 40);
  add_box(level, 10, 3, 0.2f, turned(placed(0, 1.5f, 3), 0, 1, 0, 0.6f));
  add_box(level, 10, 3, 0.2f, turned(placed(0, 1.5f, 3), 0, 1, 0, -0.6f));
  sinew_walker w = standing(level, 0, 0, 0);
  drive(&w, level, 60, 3, 0, 2);
  sinew_walker there = w;
  drive(&w, level, 60, 1, 0, 2);
  assert_true(close_to(w.position.z, there.position.z, 1e-3f) && close_to(w.position.x, there.position.x, 1e-3f));
  assert_true(depth_of(level, &w) < 1e-3f);
  sinew_level_destroy(level);
}

static void it_jumps_as_high_as_its_rise_says(void **state) {
  (void)state;
  sinew_level *level = empty_level();
  add_floor(level, 40);
  add_box(level, 4, 0.2f, 4, placed(10, 2.4f, 0));
  for (int r = 0; r < RATES; r++) {
    sinew_walker w = standing(level, 0, 0, 0);
    w.rise = sqrtf(2 * def.gravity * 1.1f);
    float highest = 0, seconds = 0;
    do {
      sinew_walker_move(&w, &def, level, 1 / rates[r], (sinew_vec3){0, 0, 0});
      highest = fmaxf(highest, w.position.y), seconds += 1 / rates[r];
    } while (!w.grounded && seconds < 3);
    assert_true(close_to(highest, 1.1f, 0.006f) && close_to(seconds, 0.947f, 1.5f / rates[r]) &&
                close_to(w.position.y, 0, 1e-3f));
    w = standing(level, 10, 0, 0); /* a ceiling at 2.3 m */
    w.rise = sqrtf(2 * def.gravity * 1.1f), highest = 0;
    for (int i = 0; i < 30; i++) {
      sinew_walker_move(&w, &def, level, 1 / rates[r], (sinew_vec3){0, 0, 0});
      highest = fmaxf(highest, w.position.y);
    }
    assert_true(close_to(highest, 2.3f - def.height, 2e-3f));
  }
  sinew_level_destroy(level);
}

static void it_rides_on_what_moves(void **state) {
  (void)state;
  sinew_level *level = empty_level();
  add_floor(level, 40);
  int lift = add_box(level, 2, 0.2f, 2, placed(0, 0.1f, 0));
  sinew_walker w = standing(level, 0.6f, 0.4f, 0.3f);
  assert_int_equal(w.part, lift);
  float turned_by = 0;
  for (int i = 1; i <= 120; i++) {
    float t = (float)i / 60, angle = 0.5f * t;
    sinew_transform place = turned(placed(1.5f * t, 0.1f + 1.2f * t, 0), 0, 1, 0, angle);
    sinew_level_place(level, lift, &place);
    sinew_walker_move(&w, &def, level, 1.0f / 60, (sinew_vec3){0, 0, 0});
    turned_by += w.turned;
    /* a turn by `angle` about y takes x to z's negative side */
    float x = 1.5f * t + 0.6f * cosf(angle) + 0.3f * sinf(angle), z = -0.6f * sinf(angle) + 0.3f * cosf(angle);
    assert_true(w.grounded && w.part == lift);
    assert_true(close_to(w.position.x, x, 2e-3f) && close_to(w.position.z, z, 2e-3f) &&
                close_to(w.position.y, 0.2f + 1.2f * t, 2e-3f));
  }
  assert_true(close_to(turned_by, 1, 1e-3f) && close_to(w.riding.y, 1.2f, 0.01f));
  sinew_level_destroy(level);
}

static void a_door_pushes_it(void **state) {
  (void)state;
  sinew_level *level = empty_level();
  add_floor(level, 40);
  int door = add_box(level, 1, 2, 0.1f, placed(0, 1, -2));
  sinew_walker w = standing(level, 0, 0, 0);
  for (int i = 0; i < 120; i++) {
    sinew_transform place = placed(0, 1, -2 + (float)i / 40);
    sinew_level_place(level, door, &place);
    sinew_walker_move(&w, &def, level, 1.0f / 60, (sinew_vec3){0, 0, 0});
    assert_true(depth_of(level, &w) < 2e-3f);
  }
  assert_true(close_to(w.position.z, -2 + 119.0f / 40 + 0.05f + def.radius, 2e-3f));
  sinew_level_destroy(level);
}

static void nothing_is_passed_however_fast(void **state) {
  (void)state;
  sinew_level *level = empty_level();
  add_floor(level, 200);
  add_box(level, 100, 5, 0.01f, placed(0, 2.5f, 3));
  sinew_walker w = standing(level, 0, 0, 0);
  sinew_walker_move(&w, &def, level, 1.0f / 60, (sinew_vec3){0, 0, 90});
  assert_true(w.position.z < 3 && depth_of(level, &w) < 1e-3f);
  w = sinew_walker_at((sinew_vec3){0, 80, 0});
  drive(&w, level, 1, 6, 0, 0);
  assert_true(w.grounded && close_to(w.position.y, 0, 1e-3f));
  sinew_level_destroy(level);
}

static void without_a_level_the_ground_is_flat(void **state) {
  (void)state;
  sinew_walker w = sinew_walker_at((sinew_vec3){0, 2, 0});
  for (int i = 0; i < 120; i++) sinew_walker_move(&w, &def, NULL, 1.0f / 60, (sinew_vec3){1.0f / 60, 0, 0});
  assert_true(w.grounded && w.position.y == 0 && close_to(w.position.x, 2, 1e-3f));
  w.rise = 3;
  sinew_walker_move(&w, &def, NULL, 1.0f / 60, (sinew_vec3){0, 0, 0});
  assert_true(!w.grounded && w.position.y > 0.04f);
}

/* ---- an hour at random ---------------------------------------------------------------------------------------- */

static const float half = 12;

/* Walls around, as high as a house. */
static void add_walls(sinew_level *level) {
  for (int i = 0; i < 4; i++)
    add_box(level, 2 * half + 2, 30, 1,
            turned(placed((i == 1   ? 1
                           : i == 3 ? -1
                                    : 0.0f) *
                              (half + 0.5f),
                          14,
                          (i == 0   ? 1
                           : i == 2 ? -1
                                    : 0.0f) *
                              (half + 0.5f)),
                   0, 1, 0, (float)i * 1.57079633f));
}

static sinew_level *courtyard(void) {
  sinew_level *level = empty_level();
  add_floor(level, 2 * half + 2);
  add_walls(level);
  add_shape(level, (sinew_shape){.kind = SINEW_SHAPE_STAIRS, .count = 12, .rise = 0.17f, .run = 0.28f, .width = 2},
            placed(3, 0, 0));
  add_box(level, 6, 0.2f, 6, placed(3, 1.94f, 6.36f));
  add_box(level, 8, 0.2f, 3, turned(placed(-5, 0.5f, 3), 0, 0, 1, 0.4f));
  add_box(level, 8, 0.2f, 3, turned(placed(-5, 1.5f, -4), 0, 0, 1, 1.1f));
  add_shape(level, (sinew_shape){.kind = SINEW_SHAPE_SPHERE, .radius = 1.5f}, placed(6, 0.2f, -6));
  add_shape(level, (sinew_shape){.kind = SINEW_SHAPE_CAPSULE, .radius = 0.4f, .size = {0, 3, 0}}, placed(-2, 1.5f, -8));
  for (int i = 0; i < 40; i++)
    add_box(level, random_range(0.1f, 2), random_range(0.05f, 1.5f), random_range(0.1f, 2),
            turned(placed(random_range(-half, half), random_range(0, 1), random_range(-half, half)),
                   random_range(-0.3f, 0.3f), 1, random_range(-0.3f, 0.3f), random_range(0, 6)));
  return level;
}

static sinew_level *hills(void) {
  static float heights[60 * 60];
  for (int i = 0; i < 60 * 60; i++)
    heights[i] = 1.5f * sinf((float)(i % 60) * 0.4f) * cosf((float)(i / 60) * 0.3f) + random_range(-0.4f, 0.4f);
  sinew_level *level = empty_level();
  add_walls(level);
  add_shape(level,
            (sinew_shape){.kind = SINEW_SHAPE_HEIGHTS,
                          .size = {2 * half + 1, 0, 2 * half + 1},
                          .heights = heights,
                          .columns = 60,
                          .rows = 60},
            placed(0, 0, 0));
  return level;
}

/* A figure as large as a house lies in it: no shape was made to be walked on. */
static sinew_level *giant(void) {
  sinew_level *level = empty_level();
  add_floor(level, 2 * half + 2);
  add_walls(level);
  sinew_model *model = load_hero();
  sinew_triangles t;
  sinew_error error;
  assert_true(sinew_triangles_of_model(model, &t, &error));
  sinew_transform place = turned(placed(0, 0.5f, -9), 1, 0, 0, 1.5f);
  place.scale = (sinew_vec3){10, 10, 10};
  assert_true(sinew_level_add(level, &t, &place, &error) >= 0);
  sinew_triangles_free(&t);
  sinew_model_release(model);
  return level;
}

static void wander(sinew_level *level, int steps, float lowest) {
  sinew_walker w = sinew_walker_at((sinew_vec3){0, 8, 11});
  float heading = 0, speed = 0, stood = 0, deepest = 0;
  for (int i = 0; i < steps; i++) {
    if (i % 40 == 0) heading = random_range(0, 6.2831853f), speed = random_range(0, 6);
    if (w.grounded && random_bits() % 200 == 0) w.rise = random_range(1, 6);
    float rate = i % 1000 < 500 ? 60 : i % 1000 < 700 ? 20 : 144;
    sinew_walker_move(&w, &def, level, 1 / rate,
                      (sinew_vec3){speed * sinf(heading) / rate, 0, speed * cosf(heading) / rate});
    stood += (float)w.grounded;
    deepest = fmaxf(deepest, depth_of(level, &w));
    if (fabsf(w.position.x) > half || fabsf(w.position.z) > half || w.position.y < lowest)
      fail_msg("step %d: it left the level at %g %g %g", i, (double)w.position.x, (double)w.position.y,
               (double)w.position.z);
  }
  assert_true(stood > 0.5f * (float)steps);
  if (deepest > 0.01f) fail_msg("it stood %g m in the level", (double)deepest);
}

#ifdef SANITIZES_ADDRESSES
enum { STEPS = 10000 };
#else
enum { STEPS = 72000 }; /* a third of one, in each of three levels */
#endif

static void it_never_leaves_a_courtyard(void **state) {
  (void)state;
  random_seed(7);
  sinew_level *level = courtyard();
  wander(level, STEPS, -0.01f);
  sinew_level_destroy(level);
}

static void it_never_leaves_hills(void **state) {
  (void)state;
  random_seed(8);
  sinew_level *level = hills();
  wander(level, STEPS, -2.2f);
  sinew_level_destroy(level);
}

static void it_never_leaves_a_giant(void **state) {
  (void)state;
  random_seed(9);
  sinew_level *level = giant();
  wander(level, STEPS, -0.01f);
  sinew_level_destroy(level);
}

int main(void) {
  def = sinew_walker_def_default();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_walks_on_level_ground),
      cmocka_unit_test(it_climbs_stairs_and_comes_down),
      cmocka_unit_test(a_step_is_as_high_as_said),
      cmocka_unit_test(it_stays_on_slopes_that_are_not_too_steep),
      cmocka_unit_test(it_slides_down_what_is_too_steep),
      cmocka_unit_test(it_slides_along_walls),
      cmocka_unit_test(a_corner_holds_it),
      cmocka_unit_test(it_jumps_as_high_as_its_rise_says),
      cmocka_unit_test(it_rides_on_what_moves),
      cmocka_unit_test(a_door_pushes_it),
      cmocka_unit_test(nothing_is_passed_however_fast),
      cmocka_unit_test(without_a_level_the_ground_is_flat),
      cmocka_unit_test(it_never_leaves_a_courtyard),
      cmocka_unit_test(it_never_leaves_hills),
      cmocka_unit_test(it_never_leaves_a_giant),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
