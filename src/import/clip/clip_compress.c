#include "import/clip/clip_compress.h"

#include "base/error.h"
#include "import/clip/clip_rounding.h"
#include "import/clip/clip_truth.h"
#include "model/clip/clip_fit.h"
#include "model/clip/clip_pack.h"

#include <math.h>
#include <string.h>

/* The largest distances of a joint, or of a point beside it (truth->shells), from its position according to the curves.
 * Infinite if products over a chain of huge scales overflow. */
typedef struct clip_errors {
  double worst;
  float *moments;            /* of all joints at each moment, with room for a batch behind the last; or NULL */
  float *joints;             /* of each of truth->joints at any moment */
  float (*squares)[MOMENTS]; /* of each of the joints, as they are measured */
  moments_transform *held;   /* room to work */
  moments_matrix *positions;
} clip_errors;

/* A few of the moments give a lower bound, which may be enough to reject a clip; the rest, measured afterwards,
 * completes them. */
typedef enum clip_moments { CLIP_MOMENTS_ALL, CLIP_MOMENTS_FEW, CLIP_MOMENTS_REST } clip_moments;
enum { CLIP_FEW = 4 }; /* each so manieth batch */

/* One of the track groups that are measured. */
typedef struct clip_measured {
  const track_group_desc *desc;
  clip_rounding *rounding; /* its frames as rounded to integers; or NULL: as they are */
} clip_measured;

/* Measures the error of a clip's track groups against their source curves, in model space, at the joints and at the
 * skin. */

typedef struct comparison {
  const clip_truth *truth;
  const moments_kernels *kernels;
  const clip_measured *groups;
  int group_count;
  int *frames; /* for each group, the last frame at or before the moment: moments ascend */
  moments_transform *held;
  moments_matrix *positions;
} comparison;

/* Eight moments in a track group: the frames around each, and its position between them, in floats and as integers have
 * it; and the extra part for arcs. */
typedef struct between {
  const float *a[MOMENTS], *b[MOMENTS];
  float part[MOMENTS], rounded[MOMENTS];
  float bend[MOMENTS]; /* for frames one apart: clip_arc_bend */
} between;

static const float *frame_at(const clip_measured *group, int frame) {
  if (group->rounding) return clip_rounding_frame(group->rounding, frame);
  return group->desc->frames + (size_t)frame * (size_t)group->desc->frame_size;
}

static float part_between(const track_group_desc *desc, int frame, double time) {
  if (frame == desc->frame_count - 1) return 0;
  double begin = (double)desc->times[frame], span = (double)desc->times[frame + 1] - begin;
  double part = span > 0 ? (time - begin) / span : 0;
  return part > 0 ? part < 1 ? (float)part : 1 : 0;
}

static void find_between(const comparison *c, int index, int first, between *to) {
  const clip_measured *group = c->groups + index;
  const track_group_desc *desc = group->desc;
  int *next = c->frames + index;
  for (int m = 0, before = -1; m < MOMENTS; m++) {
    double time = clip_truth_time(c->truth, first + m);
    while (*next + 1 < desc->frame_count && (double)desc->times[*next + 1] <= time + clip_same_time) ++*next;
    int frame = *next;
    to->a[m] = frame == before ? to->a[m - 1] : frame_at(group, frame);
    to->b[m] = frame + 1 < desc->frame_count ? to->a[m] + desc->frame_size : to->a[m];
    to->part[m] = part_between(desc, frame, time);
    to->rounded[m] = (float)clip_integer_weight(to->part[m]) / CLIP_WEIGHT_ONE;
    to->bend[m] = clip_arc_bend(to->rounded[m]);
    before = frame;
  }
}

static void follow_track(const comparison *c, const clip_track *track, const between *at, float (*to)[MOMENTS]) {
  const float *a[MOMENTS], *b[MOMENTS];
  clip_form form = clip_track_form(track);
  for (int m = 0; m < MOMENTS; m++) {
    a[m] = at->a[m] + track->offset;
    b[m] = track->step ? a[m] : at->b[m] + track->offset;
  }
  c->kernels->lines(a, b, clip_kind_width(track->kind), form == CLIP_WIDE ? at->part : at->rounded,
                    clip_form_is_arc((int)form) ? at->bend : NULL, to);
}

static void follow_track_group(const comparison *c, int index, int first) {
  const track_group_desc *desc = c->groups[index].desc;
  between at;
  find_between(c, index, first, &at);
  for (int i = 0; i < desc->track_count; i++) {
    const clip_track *track = desc->tracks + i;
    if (track->kind == TRACK_MORPH) continue;
    follow_track(c, track, &at, c->held[c->truth->slots[track->joint]].v + moments_first(track->kind));
  }
}

/* Squares until all moments are known: then the earlier measurement is completed. */
static void begin_again(const clip_truth *t, clip_errors *errors) {
  for (int m = 0; errors->moments && m < t->moment_count; m++) errors->moments[m] *= errors->moments[m];
}

static void begin_anew(const clip_truth *t, clip_errors *errors) {
  if (errors->moments) memset(errors->moments, 0, ((size_t)t->moment_count + MOMENTS) * sizeof *errors->moments);
  memset(errors->squares, 0, (size_t)t->joint_count * sizeof *errors->squares);
}

static void take_roots(const clip_truth *t, clip_errors *errors) {
  errors->worst = 0;
  for (int m = 0; errors->moments && m < t->moment_count; m++) errors->moments[m] = sqrtf(errors->moments[m]);
  for (int i = 0; i < t->joint_count; i++) {
    float most = 0;
    for (int m = 0; m < MOMENTS; m++) most = errors->squares[i][m] > most ? errors->squares[i][m] : most;
    errors->joints[i] = sqrtf(most);
    errors->worst = fmax(errors->worst, (double)errors->joints[i]);
  }
}

static void compare_moments(const comparison *c, int first, clip_errors *errors) {
  const clip_truth *t = c->truth;
  const moments_matrix *truth = t->positions + (size_t)(first / MOMENTS) * (size_t)t->joint_count;
  for (int i = 0; i < c->group_count; i++) follow_track_group(c, i, first);
  c->kernels->position(t->joint_count, t->parents, t->above, c->held, c->positions);
  float unknown[MOMENTS] = {0}, *moments = errors->moments ? errors->moments + first : unknown;
  c->kernels->compare(t->joint_count, truth, c->positions, t->shells, errors->squares, moments);
}

/* Allocates them; with `moments`, also those of each moment. */
static bool clip_errors_open(clip_errors *errors, const clip_truth *t, bool moments, raw_model *raw) {
  size_t joints = (size_t)t->joint_count;
  if (moments) errors->moments = raw_alloc(raw, (size_t)t->moment_count + MOMENTS, sizeof *errors->moments);
  errors->joints = raw_alloc(raw, joints, sizeof *errors->joints);
  errors->squares = raw_alloc(raw, joints, sizeof *errors->squares);
  errors->held = raw_alloc(raw, joints, sizeof *errors->held);
  errors->positions = raw_alloc(raw, joints, sizeof *errors->positions);
  return (errors->moments || !moments) && errors->joints && errors->squares && errors->held && errors->positions;
}

/* `base`: values of joints that do not move, in file order. */
static void clip_error_measure(const clip_truth *t, const sinew_transform *base, const clip_measured *groups,
                               int group_count, clip_moments which, clip_errors *errors) {
  int frames[CLIP_MAX_TRACK_GROUPS] = {0};
  comparison c = {.truth = t,
                  .kernels = moments_kernels_current(),
                  .groups = groups,
                  .group_count = group_count,
                  .frames = frames,
                  .held = errors->held,
                  .positions = errors->positions};
  for (int i = 0; i < t->joint_count; i++) moments_fill(c.held + i, base + t->joints[i]);
  if (which == CLIP_MOMENTS_REST) begin_again(t, errors);
  else begin_anew(t, errors);
  for (int first = 0; first < t->moment_count; first += MOMENTS) {
    bool is_of_few = first / MOMENTS % CLIP_FEW == 0;
    if (which == CLIP_MOMENTS_ALL || is_of_few == (which == CLIP_MOMENTS_FEW)) compare_moments(&c, first, errors);
  }
  take_roots(t, errors);
}

/* ---- clip compress ---- */

/* The fraction of the tolerance that lines between frames may use, as measured: the rest is left to rounding. */
static const double line_part = 0.7;
/* If a stricter rule does not reduce the error to this fraction, the error has another cause. */
static const double worth_trying = 0.9, worth_rounding = 0.999;
/* Limit of floats: two steps at a joint's distance from the model's origin. */
static const double least_of_distance = 2.4e-7;
/* The factor of each step, and the limit. */
static const float less_rounding = 0.75f, least_fraction = 0.01f;
/* One further step for each such factor by which the tolerance is missed. */
static const double far_off = 2;
static const double least_bending = 0.01;
enum { MOST_ATTEMPTS = 24, MOST_IN_VAIN = 4 };

typedef struct search {
  track_groups groups;
  clip_truth truth;
  clip_rounding rounding[CLIP_MAX_TRACK_GROUPS]; /* of each track group */
  clip_errors errors, lines;                     /* with and without rounding */
  clip_desc *desc;                               /* the best so far */
  double last;                                   /* the error of the previous attempt */
  int in_vain;                                   /* attempts since the error last fell */
  bool coarse;                                   /* the error is only a lower bound */
  bool few_lines;                                /* the errors of lines are only lower bounds */
  bool rounds;                                   /* rounding has been made stricter since these frames were made */
  bool stuck;    /* more frames do not help: the curve turns in no time, or floats are not fine enough */
  bool hopeless; /* nothing is left to try */
} search;

static double line_tolerance(const search *s) { return line_part * s->groups.rules.tolerance; }

/* ---- measuring ---- */

static void measure_exact(search *s, const track_group_desc *groups, int count, clip_moments which) {
  clip_measured list[CLIP_MAX_TRACK_GROUPS];
  for (int i = 0; i < count; i++) list[i] = (clip_measured){.desc = groups + i};
  clip_error_measure(&s->truth, s->groups.base, list, count, which, &s->lines);
}

/* Measures lines fully after few moments have rejected them, so that frames can be added where they are needed. */
static void measure_lines(search *s) {
  measure_exact(s, s->groups.groups, s->groups.count, CLIP_MOMENTS_FEW);
  s->few_lines = s->lines.worst <= line_tolerance(s);
  if (!s->few_lines) measure_exact(s, s->groups.groups, s->groups.count, CLIP_MOMENTS_REST);
}

static void measure_rest_of_lines(search *s) {
  if (s->few_lines) measure_exact(s, s->groups.groups, s->groups.count, CLIP_MOMENTS_REST);
  s->few_lines = false;
}

static void measure_rounded(search *s, clip_moments which) {
  clip_measured list[CLIP_MAX_TRACK_GROUPS];
  for (int i = 0; i < s->groups.count; i++) list[i] = (clip_measured){&s->rounding[i].exact, s->rounding + i};
  clip_error_measure(&s->truth, s->groups.base, list, s->groups.count, which, &s->errors);
}

/* ---- new frames ---- */

static void close_roundings(search *s) {
  for (int i = 0; i < CLIP_MAX_TRACK_GROUPS; i++) clip_rounding_reset(s->rounding + i);
}

static bool round_track_groups(search *s) {
  bool changed = false;
  for (int i = 0; i < s->groups.count; i++)
    if (clip_rounding_update(s->rounding + i)) changed = true;
  return changed;
}

static bool open_roundings(search *s) {
  const raw_model *raw = s->groups.parts->raw;
  close_roundings(s);
  for (int i = 0; i < s->groups.count; i++)
    if (!clip_rounding_open(s->rounding + i, s->groups.groups + i)) return error_memory(raw->error, raw->path, 0);
  round_track_groups(s);
  return true;
}

static bool build(search *s) {
  if (!track_groups_build(&s->groups)) return false;
  measure_lines(s);
  s->rounds = false;
  return open_roundings(s);
}

static bool judge(search *s) {
  if (!track_groups_judge(&s->groups)) return false;
  measure_lines(s);
  round_track_groups(s);
  return true;
}

/* ---- being stricter ---- */

static bool ones(raw_model *raw, int count, float **list) {
  *list = raw_alloc(raw, (size_t)count, sizeof **list);
  for (int i = 0; *list && i < count; i++) (*list)[i] = 1;
  return *list != NULL;
}

/* Adds frames where lines exceed their part of the tolerance: the error of a line grows with the third power of its
 * length. */
static bool add_frames(search *s) {
  double allowed = line_tolerance(s), before = s->lines.worst;
  clip_rules *rules = &s->groups.rules;
  if (!rules->density && !ones(s->groups.parts->raw, s->truth.moment_count, &rules->density)) return false;
  float *density = rules->density;
  for (int m = 0; m < s->truth.moment_count; m++) {
    double error = (double)s->lines.moments[m];
    if (error > allowed) density[m] = ceilf(density[m]) * (float)fmin(sinew_cbrt(error / allowed), 4);
  }
  s->stuck = !track_groups_bend(&s->groups);
  if (s->stuck) return true;
  track_groups_forget_frames(&s->groups);
  if (!build(s)) return false;
  measure_rest_of_lines(s); /* a few moments may miss the error's place, and look better for ever */
  s->stuck = !(s->lines.worst < worth_trying * before);
  return true;
}

/* The error of a track group with all frames, if rotations may bend by that much. Overwrites the lines' errors and the
 * forms. */
static bool measure_whole(search *s, double bending, double *error) {
  double own = s->groups.rules.bending;
  s->groups.rules.bending = bending;
  bool judged = track_groups_judge_whole(&s->groups);
  s->groups.rules.bending = own;
  if (judged) measure_exact(s, &s->groups.whole, s->groups.moving_count > 0, CLIP_MOMENTS_ALL);
  *error = s->lines.worst;
  return judged;
}

/* Several track groups whose rules drop no frames have all frames of their curves. */
static bool is_thinned(const track_groups *t) { return t->rules.thinning > 0 && track_groups_are_thinned(t); }

/* Whether all frames are there, with straight lines. */
static bool is_whole(const track_groups *t) {
  bool turns = false;
  for (int i = 0; i < t->moving_count; i++) turns = turns || t->moving[i]->kind == TRACK_ROTATION;
  return !turns && !is_thinned(t);
}

/* Only curves treated as still can have been left out. */
static bool keep_all(search *s) {
  bool changed;
  s->groups.rules.stillness = s->groups.rules.bending = 0;
  return track_groups_find_moving(&s->groups, &changed) && (!changed || build(s));
}

/* Lets more rotations follow arcs, drops fewer frames, or treats fewer curves as still, depending on the cause of the
 * error. */
static bool keep_more(search *s) {
  clip_rules *rules = &s->groups.rules;
  double all, lines;
  if (is_whole(&s->groups)) return keep_all(s);
  if (!measure_whole(s, 0, &all) || !measure_whole(s, rules->bending, &lines)) return false;
  if (lines > line_tolerance(s) && all < worth_trying * lines && rules->bending > least_bending) {
    rules->bending *= 0.1;
    return judge(s);
  }
  while (rules->stillness > 0 && (all > line_tolerance(s) || !is_thinned(&s->groups))) {
    bool changed;
    rules->stillness = rules->stillness > 0.2 ? 0.05 : 0;
    if (!track_groups_find_moving(&s->groups, &changed)) return false;
    if (changed) return build(s);
  }
  if (is_thinned(&s->groups)) {
    rules->thinning = rules->thinning > 0.2 ? rules->thinning * 0.3 : 0;
    return build(s);
  }
  rules->bending = 0;
  return judge(s);
}

/* Rounds joints that miss the tolerance, and the joints above them, less. False if none is left that could be rounded
 * less. */
static bool round_less(search *s) {
  const clip_truth *t = &s->truth;
  bool less = false;
  for (int i = t->joint_count - 1; i >= 0; i--) {
    double over = (double)s->errors.joints[i] / s->groups.rules.tolerance;
    bool misses = over > 1;
    float *fraction = s->groups.rules.fractions + t->joints[i];
    if (misses && t->parents[i] >= 0) s->errors.joints[t->parents[i]] = s->errors.joints[i];
    for (double left = over; left > 1; left /= far_off) *fraction *= less_rounding;
    less = less || (misses && *fraction > least_fraction);
  }
  return less;
}

/* Whether the joints that miss the tolerance, as found by round_less, and the joints above, already have all the bits
 * of integers. */
static bool are_finest(const search *s) {
  const clip_truth *t = &s->truth;
  bool finest = true;
  for (int i = 0; i < s->groups.count; i++)
    for (int k = 0; k < s->groups.groups[i].track_count && finest; k++) {
      const clip_track *track = s->groups.groups[i].tracks + k;
      bool placed = track->kind != TRACK_MORPH && t->slots[track->joint] >= 0;
      if (!placed || (double)s->errors.joints[t->slots[track->joint]] <= s->groups.rules.tolerance) continue;
      finest = clip_rounding_is_finest(s->rounding + i, k);
    }
  return finest;
}

/* Floats come last, when less rounding does not help or is impossible: first for the joints that miss the tolerance,
 * then for all. Repeats until some integer changes. */
static bool be_exact(search *s) {
  clip_rules *rules = &s->groups.rules;
  bool in_vain = s->in_vain >= MOST_IN_VAIN, changed = false;
  while (!changed && rules->rounding > 0) {
    if (!round_less(s) || in_vain) {
      if (rules->floats) rules->rounding = 0;
      rules->floats = true;
    } else if (are_finest(s)) rules->floats = true;
    if (!track_groups_judge(&s->groups)) return false;
    changed = round_track_groups(s);
  }
  s->rounds = true;
  return true;
}

/* Finds out why the clip misses the tolerance, in this order: dropped keys and tracks, the straight lines between
 * frames, rounding. Makes that rule stricter. */
static bool be_stricter(search *s) {
  const clip_rules *rules = &s->groups.rules;
  if (s->in_vain > 0) measure_rest_of_lines(s);
  bool left_out = is_thinned(&s->groups) || rules->stillness > 0 || rules->bending > least_bending;
  bool off_line = s->lines.worst > line_tolerance(s);
  if (off_line && left_out) return keep_more(s);
  if (off_line && !s->stuck) return add_frames(s);
  if (rules->rounding > 0) return be_exact(s);
  s->hopeless = true;
  return true;
}

/* ---- until it fits ---- */

/* Keeps the track groups as they are now. */
static bool keep(search *s) {
  track_groups *t = &s->groups;
  raw_model *raw = t->parts->raw;
  track_group_desc *groups = raw_copy(raw, t->groups, CLIP_MAX_TRACK_GROUPS, sizeof *groups);
  if (!groups) return false;
  for (int i = 0; i < t->count; i++) {
    clip_fit *fits = raw_alloc(raw, (size_t)clip_rounding_fit_count(s->rounding + i), sizeof *fits);
    groups[i].tracks = raw_copy(raw, groups[i].tracks, (size_t)groups[i].track_count, sizeof *groups[i].tracks);
    if (!groups[i].tracks || !fits) return false;
    clip_rounding_copy_fits(s->rounding + i, fits);
    groups[i].fits = fits;
  }
  s->desc->track_groups = groups;
  s->desc->track_group_count = t->count;
  s->desc->base = t->base;
  s->desc->error = s->errors.worst;
  return true;
}

static bool is_good(const search *s) { return s->errors.worst <= s->groups.rules.tolerance; }

/* Integers that few moments reject need no full measurement as long as finer ones follow. */
static void measure_attempt(search *s, bool is_last) {
  const clip_rules *rules = &s->groups.rules;
  bool finer = rules->rounding > 0 && !rules->floats && s->lines.worst <= rules->tolerance && !is_last;
  measure_rounded(s, finer ? CLIP_MOMENTS_FEW : CLIP_MOMENTS_ALL);
  s->coarse = finer && !is_good(s);
  if (finer && !s->coarse) measure_rounded(s, CLIP_MOMENTS_REST);
}

static bool is_better(const search *s) {
  return !s->coarse && (s->desc->error < 0 || s->errors.worst < worth_trying * s->desc->error || is_good(s));
}

static bool fit(search *s) {
  s->last = (double)INFINITY;
  s->desc->error = -1;
  if (!build(s)) return false;
  for (int attempt = 0; attempt < MOST_ATTEMPTS && !s->hopeless; attempt++) {
    measure_attempt(s, attempt == MOST_ATTEMPTS - 1);
    if (is_better(s) && !keep(s)) return false;
    if (!isfinite(s->desc->error) || is_good(s)) break;
    s->in_vain = s->errors.worst < worth_rounding * s->last ? 0 : s->in_vain + 1;
    s->last = s->errors.worst;
    if (!be_stricter(s)) return false;
  }
  return true;
}

/* Segments were chosen for the initial rounding. */
static bool choose_segments(track_groups *t) {
  bool changed = false;
  for (int i = 0; i < t->count; i++) {
    track_group_desc *desc = t->groups + i;
    double size;
    int segment = clip_fit_segment(desc, clip_count_narrow(desc, t->parts->stored), t->frames[i].sizes, &size);
    changed = changed || segment != desc->segment;
    desc->segment = segment;
  }
  return changed;
}

/* False, with raw->error set, when memory runs out. */
static bool divide_groups(track_groups *t) {
  for (int i = 0, count = t->count; i < count && t->count < CLIP_MAX_TRACK_GROUPS; i++) {
    track_group_desc parts[2];
    clip_track *tracks = raw_alloc(t->parts->raw, (size_t)t->groups[i].track_count, sizeof *tracks);
    if (!tracks) return false;
    if (!clip_divide(t->groups + i, t->parts->stored, t->frames[i].sizes, tracks, parts)) continue;
    t->groups[i] = parts[0];
    t->groups[t->count++] = parts[1];
  }
  return true;
}

static bool divide_again(search *s) {
  track_groups *t = &s->groups;
  if (!is_good(s)) return true;
  bool changed = s->rounds && choose_segments(t);
  int before = t->count;
  bool one_pack_each = t->parts->model->joint_count < SINEW_LANES; /* of each kind, so there is little to divide */
  if (!one_pack_each && !divide_groups(t)) return false;
  if (!changed && t->count == before) return true;
  if (!open_roundings(s)) return false;
  measure_rounded(s, CLIP_MOMENTS_ALL);
  return !is_good(s) || keep(s);
}

static bool report(const search *s) {
  clip_desc *desc = s->desc;
  double tolerance = s->groups.rules.tolerance;
  if (!isfinite(desc->error)) desc->error = -1; /* products over a chain of huge scales may be infinite */
  if (desc->error <= tolerance) return true;
  double percent = 100 / s->groups.parts->reach->model;
  return raw_note(s->groups.parts->raw,
                  "clip '%s' is up to %.2g %% of the model's size off the file's curves (%.3g mm); the goal is %.2g %%",
                  desc->name, percent * desc->error, 1e3 * desc->error, percent * tolerance);
}

static bool open_search(search *s) {
  const clip_parts *parts = s->groups.parts;
  clip_rules *rules = &s->groups.rules;
  bool changed;
  if (!clip_truth_find(&s->truth, parts->raw, parts->clip, parts->model, parts->reach, s->desc)) return false;
  *rules = (clip_rules){.tolerance = parts->tolerance, .bending = 0.25};
  if (!parts->exact) rules->rounding = 3, rules->thinning = 0.5, rules->stillness = 0.3;
  if (isfinite(s->truth.farthest)) rules->tolerance = fmax(parts->tolerance, least_of_distance * s->truth.farthest);
  return ones(parts->raw, parts->model->joint_count, &rules->fractions) &&
         clip_errors_open(&s->errors, &s->truth, false, parts->raw) &&
         clip_errors_open(&s->lines, &s->truth, true, parts->raw) && track_groups_find_moving(&s->groups, &changed);
}

bool clip_compress(const clip_parts *parts, clip_desc *desc) {
  search s = {.desc = desc};
  s.groups = (track_groups){.parts = parts, .truth = &s.truth, .first = desc->base};
  bool found = open_search(&s) && fit(&s) && divide_again(&s) && report(&s);
  close_roundings(&s);
  clip_truth_reset(&s.truth);
  return found;
}
