#include "import/clip/clip_rounding.h"

#include "base/memory/memory.h"

#include <string.h>

/* A track in a segment. */
struct rounded_part {
  clip_shape shape;
  clip_fit fit;
  int8_t form; /* 1 + the form that its frames have */
  bool known;  /* is there a shape? */
};

static int segments_of(const clip_rounding *r) { return clip_segment_count(r->desc.frame_count, r->desc.segment - 1); }

bool clip_rounding_open(clip_rounding *r, const track_group_desc *desc) {
  *r = (clip_rounding){.desc = *desc, .exact = desc->frames};
  size_t segments = (size_t)segments_of(r), count = (size_t)desc->frame_count + segments - 1;
  r->frames = mem_alloc_array(count * (size_t)desc->frame_size, sizeof *r->frames);
  r->parts = mem_alloc_zeroed((segments * (size_t)desc->track_count + 1) * sizeof *r->parts);
  r->desc.frames = r->frames;
  return r->frames && r->parts;
}

void clip_rounding_reset(clip_rounding *r) {
  mem_free(r->frames);
  mem_free(r->parts);
  *r = (clip_rounding){.frames = NULL};
}

/* ---- a track in a segment ---- */

typedef struct span {
  track_group_desc exact;
  const clip_track *track;
  int first, last; /* frames */
  float *to;       /* the first one's, rounded */
} span;

static void copy_exact(const span *s) {
  size_t width = (size_t)clip_kind_width(s->track->kind), frame_size = (size_t)s->exact.frame_size;
  const float *from = s->exact.frames + (size_t)s->first * frame_size + s->track->offset;
  float *to = s->to;
  for (int r = s->first; r <= s->last; r++, from += frame_size, to += frame_size) memcpy(to, from, width * sizeof *to);
}

static void round_full(const span *s) {
  float *to = s->to;
  copy_exact(s);
  for (int r = s->first; r <= s->last; r++, to += s->exact.frame_size)
    for (int k = 0; k < 4; k++) to[k] = (float)clip_full_integer(to[k]) / CLIP_ONE;
}

static bool round_narrow(const span *s, rounded_part *part) {
  if (!part->known) part->shape = clip_shape_find(&s->exact, s->track, s->first, s->last);
  part->known = true;
  clip_fit fit = clip_shape_fit(&part->shape, &s->exact, s->track, s->first, s->last);
  bool changed = !clip_form_is_narrow(part->form - 1) || memcmp(fit.bytes, part->fit.bytes, sizeof fit.bytes) != 0;
  part->fit = fit;
  if (changed) clip_fit_round(&fit, &s->exact, s->track, s->first, s->last, s->to);
  return changed;
}

/* Has it got other frames, or are they followed in another way? */
static bool round_span(const span *s, rounded_part *part) {
  clip_form form = clip_track_form(s->track);
  bool same = part->form == 1 + (int)form, narrow = clip_form_is_narrow((int)form);
  if (same && !narrow) return false;
  bool rounded = true;
  if (narrow) rounded = round_narrow(s, part);
  else if (clip_form_is_full((int)form)) round_full(s);
  else copy_exact(s);
  part->form = (int8_t)(1 + (int)form);
  return rounded || !same;
}

bool clip_rounding_update(clip_rounding *r) {
  const track_group_desc *desc = &r->desc;
  span s = {.exact = *desc};
  bool changed = false;
  s.exact.frames = r->exact;
  for (int segment = 0; segment < segments_of(r); segment++) {
    s.first = clip_segment_first(desc->segment - 1, segment);
    s.last = clip_segment_last(desc->frame_count, desc->segment - 1, segment);
    float *frames = r->frames + (size_t)(s.first + segment) * (size_t)desc->frame_size;
    for (int i = 0; i < desc->track_count; i++) {
      s.track = desc->tracks + i;
      s.to = frames + s.track->offset;
      if (round_span(&s, r->parts + (size_t)segment * (size_t)desc->track_count + i)) changed = true;
    }
  }
  return changed;
}

bool clip_rounding_is_finest(const clip_rounding *r, int track) {
  if (!clip_form_is_narrow((int)clip_track_form(r->desc.tracks + track))) return false;
  for (int s = 0; s < segments_of(r); s++) {
    const rounded_part *part = r->parts + (size_t)s * (size_t)r->desc.track_count + (size_t)track;
    for (int c = 0; c < 3; c++)
      if (part->fit.bytes[c] < 2 && part->shape.most[part->fit.bytes[3]][c] > 0) return false;
  }
  return true;
}

int clip_rounding_fit_count(const clip_rounding *r) { return segments_of(r) * r->desc.track_count; }

void clip_rounding_copy_fits(const clip_rounding *r, clip_fit *fits) {
  for (int i = 0; i < clip_rounding_fit_count(r); i++) fits[i] = r->parts[i].fit;
}
