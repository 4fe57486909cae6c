#include "import/clip/track_groups.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "model/clip/clip_fit.h"
#include "model/clip/clip_pack.h"

#include <math.h>
#include <string.h>

/* ---- chooses the rotations of a track group that are stored full, and those that follow arcs ---- */

/* From this many frames on, the memory that narrow rotations save outweighs the extra instructions to read them. */
enum { LONG_CLIP = 200, NEARLY_FULL = 6, FEWEST = 3 };
/* The rounding error of a component in full rotations. */
static const double full_rounding = 0.5 / CLIP_ONE;
/* The rounding of the weight between two frames, and the fraction of the tolerance that it may use. */
static const double weight_rounding = 0.5 / CLIP_WEIGHT_ONE, half_of_it = 0.5;

/* Facts about a group's narrow rotations. */
typedef struct group_facts {
  int tracks, free;   /* lanes without a joint, for which a full pack also has room */
  bool bends, rounds; /* needs arcs; is finer than 16 bits of the full range */
} group_facts;

/* Normalised lerp runs ahead of and behind slerp by at most 0.0160 φ³ for quaternions φ apart (clip_arc_bend at its
 * largest); rotations turn by twice the quaternion's angle. */
static bool bends(const clip_parts *parts, const clip_rules *rules, double step, int joint) {
  return 2 * 0.0161 * step * step * step * parts->reach->node[joint] > rules->bending * rules->tolerance;
}

/* There are CLIP_WEIGHT_ONE steps between two integers: a joint that moves far between frames needs more. */
static bool goes_too_far(const clip_parts *parts, const clip_rules *rules, double step, const clip_track *track) {
  double off = step * weight_rounding;
  if (track->kind == TRACK_ROTATION || track->form != CLIP_NARROW) return false;
  return off * (track->kind == TRACK_SCALE ? parts->reach->node : parts->reach->stretch)[track->joint] >
         half_of_it * rules->tolerance;
}

static bool is_narrow_rotation(const clip_track *track) {
  return track->kind == TRACK_ROTATION && clip_track_form(track) == CLIP_NARROW;
}

static bool may_be_full(const group_facts *group, int least) {
  return group->tracks >= FEWEST && group->tracks + group->free >= least && !group->rounds;
}

static clip_form form_of(const group_facts *group, int least) {
  if (may_be_full(group, least)) return group->bends ? CLIP_FULL_ARC : CLIP_FULL;
  return group->bends ? CLIP_ARC : CLIP_NARROW;
}

/* The number of lanes from which a group is stored full. Fewer than eight take the memory of eight, which pays off only
 * if most joints turn. */
static int least_tracks(const group_facts *groups, int count, int frame_count) {
  if (frame_count >= LONG_CLIP) return SINEW_LANES + 1;
  for (int i = 0; i < count; i++)
    if (may_be_full(groups + i, SINEW_LANES)) return NEARLY_FULL;
  return SINEW_LANES;
}

/* The columns of a track group that share a group of the pose get the same form. `frame_count`: that of the clip's
 * longest track group. False when memory runs out. */
static bool clip_forms_choose(const track_groups *groups, const clip_frames *frames, const track_group_desc *desc,
                              int frame_count) {
  const clip_parts *parts = groups->parts;
  const double *steps = clip_frames_steps(frames, desc);
  clip_track *tracks = frames->columns;
  int count = sinew_pose_group_count(parts->model->joint_count + 1);
  group_facts *facts = mem_alloc_zeroed((size_t)count * sizeof *facts);
  if (!facts) return error_memory(parts->raw->error, parts->raw->path, (size_t)count * sizeof *facts);
  facts[0].free = 1; /* the virtual root */
  facts[count - 1].free += count * SINEW_LANES - (parts->model->joint_count + 1);
  for (int i = 0; i < desc->track_count; i++) {
    if (goes_too_far(parts, &groups->rules, steps[i], tracks + i)) tracks[i].form = CLIP_WIDE;
    if (!is_narrow_rotation(tracks + i)) continue;
    group_facts *group = facts + parts->stored[tracks[i].joint] / SINEW_LANES;
    group->tracks++;
    group->bends = group->bends || bends(parts, &groups->rules, steps[i], tracks[i].joint);
    group->rounds = group->rounds || (double)tracks[i].slack < full_rounding;
  }
  int least = least_tracks(facts, count, frame_count);
  for (int i = 0; i < desc->track_count; i++)
    if (is_narrow_rotation(tracks + i))
      tracks[i].form = form_of(facts + parts->stored[tracks[i].joint] / SINEW_LANES, least);
  mem_free(facts);
  return true;
}

/* Drops the frames of a track group that their neighbours reproduce: all but every second, third … frame of an even
 * one, or any frames if that leaves far fewer. */

/* The largest distance between needed frames. */
enum { MOST_STRIDE = 16, MOST_SPAN = 64 };
/* Frames at uneven distances are found more slowly, and their times must be stored. */
static const double worth_uneven = 0.7;
/* The distance that sampling allows between neighbouring rotations, with a margin. */
static const double least_cosine = 0.901;

typedef struct thinning {
  const track_group_desc *desc;
  const double *slack;
  int first, count; /* tracks */
  int strict;       /* the one that said no last */
} thinning;

static inline const float *cell(const thinning *t, int frame, const clip_track *track) {
  return t->desc->frames + (size_t)frame * (size_t)t->desc->frame_size + track->offset;
}

/* ---- do the frames between two lie on the line between them? ---- */

static bool is_held(const thinning *t, const clip_track *track, int a, int b) {
  for (int frame = a + 1; frame < b; frame++)
    if (memcmp(cell(t, a, track), cell(t, frame, track), (size_t)clip_kind_width(track->kind) * sizeof(float)) != 0)
      return false;
  return true;
}

static inline double dot(const double *a, const double *b, int width) {
  double sum = 0;
  for (int k = 0; k < width; k++) sum += a[k] * b[k];
  return sum;
}

/* Whether the squared distance of each frame from its position on the line is at most this. */
static inline bool are_on_line(const thinning *t, const clip_track *track, int a, int b, double square, int width) {
  const float *from = cell(t, a, track), *to = cell(t, b, track), *is = from, *times = t->desc->times;
  double begin = (double)times[a], per_second = 1 / ((double)times[b] - begin), start[4], way[4];
  for (int k = 0; k < width; k++) start[k] = (double)from[k], way[k] = (double)to[k] - start[k];
  for (int frame = a + 1; frame < b; frame++) {
    double line[4], off[4], w = ((double)times[frame] - begin) * per_second, scale = 1;
    is += t->desc->frame_size;
    for (int k = 0; k < width; k++) line[k] = start[k] + w * way[k];
    if (width == 4) scale = 1 / sqrt(dot(line, line, 4));
    for (int k = 0; k < width; k++) off[k] = scale * line[k] - (double)is[k];
    if (!(dot(off, off, width) <= square)) return false;
  }
  return true;
}

static bool is_close(const thinning *t, const clip_track *track, int a, int b) {
  const float *p = cell(t, a, track), *q = cell(t, b, track);
  double cosine = 0;
  for (int k = 0; k < 4; k++) cosine += (double)p[k] * (double)q[k];
  return cosine >= least_cosine;
}

static bool is_line(const thinning *t, int index, int a, int b) {
  const clip_track *track = t->desc->tracks + index;
  double square = t->slack[index] * t->slack[index];
  if (track->step) return is_held(t, track, a, b);
  switch (track->kind) {
  case TRACK_ROTATION: return is_close(t, track, a, b) && are_on_line(t, track, a, b, square, 4);
  case TRACK_MORPH: return are_on_line(t, track, a, b, square, 1);
  case TRACK_TRANSLATION:
  case TRACK_SCALE: break;
  }
  return are_on_line(t, track, a, b, square, 3);
}

static bool are_lines(thinning *t, int a, int b) {
  if (!is_line(t, t->strict, a, b)) return false;
  for (int i = t->first; i < t->first + t->count; i++)
    if (i != t->strict && !is_line(t, i, a, b)) return t->strict = i, false;
  return true;
}

/* ---- which frames ---- */

/* All times except the last may be off by the tolerance of clip_pack.c. */
static bool are_even(const track_group_desc *desc) {
  int last = desc->frame_count - 1;
  double step = (double)desc->times[1];
  for (int i = 0; i < last; i++)
    if (fabs((double)desc->times[i] - i * step) > 1e-4 * step) return false;
  return true;
}

static bool fits_stride(thinning *t, int stride) {
  int last = t->desc->frame_count - 1;
  for (int frame = 0; frame < last; frame += stride)
    if (!are_lines(t, frame, frame + stride < last ? frame + stride : last)) return false;
  return true;
}

static int find_stride(thinning *t) {
  int stride = are_even(t->desc) ? MOST_STRIDE : 1;
  while (stride > 1 && !fits_stride(t, stride)) stride--;
  return stride;
}

static int keep_stride(int frame_count, int stride, int *needed) {
  int count = 0, last = frame_count - 1;
  for (int frame = 0; frame < last; frame += stride) needed[count++] = frame;
  needed[count++] = last;
  return count;
}

/* Roughly the farthest frame that lines from this one reach: found by doubling, then halving. */
static int find_end(thinning *t, int frame) {
  int last = t->desc->frame_count - 1, good = frame + 1, span = 2;
  for (; span <= MOST_SPAN && frame + span <= last && are_lines(t, frame, frame + span); span *= 2) good = frame + span;
  int bad = frame + span <= last ? frame + span : last + 1;
  while (good + 1 < bad && span <= MOST_SPAN) {
    int middle = good + (bad - good) / 2;
    if (are_lines(t, frame, middle)) good = middle;
    else bad = middle;
  }
  return good;
}

static int keep_ends(thinning *t, int *needed) {
  int count = 0, last = t->desc->frame_count - 1;
  for (int frame = 0; frame < last; frame = find_end(t, frame)) needed[count++] = frame;
  needed[count++] = last;
  return count;
}

int clip_thin_find(const track_group_desc *desc, const double *slack, int first, int count, int *needed) {
  thinning t = {desc, slack, first, count, first};
  if (desc->frame_count < 3) return keep_stride(desc->frame_count, 1, needed);
  int stride = find_stride(&t), even = (desc->frame_count - 2) / stride + 2, uneven = keep_ends(&t, needed);
  return uneven <= worth_uneven * even ? uneven : keep_stride(desc->frame_count, stride, needed);
}

/* Keeps only these frames, in new memory of the raw model. When that runs out, returns false and sets raw->error. */
static bool clip_thin_apply(raw_model *raw, track_group_desc *desc, const int *needed, int count) {
  size_t frame_size = (size_t)desc->frame_size;
  float *frames = raw_room(raw, (size_t)count * frame_size, sizeof *frames);
  float *times = raw_room(raw, (size_t)count, sizeof *times);
  if (!frames || !times) return false;
  for (int i = 0; i < count; i++) {
    memcpy(frames + (size_t)i * frame_size, desc->frames + (size_t)needed[i] * frame_size, frame_size * sizeof *frames);
    times[i] = desc->times[needed[i]];
  }
  desc->frames = frames;
  desc->times = times;
  desc->frame_count = count;
  return true;
}

/* ---- track groups ---- */

/* A clip is split if that reduces its size to this fraction. */
static const double worth_splitting = 0.85;
/* Curves belong together if the numbers of frames that they need are within this factor. */
static const int frame_ratio = 2;

/* The allowed error of a track's number within the fraction of the tolerance reserved for stillness. */
static double find_stillness(const track_groups *f, const raw_track *track) {
  double allowed = f->rules.stillness * f->rules.tolerance;
  if (track->kind == TRACK_MORPH) return allowed;
  if (track->kind == TRACK_TRANSLATION) return allowed / f->parts->reach->stretch[track->node];
  double reach = f->parts->reach->node[track->node];
  return track->kind == TRACK_ROTATION ? 0.5 * allowed / reach : allowed / reach;
}

static bool moves(const track_groups *f, const raw_track *track) {
  if (track->kind == TRACK_MORPH || f->rules.stillness <= 0) return curve_moves(track);
  return !curve_stays(track, find_stillness(f, track));
}

static double apart(const float *a, const float *b, int width) {
  double square = 0, other = 0;
  for (int k = 0; k < width; k++) {
    square += ((double)a[k] - (double)b[k]) * ((double)a[k] - (double)b[k]);
    other += ((double)a[k] + (double)b[k]) * ((double)a[k] + (double)b[k]);
  }
  return sqrt(width == 4 ? fmin(square, other) : square);
}

/* A joint that nearly rests is stored as resting, which takes no memory. */
static void rest_track(const track_groups *f, const raw_track *track, sinew_transform *base) {
  const sinew_transform *rest = &f->parts->model->joints[track->node].rest;
  double slack = find_stillness(f, track);
  if (track->kind == TRACK_ROTATION) {
    if (apart(&base->rotation.x, &rest->rotation.x, 4) <= slack) base->rotation = rest->rotation;
  } else if (track->kind == TRACK_TRANSLATION) {
    if (apart(&base->translation.x, &rest->translation.x, 3) <= slack) base->translation = rest->translation;
  } else if (apart(&base->scale.x, &rest->scale.x, 3) <= slack) {
    base->scale = rest->scale;
  }
}

void track_groups_forget_frames(track_groups *f) { f->filled = false; }

/* With less stillness, more curves move; if as many move, they are the same ones. */
static bool is_as_before(const track_groups *f, const sinew_transform *base, int moving_count) {
  size_t joints = (size_t)f->parts->model->joint_count;
  return f->moving_count == moving_count && memcmp(f->base, base, joints * sizeof *base) == 0;
}

static void list_moving(track_groups *f) {
  const raw_clip *clip = f->parts->clip;
  f->moving_count = 0;
  for (int i = 0; i < clip->track_count; i++) {
    const raw_track *track = clip->tracks + i;
    if (moves(f, track)) f->moving[f->moving_count++] = track;
    else if (track->kind != TRACK_MORPH && f->rules.stillness > 0) rest_track(f, track, f->base + track->node);
  }
}

bool track_groups_find_moving(track_groups *f, bool *changed) {
  raw_model *raw = f->parts->raw;
  size_t tracks = (size_t)f->parts->clip->track_count;
  const sinew_transform *base = f->base;
  int count = f->moving_count;
  f->base = raw_copy(raw, f->first, (size_t)f->parts->model->joint_count, sizeof *f->base);
  if (!f->moving) f->moving = raw_alloc(raw, tracks, sizeof *f->moving);
  if (!f->levels) f->levels = raw_alloc(raw, tracks, sizeof *f->levels);
  if (!f->base || !f->moving || !f->levels) return false;
  list_moving(f);
  *changed = !base || !is_as_before(f, base, count);
  if (!*changed) return true;
  f->level_count = 0;
  track_groups_forget_frames(f);
  return true;
}

/* ---- one track group ---- */

static double *find_slack(const clip_frames *frames) {
  double *slack = raw_alloc(frames->raw, (size_t)frames->track_count, sizeof *slack);
  for (int i = 0; slack && i < frames->track_count; i++) slack[i] = clip_frames_slack(frames, i);
  return slack;
}

/* Builds the curves of one level, or all of them for level −1, with every frame. */
static bool build_full(const track_groups *f, int level, clip_frames *frames, track_group_desc *desc) {
  const clip_parts *p = f->parts;
  *frames = (clip_frames){.raw = p->raw,
                          .clip = p->clip,
                          .reach = p->reach,
                          .truth = f->truth,
                          .rules = &f->rules,
                          .start = p->start,
                          .end = p->end,
                          .like = level < 0 ? NULL : &f->whole_frames,
                          .like_track_group = &f->whole};
  frames->tracks = raw_alloc(p->raw, (size_t)f->moving_count, sizeof *frames->tracks);
  if (!frames->tracks) return false;
  for (int i = 0; i < f->moving_count; i++)
    if (level < 0 || f->levels[i] == level) frames->tracks[frames->track_count++] = f->moving[i];
  return clip_frames_build(frames, desc);
}

/* Keys that were chosen for one joint leave nothing to thin or to split. */
static bool is_lean(const track_groups *f) {
  const raw_track *first = f->moving[0];
  bool lean = f->parts->clip->lean;
  for (int i = 0; lean && i < f->moving_count; i++)
    lean = f->moving[i]->kind != TRACK_MORPH && f->moving[i]->node == first->node;
  return lean;
}

static bool thin(const track_groups *f, const clip_frames *frames, track_group_desc *desc) {
  if (f->rules.thinning <= 0 || is_lean(f)) return true;
  double *slack = find_slack(frames);
  int *needed = raw_alloc(frames->raw, (size_t)desc->frame_count, sizeof *needed);
  if (!slack || !needed) return false;
  int count = clip_thin_find(desc, slack, 0, desc->track_count, needed);
  return count == desc->frame_count || clip_thin_apply(frames->raw, desc, needed, count);
}

/* ---- levels ---- */

/* Counts the frames that each curve alone would need. */
static bool count_frames(const track_groups *f, const clip_frames *frames, const track_group_desc *whole, int *counts) {
  double *slack = find_slack(frames);
  int *needed = raw_alloc(frames->raw, (size_t)whole->frame_count, sizeof *needed);
  if (!slack || !needed) return false;
  for (int i = 0; i < f->moving_count; i++) {
    int keys = f->moving[i]->key_count;
    counts[i] = f->rules.thinning > 0 ? clip_thin_find(whole, slack, i, 1, needed) : whole->frame_count;
    if (keys < counts[i]) counts[i] = keys;
  }
  return true;
}

static int level_of(int frames, int most) {
  int level = 0;
  double intervals = frames - 1;
  for (; intervals * frame_ratio <= most && level < CLIP_MAX_TRACK_GROUPS - 1; intervals *= frame_ratio) level++;
  return level;
}

/* Keeps tracks of one pack together: sampling a pack takes as long with one track as with eight. */
static void join_packs(const track_groups *f) {
  const int32_t *stored = f->parts->stored;
  for (int i = 0; i < f->moving_count; i++)
    for (int k = 0; k < f->moving_count; k++) {
      const raw_track *a = f->moving[i], *b = f->moving[k];
      if (a->kind == b->kind && a->kind != TRACK_MORPH &&
          stored[a->node] / SINEW_LANES == stored[b->node] / SINEW_LANES && f->levels[k] < f->levels[i])
        f->levels[i] = f->levels[k];
    }
}

static bool has_level(const track_groups *f, int level) {
  for (int i = 0; i < f->moving_count; i++)
    if (f->levels[i] == level) return true;
  return false;
}

static bool find_levels(track_groups *f, const clip_frames *frames, const track_group_desc *whole) {
  if (is_lean(f)) {
    memset(f->levels, 0, (size_t)f->moving_count * sizeof *f->levels);
    f->level_count = 1;
    return true;
  }
  int *counts = raw_alloc(frames->raw, (size_t)f->moving_count, sizeof *counts), most = 1;
  if (!counts || !count_frames(f, frames, whole, counts)) return false;
  for (int i = 0; i < f->moving_count; i++) most = counts[i] > most ? counts[i] : most;
  for (int i = 0; i < f->moving_count; i++) f->levels[i] = level_of(counts[i], most);
  join_packs(f);
  for (int level = 0; level < CLIP_MAX_TRACK_GROUPS; level++) f->level_count += has_level(f, level);
  return true;
}

/* ---- track groups ---- */

/* Builds them with every frame, and then thins. */
static bool fill_track_groups(track_groups *f) {
  if (f->filled) return true;
  if (!build_full(f, -1, &f->whole_frames, &f->whole)) return false;
  if (f->level_count == 0 && !find_levels(f, &f->whole_frames, &f->whole)) return false;
  for (int level = 0; level < CLIP_MAX_TRACK_GROUPS && f->level_count > 1; level++)
    if (has_level(f, level) && !build_full(f, level, f->level_frames + level, f->level_track_groups + level))
      return false;
  return f->filled = true;
}

static bool judge(const track_groups *f, const clip_frames *frames, const track_group_desc *desc, int frame_count) {
  clip_frames_judge(frames);
  return clip_forms_choose(f, frames, desc, frame_count);
}

/* The size in bytes of its frames and blocks, with the best segments, which it sets; `frame_count`: of the clip's
 * longest track group. Negative when memory runs out. */
static double weigh(const track_groups *f, const clip_frames *frames, track_group_desc *desc, int frame_count) {
  double narrow, fixed = 0;
  if (!judge(f, frames, desc, frame_count)) return -1;
  desc->segment = clip_fit_segment(desc, clip_count_narrow(desc, f->parts->stored), frames->sizes, &narrow);
  for (int i = 0; i < desc->track_count; i++) {
    clip_form form = clip_track_form(desc->tracks + i);
    if (clip_form_is_full((int)form)) fixed += 4 * sizeof(int16_t);
    else if (form == CLIP_WIDE) fixed += clip_kind_width(desc->tracks[i].kind) * (double)sizeof(float);
  }
  return narrow + fixed * desc->frame_count;
}

/* Builds a track group for each level, and returns the sum of their sizes. Negative when memory runs out. */
static double build_levels(track_groups *f) {
  double size = 0;
  for (int level = 0; level < CLIP_MAX_TRACK_GROUPS; level++) {
    track_group_desc *desc = f->groups + f->count;
    clip_frames *frames = f->frames + f->count;
    if (!has_level(f, level)) continue;
    *frames = f->level_frames[level];
    *desc = f->level_track_groups[level];
    if (!thin(f, frames, desc)) return -1;
    f->count++;
    double own = weigh(f, frames, desc, f->groups[0].frame_count);
    if (own < 0) return -1;
    size += own;
  }
  return size;
}

bool track_groups_build(track_groups *f) {
  f->count = 0;
  if (f->moving_count == 0) return true;
  if (!fill_track_groups(f)) return false;
  track_group_desc thinned = f->whole;
  if (!thin(f, &f->whole_frames, &thinned)) return false;
  double levels = f->level_count > 1 ? build_levels(f) : HUGE_VAL;
  double whole = weigh(f, &f->whole_frames, &thinned, thinned.frame_count);
  if (levels < 0 || whole < 0) return false;
  if (levels <= worth_splitting * whole) return true;
  f->frames[0] = f->whole_frames;
  f->groups[0] = thinned;
  f->count = 1;
  return true;
}

bool track_groups_judge(track_groups *f) {
  int most = 0;
  for (int i = 0; i < f->count; i++) most = f->groups[i].frame_count > most ? f->groups[i].frame_count : most;
  for (int i = 0; i < f->count; i++)
    if (!judge(f, f->frames + i, f->groups + i, most)) return false;
  return true;
}

bool track_groups_judge_whole(track_groups *f) {
  return f->moving_count == 0 || judge(f, &f->whole_frames, &f->whole, f->whole.frame_count);
}

bool track_groups_bend(const track_groups *f) {
  for (int i = 0; i < f->moving_count; i++) {
    const raw_track *track = f->moving[i];
    if (track->interpolation == RAW_CUBIC || (track->interpolation == RAW_LINEAR && track->kind == TRACK_ROTATION))
      return true;
  }
  return false;
}

bool track_groups_are_thinned(const track_groups *f) {
  return f->count > 1 || (f->count == 1 && f->groups[0].frame_count < f->whole.frame_count);
}
