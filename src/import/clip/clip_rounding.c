#include "import/clip/clip_rounding.h"

#include "base/memory/memory.h"

#include <string.h>

/* A track in a segment. */
struct rounded_part {
  clip_shape shape;
  clip_fit fit;
  int8_t form; /* 1 + the form of its frames */
  bool known;  /* is there a shape? */
};

/* The frames of a window, except the one shared with the next window. */
enum { WINDOW_SHIFT = 3 };

static int segments_of(const clip_rounding *r) {
  return clip_segment_count(r->exact.frame_count, r->exact.segment - 1);
}

/* Forgets the windows of frames first … last − 1. */
static void forget_windows(clip_rounding *r, int first, int last) {
  for (int i = 0; i < r->window_count; i++) {
    rounded_window *w = r->windows + i;
    if (w->number >= 0 && w->number << r->window_shift >= first && w->number << r->window_shift < last) w->number = -1;
  }
}

static void divide_windows(clip_rounding *r) {
  size_t size = (((size_t)1 << r->window_shift) + 1) * (size_t)r->exact.frame_size;
  for (int i = 0; i < r->window_count; i++)
    r->windows[i] = (rounded_window){.number = -1, .frames = r->frames + (size_t)i * size};
}

bool clip_rounding_open(clip_rounding *r, const track_group_desc *desc) {
  *r = (clip_rounding){.exact = *desc};
  int shift = desc->segment - 1;
  r->window_shift = shift < WINDOW_SHIFT ? shift : WINDOW_SHIFT;
  int windows = ((desc->frame_count - 1) >> r->window_shift) + 1;
  r->window_count = windows < CLIP_WINDOWS ? windows : CLIP_WINDOWS;
  size_t rows = (size_t)r->window_count * (((size_t)1 << r->window_shift) + 1);
  r->frames = mem_alloc_array(rows * (size_t)desc->frame_size, sizeof *r->frames);
  r->parts = mem_alloc_zeroed(((size_t)segments_of(r) * (size_t)desc->track_count + 1) * sizeof *r->parts);
  if (!r->frames || !r->parts) return false;
  divide_windows(r);
  return true;
}

void clip_rounding_reset(clip_rounding *r) {
  mem_free(r->frames);
  mem_free(r->parts);
  *r = (clip_rounding){.frames = NULL};
}

/* ---- frames ---- */

static void copy_exact(const track_group_desc *desc, const clip_track *track, int first, int last, float *to) {
  size_t width = (size_t)clip_kind_width(track->kind), size = (size_t)desc->frame_size;
  const float *from = desc->frames + (size_t)first * size + track->offset;
  for (int r = first; r <= last; r++, from += size, to += size) memcpy(to, from, width * sizeof *to);
}

static void round_full(const track_group_desc *desc, const clip_track *track, int first, int last, float *to) {
  copy_exact(desc, track, first, last, to);
  for (int r = first; r <= last; r++, to += desc->frame_size)
    for (int k = 0; k < 4; k++) to[k] = (float)clip_full_integer(to[k]) / CLIP_ONE;
}

static void fill_window(const clip_rounding *r, int segment, rounded_window *window) {
  const track_group_desc *desc = &r->exact;
  int first = window->number << r->window_shift, last = first + (1 << r->window_shift);
  int end = clip_segment_last(desc->frame_count, desc->segment - 1, segment);
  if (last > end) last = end;
  for (int i = 0; i < desc->track_count; i++) {
    const clip_track *track = desc->tracks + i;
    int form = (int)clip_track_form(track);
    const clip_fit *fit = &r->parts[(size_t)segment * (size_t)desc->track_count + (size_t)i].fit;
    float *to = window->frames + track->offset;
    if (clip_form_is_narrow(form)) clip_fit_round(fit, desc, track, first, last, to);
    else if (clip_form_is_full(form)) round_full(desc, track, first, last, to);
    else copy_exact(desc, track, first, last, to);
  }
}

/* The window with that number, or else the least recently used one. */
static int find_window(const clip_rounding *r, int number) {
  int oldest = 0;
  if (r->windows[r->latest].number == number) return r->latest;
  for (int i = 0; i < r->window_count; i++) {
    if (r->windows[i].number == number) return i;
    if (r->windows[i].used < r->windows[oldest].used) oldest = i;
  }
  return oldest;
}

const float *clip_rounding_frame(clip_rounding *r, int frame) {
  int count = segments_of(r), segment = frame >> (r->exact.segment - 1), number = frame >> r->window_shift;
  r->latest = find_window(r, number);
  rounded_window *window = r->windows + r->latest;
  if (window->number != number) {
    window->number = number;
    fill_window(r, segment < count ? segment : count - 1, window);
  }
  window->used = ++r->clock;
  return window->frames + (size_t)(frame - (number << r->window_shift)) * (size_t)r->exact.frame_size;
}

/* ---- integers ---- */

/* Whether its integers or its frames have changed. */
static bool find_part(const track_group_desc *desc, const clip_track *track, int first, int last, rounded_part *part) {
  clip_form form = clip_track_form(track);
  bool same = part->form == 1 + (int)form, was_narrow = clip_form_is_narrow(part->form - 1);
  part->form = (int8_t)(1 + (int)form);
  if (!clip_form_is_narrow((int)form)) return !same;
  if (!part->known) part->shape = clip_shape_find(desc, track, first, last);
  part->known = true;
  clip_fit fit = clip_shape_fit(&part->shape, desc, track, first, last);
  bool changed = !same || !was_narrow || memcmp(fit.bytes, part->fit.bytes, sizeof fit.bytes) != 0;
  part->fit = fit;
  return changed;
}

bool clip_rounding_update(clip_rounding *r) {
  const track_group_desc *desc = &r->exact;
  rounded_part *part = r->parts;
  bool any = false;
  for (int segment = 0; segment < segments_of(r); segment++) {
    bool changed = false, ends = segment + 1 == segments_of(r);
    int first = clip_segment_first(desc->segment - 1, segment);
    int last = clip_segment_last(desc->frame_count, desc->segment - 1, segment);
    for (int i = 0; i < desc->track_count; i++, part++)
      if (find_part(desc, desc->tracks + i, first, last, part)) changed = true;
    if (changed) forget_windows(r, first, ends ? desc->frame_count : last);
    any = any || changed;
  }
  return any;
}

bool clip_rounding_is_finest(const clip_rounding *r, int track) {
  if (!clip_form_is_narrow((int)clip_track_form(r->exact.tracks + track))) return false;
  for (int s = 0; s < segments_of(r); s++) {
    const rounded_part *part = r->parts + (size_t)s * (size_t)r->exact.track_count + (size_t)track;
    for (int c = 0; c < 3; c++)
      if (part->fit.bytes[c] < 2 && part->shape.most[part->fit.bytes[3]][c] > 0) return false;
  }
  return true;
}

int clip_rounding_fit_count(const clip_rounding *r) { return segments_of(r) * r->exact.track_count; }

void clip_rounding_copy_fits(const clip_rounding *r, clip_fit *fits) {
  for (int i = 0; i < clip_rounding_fit_count(r); i++) fits[i] = r->parts[i].fit;
}
