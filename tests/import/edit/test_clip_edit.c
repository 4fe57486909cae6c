/* Clips that are cut, reversed, closed and renamed, against curves evaluated here from their definitions. */
#include "support/failing_heap.h"
#include "support/fixture.h"

#include "import/edit/clip_edit.h"

enum { KEYS = 5 };

/* One curve of each kind of interpolation for turns and for places, all with keys at `times`. */
typedef struct reel {
  raw_model raw;
  sinew_error error;
  raw_node nodes[3];
  raw_clip clip;
  raw_track tracks[6];
  double times[KEYS];
  float values[6][KEYS * 12];
} reel;

static void open_reel(reel *r) {
  static const double times[KEYS] = {0.5, 0.75, 1.5, 1.75, 2.5};
  memset(r, 0, sizeof *r);
  raw_init(&r->raw, "reel.glb", &r->error);
  memcpy(r->times, times, sizeof times);
  for (int i = 0; i < 3; i++)
    r->nodes[i] = (raw_node){.name = "node", .parent = i - 1, .local = sinew_mat3x4_identity()};
  for (int i = 0; i < 6; i++) {
    track_kind kind = i < 3 ? TRACK_ROTATION : TRACK_TRANSLATION;
    r->tracks[i] = (raw_track){kind, i % 3, 0, (raw_interpolation)(i % 3), KEYS, r->times, r->values[i], 0};
    int width = clip_kind_width(kind), parts = i % 3 == RAW_CUBIC ? 3 : 1;
    for (int k = 0; k < KEYS * parts; k++) {
      float *value = r->values[i] + k * width;
      for (int c = 0; c < width; c++) value[c] = random_range(-1, 1);
      bool tangent = parts == 3 && k % 3 != 1;
      if (kind == TRACK_ROTATION && !tangent) {
        sinew_quat q = sinew_quat_normalize((sinew_quat){value[0], value[1], value[2], value[3] + 2});
        memcpy(value, &q, sizeof q);
      }
    }
  }
  r->clip = (raw_clip){.name = "take", .tracks = r->tracks, .track_count = 6, .track_capacity = 6};
  r->raw.nodes = r->nodes;
  r->raw.node_count = 3;
  r->raw.clips = &r->clip;
  r->raw.clip_count = r->raw.clip_capacity = 1;
}

static void normalize(double *q) {
  double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int k = 0; k < 4; k++) q[k] /= length;
}

/* glTF 2.0, appendix C, word by word. */
static void evaluate(const raw_track *track, double time, double out[4]) {
  int width = clip_kind_width(track->kind), parts = track->interpolation == RAW_CUBIC ? 3 : 1, middle = parts / 2;
  int last = track->key_count - 1, key = 0;
  time = fmin(fmax(time, track->times[0]), track->times[last]);
  while (key < last && track->times[key + 1] <= time) key++;
  const float *a = track->values + (size_t)(key * parts * width), *b = key < last ? a + parts * width : a;
  double td = key < last ? track->times[key + 1] - track->times[key] : 1, t = (time - track->times[key]) / td;
  double cosine = 0, sign = 1;
  for (int k = 0; k < width; k++) cosine += (double)a[middle * width + k] * b[middle * width + k];
  if (cosine < 0) sign = -1, cosine = -cosine;
  for (int k = 0; k < width; k++) {
    double p0 = a[middle * width + k], p1 = b[middle * width + k];
    if (track->interpolation == RAW_STEP || key == last) out[k] = p0;
    else if (track->interpolation == RAW_CUBIC)
      out[k] = (2 * t * t * t - 3 * t * t + 1) * p0 + td * (t * t * t - 2 * t * t + t) * a[2 * width + k] +
               (-2 * t * t * t + 3 * t * t) * p1 + td * (t * t * t - t * t) * b[k];
    else if (track->kind == TRACK_TRANSLATION) out[k] = p0 + t * (p1 - p0);
    else {
      double angle = acos(fmin(cosine, 1)), s = sin(angle);
      out[k] = s < 1e-9 ? p0 : (sin((1 - t) * angle) * p0 + sign * sin(t * angle) * p1) / s;
    }
  }
  if (track->kind == TRACK_ROTATION) normalize(out);
}

static double difference(const raw_track *track, const double *a, const double *b) {
  double worst = 0, dot = 0;
  int width = clip_kind_width(track->kind);
  for (int k = 0; k < width; k++) dot += a[k] * b[k];
  for (int k = 0; k < width; k++)
    worst = fmax(worst, fabs(a[k] - (track->kind == TRACK_ROTATION && dot < 0 ? -b[k] : b[k])));
  return worst;
}

static const sinew_clip_edit whole = {.clip = "take", .to = INFINITY};

/* Edited curve at time u is the first one at place(u). */
static void assert_same_curves(const raw_clip *edited, const reel *source, double from, double to, double sum,
                               double sign) {
  assert_int_equal(edited->track_count, 6);
  for (int i = 0; i < 6; i++)
    for (int k = 0; k <= 200; k++) {
      double time = from + (to - from) * (k + 0.37) / 201, a[4], b[4];
      evaluate(edited->tracks + i, sum + sign * time, a);
      evaluate(source->tracks + i, time, b);
      if (!(difference(source->tracks + i, a, b) < 2e-6))
        fail_msg("curve %d is %g off at %g s", i, difference(source->tracks + i, a, b), time);
    }
}

static void a_cut_leaves_the_curves_as_they_are(void **state) {
  (void)state;
  static const double cuts[][2] = {{0.1, 1.5}, {0.25, 1.25}, {0, 0.1}, {1.3, 2}, {0.3, INFINITY}};
  for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++) {
    reel r, source;
    random_seed(c + 1), open_reel(&source);
    random_seed(c + 1), open_reel(&r);
    sinew_clip_edit edit = whole;
    edit.from = cuts[c][0];
    edit.to = cuts[c][1];
    assert_true(edit_clips(&r.raw, &edit, 1));
    double start = 0.5 + edit.from, end = fmin(0.5 + edit.to, 2.5);
    for (int i = 0; i < 6; i++) {
      const raw_track *track = r.raw.clips[0].tracks + i;
      assert_near(track->times[0], start, 1e-12);
      assert_near(track->times[track->key_count - 1], end, 1e-12);
      for (int k = 1; k < track->key_count; k++) assert_true(track->times[k] > track->times[k - 1]);
    }
    assert_same_curves(r.raw.clips, &source, start, end, 0, 1);
    raw_release(&r.raw);
  }
}

static void reverse_runs_the_same_curves_backwards(void **state) {
  (void)state;
  reel r, source;
  random_seed(7), open_reel(&source);
  random_seed(7), open_reel(&r);
  sinew_clip_edit edit = whole;
  edit.reverse = true;
  assert_true(edit_clips(&r.raw, &edit, 1));
  assert_same_curves(r.raw.clips, &source, 0.5, 2.5, 3, -1);
  raw_release(&r.raw);
}

static void a_loop_ends_where_it_begins_and_keeps_its_travel(void **state) {
  (void)state;
  reel r, source;
  random_seed(9), open_reel(&source);
  random_seed(9), open_reel(&r);
  sinew_clip_edit edit = whole;
  edit.loop = true;
  assert_true(edit_clips(&r.raw, &edit, 1));
  for (int i = 0; i < 6; i++) {
    const raw_track *track = r.raw.clips[0].tracks + i;
    double first[4], last[4], old_first[4], old_last[4];
    evaluate(track, 0.5, first);
    evaluate(track, 2.5, last);
    evaluate(source.tracks + i, 0.5, old_first);
    evaluate(source.tracks + i, 2.5, old_last);
    bool kept = i % 3 == RAW_STEP || i == 3; /* the topmost joint's translation is curve 3 */
    assert_true(difference(track, first, old_first) < 1e-6);
    if (kept) assert_true(difference(track, last, old_last) < 1e-6);
    else assert_true(difference(track, first, last) < 1e-6);
  }
  /* half way, half of the gap is made up: a straight line between the keys shows it */
  double middle[4], old[4], first[4], last[4];
  evaluate(r.raw.clips[0].tracks + 5, 1.5, middle);
  evaluate(source.tracks + 5, 1.5, old);
  evaluate(source.tracks + 5, 0.5, first);
  evaluate(source.tracks + 5, 2.5, last);
  for (int k = 0; k < 3; k++) assert_near(middle[k], old[k] + 0.5 * (first[k] - last[k]), 1e-6);
  raw_release(&r.raw);
}

/* ---- mirror: 3×3 matrices in doubles, columns scaled alike ---- */

static void turn_of(const double *q, double m[9]) {
  double x = q[0], y = q[1], z = q[2], w = q[3], n = 2 / (x * x + y * y + z * z + w * w);
  const double turn[9] = {1 - n * (y * y + z * z), n * (x * y - z * w),     n * (x * z + y * w),
                          n * (x * y + z * w),     1 - n * (x * x + z * z), n * (y * z - x * w),
                          n * (x * z - y * w),     n * (y * z + x * w),     1 - n * (x * x + y * y)};
  memcpy(m, turn, sizeof turn);
}

typedef struct frame {
  double turn[9], at[3]; /* in model space */
} frame;

static void put_below(const frame *parent, const double *q, const double *at, frame *out) {
  double turn[9];
  turn_of(q, turn);
  for (int i = 0; i < 3; i++) {
    out->at[i] = parent->at[i];
    for (int k = 0; k < 3; k++) out->at[i] += parent->turn[3 * i + k] * at[k];
    for (int j = 0; j < 3; j++) {
      out->turn[3 * i + j] = 0;
      for (int k = 0; k < 3; k++) out->turn[3 * i + j] += parent->turn[3 * i + k] * turn[3 * k + j];
    }
  }
}

/* The three nodes of a reel: one, and two that hang from it. */
static void frames_of(const reel *r, const raw_clip *clip, double time, bool rest, frame out[3]) {
  frame root = {.turn = {1, 0, 0, 0, 0, 1, 0, -1, 0}}; /* its conversion: z is up */
  for (int node = 0; node < 3; node++) {
    sinew_transform t = sinew_transform_from_mat3x4(&r->raw.nodes[node].local);
    double q[4] = {t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w},
           at[4] = {t.translation.x, t.translation.y, t.translation.z};
    for (int i = 0; i < 6 && !rest; i++)
      if (clip->tracks[i].node == node) evaluate(clip->tracks + i, time, i < 3 ? q : at);
    put_below(node == 0 ? &root : out, q, at, out + node);
  }
}

/* Sides that stand in mirrored places at rest, each with axes of its own. */
static void give_sides(reel *r) {
  static const char *const names[3] = {"Hips", "LeftHand", "RightHand"};
  double seat = random_range(-1, 1);
  for (int i = 0; i < 3; i++) {
    sinew_transform t = {{i == 1   ? 0.5f
                          : i == 2 ? -0.5f
                                   : 0,
                          i ? 0.25f : 0, i ? (float)seat : 0},
                         {0, 0, 0, 1},
                         {1, 1, 1}};
    if (i)
      t.rotation = sinew_quat_normalize(
          (sinew_quat){random_range(-1, 1), random_range(-1, 1), random_range(-1, 1), random_range(-1, 1) + 2});
    r->nodes[i].name = names[i];
    r->nodes[i].parent = i ? 0 : -1;
    r->nodes[i].local = sinew_mat3x4_from_transform(&t);
  }
  r->raw.conversion = (sinew_mat3x4){{1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0}};
}

/* Turns from rest are reflected at x = 0, and places: of linear, stepped and cubic curves, in files with z up. */
static void mirror_is_a_reflection_with_the_sides_exchanged(void **state) {
  (void)state;
  static const int partners[3] = {0, 2, 1};
  static const double sign[3] = {-1, 1, 1};
  reel r, source;
  random_seed(11), open_reel(&source), give_sides(&source);
  random_seed(11), open_reel(&r), give_sides(&r);
  sinew_clip_edit edit = whole;
  edit.mirror = true;
  if (!edit_clips(&r.raw, &edit, 1)) fail_msg("%s", r.error.message);
  for (int step = 0; step <= 200; step++) {
    double time = 0.5 + 2 * (step + 0.37) / 201;
    frame rest[3], was[3], is[3];
    frames_of(&source, NULL, 0, true, rest);
    frames_of(&source, &source.clip, time, false, was);
    frames_of(&r, r.raw.clips, time, false, is);
    for (int n = 0; n < 3; n++) {
      const frame *other = was + partners[n], *from = rest + partners[n];
      for (int i = 0; i < 3; i++) {
        assert_near(is[n].at[i], sign[i] * other->at[i], 2e-5);
        for (int j = 0; j < 3; j++) { /* turn · rest⁻¹ */
          double turned = 0, wanted = 0;
          for (int k = 0; k < 3; k++) {
            turned += is[n].turn[3 * i + k] * rest[n].turn[3 * j + k];
            wanted += other->turn[3 * i + k] * from->turn[3 * j + k];
          }
          assert_near(turned, sign[i] * sign[j] * wanted, 2e-5);
        }
      }
    }
  }
  raw_release(&r.raw), raw_release(&source.raw);
}

static void edits_of_one_clip_make_several(void **state) {
  (void)state;
  reel r;
  open_reel(&r);
  sinew_clip_edit edits[3] = {whole, whole, whole};
  edits[0].name = "start", edits[0].to = 0.5;
  edits[1].name = "middle", edits[1].from = 0.5, edits[1].to = 1;
  edits[2].clip = "#0", edits[2].name = "end", edits[2].from = 1;
  assert_true(edit_clips(&r.raw, edits, 3));
  assert_int_equal(r.raw.clip_count, 3);
  static const char *const names[3] = {"start", "middle", "end"};
  for (int i = 0; i < 3; i++) {
    assert_string_equal(r.raw.clips[i].name, names[i]);
    assert_near(r.raw.clips[i].tracks[0].times[0], 0.5 + 0.5 * i, 1e-12);
  }
  raw_release(&r.raw);
}

static void what_cannot_be_edited_is_said(void **state) {
  (void)state;
  static const struct {
    const char *clip;
    double from, to;
    const char *words[2];
  } cases[] = {{"tkae", 0, INFINITY, {"'tkae'", "'take'"}},
               {"#1", 0, INFINITY, {"'#1'", "reel.glb"}},
               {"take", 2, INFINITY, {"2 s long", "from 2 s"}},
               {"take", 1, 2.1, {"2 s long", "to 2.1 s"}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    reel r;
    open_reel(&r);
    sinew_clip_edit edit = {.clip = cases[i].clip, .from = cases[i].from, .to = cases[i].to};
    assert_false(edit_clips(&r.raw, &edit, 1));
    for (int w = 0; w < 2; w++)
      if (!strstr(r.error.message, cases[i].words[w])) fail_msg("'%s' lacks %s", r.error.message, cases[i].words[w]);
    raw_release(&r.raw);
  }
  reel r;
  open_reel(&r);
  sinew_clip_edit edit = whole;
  edit.mirror = true;
  assert_false(edit_clips(&r.raw, &edit, 1));
  assert_non_null(strstr(r.error.message, "reel.glb: clip 'take' cannot be mirrored: no two joints are called left"));
  raw_release(&r.raw);
}

static void every_request_may_fail(void **state) {
  (void)state;
  sinew_clip_edit edit = {.clip = "take", .from = 0.2, .to = INFINITY, .reverse = true, .loop = true, .mirror = true};
  long requests = 0;
  for (bool edited = false; !edited; requests++) {
    reel r;
    open_reel(&r), give_sides(&r);
    failing_heap heap = {.left = requests};
    failing_heap_install(&heap);
    edited = edit_clips(&r.raw, &edit, 1);
    if (!edited && !r.error.message[0]) fail_msg("request %ld fails without a word", requests);
    raw_release(&r.raw);
    sinew_set_allocator(NULL);
    if (heap.living) fail_msg("%ld blocks are left when request %ld fails", heap.living, requests);
  }
  assert_true(requests > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cut_leaves_the_curves_as_they_are),
      cmocka_unit_test(reverse_runs_the_same_curves_backwards),
      cmocka_unit_test(a_loop_ends_where_it_begins_and_keeps_its_travel),
      cmocka_unit_test(mirror_is_a_reflection_with_the_sides_exchanged),
      cmocka_unit_test(edits_of_one_clip_make_several),
      cmocka_unit_test(what_cannot_be_edited_is_said),
      cmocka_unit_test(every_request_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
