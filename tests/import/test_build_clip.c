#include "support/failing_heap.h"
#include "support/fixture.h"

#include "import/build.h"

/* A raw model with two nodes, one mesh with a morph target, and one clip. */
typedef struct scene {
  raw_model raw;
  raw_clip clip;
  raw_track tracks[8];
  raw_node nodes[2];
  raw_mesh mesh;
  raw_morph morph;
  bool exact;
  int notes; /* once it is built */
  const raw_node *nodes_at;
} scene;

static void open_scene(scene *s) {
  memset(s, 0, sizeof *s);
  raw_init(&s->raw, "scene", NULL);
  for (int i = 0; i < 2; i++) s->nodes[i] = (raw_node){.name = i ? "b" : "a", .parent = i - 1};
  s->nodes[0].local = s->nodes[1].local = sinew_mat3x4_identity();
  s->nodes[1].local.m[3] = 2; /* at rest */
  s->morph = (raw_morph){.name = "m", .weight = 0.25f, .positions = (float[3]){0}};
  s->mesh = (raw_mesh){.name = "mesh", .node = 0, .material = -1, .morphs = &s->morph, .morph_count = 1};
  s->clip = (raw_clip){.name = "clip", .tracks = s->tracks};
  s->raw.nodes = s->nodes;
  s->raw.node_count = 2;
  s->raw.meshes = &s->mesh;
  s->raw.mesh_count = 1;
  s->raw.clips = &s->clip;
  s->raw.clip_count = 1;
  s->exact = true;
}

static void add(scene *s, track_kind kind, int node, raw_interpolation mode, int keys, double *times, float *values) {
  s->tracks[s->clip.track_count++] = (raw_track){
      .kind = kind, .node = node, .interpolation = mode, .key_count = keys, .times = times, .values = values};
}

static sinew_model *build(scene *s) {
  model_desc desc = {.path = "scene"};
  assert_true(raw_check(&s->raw));
  assert_true(build_skeleton(&s->raw, true, &desc) && build_clips(&s->raw, s->exact, &desc) &&
              build_meshes(&s->raw, 4, &desc));
  sinew_model *model = model_create(&desc, NULL);
  assert_non_null(model);
  s->notes = s->raw.note_count;
  raw_release(&s->raw);
  return model;
}

static sinew_transform sample(const sinew_model *model, const char *joint, double time) {
  int count = sinew_model_joint_count(model);
  sinew_pose pose = {calloc((size_t)sinew_pose_group_count(count), sizeof(sinew_pose_group)), count};
  sinew_sample_job job = {model, sinew_model_clip(model, 0), time, pose};
  assert_null(sinew_sample_check(&job));
  assert_true(sinew_sample(&job));
  sinew_transform t = sinew_pose_joint(&pose, sinew_model_find_joint(model, joint));
  free(pose.groups);
  return t;
}

/* ---- rotations ---- */

static sinew_quat about(double x, double y, double z, double angle) {
  double length = sqrt(x * x + y * y + z * z), s = sin(angle / 2) / length;
  return (sinew_quat){(float)(x * s), (float)(y * s), (float)(z * s), (float)cos(angle / 2)};
}

static void a_rotation_follows_slerp(void **state) {
  (void)state;
  static const double angles[] = {0.05, 0.3, 1.5, 2.9, -3.0};
  for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
    scene s;
    open_scene(&s);
    sinew_quat last = about(1, 2, 3, angles[i]);
    /* The second key in the other hemisphere: the same rotation, and the shorter way all the same. */
    float values[] = {0, 0, 0, 1, -last.x, -last.y, -last.z, -last.w};
    double times[] = {0, 2};
    add(&s, TRACK_ROTATION, 0, RAW_LINEAR, 2, times, values);
    sinew_model *model = build(&s);
    for (int k = 0; k <= 40; k++) {
      sinew_quat is = sample(model, "a", 0.05 * k).rotation;
      assert_true(angle_between(is, about(1, 2, 3, angles[i] * k / 40)) < 2e-5);
    }
    sinew_model_release(model);
  }
}

/* The rotation of a table whose first pack is one track. */
static sinew_quat row_rotation(const sinew_clip *clip, int row) {
  const clip_table *table = clip->tables;
  const unsigned char *cell = table->rows + row * table->row_stride + clip->packs[0].offset;
  int16_t integers[4];
  sinew_quat wide;
  memcpy(&wide, cell, sizeof wide);
  memcpy(integers, cell, sizeof integers);
  if (clip->packs[0].wide) return wide;
  return (sinew_quat){(float)integers[0] / 32767, (float)integers[1] / 32767, (float)integers[2] / 32767,
                      (float)integers[3] / 32767};
}

static void neighbouring_rows_are_in_one_hemisphere(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  float values[12 * 4];
  double times[12];
  for (int i = 0; i < 12; i++) {
    sinew_quat q = about(0, 1, 0.3, 2.5 * i);
    float sign = i % 3 ? 1.0f : -1.0f;
    times[i] = i * 0.1;
    memcpy(values + 4 * i, (float[]){sign * q.x, sign * q.y, sign * q.z, sign * q.w}, 4 * sizeof(float));
  }
  add(&s, TRACK_ROTATION, 1, RAW_LINEAR, 12, times, values);
  sinew_model *model = build(&s);
  const sinew_clip *clip = sinew_model_clip(model, 0);
  const clip_table *table = clip->tables;
  assert_int_equal(clip->pack_count, 1);
  assert_int_equal(clip->packs[0].track_count, 1);
  for (int r = 1; r < table->row_count; r++) {
    sinew_quat a = row_rotation(clip, r - 1), b = row_rotation(clip, r);
    assert_true(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w > 0.9f);
  }
  sinew_model_release(model);
}

/* ---- the table ---- */

static void linear_keys_are_exact_and_shared(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  double first[] = {0, 0.25, 1}, second[] = {0, 0.5, 1};
  float moves[] = {0, 0, 0, 1, 2, 3, 0, 0, 4}, grows[] = {1, 1, 1, 2, 2, 2, 1, 1, 1};
  add(&s, TRACK_TRANSLATION, 0, RAW_LINEAR, 3, first, moves);
  add(&s, TRACK_SCALE, 1, RAW_LINEAR, 3, second, grows);
  sinew_model *model = build(&s);
  assert_int_equal(sinew_clip_row_count(sinew_model_clip(model, 0)), 4); /* 0, ¼, ½, 1 */
  assert_near(sample(model, "a", 0.125).translation.y, 1, 1e-6);
  assert_near(sample(model, "a", 0.625).translation.z, 3.5, 1e-6);
  assert_near(sample(model, "b", 0.125).scale.x, 1.25, 1e-6);
  /* What has no curve keeps the rest pose, also beside one that has. */
  assert_near(sample(model, "b", 0.5).translation.x, 2, 0);
  sinew_model_release(model);
}

/* A chain of twenty joints that all turn and one that walks far: the error that is said is the error that is seen. */
static void sixteen_bits_stay_within_the_tolerance(void **state) {
  (void)state;
  enum { CHAIN = 20, KEYS = 40 };
  static raw_node nodes[CHAIN];
  static raw_track tracks[CHAIN + 1];
  static float turns[CHAIN][KEYS * 4], walk[KEYS * 3];
  static double times[KEYS];
  sinew_model *models[2];
  random_seed(5);
  for (int j = 0; j < CHAIN; j++) {
    sinew_vec3 axis = {random_range(-1, 1), random_range(-1, 1), random_range(-1, 1)};
    for (int k = 0; k < KEYS; k++) {
      sinew_quat q = sinew_quat_from_axis_angle(axis, 0.3f * sinf(0.4f * (float)k + (float)j));
      memcpy(turns[j] + 4 * k, &q, sizeof q);
    }
  }
  for (int k = 0; k < KEYS; k++) times[k] = k / 30.0, walk[3 * k + 2] = 0.05f * (float)k;
  for (int exact = 0; exact < 2; exact++) {
    scene s;
    open_scene(&s);
    s.exact = exact, s.raw.mesh_count = 0;
    for (int j = 0; j < CHAIN; j++) {
      nodes[j] = (raw_node){.name = "n", .parent = j - 1, .local = sinew_mat3x4_identity()};
      nodes[j].local.m[7] = j ? 0.1f : 0;
      tracks[j] = (raw_track){.kind = TRACK_ROTATION, .node = j, .key_count = KEYS, .times = times, .values = turns[j]};
    }
    tracks[CHAIN] = (raw_track){.kind = TRACK_TRANSLATION, .key_count = KEYS, .times = times, .values = walk};
    s.raw.nodes = nodes, s.raw.node_count = CHAIN;
    s.clip.tracks = tracks, s.clip.track_count = CHAIN + 1;
    models[exact] = build(&s);
  }
  const sinew_clip *narrow = sinew_model_clip(models[0], 0), *wide = sinew_model_clip(models[1], 0);
  assert_true(sinew_clip_size(narrow) < sinew_clip_size(wide));
  assert_true(sinew_clip_error(narrow) <= 1e-4 && sinew_clip_error(narrow) > 1e-7);
  sinew_mat3x4 joints[2][CHAIN + 1];
  sinew_pose pose = {calloc((CHAIN + 8) / 8, sizeof(sinew_pose_group)), CHAIN + 1};
  double worst = 0;
  for (int i = 0; i <= 500; i++) {
    for (int m = 0; m < 2; m++) {
      sinew_sample(&(sinew_sample_job){models[m], sinew_model_clip(models[m], 0), 1.3 * i / 500, pose});
      sinew_local_to_model(&(sinew_local_to_model_job){models[m], pose, joints[m], 0});
    }
    for (int j = 0; j <= CHAIN; j++)
      worst = fmax(worst, distance_between((sinew_vec3){joints[0][j].m[3], joints[0][j].m[7], joints[0][j].m[11]},
                                           (sinew_vec3){joints[1][j].m[3], joints[1][j].m[7], joints[1][j].m[11]}));
  }
  assert_true(worst <= 1.1e-4);
  assert_true(worst > sinew_clip_error(narrow) * 0.2);
  free(pose.groups);
  sinew_model_release(models[0]), sinew_model_release(models[1]);
}

/* ---- a second opinion ---- */

enum { MOST_NODES = 24 };

typedef struct place {
  double turn[9], at[3]; /* row major */
} place;

/* Slerp as the glTF specification has it, then the matrix of a rotation. */
static void turn_at(const raw_track *track, double time, double *turn) {
  const float *values = track->values;
  int key = 0, last = track->key_count - 1;
  while (key < last - 1 && track->times[key + 1] <= time) key++;
  double u = fmin(fmax((time - track->times[key]) / (track->times[key + 1] - track->times[key]), 0), 1);
  double a[4], b[4], q[4], cosine = 0, length = 0, a_length = 0, b_length = 0;
  for (int k = 0; k < 4; k++) a[k] = (double)values[4 * key + k], b[k] = (double)values[4 * key + 4 + k];
  for (int k = 0; k < 4; k++) a_length += a[k] * a[k], b_length += b[k] * b[k];
  for (int k = 0; k < 4; k++) a[k] /= sqrt(a_length), b[k] /= sqrt(b_length);
  for (int k = 0; k < 4; k++) cosine += a[k] * b[k];
  double sign = cosine < 0 ? -1 : 1, angle = acos(fmin(fabs(cosine), 1));
  for (int k = 0; k < 4; k++)
    q[k] = angle < 1e-9 ? a[k] : (sin((1 - u) * angle) * a[k] + sign * sin(u * angle) * b[k]) / sin(angle);
  for (int k = 0; k < 4; k++) length += q[k] * q[k];
  double x = q[0], y = q[1], z = q[2], w = q[3], s = 2 / length;
  double m[9] = {1 - s * (y * y + z * z), s * (x * y - w * z),     s * (x * z + w * y),
                 s * (x * y + w * z),     1 - s * (x * x + z * z), s * (y * z - w * x),
                 s * (x * z - w * y),     s * (y * z + w * x),     1 - s * (x * x + y * y)};
  memcpy(turn, m, sizeof m);
}

static place below(const place *above, const double *turn, const double *at) {
  place p = {{0}, {0}};
  for (int r = 0; r < 3; r++) {
    p.at[r] = above->at[r];
    for (int k = 0; k < 3; k++) p.at[r] += above->turn[3 * r + k] * at[k];
    for (int c = 0; c < 3; c++)
      for (int k = 0; k < 3; k++) p.turn[3 * r + c] += above->turn[3 * r + k] * turn[3 * k + c];
  }
  return p;
}

/* The farthest that the joints of a chain, and points 0.1 beside them, are from the file's curves at 240 Hz. Node i
 * turns by track i and hangs from node i − 1; the last track moves node 0. */
static double chain_error(const scene *s, const sinew_model *model) {
  int count = s->raw.node_count;
  const raw_track *walk = s->clip.tracks + count;
  sinew_mat3x4 joints[MOST_NODES + 1];
  sinew_pose_group groups[(MOST_NODES + 8) / 8];
  const sinew_clip *clip = sinew_model_clip(model, 0);
  double worst = 0, duration = sinew_clip_duration(clip);
  for (int i = 0; i <= (int)(duration * 240); i++) {
    double time = i / 240.0;
    place at = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0}};
    sinew_pose pose = {groups, count + 1};
    assert_true(sinew_sample(&(sinew_sample_job){.model = model, .clip = clip, .time = time, .output = pose}));
    assert_true(sinew_local_to_model(&(sinew_local_to_model_job){.model = model, .pose = pose, .output = joints}));
    for (int n = 0; n < count; n++) {
      double turn[9], local[3] = {0, (double)s->nodes_at[n].local.m[7], 0};
      int key = (int)fmin(time / walk->times[1], walk->key_count - 2);
      double u = (time - walk->times[key]) / (walk->times[key + 1] - walk->times[key]);
      for (int k = 0; n == 0 && k < 3; k++)
        local[k] = (1 - u) * (double)walk->values[3 * key + k] + u * (double)walk->values[3 * key + 3 + k];
      turn_at(s->clip.tracks + n, time, turn);
      at = below(&at, turn, local);
      for (int axis = -1; axis < 3; axis++) {
        double off = 0;
        for (int r = 0; r < 3; r++) {
          const float *row = joints[n + 1].m + 4 * r;
          double is = (double)row[3] + (axis < 0 ? 0 : 0.1 * (double)row[axis]);
          double must = at.at[r] + (axis < 0 ? 0 : 0.1 * at.turn[3 * r + axis]);
          off += (is - must) * (is - must);
        }
        worst = fmax(worst, sqrt(off));
      }
    }
  }
  return worst;
}

/* Two metres of a chain whose joints turn by up to `swing` radians and back `rate` times a second, keyed at 30 Hz. */
static sinew_model *build_chain(scene *s, int count, int keys, float swing, float rate, float walks) {
  static raw_node nodes[MOST_NODES];
  static raw_track tracks[MOST_NODES + 1];
  static float turns[MOST_NODES][400 * 4], walk[400 * 3];
  static double times[400];
  open_scene(s);
  s->exact = false, s->raw.mesh_count = 0, s->nodes_at = nodes;
  random_seed(5);
  for (int n = 0; n < count; n++) {
    sinew_vec3 axis = {random_range(-1, 1), random_range(-1, 1), random_range(-1, 1)};
    nodes[n] = (raw_node){.name = "n", .parent = n - 1, .local = sinew_mat3x4_identity()};
    nodes[n].local.m[7] = n ? 2.0f / (float)count : 0;
    tracks[n] = (raw_track){.kind = TRACK_ROTATION, .node = n, .key_count = keys, .times = times, .values = turns[n]};
    for (int k = 0; k < keys; k++) {
      sinew_quat q = sinew_quat_from_axis_angle(axis, swing * sinf(6.2832f * rate * (float)k / 30 + (float)n));
      memcpy(turns[n] + 4 * k, &q, sizeof q);
    }
  }
  for (int k = 0; k < keys; k++) times[k] = k / 30.0, walk[3 * k + 2] = walks + 0.02f * (float)k;
  tracks[count] = (raw_track){.kind = TRACK_TRANSLATION, .key_count = keys, .times = times, .values = walk};
  s->raw.nodes = nodes, s->raw.node_count = count;
  s->clip.tracks = tracks, s->clip.track_count = count + 1;
  return build(s);
}

/* From hardly moving to spinning: every point is within a tenth of a millimetre, and the error that is said is the
 * error that is seen. */
static void the_error_is_small_and_true(void **state) {
  (void)state;
  static const float swings[] = {0.002f, 0.05f, 0.4f, 1.5f};
  static const float rates[] = {0.25f, 0.5f, 1, 3};
  for (int i = 0; i < 4; i++) {
    scene s;
    sinew_model *model = build_chain(&s, 20, 61, swings[i], rates[i], 0);
    double said = sinew_clip_error(sinew_model_clip(model, 0)), seen = chain_error(&s, model);
    print_message("# swing %g: %d rows, %zu bytes, said %.3g mm, seen %.3g mm\n", (double)swings[i],
                  sinew_clip_row_count(sinew_model_clip(model, 0)), sinew_clip_size(sinew_model_clip(model, 0)),
                  1e3 * said, 1e3 * seen);
    assert_true(seen <= 1.02e-4);
    assert_near(said, seen, 0.02 * seen + 2e-6);
    assert_int_equal(s.notes, 0);
    sinew_model_release(model);
  }
}

/* ---- rows that are not needed ---- */

static void slow_motion_needs_few_even_rows(void **state) {
  (void)state;
  scene s;
  sinew_model *model = build_chain(&s, 20, 121, 0.002f, 0.25f, 0);
  const clip_table *table = sinew_model_clip(model, 0)->tables;
  assert_int_equal(sinew_model_clip(model, 0)->table_count, 1);
  assert_true(table->row_count <= 121 / 2);
  assert_int_equal(table->cell_count, 0);
  assert_true(chain_error(&s, model) <= 1e-4);
  sinew_model_release(model);
  model = build_chain(&s, 20, 121, 0.5f, 2, 0); /* as fast as people move */
  assert_true(sinew_clip_row_count(sinew_model_clip(model, 0)) >= 121);
  sinew_model_release(model);
}

/* Still for three seconds, a burst of ten keys in between: rows are where something happens. */
static void stillness_needs_no_rows(void **state) {
  (void)state;
  enum { KEYS = 100 };
  scene s;
  double times[KEYS];
  float moves[3 * KEYS] = {0};
  open_scene(&s);
  s.exact = false;
  for (int k = 0; k < KEYS; k++) {
    times[k] = k / 30.0;
    if (k >= 40 && k < 50) moves[3 * k] = sinf((float)k);
  }
  add(&s, TRACK_TRANSLATION, 0, RAW_LINEAR, KEYS, times, moves);
  sinew_model *model = build(&s);
  const clip_table *table = sinew_model_clip(model, 0)->tables;
  assert_true(table->row_count <= 20);
  assert_true(table->cell_count > 0);
  for (int k = 0; k < 3 * KEYS; k++) {
    double time = k / 90.0, u = fmod(time * 30, 1);
    int key = k / 3 < KEYS - 1 ? k / 3 : KEYS - 1, next = key < KEYS - 1 ? key + 1 : key;
    double is = (double)moves[3 * key] + u * ((double)moves[3 * next] - (double)moves[3 * key]);
    assert_near(sample(model, "a", time).translation.x, is, 1e-4);
  }
  sinew_model_release(model);
}

/* A step's rows may go where its value stays, and nowhere else. */
static void a_step_stays_where_rows_go(void **state) {
  (void)state;
  enum { KEYS = 61 };
  scene s;
  double times[KEYS];
  float held[3 * KEYS] = {0};
  open_scene(&s);
  s.exact = false;
  for (int k = 0; k < KEYS; k++) times[k] = k / 30.0, held[3 * k] = (float)(k / 20);
  add(&s, TRACK_TRANSLATION, 0, RAW_STEP, KEYS, times, held);
  sinew_model *model = build(&s);
  assert_true(sinew_clip_row_count(sinew_model_clip(model, 0)) <= 8);
  for (int k = 0; k < KEYS; k++) {
    assert_near(sample(model, "a", times[k]).translation.x, k / 20, 1e-4);
    assert_near(sample(model, "a", times[k] + 0.03).translation.x, k / 20, 1e-4);
  }
  sinew_model_release(model);
}

/* Eight joints that hurry and sixteen that hardly move are two tables; none of them is sampled twice. */
static void slow_joints_get_a_table_of_their_own(void **state) {
  (void)state;
  enum { COUNT = 23, KEYS = 100 };
  static raw_node nodes[COUNT];
  static raw_track tracks[COUNT];
  static float turns[2][KEYS * 4];
  static double times[KEYS];
  scene s;
  open_scene(&s);
  s.exact = false, s.raw.mesh_count = 0;
  for (int k = 0; k < KEYS; k++) {
    sinew_quat fast = about(0, 0, 1, sin(0.9 * k)), slow = about(0, 1, 0, 0.02 * sin(0.02 * k));
    times[k] = k / 30.0;
    memcpy(turns[0] + 4 * k, &fast, sizeof fast), memcpy(turns[1] + 4 * k, &slow, sizeof slow);
  }
  for (int n = 0; n < COUNT; n++) {
    nodes[n] = (raw_node){.name = "n", .parent = -1, .local = sinew_mat3x4_identity()};
    tracks[n] =
        (raw_track){.kind = TRACK_ROTATION, .node = n, .key_count = KEYS, .times = times, .values = turns[n > 6]};
  }
  s.raw.nodes = nodes, s.raw.node_count = COUNT;
  s.clip.tracks = tracks, s.clip.track_count = COUNT;
  sinew_model *model = build(&s);
  const sinew_clip *clip = sinew_model_clip(model, 0);
  assert_int_equal(clip->table_count, 2);
  assert_int_equal(clip->pack_count, 3);
  for (int i = 0; i < 3; i++) assert_int_equal(clip->packs[i].group, i);
  assert_true(clip->tables[1].row_count <= clip->tables[0].row_count / 2);
  sinew_model_release(model);
}

/* One curve with a key a frame beside many with two keys: the many get a table of their own. */
static void a_busy_curve_does_not_multiply_the_others(void **state) {
  (void)state;
  enum { KEYS = 200 };
  static double busy[KEYS];
  static float moves[KEYS * 3];
  scene s;
  open_scene(&s);
  double sparse[] = {0, 1};
  float grows[] = {1, 1, 1, 2, 2, 2}, shifts[] = {0, 0, 0, 1, 0, 0}, swells[] = {1, 1, 1, 3, 3, 3};
  for (int k = 0; k < KEYS; k++) busy[k] = k / (KEYS - 1.0), moves[3 * k] = sinf((float)k);
  add(&s, TRACK_TRANSLATION, 0, RAW_LINEAR, KEYS, busy, moves);
  add(&s, TRACK_SCALE, 0, RAW_LINEAR, 2, sparse, grows);
  add(&s, TRACK_TRANSLATION, 1, RAW_LINEAR, 2, sparse, shifts);
  add(&s, TRACK_SCALE, 1, RAW_LINEAR, 2, sparse, swells);
  sinew_model *model = build(&s);
  const sinew_clip *clip = sinew_model_clip(model, 0);
  assert_int_equal(clip->table_count, 2);
  assert_int_equal(clip->tables[0].row_count, KEYS);
  assert_int_equal(clip->tables[1].row_count, 2);
  assert_near(sample(model, "b", 0.3).scale.y, 1.6, 1e-6);
  assert_near(sample(model, "a", busy[77]).translation.x, sinf(77), 1e-5);
  sinew_model_release(model);
}

static void constants_take_no_column(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  double times[] = {0, 1, 3}, one[] = {0.5};
  float still[] = {7, 8, 9, 7, 8, 9, 7, 8, 9}, single[] = {3, 3, 3};
  add(&s, TRACK_TRANSLATION, 1, RAW_LINEAR, 3, times, still);
  add(&s, TRACK_SCALE, 1, RAW_LINEAR, 1, one, single);
  sinew_model *model = build(&s);
  const sinew_clip *clip = sinew_model_clip(model, 0);
  assert_int_equal(clip->table_count, 0);
  assert_near(sinew_clip_duration(clip), 3, 0);
  assert_near(sample(model, "b", 1.7).translation.y, 8, 0);
  assert_near(sample(model, "b", 1.7).scale.z, 3, 0);
  assert_true(sinew_clip_has_joint(clip, sinew_model_find_joint(model, "b")));
  assert_false(sinew_clip_has_joint(clip, sinew_model_find_joint(model, "a")));
  sinew_model_release(model);
}

static void a_late_clip_begins_at_its_first_key(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  double times[] = {1.5, 2.5};
  float moves[] = {0, 0, 0, 10, 0, 0};
  add(&s, TRACK_TRANSLATION, 0, RAW_LINEAR, 2, times, moves);
  sinew_model *model = build(&s);
  const sinew_clip *clip = sinew_model_clip(model, 0);
  assert_near(sinew_clip_start(clip), 1.5, 0);
  assert_near(sinew_clip_duration(clip), 1, 0);
  assert_near(sample(model, "a", 0.25).translation.x, 2.5, 1e-6);
  sinew_model_release(model);
}

static void a_step_holds_until_the_next_key(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  double steps[] = {0, 0.5, 1}, lines[] = {0, 0.3, 1};
  float held[] = {0, 0, 0, 5, 0, 0, 9, 0, 0}, moved[] = {0, 0, 0, 3, 0, 0, 10, 0, 0};
  add(&s, TRACK_TRANSLATION, 0, RAW_STEP, 3, steps, held);
  add(&s, TRACK_TRANSLATION, 1, RAW_LINEAR, 3, lines, moved);
  sinew_model *model = build(&s);
  assert_near(sample(model, "a", 0.3).translation.x, 0, 0);
  assert_near(sample(model, "a", 0.499).translation.x, 0, 0);
  assert_near(sample(model, "a", 0.5).translation.x, 5, 0);
  assert_near(sample(model, "a", 0.999).translation.x, 5, 0);
  assert_near(sample(model, "a", 1).translation.x, 9, 0);
  assert_near(sample(model, "b", 0.15).translation.x, 1.5, 1e-6);
  sinew_model_release(model);
}

/* The Hermite form in its textbook terms: h00 p0 + h10 m0 + h01 p1 + h11 m1. */
static double hermite(double p0, double m0, double p1, double m1, double u) {
  return (1 + 2 * u) * (1 - u) * (1 - u) * p0 + u * (1 - u) * (1 - u) * m0 + u * u * (3 - 2 * u) * p1 +
         u * u * (u - 1) * m1;
}

static void a_cubic_is_followed(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  double times[] = {0, 2};
  /* in-tangent, value, out-tangent */
  float values[] = {0, 0, 0, 1, 0, 0, 5, -2, 0, 3, 1, 0, 4, 2, 0, 0, 0, 0};
  add(&s, TRACK_TRANSLATION, 0, RAW_CUBIC, 2, times, values);
  sinew_model *model = build(&s);
  for (int i = 0; i <= 50; i++) {
    double u = i / 50.0;
    sinew_vec3 is = sample(model, "a", 2 * u).translation;
    assert_near(is.x, hermite(1, 2 * 5, 4, 2 * 3, u), 1e-3);
    assert_near(is.y, hermite(0, 2 * -2, 2, 2 * 1, u), 1e-3);
  }
  sinew_model_release(model);
}

/* ---- morphs ---- */

static void morphs_have_curves_or_their_weight_at_rest(void **state) {
  (void)state;
  double times[] = {0, 1};
  float weights[] = {0, -2}, moves[] = {0, 0, 0, 1, 0, 0};
  float is;
  scene s;
  open_scene(&s);
  add(&s, TRACK_MORPH, 0, RAW_LINEAR, 2, times, weights);
  sinew_model *model = build(&s);
  assert_true(sinew_sample_morphs(model, sinew_model_clip(model, 0), 0.75, 0, &is));
  assert_near(is, -1.5, 1e-6);
  sinew_model_release(model);
  open_scene(&s);
  add(&s, TRACK_TRANSLATION, 0, RAW_LINEAR, 2, times, moves);
  model = build(&s);
  assert_true(sinew_sample_morphs(model, sinew_model_clip(model, 0), 0.75, 0, &is));
  assert_near(is, 0.25, 0);
  sinew_model_release(model);
}

/* ---- what sampling takes for granted ---- */

static void rows_ascend_where_a_float_cannot_tell_moments_apart(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  double times[] = {0, 5e6, 5e6 + 0.01, 5e6 + 0.02};
  float values[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0};
  add(&s, TRACK_TRANSLATION, 0, RAW_LINEAR, 4, times, values);
  sinew_model *model = build(&s);
  const sinew_clip *clip = sinew_model_clip(model, 0);
  const clip_table *table = clip->tables;
  assert_int_equal(table->row_count, 4);
  for (int i = 1; i < 4; i++) assert_true(table->times[i] > table->times[i - 1]);
  assert_true((double)table->times[3] <= sinew_clip_duration(clip) * (1 + 1e-6));
  assert_near(sample(model, "a", sinew_clip_duration(clip)).translation.x, 3, 1e-6);
  sinew_model_release(model);
}

/* A cubic from one turn to its opposite goes through zero, where it turns in no time. */
static void a_cubic_through_zero_stays_unit(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  double times[] = {0, 1};
  float values[24] = {0};
  values[7] = 1;   /* 0: w */
  values[16] = -1; /* 1: x, by way of w = 0 and x = 0 */
  values[8] = 0;
  values[11] = -4; /* the way out of 0 */
  add(&s, TRACK_ROTATION, 0, RAW_CUBIC, 2, times, values);
  sinew_model *model = build(&s);
  for (int i = 0; i <= 1000; i++) {
    sinew_quat q = sample(model, "a", i * 0.001).rotation;
    assert_near(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, 2e-3);
  }
  sinew_model_release(model);
}

/* A cubic that turns half around within a microsecond: no table follows that, so it is said. */
static void what_cannot_be_followed_is_said(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  s.exact = false;
  double times[] = {0, 1};
  float values[24] = {[7] = 1, [8] = 1e6f, [19] = 1};
  add(&s, TRACK_ROTATION, 0, RAW_CUBIC, 2, times, values);
  sinew_model *model = build(&s);
  assert_int_equal(s.notes, 1);
  assert_true(sinew_clip_error(sinew_model_clip(model, 0)) > 0.1);
  assert_true(sinew_clip_row_count(sinew_model_clip(model, 0)) <= 257);
  sinew_model_release(model);
}

/* A clip that takes every way there is: two tables, rows left out, floats, more rows, a note that nothing helps. */
static bool build_all_ways(failing_heap *heap, long left, long *requests) {
  scene s;
  sinew_error error = {""};
  model_desc desc = {.path = "scene"};
  double few[] = {0, 1}, many[31];
  float turns[24] = {[7] = 1, [8] = 1e6f, [19] = 1}, moves[] = {0, 0, 0, 1, 0, 0}, weights[31], sizes[31][3];
  open_scene(&s);
  s.raw.error = &error;
  for (int i = 0; i < 31; i++) {
    many[i] = i / 30.0;
    weights[i] = (float)(i % 5);
    for (int k = 0; k < 3; k++) sizes[i][k] = 1 + 1e-6f * (float)i;
  }
  add(&s, TRACK_ROTATION, 0, RAW_CUBIC, 2, few, turns);
  add(&s, TRACK_TRANSLATION, 1, RAW_LINEAR, 2, few, moves);
  add(&s, TRACK_SCALE, 1, RAW_LINEAR, 31, many, sizes[0]);
  add(&s, TRACK_MORPH, 0, RAW_LINEAR, 31, many, weights);
  assert_true(raw_check(&s.raw) && build_skeleton(&s.raw, true, &desc));
  heap->left = left;
  bool built = build_clips(&s.raw, false, &desc);
  *requests = left - heap->left;
  heap->left = -1;
  raw_release(&s.raw);
  assert_int_equal(heap->living, 0);
  assert_true(built || strstr(error.message, "memory"));
  return built;
}

static void running_out_of_memory_is_an_error(void **state) {
  (void)state;
  failing_heap heap = {.left = -1};
  long requests, used;
  failing_heap_install(&heap);
  assert_true(build_all_ways(&heap, 100000, &requests));
  for (long n = 0; n < requests; n++) assert_false(build_all_ways(&heap, n, &used));
  assert_true(build_all_ways(&heap, requests, &used));
  sinew_set_allocator(NULL);
}

static void a_clip_without_curves_is_empty(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  sinew_model *model = build(&s);
  assert_near(sinew_clip_duration(sinew_model_clip(model, 0)), 0, 0);
  assert_near(sample(model, "b", 0).translation.x, 2, 0);
  sinew_model_release(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_error_is_small_and_true),
      cmocka_unit_test(slow_motion_needs_few_even_rows),
      cmocka_unit_test(stillness_needs_no_rows),
      cmocka_unit_test(a_step_stays_where_rows_go),
      cmocka_unit_test(slow_joints_get_a_table_of_their_own),
      cmocka_unit_test(a_rotation_follows_slerp),
      cmocka_unit_test(neighbouring_rows_are_in_one_hemisphere),
      cmocka_unit_test(linear_keys_are_exact_and_shared),
      cmocka_unit_test(sixteen_bits_stay_within_the_tolerance),
      cmocka_unit_test(a_busy_curve_does_not_multiply_the_others),
      cmocka_unit_test(constants_take_no_column),
      cmocka_unit_test(a_late_clip_begins_at_its_first_key),
      cmocka_unit_test(a_step_holds_until_the_next_key),
      cmocka_unit_test(a_cubic_is_followed),
      cmocka_unit_test(morphs_have_curves_or_their_weight_at_rest),
      cmocka_unit_test(rows_ascend_where_a_float_cannot_tell_moments_apart),
      cmocka_unit_test(a_cubic_through_zero_stays_unit),
      cmocka_unit_test(what_cannot_be_followed_is_said),
      cmocka_unit_test(a_clip_without_curves_is_empty),
      cmocka_unit_test(running_out_of_memory_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
