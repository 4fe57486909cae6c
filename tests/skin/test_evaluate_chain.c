/* sinew_evaluate against all that it does, in doubles and one joint at a time: the rows that the clip was made from,
 * between two of them, blended, made a matrix below its parent's, times the inverse bind matrix. */
#include "skin/skin_fixture.h"
#include "support/backends.h"
#include "support/exact.h"

enum { SOURCES = SINEW_EVALUATE_SOURCES, ROWS = 12, MOST = MOST_BONES };
static const double threshold = 0.1;

typedef struct joint {
  double v[10]; /* rotation, translation, scale */
} joint;

/* A bound on accumulated rounding errors, which grow with the scales above a joint and with the path to it. */
typedef struct position {
  matrix model;
  double scale, way;
  int depth;
} position;

static void make_unit(double *q) {
  double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 4; i++) q[i] /= length;
}

static joint from_transform(sinew_transform t) {
  return (joint){{t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w, t.translation.x, t.translation.y,
                  t.translation.z, t.scale.x, t.scale.y, t.scale.z}};
}

/* A joint that the fixture's clip carries; the translation of every fourth holds until the next row. */
static joint sample(int file, double time) {
  joint out;
  int row = 0;
  time = fmin(fmax(time, 0), (double)made_clip.times[ROWS - 1]);
  while (row + 2 < ROWS && (double)made_clip.times[row + 1] <= time) row++;
  double begin = made_clip.times[row], w = (time - begin) / ((double)made_clip.times[row + 1] - begin);
  const float *a = made_clip.values + row * made_clip.frame_size + file / 2 * 10, *b = a + made_clip.frame_size;
  for (int i = 0; i < 10; i++) {
    bool holds = file % 4 == 0 && i >= 4 && i < 7 && w < 1;
    out.v[i] = (double)a[i] + (holds ? 0 : w) * ((double)b[i] - (double)a[i]);
  }
  make_unit(out.v);
  return out;
}

static double dot4(const joint *a, const joint *b) {
  double sum = 0;
  for (int i = 0; i < 4; i++) sum += a->v[i] * b->v[i];
  return sum;
}

static void add_joint(joint *sum, const joint *j, double weight, const joint *heaviest, const joint *rest) {
  double side = dot4(j, heaviest) + 2 * dot4(j, rest) * dot4(heaviest, rest);
  for (int i = 0; i < 10; i++) sum->v[i] += (i < 4 && side < 0 ? -weight : weight) * j->v[i];
}

static joint blend(const sinew_model *model, const sinew_evaluate_source *sources, int count, int index) {
  joint rest = from_transform(sinew_model_joint_rest(model, index)), sum = {{0}}, samples[SOURCES], heaviest = rest;
  int file = sinew_model_joint_file_index(model, index);
  double total = 0, most = 0;
  if (file < 0 || file % 2) return rest;
  for (int i = 0; i < count; i++) {
    samples[i] = sample(file, sources[i].time);
    if ((double)sources[i].weight > most) most = (double)sources[i].weight, heaviest = samples[i];
  }
  for (int i = 0; i < count; i++) {
    add_joint(&sum, samples + i, (double)sources[i].weight, &heaviest, &rest);
    total += (double)sources[i].weight;
  }
  if (total < threshold) add_joint(&sum, &rest, threshold - total, &heaviest, &rest);
  for (int i = 4; i < 10; i++) sum.v[i] /= fmax(total, threshold);
  make_unit(sum.v);
  return sum;
}

static position place_joint(const joint *j, const position *above) {
  matrix local = make_matrix(j->v, j->v + 4, j->v + 7);
  double scale = fmax(fmax(j->v[7], j->v[8]), j->v[9]);
  double way = sqrt(j->v[4] * j->v[4] + j->v[5] * j->v[5] + j->v[6] * j->v[6]);
  if (!above) return (position){local, scale, way, 1};
  return (position){multiply(&above->model, &local), above->scale * scale, above->way + above->scale * way,
                    above->depth + 1};
}

static void expect_matrix(const sinew_mat3x4 *got, const matrix *want, const position *size, double each) {
  for (int i = 0; i < 12; i++)
    assert_near(got->m[i], want->m[i], each * size->depth * (size->scale + (i % 4 == 3 ? size->way : 0)));
}

static void check_job(const sinew_model *model, const sinew_evaluate_source *sources, int count, double each) {
  static sinew_mat3x4 joints[MOST], palette[MOST];
  static position positions[MOST];
  sinew_skin_view skin = sinew_model_skin(model, 0);
  assert_true(
      sinew_evaluate(&(sinew_evaluate_job){model, sources, count, (float)threshold, {NULL, 0}, joints, palette}));
  for (int i = 0; i < sinew_model_joint_count(model); i++) {
    int parent = sinew_model_joint_parent(model, i);
    joint local = blend(model, sources, count, i);
    positions[i] = place_joint(&local, parent < 0 ? NULL : positions + parent);
    expect_matrix(joints + i, &positions[i].model, positions + i, each);
  }
  for (int i = 0; i < skin.count; i++) {
    matrix bind, want;
    for (int e = 0; e < 12; e++) bind.m[e] = skin.inverse_binds[i].m[e];
    want = multiply(&positions[skin.joints[i]].model, &bind);
    position size = positions[skin.joints[i]];
    size.way += 2 * size.scale; /* binds are within 2 m */
    expect_matrix(palette + i, &want, &size, each);
  }
}

/* Of each joint. 16 bits and the 15 of the weight between two rows are within 4e-5; the rest is rounding. */
static void check_model(int joint_count, skeleton_shape shape, bool wide) {
  static const float weights[][SOURCES] = {
      {1, 1, 1, 1}, {0.2f, 0.7f, 0.05f, 3}, {0.01f, 0.02f, 0.03f, 0.01f}, {0, 1, 0, 0.5f}, {0, 0, 0, 0}};
  sinew_model *model = random_model_with_clip(joint_count, shape, ROWS, true, wide);
  give_skin(model);
  for (int w = 0; w < 5; w++)
    for (int count = 0; count <= SOURCES; count++) {
      sinew_evaluate_source sources[SOURCES];
      for (int i = 0; i < count; i++)
        sources[i] =
            (sinew_evaluate_source){sinew_model_clip(model, 0), (double)random_range(-0.1f, 0.5f), weights[w][i]};
      check_job(model, sources, count, wide ? 2e-6 : 4e-5);
    }
  take_skin(model);
  sinew_model_release(model);
  forget_made_clip();
}

static void check_models(void) {
  random_seed(41);
  for (int wide = 0; wide < 2; wide++) {
    for (int joints = 1; joints <= 17; joints++) check_model(joints, (skeleton_shape)(joints % 5), wide);
    check_model(67, SHAPE_CHAIN, wide);
    check_model(250, SHAPE_FOREST, wide);
    check_model(1000, SHAPE_RANDOM, wide);
    check_model(1000, SHAPE_STAR, wide);
    check_model(1000, SHAPE_COMB, wide);
  }
}

static void the_whole_chain_follows_the_definition(void **state) {
  (void)state;
  on_every_backend(check_models);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_whole_chain_follows_the_definition)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
