#include "support/fixture.h"

#include "import/build/build.h"
#include "import/raw/raw_nodes.h"

static void assert_products_agree(const sinew_mat3x4 *a, const sinew_mat3x4 *b) {
  float size = 0;
  for (int i = 0; i < 12; i++) size = fmaxf(size, fabsf(a->m[i]));
  for (int i = 0; i < 12; i++) assert_near(a->m[i], b->m[i], 4e-6f * size);
}

static void a_sheared_matrix_becomes_two_joints(void **state) {
  (void)state;
  for (int round = 0; round < 200; round++) {
    raw_model raw;
    raw_node nodes[2] = {{.name = "a", .parent = -1}, {.name = "b", .parent = 0}};
    raw_mesh mesh = {.name = "m", .node = 1};
    model_desc desc = {0};
    raw_init(&raw, "shear", NULL);
    for (int n = 0; n < 2; n++)
      for (int i = 0; i < 12; i++) nodes[n].local.m[i] = n ? random_range(-2, 2) : i % 5 == 0;
    raw.nodes = nodes;
    raw.node_count = 2;
    raw.meshes = &mesh;
    raw.mesh_count = 1;
    assert_true(split_shear(&raw) && build_skeleton(&raw, true, &desc));
    assert_int_equal(desc.joint_count, 3);
    assert_int_equal(mesh.node, 2);
    assert_true(desc.joints[1].helper && !desc.joints[2].helper);
    sinew_mat3x4 above = sinew_mat3x4_from_transform(&desc.joints[1].rest);
    sinew_mat3x4 below = sinew_mat3x4_from_transform(&desc.joints[2].rest);
    sinew_mat3x4 product = sinew_mat3x4_multiply(&above, &below);
    assert_products_agree(&nodes[1].local, &product);
    raw_release(&raw);
  }
}

static void what_a_joint_can_say_stays_one_joint(void **state) {
  (void)state;
  raw_model raw;
  raw_node nodes[3];
  raw_init(&raw, "plain", NULL);
  for (int i = 0; i < 3; i++) {
    sinew_transform t = random_transform(true);
    if (i == 1) t.scale.x = -t.scale.x;
    if (i == 2) t.scale = (sinew_vec3){0, 1, 0};
    nodes[i] = (raw_node){.name = "n", .parent = i - 1, .local = sinew_mat3x4_from_transform(&t)};
  }
  raw.nodes = nodes;
  raw.node_count = 3;
  assert_true(split_shear(&raw));
  assert_int_equal(raw.node_count, 3);
  assert_int_equal(raw.note_count, 0);
  raw_release(&raw);
}

/* As many as a hostile file has, each looked up among as many curves. */
static void many_sheared_nodes_are_split_where_no_clip_moves_them(void **state) {
  (void)state;
  enum { NODES = 60000 };
  raw_model raw;
  raw_node *nodes = calloc(NODES, sizeof *nodes);
  raw_track *tracks = calloc(NODES, sizeof *tracks);
  raw_clip clip = {.name = "c", .tracks = tracks};
  raw_init(&raw, "many", NULL);
  for (int i = 0; i < NODES; i++) {
    nodes[i] = (raw_node){.name = "n", .parent = -1, .local = sinew_mat3x4_identity()};
    nodes[i].local.m[1] = 0.5f;
    if (i % 3 == 0) tracks[clip.track_count++] = (raw_track){.kind = (track_kind)(i / 3 % 3), .node = i};
    if (i % 3 == 1) tracks[clip.track_count++] = (raw_track){.kind = TRACK_MORPH, .node = i}; /* a mesh */
  }
  raw.nodes = nodes;
  raw.node_count = NODES;
  raw.clips = &clip;
  raw.clip_count = 1;
  assert_true(split_shear(&raw));
  assert_int_equal(raw.node_count, NODES + NODES * 2 / 3);
  for (int i = 0, at = 0; i < NODES; i++, at++) {
    assert_int_equal(raw.nodes[at].helper, i % 3 != 0);
    if (i % 3 == 0) continue;
    at++;
    assert_int_equal(raw.nodes[at].parent, at - 1);
  }
  raw_release(&raw);
  free(nodes);
  free(tracks);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sheared_matrix_becomes_two_joints),
      cmocka_unit_test(what_a_joint_can_say_stays_one_joint),
      cmocka_unit_test(many_sheared_nodes_are_split_where_no_clip_moves_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
