/* Rays and sweeps through random triangles, against every triangle asked in double precision. */
#include "level/level_fixture.h"

typedef struct vec {
  double x, y, z;
} vec;

static vec wide(sinew_vec3 v) { return (vec){v.x, v.y, v.z}; }

static vec minus(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }

static vec plus(vec a, double s, vec b) { return (vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z}; }

static double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static vec cross(vec a, vec b) { return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

static vec rotated(sinew_quat q, vec v) {
  vec u = {q.x, q.y, q.z}, t = cross(u, v);
  return plus(plus(v, 2 * q.w, t), 2, cross(u, t));
}

enum { PARTS = 3, TRIANGLES = 400 };

/* Every triangle of the level in world space. */
static vec corners[PARTS * TRIANGLES][3];
static float positions[TRIANGLES * 9];
static uint32_t indices[TRIANGLES * 3];

static sinew_triangles soup(float size) {
  for (int i = 0; i < TRIANGLES; i++) {
    float at[3] = {random_range(-5, 5), random_range(-5, 5), random_range(-5, 5)};
    for (int k = 0; k < 9; k++) positions[9 * i + k] = at[k % 3] + random_range(-size, size);
  }
  for (uint32_t i = 0; i < TRIANGLES * 3; i++) indices[i] = i;
  return (sinew_triangles){positions, NULL, NULL, indices, TRIANGLES * 3, TRIANGLES * 3};
}

static void remember(int part, const sinew_transform *place, sinew_vec3 scale) {
  for (int i = 0; i < TRIANGLES * 3; i++) {
    vec p = {positions[3 * i] * scale.x, positions[3 * i + 1] * scale.y, positions[3 * i + 2] * scale.z};
    corners[part * TRIANGLES + i / 3][i % 3] = plus(wide(place->translation), 1, rotated(place->rotation, p));
  }
}

static sinew_level *random_level(void) {
  sinew_error error;
  sinew_level *level = sinew_level_create(&error);
  for (int part = 0; part < PARTS; part++) {
    sinew_transform first = random_transform(true), place = random_transform(false);
    sinew_triangles t = soup(0.7f);
    assert_int_equal(sinew_level_add(level, &t, &first, &error), part);
    sinew_level_place(level, part, &place);
    remember(part, &place, first.scale);
  }
  return level;
}

static double ray_to(const vec t[3], vec from, vec way) {
  vec ab = minus(t[1], t[0]), ac = minus(t[2], t[0]), n = cross(ab, ac);
  double towards = dot(way, n), time = dot(minus(t[0], from), n) / towards;
  vec p = minus(plus(from, time, way), t[0]);
  double area = dot(n, n), v = dot(cross(p, ac), n), w = dot(cross(ab, p), n);
  return towards != 0 && time >= 0 && time <= 1 && v >= 0 && w >= 0 && v + w <= area ? time : 2;
}

static void rays_equal_brute_force(void **state) {
  (void)state;
  int hits = 0;
  for (int round = 0; round < 20; round++) {
    sinew_level *level = random_level();
    for (int i = 0; i < 200; i++) {
      sinew_vec3 from = {random_range(-8, 8), random_range(-8, 8), random_range(-8, 8)};
      sinew_vec3 to = {random_range(-8, 8), i % 4 ? random_range(-8, 8) : from.y, i % 4 ? random_range(-8, 8) : from.z};
      vec way = minus(wide(to), wide(from));
      double first = 2, length = sqrt(dot(way, way));
      int which = -1;
      for (int t = 0; t < PARTS * TRIANGLES; t++) {
        double time = ray_to(corners[t], wide(from), way);
        if (time < first) first = time, which = t;
      }
      sinew_hit hit;
      bool found = sinew_level_ray(level, from, to, &hit);
      assert_int_equal(found, first <= 1);
      if (!found) continue;
      hits++;
      assert_true(fabs(hit.distance - first * length) < 2e-4);
      assert_int_equal(hit.part * TRIANGLES + hit.triangle, which);
      assert_true(dot(wide(hit.normal), way) < 0);
      assert_true(fabs(dot(wide(hit.normal), wide(hit.normal)) - 1) < 1e-5);
    }
    sinew_level_destroy(level);
  }
  assert_true(hits > 1000);
}

/* The square of the distance between a point and a triangle: by all of its features, in any order. */
static double to_segment(vec p, vec a, vec b) {
  vec ab = minus(b, a);
  double t = dot(minus(p, a), ab) / dot(ab, ab);
  vec d = minus(p, plus(a, t < 0 ? 0 : t > 1 ? 1 : t, ab));
  return dot(d, d);
}

static double to_triangle(vec p, const vec t[3]) {
  vec ab = minus(t[1], t[0]), ac = minus(t[2], t[0]), n = cross(ab, ac), d = minus(p, t[0]);
  double area = dot(n, n), v = dot(cross(d, ac), n), w = dot(cross(ab, d), n), high = dot(d, n);
  if (v >= 0 && w >= 0 && v + w <= area) return high * high / area;
  return fmin(to_segment(p, t[0], t[1]), fmin(to_segment(p, t[1], t[2]), to_segment(p, t[2], t[0])));
}

/* Of a capsule: the least over many points of its axis. Overestimates by at most half of their distance. */
static double clearance(vec from, vec axis) {
  double least = INFINITY;
  for (int t = 0; t < PARTS * TRIANGLES; t++)
    for (int i = 0; i <= 40; i++) least = fmin(least, to_triangle(plus(from, i / 40.0, axis), corners[t]));
  return sqrt(least);
}

static void sweeps_stop_where_they_touch(void **state) {
  (void)state;
  int hits = 0, misses = 0;
  for (int round = 0; round < 12; round++) {
    sinew_level *level = random_level();
    for (int i = 0; i < 6; i++) {
      float radius = random_range(0.05f, 0.4f);
      sinew_vec3 axis = {random_range(-0.5f, 0.5f), random_range(0, 1), random_range(-0.5f, 0.5f)};
      if (i % 3 == 0) axis = (sinew_vec3){0, 0, 0};
      sinew_vec3 from = {random_range(-7, 7), random_range(-7, 7), random_range(-7, 7)};
      sinew_vec3 way = {random_range(-4, 4), random_range(-4, 4), random_range(-4, 4)};
      double spacing = sqrt(dot(wide(axis), wide(axis))) / 80;
      if (clearance(wide(from), wide(axis)) < radius + spacing) continue;
      sinew_hit hit;
      bool found = sinew_level_sweep(level, from, axis, radius, way, &hit);
      double length = sqrt(dot(wide(way), wide(way))), end = found ? hit.distance / length : 1;
      /* on the way to there it touches nothing, and there it does */
      for (int k = 0; k < 20; k++)
        assert_true(clearance(plus(wide(from), end * k / 20, wide(way)), wide(axis)) > radius - 1e-4);
      if (!found) {
        misses++;
        continue;
      }
      double there = clearance(plus(wide(from), end, wide(way)), wide(axis));
      hits++;
      assert_true(there > radius - 1e-4 && there < radius + 2e-4 + spacing * spacing / radius);
      assert_true(dot(wide(hit.normal), wide(way)) < 0);
    }
    sinew_level_destroy(level);
  }
  assert_true(hits > 15 && misses > 5);
}

static void ground_knows_storeys(void **state) {
  (void)state;
  sinew_level *level = empty_level();
  int floor = add_floor(level, 20), upstairs = add_box(level, 4, 0.2f, 4, placed(0, 2.9f, 0));
  sinew_hit hit;
  assert_true(sinew_level_ground(level, 1, 1, 10, &hit));
  assert_int_equal(hit.part, upstairs);
  assert_true(fabsf(hit.point.y - 3) < 1e-5f && hit.face.y > 0.999f);
  assert_true(sinew_level_ground(level, 1, 1, 2, &hit));
  assert_int_equal(hit.part, floor);
  assert_true(fabsf(hit.point.y) < 1e-5f);
  assert_false(sinew_level_ground(level, 30, 1, 2, &hit));
  sinew_level_set_solid(level, upstairs, false);
  assert_true(sinew_level_ground(level, 1, 1, 10, &hit) && hit.part == floor);
  sinew_transform lifted = placed(0, 5, 0);
  sinew_level_place(level, floor, &lifted);
  assert_true(sinew_level_ground(level, 1, 1, 10, &hit) && fabsf(hit.point.y - 5.1f) < 1e-5f);
  assert_false(sinew_level_ray(level, (sinew_vec3){0, 9, 0}, (sinew_vec3){0, 9, 0}, &hit));
  assert_false(sinew_level_ray(level, (sinew_vec3){0, NAN, 0}, (sinew_vec3){0, 9, 0}, &hit));
  sinew_level_destroy(level);
}

static void wrong_triangles_are_refused(void **state) {
  (void)state;
  sinew_error error;
  sinew_level *level = sinew_level_create(&error);
  float flat[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0}, bad[9] = {0, 0, 0, 1, NAN, 0, 2, 1, 0};
  uint32_t order[3] = {0, 1, 2}, beyond[3] = {0, 1, 3};
  sinew_transform place = sinew_transform_identity();
  assert_int_equal(sinew_level_add(level, &(sinew_triangles){flat, NULL, NULL, order, 3, 3}, &place, &error), -1);
  assert_string_equal(error.message, "no triangle has an area");
  assert_int_equal(sinew_level_add(level, &(sinew_triangles){flat, NULL, NULL, order, 3, 0}, &place, &error), -1);
  assert_string_equal(error.message, "it has no triangles");
  assert_int_equal(sinew_level_add(level, &(sinew_triangles){flat, NULL, NULL, beyond, 3, 3}, &place, &error), -1);
  assert_string_equal(error.message, "indices[2] is 3, but there are 3 vertices");
  assert_int_equal(sinew_level_add(level, &(sinew_triangles){bad, NULL, NULL, order, 3, 3}, &place, &error), -1);
  assert_string_equal(error.message, "the position of vertex 1 is not within 1,000 km");
  assert_int_equal(sinew_level_part_count(level), 0);
  sinew_level_destroy(level);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rays_equal_brute_force),
      cmocka_unit_test(sweeps_stop_where_they_touch),
      cmocka_unit_test(ground_knows_storeys),
      cmocka_unit_test(wrong_triangles_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
