/* Shapes: closed, of the right volume, their normals outwards, and the triangles of a model where its vertices are. */
#include "level/level_fixture.h"

#include "support/hero.h"

static sinew_triangles built(sinew_shape shape) {
  sinew_triangles t;
  sinew_error error = {""};
  if (!sinew_shape_build(&shape, &t, &error)) fail_msg("%s", error.message);
  return t;
}

static sinew_vec3 point(const sinew_triangles *t, uint32_t index) {
  const float *p = &t->positions[3 * t->indices[index]];
  return (sinew_vec3){p[0], p[1], p[2]};
}

/* By the divergence theorem: right for a closed surface with its front outside, wherever the origin is. */
static double volume(const sinew_triangles *t, double shift) {
  double sum = 0;
  for (uint32_t i = 0; i < (uint32_t)t->index_count; i += 3) {
    sinew_vec3 a = point(t, i), b = point(t, i + 1), c = point(t, i + 2);
    double ax = a.x + shift, bx = b.x + shift, cx = c.x + shift;
    sum += ax * ((double)b.y * c.z - (double)b.z * c.y) - a.y * (bx * c.z - b.z * cx) + a.z * (bx * c.y - b.y * cx);
  }
  return sum / 6;
}

static void check_volume(sinew_shape shape, double wanted, double tolerance) {
  sinew_triangles t = built(shape);
  assert_true(fabs(volume(&t, 0) - wanted) < tolerance * wanted);
  assert_true(fabs(volume(&t, 10) - volume(&t, 0)) < 1e-3 * wanted);
  sinew_triangles_free(&t);
  assert_null(t.positions);
}

static void shapes_are_closed_and_have_their_volume(void **state) {
  (void)state;
  const double pi = 3.14159265358979;
  check_volume((sinew_shape){.kind = SINEW_SHAPE_BOX, .size = {1, 2, 3}}, 6, 1e-5);
  check_volume((sinew_shape){.kind = SINEW_SHAPE_SPHERE, .radius = 2}, 4 / 3.0 * pi * 8, 0.03);
  check_volume((sinew_shape){.kind = SINEW_SHAPE_CAPSULE, .radius = 0.5f, .size = {0, 2, 0}},
               pi * 0.25 + 4 / 3.0 * pi / 8, 0.03);
  check_volume((sinew_shape){.kind = SINEW_SHAPE_STAIRS, .count = 4, .rise = 0.2f, .run = 0.3f, .width = 2},
               2 * 0.3 * 0.2 * 10, 1e-5);
}

/* Each triangle's front is on the side of its vertices' normals, which have unit length. */
static void normals_point_outwards(void **state) {
  (void)state;
  static const float heights[9] = {0, 1, 0, 0.5f, 0, 2, 0, 0, 0};
  const sinew_shape shapes[] = {
      {.kind = SINEW_SHAPE_BOX, .size = {1, 2, 3}},
      {.kind = SINEW_SHAPE_PLANE, .size = {2, 0, 3}},
      {.kind = SINEW_SHAPE_SPHERE, .radius = 1},
      {.kind = SINEW_SHAPE_CAPSULE, .radius = 0.5f, .size = {0, 2, 0}},
      {.kind = SINEW_SHAPE_CAPSULE, .radius = 0.5f, .size = {0, 1, 0}},
      {.kind = SINEW_SHAPE_STAIRS, .count = 3, .rise = 0.2f, .run = 0.3f, .width = 1},
      {.kind = SINEW_SHAPE_HEIGHTS, .size = {4, 0, 4}, .heights = heights, .columns = 3, .rows = 3},
  };
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    sinew_triangles t = built(shapes[s]);
    for (uint32_t i = 0; i < (uint32_t)t.index_count; i += 3) {
      sinew_vec3 a = point(&t, i), b = point(&t, i + 1), c = point(&t, i + 2);
      double ab[3] = {b.x - a.x, b.y - a.y, b.z - a.z}, ac[3] = {c.x - a.x, c.y - a.y, c.z - a.z};
      double n[3] = {ab[1] * ac[2] - ab[2] * ac[1], ab[2] * ac[0] - ab[0] * ac[2], ab[0] * ac[1] - ab[1] * ac[0]};
      assert_true(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] > 1e-12);
      for (uint32_t k = 0; k < 3; k++) {
        const float *m = &t.normals[3 * t.indices[i + k]];
        assert_true(fabs((double)m[0] * m[0] + (double)m[1] * m[1] + (double)m[2] * m[2] - 1) < 1e-5);
        assert_true(n[0] * m[0] + n[1] * m[1] + n[2] * m[2] > 0);
      }
    }
    sinew_triangles_free(&t);
  }
}

static void wrong_numbers_are_refused(void **state) {
  (void)state;
  static const float bad[4] = {0, 1, NAN, 0};
  const struct {
    sinew_shape shape;
    const char *sentence;
  } cases[] = {
      {{.kind = SINEW_SHAPE_BOX, .size = {1, 0, 1}}, "each edge of a box must be more than 0, and at most 100 km"},
      {{.kind = SINEW_SHAPE_PLANE, .size = {1, 0, NAN}},
       "both sides of a plane must be more than 0, and at most 100 km"},
      {{.kind = SINEW_SHAPE_SPHERE, .radius = -1}, "the radius of a sphere must be more than 0, and at most 100 km"},
      {{.kind = SINEW_SHAPE_CAPSULE, .radius = 1, .size = {0, 1.9f, 0}},
       "the height of a capsule must be at least twice its radius"},
      {{.kind = SINEW_SHAPE_STAIRS, .count = 0, .rise = 1, .run = 1, .width = 1}, "stairs have from 1 to 1,000 steps"},
      {{.kind = SINEW_SHAPE_STAIRS, .count = 1, .rise = 1, .run = 0, .width = 1},
       "rise, run and width of stairs must be more than 0"},
      {{.kind = SINEW_SHAPE_HEIGHTS, .size = {1, 0, 1}, .heights = bad, .columns = 1, .rows = 4},
       "heights have from 2 to 2,048 columns and rows"},
      {{.kind = SINEW_SHAPE_HEIGHTS, .size = {1, 0, 1}, .heights = bad, .columns = 2, .rows = 2},
       "height 2 is not a number"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sinew_triangles t;
    sinew_error error = {""};
    assert_false(sinew_shape_build(&cases[i].shape, &t, &error));
    assert_string_equal(error.message, cases[i].sentence);
  }
  const struct {
    sinew_walker_def def;
    const char *sentence;
  } walkers[] = {
      {{0, 1.8f, 0.3f, 0.8f, 9.81f}, "the radius must be more than 0"},
      {{0.3f, 0.5f, 0.3f, 0.8f, 9.81f}, "the height must be at least twice the radius"},
      {{0.3f, 1.8f, -1, 0.8f, 9.81f}, "the step must be from 0 to the height"},
      {{0.3f, 1.8f, 0.3f, 1.6f, 9.81f}, "the slope must be from 0 to less than a right angle"},
      {{0.3f, 1.8f, 0.3f, 0.8f, NAN}, "the gravity must be 0 or more"},
  };
  for (size_t i = 0; i < sizeof walkers / sizeof *walkers; i++)
    assert_string_equal(sinew_walker_check(&walkers[i].def), walkers[i].sentence);
  sinew_walker_def usual = sinew_walker_def_default();
  assert_null(sinew_walker_check(&usual));
}

/* The box of the triangles is that of the model at rest. */
static void a_model_gives_its_triangles(void **state) {
  (void)state;
  sinew_model *model = load_hero();
  sinew_triangles t;
  sinew_error error;
  assert_true(sinew_triangles_of_model(model, &t, &error));
  sinew_vec3 low, high;
  sinew_model_bounds(model, &low, &high);
  float least[3] = {9, 9, 9}, most[3] = {-9, -9, -9};
  for (int i = 0; i < t.index_count; i++)
    for (int k = 0; k < 3; k++) {
      float x = t.positions[3 * t.indices[i] + (uint32_t)k];
      least[k] = fminf(least[k], x), most[k] = fmaxf(most[k], x);
    }
  assert_true(fabsf(least[1] - low.y) < 1e-3f && fabsf(most[1] - high.y) < 1e-3f && fabsf(most[0] - high.x) < 1e-3f);
  assert_true(t.index_count > 3000);
  sinew_triangles_free(&t);
  sinew_model_release(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shapes_are_closed_and_have_their_volume),
      cmocka_unit_test(normals_point_outwards),
      cmocka_unit_test(wrong_numbers_are_refused),
      cmocka_unit_test(a_model_gives_its_triangles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
