#include "import/clip/track_groups.h"

#include "import/clip/clip_forms.h"
#include "import/clip/clip_thin.h"
#include "model/clip/clip_fit.h"
#include "model/clip/clip_pack.h"

#include <math.h>
#include <string.h>

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
