/* Models that a program makes: what comes out is what was said, and what breaks a rule is refused by name. */
#include "support/failing_heap.h"
#include "support/fixture.h"

#include "import/fixtures/use_model.h"

#include <sinew/build.h>

/* A bar along x: "lower" at 0, turned and scaled at rest, and "upper" below it at x = 1. A vertex of each kind: one
 * joint, the other, both, none. The clip turns "upper" by a quarter about z in a second. */
typedef struct bar {
  sinew_joint_def joints[2];
  sinew_mesh_def mesh;
  sinew_clip_def clip;
  sinew_curve_def curves[2];
  sinew_material material;
  sinew_model_def def;
  float positions[12], normals[12], uvs[8], colors[16], turns[8], moves[18];
  uint32_t indices[6];
  sinew_vertex_weight weights[5];
  double times[2];
} bar;

static void make_bar(bar *b) {
  static const float positions[] = {0, 0, 0, 2, 0, 0, 1, 1, 0, 1, 0, 1};
  static const uint32_t indices[] = {0, 1, 2, 0, 3, 1};
  const float half = sqrtf(0.5f);
  *b = (bar){.turns = {0, 0, 0, 1, 0, 0, half, half}, .times = {0, 1}};
  memcpy(b->positions, positions, sizeof positions);
  memcpy(b->indices, indices, sizeof indices);
  for (int v = 0; v < 4; v++) b->normals[3 * v + 1] = 2;
  sinew_quat turn = sinew_quat_from_axis_angle((sinew_vec3){1, 2, 3}, 0.7f);
  b->joints[0] = (sinew_joint_def){"lower", -1, {{0, 0.5f, 0}, turn, {2, 2, 2}}};
  b->joints[1] = (sinew_joint_def){"upper", 0, {{0.5f, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}};
  const sinew_vertex_weight weights[] = {{1, 1, 3}, {0, 0, 1}, {2, 0, 1}, {2, 1, 3}, {3, 0, 0}};
  memcpy(b->weights, weights, sizeof weights);
  b->mesh = (sinew_mesh_def){.name = "bar", .joint = -1, .vertex_count = 4, .index_count = 6, .weight_count = 5};
  b->mesh.positions = b->positions;
  b->mesh.indices = b->indices;
  b->mesh.weights = b->weights;
  b->curves[0] = (sinew_curve_def){1, SINEW_CURVE_ROTATION, SINEW_INTERPOLATION_LINEAR, 2, b->times, b->turns};
  b->curves[1] = (sinew_curve_def){0, SINEW_CURVE_TRANSLATION, SINEW_INTERPOLATION_CUBIC, 2, b->times, b->moves};
  b->clip = (sinew_clip_def){"bend", b->curves, 1};
  b->material = sinew_material_default();
  b->def = (sinew_model_def){.name = "bar", .joints = b->joints, .meshes = &b->mesh, .clips = &b->clip};
  b->def.materials = &b->material;
  b->def.joint_count = 2;
  b->def.mesh_count = b->def.clip_count = b->def.material_count = 1;
}

static sinew_model *build(const bar *b) {
  sinew_error error = {""};
  sinew_model *model = sinew_model_build(&b->def, &error);
  if (!model) fail_msg("%s", error.message);
  return model;
}

/* Positions of mesh 0 in the clip's moment. */
static void skin(const sinew_model *model, double time, float *positions) {
  sinew_pose_group groups[1];
  sinew_mat3x4 joints[8], palette[16];
  sinew_pose pose = {groups, sinew_model_joint_count(model)};
  assert_true(sinew_sample(&(sinew_sample_job){model, sinew_model_clip(model, 0), time, pose}));
  assert_true(sinew_local_to_model(&(sinew_local_to_model_job){model, pose, joints, 0}));
  assert_true(sinew_palette(&(sinew_palette_job){model, joints, palette}));
  assert_true(sinew_cpu_skin(&(sinew_cpu_skin_job){.model = model, .palette = palette, .positions = positions}));
}

static void at_rest_vertices_are_where_they_were_said_to_be(void **state) {
  (void)state;
  bar b;
  float out[12];
  make_bar(&b);
  sinew_model *model = build(&b);
  skin(model, 0, out);
  for (int i = 0; i < 12; i++) assert_float_equal(out[i], b.positions[i], 1e-5);
  assert_string_equal(sinew_model_path(model), "bar");
  assert_int_equal(sinew_model_joint_count(model), 3);
  assert_int_equal(sinew_model_find_joint(model, "upper"), 2);
  assert_float_equal(sinew_clip_duration(sinew_model_clip(model, 0)), 1, 0);
  sinew_model_release(model);
}

typedef double vec[3];

/* In doubles, from the definition: p goes with a turn of `angle` about the axis `z` of the bar's rest turn, which is
 * what the upper joint's own z is, around that joint's place. */
static void turned(const float *p, double angle, vec out) {
  const double n = sqrt(14), half = 0.7 / 2, s = sin(half);
  const double q[4] = {s / n, 2 * s / n, 3 * s / n, cos(half)};
  double r[3][3] = {
      {1 - 2 * (q[1] * q[1] + q[2] * q[2]), 2 * (q[0] * q[1] - q[2] * q[3]), 2 * (q[0] * q[2] + q[1] * q[3])},
      {2 * (q[0] * q[1] + q[2] * q[3]), 1 - 2 * (q[0] * q[0] + q[2] * q[2]), 2 * (q[1] * q[2] - q[0] * q[3])},
      {2 * (q[0] * q[2] - q[1] * q[3]), 2 * (q[1] * q[2] + q[0] * q[3]), 1 - 2 * (q[0] * q[0] + q[1] * q[1])}};
  vec local, spun;
  const double c = cos(angle), si = sin(angle);
  double joint[3] = {r[0][0], 0.5 + r[1][0], r[2][0]}; /* 2 × 0.5 along the turned x */
  for (int k = 0; k < 3; k++) {
    local[k] = 0;
    for (int i = 0; i < 3; i++) local[k] += r[i][k] * (p[i] - joint[i]);
  }
  spun[0] = c * local[0] - si * local[1];
  spun[1] = si * local[0] + c * local[1];
  spun[2] = local[2];
  for (int k = 0; k < 3; k++) {
    out[k] = joint[k];
    for (int i = 0; i < 3; i++) out[k] += r[k][i] * spun[i];
  }
}

static void vertices_follow_their_joints_by_their_weights(void **state) {
  (void)state;
  bar b;
  float out[12];
  const double share[] = {0, 1, 0.75, 0}, angle = 3.14159265358979 / 2 * 0.4;
  make_bar(&b);
  sinew_model *model = build(&b);
  skin(model, 0.4, out);
  for (int v = 0; v < 4; v++) {
    vec there;
    turned(b.positions + 3 * v, angle, there);
    for (int k = 0; k < 3; k++) {
      double expected = b.positions[3 * v + k] * (1 - share[v]) + there[k] * share[v];
      assert_float_equal(out[3 * v + k], expected, 2e-3); /* rotations between rows are normalised lerps */
    }
  }
  skin(model, 1, out);
  for (int k = 0; k < 3; k++) {
    vec there;
    turned(b.positions + 3, 3.14159265358979 / 2, there);
    assert_float_equal(out[3 + k], there[k], 2e-4);
  }
  sinew_model_release(model);
}

static void vertices_without_weights_follow_the_joint_of_the_mesh(void **state) {
  (void)state;
  bar b;
  float out[12];
  vec there;
  make_bar(&b);
  b.mesh.joint = 1;
  sinew_model *model = build(&b);
  skin(model, 1, out);
  turned(b.positions + 9, 3.14159265358979 / 2, there); /* its one weight is 0 */
  for (int k = 0; k < 3; k++) assert_float_equal(out[9 + k], there[k], 2e-4);
  sinew_model_release(model);
}

static void a_cubic_curve_is_the_hermite_spline(void **state) {
  (void)state;
  bar b;
  make_bar(&b);
  for (int i = 0; i < 18; i++) b.moves[i] = (float)(i % 7) - 3;
  b.clip.curves = b.curves + 1;
  sinew_model *model = build(&b);
  for (int step = 0; step <= 20; step++) {
    double t = step / 20.0, t2 = t * t, t3 = t2 * t;
    sinew_transform at;
    assert_true(sinew_sample_joint(&(sinew_sample_joint_job){model, sinew_model_clip(model, 0), t, 1, &at}));
    for (int k = 0; k < 3; k++) {
      double expected = (2 * t3 - 3 * t2 + 1) * b.moves[3 + k] + (t3 - 2 * t2 + t) * b.moves[6 + k] +
                        (3 * t2 - 2 * t3) * b.moves[12 + k] + (t3 - t2) * b.moves[9 + k];
      assert_float_equal((&at.translation.x)[k], expected, 2e-3);
    }
  }
  sinew_model_release(model);
}

/* A square roof of three triangles on one side and one on the other: angles make both sides count alike at the ridge,
 * however they are cut. */
static void absent_normals_are_those_of_the_triangles_by_their_angles(void **state) {
  (void)state;
  bar b;
  const float roof[] = {0, 1, 0, 2, 1, 0, 0, 0, 1, 0, 0, -1};
  const uint32_t indices[] = {2, 1, 0, 3, 0, 1};
  make_bar(&b);
  memcpy(b.positions, roof, sizeof roof);
  memcpy(b.indices, indices, sizeof indices);
  sinew_model *model = build(&b);
  const float *n = sinew_model_mesh(model, 0).normals;
  for (int v = 0; v < 2; v++) {
    assert_float_equal(n[3 * v], 0, 1e-6);
    assert_float_equal(n[3 * v + 1], 1, 1e-6);
    assert_float_equal(n[3 * v + 2], 0, 1e-6);
  }
  assert_float_equal(n[6 + 1], sqrt(0.5), 1e-6);
  assert_float_equal(n[6 + 2], sqrt(0.5), 1e-6);
  assert_float_equal(n[9 + 2], -sqrt(0.5), 1e-6);
  sinew_model_release(model);
}

static void given_normals_colours_and_uvs_are_kept(void **state) {
  (void)state;
  bar b;
  make_bar(&b);
  for (int i = 0; i < 16; i++) b.colors[i] = (float)i / 15;
  for (int i = 0; i < 8; i++) b.uvs[i] = (float)i;
  b.mesh.normals = b.normals;
  b.mesh.colors = b.colors;
  b.mesh.uvs = b.uvs;
  sinew_model *model = build(&b);
  sinew_mesh_view mesh = sinew_model_mesh(model, 0);
  for (int i = 0; i < 16; i++) assert_int_equal(mesh.colors[i], i * 17);
  assert_memory_equal(mesh.uvs, b.uvs, sizeof b.uvs);
  assert_float_equal(mesh.normals[1], 1, 1e-6);
  assert_int_equal(mesh.vertex_count, 4);
  sinew_model_release(model);
}

/* ---- refused ---- */

static void no_parent(bar *b) { b->joints[0].parent = 0; }
static void parent_after(bar *b) { b->joints[0].parent = 1; }
static void no_name(bar *b) { b->joints[1].name = ""; }
static void same_name(bar *b) { b->joints[1].name = "lower"; }
static void nan_rest(bar *b) { b->joints[1].rest.translation.y = NAN; }
static void no_turn(bar *b) { b->joints[1].rest.rotation = (sinew_quat){0}; }
static void no_scale(bar *b) { b->joints[1].rest.scale.z = 0; }
static void tiny_scale(bar *b) { b->joints[1].rest.scale = (sinew_vec3){1e-12f, 1e-12f, 1e-12f}; }
static void nan_position(bar *b) { b->positions[7] = NAN; }
static void huge_position(bar *b) { b->positions[7] = 1e30f; }
static void no_positions(bar *b) { b->mesh.positions = NULL; }
static void negative_count(bar *b) { b->mesh.vertex_count = -1; }
static void far_index(bar *b) { b->indices[4] = 4; }
static void odd_indices(bar *b) { b->mesh.index_count = 5; }
static void no_triangles(bar *b) { b->mesh.index_count = 0; }
static void far_joint(bar *b) { b->weights[3].joint = 2; }
static void far_vertex(bar *b) { b->weights[3].vertex = 4; }
static void negative_weight(bar *b) { b->weights[3].weight = -1; }
static void nan_weight(bar *b) { b->weights[3].weight = NAN; }
static void far_material(bar *b) { b->mesh.material = 1; }
static void far_mesh_joint(bar *b) { b->mesh.joint = -2; }
static void no_normal(bar *b) { (b->mesh.normals = b->normals, b->normals[4] = 0); }
static void bright_color(bar *b) { (b->mesh.colors = b->colors, b->colors[9] = 1.5f); }
static void nan_uv(bar *b) { (b->mesh.uvs = b->uvs, b->uvs[5] = NAN); }
static void image(bar *b) { b->material.textures[SINEW_TEXTURE_NORMAL].image = 0; }
static void nan_color(bar *b) { b->material.base_color[3] = NAN; }
static void no_clip_name(bar *b) { b->clip.name = NULL; }
static void empty_clip(bar *b) { b->clip.curve_count = 0; }
static void no_keys(bar *b) { b->curves[0].key_count = 0; }
static void curve_of_none(bar *b) { b->curves[0].joint = 2; }
static void same_times(bar *b) { b->times[1] = 0; }
static void nan_time(bar *b) { b->times[1] = NAN; }
static void nan_key(bar *b) { b->turns[5] = NAN; }
static void no_key(bar *b) { b->turns[6] = b->turns[7] = 0; }
static void twice(bar *b) { (b->curves[1] = b->curves[0], b->clip.curve_count = 2); }
static void wrong_kind(bar *b) { b->curves[0].kind = (sinew_curve_kind)7; }
static void wrong_way(bar *b) { b->curves[0].interpolation = (sinew_interpolation)-1; }
static void nothing(bar *b) { b->def.joint_count = b->def.mesh_count = b->def.clip_count = 0; }
static void many_joints(bar *b) { b->def.joint_count = 40000; }
static void no_list(bar *b) { b->def.meshes = NULL; }

static const struct {
  void (*spoil)(bar *b);
  const char *sentence;
} refusals[] = {
    {no_parent, "bar: joints[0].parent: a parent comes before its children"},
    {parent_after, "bar: joints[0].parent: a parent comes before its children"},
    {no_name, "bar: joints[1]: has no name"},
    {same_name, "bar: joints[1]: 'lower' is the name of joints[0], too"},
    {nan_rest, "bar: joints[1].translation[0]: nan is not a finite number"},
    {no_turn, "bar: joints[1].rotation: a quaternion of length 0"},
    {no_scale, "bar: joints[1].scale: is 0 along an axis"},
    {tiny_scale, "bar: joints[1].scale: together with its parents' it is too small"},
    {nan_position, "bar: meshes[0].positions[2]: nan is not a finite number"},
    {huge_position, "bar: meshes[0].positions[2]: 1e+30 is not a finite number, or too large"},
    {no_positions, "bar: meshes[0].positions: is missing"},
    {negative_count, "bar: meshes[0].positions: -1 are not possible"},
    {far_index, "bar: meshes[0].indices[4]: there is no vertex 4 among 4"},
    {odd_indices, "bar: meshes[0].indices: 5 numbers do not make whole triangles"},
    {no_triangles, "bar: meshes[0].indices: there are no triangles"},
    {far_joint, "bar: meshes[0].weights[2]: there is no joint 2 among 2"},
    {far_vertex, "bar: meshes[0].weights[4]: there are 4 vertices"},
    {negative_weight, "bar: meshes[0].weights[2]: -1 is not a weight"},
    {nan_weight, "bar: meshes[0].weights[2]: nan is not a weight"},
    {far_material, "bar: meshes[0].material: there is no material 1 among 1"},
    {far_mesh_joint, "bar: meshes[0].joint: there is no joint -2 among 2"},
    {no_normal, "bar: meshes[0].normals[1]: has no length"},
    {bright_color, "bar: meshes[0].colors[2]: 1.5 is not from 0 to 1"},
    {nan_uv, "bar: meshes[0].uvs[2]: nan is not a finite number"},
    {image, "bar: materials[0]: has an image"},
    {nan_color, "bar: materials[0].color[0]: nan is not a finite number"},
    {no_clip_name, "bar: clips[0]: has no name"},
    {empty_clip, "bar: clips[0].tracks: moves nothing"},
    {no_keys, "bar: clips[0].tracks.upper.rotations: has no keys"},
    {curve_of_none, "bar: clips[0].tracks: there is no joint 2 among 2"},
    {same_times, "bar: clips[0].tracks.upper.rotations[1]: its time is not after the one before"},
    {nan_time, "bar: clips[0].tracks.upper.rotations[1]: its time is not from 0"},
    {nan_key, "bar: clips[0].tracks.upper.rotations[1]: is not made of finite numbers"},
    {no_key, "bar: clips[0].tracks.upper.rotations[1]: has no length"},
    {twice, "bar: clips[0].tracks.upper.rotations: is given twice"},
    {wrong_kind, "bar: clips[0].tracks: a curve has an unknown kind or interpolation"},
    {wrong_way, "bar: clips[0].tracks: a curve has an unknown kind or interpolation"},
    {nothing, "bar: holds no joints and no meshes"},
    {many_joints, "bar: joints: 40000 are not possible, only 0 to 32000"},
    {no_list, "bar: meshes: 1 are not possible"},
};

static void what_breaks_a_rule_is_refused_by_its_place(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
    bar b;
    sinew_error error = {""};
    make_bar(&b);
    refusals[i].spoil(&b);
    if (sinew_model_build(&b.def, &error)) fail_msg("not refused: %s", refusals[i].sentence);
    if (strncmp(error.message, refusals[i].sentence, strlen(refusals[i].sentence)) != 0)
      fail_msg("'%s', and not '%s'", error.message, refusals[i].sentence);
  }
}

static void places_are_counted_as_the_caller_counts(void **state) {
  (void)state;
  bar b;
  sinew_error error;
  make_bar(&b);
  b.def.first = 1;
  b.indices[4] = 4;
  assert_null(sinew_model_build(&b.def, &error));
  assert_string_equal(error.message, "bar: meshes[1].indices[5]: there is no vertex 5 among 4");
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  bar b;
  sinew_model *model = NULL;
  make_bar(&b);
  b.mesh.colors = b.colors;
  b.mesh.uvs = b.uvs;
  b.clip.curve_count = 2;
  for (long left = 0; !model; left++) {
    failing_heap heap = {left, 0};
    sinew_error error = {""};
    failing_heap_install(&heap);
    model = sinew_model_build(&b.def, &error);
    if (!model) assert_non_null(strstr(error.message, "memory"));
    if (!model) assert_int_equal(heap.living, 0);
    if (model) assert_true(left > 20);
    if (model) use_model(model);
    sinew_model_release(model);
    sinew_set_allocator(NULL);
  }
}

static void each_def_begins_with_its_defaults(void **state) {
  (void)state;
  bar b;
  make_bar(&b);
  sinew_model_def def = sinew_model_def_default();
  sinew_joint_def joint = sinew_joint_def_default();
  sinew_mesh_def mesh = sinew_mesh_def_default();
  sinew_morph_def morph = sinew_morph_def_default();
  sinew_clip_def clip = sinew_clip_def_default();
  sinew_curve_def curve = sinew_curve_def_default();
  joint.name = "only";
  morph.name = "bigger", morph.positions = b.moves;
  mesh.vertex_count = 4, mesh.index_count = 6, mesh.positions = b.positions, mesh.indices = b.indices;
  mesh.morphs = &morph, mesh.morph_count = 1;
  curve.key_count = 1, curve.times = b.times, curve.values = b.moves;
  clip.name = "stay", clip.curves = &curve, clip.curve_count = 1;
  def.joints = &joint, def.meshes = &mesh, def.clips = &clip;
  def.joint_count = def.mesh_count = def.clip_count = 1;
  sinew_error error = {""};
  sinew_model *model = sinew_model_build(&def, &error);
  if (!model) fail_msg("%s", error.message);
  assert_int_equal(sinew_model_joint_parent(model, 1), 0);
  assert_int_equal(sinew_model_mesh(model, 0).material, -1);
  use_model(model);
  sinew_model_release(model);
}

/* A spline that no 16 bits and no few rows follow: a finer tolerance takes more bytes and is closer. */
static void clips_are_as_exact_as_was_asked(void **state) {
  (void)state;
  enum { KEYS = 200 };
  double times[KEYS];
  float values[3 * KEYS];
  bar b;
  make_bar(&b);
  for (int i = 0; i < KEYS; i++) {
    times[i] = i * 0.05;
    for (int k = 0; k < 3; k++) values[3 * i + k] = sinf(0.37F * (float)i + (float)k);
  }
  b.curves[0] = (sinew_curve_def){1, SINEW_CURVE_TRANSLATION, SINEW_INTERPOLATION_LINEAR, KEYS, times, values};
  sinew_model *standard = build(&b);
  b.def.tolerance = 0.2;
  sinew_model *coarse = build(&b);
  b.def.tolerance = 0;
  b.def.exact = true;
  sinew_model *exact = build(&b);
  const sinew_clip *s = sinew_model_clip(standard, 0), *c = sinew_model_clip(coarse, 0),
                   *e = sinew_model_clip(exact, 0);
  assert_true(sinew_clip_size(c) < sinew_clip_size(s) && sinew_clip_size(s) < sinew_clip_size(e));
  assert_true(sinew_clip_error(c) <= 0.2 && sinew_clip_error(e) < sinew_clip_error(s));
  b.def.tolerance = 2;
  sinew_error error = {""};
  assert_null(sinew_model_build(&b.def, &error));
  assert_non_null(strstr(error.message, "tolerance"));
  sinew_model_release(standard);
  sinew_model_release(coarse);
  sinew_model_release(exact);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(at_rest_vertices_are_where_they_were_said_to_be),
      cmocka_unit_test(vertices_follow_their_joints_by_their_weights),
      cmocka_unit_test(vertices_without_weights_follow_the_joint_of_the_mesh),
      cmocka_unit_test(a_cubic_curve_is_the_hermite_spline),
      cmocka_unit_test(absent_normals_are_those_of_the_triangles_by_their_angles),
      cmocka_unit_test(given_normals_colours_and_uvs_are_kept),
      cmocka_unit_test(what_breaks_a_rule_is_refused_by_its_place),
      cmocka_unit_test(places_are_counted_as_the_caller_counts),
      cmocka_unit_test(each_def_begins_with_its_defaults),
      cmocka_unit_test(clips_are_as_exact_as_was_asked),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
