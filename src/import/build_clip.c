/* A clip's curves become tables of rows; curves that never move go to the base pose. One table serves most clips; where
 * some curves have far more keys than others, tables of their own save room. */
#include "import/build.h"

#include "base/error.h"
#include "import/clip_rows.h"

#include <math.h>

/* Of the model's size: 0.1 mm for a person. Lengths that clips may be off. */
static const double tolerance_of_reach = 5e-5;
/* A clip is split where that takes this part of the room or less. */
static const double worth_splitting = 0.7;
/* Curves belong together where their numbers of keys are within this factor. */
static const int key_ratio = 3;

typedef struct clip_parts {
  raw_model *raw;
  const raw_clip *clip;
  const model_desc *model;
  const clip_reach *reach;
  double start, end, tolerance; /* tolerance 0: exact */
} clip_parts;

/* The first and the last key of all curves: rows begin and end there even where no moving curve has a key. */
static void find_span(clip_parts *t) {
  for (int i = 0; i < t->clip->track_count; i++) {
    const raw_track *track = t->clip->tracks + i;
    double first = track->times[0], last = track->times[track->key_count - 1];
    t->start = i == 0 || first < t->start ? first : t->start;
    t->end = i == 0 || last > t->end ? last : t->end;
  }
}

/* ---- tables ---- */

static int most_keys(const clip_parts *t) {
  int most = 1;
  for (int i = 0; i < t->clip->track_count; i++)
    if (curve_moves(t->clip->tracks + i) && t->clip->tracks[i].key_count > most) most = t->clip->tracks[i].key_count;
  return most;
}

/* 0 for the curves with the most keys, one more for each factor of `key_ratio`. */
static int density(const raw_track *track, int most) {
  int level = 0;
  for (int keys = track->key_count * key_ratio; keys <= most && level < CLIP_MAX_TABLES - 1; keys *= key_ratio) level++;
  return level;
}

/* The table of the moving curves of one level, or of all of them for level −1; no tracks where there are none. */
static bool build_table(clip_parts *t, int level, clip_table_desc *desc) {
  clip_rows rows = {
      .raw = t->raw, .clip = t->clip, .reach = t->reach, .tolerance = t->tolerance, .start = t->start, .end = t->end};
  int most = most_keys(t);
  rows.tracks = raw_alloc(t->raw, (size_t)t->clip->track_count, sizeof *rows.tracks);
  if (!rows.tracks) return false;
  for (int i = 0; i < t->clip->track_count; i++) {
    const raw_track *track = t->clip->tracks + i;
    if (curve_moves(track) && (level < 0 || density(track, most) == level)) rows.tracks[rows.track_count++] = track;
  }
  *desc = (clip_table_desc){0};
  return rows.track_count == 0 || clip_rows_build(&rows, desc);
}

static double table_size(const clip_table_desc *desc) { return (double)desc->row_count * (double)desc->row_size; }

static bool build_tables(clip_parts *t, clip_desc *desc) {
  clip_table_desc *tables = raw_alloc(t->raw, CLIP_MAX_TABLES, sizeof *tables), whole;
  double size = 0;
  if (!tables || !build_table(t, -1, &whole)) return false;
  desc->tables = tables;
  desc->table_count = 0;
  for (int level = 0; level < CLIP_MAX_TABLES; level++) {
    clip_table_desc *table = tables + desc->table_count;
    if (!build_table(t, level, table)) return false;
    if (table->track_count == 0) continue;
    size += table_size(table);
    desc->table_count++;
  }
  if (desc->table_count == 0 || size <= worth_splitting * table_size(&whole)) return true;
  tables[0] = whole;
  desc->table_count = 1;
  return true;
}

/* Rounding adds up along a chain of joints in ways that no bound foretells: measure, and be stricter until it fits. */
static bool fit_tables(clip_parts *t, clip_desc *desc) {
  double allowed = t->tolerance;
  for (int attempt = 0; attempt < 4; attempt++, t->tolerance *= 0.5) {
    if (!build_tables(t, desc) || !clip_error_measure(t->raw, t->clip, t->model, t->reach, desc, &desc->error))
      return false;
    if (desc->error <= allowed || allowed == 0) return true;
  }
  return true;
}

/* ---- what never moves ---- */

static void set_base(const raw_track *track, sinew_transform *base) {
  double v[4];
  curve_key(track, 0, v);
  sinew_vec3 vector = {(float)v[0], (float)v[1], (float)v[2]};
  if (track->kind == TRACK_ROTATION) base->rotation = (sinew_quat){vector.x, vector.y, vector.z, (float)v[3]};
  else if (track->kind == TRACK_TRANSLATION) base->translation = vector;
  else base->scale = vector;
}

static bool fill_base(clip_parts *t, const model_desc *model, clip_desc *desc) {
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
static bool fill_morphs(clip_parts *t, clip_desc *desc) {
  size_t count = 0;
  for (int m = 0; m < t->raw->mesh_count; m++) count += (size_t)t->raw->meshes[m].morph_count;
  clip_track *tracks = raw_alloc(t->raw, count, sizeof *tracks);
  float *weights = raw_alloc(t->raw, count, sizeof *weights);
  if (!tracks || !weights) return false;
  int n = 0;
  for (int m = 0; m < t->raw->mesh_count; m++)
    for (int k = 0; k < t->raw->meshes[m].morph_count; k++) {
      const raw_track *track = find_morph(t->clip, m, k);
      if (track && curve_moves(track)) continue;
      double value[4] = {(double)t->raw->meshes[m].morphs[k].weight}; /* key_value may write a rotation */
      if (track) curve_key(track, 0, value);
      if (value[0] == 0) continue;
      tracks[n] = (clip_track){TRACK_MORPH, m, k, false, n, true};
      weights[n++] = (float)value[0];
    }
  desc->constant_morphs = tracks;
  desc->constant_weights = weights;
  desc->constant_morph_count = n;
  return true;
}

/* ---- a clip ---- */

static bool build_clip(clip_parts *t, clip_desc *desc) {
  find_span(t);
  *desc = (clip_desc){.name = t->clip->name, .start = t->start, .duration = t->end - t->start};
  if (!fill_base(t, t->model, desc) || !fill_morphs(t, desc) || !fit_tables(t, desc)) return false;
  for (int i = 0; i < desc->table_count; i++) {
    /* By more than its rounding where rows had to be told apart (clip_rows.c). */
    float last = desc->tables[i].times[desc->tables[i].row_count - 1];
    if (last > (float)desc->duration) desc->duration = (double)last;
  }
  return true;
}

bool build_clips(raw_model *raw, bool exact, model_desc *desc) {
  clip_desc *clips = raw_alloc(raw, (size_t)raw->clip_count, sizeof *clips);
  clip_reach reach;
  if (!clips || !clip_reach_find(raw, desc, &reach)) return false;
  for (int i = 0; i < raw->clip_count; i++) {
    clip_parts parts = {.raw = raw,
                        .clip = raw->clips + i,
                        .model = desc,
                        .reach = &reach,
                        .tolerance = exact ? 0 : tolerance_of_reach * reach.model};
    if (!build_clip(&parts, clips + i)) return false;
  }
  desc->clips = clips;
  desc->clip_count = raw->clip_count;
  return true;
}
