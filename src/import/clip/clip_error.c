#include "import/clip/clip_error.h"

#include "model/clip_pack.h"

#include <math.h>
#include <string.h>

typedef struct comparison {
  const clip_truth *truth;
  const moments_kernels *kernels;
  clip_table_desc tables[CLIP_MAX_TABLES];
  int rows[CLIP_MAX_TABLES]; /* where each table was read last: moments ascend */
  int table_count;
  moments_transform *held;
  moments_matrix *places;
} comparison;

/* Two rows of a table, and where eight moments are between them, for floats and as integers have it; one that comes
 * before has a negative part. */
typedef struct between {
  const float *a, *b;
  float part[MOMENTS], rounded[MOMENTS];
} between;

static double part_between(const clip_table_desc *table, int row, double time) {
  if (row == table->row_count - 1) return 0;
  double begin = (double)table->times[row], span = (double)table->times[row + 1] - begin;
  return span > 0 ? fmin(fmax((time - begin) / span, 0), 1) : 0;
}

/* One for each row at which eight moments are, one after the other; their number. */
static int find_rows(comparison *c, int index, int first, between pieces[MOMENTS]) {
  const clip_table_desc *table = c->tables + index;
  int count = 0, last = table->row_count - 1, found = -1;
  for (int m = 0; m < MOMENTS; m++) {
    double time = clip_truth_time(c->truth, first + m);
    int row = c->rows[index];
    while (row < last && (double)table->times[row + 1] <= time + clip_same_time) row++;
    c->rows[index] = row;
    if (row != found) {
      const float *a = table->rows + (size_t)row * (size_t)table->row_size;
      between *next = pieces + count++;
      *next = (between){.a = a, .b = row < last ? a + table->row_size : a};
      for (int i = 0; i < m; i++) next->part[i] = next->rounded[i] = -1;
      found = row;
    }
    float part = (float)part_between(table, row, time);
    pieces[count - 1].part[m] = part;
    pieces[count - 1].rounded[m] = (float)clip_integer_weight(part) / CLIP_WEIGHT_ONE;
  }
  return count;
}

static void follow_table(comparison *c, int index, int first) {
  const clip_table_desc *table = c->tables + index;
  between pieces[MOMENTS];
  int count = find_rows(c, index, first, pieces);
  for (int i = 0; i < table->track_count; i++) {
    const clip_track *track = table->tracks + i;
    if (track->kind == TRACK_MORPH) continue;
    float(*to)[MOMENTS] = c->held[c->truth->slots[track->joint]].v + moments_first(track->kind);
    for (int p = 0; p < count; p++) {
      const float *a = pieces[p].a + track->offset, *b = pieces[p].b + track->offset;
      const float *part = track->wide ? pieces[p].part : pieces[p].rounded;
      c->kernels->line(a, track->hold ? a : b, clip_kind_width(track->kind), part, to);
    }
  }
}

static void compare_moments(comparison *c, int first, float worst[MOMENTS]) {
  const clip_truth *t = c->truth;
  const moments_matrix *truth = t->places + (size_t)(first / MOMENTS) * (size_t)t->joint_count;
  for (int i = 0; i < c->table_count; i++) follow_table(c, i, first);
  c->kernels->place(t->joint_count, t->parents, t->above, c->held, c->places);
  memset(worst, 0, MOMENTS * sizeof *worst);
  c->kernels->compare(t->joint_count, truth, c->places, t->shells, worst);
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
  comparison c = {.truth = t, .kernels = moments_kernels_current()};
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
