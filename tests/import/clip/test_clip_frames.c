/* A clip is as small as its tolerance allows, and says truly how far off it is. */
#include "import/fixtures/clip_fixture.h"

#include "import/clip/track_groups.h"

/* ---- a second opinion ---- */

enum { MOST_NODES = 24 };

typedef struct position {
  double turn[9], at[3]; /* frame major */
} position;

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

static position below(const position *above, const double *turn, const double *at) {
  position p = {{0}, {0}};
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
    position at = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0}};
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
          const float *frame = joints[n + 1].m + 4 * r;
          double is = (double)frame[3] + (axis < 0 ? 0 : 0.1 * (double)frame[axis]);
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
static void describe_chain(scene *s, int count, int keys, float swing, float rate, float walks) {
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
}

static sinew_model *build_chain(scene *s, int count, int keys, float swing, float rate, float walks) {
  describe_chain(s, count, keys, swing, rate, walks);
  return build(s);
}

/* From hardly moving to spinning: every point is within 0.1 mm, and the error that is said is the
 * error that is seen. */
static void the_error_is_small_and_true(void **state) {
  (void)state;
  static const float swings[] = {0.002f, 0.05f, 0.4f, 1.5f};
  static const float rates[] = {0.25f, 0.5f, 1, 3};
  for (int i = 0; i < 4; i++) {
    scene s;
    sinew_model *model = build_chain(&s, 20, 61, swings[i], rates[i], 0);
    double said = sinew_clip_error(sinew_model_clip(model, 0)), seen = chain_error(&s, model);
    print_message("# swing %g: %d frames, %zu bytes, said %.3g mm, seen %.3g mm\n", (double)swings[i],
                  sinew_clip_frame_count(sinew_model_clip(model, 0)), sinew_clip_size(sinew_model_clip(model, 0)),
                  1e3 * said, 1e3 * seen);
    assert_true(seen <= 1.02e-4);
    assert_near(said, seen, 0.02 * seen + 4e-6); /* floats, at the end of two metres */
    assert_int_equal(s.notes, 0);
    sinew_model_release(model);
  }
}

/* ---- frames that are not needed ---- */

static void slow_motion_needs_few_even_frames(void **state) {
  (void)state;
  scene s;
  sinew_model *model = build_chain(&s, 20, 121, 0.002f, 0.25f, 0);
  const track_group *tracks = sinew_model_clip(model, 0)->track_groups;
  assert_int_equal(sinew_model_clip(model, 0)->track_group_count, 1);
  assert_true(tracks->frame_count <= 121 / 2);
  assert_int_equal(tracks->cell_count, 0);
  assert_true(chain_error(&s, model) <= 1.02e-4);
  sinew_model_release(model);
  model = build_chain(&s, 20, 121, 0.5f, 2, 0); /* as fast as people move */
  assert_true(sinew_clip_frame_count(sinew_model_clip(model, 0)) >= 121);
  sinew_model_release(model);
}

/* Still for three seconds, a burst of ten keys in between: frames are where something happens. */
static void stillness_needs_no_frames(void **state) {
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
  const track_group *tracks = sinew_model_clip(model, 0)->track_groups;
  assert_true(tracks->frame_count <= 20);
  assert_true(tracks->cell_count > 0);
  for (int k = 0; k < 3 * KEYS; k++) {
    double time = k / 90.0, u = fmod(time * 30, 1);
    int key = k / 3 < KEYS - 1 ? k / 3 : KEYS - 1, next = key < KEYS - 1 ? key + 1 : key;
    double is = (double)moves[3 * key] + u * ((double)moves[3 * next] - (double)moves[3 * key]);
    assert_near(sample(model, "a", time).translation.x, is, 1e-4);
  }
  sinew_model_release(model);
}

/* A step's frames may go where its value stays, and nowhere else. */
static int frames_of_line(bool lean, int nodes) {
  enum { KEYS = 40 };
  scene s;
  double times[KEYS];
  float moves[3 * KEYS] = {0};
  open_scene(&s);
  s.exact = false;
  s.clip.lean = lean;
  for (int k = 0; k < KEYS; k++) {
    times[k] = k / 30.0;
    moves[3 * k] = 0.01f * (float)k;
  }
  for (int i = 0; i < nodes; i++) add(&s, TRACK_TRANSLATION, i, RAW_LINEAR, KEYS, times, moves);
  sinew_model *model = build(&s);
  int count = sinew_clip_frame_count(sinew_model_clip(model, 0));
  sinew_model_release(model);
  return count;
}

static void keys_that_were_chosen_for_one_joint_stay(void **state) {
  (void)state;
  assert_int_equal(frames_of_line(true, 1), 40);
  assert_true(frames_of_line(false, 1) < 10);
  assert_true(frames_of_line(true, 2) < 10);
}

/* Rotations on the line between two that are far apart: sampling needs neighbours whose dot product is 0.9 or more. */
static void needed_rotations_are_near_each_other(void **state) {
  enum { FRAMES = 49 };
  static const double angles[] = {0.2, 0.85, 1.2, 2, 3};
  (void)state;
  for (int i = 0; i < 10; i++) {
    double angle = angles[i / 2], power = i % 2 ? 1.3 : 1; /* frames at even distances, and others */
    float times[FRAMES], frames[4 * FRAMES];
    int needed[FRAMES];
    for (int k = 0; k < FRAMES; k++) {
      double u = pow((double)k / (FRAMES - 1), power), z = u * sin(angle / 2), w = 1 - u + u * cos(angle / 2);
      double length = sqrt(z * z + w * w);
      const float q[4] = {0, 0, (float)(z / length), (float)(w / length)};
      times[k] = (float)(2 * u);
      memcpy(frames + 4 * k, q, sizeof q);
    }
    const clip_track track = {.kind = TRACK_ROTATION};
    const track_group_desc desc = {times, FRAMES, frames, 4, &track, 1, 0, NULL};
    int count = clip_thin_find(&desc, &(double){0.05}, 0, 1, needed);
    assert_int_equal(needed[0], 0);
    assert_int_equal(needed[count - 1], FRAMES - 1);
    for (int k = 1; k < count; k++) {
      const float *a = frames + 4 * needed[k - 1], *b = frames + 4 * needed[k];
      assert_true((double)a[2] * b[2] + (double)a[3] * b[3] >= 0.9);
    }
    if (angle < 0.9) assert_int_equal(count, 2);
    assert_true(count <= 2 + 2 * angle / 0.9 + 1);
  }
}

static void a_step_stays_where_frames_go(void **state) {
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
  assert_true(sinew_clip_frame_count(sinew_model_clip(model, 0)) <= 8);
  for (int k = 0; k < KEYS; k++) {
    assert_near(sample(model, "a", times[k]).translation.x, k / 20, 1e-4);
    assert_near(sample(model, "a", times[k] + 0.03).translation.x, k / 20, 1e-4);
  }
  sinew_model_release(model);
}

/* Eight joints that hurry and sixteen that hardly move are two track groups; none of them is sampled twice. */
static void slow_joints_get_a_track_group_of_their_own(void **state) {
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
  assert_int_equal(clip->track_group_count, 2);
  assert_int_equal(clip->pack_count, 3);
  for (int i = 0; i < 3; i++) assert_int_equal(clip->packs[i].group, i);
  assert_true(clip->track_groups[1].frame_count <= clip->track_groups[0].frame_count / 2);
  sinew_model_release(model);
}

/* A chain on a joint that spins needs many segments only where that is packed. */
static void what_spins_is_divided_from_the_rest(void **state) {
  (void)state;
  enum { COUNT = 23, KEYS = 400 };
  static float spin[KEYS * 4], none[KEYS * 4];
  scene s;
  describe_chain(&s, COUNT, KEYS, 0.05f, 3, 0);
  for (int k = 0; k < KEYS; k++) {
    sinew_quat q = about(0, 1, 0, 0.1 * k);
    memcpy(spin + 4 * k, &q, sizeof q);
    none[4 * k + 3] = 1;
  }
  s.clip.tracks[0].values = spin;
  for (int n = 1; n < COUNT; n++) /* half of each group, or it is full */
    if (n % 2) s.clip.tracks[n].values = none;
  sinew_model *model = build(&s);
  const sinew_clip *clip = sinew_model_clip(model, 0);
  double said = sinew_clip_error(clip), seen = chain_error(&s, model);
  for (int i = 0; i < clip->pack_count; i++) {
    const clip_pack *pack = clip->packs + i;
    const track_group *tracks = clip->track_groups + pack->track_group;
    if (pack->kind == TRACK_ROTATION && pack->group == 0) assert_true(tracks->segment_count >= 16);
    else assert_int_equal(tracks->segment_count, 1);
  }
  assert_true(seen <= 1.02e-4);
  assert_near(said, seen, 0.02 * seen + 4e-6);
  sinew_model_release(model);
}

/* A camera without skin, at arm's length of the model, counts with what it looks at; noise at another joint is still.
 */
static void a_turning_camera_is_no_reason_to_keep_noise(void **state) {
  (void)state;
  enum { KEYS = 40 };
  static raw_node nodes[3];
  static raw_track tracks[2];
  static float turns[KEYS * 4], noise[KEYS * 3];
  static double times[KEYS];
  scene s;
  open_scene(&s);
  s.exact = false, s.raw.mesh_count = 0;
  for (int n = 0; n < 3; n++)
    nodes[n] = (raw_node){.name = "n", .parent = n ? 0 : -1, .local = sinew_mat3x4_identity()};
  nodes[1].local.m[7] = nodes[2].local.m[11] = 1;
  for (int k = 0; k < KEYS; k++) {
    sinew_quat turn = about(0, 1, 0, 0.3 * sin(0.2 * k));
    times[k] = k / 30.0;
    memcpy(turns + 4 * k, &turn, sizeof turn);
    noise[3 * k] = 1e-6f * (float)(k % 3), noise[3 * k + 1] = 1;
  }
  tracks[0] = (raw_track){.kind = TRACK_TRANSLATION, .node = 1, .key_count = KEYS, .times = times, .values = noise};
  tracks[1] = (raw_track){.kind = TRACK_ROTATION, .node = 2, .key_count = KEYS, .times = times, .values = turns};
  s.raw.nodes = nodes, s.raw.node_count = 3;
  s.clip.tracks = tracks, s.clip.track_count = 2;
  sinew_model *model = build(&s);
  const sinew_clip *clip = sinew_model_clip(model, 0);
  assert_int_equal(clip->pack_count, 1);
  assert_int_equal(clip->packs[0].kind, TRACK_ROTATION);
  assert_true(clip_form_is_narrow(clip->packs[0].form));
  assert_true(sinew_clip_error(clip) <= 5e-5);
  sinew_model_release(model);
}

/* One curve with a key a frame beside many with two keys: the many get a track group of their own. */
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
  assert_int_equal(clip->track_group_count, 2);
  assert_int_equal(clip->track_groups[0].frame_count, KEYS);
  assert_int_equal(clip->track_groups[1].frame_count, 2);
  assert_near(sample(model, "b", 0.3).scale.y, 1.6, 1e-6);
  assert_near(sample(model, "a", busy[77]).translation.x, sinf(77), 1e-5);
  sinew_model_release(model);
}

/* Eight joints in a row: the first seven share a group with the root of the model, the last has a group of its own. */
static sinew_model *build_turning(scene *s, double angle, double step) {
  enum { NODES = 8, KEYS = 40 };
  static raw_node nodes[NODES];
  static raw_track tracks[NODES];
  static float turns[NODES][KEYS * 4];
  static double times[KEYS];
  for (int k = 0; k < KEYS; k++) times[k] = k / 30.0;
  for (int n = 0; n < NODES; n++) {
    nodes[n] = (raw_node){.name = "n", .parent = n - 1, .local = sinew_mat3x4_identity()};
    nodes[n].local.m[7] = 0.1f;
    for (int k = 0; k < KEYS; k++) {
      sinew_quat turn = about(n % 2, 1, 0, angle * sin(step * k + n));
      memcpy(turns[n] + 4 * k, &turn, sizeof turn);
    }
    tracks[n] = (raw_track){.kind = TRACK_ROTATION, .node = n, .key_count = KEYS, .times = times, .values = turns[n]};
  }
  open_scene(s);
  s->exact = false, s->raw.mesh_count = 0;
  s->raw.nodes = nodes, s->raw.node_count = NODES;
  s->clip.tracks = tracks, s->clip.track_count = NODES;
  return build(s);
}

/* Groups whose joints all rotate are fastest as full rotations, with arcs where they rotate fast. */
static void groups_that_turn_as_a_whole_are_full(void **state) {
  (void)state;
  static const struct {
    double angle, step;
    clip_form first, second;
  } cases[] = {{0.6, 1.2, CLIP_FULL_ARC, CLIP_ARC}, {0.1, 0.3, CLIP_FULL, CLIP_NARROW}};
  for (int i = 0; i < 2; i++) {
    scene s;
    sinew_model *model = build_turning(&s, cases[i].angle, cases[i].step);
    const sinew_clip *clip = sinew_model_clip(model, 0);
    assert_int_equal(clip->pack_count, 2);
    assert_int_equal(clip->packs[0].form, cases[i].first);
    assert_int_equal(clip->packs[1].form, cases[i].second);
    assert_true(sinew_clip_error(clip) <= 5e-5);
    sinew_model_release(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_error_is_small_and_true),
      cmocka_unit_test(slow_motion_needs_few_even_frames),
      cmocka_unit_test(stillness_needs_no_frames),
      cmocka_unit_test(keys_that_were_chosen_for_one_joint_stay),
      cmocka_unit_test(needed_rotations_are_near_each_other),
      cmocka_unit_test(a_step_stays_where_frames_go),
      cmocka_unit_test(slow_joints_get_a_track_group_of_their_own),
      cmocka_unit_test(what_spins_is_divided_from_the_rest),
      cmocka_unit_test(a_turning_camera_is_no_reason_to_keep_noise),
      cmocka_unit_test(a_busy_curve_does_not_multiply_the_others),
      cmocka_unit_test(groups_that_turn_as_a_whole_are_full),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
