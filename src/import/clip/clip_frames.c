#include "import/clip/clip_frames.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "model/clip/clip_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The fraction of the tolerance that straight lines between frames may use initially, by the bounds below; their
 * combined error is measured. */
static const double line_fraction = 1;
/* In radians: no rotation may be off by more, however short its reach. */
static const double most_rotation_error = 1e-3;
/* Quaternions of neighbouring frames are at most this far apart (a dot product of 0.9), as sampling requires. */
static const double most_rotation_step = 0.45, least_cosine = 0.90044710235267689; /* its cosine */
/* Half a step of 16-bit integers, for a rotation relative to a nearby one. */
static const double rotation_rounding = 0.5 / 32767;
/* Steps of 16 bits are too coarse if this many of them exceed the rounding: errors add up along a chain. */
static const double coarse = 8;
/* For values of cubic curves and of morph weights, as a fraction of the curve's range. */
static const double value_tolerance = 5e-5;
/* Between quaternions whose distance has at most this square, the arc is a line. */
static const double straight_square = 2e-8;
enum { MAX_FRAMES_BETWEEN_KEYS = 256, MAX_FRAME_FLOATS = 1 << 28 };

/* ---- times ---- */

/* Merges the times of `more` into those of `list`, without duplicates; both ascend. Returns the number in `out`. */
static size_t merge_times(const double *list, size_t count, const double *more, size_t more_count, double *out) {
  size_t n = 0, i = 0, k = 0;
  while (i < count || k < more_count) {
    double time = k == more_count || (i < count && list[i] <= more[k]) ? list[i++] : more[k++];
    if (n == 0 || time - out[n - 1] > clip_same_time) out[n++] = time;
  }
  return n;
}

/* Most curves of a file have the same times. */
static bool has_times(const double *list, size_t count, const double *more, size_t more_count) {
  size_t i = 0;
  for (size_t k = 0; k < more_count; k++) {
    while (i < count && list[i] < more[k] - clip_same_time) i++;
    if (i == count || list[i] > more[k]) return false;
  }
  return true;
}

/* Merges the times of the list with those of a track in a new array, which replaces the list. */
static bool add_key_times(double **list, size_t *count, const raw_track *track) {
  double *merged = mem_alloc_array(*count + (size_t)track->key_count, sizeof *merged);
  if (!merged) return false;
  *count = merge_times(*list, *count, track->times, (size_t)track->key_count, merged);
  mem_free(*list);
  *list = merged;
  return true;
}

/* Whether these times, all further apart than one moment, are those of all tracks and of the whole clip. */
static bool are_all_times(const clip_frames *t, const raw_track *first) {
  int last = first->key_count - 1;
  bool all = first->times[0] == t->start && first->times[last] == t->end && (last == 0) == (t->start == t->end);
  for (int i = 1; all && i < t->track_count; i++) {
    const raw_track *track = t->tracks[i];
    all = track->times == first->times ||
          (track->key_count == first->key_count &&
           memcmp(track->times, first->times, (size_t)first->key_count * sizeof *first->times) == 0);
  }
  for (int i = 0; all && i < last; i++) all = first->times[i + 1] - first->times[i] > clip_same_time;
  return all;
}

static bool gather_key_times(clip_frames *t) {
  if (are_all_times(t, t->tracks[0])) {
    t->times = t->tracks[0]->times;
    t->frame_count = t->tracks[0]->key_count;
    return true;
  }
  double *times = mem_alloc_array(2, sizeof *times);
  size_t count = times ? merge_times(&t->start, 1, &t->end, 1, times) : 0;
  bool gathered = times != NULL;
  for (int i = 0; gathered && i < t->track_count; i++) {
    const raw_track *track = t->tracks[i];
    if (!has_times(times, count, track->times, (size_t)track->key_count))
      gathered = add_key_times(&times, &count, track);
  }
  t->own_times = times;
  t->times = times;
  t->frame_count = (int)count;
  return gathered || error_memory(t->raw->error, t->raw->path, count * sizeof *times);
}

/* ---- frames between keys ---- */

/* Radians that a rotation may be off between frames: its reach turns them into a length. */
static double rotation_tolerance(const clip_frames *t, const raw_track *track, double fraction) {
  return fmin(fraction * t->rules->tolerance / t->reach->node[track->node], most_rotation_error);
}

/* In the unit of the joint's parent. */
static double translation_tolerance(const clip_frames *t, const raw_track *track) {
  return t->rules->tolerance / t->reach->stretch[track->node];
}

/* The number of frames for each one that the bounds ask for between two moments of the file. */
static double density_between(const clip_frames *t, double from, double to) {
  const clip_truth *truth = t->truth;
  int first = (int)floor((from - t->start) / truth->step), last = (int)ceil((to - t->start) / truth->step);
  double density = 1;
  if (!t->rules->density) return 1;
  for (int i = first > 0 ? first : 0; i <= last && i < truth->moment_count; i++)
    density = fmax(density, (double)t->rules->density[i]);
  return density;
}

/* The distance of the curve from the straight line between two moments, at the quarter points. */
static double line_error(const raw_track *track, double from, double to) {
  double a[4], b[4], is[4], worst = 0;
  int width = clip_kind_width(track->kind);
  curve_value(track, from, a);
  curve_value(track, to, b);
  double sign = track->kind == TRACK_ROTATION && curve_dot4(a, b) < 0 ? -1 : 1;
  for (int step = 1; step <= 3; step++) {
    double t = 0.25 * step, line[4];
    curve_value(track, from + t * (to - from), is);
    for (int k = 0; k < width; k++) line[k] = a[k] + t * (sign * b[k] - a[k]);
    if (track->kind == TRACK_ROTATION) curve_normalize4(line);
    double flip = track->kind == TRACK_ROTATION && curve_dot4(line, is) < 0 ? -1 : 1;
    for (int k = 0; k < width; k++) worst = fmax(worst, fabs(line[k] - flip * is[k]));
  }
  return worst;
}

/* The widest range of the first `width` numbers of a track. */
static double track_range(const raw_track *track, int width) {
  double low[4], high[4], value[4], widest = 0;
  curve_key(track, 0, low);
  curve_key(track, 0, high);
  for (int i = 1; i < track->key_count; i++) {
    curve_key(track, i, value);
    for (int k = 0; k < width; k++) {
      low[k] = fmin(low[k], value[k]);
      high[k] = fmax(high[k], value[k]);
    }
  }
  for (int k = 0; k < width; k++) widest = fmax(widest, high[k] - low[k]);
  return widest;
}

static double cubic_tolerance(const clip_frames *t, const raw_track *track) {
  if (track->kind == TRACK_ROTATION) return 0.5 * rotation_tolerance(t, track, line_fraction);
  if (track->kind == TRACK_TRANSLATION) return line_fraction * translation_tolerance(t, track);
  return value_tolerance * fmax(track_range(track, clip_kind_width(track->kind)), 1e-4);
}

static int frames_for_cubic(const raw_track *track, double from, double to, double tolerance) {
  int frames = 1;
  for (; frames < MAX_FRAMES_BETWEEN_KEYS; frames *= 2) {
    double worst = 0, step = (to - from) / frames;
    for (int i = 0; i < frames; i++) worst = fmax(worst, line_error(track, from + i * step, from + (i + 1) * step));
    if (worst <= tolerance) break;
  }
  return frames;
}

/* Raise the numbers of frames between key times to what a track needs; they stay 0 where the curve is straight. */
static void want_frames_of_cubic(const clip_frames *t, const raw_track *track, int *wanted) {
  double tolerance = cubic_tolerance(t, track);
  for (int i = 0; i + 1 < t->frame_count; i++) {
    int frames = frames_for_cubic(track, t->times[i], t->times[i + 1], tolerance);
    if (frames > wanted[i]) wanted[i] = frames;
  }
}

/* Whether the track's keys can serve as frames unchanged. */
static bool has_frames(const clip_frames *t, const raw_track *track) {
  return track->key_count == t->frame_count &&
         memcmp(track->times, t->times, (size_t)t->frame_count * sizeof *t->times) == 0;
}

/* Between quaternions. */
static int frames_for_slerp(const double *a, const double *b) {
  double near = 0, far = 0;
  for (int k = 0; k < 4; k++) near += (a[k] - b[k]) * (a[k] - b[k]), far += (a[k] + b[k]) * (a[k] + b[k]);
  double square = near < far ? near : far, cosine = 1 - 0.5 * square;
  if (cosine >= least_cosine) return square > straight_square;
  return (int)fmin(ceil(sinew_acos(cosine) / most_rotation_step), MAX_FRAMES_BETWEEN_KEYS);
}

static void want_frames_of_slerp(const clip_frames *t, const raw_track *track, int *wanted) {
  curve_cursor cursor = curve_cursor_make(track);
  bool keys = has_frames(t, track);
  double a[4], b[4];
  curve_cursor_value(&cursor, t->times[0], a);
  for (int i = 0; i + 1 < t->frame_count; i++, memcpy(a, b, sizeof a)) {
    const float *key = keys ? raw_key(track, i + 1) : NULL;
    if (!keys) curve_cursor_value(&cursor, t->times[i + 1], b);
    for (int k = 0; keys && k < 4; k++) b[k] = (double)key[k];
    int frames = frames_for_slerp(a, b);
    if (frames > wanted[i]) wanted[i] = frames;
  }
}

static bool bends(const raw_track *track) {
  return track->interpolation == RAW_CUBIC || (track->interpolation == RAW_LINEAR && track->kind == TRACK_ROTATION);
}

static bool any_bends(const clip_frames *t) {
  for (int i = 0; i < t->track_count; i++)
    if (bends(t->tracks[i])) return true;
  return false;
}

static void want_frames(const clip_frames *t, int *wanted) {
  for (int i = 0; i < t->track_count; i++) {
    const raw_track *track = t->tracks[i];
    if (track->interpolation == RAW_CUBIC) want_frames_of_cubic(t, track, wanted);
    else if (bends(track)) want_frames_of_slerp(t, track, wanted);
  }
  for (int i = 0; i + 1 < t->frame_count; i++) {
    double frames = wanted[i] ? wanted[i] * density_between(t, t->times[i], t->times[i + 1]) : 1;
    wanted[i] = (int)ceil(fmin(frames, MAX_FRAMES_BETWEEN_KEYS));
  }
}

static bool insert_wanted(clip_frames *t, const int *wanted) {
  size_t total = 1, n = 0;
  for (int i = 0; i + 1 < t->frame_count; i++) total += (size_t)wanted[i];
  if (total == (size_t)t->frame_count) return true;
  if (total > MAX_FRAME_FLOATS) return error_set(t->raw->error, "%s: a clip has too many keys", t->raw->path);
  double *times = mem_alloc(total * sizeof *times);
  if (!times) return error_memory(t->raw->error, t->raw->path, total * sizeof *times);
  for (int i = 0; i + 1 < t->frame_count; i++)
    for (int k = 0; k < wanted[i]; k++) times[n++] = t->times[i] + (t->times[i + 1] - t->times[i]) * k / wanted[i];
  times[n++] = t->times[t->frame_count - 1];
  mem_free(t->own_times);
  t->times = t->own_times = times;
  t->frame_count = (int)n;
  return true;
}

static bool insert_frames(clip_frames *t) {
  if (!any_bends(t)) return true;
  int *wanted = mem_alloc_zeroed((size_t)t->frame_count * sizeof *wanted);
  if (!wanted) return error_memory(t->raw->error, t->raw->path, (size_t)t->frame_count * sizeof *wanted);
  want_frames(t, wanted);
  bool inserted = insert_wanted(t, wanted);
  mem_free(wanted);
  return inserted;
}

/* ---- columns ---- */

/* The rounding error that a track's numbers may have. */
static double find_rounding(const clip_frames *t, const raw_track *track) {
  if (track->kind == TRACK_MORPH) return 0;
  double fraction = t->rules->rounding * (double)t->rules->fractions[track->node];
  double reach = t->reach->node[track->node], allowed = fraction * t->rules->tolerance;
  if (track->kind == TRACK_ROTATION) return 0.5 * fmin(allowed / reach, most_rotation_error);
  return track->kind == TRACK_SCALE ? allowed / reach : fraction * translation_tolerance(t, track);
}

static double range_of(const clip_frames *t, int index) {
  double *range = t->ranges + index;
  if (*range < 0) *range = track_range(t->tracks[index], 3);
  return *range;
}

static bool needs_floats(const clip_frames *t, int index) {
  const raw_track *track = t->tracks[index];
  if (track->kind == TRACK_MORPH || t->rules->rounding <= 0) return true;
  if (!t->rules->floats || t->rules->fractions[track->node] >= 1) return false;
  double step = track->kind == TRACK_ROTATION ? rotation_rounding : range_of(t, index) * 0.5 * rotation_rounding;
  return coarse * step > find_rounding(t, track);
}

double clip_frames_slack(const clip_frames *t, int index) {
  const raw_track *track = t->tracks[index];
  double allowed = t->rules->thinning * t->rules->tolerance;
  if (track->interpolation == RAW_STEP) return 0;
  switch (track->kind) {
  case TRACK_ROTATION: return 0.5 * rotation_tolerance(t, track, t->rules->thinning); /* half: of a quaternion */
  case TRACK_TRANSLATION: return t->rules->thinning * translation_tolerance(t, track);
  case TRACK_SCALE: return allowed / t->reach->node[track->node];
  case TRACK_MORPH: break;
  }
  return value_tolerance * track_range(track, 1);
}

void clip_frames_judge(const clip_frames *t) {
  for (int i = 0; i < t->track_count; i++) {
    t->columns[i].form = needs_floats(t, i) ? CLIP_WIDE : CLIP_NARROW;
    t->columns[i].slack = (float)find_rounding(t, t->tracks[i]);
  }
}

static double longest_step(const track_group_desc *desc, const clip_track *track) {
  const float *a = desc->frames + track->offset;
  int width = clip_kind_width(track->kind);
  double longest = 0;
  for (int r = 0; r + 1 < desc->frame_count; r++, a += desc->frame_size) {
    const float *b = a + desc->frame_size;
    double square = 0;
    for (int k = 0; k < width; k++) square += ((double)b[k] - (double)a[k]) * ((double)b[k] - (double)a[k]);
    longest = square > longest ? square : longest;
  }
  return sqrt(longest);
}

const double *clip_frames_steps(const clip_frames *t, const track_group_desc *desc) {
  for (int i = 0; t->steps->frames != desc->frames && i < t->track_count; i++)
    t->steps->longest[i] = longest_step(desc, desc->tracks + i);
  t->steps->frames = desc->frames;
  return t->steps->longest;
}

static bool describe_tracks(clip_frames *t, track_group_desc *desc) {
  t->columns = raw_alloc(t->raw, (size_t)t->track_count, sizeof *t->columns);
  t->ranges = raw_alloc(t->raw, (size_t)t->track_count, sizeof *t->ranges);
  t->steps = raw_alloc(t->raw, 1, sizeof *t->steps);
  if (t->steps) t->steps->longest = raw_alloc(t->raw, (size_t)t->track_count, sizeof *t->steps->longest);
  if (!t->columns || !t->ranges || !t->steps || !t->steps->longest) return false;
  for (int i = 0; i < t->track_count; i++) {
    const raw_track *track = t->tracks[i];
    t->ranges[i] = -1;
    t->columns[i] = (clip_track){.kind = track->kind,
                                 .joint = track->node,
                                 .target = track->target,
                                 .step = track->interpolation == RAW_STEP,
                                 .offset = desc->frame_size};
    desc->frame_size += clip_kind_width(track->kind);
  }
  clip_frames_judge(t);
  t->sizes = raw_alloc(t->raw, (size_t)t->track_count * CLIP_LENGTHS, sizeof *t->sizes);
  desc->tracks = t->columns;
  desc->track_count = t->track_count;
  return t->sizes;
}

/* ---- frames ---- */

/* Moves the quaternion into the hemisphere of the frame before, and no further away than sampling allows: a cubic curve
 * through zero turns in no time, and reaches its other side some frames later. */
static void follow(const float *previous, double *q) {
  double before[4] = {(double)previous[0], (double)previous[1], (double)previous[2], (double)previous[3]};
  double cosine = curve_dot4(before, q), sign = cosine < 0 ? -1 : 1;
  for (int k = 0; k < 4; k++) q[k] *= sign;
  if (fabs(cosine) >= least_cosine) return;
  double angle = sinew_acos(fmin(fabs(cosine), 1));
  double wa = sinew_sin(angle - most_rotation_step) / sinew_sin(angle),
         wb = sinew_sin(most_rotation_step) / sinew_sin(angle);
  for (int k = 0; k < 4; k++) q[k] = wa * before[k] + wb * q[k];
  curve_normalize4(q);
}

static void fill_column(const clip_frames *t, const track_group_desc *desc, int index, float *frames) {
  const clip_track *track = desc->tracks + index;
  const raw_track *curve = t->tracks[index];
  curve_cursor cursor = curve_cursor_make(curve);
  float *cell = frames + track->offset;
  int key = curve->interpolation == RAW_LINEAR ? 0 : curve->key_count;
  for (int r = 0; r < t->frame_count; r++, cell += desc->frame_size) {
    double value[4];
    /* the frame may come slightly before the key that it was merged with, but a step must have happened by then */
    if (key < curve->key_count && curve->times[key] == t->times[r]) curve_key(curve, key++, value);
    else curve_cursor_value(&cursor, t->times[r] + (track->step ? clip_same_time : 0), value);
    if (r && track->kind == TRACK_ROTATION && !track->step) follow(cell - desc->frame_size, value);
    for (int k = 0; k < clip_kind_width(track->kind); k++)
      cell[k] = without_dust((float)value[k], clip_kind_dust(track->kind));
  }
}

static bool has_frames_of_like(const clip_frames *t, const track_group_desc *desc) {
  return t->like && t->like->frame_count == t->frame_count &&
         memcmp(t->like_track_group->times, desc->times, (size_t)t->frame_count * sizeof *desc->times) == 0;
}

static void copy_column(const clip_frames *t, const track_group_desc *desc, int index, float *frames) {
  const clip_track *to = desc->tracks + index;
  int same = 0;
  while (t->like->tracks[same] != t->tracks[index]) same++;
  const float *from = t->like_track_group->frames + t->like_track_group->tracks[same].offset;
  size_t size = (size_t)clip_kind_width(to->kind) * sizeof *from;
  for (int r = 0; r < t->frame_count; r++)
    memcpy(frames + (size_t)r * (size_t)desc->frame_size + to->offset,
           from + (size_t)r * (size_t)t->like_track_group->frame_size, size);
}

/* Whether a column's values in the frames are already those that `fill_column` would write. */
static bool is_filled(const raw_track *track, int frame_size) {
  int width = clip_kind_width(track->kind);
  float dust = clip_kind_dust(track->kind);
  for (int r = 0; r < track->key_count; r++) {
    const float *is = track->values + (size_t)r * (size_t)frame_size, *before = is - (r ? frame_size : 0);
    double cosine = 0;
    for (int k = 0; k < width; k++) {
      if (without_dust(is[k], dust) != is[k]) return false;
      cosine += (double)is[k] * (double)before[k];
    }
    if (track->kind == TRACK_ROTATION && cosine < least_cosine) return false;
  }
  return true;
}

/* The keys of the tracks, side by side, if they can serve as frames unchanged; or NULL. */
static const float *find_keys(const clip_frames *t, const track_group_desc *desc) {
  const float *keys = t->tracks[0]->values;
  for (int i = 0; i < t->track_count; i++) {
    const raw_track *track = t->tracks[i];
    int stride = track->stride ? track->stride : (int)raw_key_size(track);
    if (track->interpolation != RAW_LINEAR || track->values != keys + desc->tracks[i].offset) return NULL;
    if (stride != desc->frame_size || !has_frames(t, track) || !is_filled(track, stride)) return NULL;
  }
  return keys;
}

static float *make_frames(const clip_frames *t, const track_group_desc *desc) {
  void (*fill)(const clip_frames *, const track_group_desc *, int, float *) =
      has_frames_of_like(t, desc) ? copy_column : fill_column;
  float *frames = raw_room(t->raw, (size_t)t->frame_count * (size_t)desc->frame_size, sizeof *frames);
  for (int i = 0; frames && i < t->track_count; i++) fill(t, desc, i, frames);
  return frames;
}

static bool fill_frames(clip_frames *t, track_group_desc *desc) {
  size_t frame_size = (size_t)desc->frame_size;
  if ((size_t)t->frame_count * frame_size > MAX_FRAME_FLOATS)
    return error_set(t->raw->error, "%s: clip '%s' has %d frames of %d numbers, more than a clip may hold",
                     t->raw->path, t->clip->name, t->frame_count, desc->frame_size);
  float *times = raw_room(t->raw, (size_t)t->frame_count, sizeof *times);
  if (!times) return false;
  for (int r = 0; r < t->frame_count; r++) {
    times[r] = (float)(t->times[r] - t->start);
    /* late in a long clip, two moments may round to the same float */
    if (r && times[r] <= times[r - 1]) times[r] = nextafterf(times[r - 1], INFINITY);
  }
  const float *keys = find_keys(t, desc);
  desc->times = times;
  desc->frames = keys ? keys : make_frames(t, desc);
  desc->frame_count = t->frame_count;
  return desc->frames;
}

bool clip_frames_build(clip_frames *frames, track_group_desc *desc) {
  *desc = (track_group_desc){0};
  bool built =
      gather_key_times(frames) && insert_frames(frames) && describe_tracks(frames, desc) && fill_frames(frames, desc);
  mem_free(frames->own_times);
  frames->own_times = NULL;
  frames->times = NULL;
  return built;
}
