/* A clip's moving curves become track groups with key frames (clip_compress.c); curves that never move go to the base
 * pose. */
#include "import/build/build.h"

#include "base/error.h"
#include "base/jobs.h"
#include "import/clip/clip_compress.h"
#include "model/clip/clip.h"
#include "model/clip/clip_fit.h"

#include <math.h>

/* As fractions of the model's size: the tolerance of clips, 0.1 mm for a person, and that of clips that must be
 * exact. */
static const double tolerance_of_reach = 5e-5, exact_of_reach = 1e-5;

/* The first and the last key of all curves: frames begin and end there even if no moving curve has a key there. */
static void find_span(clip_parts *t) {
  for (int i = 0; i < t->clip->track_count; i++) {
    const raw_track *track = t->clip->tracks + i;
    double first = track->times[0], last = track->times[track->key_count - 1];
    t->start = i == 0 || first < t->start ? first : t->start;
    t->end = i == 0 || last > t->end ? last : t->end;
  }
}

/* ---- joints that never move ---- */

static void set_base(const raw_track *track, sinew_transform *base) {
  double v[4];
  curve_key(track, 0, v);
  sinew_vec3 vector = {(float)v[0], (float)v[1], (float)v[2]};
  if (track->kind == TRACK_ROTATION) base->rotation = (sinew_quat){vector.x, vector.y, vector.z, (float)v[3]};
  else if (track->kind == TRACK_TRANSLATION) base->translation = vector;
  else base->scale = vector;
  *base = build_transform(*base);
}

static bool fill_base(clip_parts *t, const model_desc *model, clip_desc *desc) {
  sinew_transform *base = raw_alloc(t->raw, (size_t)model->joint_count, sizeof *base);
  bool *animated = raw_alloc(t->raw, (size_t)model->joint_count, sizeof *animated);
  if (!base || !animated) return false;
  for (int i = 0; i < model->joint_count; i++) base[i] = model->joints[i].rest;
  for (int i = 0; i < t->clip->track_count; i++) {
    const raw_track *track = t->clip->tracks + i;
    if (track->kind == TRACK_MORPH) continue;
    animated[track->node] = true;
    set_base(track, base + track->node);
  }
  desc->base = base;
  desc->animated = animated;
  return true;
}

/* ---- morph weights that never move ---- */

/* The curve of every target of every mesh, or NULL; `first`: where each mesh's begin, and their number. */
static bool find_morphs(clip_parts *t, const raw_track ***curves, size_t **first) {
  int meshes = t->raw->mesh_count;
  *first = raw_alloc(t->raw, (size_t)meshes + 1, sizeof **first);
  for (int m = 0; *first && m < meshes; m++) (*first)[m + 1] = (*first)[m] + (size_t)t->raw->meshes[m].morph_count;
  *curves = *first ? raw_alloc(t->raw, (*first)[meshes], sizeof **curves) : NULL;
  for (int i = t->clip->track_count - 1; *curves && i >= 0; i--) { /* if there are several, the first one counts */
    const raw_track *track = t->clip->tracks + i;
    if (track->kind == TRACK_MORPH) (*curves)[(*first)[track->node] + (size_t)track->target] = track;
  }
  return *curves != NULL;
}

/* A target without a curve keeps the weight that the file gives it at rest. */
static bool fill_morphs(clip_parts *t, clip_desc *desc) {
  const raw_track **curves;
  size_t *first;
  if (!find_morphs(t, &curves, &first)) return false;
  size_t count = first[t->raw->mesh_count];
  clip_track *tracks = raw_alloc(t->raw, count, sizeof *tracks);
  float *weights = raw_alloc(t->raw, count, sizeof *weights);
  if (!tracks || !weights) return false;
  int n = 0;
  for (int m = 0; m < t->raw->mesh_count; m++)
    for (int k = 0; k < t->raw->meshes[m].morph_count; k++) {
      const raw_track *track = curves[first[m] + (size_t)k];
      if (track && curve_moves(track)) continue;
      double rest = (double)t->raw->meshes[m].morphs[k].weight, value[4] = {rest}; /* curve_key may write a rotation */
      if (track) curve_key(track, 0, value);
      if (value[0] == 0 && rest == 0) continue;
      tracks[n] = (clip_track){.kind = TRACK_MORPH, .joint = m, .target = k, .offset = n, .form = CLIP_WIDE};
      weights[n++] = (float)value[0];
    }
  desc->constant_morphs = tracks;
  desc->constant_weights = weights;
  desc->constant_morph_count = n;
  return true;
}

/* ---- named numbers ---- */

/* Converts from the file's time to the clip's. Keys outside the clip leave their value at its ends. */
static int cut_curve(const clip_parts *t, double duration, const sinew_curve_view *from, sinew_curve_key *keys) {
  double end = t->start + duration;
  int count = 0, last = from->count - 1;
  for (int i = 0; i <= last; i++) {
    sinew_curve_key key = from->keys[i];
    if (key.time < t->start || key.time > end) continue;
    if (count == 0 && i > 0 && key.time > t->start)
      keys[count++] = (sinew_curve_key){0, clip_curve_value(from, t->start)};
    keys[count++] = (sinew_curve_key){fmin(key.time - t->start, duration), key.value};
  }
  if (count == 0) keys[count++] = (sinew_curve_key){0, clip_curve_value(from, t->start)};
  if (from->keys[last].time > end && keys[count - 1].time < duration)
    keys[count++] = (sinew_curve_key){duration, clip_curve_value(from, end)};
  return count;
}

static bool fill_curves(clip_parts *t, clip_desc *desc) {
  sinew_curve_view *curves = raw_alloc(t->raw, (size_t)t->clip->curve_count, sizeof *curves);
  if (!curves) return false;
  for (int i = 0; i < t->clip->curve_count; i++) {
    const sinew_curve_view *from = t->clip->curves + i;
    sinew_curve_key *keys = raw_alloc(t->raw, (size_t)from->count + 2, sizeof *keys);
    if (!keys) return false;
    curves[i] = (sinew_curve_view){from->name, keys, cut_curve(t, desc->duration, from, keys)};
  }
  desc->curves = curves;
  desc->curve_count = t->clip->curve_count;
  return true;
}

/* ---- a clip ---- */

static bool build_clip(clip_parts *t, clip_desc *desc) {
  find_span(t);
  *desc = (clip_desc){.name = t->clip->name,
                      .file_name = t->clip->file_name,
                      .fit = t->clip->fit,
                      .start = t->start,
                      .duration = t->end - t->start};
  if (!fill_base(t, t->model, desc) || !fill_morphs(t, desc) || !clip_compress(t, desc)) return false;
  for (int i = 0; i < desc->track_group_count; i++) {
    /* the last time may be off by more than rounding, if frames had to be told apart (clip_frames.c) */
    float last = desc->track_groups[i].times[desc->track_groups[i].frame_count - 1];
    if (last > (float)desc->duration) desc->duration = (double)last;
  }
  return fill_curves(t, desc);
}

/* ---- memory that outlives a clip's build ---- */

static bool keep(raw_model *raw, const void **array, size_t count, size_t size) {
  if (*array) *array = raw_copy(raw, *array, count, size);
  return *array || count == 0;
}

#define KEEP(raw, array, count) keep(raw, (const void **)(uintptr_t) & (array), (size_t)(count), sizeof *(array))

/* Whether the frames are the keys of a curve, which live as long as the raw model. */
static bool are_keys(const raw_clip *clip, const float *frames) {
  for (int i = 0; i < clip->track_count; i++)
    if (clip->tracks[i].values == frames) return true;
  return false;
}

static bool keep_track_group(raw_model *raw, const raw_clip *clip, track_group_desc *t) {
  size_t fits = (size_t)clip_segment_count(t->frame_count, t->segment - 1) * (size_t)t->track_count;
  return KEEP(raw, t->times, t->frame_count) &&
         (are_keys(clip, t->frames) || KEEP(raw, t->frames, (size_t)t->frame_count * (size_t)t->frame_size)) &&
         KEEP(raw, t->tracks, t->track_count) && KEEP(raw, t->fits, fits);
}

static bool keep_curves(raw_model *raw, clip_desc *desc) {
  sinew_curve_view *curves = raw_copy(raw, desc->curves, (size_t)desc->curve_count, sizeof *curves);
  desc->curves = curves;
  for (int i = 0; curves && i < desc->curve_count; i++)
    if (!KEEP(raw, curves[i].keys, curves[i].count)) return false;
  return curves != NULL;
}

static bool keep_clip(raw_model *raw, const raw_clip *clip, int joint_count, clip_desc *desc) {
  track_group_desc *groups = raw_copy(raw, desc->track_groups, (size_t)desc->track_group_count, sizeof *groups);
  bool kept = groups && KEEP(raw, desc->base, joint_count) && KEEP(raw, desc->animated, joint_count) &&
              KEEP(raw, desc->constant_morphs, desc->constant_morph_count) &&
              KEEP(raw, desc->constant_weights, desc->constant_morph_count);
  for (int i = 0; kept && i < desc->track_group_count; i++) kept = keep_track_group(raw, clip, groups + i);
  desc->track_groups = groups;
  return kept && keep_curves(raw, desc);
}

/* By file order, as model_create orders them. */
static int32_t *find_stored(raw_model *raw, const model_desc *desc) {
  size_t count = (size_t)desc->joint_count + 1;
  int32_t *order = raw_alloc(raw, count * 3, sizeof *order), *stored = raw_alloc(raw, count, sizeof *stored);
  if (!order || !stored) return NULL;
  model_order_joints(desc, order, order + count);
  for (size_t i = 1; i < count; i++) stored[order[i]] = (int32_t)i;
  return stored;
}

/* ---- all clips ---- */

/* The work on one clip, in a separate part of the model's memory, so that clips can be built in parallel. */
typedef struct clip_task {
  clip_parts parts;
  clip_desc *desc;
  raw_model raw;
  sinew_error error;
  bool built;
} clip_task;

/* The number of keys for which another thread pays off. */
static const int keys_a_thread = 4000;

/* Intermediate clips of the search are freed with its task. */
static bool build_alone(clip_task *task) {
  raw_model tries = raw_part(&task->raw, &task->error);
  task->parts.raw = &tries;
  bool built = build_clip(&task->parts, task->desc) &&
               keep_clip(&task->raw, task->parts.clip, task->parts.model->joint_count, task->desc) &&
               raw_join_notes(&task->raw, &tries);
  raw_release(&tries);
  return built;
}

static void build_some(void *user, int worker, int begin, int end) {
  clip_task *tasks = user;
  (void)worker;
  for (int i = begin; i < end; i++) tasks[i].built = build_alone(tasks + i);
}

static int count_threads(const raw_model *raw) {
  int64_t keys = 0;
  for (int c = 0; c < raw->clip_count; c++)
    for (int i = 0; i < raw->clips[c].track_count; i++) keys += raw->clips[c].tracks[i].key_count;
  int64_t most = keys / keys_a_thread < raw->clip_count ? keys / keys_a_thread : raw->clip_count;
  if (most < 2) return 1;
  int threads = jobs_default_threads();
  return most < threads ? (int)most : threads;
}

/* Without further threads, everything runs on this one. */
static void run_tasks(clip_task *tasks, int count, int threads) {
  jobs *pool = threads > 1 ? jobs_create(threads, NULL) : NULL;
  if (pool) jobs_run(pool, count, 1, build_some, tasks);
  else build_some(tasks, 0, 0, count);
  jobs_destroy(pool);
}

/* The error is that of the first clip that could not be built. */
static bool join_tasks(raw_model *raw, clip_task *tasks, int count) {
  bool built = true;
  for (int i = 0; i < count; i++) {
    if (built && !tasks[i].built) error_set(raw->error, "%s", tasks[i].error.message);
    built = raw_join(raw, &tasks[i].raw) && tasks[i].built && built;
  }
  return built;
}

/* Track groups have their own times; the values that they share with tracks lie between those of others. */
static void drop_shared_times(raw_model *raw) {
  for (int c = 0; c < raw->clip_count; c++) {
    const double *times = NULL;
    for (int i = 0; i < raw->clips[c].track_count; i++) {
      raw_track *track = raw->clips[c].tracks + i;
      if (!track->stride) continue;
      if (track->times != times) raw_drop(raw, track->times);
      times = track->times;
      track->times = NULL;
      track->key_count = 0;
    }
  }
}

static double find_tolerance(const clip_reach *reach, bool exact, double wanted) {
  if (wanted > 0) return wanted;
  return (exact ? exact_of_reach : tolerance_of_reach) * reach->model;
}

bool build_clips(raw_model *raw, bool exact, double tolerance, model_desc *desc) {
  clip_desc *clips = raw_alloc(raw, (size_t)raw->clip_count, sizeof *clips);
  clip_task *tasks = raw_alloc(raw, (size_t)raw->clip_count, sizeof *tasks);
  int32_t *stored = find_stored(raw, desc);
  clip_reach reach;
  if (!clips || !tasks || !stored || !clip_reach_find(raw, desc, &reach)) return false;
  for (int i = 0; i < raw->clip_count; i++) {
    tasks[i].desc = clips + i;
    tasks[i].raw = raw_part(raw, &tasks[i].error);
    tasks[i].parts = (clip_parts){.clip = raw->clips + i,
                                  .model = desc,
                                  .reach = &reach,
                                  .stored = stored,
                                  .tolerance = find_tolerance(&reach, exact, tolerance),
                                  .exact = exact};
  }
  run_tasks(tasks, raw->clip_count, count_threads(raw));
  desc->clips = clips;
  desc->clip_count = raw->clip_count;
  bool built = join_tasks(raw, tasks, raw->clip_count);
  drop_shared_times(raw);
  return built;
}
