#include "import/source/fbx/curves/fbx_sample.h"

#include "base/error.h"
#include "base/memory.h"
#include "import/raw/curve.h"

#include <math.h>
#include <string.h>

/* How often an interval between two moments is halved, at most. */
enum { MOST_HALVINGS = 9 };
/* Turns by more between two keys could come out at the same rotation. */
static const double most_degrees = 60;
/* A jump has two keys, one this many seconds before it and one half of that: clips keep times as floats, and at the
 * very moment the jump has happened. Clips take moments for one that are nearer than 1e-6. */
static const double least_jump = 4e-6, jump_of_time = 5e-7;
/* Of keys in one function: so many, and so many for each moment. */
enum { FREE_KEYS = 1 << 17, KEYS_A_MOMENT = 32 };

typedef struct point {
  double values[FBX_MOST_VALUES], angles[3];
} point;

typedef struct sampler {
  const fbx_function *f;
  int64_t origin; /* the span's beginning */
  double ticks;
  int width; /* of all parts */
  double *times, *values;
  size_t count, capacity, most;
  bool bends, jumps;
} sampler;

static int width_of(const sampler *s) {
  int width = 0;
  for (int i = 0; i < s->f->part_count; i++) width += clip_kind_width(s->f->parts[i].kind);
  return width;
}

static point value_at(const sampler *s, int64_t time, fbx_side side) {
  point p;
  s->f->value(s->f->user, time, side, p.values, p.angles);
  return p;
}

static bool add_key(sampler *s, double time, const double *values) {
  if (s->count == s->capacity) {
    size_t capacity = s->capacity ? 2 * s->capacity : 64, width = (size_t)s->width;
    double *times = mem_resize(s->times, capacity * sizeof *times);
    if (times) s->times = times;
    double *all = times ? mem_resize(s->values, capacity * width * sizeof *all) : NULL;
    if (!all) return false;
    s->values = all;
    s->capacity = capacity;
  }
  s->times[s->count] = time;
  memcpy(s->values + s->count++ * (size_t)s->width, values, (size_t)s->width * sizeof *values);
  return true;
}

static double jump_at(double time) { return fmax(least_jump, jump_of_time * time); }

static double seconds(const sampler *s, int64_t time) { return (double)(time - s->origin) / s->ticks; }

/* ---- how far the function is from a straight line ---- */

static double rotation_error(const double *a, const double *b, const double *is, double t) {
  double line[4];
  fbx_quat_slerp(a, b, t, line);
  double cosine = fmin(fabs(curve_dot4(line, is)), 1);
  return 2 * acos(cosine);
}

static double part_error(track_kind kind, const double *a, const double *b, const double *is, double t) {
  if (kind == TRACK_ROTATION) return rotation_error(a, b, is, t);
  double worst = 0;
  for (int k = 0; k < clip_kind_width(kind); k++) {
    double error = fabs(a[k] + t * (b[k] - a[k]) - is[k]), size = fmax(fabs(is[k]), 1e-9);
    worst = fmax(worst, kind == TRACK_SCALE ? error / size : error);
  }
  return worst;
}

static bool is_off(const sampler *s, const point *a, const point *b, const point *is, double t) {
  for (int i = 0, at = 0; i < s->f->part_count; at += clip_kind_width(s->f->parts[i++].kind))
    if (part_error(s->f->parts[i].kind, a->values + at, b->values + at, is->values + at, t) > s->f->parts[i].tolerance)
      return true;
  return false;
}

static bool turns_far(const point *a, const point *b) {
  for (int k = 0; k < 3; k++)
    if (fabs(a->angles[k] - b->angles[k]) > most_degrees) return true;
  return false;
}

/* The quarter points tell: what curves are, cubic pieces, cannot meet a line at all three and stray between them. */
static bool divide(sampler *s, int64_t from, const point *a, int64_t to, const point *b, const point *middle,
                   int depth) {
  int64_t half = from + (to - from) / 2, quarter = from + (half - from) / 2, last = half + (to - half) / 2;
  if (depth == MOST_HALVINGS || to - from < 8 || s->count >= s->most) return true;
  double length = (double)(to - from);
  point left = value_at(s, quarter, FBX_AT), right = value_at(s, last, FBX_AT);
  if (!turns_far(a, b) && !is_off(s, a, b, middle, (double)(half - from) / length) &&
      !is_off(s, a, b, &left, (double)(quarter - from) / length) &&
      !is_off(s, a, b, &right, (double)(last - from) / length))
    return true;
  s->bends = true;
  return divide(s, from, a, half, middle, &left, depth + 1) && add_key(s, seconds(s, half), middle->values) &&
         divide(s, half, middle, to, b, &right, depth + 1);
}

static bool is_same(const sampler *s, const double *a, const double *b) {
  for (int k = 0; k < s->width; k++)
    if (fabs(a[k] - b[k]) > 1e-9 * fmax(1, fabs(a[k]))) return false;
  return true;
}

/* From one moment to the next, the next one's key included. */
static bool sample_interval(sampler *s, int64_t from, const point *a, int64_t to, point *next) {
  point end = value_at(s, to, FBX_BEFORE);
  *next = value_at(s, to, FBX_AT);
  if (!s->f->straight || turns_far(a, &end)) {
    point middle = value_at(s, from + (to - from) / 2, FBX_AT);
    if (!divide(s, from, a, to, &end, &middle, 0)) return false;
  }
  s->bends |= !is_same(s, a->values, end.values);
  double time = seconds(s, to), jump = jump_at(time);
  if (is_same(s, end.values, next->values)) return add_key(s, time, next->values);
  s->jumps = true;
  return add_key(s, time - jump, end.values) && add_key(s, time - jump / 2, next->values);
}

static bool sample_all(sampler *s, const int64_t *moments, size_t count) {
  point p = value_at(s, moments[0], FBX_AT);
  if (!add_key(s, 0, p.values)) return false;
  for (size_t i = 0; i + 1 < count; i++) {
    point next;
    if (!sample_interval(s, moments[i], &p, moments[i + 1], &next)) return false;
    p = next;
  }
  return true;
}

/* ---- tracks ---- */

static bool is_part_moving(const sampler *s, int at, int width) {
  for (size_t i = 1; i < s->count; i++)
    for (int k = at; k < at + width; k++)
      if (s->values[i * (size_t)s->width + (size_t)k] != s->values[k]) return true;
  return false;
}

/* Steps need one key for each value; what stands still the first and the last. */
static bool is_key_needed(const sampler *s, size_t key, bool moves, bool steps) {
  bool end = key == 0 || key + 1 == s->count;
  if (!moves) return end;
  return !steps || end || s->times[key + 1] - s->times[key] > 0.75 * jump_at(s->times[key]);
}

static bool make_track(fbx_scene *scene, raw_clip *clip, const sampler *s, const fbx_part *part, int at) {
  raw_model *raw = scene->raw;
  int width = clip_kind_width(part->kind);
  bool moves = is_part_moving(s, at, width), steps = s->jumps && !s->bends;
  raw_track *track =
      raw_grow(raw, (void **)&clip->tracks, &clip->track_count, &clip->track_capacity, sizeof *clip->tracks);
  if (!track) return false;
  *track = (raw_track){.kind = part->kind, .node = part->node, .target = part->target};
  track->interpolation = moves && steps ? RAW_STEP : RAW_LINEAR;
  size_t count = 0;
  for (size_t i = 0; i < s->count; i++) count += is_key_needed(s, i, moves, steps);
  track->times = raw_alloc(raw, count, sizeof *track->times);
  track->values = raw_alloc(raw, count * (size_t)width, sizeof *track->values);
  if (!track->times || !track->values) return false;
  for (size_t i = 0; i < s->count; i++) {
    if (!is_key_needed(s, i, moves, steps)) continue;
    track->times[track->key_count] = s->times[i];
    for (int k = 0; k < width; k++)
      track->values[track->key_count * width + k] = (float)s->values[i * (size_t)s->width + (size_t)(at + k)];
    track->key_count++;
  }
  return true;
}

bool fbx_sample(fbx_scene *scene, raw_clip *clip, const fbx_function *f, const int64_t *moments, size_t count) {
  sampler s = {.f = f, .origin = moments[0], .ticks = scene->ticks};
  s.width = width_of(&s);
  s.most = FREE_KEYS + KEYS_A_MOMENT * count;
  bool made = sample_all(&s, moments, count);
  if (!made) error_memory(scene->raw->error, scene->raw->path, s.capacity * (size_t)s.width * sizeof *s.values);
  for (int i = 0, at = 0; made && i < f->part_count; at += clip_kind_width(f->parts[i++].kind))
    made = make_track(scene, clip, &s, f->parts + i, at);
  mem_free(s.times);
  mem_free(s.values);
  return made;
}
