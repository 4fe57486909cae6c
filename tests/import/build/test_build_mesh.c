#include "support/fixture.h"

#include "import/build/build.h"
#include "import/raw/weld.h"

enum { BONES = 10 };

typedef struct body {
  raw_model raw;
  raw_mesh mesh;
  raw_node nodes[BONES + 1];
  raw_bone bones[BONES];
  raw_weight weights[BONES];
  float positions[18], normals[18];
} body;

/* Vertex 0 has ten influences, the b-th of weight b + 1; the others have none. Node 10 carries the mesh. */
static void open_body(body *b) {
  memset(b, 0, sizeof *b);
  raw_init(&b->raw, "body", NULL);
  for (int i = 0; i <= BONES; i++)
    b->nodes[i] = (raw_node){.name = "n", .parent = i - 1, .local = sinew_mat3x4_identity()};
  for (int i = 0; i < BONES; i++) {
    b->weights[i] = (raw_weight){0, (float)(i + 1)};
    b->bones[i] = (raw_bone){i, sinew_mat3x4_identity(), b->weights + i, 1};
    b->bones[i].inverse_bind.m[3] = (float)i;
  }
  b->mesh = (raw_mesh){.name = "body",
                       .node = BONES,
                       .material = -1,
                       .vertex_count = 2,
                       .positions = b->positions,
                       .normals = b->normals,
                       .bones = b->bones,
                       .bone_count = BONES};
  b->raw.nodes = b->nodes;
  b->raw.node_count = BONES + 1;
  b->raw.meshes = &b->mesh;
  b->raw.mesh_count = 1;
}

static void the_strongest_influences_are_kept_and_renormalised(void **state) {
  (void)state;
  for (int limit = 4; limit <= 8; limit += 4) {
    body b;
    model_desc desc = {0};
    open_body(&b);
    assert_true(build_meshes(&b.raw, limit, &desc));
    const sinew_mesh_view *mesh = desc.meshes;
    float sum = 0, kept = 0;
    assert_int_equal(mesh->influences, limit);
    for (int k = 0; k < limit; k++) kept += (float)(BONES - k);
    for (int k = 0; k < limit; k++) {
      assert_int_equal(mesh->joints[k], BONES - 1 - k);
      assert_near(mesh->weights[k], (double)(BONES - k) / (double)kept, 1e-6);
      sum += mesh->weights[k];
    }
    assert_near(sum, 1, 1e-6);
    assert_true(b.raw.note_count >= 2); /* unweighted, not normalised, cut */
    raw_release(&b.raw);
  }
}

static void vertices_without_weights_follow_the_node(void **state) {
  (void)state;
  body b;
  model_desc desc = {0};
  open_body(&b);
  assert_true(build_meshes(&b.raw, 8, &desc));
  const sinew_mesh_view *mesh = desc.meshes;
  const skin_desc *skin = desc.skins + mesh->skin;
  int entry = mesh->joints[8];
  assert_near(mesh->weights[8], 1, 0);
  assert_int_equal(skin->count, BONES + 1);
  assert_int_equal(skin->joints[entry], BONES);
  assert_near(skin->inverse_binds[entry].m[3], 0, 0);
  assert_near(skin->inverse_binds[3].m[3], 3, 0);
  raw_release(&b.raw);
}

static void a_mesh_without_bones_has_a_skin_of_its_node(void **state) {
  (void)state;
  body b;
  model_desc desc = {0};
  open_body(&b);
  b.mesh.bone_count = 0;
  assert_true(build_meshes(&b.raw, 4, &desc));
  assert_int_equal(desc.skins[0].count, 1);
  assert_int_equal(desc.skins[0].joints[0], BONES);
  assert_int_equal(desc.meshes[0].influences, 4);
  for (int v = 0; v < 2; v++) assert_near(desc.meshes[0].weights[4 * v], 1, 0);
  raw_release(&b.raw);
}

static void meshes_with_one_skin_share_it(void **state) {
  (void)state;
  body b;
  model_desc desc = {0};
  open_body(&b);
  raw_mesh meshes[3] = {b.mesh, b.mesh, b.mesh};
  raw_bone other[BONES];
  memcpy(other, b.bones, sizeof other);
  other[4].inverse_bind.m[7] = 1;
  meshes[2].bones = other;
  b.raw.meshes = meshes;
  b.raw.mesh_count = 3;
  assert_true(build_meshes(&b.raw, 4, &desc));
  assert_int_equal(desc.skin_count, 2);
  assert_int_equal(desc.meshes[0].skin, desc.meshes[1].skin);
  assert_int_not_equal(desc.meshes[0].skin, desc.meshes[2].skin);
  raw_release(&b.raw);
}

/* ---- welding ---- */

/* Corners 0 and 3, 1 and 4, 2 and 5 agree in position; `differ` makes 2 and 5 differ in one attribute. */
static int weld_corners(int differ) {
  body b;
  open_body(&b);
  uint32_t indices[6] = {0, 1, 2, 3, 4, 5};
  float uvs[12] = {0}, morph[18] = {0};
  raw_weight weights[6];
  raw_morph target = {.name = "t", .positions = morph};
  for (int v = 0; v < 6; v++) {
    b.positions[3 * v] = (float)(v % 3);
    weights[v] = (raw_weight){(uint32_t)v, 0.5f};
  }
  if (differ == 1) b.normals[3 * 5] = 1;
  if (differ == 2) uvs[2 * 5] = 1;
  if (differ == 3) morph[3 * 5] = 1;
  if (differ == 4) weights[5].weight = 0.25f;
  b.bones[0].weights = weights;
  b.bones[0].weight_count = 6;
  b.mesh.bone_count = 1;
  b.mesh.vertex_count = b.mesh.index_count = 6;
  b.mesh.indices = indices;
  b.mesh.uvs = uvs;
  b.mesh.morphs = &target;
  b.mesh.morph_count = 1;
  assert_true(weld_mesh(&b.raw, &b.mesh));
  int count = b.mesh.vertex_count;
  assert_int_equal(b.bones[0].weight_count, count);
  for (int i = 0; i < 6; i++) {
    assert_true(indices[i] < (uint32_t)count);
    assert_near(b.positions[3 * indices[i]], i % 3, 0); /* each corner is where it was */
  }
  raw_release(&b.raw);
  return count;
}

static void corners_that_agree_in_everything_are_welded(void **state) {
  (void)state;
  assert_int_equal(weld_corners(0), 3);
  for (int differ = 1; differ <= 4; differ++) assert_int_equal(weld_corners(differ), 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_strongest_influences_are_kept_and_renormalised),
      cmocka_unit_test(vertices_without_weights_follow_the_node),
      cmocka_unit_test(a_mesh_without_bones_has_a_skin_of_its_node),
      cmocka_unit_test(meshes_with_one_skin_share_it),
      cmocka_unit_test(corners_that_agree_in_everything_are_welded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
