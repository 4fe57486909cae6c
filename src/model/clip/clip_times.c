/* Finds the frames of a track group: by a multiplication if they are evenly spaced, otherwise by a table of cells. */
#include "model/clip/clip_pack.h"

#include <math.h>

/* The allowed distance of a frame from its even position, as a fraction of a step. */
static const double even_tolerance = 1e-4;

/* A step must never come too soon, not even by rounding: track groups with steps keep their times. */
static bool holds(const track_group_desc *desc) {
  for (int i = 0; i < desc->track_count; i++)
    if (desc->tracks[i].step) return true;
  return false;
}

static double last_span(const track_group_desc *desc, double step) {
  int last = desc->frame_count - 1;
  return (double)desc->times[last] - (last - 1) * step;
}

/* The time step of even frames, of which the last may come sooner; 0 for uneven ones. */
static double find_step(const track_group_desc *desc) {
  int last = desc->frame_count - 1;
  double step = last > 1 ? (double)desc->times[last - 1] / (last - 1) : (double)desc->times[last];
  if (holds(desc) || !(step > 0)) return 0;
  for (int i = 0; i < last; i++)
    if (!(fabs((double)desc->times[i] - i * step) <= even_tolerance * step)) return 0;
  double span = last_span(desc, step);
  return span > 10 * even_tolerance * step && span <= (1 + even_tolerance) * step ? step : 0;
}

static void set_even(const track_group_desc *desc, double step, track_group *tracks) {
  double span = last_span(desc, step);
  tracks->rate = 1 / step;
  tracks->last_scale = span >= (1 - even_tolerance) * step ? 1 : (float)(step / span);
}

static void fill_cells(const track_group_desc *desc, const track_group *tracks, int32_t *cells) {
  int frame = 0;
  for (int cell = 0; cell <= tracks->cell_count; cell++) {
    while (frame + 1 < desc->frame_count && track_group_cell(tracks, desc->times[frame + 1]) < cell) frame++;
    cells[cell] = frame;
  }
}

void clip_times_lay(block *b, const track_group_desc *desc, track_group *tracks) {
  double step = desc->frame_count > 1 ? find_step(desc) : 0;
  tracks->frame_count = desc->frame_count;
  tracks->last_scale = 1;
  tracks->rate = 1;
  if (desc->frame_count < 2) return; /* one frame, for all times */
  tracks->end = (double)desc->times[desc->frame_count - 1];
  if (step > 0) {
    set_even(desc, step, tracks);
    return;
  }
  tracks->cell_count = desc->frame_count;
  tracks->rate = tracks->cell_count / tracks->end;
  tracks->times = block_copy(b, desc->times, (size_t)desc->frame_count, sizeof *desc->times);
  int32_t *cells = block_take(b, (size_t)tracks->cell_count + 1, sizeof *cells);
  if (cells) fill_cells(desc, tracks, cells);
  tracks->cells = cells;
}
