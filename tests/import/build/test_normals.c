#include "support/fixture.h"

#include "import/raw/weld.h"

/* A tetrahedron around the origin, whose triangles face outwards; a vertex's normal is its position times `sign`. */
typedef struct solid {
  raw_mesh mesh;
  raw_morph morph;
  float normals[12], tangents[16], morph_normals[12];
  uint32_t indices[12];
} solid;

static float positions[12] = {1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1};

static void open_solid(solid *s, float sign) {
  static const uint32_t outwards[12] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2};
  memset(s, 0, sizeof *s);
  memcpy(s->indices, outwards, sizeof outwards);
  for (int i = 0; i < 12; i++) s->normals[i] = sign * positions[i], s->morph_normals[i] = (float)i;
  for (int v = 0; v < 4; v++) s->tangents[4 * v] = s->tangents[4 * v + 3] = 1;
  s->morph.normals = s->morph_normals;
  s->mesh = (raw_mesh){.vertex_count = 4,
                       .index_count = 12,
                       .positions = positions,
                       .normals = s->normals,
                       .tangents = s->tangents,
                       .indices = s->indices,
                       .morphs = &s->morph,
                       .morph_count = 1};
}

static void normals_that_point_inwards_are_turned(void **state) {
  solid s;
  (void)state;
  open_solid(&s, -1);
  assert_true(normals_point_out(&s.mesh));
  for (int i = 0; i < 12; i++) {
    assert_float_equal(s.normals[i], positions[i], 0);
    assert_float_equal(s.morph_normals[i], -(float)i, 0);
  }
  for (int v = 0; v < 4; v++) { /* normal × tangent · w is what it was */
    assert_float_equal(s.tangents[4 * v], 1, 0);
    assert_float_equal(s.tangents[4 * v + 3], -1, 0);
  }
}

static void others_stay(void **state) {
  solid s;
  (void)state;
  open_solid(&s, 1);
  assert_false(normals_point_out(&s.mesh));
  for (int i = 0; i < 12; i++) assert_float_equal(s.normals[i], positions[i], 0);
  for (int i = 0; i < 12; i += 3) { /* inside out: its triangles face inwards, and its normals outwards */
    uint32_t first = s.indices[i];
    s.indices[i] = s.indices[i + 1];
    s.indices[i + 1] = first;
  }
  assert_false(normals_point_out(&s.mesh));
  assert_float_equal(s.normals[0], positions[0], 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(normals_that_point_inwards_are_turned),
      cmocka_unit_test(others_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
