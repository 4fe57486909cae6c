#include "import/clip/clip_tables.h"

#include "import/clip/clip_error.h"
#include "import/clip/clip_forms.h"
#include "import/clip/clip_rows.h"
#include "import/clip/clip_thin.h"
#include "model/clip_fit.h"
#include "model/clip_pack.h"

#include <math.h>

/* A clip is split where that takes this part of the room or less. */
static const double worth_splitting = 0.7;
/* Curves belong together where the rows that they need are within this factor. */
static const int row_ratio = 2;
/* The part of the tolerance that lines between rows may take as measured: the rest is left to rounding. */
static const double line_part = 0.7;
/* Being stricter has to lower the error by this much, or it is of another kind. */
static const double worth_trying = 0.9, worth_rounding = 0.999;
/* Floats end here: two steps of a joint's distance from the model's origin. */
static const double least_of_distance = 2.4e-7;
/* By this much each, and no further. */
static const float less_rounding = 0.75f, least_share = 0.01f;
static const double least_bending = 0.01;
enum { MOST_ATTEMPTS = 24, MOST_IN_VAIN = 4 };

typedef struct fitting {
  const clip_parts *parts;
  const clip_truth *truth;
  clip_rules rules;
  const raw_track **tracks; /* that move */
  int track_count;
  int *levels;     /* of each: 0 for those that need the most rows, one more for each factor of `row_ratio` */
  int level_count; /* that have curves; 0 until they are found */
  const sinew_transform *first;    /* what joints hold at the beginning */
  clip_errors errors, line_errors; /* with and without rounding */
  bool thinned;
} fitting;

/* What a number of a track may be off for the part of the tolerance that stillness may take. */
static double find_stillness(const fitting *f, const raw_track *track) {
  double allowed = f->rules.stillness * f->rules.tolerance;
  if (track->kind == TRACK_MORPH || track->kind == TRACK_TRANSLATION) return allowed;
  double reach = f->parts->reach->node[track->node];
  return track->kind == TRACK_ROTATION ? 0.5 * allowed / reach : allowed / reach;
}

static bool moves(const fitting *f, const raw_track *track) {
  if (track->kind == TRACK_MORPH || f->rules.stillness <= 0) return curve_moves(track);
  return !curve_stays(track, find_stillness(f, track));
}

static double apart(const float *a, const float *b, int width) {
  double square = 0, other = 0;
  for (int k = 0; k < width; k++) {
    square += ((double)a[k] - (double)b[k]) * ((double)a[k] - (double)b[k]);
    other += ((double)a[k] + (double)b[k]) * ((double)a[k] + (double)b[k]);
  }
  return sqrt(width == 4 ? fmin(square, other) : square);
}

/* A joint that nearly rests is held where it rests, and needs no room. */
static void rest_track(const fitting *f, const raw_track *track, sinew_transform *base) {
  const sinew_transform *rest = &f->parts->model->joints[track->node].rest;
  double slack = find_stillness(f, track);
  if (track->kind == TRACK_ROTATION) {
    if (apart(&base->rotation.x, &rest->rotation.x, 4) <= slack) base->rotation = rest->rotation;
  } else if (track->kind == TRACK_TRANSLATION) {
    if (apart(&base->translation.x, &rest->translation.x, 3) <= slack) base->translation = rest->translation;
  } else if (apart(&base->scale.x, &rest->scale.x, 3) <= slack) {
    base->scale = rest->scale;
  }
}

/* Those that move; the others are held where they begin, or where they rest. */
static bool find_moving(fitting *f, clip_desc *desc) {
  const raw_clip *clip = f->parts->clip;
  raw_model *raw = f->parts->raw;
  sinew_transform *base = raw_copy(raw, f->first, (size_t)f->parts->model->joint_count, sizeof *base);
  f->tracks = raw_alloc(raw, (size_t)clip->track_count, sizeof *f->tracks);
  f->levels = raw_alloc(raw, (size_t)clip->track_count, sizeof *f->levels);
  f->track_count = f->level_count = 0;
  if (!base || !f->tracks || !f->levels) return false;
  for (int i = 0; i < clip->track_count; i++) {
    const raw_track *track = clip->tracks + i;
    if (moves(f, track)) f->tracks[f->track_count++] = track;
    else if (track->kind != TRACK_MORPH && f->rules.stillness > 0) rest_track(f, track, base + track->node);
  }
  desc->base = base;
  return true;
}

/* ---- one table ---- */

static double *find_slack(const clip_rows *rows) {
  double *slack = raw_alloc(rows->raw, (size_t)rows->track_count, sizeof *slack);
  for (int i = 0; slack && i < rows->track_count; i++) slack[i] = clip_rows_slack(rows, i);
  return slack;
}

/* The curves of one level, or all of them for level −1, with every row; the rows' description is left in `rows`. */
static bool build_full(const fitting *f, int level, clip_rows *rows, clip_table_desc *desc) {
  const clip_parts *p = f->parts;
  *rows = (clip_rows){.raw = p->raw,
                      .clip = p->clip,
                      .reach = p->reach,
                      .truth = f->truth,
                      .rules = &f->rules,
                      .start = p->start,
                      .end = p->end};
  rows->tracks = raw_alloc(p->raw, (size_t)f->track_count, sizeof *rows->tracks);
  if (!rows->tracks) return false;
  for (int i = 0; i < f->track_count; i++)
    if (level < 0 || f->levels[i] == level) rows->tracks[rows->track_count++] = f->tracks[i];
  return clip_rows_build(rows, desc);
}

static bool thin(fitting *f, const clip_rows *rows, clip_table_desc *desc) {
  double *slack = find_slack(rows);
  int *needed = raw_alloc(rows->raw, (size_t)desc->row_count, sizeof *needed);
  if (!slack || !needed) return false;
  if (f->rules.thinning <= 0) return true;
  int count = clip_thin_find(desc, slack, 0, desc->track_count, needed);
  if (count == desc->row_count) return true;
  f->thinned = true;
  return clip_thin_apply(rows->raw, desc, needed, count);
}

/* ---- levels ---- */

/* As few rows as a curve alone would do with. */
static bool count_rows(const fitting *f, const clip_rows *rows, const clip_table_desc *whole, int *counts) {
  double *slack = find_slack(rows);
  int *needed = raw_alloc(rows->raw, (size_t)whole->row_count, sizeof *needed);
  if (!slack || !needed) return false;
  for (int i = 0; i < f->track_count; i++) {
    int keys = f->tracks[i]->key_count;
    counts[i] = f->rules.thinning > 0 ? clip_thin_find(whole, slack, i, 1, needed) : whole->row_count;
    if (keys < counts[i]) counts[i] = keys;
  }
  return true;
}

static int level_of(int rows, int most) {
  int level = 0;
  double intervals = rows - 1;
  for (; intervals * row_ratio <= most && level < CLIP_MAX_TABLES - 1; intervals *= row_ratio) level++;
  return level;
}

/* What shares a pack stays together: a pack costs as much to sample with one track as with eight. */
static void join_packs(const fitting *f) {
  const int32_t *stored = f->parts->stored;
  for (int i = 0; i < f->track_count; i++)
    for (int k = 0; k < f->track_count; k++) {
      const raw_track *a = f->tracks[i], *b = f->tracks[k];
      if (a->kind == b->kind && a->kind != TRACK_MORPH &&
          stored[a->node] / SINEW_LANES == stored[b->node] / SINEW_LANES && f->levels[k] < f->levels[i])
        f->levels[i] = f->levels[k];
    }
}

static bool find_levels(fitting *f, const clip_rows *rows, const clip_table_desc *whole) {
  int *counts = raw_alloc(rows->raw, (size_t)f->track_count, sizeof *counts), most = 1;
  if (!counts || !count_rows(f, rows, whole, counts)) return false;
  for (int i = 0; i < f->track_count; i++) most = counts[i] > most ? counts[i] : most;
  for (int i = 0; i < f->track_count; i++) f->levels[i] = level_of(counts[i], most);
  join_packs(f);
  for (int level = 0; level < CLIP_MAX_TABLES; level++) {
    bool any = false;
    for (int i = 0; i < f->track_count; i++) any |= f->levels[i] == level;
    f->level_count += any;
  }
  return true;
}

/* ---- tables ---- */

static bool choose_segments(const fitting *f, clip_desc *desc, clip_table_desc *tables) {
  int most = 0;
  for (int i = 0; i < desc->table_count; i++) most = tables[i].row_count > most ? tables[i].row_count : most;
  for (int i = 0; i < desc->table_count; i++) {
    if (!clip_forms_choose(f->parts, &f->rules, most, tables + i)) return false;
    tables[i].segment = clip_fit_segment(tables + i, clip_count_narrow(tables + i, f->parts->stored));
  }
  return true;
}

static double table_size(const clip_table_desc *desc) { return (double)desc->row_count * (double)desc->row_size; }

/* A table for each level; their sizes together. Negative when memory is out. */
static double build_levels(fitting *f, clip_table_desc *tables, int *count) {
  double size = 0;
  *count = 0;
  for (int level = 0; level < CLIP_MAX_TABLES; level++) {
    clip_table_desc *table = tables + *count;
    clip_rows rows;
    bool any = false;
    for (int i = 0; i < f->track_count; i++) any |= f->levels[i] == level;
    if (!any) continue;
    if (!build_full(f, level, &rows, table) || !thin(f, &rows, table)) return -1;
    size += table_size(table);
    ++*count;
  }
  return size;
}

static bool build_tables(fitting *f, clip_desc *desc) {
  clip_table_desc *tables = raw_alloc(f->parts->raw, CLIP_MAX_TABLES, sizeof *tables), whole;
  clip_rows rows;
  desc->tables = tables;
  desc->table_count = 0;
  f->thinned = false;
  if (!tables) return false;
  if (f->track_count == 0) return true;
  if (!build_full(f, -1, &rows, &whole)) return false;
  int count = 0;
  if ((f->level_count == 0 && !find_levels(f, &rows, &whole)) || !thin(f, &rows, &whole)) return false;
  double size = f->level_count > 1 ? build_levels(f, tables, &count) : HUGE_VAL;
  if (size < 0) return false;
  desc->table_count = count;
  if (!(size <= worth_splitting * table_size(&whole))) {
    tables[0] = whole;
    desc->table_count = 1;
  }
  return choose_segments(f, desc, tables);
}

/* ---- until it fits ---- */

typedef struct trial {
  double line;   /* the error without rounding */
  double worst;  /* with it */
  int in_vain;   /* attempts since that became less */
  int rows;      /* of all tables */
  bool stuck;    /* more rows do not help: the curve turns in no time, or floats end here */
  bool hopeless; /* nothing is left to try */
} trial;

static int count_all_rows(const clip_desc *desc) {
  int count = 0;
  for (int i = 0; i < desc->table_count; i++) count += desc->tables[i].row_count;
  return count;
}

/* Where lines miss their part of the tolerance, more rows: the error of a line goes with the third power of its length.
 */
static void raise_density(fitting *f, const float *errors) {
  double allowed = line_part * f->rules.tolerance;
  for (int m = 0; m < f->truth->moment_count; m++)
    if ((double)errors[m] > allowed)
      f->rules.density[m] = ceilf(f->rules.density[m]) * (float)fmin(cbrt((double)errors[m] / allowed), 4);
}

/* Lets more rotations follow arcs, takes less for still, and then leaves out less. */
static bool keep_more(fitting *f, clip_desc *desc) {
  if (f->rules.bending > least_bending) {
    f->rules.bending *= 0.1;
    return true;
  }
  if (f->rules.stillness <= 0) {
    f->rules.thinning = f->rules.thinning > 0.2 ? f->rules.thinning * 0.3 : 0;
    return true;
  }
  f->rules.stillness = f->rules.stillness > 0.2 ? 0.05 : 0;
  return find_moving(f, desc);
}

/* Joints above one that misses the tolerance, and that one, round less. False where none is left that could. */
static bool round_less(fitting *f) {
  const clip_truth *t = f->truth;
  bool less = false;
  for (int i = t->joint_count - 1; i >= 0; i--) {
    bool misses = (double)f->errors.joints[i] > f->rules.tolerance;
    if (misses && t->parents[i] >= 0) f->errors.joints[t->parents[i]] = f->errors.joints[i];
    if (!misses) continue;
    f->rules.shares[t->joints[i]] *= less_rounding;
    less = less || f->rules.shares[t->joints[i]] > least_share;
  }
  return less;
}

/* Floats come last, where rounding less is in vain or cannot go on: first for the joints that
 * miss the tolerance, and then for all. */
static void be_exact(fitting *f, bool in_vain) {
  if (round_less(f) && !in_vain) return;
  if (f->rules.floats) f->rules.rounding = 0;
  f->rules.floats = true;
}

/* What misses the tolerance is what was left out, the lines between rows, or rounding, tried in this order. */
static bool be_stricter(fitting *f, clip_desc *desc, trial *last) {
  clip_errors *lines = &f->line_errors;
  if (!clip_error_measure(f->truth, f->parts->raw, desc, false, lines)) return false;
  trial now = {.line = lines->worst, .worst = f->errors.worst, .rows = count_all_rows(desc)};
  bool off_line = now.line > line_part * f->rules.tolerance,
       left_out = f->thinned || f->rules.stillness > 0 || f->rules.bending > least_bending;
  bool helped = now.line < worth_trying * last->line || now.rows == last->rows || left_out;
  now.in_vain = now.worst < worth_rounding * last->worst ? 0 : last->in_vain + 1;
  now.stuck = last->stuck || !helped;
  *last = now;
  if (off_line && left_out) return keep_more(f, desc);
  if (off_line && !now.stuck) raise_density(f, lines->moments);
  else if (f->rules.rounding > 0) be_exact(f, last->in_vain >= MOST_IN_VAIN);
  else last->hopeless = true;
  return true;
}

static bool fit(fitting *f, clip_desc *desc) {
  clip_desc best = *desc;
  trial last = {.line = (double)INFINITY, .worst = (double)INFINITY};
  for (int attempt = 0; attempt < MOST_ATTEMPTS && !last.hopeless; attempt++) {
    bool first = attempt == 0;
    if (!build_tables(f, desc) || !clip_error_measure(f->truth, f->parts->raw, desc, true, &f->errors)) return false;
    desc->error = f->errors.worst;
    if (first || desc->error < worth_trying * best.error || desc->error <= f->rules.tolerance) best = *desc;
    if (!isfinite(best.error) || best.error <= f->rules.tolerance) break;
    if (!be_stricter(f, desc, &last)) return false;
  }
  *desc = best;
  return true;
}

static bool report(const fitting *f, clip_desc *desc) {
  if (!isfinite(desc->error)) desc->error = -1; /* products over a chain of huge scales are no lengths */
  if (desc->error <= f->rules.tolerance) return true;
  return raw_note(f->parts->raw, "clip '%s' is up to %.3g mm off the file's curves, where %.2g mm are the aim",
                  desc->name, 1e3 * desc->error, 1e3 * f->rules.tolerance);
}

bool clip_tables_build(const clip_parts *parts, clip_desc *desc) {
  clip_truth truth;
  fitting f = {.parts = parts, .truth = &truth, .rules = {.tolerance = parts->tolerance}};
  f.rules.bending = 0.25;
  if (!parts->exact) f.rules.rounding = 3, f.rules.thinning = 0.5, f.rules.stillness = 0.3;
  f.first = desc->base;
  bool built = clip_truth_find(&truth, parts->raw, parts->clip, parts->model, parts->reach, desc);
  if (isfinite(truth.farthest)) f.rules.tolerance = fmax(parts->tolerance, least_of_distance * truth.farthest);
  if (built) f.rules.density = raw_alloc(parts->raw, (size_t)truth.moment_count, sizeof *f.rules.density);
  for (int m = 0; f.rules.density && m < truth.moment_count; m++) f.rules.density[m] = 1;
  if (built) f.rules.shares = raw_alloc(parts->raw, (size_t)parts->model->joint_count, sizeof *f.rules.shares);
  for (int i = 0; f.rules.shares && i < parts->model->joint_count; i++) f.rules.shares[i] = 1;
  built = built && f.rules.density && f.rules.shares && clip_errors_open(&f.errors, &truth, parts->raw) &&
          clip_errors_open(&f.line_errors, &truth, parts->raw);
  built = built && find_moving(&f, desc) && fit(&f, desc) && report(&f, desc);
  clip_truth_reset(&truth);
  return built;
}
