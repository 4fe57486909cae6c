
#include "base/memory/memory.h"
#include "model/clip/clip_fit.h"
#include "model/clip/clip_pack.h"

#include <math.h>

/* A divided group must take at most this fraction of the bytes, because each sample needs one more time lookup. */
static const double worth_dividing = 0.95;
/* With fewer segments there is nothing to gain. */
enum { LEAST_SEGMENTS = 3, LENGTHS = CLIP_LENGTHS - 1 }; /* single-interval segments are only for whole groups */

/* The narrow tracks of one kind whose joints share a group, and their sizes with segments of each length. */
typedef struct part {
  int group;
  track_kind kind;
  double sizes[LENGTHS];
} part;

typedef struct division {
  const track_group_desc *whole;
  const int32_t *stored;
  double *sizes; /* of the whole group's tracks */
  part *parts;
  int count;
  int32_t *part_of;   /* for each track; −1: it is not narrow */
  clip_track *tracks; /* room for all */
} division;

static int find_part(division *d, const clip_track *track) {
  if (!clip_form_is_narrow((int)clip_track_form(track))) return -1;
  int group = d->stored[track->joint] / SINEW_LANES, i = 0;
  while (i < d->count && (d->parts[i].group != group || d->parts[i].kind != track->kind)) i++;
  if (i == d->count) d->parts[d->count++] = (part){.group = group, .kind = track->kind};
  return i;
}

static double size_of_part(const division *d, int number, int length) {
  track_group_desc desc = *d->whole;
  double size = 0;
  desc.tracks = d->tracks;
  desc.track_count = 0;
  for (int i = 0; i < d->whole->track_count; i++) {
    if (d->part_of[i] != number) continue;
    d->tracks[desc.track_count++] = d->whole->tracks[i];
    size += clip_fit_size(d->whole, d->sizes, i, length);
  }
  return size + clip_segments_size(&desc, clip_count_narrow(&desc, d->stored), length);
}

/* Stops at shorter segments once two successive lengths were larger, unless the group has them now. */
static void measure_part(const division *d, int number) {
  double *sizes = d->parts[number].sizes, least = HUGE_VAL;
  for (int s = 0, worse = 0; s < LENGTHS; s++) {
    bool is_now = 1 + clip_lengths[s] == d->whole->segment,
         is_one = s > 0 && d->whole->frame_count - 1 <= 1 << clip_lengths[s];
    sizes[s] = (worse > 1 || is_one) && !is_now ? HUGE_VAL : size_of_part(d, number, s);
    worse = sizes[s] < least || !isfinite(least) ? 0 : worse + 1;
    least = fmin(least, sizes[s]);
  }
}

/* The size of all parts, each with the better of two segment lengths. */
static double size_with_both(const division *d, int a, int b) {
  double size = 0;
  for (int i = 0; i < d->count; i++) size += fmin(d->parts[i].sizes[a], d->parts[i].sizes[b]);
  return size;
}

/* The two best lengths, the longer one first; false if the group's own is nearly as good. */
static bool choose_lengths(const division *d, int chosen[2]) {
  double least = HUGE_VAL, now = HUGE_VAL;
  for (int a = 0; a < LENGTHS; a++) {
    if (1 + clip_lengths[a] == d->whole->segment) now = size_with_both(d, a, a);
    for (int b = a + 1; b < LENGTHS; b++) {
      double both = size_with_both(d, a, b);
      if (both < least) least = both, chosen[0] = a, chosen[1] = b;
    }
  }
  return isfinite(least) && least <= worth_dividing * now;
}

/* Moves the tracks of one part to it, with its segment length; returns the address for the next part's tracks. */
static clip_track *take_tracks(const division *d, const int chosen[2], bool second, clip_track *to,
                               track_group_desc *out) {
  *out = *d->whole;
  out->tracks = to;
  out->track_count = 0;
  out->segment = 1 + clip_lengths[chosen[second]];
  for (int i = 0; i < d->whole->track_count; i++) {
    const double *sizes = d->part_of[i] < 0 ? NULL : d->parts[d->part_of[i]].sizes;
    bool shorter = sizes && sizes[chosen[1]] < sizes[chosen[0]];
    if (shorter == second) to[out->track_count++] = d->whole->tracks[i];
  }
  return to + out->track_count;
}

static bool is_divided(division *d, clip_track *tracks, track_group_desc parts[2]) {
  int chosen[2];
  for (int i = 0; i < d->whole->track_count; i++) d->part_of[i] = find_part(d, d->whole->tracks + i);
  for (int i = 0; i < d->count; i++) measure_part(d, i);
  if (!choose_lengths(d, chosen)) return false;
  take_tracks(d, chosen, true, take_tracks(d, chosen, false, tracks, parts), parts + 1);
  return parts[0].track_count > 0 && parts[1].track_count > 0;
}

bool clip_divide(const track_group_desc *group, const int32_t *stored, double *sizes, clip_track *tracks,
                 track_group_desc parts[2]) {
  size_t count = (size_t)group->track_count;
  if (clip_segment_count(group->frame_count, group->segment - 1) < LEAST_SEGMENTS) return false;
  division d = {.whole = group,
                .stored = stored,
                .sizes = sizes,
                .parts = mem_alloc_array(count, sizeof *d.parts),
                .part_of = mem_alloc_array(count, sizeof *d.part_of),
                .tracks = mem_alloc_array(count, sizeof *d.tracks)};
  bool divided = d.parts && d.part_of && d.tracks && is_divided(&d, tracks, parts);
  mem_free(d.parts);
  mem_free(d.part_of);
  mem_free(d.tracks);
  return divided;
}
