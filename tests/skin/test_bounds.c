/* The box of a posed character against its skinned vertices. */
#include "skin/skin_fixture.h"
#include "support/backends.h"

#include "base/file.h"

#include <float.h>

typedef struct box {
  sinew_vec3 low, high;
} box;

static box measure(const sinew_model *model, const sinew_mat3x4 *palette) {
  int count = sinew_model_palette_count(model);
  sinew_joint_extent *extents = calloc((size_t)count, sizeof *extents);
  box b;
  assert_true(sinew_joint_extents(&(sinew_joint_extents_job){model, extents}));
  assert_true(sinew_bounds(&(sinew_bounds_job){extents, palette, count, &b.low, &b.high}));
  free(extents);
  return b;
}

/* The box of the vertices themselves, with random morphs. */
static box skin(const sinew_model *model, const sinew_mat3x4 *palette) {
  box b = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
  float *low = &b.low.x, *high = &b.high.x;
  for (int m = 0; m < sinew_model_mesh_count(model); m++) {
    sinew_mesh_view mesh = sinew_model_mesh(model, m);
    float *p = calloc((size_t)mesh.vertex_count * 3, sizeof *p), *weights = calloc((size_t)mesh.morph_count + 1, 4);
    for (int i = 0; i < mesh.morph_count; i++) weights[i] = random_range(0, 1);
    assert_true(sinew_cpu_skin(&(sinew_cpu_skin_job){
        .model = model, .mesh = m, .palette = palette, .morph_weights = weights, .positions = p}));
    for (int i = 0; i < mesh.vertex_count * 3; i++) {
      low[i % 3] = fminf(low[i % 3], p[i]);
      high[i % 3] = fmaxf(high[i % 3], p[i]);
    }
    free(p), free(weights);
  }
  return b;
}

static void expect_inside(box inner, box outer) {
  const float *il = &inner.low.x, *ih = &inner.high.x, *ol = &outer.low.x, *oh = &outer.high.x;
  for (int c = 0; c < 3; c++) assert_true(il[c] >= ol[c] && ih[c] <= oh[c]);
}

static void no_vertex_is_outside(void **state) {
  (void)state;
  static mesh_data d;
  for (int influences = 4; influences <= 8; influences += 4) {
    sinew_model *model = make_model(&d, influences);
    for (int i = 0; i < 200; i++) {
      sinew_mat3x4 palette[BONES + 2];
      for (int j = 0; j < BONES + 2; j++) {
        sinew_transform t = random_transform(true);
        if (i % 2) t.scale.x = -t.scale.x;
        t.translation.y += 1000.0f * (float)(i % 3);
        palette[j] = sinew_mat3x4_from_transform(&t);
      }
      expect_inside(skin(model, palette), measure(model, palette));
    }
    sinew_model_release(model);
  }
}

/* ---- against the definition ---- */

typedef struct exact_box {
  double low[3], high[3];
} exact_box;

static const exact_box empty = {{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};

/* Where each palette entry's vertices may be: with a target they reach from what it adds at its least weight to what it
 * adds at its greatest. */
static void find_extents(const sinew_model *model, exact_box *extents) {
  for (int i = 0; i < BONES + 2; i++) extents[i] = empty;
  sinew_mesh_view mesh = sinew_model_mesh(model, 0);
  int first = sinew_model_skin(model, mesh.skin).first;
  for (int i = 0; i < mesh.vertex_count * mesh.influences; i++) {
    int v = i / mesh.influences;
    exact_box *e = extents + first + mesh.joints[i];
    for (int c = 0; c < 3 && mesh.weights[i] > 0; c++) {
      double p = mesh.positions[3 * v + c], morph = mesh.morphs[0].positions[3 * v + c];
      e->low[c] = fmin(e->low[c], p + fmin(morph, 0));
      e->high[c] = fmax(e->high[c], p + fmax(morph, 0));
    }
  }
}

static void add_corner(exact_box *all, const exact_box *e, const sinew_mat3x4 *m, int corner) {
  for (int r = 0; r < 3; r++) {
    double at = m->m[4 * r + 3];
    for (int c = 0; c < 3; c++) at += (double)m->m[4 * r + c] * (corner >> c & 1 ? e->high[c] : e->low[c]);
    all->low[r] = fmin(all->low[r], at);
    all->high[r] = fmax(all->high[r], at);
  }
}

/* The box of the eight corners of every moved box. Ours is larger by what rounding may take: 4e-6 of all that is added
 * up, which is some 12 m here. */
static exact_box find_box(const exact_box *extents, const sinew_mat3x4 *palette) {
  exact_box all = empty;
  for (int i = 0; i < BONES + 2; i++)
    for (int corner = 0; corner < 8 && extents[i].low[0] <= extents[i].high[0]; corner++)
      add_corner(&all, extents + i, palette + i, corner);
  return all;
}

static void check_boxes(void) {
  static mesh_data d;
  random_seed(17);
  for (int influences = 1; influences <= MOST_INFLUENCES; influences++) {
    sinew_model *model = make_model(&d, influences);
    exact_box extents[BONES + 2];
    find_extents(model, extents);
    for (int round = 0; round < 20; round++) {
      sinew_mat3x4 palette[BONES + 2];
      for (int i = 0; i < BONES + 2; i++) {
        sinew_transform t = random_transform(true);
        palette[i] = sinew_mat3x4_from_transform(&t);
      }
      exact_box want = find_box(extents, palette);
      box got = measure(model, palette);
      const float *low = &got.low.x, *high = &got.high.x;
      for (int c = 0; c < 3; c++) {
        assert_true((double)low[c] <= want.low[c] && (double)high[c] >= want.high[c]);
        assert_near(low[c], want.low[c], 5e-5);
        assert_near(high[c], want.high[c], 5e-5);
      }
    }
    sinew_model_release(model);
  }
}

static void the_box_is_that_of_the_definition(void **state) {
  (void)state;
  on_every_backend(check_boxes);
}

static void a_vertex_alone_has_a_box_of_its_own_size(void **state) {
  (void)state;
  static mesh_data d;
  sinew_model *model = make_model(&d, 4);
  sinew_mesh_view mesh = sinew_model_mesh(model, 0);
  for (int v = 0; v < VERTICES; v++) {
    sinew_joint_extent extent = {{mesh.positions[3 * v], mesh.positions[3 * v + 1], mesh.positions[3 * v + 2]},
                                 {0, 0, 0}};
    sinew_transform t = random_transform(true);
    sinew_mat3x4 m = sinew_mat3x4_from_transform(&t);
    sinew_vec3 want = sinew_mat3x4_transform_point(&m, extent.center);
    box b;
    assert_true(sinew_bounds(&(sinew_bounds_job){&extent, &m, 1, &b.low, &b.high}));
    assert_true(distance_between(b.low, want) < 1e-4 && distance_between(b.high, want) < 1e-4);
  }
  sinew_model_release(model);
}

#ifdef SINEW_SOURCE /* where the importer is linked */
static double volume(box b) {
  return ((double)b.high.x - b.low.x) * ((double)b.high.y - b.low.y) * ((double)b.high.z - b.low.z);
}

/* A character's box is its own and not much more. */
static void the_hero_is_held_tightly(void **state) {
  (void)state;
  char path[1024];
  snprintf(path, sizeof path, "%s/assets/hero.glb", SINEW_SOURCE);
  if (!file_exists(path)) skip();
  sinew_model *model = sinew_model_load(path, NULL, NULL);
  assert_non_null(model);
  int count = sinew_model_joint_count(model);
  sinew_pose pose = random_pose(count, false);
  sinew_mat3x4 *joints = calloc((size_t)count, sizeof *joints);
  sinew_mat3x4 *palette = calloc((size_t)sinew_model_palette_count(model), sizeof *palette);
  double worst = 0;
  for (int c = 0; c < sinew_model_clip_count(model); c++)
    for (int i = 0; i < 4; i++) {
      const sinew_clip *clip = sinew_model_clip(model, c);
      assert_true(sinew_sample(&(sinew_sample_job){model, clip, sinew_clip_duration(clip) * i / 3, pose}));
      assert_true(sinew_local_to_model(&(sinew_local_to_model_job){model, pose, joints, 0}));
      assert_true(sinew_palette(&(sinew_palette_job){model, joints, palette}));
      box exact = skin(model, palette), got = measure(model, palette);
      expect_inside(exact, got);
      worst = fmax(worst, volume(got) / volume(exact));
    }
  printf("# at most %.2f times the volume\n", worst);
  assert_true(worst < 1.8);
  free(pose.groups), free(joints), free(palette);
  sinew_model_release(model);
}
#endif

static void what_is_not_finite_or_has_no_vertex_is_left_out(void **state) {
  (void)state;
  sinew_mat3x4 palette[4];
  for (int i = 0; i < 4; i++) palette[i] = sinew_mat3x4_identity();
  palette[0].m[5] = NAN, palette[1].m[3] = INFINITY;
  sinew_joint_extent extents[4] = {
      {{1, 1, 1}, {1, 1, 1}}, {{1, 1, 1}, {1, 1, 1}}, {{0, 0, 0}, {-1, -1, -1}}, {{3, 4, 5}, {1, 1, 1}}};
  box b;
  assert_true(sinew_bounds(&(sinew_bounds_job){extents, palette, 4, &b.low, &b.high}));
  assert_near(b.low.x, 2, 1e-4);
  assert_near(b.high.z, 6, 1e-4);
  assert_true(sinew_bounds(&(sinew_bounds_job){extents, palette, 3, &b.low, &b.high}));
  box nothing = {{0, 0, 0}, {0, 0, 0}};
  assert_memory_equal(&b, &nothing, sizeof b);
}

static void bad_jobs_are_refused(void **state) {
  (void)state;
  static mesh_data d;
  sinew_model *model = make_model(&d, 4);
  sinew_joint_extent extent;
  sinew_mat3x4 matrix;
  sinew_vec3 low, high;
  assert_false(sinew_joint_extents(&(sinew_joint_extents_job){NULL, &extent}));
  assert_false(sinew_joint_extents(&(sinew_joint_extents_job){model, NULL}));
  sinew_bounds_job jobs[] = {{NULL, &matrix, 1, &low, &high},
                             {&extent, NULL, 1, &low, &high},
                             {&extent, &matrix, -1, &low, &high},
                             {&extent, &matrix, 1, NULL, &high},
                             {&extent, &matrix, 1, &low, NULL}};
  for (int i = 0; i < 5; i++) assert_false(sinew_bounds(jobs + i));
  sinew_model_release(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_vertex_is_outside),
      cmocka_unit_test(the_box_is_that_of_the_definition),
      cmocka_unit_test(a_vertex_alone_has_a_box_of_its_own_size),
#ifdef SINEW_SOURCE
      cmocka_unit_test(the_hero_is_held_tightly),
#endif
      cmocka_unit_test(what_is_not_finite_or_has_no_vertex_is_left_out),
      cmocka_unit_test(bad_jobs_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
