#include "import/source/fbx/curves/fbx_sample.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "import/raw/curve.h"

#include <math.h>
#include <string.h>

/* Turns by more between two keys could come out at the same rotation. */
static const double most_degrees = 60;
/* A jump has two keys, one this many seconds before it and one half of that: clips keep times as floats, and at the
 * very moment the jump has happened. Clips take moments for one that are nearer than 1e-6. */
static const double least_jump = 4e-6, jump_of_time = 5e-7;
/* Seconds: what does not fit in less turns in no time. */
static const double least_step = 2e-4;
/* The error of a line goes with the square of its length: what it is aimed at, and how much the length may change. */
static const double aim = 0.9, least_change = 0.2, most_shorter = 0.8, most_longer = 2;
/* A key of the file is taken where it is nearly as far as a line could reach. */
static const double near_enough = 0.7;
/* A line that is off by so many tolerances is not looked at any further. */
static const double give_up = 4;
/* Quaternions with a larger cosine between them have an arc between them that is as good as a line. */
static const double straight_cosine = 0.999;
/* What turns and is off by less in a part of an interval of keys is not looked at in the next one. */
static const double unseen = 0.1;
/* What a few bytes may ask for ends here. */
enum { FREE_ROWS = 1 << 12, ROWS_A_MARK = 32 };
/* Rows come in chunks, so that growing copies nothing and leaves little room empty. */
enum { ROWS_A_CHUNK = 128 };

typedef struct sampler {
  const fbx_sampling *sampling;
  const fbx_function *functions;
  int count, width;      /* of all functions' values; their angles follow in a frame */
  bool alone;            /* rows at corners, and nowhere else */
  double *a, *b, *probe; /* frames at both ends of a line, and between them */
  double *bend;          /* of each function in this interval of keys: its error by the square of a line's length */
  int next, corner;      /* the first mark behind a line's beginning; the first that is not smooth */
  size_t row_count, most_rows;
  double **chunks; /* the times of ROWS_A_CHUNK rows, then as many rows of `width` floats */
  size_t chunk_count, chunk_capacity;
} sampler;

static int width_of(const fbx_function *f) {
  int width = 0;
  for (int i = 0; i < f->part_count; i++) width += clip_kind_width(f->parts[i].kind);
  return width;
}

static void evaluate(const sampler *s, int64_t time, fbx_side side, double *frame) {
  double *angles = frame + s->width;
  for (int i = 0; i < s->count; i++, angles += 3) {
    s->functions[i].value(s->functions[i].user, time, side, frame, angles);
    frame += width_of(s->functions + i);
  }
}

/* ---- rows ---- */

static double seconds(const sampler *s, int64_t time) {
  return (double)(time - s->sampling->marks->first) / s->sampling->scene->ticks;
}

static double jump_at(double time) { return fmax(least_jump, jump_of_time * time); }

static double *time_of(const sampler *s, size_t row) { return s->chunks[row / ROWS_A_CHUNK] + row % ROWS_A_CHUNK; }

static float *row_of(const sampler *s, size_t row) {
  float *rows = (float *)(s->chunks[row / ROWS_A_CHUNK] + ROWS_A_CHUNK);
  return rows + row % ROWS_A_CHUNK * (size_t)s->width;
}

static bool add_chunk(sampler *s) {
  if (s->chunk_count == s->chunk_capacity) {
    size_t capacity = s->chunk_capacity ? 2 * s->chunk_capacity : 8;
    double **chunks = mem_resize(s->chunks, capacity * sizeof *chunks);
    if (!chunks) return false;
    s->chunks = chunks;
    s->chunk_capacity = capacity;
  }
  double *chunk = mem_alloc_array(ROWS_A_CHUNK, sizeof *chunk + (size_t)s->width * sizeof(float));
  if (chunk) s->chunks[s->chunk_count++] = chunk;
  return chunk != NULL;
}

static void free_chunks(sampler *s) {
  for (size_t i = 0; i < s->chunk_count; i++) mem_free(s->chunks[i]);
  mem_free(s->chunks);
}

static bool add_row(sampler *s, double time, const double *frame) {
  if (s->row_count == s->chunk_count * ROWS_A_CHUNK && !add_chunk(s)) return false;
  float *row = row_of(s, s->row_count);
  for (int i = 0; i < s->width; i++) row[i] = (float)frame[i];
  *time_of(s, s->row_count++) = time;
  return true;
}

/* ---- how far the functions are from a straight line ---- */

static double rotation_error(const double *a, const double *b, const double *is, double t) {
  double line[4], cosine = curve_dot4(a, b), sign = cosine < 0 ? -1 : 1;
  if (fabs(cosine) < straight_cosine) {
    fbx_quat_slerp(a, b, t, line);
  } else {
    for (int k = 0; k < 4; k++) line[k] = (1 - t) * a[k] + sign * t * b[k];
    curve_normalize4(line);
  }
  double off = fmax(1 - fabs(curve_dot4(line, is)), 0); /* 1 − cos of half the angle: small where it matters */
  return 2 * sqrt(2 * off);
}

/* As a part of what is tolerated. */
static double part_error(const fbx_part *part, const double *a, const double *b, const double *is, double t) {
  if (part->kind == TRACK_ROTATION) return rotation_error(a, b, is, t) / part->tolerance;
  double worst = 0;
  for (int k = 0; k < clip_kind_width(part->kind); k++) {
    double error = fabs(a[k] + t * (b[k] - a[k]) - is[k]), size = fmax(fabs(is[k]), 1e-9);
    worst = fmax(worst, part->kind == TRACK_SCALE ? error / size : error);
  }
  return worst / part->tolerance;
}

/* Of the function whose numbers begin at `at` of a frame; `t`: the part of the line. */
static double function_error(const sampler *s, const fbx_function *f, int at, int64_t time, double t) {
  double worst = 0, angles[3];
  f->value(f->user, time, FBX_AT, s->probe + at, angles);
  for (int k = 0; k < f->part_count; at += clip_kind_width(f->parts[k++].kind))
    worst = fmax(worst, part_error(f->parts + k, s->a + at, s->b + at, s->probe + at, t));
  return worst;
}

static double error_at(const sampler *s, int64_t from, int64_t to, int64_t time) {
  double worst = 0, t = (double)(time - from) / (double)(to - from);
  for (int i = 0, at = 0; i < s->count; at += width_of(s->functions + i++))
    worst = fmax(worst, function_error(s, s->functions + i, at, time, t));
  return worst;
}

/* Between keys the thirds tell: cubic pieces that meet a line there and at both ends are that line. Behind the first
 * line of the interval one third is enough: where a curve that turns the other way meets the line there, its pieces are
 * so short that the other third is within the tolerance, because no line is more than twice as long as the one before.
 * Angles that change evenly bend a rotation nearly as much before the middle as behind it, and as much in all parts of
 * the interval: what hardly bends is not looked at again. */
static double error_between(const sampler *s, int64_t from, int64_t to) {
  double worst = 0, length = (double)(to - from), square = length * length;
  for (int i = 0, at = 0; i < s->count; at += width_of(s->functions + i++)) {
    const fbx_function *f = s->functions + i;
    if (f->course == FBX_TURNS && s->bend[i] * square < unseen) continue;
    double error = function_error(s, f, at, from + (to - from) / 3, 1.0 / 3);
    if (f->course == FBX_BENDS && s->bend[i] == HUGE_VAL)
      error = fmax(error, function_error(s, f, at, to - (to - from) / 3, 2.0 / 3));
    s->bend[i] = error / square;
    worst = fmax(worst, error);
  }
  return worst;
}

static void forget_bends(const sampler *s) {
  for (int i = 0; i < s->count; i++) s->bend[i] = HUGE_VAL;
}

static double widest_turn(const sampler *s) {
  double widest = 0;
  for (int i = s->width; i < s->width + 3 * s->count; i++) widest = fmax(widest, fabs(s->b[i] - s->a[i]));
  return widest;
}

/* Where keys are left out they are looked at, and the middles between them. */
static double line_error(const sampler *s, int64_t from, int64_t to) {
  const fbx_mark *mark = s->sampling->marks->items + s->next;
  double turn = widest_turn(s) / most_degrees, worst = 0;
  if (turn > 1) return turn * turn;
  if (mark->time >= to) return error_between(s, from, to);
  for (int64_t before = from; before < to && worst <= give_up; mark++) {
    int64_t end = mark->time < to ? mark->time : to;
    worst = fmax(worst, error_at(s, from, to, before + (end - before) / 2));
    if (end < to) worst = fmax(worst, error_at(s, from, to, end));
    before = end;
  }
  return worst;
}

/* ---- where rows are placed ---- */

static void pass_marks(sampler *s, int64_t time) {
  const fbx_marks *marks = s->sampling->marks;
  int before = s->next;
  while (s->next < marks->count && marks->items[s->next].time <= time) s->next++;
  if (s->next > before) forget_bends(s);
  if (s->corner < s->next) s->corner = s->next;
  while (s->corner < marks->count && marks->items[s->corner].corner == FBX_SMOOTH) s->corner++;
}

/* The last corner within reach, but none behind a jump; else a key that is nearly as far; else what makes equal parts
 * of the way to the next corner. */
static int64_t place_next(const sampler *s, int64_t from, double reach) {
  const fbx_mark *marks = s->sampling->marks->items, *end = marks + s->sampling->marks->count;
  int64_t corner = marks[s->corner].time, key = from, limit = from + (int64_t)reach;
  if (s->alone) return corner;
  if (corner <= limit) {
    for (const fbx_mark *m = marks + s->corner; m < end && m->time <= limit; m++) {
      if (m->corner != FBX_SMOOTH) corner = m->time;
      if (m->corner == FBX_JUMP) break;
    }
    return corner;
  }
  for (const fbx_mark *m = marks + s->next; m->time <= limit; m++) key = m->time;
  if ((double)(key - from) >= near_enough * reach) return key;
  double parts = ceil((double)(corner - from) / fmax(reach, 1));
  return from + (int64_t)((double)(corner - from) / parts);
}

/* ---- lines ---- */

static bool is_same(const sampler *s) {
  for (int k = 0; k < s->width; k++)
    if (fabs(s->a[k] - s->b[k]) > 1e-9 * fmax(1, fabs(s->a[k]))) return false;
  return true;
}

/* The row at a line's end, which becomes the next one's beginning. */
static bool end_line(sampler *s, int64_t to) {
  double time = seconds(s, to), jump = jump_at(time), *swapped = s->a;
  s->a = s->b;
  s->b = swapped;
  pass_marks(s, to);
  const fbx_mark *mark = s->sampling->marks->items + s->next - 1;
  if (mark->time < to || mark->corner != FBX_JUMP) return add_row(s, time, s->a);
  evaluate(s, to, FBX_AT, s->b);
  if (is_same(s)) return add_row(s, time, s->a);
  if (!add_row(s, time - jump, s->a) || !add_row(s, time - jump / 2, s->b)) return false;
  s->b = s->a;
  s->a = swapped;
  return true;
}

static double change(double error, double least, double most) {
  return fmin(fmax(aim / sqrt(fmax(error, 1e-9)), least), most);
}

static bool sample_lines(sampler *s) {
  const fbx_marks *marks = s->sampling->marks;
  int64_t from = marks->first, least = 8 + (int64_t)(least_step * s->sampling->scene->ticks);
  evaluate(s, from, FBX_AT, s->a);
  pass_marks(s, from);
  if (!add_row(s, 0, s->a)) return false;
  double reach = (double)(marks->items[s->next].time - from);
  while (from < marks->last) {
    int64_t to = place_next(s, from, reach);
    evaluate(s, to, FBX_BEFORE, s->b);
    double error = s->alone ? 0 : line_error(s, from, to), length = (double)(to - from);
    bool full = s->row_count >= s->most_rows, again = error > 1 && to - from > least && !full;
    if (again) reach = length * change(error, least_change, most_shorter);
    else reach = full ? most_longer * length : fmax(length * change(error, aim, most_longer), (double)least);
    if (again) continue;
    if (!end_line(s, to)) return false;
    from = to;
  }
  return true;
}

/* ---- tracks ---- */

static bool is_part_moving(const sampler *s, int at, int width) {
  const float *first = row_of(s, 0) + at;
  for (size_t i = 1; i < s->row_count; i++) {
    const float *row = row_of(s, i) + at;
    for (int k = 0; k < width; k++)
      if (row[k] != first[k]) return true;
  }
  return false;
}

static bool is_row_repeated(const sampler *s, size_t row) {
  return memcmp(row_of(s, row - 1), row_of(s, row), (size_t)s->width * sizeof(float)) == 0;
}

/* Steps need one key for each value, what stands still the first and the last. */
static bool is_key_needed(const sampler *s, size_t row, bool moves, bool steps) {
  bool end = row == 0 || row + 1 == s->row_count;
  if (end || !moves) return end;
  double time = *time_of(s, row), next = *time_of(s, row + 1);
  return !steps || (next - time > 0.75 * jump_at(time) && !is_row_repeated(s, row));
}

static raw_track *add_track(const sampler *s, const fbx_part *part, size_t keys) {
  raw_model *raw = s->sampling->scene->raw;
  raw_clip *clip = s->sampling->clip;
  raw_track *track =
      raw_grow(raw, (void **)&clip->tracks, &clip->track_count, &clip->track_capacity, sizeof *clip->tracks);
  if (!track) return NULL;
  *track = (raw_track){.kind = part->kind, .node = part->node, .target = part->target};
  track->times = raw_alloc(raw, keys, sizeof *track->times);
  track->values = raw_alloc(raw, keys * (size_t)clip_kind_width(part->kind), sizeof *track->values);
  return track->times && track->values ? track : NULL;
}

static bool make_track(const sampler *s, const fbx_part *part, fbx_course course, int at) {
  int width = clip_kind_width(part->kind);
  bool moves = is_part_moving(s, at, width), steps = course == FBX_STEPS;
  size_t count = 0;
  for (size_t i = 0; i < s->row_count; i++) count += is_key_needed(s, i, moves, steps);
  raw_track *track = add_track(s, part, count);
  if (!track) return false;
  track->interpolation = moves && steps ? RAW_STEP : RAW_LINEAR;
  for (size_t i = 0; i < s->row_count; i++) {
    if (!is_key_needed(s, i, moves, steps)) continue;
    track->times[track->key_count] = *time_of(s, i);
    memcpy(track->values + track->key_count * width, row_of(s, i) + at, (size_t)width * sizeof *track->values);
    track->key_count++;
  }
  return true;
}

static bool make_tracks(const sampler *s) {
  for (int i = 0, at = 0; i < s->count; i++)
    for (int k = 0; k < s->functions[i].part_count; k++) {
      const fbx_part *part = s->functions[i].parts + k;
      if (!make_track(s, part, s->functions[i].course, at)) return false;
      at += clip_kind_width(part->kind);
    }
  return true;
}

/* ---- all ---- */

static bool sample(const fbx_sampling *sampling, const fbx_function *functions, int count, bool alone, bool still) {
  sampler s = {.sampling = sampling, .functions = functions, .count = count, .alone = alone};
  raw_model *raw = sampling->scene->raw;
  for (int i = 0; i < count; i++) s.width += width_of(functions + i);
  size_t frame = (size_t)(s.width + 3 * count);
  double *frames = mem_alloc_array(3 * frame + (size_t)count, sizeof *frames);
  bool made = frames != NULL;
  if (made) s.a = frames, s.b = frames + frame, s.probe = frames + 2 * frame, s.bend = frames + 3 * frame;
  s.most_rows = ROWS_A_MARK * (size_t)sampling->marks->count + FREE_ROWS;
  if (made && still) {
    evaluate(&s, sampling->marks->first, FBX_AT, s.a);
    made = add_row(&s, 0, s.a) && add_row(&s, seconds(&s, sampling->marks->last), s.a);
  } else if (made) {
    made = sample_lines(&s);
  }
  if (!made) error_memory(raw->error, raw->path, s.row_count * (size_t)s.width * sizeof(float));
  made = made && make_tracks(&s);
  mem_free(frames);
  free_chunks(&s);
  return made;
}

bool fbx_sample_together(const fbx_sampling *sampling, const fbx_function *functions, int count) {
  return count == 0 || sample(sampling, functions, count, false, false);
}

bool fbx_sample_alone(const fbx_sampling *sampling, const fbx_function *function) {
  return sample(sampling, function, 1, true, false);
}

bool fbx_sample_still(const fbx_sampling *sampling, const fbx_function *function) {
  return sample(sampling, function, 1, true, true);
}
