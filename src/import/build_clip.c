/* A clip's curves become one table: rows at the union of the moving curves' key times. Translation, scale and morph
 * weights are linear between keys in the source, so they are exact; rotations are slerp in the source and normalised
 * lerp here, so rows are inserted until the two agree. Curves that never move go to the base pose. */
#include "import/build.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Radians that a rotation may be off between rows. */
static const double rotation_tolerance = 1e-5;
/* The same for translation, scale and weights of cubic curves, as a part of the curve's range. */
static const double value_tolerance = 1e-4;
/* Key times nearer than this are one moment, seconds. */
static const double same_time = 1e-6;
enum { MAX_ROWS_BETWEEN_KEYS = 256, MAX_ROW_FLOATS = 1 << 28 };

/* ---- the value of a curve at a moment ---- */

static double dot4(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]; }

static void normalize4(double *q) {
  double length = sqrt(dot4(q, q));
  for (int k = 0; k < 4; k++) q[k] = length > 0 ? q[k] / length : k == 3;
}

/* Shoemake 1985, along the shorter arc. */
static void slerp4(const double *a, const double *b, double t, double *out) {
  double cosine = dot4(a, b), sign = cosine < 0 ? -1 : 1;
  double angle = acos(fmin(fabs(cosine), 1)), wa = 1 - t, wb = t;
  if (angle > 1e-6) {
    wa = sin((1 - t) * angle) / sin(angle);
    wb = sin(t * angle) / sin(angle);
  }
  for (int k = 0; k < 4; k++) out[k] = wa * a[k] + sign * wb * b[k];
  normalize4(out);
}

static void read_values(const float *from, int width, double *out) {
  for (int k = 0; k < width; k++) out[k] = (double)from[k];
}

/* The last key at or before `time`; 0 before the first. */
static int find_key(const raw_track *track, double time) {
  int low = 0, high = track->key_count - 1;
  while (low < high) {
    int middle = low + (high - low + 1) / 2;
    if (track->times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

/* glTF 2.0, appendix C: cubic spline with tangents scaled by the interval. */
static void cubic_value(const raw_track *track, int key, double t, double interval, double *out) {
  int width = track_width(track->kind);
  const float *a = track->values + (size_t)key * 3 * (size_t)width, *b = a + 3 * width;
  double t2 = t * t, t3 = t2 * t;
  for (int k = 0; k < width; k++)
    out[k] = (2 * t3 - 3 * t2 + 1) * (double)a[width + k] + interval * (t3 - 2 * t2 + t) * (double)a[2 * width + k] +
             (-2 * t3 + 3 * t2) * (double)b[width + k] + interval * (t3 - t2) * (double)b[k];
  if (track->kind == TRACK_ROTATION) normalize4(out);
}

static void key_value(const raw_track *track, int key, double *out) {
  int width = track_width(track->kind);
  size_t at = track->interpolation == RAW_CUBIC ? (size_t)key * 3 + 1 : (size_t)key;
  read_values(track->values + at * (size_t)width, width, out);
  if (track->kind == TRACK_ROTATION) normalize4(out);
}

/* `out` gets track_width values. Times outside the keys hold the ends. */
static void track_value(const raw_track *track, double time, double *out) {
  int key = find_key(track, time), last = track->key_count - 1;
  key_value(track, key, out);
  if (key == last || time <= track->times[key] || track->interpolation == RAW_STEP) return;
  double interval = track->times[key + 1] - track->times[key], t = (time - track->times[key]) / interval;
  if (track->interpolation == RAW_CUBIC) {
    cubic_value(track, key, t, interval, out);
    return;
  }
  double a[4], b[4];
  memcpy(a, out, sizeof a);
  key_value(track, key + 1, b);
  if (track->kind == TRACK_ROTATION) {
    slerp4(a, b, t, out);
    return;
  }
  for (int k = 0; k < track_width(track->kind); k++) out[k] = a[k] + t * (b[k] - a[k]);
}

/* ---- which curves move ---- */

static bool is_moving(const raw_track *track) {
  int width = track_width(track->kind);
  if (track->key_count < 2) return false;
  if (track->interpolation == RAW_CUBIC) return true;
  for (size_t i = (size_t)width; i < (size_t)track->key_count * (size_t)width; i++) {
    float first = track->values[i % (size_t)width];
    if (fabsf(track->values[i] - first) > 1e-7f * fmaxf(1e-3f, fabsf(first))) return true;
  }
  return false;
}

typedef struct table {
  raw_model *raw;
  const raw_clip *clip;
  const raw_track **moving;
  int moving_count;
  double *times; /* the file's seconds */
  int row_count;
  double start;
} table;

static int compare_times(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static bool find_moving(table *t) {
  t->moving = raw_alloc(t->raw, (size_t)t->clip->track_count, sizeof *t->moving);
  if (!t->moving) return false;
  for (int i = 0; i < t->clip->track_count; i++)
    if (is_moving(t->clip->tracks + i)) t->moving[t->moving_count++] = t->clip->tracks + i;
  return true;
}

/* The first and the last key of all curves: rows begin and end there even where no moving curve has a key. */
static void find_span(table *t, double *end) {
  t->start = *end = 0;
  for (int i = 0; i < t->clip->track_count; i++) {
    const raw_track *track = t->clip->tracks + i;
    double first = track->times[0], last = track->times[track->key_count - 1];
    t->start = i == 0 || first < t->start ? first : t->start;
    *end = i == 0 || last > *end ? last : *end;
  }
}

/* ---- rows ---- */

static bool gather_key_times(table *t, double end) {
  size_t count = 2, kept = 0;
  for (int i = 0; i < t->moving_count; i++) count += (size_t)t->moving[i]->key_count;
  t->times = raw_alloc(t->raw, count, sizeof *t->times);
  if (!t->times) return false;
  size_t n = 0;
  t->times[n++] = t->start;
  t->times[n++] = end;
  for (int i = 0; i < t->moving_count; i++) {
    memcpy(t->times + n, t->moving[i]->times, (size_t)t->moving[i]->key_count * sizeof(double));
    n += (size_t)t->moving[i]->key_count;
  }
  qsort(t->times, n, sizeof *t->times, compare_times);
  for (size_t i = 0; i < n; i++)
    if (kept == 0 || t->times[i] - t->times[kept - 1] > same_time) t->times[kept++] = t->times[i];
  t->row_count = (int)kept;
  return true;
}

/* Normalised lerp runs ahead of and behind slerp by at most 0.0160 φ³ for quaternions φ apart (the first term of the
 * difference, t (1−t) (1−2t) φ³ / 6, at its largest); rotations turn by twice the quaternion's angle. */
static int rows_for_slerp(const raw_track *track, double from, double to) {
  double a[4], b[4];
  track_value(track, from, a);
  track_value(track, to, b);
  double angle = acos(fmin(fabs(dot4(a, b)), 1));
  return (int)ceil(angle / cbrt(rotation_tolerance / (2 * 0.0161)));
}

/* How far the curve is from the straight line between two moments, at the quarter points. */
static double line_error(const raw_track *track, double from, double to) {
  double a[4], b[4], is[4], worst = 0;
  int width = track_width(track->kind);
  track_value(track, from, a);
  track_value(track, to, b);
  double sign = track->kind == TRACK_ROTATION && dot4(a, b) < 0 ? -1 : 1;
  for (int step = 1; step <= 3; step++) {
    double t = 0.25 * step, line[4];
    track_value(track, from + t * (to - from), is);
    for (int k = 0; k < width; k++) line[k] = a[k] + t * (sign * b[k] - a[k]);
    if (track->kind == TRACK_ROTATION) normalize4(line);
    double flip = track->kind == TRACK_ROTATION && dot4(line, is) < 0 ? -1 : 1;
    for (int k = 0; k < width; k++) worst = fmax(worst, fabs(line[k] - flip * is[k]));
  }
  return worst;
}

static double track_range(const raw_track *track) {
  double low = HUGE_VAL, high = -HUGE_VAL, value[4];
  for (int i = 0; i < track->key_count; i++) {
    key_value(track, i, value);
    for (int k = 0; k < track_width(track->kind); k++) {
      low = fmin(low, value[k]);
      high = fmax(high, value[k]);
    }
  }
  return fmax(high - low, 1e-4);
}

static int rows_for_cubic(const raw_track *track, double from, double to) {
  double tolerance = track->kind == TRACK_ROTATION ? rotation_tolerance : value_tolerance * track_range(track);
  int rows = 1;
  for (; rows < MAX_ROWS_BETWEEN_KEYS; rows *= 2) {
    double worst = 0, step = (to - from) / rows;
    for (int i = 0; i < rows; i++) worst = fmax(worst, line_error(track, from + i * step, from + (i + 1) * step));
    if (worst <= tolerance) break;
  }
  return rows;
}

static int rows_between(const table *t, double from, double to) {
  int rows = 1;
  for (int i = 0; i < t->moving_count; i++) {
    const raw_track *track = t->moving[i];
    int wanted = 1;
    if (track->interpolation == RAW_CUBIC) wanted = rows_for_cubic(track, from, to);
    else if (track->interpolation == RAW_LINEAR && track->kind == TRACK_ROTATION)
      wanted = rows_for_slerp(track, from, to);
    if (wanted > rows) rows = wanted;
  }
  return rows < MAX_ROWS_BETWEEN_KEYS ? rows : MAX_ROWS_BETWEEN_KEYS;
}

static bool insert_rows(table *t) {
  int *wanted = raw_alloc(t->raw, (size_t)t->row_count, sizeof *wanted);
  if (!wanted) return false;
  size_t total = 1;
  for (int i = 0; i + 1 < t->row_count; i++) {
    wanted[i] = rows_between(t, t->times[i], t->times[i + 1]);
    total += (size_t)wanted[i];
  }
  if (total > MAX_ROW_FLOATS) return error_set(t->raw->error, "%s: a clip has too many keys", t->raw->path);
  double *times = raw_alloc(t->raw, total, sizeof *times);
  if (!times) return false;
  size_t n = 0;
  for (int i = 0; i + 1 < t->row_count; i++)
    for (int k = 0; k < wanted[i]; k++) times[n++] = t->times[i] + (t->times[i + 1] - t->times[i]) * k / wanted[i];
  times[n++] = t->times[t->row_count - 1];
  t->times = times;
  t->row_count = (int)n;
  return true;
}

/* ---- the description ---- */

static bool describe_tracks(table *t, clip_desc *desc) {
  clip_track *tracks = raw_alloc(t->raw, (size_t)t->moving_count, sizeof *tracks);
  if (!tracks) return false;
  for (int i = 0; i < t->moving_count; i++) {
    const raw_track *track = t->moving[i];
    tracks[i] = (clip_track){track->kind, track->node, track->target, track->interpolation == RAW_STEP, desc->row_size};
    desc->row_size += track_width(track->kind);
  }
  desc->tracks = tracks;
  desc->track_count = t->moving_count;
  return true;
}

static void align_to(const float *previous, double *q) {
  double before[4];
  read_values(previous, 4, before);
  if (dot4(before, q) >= 0) return;
  for (int k = 0; k < 4; k++) q[k] = -q[k];
}

static bool fill_rows(table *t, clip_desc *desc) {
  size_t row_size = (size_t)desc->row_size;
  if ((size_t)t->row_count * row_size > MAX_ROW_FLOATS)
    return error_set(t->raw->error, "%s: clip '%s' has %d rows of %d numbers, more than a clip may hold", t->raw->path,
                     t->clip->name, t->row_count, desc->row_size);
  float *rows = raw_alloc(t->raw, (size_t)t->row_count * row_size, sizeof *rows);
  float *times = raw_alloc(t->raw, (size_t)t->row_count, sizeof *times);
  if (!rows || !times) return false;
  for (int r = 0; r < t->row_count; r++) {
    times[r] = (float)(t->times[r] - t->start);
    for (int i = 0; i < t->moving_count; i++) {
      float *cell = rows + (size_t)r * row_size + desc->tracks[i].offset;
      double value[4];
      /* The row may stand a hair before the key that it was merged with: a step must have happened by then. */
      track_value(t->moving[i], t->times[r] + (desc->tracks[i].hold ? same_time : 0), value);
      if (r && desc->tracks[i].kind == TRACK_ROTATION) align_to(cell - row_size, value);
      for (int k = 0; k < track_width(desc->tracks[i].kind); k++) cell[k] = (float)value[k];
    }
  }
  desc->rows = rows;
  desc->times = times;
  desc->row_count = t->row_count;
  return true;
}

static void set_base(const raw_track *track, sinew_transform *base) {
  double v[4];
  key_value(track, 0, v);
  sinew_vec3 vector = {(float)v[0], (float)v[1], (float)v[2]};
  if (track->kind == TRACK_ROTATION) base->rotation = (sinew_quat){vector.x, vector.y, vector.z, (float)v[3]};
  else if (track->kind == TRACK_TRANSLATION) base->translation = vector;
  else base->scale = vector;
}

static bool fill_base(table *t, const model_desc *model, clip_desc *desc) {
  sinew_transform *base = raw_alloc(t->raw, (size_t)model->joint_count, sizeof *base);
  bool *carried = raw_alloc(t->raw, (size_t)model->joint_count, sizeof *carried);
  if (!base || !carried) return false;
  for (int i = 0; i < model->joint_count; i++) base[i] = model->joints[i].rest;
  for (int i = 0; i < t->clip->track_count; i++) {
    const raw_track *track = t->clip->tracks + i;
    if (track->kind == TRACK_MORPH) continue;
    carried[track->node] = true;
    set_base(track, base + track->node);
  }
  desc->base = base;
  desc->carried = carried;
  return true;
}

/* ---- morph weights that never move ---- */

static const raw_track *find_morph(const raw_clip *clip, int mesh, int target) {
  for (int i = 0; i < clip->track_count; i++) {
    const raw_track *track = clip->tracks + i;
    if (track->kind == TRACK_MORPH && track->node == mesh && track->target == target) return track;
  }
  return NULL;
}

/* A target without a curve keeps the weight that the file gives it at rest. */
static bool fill_morphs(table *t, clip_desc *desc) {
  size_t count = 0;
  for (int m = 0; m < t->raw->mesh_count; m++) count += (size_t)t->raw->meshes[m].morph_count;
  clip_track *tracks = raw_alloc(t->raw, count, sizeof *tracks);
  float *weights = raw_alloc(t->raw, count, sizeof *weights);
  if (!tracks || !weights) return false;
  int n = 0;
  for (int m = 0; m < t->raw->mesh_count; m++)
    for (int k = 0; k < t->raw->meshes[m].morph_count; k++) {
      const raw_track *track = find_morph(t->clip, m, k);
      if (track && is_moving(track)) continue;
      double value[4] = {(double)t->raw->meshes[m].morphs[k].weight}; /* key_value may write a rotation */
      if (track) key_value(track, 0, value);
      if (value[0] == 0) continue;
      tracks[n] = (clip_track){TRACK_MORPH, m, k, false, n};
      weights[n++] = (float)value[0];
    }
  desc->constant_morphs = tracks;
  desc->constant_weights = weights;
  desc->constant_morph_count = n;
  return true;
}

static bool build_clip(raw_model *raw, const raw_clip *clip, const model_desc *model, clip_desc *desc) {
  table t = {.raw = raw, .clip = clip};
  double end;
  find_span(&t, &end);
  *desc = (clip_desc){.name = clip->name, .start = t.start, .duration = end - t.start};
  return find_moving(&t) && gather_key_times(&t, end) && insert_rows(&t) && describe_tracks(&t, desc) &&
         fill_rows(&t, desc) && fill_base(&t, model, desc) && fill_morphs(&t, desc);
}

bool build_clips(raw_model *raw, model_desc *desc) {
  clip_desc *clips = raw_alloc(raw, (size_t)raw->clip_count, sizeof *clips);
  if (!clips) return false;
  for (int i = 0; i < raw->clip_count; i++)
    if (!build_clip(raw, raw->clips + i, desc, clips + i)) return false;
  desc->clips = clips;
  desc->clip_count = raw->clip_count;
  return true;
}
