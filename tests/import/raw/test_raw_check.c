#include "support/fixture.h"

#include "import/raw/raw.h"

typedef struct scene {
  raw_model raw;
  sinew_error error;
  raw_clip clip;
  raw_track track;
  raw_node nodes[2];
  raw_mesh mesh;
  raw_bone bone;
} scene;

static void open_scene(scene *s) {
  memset(s, 0, sizeof *s);
  raw_init(&s->raw, "scene.glb", &s->error);
  for (int i = 0; i < 2; i++)
    s->nodes[i] = (raw_node){.name = i ? "b" : "a", .parent = i - 1, .local = sinew_mat3x4_identity()};
  s->raw.nodes = s->nodes;
  s->raw.node_count = 2;
}

static void use_track(scene *s, track_kind kind, int keys, double *times, float *values) {
  s->track = (raw_track){.kind = kind, .key_count = keys, .times = times, .values = values};
  s->clip = (raw_clip){.name = "clip", .tracks = &s->track, .track_count = 1};
  s->raw.clips = &s->clip;
  s->raw.clip_count = 1;
}

static void use_mesh(scene *s, raw_mesh mesh) {
  s->mesh = mesh;
  s->mesh.name = "mesh";
  s->mesh.bones = &s->bone;
  s->bone.inverse_bind = sinew_mat3x4_identity();
  s->raw.meshes = &s->mesh;
  s->raw.mesh_count = 1;
}

static void assert_noted(const scene *s, const char *part) {
  for (int i = 0; i < s->raw.note_count; i++)
    if (strstr(s->raw.notes[i], part)) return;
  fail_msg("no note says '%s'", part);
}

static void a_good_scene_has_no_notes(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  double times[] = {0, 1};
  float values[] = {0, 0, 0, 1, 1, 1};
  use_track(&s, TRACK_TRANSLATION, 2, times, values);
  assert_true(raw_check(&s.raw));
  assert_int_equal(s.raw.note_count, 0);
  assert_int_equal(s.clip.track_count, 1);
  raw_release(&s.raw);
}

static void nothing_at_all_is_refused(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  s.raw.node_count = 0;
  assert_false(raw_check(&s.raw));
  assert_non_null(strstr(s.error.message, "scene.glb"));
  raw_release(&s.raw);
}

static void a_parent_comes_first(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  s.nodes[0].parent = 1;
  assert_false(raw_check(&s.raw));
  raw_release(&s.raw);
}

static void parents_and_materials_below_none_are_not_let_in(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  s.nodes[0].parent = -2;
  assert_false(raw_check(&s.raw));
  raw_release(&s.raw);
  open_scene(&s);
  use_mesh(&s, (raw_mesh){.material = -2});
  assert_true(raw_check(&s.raw));
  assert_int_equal(s.mesh.material, -1);
  raw_release(&s.raw);
}

static void a_matrix_that_is_not_finite_is_replaced(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  s.nodes[1].local.m[5] = NAN;
  assert_true(raw_check(&s.raw));
  assert_near(s.nodes[1].local.m[5], 1, 0);
  assert_noted(&s, "'b'");
  raw_release(&s.raw);
}

static void bad_keys_are_dropped(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  double times[] = {0, 1, 0.5, 1, NAN, 2, 3};
  float values[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0, INFINITY, 0, 0, 6, 0, 0};
  use_track(&s, TRACK_TRANSLATION, 7, times, values);
  assert_true(raw_check(&s.raw));
  assert_int_equal(s.track.key_count, 3); /* 0; 1 (the later of two); 3 */
  assert_near(s.track.times[1], 1, 0);
  assert_near(s.track.values[3], 3, 0);
  assert_near(s.track.values[6], 6, 0);
  assert_noted(&s, "4 keys");
  raw_release(&s.raw);
}

static void rotations_become_unit_and_zero_ones_go(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  double times[] = {0, 1};
  float values[] = {0, 0, 0, 0, 0, 3, 0, 4};
  use_track(&s, TRACK_ROTATION, 2, times, values);
  assert_true(raw_check(&s.raw));
  assert_int_equal(s.clip.tracks[0].key_count, 1);
  assert_near(s.clip.tracks[0].values[1], 0.6, 1e-7);
  raw_release(&s.raw);
}

static void tracks_without_a_node_or_a_target_go(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  double times[] = {0};
  float values[] = {0, 0, 0};
  use_track(&s, TRACK_TRANSLATION, 1, times, values);
  s.track.node = 2;
  assert_true(raw_check(&s.raw));
  assert_int_equal(s.clip.track_count, 0);
  use_track(&s, TRACK_MORPH, 1, times, values);
  assert_true(raw_check(&s.raw));
  assert_int_equal(s.clip.track_count, 0);
  raw_release(&s.raw);
}

static void a_second_curve_for_one_thing_goes(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  double times[] = {0, 1};
  float values[] = {0, 0, 0, 1, 0, 0};
  float positions[9] = {0}, normals[9] = {0}, deltas[9] = {0};
  raw_morph morphs[2] = {{.name = "a", .positions = deltas}, {.name = "b", .positions = deltas}};
  use_mesh(&s, (raw_mesh){.vertex_count = 3, .positions = positions, .normals = normals, .morphs = morphs});
  s.mesh.morph_count = 2;
  raw_track tracks[] = {
      {TRACK_TRANSLATION, 0, 0, RAW_LINEAR, 2, times, values, 0}, {TRACK_MORPH, 0, 1, RAW_LINEAR, 2, times, values, 0},
      {TRACK_SCALE, 0, 0, RAW_LINEAR, 2, times, values, 0},       {TRACK_MORPH, 0, 0, RAW_LINEAR, 2, times, values, 0},
      {TRACK_TRANSLATION, 0, 0, RAW_LINEAR, 1, times, values, 0}, {TRACK_MORPH, 0, 1, RAW_LINEAR, 1, times, values, 0}};
  s.clip = (raw_clip){.name = "clip", .tracks = tracks, .track_count = 6};
  s.raw.clips = &s.clip;
  s.raw.clip_count = 1;
  assert_true(raw_check(&s.raw));
  assert_int_equal(s.clip.track_count, 4);
  for (int i = 0; i < 4; i++) assert_int_equal(s.clip.tracks[i].key_count, 2); /* the first ones stay */
  assert_noted(&s, "2 curves dropped: the node or morph target already had one");
  raw_release(&s.raw);
}

static void indices_and_weights_out_of_range_go(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  float positions[9] = {0, NAN, 0}, normals[9] = {0, 0, 0, 0, 2, 0, 0, 0, 1};
  uint32_t indices[] = {0, 1, 2, 0, 1, 3, 4000000000u, 1, 2};
  raw_weight weights[] = {{0, 0.5f}, {3, 1}, {1, -1}, {2, NAN}, {1, 0}, {2, 2}};
  s.bone.weights = weights;
  s.bone.weight_count = 6;
  use_mesh(&s, (raw_mesh){.vertex_count = 3,
                          .index_count = 9,
                          .positions = positions,
                          .normals = normals,
                          .indices = indices,
                          .bone_count = 1,
                          .material = 5});
  assert_true(raw_check(&s.raw));
  assert_int_equal(s.mesh.index_count, 3);
  assert_int_equal(s.bone.weight_count, 2);
  assert_int_equal(s.mesh.material, -1);
  assert_near(positions[1], 0, 0);
  for (int v = 0; v < 3; v++)
    assert_near(hypot(hypot((double)normals[3 * v], (double)normals[3 * v + 1]), (double)normals[3 * v + 2]), 1, 1e-6);
  assert_noted(&s, "2 triangles");
  assert_noted(&s, "3 weights");
  raw_release(&s.raw);
}

static void an_inverse_bind_that_is_not_finite_is_replaced(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  use_mesh(&s, (raw_mesh){.bone_count = 1});
  s.bone.inverse_bind.m[0] = INFINITY;
  s.bone.node = 99;
  assert_true(raw_check(&s.raw));
  assert_near(s.bone.inverse_bind.m[0], 1, 0);
  assert_int_equal(s.bone.node, 0);
  raw_release(&s.raw);
}

static void notes_are_not_without_end(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  for (int i = 0; i < 250; i++) assert_true(raw_note(&s.raw, "note %d", i));
  assert_true(s.raw.note_count <= 100);
  assert_int_equal(s.raw.note_count + s.raw.notes_left_out, 250);
  raw_release(&s.raw);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_good_scene_has_no_notes),
      cmocka_unit_test(nothing_at_all_is_refused),
      cmocka_unit_test(a_parent_comes_first),
      cmocka_unit_test(parents_and_materials_below_none_are_not_let_in),
      cmocka_unit_test(a_matrix_that_is_not_finite_is_replaced),
      cmocka_unit_test(bad_keys_are_dropped),
      cmocka_unit_test(rotations_become_unit_and_zero_ones_go),
      cmocka_unit_test(tracks_without_a_node_or_a_target_go),
      cmocka_unit_test(a_second_curve_for_one_thing_goes),
      cmocka_unit_test(indices_and_weights_out_of_range_go),
      cmocka_unit_test(an_inverse_bind_that_is_not_finite_is_replaced),
      cmocka_unit_test(notes_are_not_without_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
