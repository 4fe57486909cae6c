#include "import/clip/clip_error.h"

#include "model/clip/clip_fit.h"

#include <math.h>
#include <string.h>

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

bool clip_errors_open(clip_errors *errors, const clip_truth *t, bool moments, raw_model *raw) {
  size_t joints = (size_t)t->joint_count;
  if (moments) errors->moments = raw_alloc(raw, (size_t)t->moment_count + MOMENTS, sizeof *errors->moments);
  errors->joints = raw_alloc(raw, joints, sizeof *errors->joints);
  errors->squares = raw_alloc(raw, joints, sizeof *errors->squares);
  errors->held = raw_alloc(raw, joints, sizeof *errors->held);
  errors->positions = raw_alloc(raw, joints, sizeof *errors->positions);
  return (errors->moments || !moments) && errors->joints && errors->squares && errors->held && errors->positions;
}

void clip_error_measure(const clip_truth *t, const sinew_transform *base, const clip_measured *groups, int group_count,
                        clip_moments which, clip_errors *errors) {
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
