#include "import/clip_error.h"

#include "model/clip_pack.h"

#include <math.h>
#include <string.h>

typedef struct comparison {
  const clip_truth *truth;
  clip_table_desc tables[CLIP_MAX_TABLES];
  int rows[CLIP_MAX_TABLES]; /* where each table was read last: moments ascend */
  int table_count;
  moments_transform *held;
  moments_matrix *places;
} comparison;

/* Where eight moments are between the rows of a table. */
typedef struct between {
  const float *a[MOMENTS], *b[MOMENTS];
  float weight[MOMENTS];
} between;

static void find_rows(comparison *c, int index, int first, between *at) {
  const clip_table_desc *table = c->tables + index;
  int row = c->rows[index], last = table->row_count - 1;
  for (int m = 0; m < MOMENTS; m++) {
    double time = clip_truth_time(c->truth, first + m);
    while (row < last && (double)table->times[row + 1] <= time + clip_same_time) row++;
    int next = row < last ? row + 1 : row;
    double begin = (double)table->times[row], span = (double)table->times[next] - begin;
    at->a[m] = table->rows + (size_t)row * (size_t)table->row_size;
    at->b[m] = table->rows + (size_t)next * (size_t)table->row_size;
    at->weight[m] = span > 0 ? (float)fmin(fmax((time - begin) / span, 0), 1) : 0;
  }
  c->rows[index] = row;
}

static void follow_table(comparison *c, int index, int first) {
  const clip_table_desc *table = c->tables + index;
  between at;
  find_rows(c, index, first, &at);
  for (int i = 0; i < table->track_count; i++) {
    const clip_track *track = table->tracks + i;
    if (track->kind == TRACK_MORPH) continue;
    float(*to)[MOMENTS] = c->held[c->truth->slots[track->joint]].v + moments_first(track->kind);
    for (int m = 0; m < MOMENTS; m++) {
      const float *a = at.a[m] + track->offset, *b = at.b[m] + track->offset;
      float weight = track->hold ? 0 : at.weight[m];
      for (int k = 0; k < track_width(track->kind); k++) to[k][m] = a[k] + weight * (b[k] - a[k]);
    }
  }
}

static void compare_moments(comparison *c, int first, float worst[MOMENTS]) {
  const clip_truth *t = c->truth;
  const moments_matrix *truth = t->places + (size_t)(first / MOMENTS) * (size_t)t->joint_count;
  for (int i = 0; i < c->table_count; i++) follow_table(c, i, first);
  clip_truth_place(t, c->held, c->places);
  memset(worst, 0, MOMENTS * sizeof *worst);
  for (int i = 0; i < t->joint_count; i++) moments_compare(truth + i, c->places + i, t->shells[i], worst);
  for (int m = 0; m < MOMENTS; m++) worst[m] = sqrtf(worst[m]);
}

static bool take_tables(comparison *c, raw_model *raw, const clip_desc *clip, bool rounded) {
  c->table_count = clip->table_count;
  for (int i = 0; i < clip->table_count; i++) {
    clip_table_desc *table = c->tables + i;
    *table = clip->tables[i];
    if (!rounded) continue;
    float *rows = raw_copy(raw, table->rows, (size_t)table->row_count * (size_t)table->row_size, sizeof *rows);
    if (!rows) return false;
    clip_table_round(&clip->tables[i], rows);
    table->rows = rows;
  }
  return true;
}

bool clip_error_measure(const clip_truth *t, raw_model *raw, const clip_desc *clip, bool rounded, float *errors,
                        double *worst) {
  comparison c = {.truth = t};
  c.held = raw_copy(raw, t->still, (size_t)t->joint_count, sizeof *c.held);
  c.places = raw_alloc(raw, (size_t)t->joint_count, sizeof *c.places);
  if (!c.held || !c.places || !take_tables(&c, raw, clip, rounded)) return false;
  *worst = 0;
  for (int first = 0; first < t->moment_count; first += MOMENTS) {
    float eight[MOMENTS];
    compare_moments(&c, first, eight);
    for (int m = 0; m < MOMENTS; m++) *worst = fmax(*worst, (double)eight[m]);
    for (int m = 0; errors && m < MOMENTS && first + m < t->moment_count; m++) errors[first + m] = eight[m];
  }
  return true;
}
