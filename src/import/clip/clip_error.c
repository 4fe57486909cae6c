#include "import/clip/clip_error.h"

#include "model/clip/clip_fit.h"

#include <math.h>
#include <string.h>

typedef struct comparison {
  const clip_truth *truth;
  const moments_kernels *kernels;
  const track_group_desc *const *groups; /* frames of one segment behind those of the other */
  int group_count;
  int frames[CLIP_MAX_TRACK_GROUPS]; /* where each track group was read last: moments ascend */
  moments_transform *held;
  moments_matrix *positions;
} comparison;

/* Two frames of a track group, and where eight moments are between them, for floats and as integers have it; one that
 * comes before has a negative part. */
typedef struct between {
  const float *a, *b;
  float part[MOMENTS], rounded[MOMENTS];
  float bend[MOMENTS]; /* of arcs, for frames one apart: clip_arc_bend */
} between;

/* Where a frame is that another one follows, or the last one. */
static const float *frame_at(const track_group_desc *desc, int frame) {
  int shift = desc->segment - 1, count = clip_segment_count(desc->frame_count, shift), segment = frame >> shift;
  int before = segment < count ? segment : count - 1;
  return desc->frames + (size_t)(frame + before) * (size_t)desc->frame_size;
}

static double part_between(const track_group_desc *desc, int frame, double time) {
  if (frame == desc->frame_count - 1) return 0;
  double begin = (double)desc->times[frame], span = (double)desc->times[frame + 1] - begin;
  return span > 0 ? fmin(fmax((time - begin) / span, 0), 1) : 0;
}

/* One for each frame at which eight moments are, one after the other; their number. */
static int find_frames(comparison *c, int index, int first, between pieces[MOMENTS]) {
  const track_group_desc *desc = c->groups[index];
  int count = 0, last = desc->frame_count - 1, found = -1;
  for (int m = 0; m < MOMENTS; m++) {
    double time = clip_truth_time(c->truth, first + m);
    int frame = c->frames[index];
    while (frame < last && (double)desc->times[frame + 1] <= time + clip_same_time) frame++;
    c->frames[index] = frame;
    if (frame != found) {
      const float *a = frame_at(desc, frame);
      between *next = pieces + count++;
      *next = (between){.a = a, .b = frame < last ? a + desc->frame_size : a};
      for (int i = 0; i < m; i++) next->part[i] = next->rounded[i] = -1;
      found = frame;
    }
    float part = (float)part_between(desc, frame, time);
    pieces[count - 1].part[m] = part;
    pieces[count - 1].rounded[m] = (float)clip_integer_weight(part) / CLIP_WEIGHT_ONE;
    pieces[count - 1].bend[m] = clip_arc_bend(pieces[count - 1].rounded[m]);
  }
  return count;
}

static void bend_parts(const between *piece, const float *a, const float *b, float *parts) {
  float square = 0;
  for (int k = 0; k < 4; k++) square += (b[k] - a[k]) * (b[k] - a[k]);
  for (int m = 0; m < MOMENTS; m++) parts[m] = piece->rounded[m] + piece->bend[m] * square;
}

static void follow_track(const comparison *c, const clip_track *track, const between *piece, float (*to)[MOMENTS]) {
  const float *a = piece->a + track->offset, *b = piece->b + track->offset;
  clip_form form = clip_track_form(track);
  const float *parts = form == CLIP_WIDE ? piece->part : piece->rounded;
  float bent[MOMENTS];
  if (clip_form_is_arc((int)form)) {
    bend_parts(piece, a, b, bent);
    parts = bent;
  }
  c->kernels->line(a, track->step ? a : b, clip_kind_width(track->kind), parts, to);
}

static void follow_track_group(comparison *c, int index, int first) {
  const track_group_desc *desc = c->groups[index];
  between pieces[MOMENTS];
  int count = find_frames(c, index, first, pieces);
  for (int i = 0; i < desc->track_count; i++) {
    const clip_track *track = desc->tracks + i;
    if (track->kind == TRACK_MORPH) continue;
    float(*to)[MOMENTS] = c->held[c->truth->slots[track->joint]].v + moments_first(track->kind);
    for (int p = 0; p < count; p++) follow_track(c, track, pieces + p, to);
  }
}

/* Squares, until all are known. */
static void note_errors(int joint, int first, const float *worst, clip_errors *errors) {
  float most = errors->joints[joint], *moments = errors->moments + first;
  for (int m = 0; m < MOMENTS; m++) {
    most = worst[m] > most ? worst[m] : most;
    moments[m] = worst[m] > moments[m] ? worst[m] : moments[m];
  }
  errors->joints[joint] = most;
}

/* What was measured before goes on, as squares. */
static void begin_again(const clip_truth *t, clip_errors *errors) {
  for (int m = 0; m < t->moment_count; m++) errors->moments[m] *= errors->moments[m];
  for (int i = 0; i < t->joint_count; i++) errors->joints[i] *= errors->joints[i];
}

static void begin_anew(const clip_truth *t, clip_errors *errors) {
  memset(errors->moments, 0, ((size_t)t->moment_count + MOMENTS) * sizeof *errors->moments);
  memset(errors->joints, 0, (size_t)t->joint_count * sizeof *errors->joints);
}

static void take_roots(const clip_truth *t, clip_errors *errors) {
  errors->worst = 0;
  for (int m = 0; m < t->moment_count; m++) errors->moments[m] = sqrtf(errors->moments[m]);
  for (int i = 0; i < t->joint_count; i++) {
    errors->joints[i] = sqrtf(errors->joints[i]);
    errors->worst = fmax(errors->worst, (double)errors->joints[i]);
  }
}

static void compare_moments(comparison *c, int first, clip_errors *errors) {
  const clip_truth *t = c->truth;
  const moments_matrix *truth = t->positions + (size_t)(first / MOMENTS) * (size_t)t->joint_count;
  for (int i = 0; i < c->group_count; i++) follow_track_group(c, i, first);
  c->kernels->position(t->joint_count, t->parents, t->above, c->held, c->positions);
  for (int i = 0; i < t->joint_count; i++) {
    float worst[MOMENTS] = {0};
    c->kernels->compare(1, truth + i, c->positions + i, t->shells + i, worst);
    note_errors(i, first, worst, errors);
  }
}

bool clip_errors_open(clip_errors *errors, const clip_truth *t, raw_model *raw) {
  size_t joints = (size_t)t->joint_count;
  errors->moments = raw_alloc(raw, (size_t)t->moment_count + MOMENTS, sizeof *errors->moments);
  errors->joints = raw_alloc(raw, joints, sizeof *errors->joints);
  errors->held = raw_alloc(raw, joints, sizeof *errors->held);
  errors->positions = raw_alloc(raw, joints, sizeof *errors->positions);
  return errors->moments && errors->joints && errors->held && errors->positions;
}

void clip_error_measure(const clip_truth *t, const sinew_transform *base, const track_group_desc *const *groups,
                        int group_count, clip_moments which, clip_errors *errors) {
  comparison c = {.truth = t,
                  .kernels = moments_kernels_current(),
                  .groups = groups,
                  .group_count = group_count,
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
