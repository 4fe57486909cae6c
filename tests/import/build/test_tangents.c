#include "support/fixture.h"

#include "import/raw/weld.h"

/* A quad in the xy plane, facing +z, as two triangles; a bone holds vertex 1. */
typedef struct quad {
  raw_model raw;
  sinew_material material;
  raw_mesh mesh;
  raw_bone bone;
  raw_weight weight;
  float positions[12], normals[12], uvs[8];
  uint32_t indices[6];
} quad;

static void open_quad(quad *q, const float *uvs) {
  static const float positions[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
  static const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
  memset(q, 0, sizeof *q);
  raw_init(&q->raw, "quad", NULL);
  memcpy(q->positions, positions, sizeof positions);
  memcpy(q->indices, indices, sizeof indices);
  memcpy(q->uvs, uvs, sizeof q->uvs);
  for (int v = 0; v < 4; v++) q->normals[3 * v + 2] = 1;
  q->weight = (raw_weight){1, 1};
  q->bone = (raw_bone){.weights = &q->weight, .weight_count = 1};
  q->mesh = (raw_mesh){.vertex_count = 4,
                       .index_count = 6,
                       .positions = q->positions,
                       .normals = q->normals,
                       .uvs = q->uvs,
                       .indices = q->indices,
                       .bones = &q->bone,
                       .bone_count = 1};
  q->raw.materials = &q->material;
  q->raw.material_count = 1;
  q->raw.meshes = &q->mesh;
  q->raw.mesh_count = 1;
}

static void assert_tangent(const quad *q, int vertex, float x, float y, float z, float w) {
  const float should[4] = {x, y, z, w};
  for (int k = 0; k < 4; k++) assert_near(q->mesh.tangents[4 * vertex + k], should[k], 1e-6);
}

/* v goes down in the picture: where it is not mirrored, (0, 0) is at the top left. */
static void a_plain_picture_has_its_bitangent_up(void **state) {
  (void)state;
  static const float uvs[8] = {0, 1, 1, 1, 1, 0, 0, 0}, turned[8] = {0, 0, 0, 1, 1, 1, 1, 0};
  quad q;
  open_quad(&q, uvs);
  assert_true(make_tangents(&q.raw, &q.mesh));
  for (int v = 0; v < 4; v++) assert_tangent(&q, v, 1, 0, 0, 1);
  raw_release(&q.raw);
  open_quad(&q, turned); /* u rises along +y, v along +x: up in the picture is −x = cross(z, y) */
  assert_true(make_tangents(&q.raw, &q.mesh));
  for (int v = 0; v < 4; v++) assert_tangent(&q, v, 0, 1, 0, 1);
  raw_release(&q.raw);
}

/* u rises to the right in the lower triangle and to the left in the upper one. */
static void a_seam_between_plain_and_mirrored_is_split(void **state) {
  (void)state;
  static const float uvs[8] = {0, 1, 1, 1, 1, 0, 1, 1};
  quad q;
  open_quad(&q, uvs);
  assert_true(make_tangents(&q.raw, &q.mesh));
  assert_int_equal(q.mesh.vertex_count, 6);
  for (int i = 0; i < 6; i++) assert_near(q.mesh.tangents[4 * q.mesh.indices[i] + 3], i < 3 ? 1 : -1, 0);
  for (int i = 0; i < 6; i++) {
    static const int was[6] = {0, 1, 2, 0, 2, 3};
    assert_memory_equal(q.mesh.positions + 3 * q.mesh.indices[i], q.positions + 3 * was[i], 3 * sizeof(float));
  }
  assert_tangent(&q, 1, 1, 0, 0, 1);
  assert_int_equal(q.bone.weight_count, 1); /* vertex 1 is on no seam */
  raw_release(&q.raw);
}

static void weights_follow_a_split(void **state) {
  (void)state;
  static const float uvs[8] = {0, 1, 1, 1, 1, 0, 1, 1};
  quad q;
  open_quad(&q, uvs);
  q.weight.vertex = 2;
  assert_true(make_tangents(&q.raw, &q.mesh));
  assert_int_equal(q.mesh.bones[0].weight_count, 2);
  assert_int_equal(q.mesh.bones[0].weights[1].vertex, q.mesh.indices[4]);
  raw_release(&q.raw);
}

/* Triangle (0, 1, 2) has 45° at vertex 0 and u along +x; (0, 3, 4) has 90° there and u along +y. */
static void corners_count_by_their_angle(void **state) {
  (void)state;
  static const float uvs[8] = {0, 1, 1, 1, 1, 0, 0, 0};
  float positions[15] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, -1, 0, 0}, normals[15] = {0};
  float coordinates[10] = {0, 1, 1, 1, 1, 0, 1, 1, 0, 0};
  uint32_t indices[6] = {0, 1, 2, 0, 3, 4};
  quad q;
  open_quad(&q, uvs);
  for (int v = 0; v < 5; v++) normals[3 * v + 2] = 1;
  q.mesh.vertex_count = 5;
  q.mesh.positions = positions;
  q.mesh.normals = normals;
  q.mesh.uvs = coordinates;
  q.mesh.indices = indices;
  assert_true(make_tangents(&q.raw, &q.mesh));
  assert_tangent(&q, 0, (float)sqrt(0.2), (float)sqrt(0.8), 0, 1);
  assert_tangent(&q, 1, 1, 0, 0, 1);
  assert_tangent(&q, 4, 0, 1, 0, 1);
  raw_release(&q.raw);
}

/* Whatever the coordinates: unit length, across the normal. */
static void any_coordinates_give_a_frame(void **state) {
  (void)state;
  random_seed(5);
  for (int i = 0; i < 300; i++) {
    float uvs[8];
    quad q;
    for (int k = 0; k < 8; k++) uvs[k] = i % 3 == 0 ? 0 : (float)(int)random_range(-3, 3);
    open_quad(&q, uvs);
    if (i % 3 == 1) memset(q.positions, 0, sizeof q.positions);
    sinew_mat3x4 turn = sinew_mat3x4_from_transform(&(sinew_transform){.rotation = random_quat(), .scale = {1, 1, 1}});
    sinew_vec3 n = {turn.m[0], turn.m[4], turn.m[8]};
    for (int v = 0; v < 4; v++) memcpy(q.normals + 3 * v, &n, sizeof n);
    assert_true(make_tangents(&q.raw, &q.mesh));
    for (int v = 0; v < q.mesh.vertex_count; v++) {
      const float *t = q.mesh.tangents + 4 * v;
      assert_near(t[0] * t[0] + t[1] * t[1] + t[2] * t[2], 1, 1e-5);
      assert_near(t[0] * n.x + t[1] * n.y + t[2] * n.z, 0, 1e-5);
      assert_near(fabsf(t[3]), 1, 0);
    }
    raw_release(&q.raw);
  }
}

static void only_a_normal_map_wants_them(void **state) {
  (void)state;
  static const float uvs[8] = {0};
  quad q;
  open_quad(&q, uvs);
  assert_true(wants_tangents(&q.raw, &q.mesh));
  q.material.textures[SINEW_TEXTURE_NORMAL].image = -1;
  assert_false(wants_tangents(&q.raw, &q.mesh));
  raw_release(&q.raw);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_plain_picture_has_its_bitangent_up),
      cmocka_unit_test(a_seam_between_plain_and_mirrored_is_split),
      cmocka_unit_test(weights_follow_a_split),
      cmocka_unit_test(corners_count_by_their_angle),
      cmocka_unit_test(any_coordinates_give_a_frame),
      cmocka_unit_test(only_a_normal_map_wants_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
