#include "import/source/fbx/curves/fbx_clips.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "import/raw/curve.h"
#include "import/source/fbx/curves/fbx_frames.h"
#include "model/clip/clip.h"

#include <math.h>
#include <string.h>

/* A larger rotation between two keys could alias; clips do not allow a larger step either. */
static const double most_degrees = 50, degrees_of_radian = 57.29577951308232;
/* Seconds. A jump has a key this long before it, and one half as long: clips store times as floats, and at the moment
 * itself the jump has happened. Clips merge moments closer than 1e-6. A rotation that jumps has keys between the two,
 * because quaternions of neighbouring frames may be at most so many radians apart. */
static const double least_jump = 1e-5, jump_of_time = 1.25e-6, most_of_turn = 0.45;
/* Seconds: a change that needs shorter steps is a jump. */
static const double least_step = 2e-4;
/* The error of a line grows with the square of its length: the target, and the limits for changes of the length. */
static const double aim = 0.9, least_change = 0.2, most_shorter = 0.8, most_longer = 2;
/* A key of the file is used if it is at this fraction of a line's reach or further. */
static const double near_enough = 0.7;
/* A line with an error of this many tolerances is not examined further. */
static const double give_up = 4;
/* Between quaternions with a larger cosine, the arc is practically a line. */
static const double straight_cosine = 0.999;
/* If a rotation is off by less than this in one part of a key interval, the next part is not examined. */
static const double unseen = 0.1;
/* The most frames for a file, since a few bytes may ask for any number. If more are needed, the tolerance is relaxed:
 * at most so many times, each time reducing the frames at least by a root of this. */
enum { FREE_ROWS = 1 << 12, ROWS_A_MARK = 32, MOST_TRIES = 4 };
static const double least_looser = 2, some_more = 1.1;

/* Where a line begins. */
typedef struct beginning {
  int64_t time, taken; /* its time, and the time of its frame: float_time */
  int next, corner;    /* the first mark after it; the first mark that is not smooth */
  double *frame;       /* the functions' values there */
  double *bent;        /* the bend of the line that ends there: the curve's value in its middle, relative to there */
  double *own;         /* the distance of the frame from the curve */
  bool is_shifted;     /* the line that ends there is within the tolerance only if the frame is shifted, too */
  bool needs_shift;    /* the line that ends there is near enough only if the frame is shifted, too */
} beginning;

typedef struct sampler {
  const fbx_sampling *sampling;
  const fbx_function *functions;
  int count, width;         /* of all functions' values; their angles follow in a frame */
  int *first;               /* the offset of each function's values */
  bool alone;               /* frames only at corners */
  double *block;            /* the memory of the arrays below */
  beginning at, before;     /* of this line, and of the previous one */
  double *end, *probe;      /* frames at a line's end, and in between */
  double *bent, *bent_late; /* the bend of the line, measured at one third, and at the other */
  double *shift;            /* of the frame at its beginning */
  double *bend;             /* for each function in this key interval: its error per square of a line's length */
  bool careful;             /* the frame at the line's end may not be shifted */
  fbx_frames frames;
  size_t most_rows;
  bool last_try; /* if there are too many frames, the clip ends with those it has */
} sampler;

static int width_of(const fbx_function *f) {
  int width = 0;
  for (int i = 0; i < f->part_count; i++) width += clip_kind_width(f->parts[i].kind);
  return width;
}

static void evaluate(const sampler *s, int64_t time, fbx_side side, double *frame) {
  for (int i = 0; i < s->count; i++)
    s->functions[i].value(s->functions[i].user, time, side, frame + s->first[i], frame + s->width + 3 * i);
}

/* ---- frames ---- */

static double seconds(const sampler *s, int64_t time) {
  return (double)(time - s->sampling->marks->first) / s->sampling->scene->ticks;
}

static double jump_at(double time) {
  double of_time = jump_of_time * time;
  return of_time > least_jump ? of_time : least_jump;
}

/* A curve lies on one side of the line between two of its points. So frames are shifted to that side, by half the error
 * in the line's middle: then the error is equal on both sides, and the line may be longer by the root of two. A frame
 * between two lines is shifted by the lesser of what they need, and not at all if they need different sides. */

static inline double larger(double x, double y) { return x > y ? x : y; } /* fmax is a call */
static inline double dot4(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/* The lesser of two numbers with the same sign, else 0. */
static inline double lesser(double x, double y) {
  double least = fabs(x) < fabs(y) ? x : y;
  return x * y > 0 ? least : 0;
}

/* For a parabola, the ratio of the error at the fraction t of a line to that in the middle. */
static double part_of_middle(double t) { return larger(4 * t * (1 - t), 1e-9); }

/* The curve's value in the middle of a line, relative to there; `probe` has its value at the fraction t. Writes four
 * numbers; those of the next part follow. */
static void find_bent(const sampler *s, track_kind kind, int at, double t, double *bent) {
  const double *a = s->at.frame + at, *b = s->end + at, *is = s->probe + at;
  double line[4], to_middle = 1 / part_of_middle(t), side = to_middle;
  double four[4];
  for (int k = 0; k < 4; k++) line[k] = a[k] + t * (b[k] - a[k]);
  if (kind != TRACK_ROTATION) {
    for (int k = 0; k < 4; k++) four[k] = to_middle * (is[k] - line[k]);
    memcpy(bent + at, four, sizeof four);
    return;
  }
  if (dot4(a, b) < straight_cosine) fbx_quat_slerp(a, b, t, line);
  else to_middle /= sqrt(dot4(line, line));
  if (dot4(line, is) < 0) side = -side;
  for (int k = 0; k < 4; k++) four[k] = side * is[k] - to_middle * line[k];
  memcpy(bent + at, four, sizeof four);
}

/* Measures an error at one moment, as a fraction of the tolerance. */
static inline double measure(const fbx_part *part, const double *off, const double *is) {
  double worst = 0;
  switch (part->kind) {
  case TRACK_ROTATION: return 2 * sqrt(dot4(off, off)) * part->per_tolerance;
  case TRACK_MORPH: return fabs(off[0]) * part->per_tolerance;
  case TRACK_TRANSLATION: return larger(fabs(off[0]), larger(fabs(off[1]), fabs(off[2]))) * part->per_tolerance;
  case TRACK_SCALE: break;
  }
  for (int k = 0; k < 3; k++) worst = larger(worst, fabs(off[k]) / larger(fabs(is[k]), 1e-9));
  return worst * part->per_tolerance;
}

/* In the middle of a line with shifted ends, where the error is nearly the largest. */
static const double not_the_middle = 1.02;

/* For the numbers of a function from `at` on: the error given `bent`, which the frame at the end leaves, and the other
 * frame's shift. */
static double shifted_error(const sampler *s, const fbx_function *f, int at, const double *bent, double left) {
  double worst = 0, off[4];
  for (int i = 0; i < f->part_count; at += clip_kind_width(f->parts[i++].kind)) {
    for (int k = 0; k < 4; k++)
      off[k] = left * bent[at + k] - 0.5 * s->shift[at + k]; /* the array has room past the last number */
    worst = larger(worst, measure(f->parts + i, off, s->probe + at));
  }
  return not_the_middle * worst;
}

/* The error in the middle of a line between the function's points; s->bent gets the part that is due to curvature. */
static double bend_of(const sampler *s, const fbx_function *f, int at, int64_t time, double t, double *bent) {
  double worst = 0, angles[3];
  f->value(f->user, time, FBX_AT, s->probe + at, angles);
  for (int i = 0; i < f->part_count; at += clip_kind_width(f->parts[i++].kind)) {
    find_bent(s, f->parts[i].kind, at, t, bent);
    worst = larger(worst, measure(f->parts + i, bent + at, s->probe + at));
  }
  return worst;
}

/* Between two samples the shorter arc is as good as the curve. */
static bool is_between_samples(const fbx_function *f, int64_t from, int64_t to) { return to - from <= f->sample_step; }

static double error_at(const sampler *s, int64_t from, int64_t to, int64_t time) {
  double worst = 0, t = (double)(time - from) / (double)(to - from);
  for (int i = 0; i < s->count; i++)
    worst = larger(worst, bend_of(s, s->functions + i, s->first[i], time, t, s->bent_late));
  return worst * part_of_middle(t);
}

static void choose_shift(const sampler *s, int from, int count) {
  const beginning *at = &s->at;
  if (at->is_shifted) memcpy(s->shift + from, at->own + from, (size_t)count * sizeof *s->shift);
  else
    for (int k = from; k < from + count; k++) s->shift[k] = 0.5 * lesser(s->bent[k], at->bent[k]);
}

/* Between keys, the thirds decide: cubic segments that agree with a line there and at both ends are that line. After
 * the first line of the interval, one third is enough: where a curve that turns the other way agrees with the line, its
 * segments are so short that the other third is within the tolerance, because no line is more than twice as long as the
 * one before. Angles that change evenly bend a rotation nearly as much before the middle as after it, and equally in
 * all parts of the interval, so a rotation that hardly bends is not examined again. */
static double error_between(const sampler *s, int64_t from, int64_t to, bool held) {
  double worst = 0, length = (double)(to - from), square = length * length, left = held ? 1 : 0.75;
  for (int i = 0; i < s->count; i++) {
    const fbx_function *f = s->functions + i;
    int at = s->first[i], width = (i + 1 < s->count ? s->first[i + 1] : s->width) - at;
    if (is_between_samples(f, from, to) || (f->course == FBX_TURNS && s->bend[i] * square < unseen)) {
      memset(s->bent + at, 0, (size_t)width * sizeof *s->bent);
      choose_shift(s, at, width);
      continue;
    }
    bool both = f->course == FBX_BENDS && s->bend[i] == HUGE_VAL;
    double bend = bend_of(s, f, at, from + (to - from) / 3, 1.0 / 3, s->bent);
    if (both) bend = larger(bend, bend_of(s, f, at, to - (to - from) / 3, 2.0 / 3, s->bent_late));
    s->bend[i] = bend / square;
    choose_shift(s, at, width);
    worst = larger(worst, shifted_error(s, f, at, s->bent, left));
    if (!both) continue;
    worst = larger(worst, shifted_error(s, f, at, s->bent_late, left));
    for (int k = at; k < at + width; k++) s->bent[k] = lesser(s->bent[k], s->bent_late[k]);
  }
  return worst;
}

/* Whether the previous line is within the tolerance if the frame between the lines is shifted as both need. */
static bool is_line_before_near(const sampler *s) {
  double worst = 0, off[4];
  for (int i = 0, at = 0; i < s->count; i++)
    for (int k = 0; k < s->functions[i].part_count; k++) {
      const fbx_part *part = s->functions[i].parts + k;
      for (int c = 0; c < 4; c++) off[c] = s->at.bent[at + c] - 0.5 * (s->before.own[at + c] + s->shift[at + c]);
      worst = larger(worst, measure(part, off, s->at.frame + at));
      at += clip_kind_width(part->kind);
    }
  return not_the_middle * worst <= 1;
}

static void forget_bends(const sampler *s) {
  for (int i = 0; i < s->count; i++) s->bend[i] = HUGE_VAL;
}

/* The angle of the shorter arc, in degrees. */
static double arc_of(const sampler *s, const fbx_function *f, int at) {
  double widest = 0;
  for (int i = 0; i < f->part_count; at += clip_kind_width(f->parts[i++].kind)) {
    if (f->parts[i].kind != TRACK_ROTATION) continue;
    double cosine = fmin(fabs(dot4(s->at.frame + at, s->end + at)), 1);
    widest = larger(widest, 2 * degrees_of_radian * sinew_acos(cosine));
  }
  return widest;
}

/* In degrees: by the angles, which may go round while the rotation does not, or between samples by the arc. */
static double widest_turn(const sampler *s, int64_t from, int64_t to) {
  double widest = 0;
  for (int i = 0; i < s->count; i++) {
    const fbx_function *f = s->functions + i;
    const double *a = s->at.frame + s->width + 3 * i, *b = s->end + s->width + 3 * i;
    if (is_between_samples(f, from, to)) widest = larger(widest, arc_of(s, f, s->first[i]));
    else
      for (int k = 0; k < 3; k++) widest = larger(widest, fabs(b[k] - a[k]));
  }
  return widest;
}

static void stay_on_curve(const sampler *s) {
  size_t size = (size_t)s->width * sizeof *s->bent;
  memset(s->bent, 0, size);
  if (s->at.is_shifted) memcpy(s->shift, s->at.own, size);
  else memset(s->shift, 0, size);
}

/* Examines the keys that are left out, and the middles between them. */
static double line_error(const sampler *s, int64_t from, int64_t to, int64_t taken, bool held) {
  const fbx_mark *mark = s->sampling->marks->items + s->at.next;
  double turn = widest_turn(s, from, to) / most_degrees, worst = 0;
  if (turn > 1) return turn * turn;
  if (mark->time >= to) return error_between(s, s->at.taken, taken, held);
  stay_on_curve(s);
  for (int64_t before = from; before < to && worst <= give_up; mark++) {
    int64_t end = mark->time < to ? mark->time : to;
    worst = larger(worst, error_at(s, s->at.taken, taken, before + (end - before) / 2));
    if (end < to) worst = larger(worst, error_at(s, s->at.taken, taken, end));
    before = end;
  }
  return worst;
}

/* ---- placing frames ---- */

static void pass_marks(sampler *s, int64_t time) {
  const fbx_marks *marks = s->sampling->marks;
  beginning *at = &s->at;
  int before = at->next;
  while (at->next < marks->count && marks->items[at->next].time <= time) at->next++;
  if (at->next > before) forget_bends(s);
  if (at->corner < at->next) at->corner = at->next;
  while (at->corner < marks->count && marks->items[at->corner].corner == FBX_SMOOTH) at->corner++;
}

/* The last corner within reach, but none past a jump; else a key that is nearly as far; else an equal division of the
 * time to the next corner. */
static int64_t place_next(const sampler *s, int64_t from, double reach) {
  const fbx_mark *marks = s->sampling->marks->items, *end = marks + s->sampling->marks->count;
  int64_t corner = marks[s->at.corner].time, key = from, limit = from + (int64_t)reach;
  if (s->alone) return corner;
  if (corner <= limit) {
    for (const fbx_mark *m = marks + s->at.corner; m < end && m->time <= limit; m++) {
      if (m->corner != FBX_SMOOTH) corner = m->time;
      if (m->corner == FBX_JUMP) break;
    }
    return corner;
  }
  for (const fbx_mark *m = marks + s->at.next; m->time <= limit; m++) key = m->time;
  if ((double)(key - from) >= near_enough * reach) return key;
  double parts = ceil((double)(corner - from) / fmax(reach, 1));
  return from + (int64_t)((double)(corner - from) / parts);
}

/* Whether a frame there must be on the curve: at jumps and at the end. */
static bool is_held(const sampler *s, int64_t to) {
  const fbx_marks *marks = s->sampling->marks;
  const fbx_mark *mark = marks->items + s->at.next;
  while (mark->time < to) mark++;
  return to == marks->last || (mark->time == to && mark->corner == FBX_JUMP);
}

/* Clips store times as floats, between which a fast curve late in a clip moves far: so a frame is taken at the time of
 * a float. Not at jumps, nor where floats are too coarse for the line. */
static int64_t float_time(const sampler *s, int64_t from, int64_t to) {
  double ticks = (double)(float)seconds(s, to) * s->sampling->scene->ticks;
  int64_t at = s->sampling->marks->first + (int64_t)(ticks + 0.5), away = at > to ? at - to : to - at;
  return is_held(s, to) || away > (to - from) / 8 ? to : at;
}

/* ---- lines ---- */

/* Moves rotations into the hemisphere of the line's beginning. */
static void align_end(const sampler *s) {
  for (int i = 0, at = 0; i < s->count; i++)
    for (int k = 0; k < s->functions[i].part_count; at += clip_kind_width(s->functions[i].parts[k++].kind)) {
      double *q = s->end + at;
      if (s->functions[i].parts[k].kind != TRACK_ROTATION || dot4(s->at.frame + at, q) >= 0) continue;
      for (int c = 0; c < 4; c++) q[c] = -q[c];
    }
}

static bool is_same(const sampler *s) {
  for (int k = 0; k < s->width; k++)
    if (fabs(s->at.frame[k] - s->end[k]) > 1e-9 * fmax(1, fabs(s->at.frame[k]))) return false;
  return true;
}

static void shift_frame(const sampler *s) {
  float *frame = fbx_frame_at(&s->frames, s->frames.count - 1);
  memcpy(s->at.own, s->shift, (size_t)s->width * sizeof *s->shift);
  for (int k = 0; k < s->width; k++) frame[k] = (float)(s->at.frame[k] + s->shift[k]);
}

/* The number of frames from the one before a jump to the one after it. */
static int count_steps(const sampler *s) {
  double steps = 1;
  for (int i = 0, at = 0; i < s->count; i++)
    for (int k = 0; k < s->functions[i].part_count; at += clip_kind_width(s->functions[i].parts[k++].kind)) {
      if (s->functions[i].parts[k].kind != TRACK_ROTATION) continue;
      double cosine = fabs(dot4(s->at.frame + at, s->end + at));
      if (cosine < 0.9) steps = larger(steps, ceil(sinew_acos(cosine) / most_of_turn));
    }
  return (int)steps;
}

static void find_between(const sampler *s, double t, double *frame) {
  for (int i = 0, at = 0; i < s->count; i++)
    for (int k = 0; k < s->functions[i].part_count; k++) {
      int width = clip_kind_width(s->functions[i].parts[k].kind);
      const double *a = s->at.frame + at, *b = s->end + at;
      for (int c = 0; c < width; c++) frame[at + c] = a[c] + t * (b[c] - a[c]);
      if (s->functions[i].parts[k].kind == TRACK_ROTATION) fbx_quat_slerp(a, b, t, frame + at);
      at += width;
    }
}

static bool add_jump(sampler *s, double time) {
  double jump = jump_at(time);
  bool added = fbx_frames_add(&s->frames, time - jump, s->at.frame);
  for (int i = 1, steps = count_steps(s); added && i < steps; i++) {
    double part = (double)i / steps;
    find_between(s, part, s->probe);
    added = fbx_frames_add(&s->frames, time - jump + 0.5 * part * jump, s->probe);
  }
  return added && fbx_frames_add(&s->frames, time - 0.5 * jump, s->end);
}

/* Adds the frame at a line's end, where the next line begins. */
static bool end_line(sampler *s, int64_t to, int64_t taken, bool needs_shift) {
  double time = seconds(s, taken);
  beginning old = s->before;
  shift_frame(s);
  s->before = s->at;
  s->at = (beginning){to, taken, s->at.next, s->at.corner, s->end, s->bent, old.own, false, needs_shift};
  s->end = old.frame;
  s->bent = old.bent;
  pass_marks(s, to);
  const fbx_mark *mark = s->sampling->marks->items + s->at.next - 1;
  if (mark->time < to || mark->corner != FBX_JUMP) return fbx_frames_add(&s->frames, time, s->at.frame);
  memset(s->at.bent, 0, (size_t)s->width * sizeof *s->at.bent);
  evaluate(s, to, FBX_AT, s->end);
  align_end(s);
  if (is_same(s)) return fbx_frames_add(&s->frames, time, s->at.frame);
  if (!add_jump(s, time)) return false;
  double *after = s->end;
  s->end = s->at.frame;
  s->at.frame = after;
  return true;
}

/* Returns to the start of the previous line, which does without the shift that is impossible. */
static void go_back(sampler *s) {
  beginning end = s->at;
  s->at = s->before;
  s->before = end;
  s->at.is_shifted = true;
  s->at.needs_shift = false; /* it has it */
  s->frames.count--;
  s->careful = true;
  forget_bends(s);
}

static double change(double error, double least, double most) {
  double factor = aim / sqrt(larger(error, 1e-9));
  return factor > least ? factor < most ? factor : most : least;
}

/* The length to try after a line with an error: among samples, not less than to the next one. */
static double shorter(const sampler *s, int64_t from, int64_t to, double reach) {
  int64_t next = s->sampling->marks->items[s->at.next].time;
  for (int i = 0; i < s->count && next < to; i++)
    if (is_between_samples(s->functions + i, from, next)) return larger(reach, (double)(next - from));
  return reach;
}

static bool sample_lines(sampler *s) {
  const fbx_marks *marks = s->sampling->marks;
  int64_t least = 8 + (int64_t)(least_step * s->sampling->scene->ticks);
  s->at.time = s->at.taken = marks->first;
  evaluate(s, marks->first, FBX_AT, s->at.frame);
  pass_marks(s, marks->first);
  if (!fbx_frames_add(&s->frames, 0, s->at.frame)) return false;
  double reach = (double)(marks->items[s->at.next].time - marks->first);
  while (s->at.time < marks->last && (s->last_try || s->frames.count < s->most_rows)) {
    int64_t from = s->at.time, to = place_next(s, from, reach), taken = float_time(s, from, to);
    bool held = s->careful || is_held(s, to), full = s->frames.count >= s->most_rows;
    evaluate(s, taken, FBX_BEFORE, s->end);
    align_end(s);
    if (s->alone) stay_on_curve(s);
    double error = s->alone ? 0 : line_error(s, from, to, taken, held), length = (double)(to - from);
    bool again = error > 1 && to - from > least && !full;
    if (again) reach = shorter(s, from, to, length * change(error, least_change, most_shorter));
    else reach = full ? most_longer * length : larger(length * change(error, aim, most_longer), (double)least);
    if (again) continue;
    if (error > 1) stay_on_curve(s);
    if (s->at.needs_shift && !is_line_before_near(s)) {
      reach = most_shorter * (double)(from - s->before.time);
      go_back(s);
      continue;
    }
    s->careful = false;
    if (!end_line(s, to, taken, !held)) return false;
  }
  return true;
}

/* ---- tracks ---- */

static bool is_part_moving(const sampler *s, int at, int width) {
  const float *first = fbx_frame_at(&s->frames, 0) + at;
  for (size_t i = 1; i < s->frames.count; i++) {
    const float *frame = fbx_frame_at(&s->frames, i) + at;
    for (int k = 0; k < width; k++)
      if (frame[k] != first[k]) return true;
  }
  return false;
}

static bool is_frame_repeated(const sampler *s, size_t frame) {
  return memcmp(fbx_frame_at(&s->frames, frame - 1), fbx_frame_at(&s->frames, frame),
                (size_t)s->width * sizeof(float)) == 0;
}

/* A step needs one key for each value; a function that stands still, the first and the last. */
static bool is_key_needed(const sampler *s, size_t frame, bool moves) {
  bool end = frame == 0 || frame + 1 == s->frames.count;
  if (end || !moves) return end;
  double time = s->frames.times[frame], next = s->frames.times[frame + 1];
  return next - time > 0.75 * jump_at(time) && !is_frame_repeated(s, frame);
}

/* Copies those keys to the track's own memory. */
static bool copy_keys(const sampler *s, raw_track *track, int at, bool moves) {
  raw_model *raw = s->sampling->scene->raw;
  size_t keys = 0, width = (size_t)clip_kind_width(track->kind);
  for (size_t i = 0; i < s->frames.count; i++) keys += is_key_needed(s, i, moves);
  track->times = raw_room(raw, keys, sizeof *track->times);
  track->values = raw_room(raw, keys * width, sizeof *track->values);
  if (!track->times || !track->values) return false;
  for (size_t i = 0; i < s->frames.count; i++) {
    if (!is_key_needed(s, i, moves)) continue;
    track->times[track->key_count] = s->frames.times[i];
    memcpy(raw_key(track, track->key_count++), fbx_frame_at(&s->frames, i) + at, width * sizeof(float));
  }
  return true;
}

static void drop_dust(const sampler *s, track_kind kind, int at) {
  int width = clip_kind_width(kind);
  float dust = clip_kind_dust(kind);
  for (size_t i = 0; i < s->frames.count; i++) {
    float *frame = fbx_frame_at(&s->frames, i) + at;
    for (int k = 0; k < width; k++) frame[k] = without_dust(frame[k], dust);
  }
}

/* A track that moves and does not step uses all frames in place. */
static bool make_track(sampler *s, const fbx_part *part, fbx_course course, int at, bool *shared) {
  raw_clip *clip = s->sampling->clip;
  bool moves = is_part_moving(s, at, clip_kind_width(part->kind)), steps = course == FBX_STEPS;
  raw_track *track = raw_grow(s->sampling->scene->raw, (void **)&clip->tracks, &clip->track_count,
                              &clip->track_capacity, sizeof *clip->tracks);
  if (!track) return false;
  *track = (raw_track){.kind = part->kind, .node = part->node, .target = part->target};
  track->interpolation = moves && steps ? RAW_STEP : RAW_LINEAR;
  if (!moves || steps) return copy_keys(s, track, at, moves);
  *shared = true;
  drop_dust(s, part->kind, at);
  track->key_count = (int)s->frames.count;
  track->stride = s->width;
  track->times = s->frames.times;
  track->values = s->frames.numbers + at;
  return true;
}

/* Makes the tracks once the frames have their final size and address. */
static bool make_tracks(sampler *s) {
  bool shared = false, made = true;
  fbx_frames_trim(&s->frames);
  for (int i = 0, at = 0; made && i < s->count; i++)
    for (int k = 0; made && k < s->functions[i].part_count; k++) {
      const fbx_part *part = s->functions[i].parts + k;
      made = make_track(s, part, s->functions[i].course, at, &shared);
      at += clip_kind_width(part->kind);
    }
  if (shared) fbx_frames_keep(&s->frames, s->sampling->scene->raw);
  return made;
}

/* ---- all ---- */

/* All in one block. */
static bool open_frames(sampler *s) {
  size_t width = (size_t)s->width + 3, frame = width + 3 * (size_t)s->count;
  double *block = s->block = mem_alloc_zeroed((4 * frame + 7 * width + 2 * (size_t)s->count + 3) * sizeof *block);
  double **const frames[] = {&s->at.frame, &s->before.frame, &s->end, &s->probe};
  double **const parts[] = {&s->at.bent, &s->at.own,    &s->before.bent, &s->before.own,
                            &s->bent,    &s->bent_late, &s->shift};
  if (!block) return false;
  for (int i = 0; i < 4; i++, block += frame) *frames[i] = block;
  for (int i = 0; i < 7; i++, block += width) *parts[i] = block;
  s->bend = block;
  s->first = (int *)(block + s->count);
  for (int i = 1; i < s->count; i++) s->first[i] = s->first[i - 1] + width_of(s->functions + i - 1);
  return true;
}

/* The fraction of the time that has frames. */
static double part_done(const sampler *s) {
  const fbx_marks *marks = s->sampling->marks;
  return marks->last > marks->first ? (double)(s->at.time - marks->first) / (double)(marks->last - marks->first) : 1;
}

/* Relaxes the tolerance: the error of a line grows with the square of its length. */
static double loosen(const sampler *s) {
  double done = larger(part_done(s), 1e-3), looser = larger(some_more / (done * done), least_looser);
  for (int i = 0; i < s->count; i++)
    for (int k = 0; k < s->functions[i].part_count; k++) s->functions[i].parts[k].per_tolerance /= looser;
  return looser;
}

static bool make_frames(sampler *s, bool still) {
  const fbx_marks *marks = s->sampling->marks;
  if (!open_frames(s)) return false;
  s->frames.width = s->width;
  if (!still) return sample_lines(s);
  evaluate(s, marks->first, FBX_AT, s->at.frame);
  return fbx_frames_add(&s->frames, 0, s->at.frame) && fbx_frames_add(&s->frames, seconds(s, marks->last), s->at.frame);
}

static sampler make_sampler(const fbx_sampling *sampling, const fbx_function *functions, int count, bool alone) {
  sampler s = {.sampling = sampling, .functions = functions, .count = count, .alone = alone};
  for (int i = 0; i < count; i++) s.width += width_of(functions + i);
  s.most_rows = ROWS_A_MARK * (size_t)sampling->marks->count + FREE_ROWS;
  return s;
}

/* `again`: there were too many frames, so no tracks were made. */
static bool sample_once(sampler *s, bool still, bool *again) {
  raw_model *raw = s->sampling->scene->raw;
  bool made = make_frames(s, still);
  *again = made && !still && part_done(s) < 1;
  if (!made) error_memory(raw->error, raw->path, s->frames.count * (size_t)s->width * sizeof(float));
  made = made && (*again || make_tracks(s));
  mem_free(s->block);
  fbx_frames_free(&s->frames);
  return made;
}

static bool sample(const fbx_sampling *sampling, const fbx_function *functions, int count, bool alone, bool still) {
  raw_model *raw = sampling->scene->raw;
  double looser = 1;
  bool made = true, again = true;
  for (int try = 1; made && again; try++) {
    sampler s = make_sampler(sampling, functions, count, alone);
    s.last_try = alone || try == MOST_TRIES;
    made = sample_once(&s, still, &again);
    if (again) looser *= loosen(&s);
  }
  return made &&
         (looser <= 1 || raw_note(raw,
                                  "clip '%s' would need more key frames than a file of its size may ask for: it is "
                                  "followed %.2g times less closely than others; bake it to have the keys you want",
                                  sampling->clip->name, looser));
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
