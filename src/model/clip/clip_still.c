#include "model/clip/clip_still.h"

#include "base/error.h"
#include "base/memory/block.h"
#include "base/memory/memory.h"
#include "model/model.h"

typedef struct still_layout {
  sinew_model *model;
  int32_t *above;              /* for each of the span's joints: its nearest ancestor before the span */
  int32_t *first_on, *next_on; /* the first of the span's joints on a joint, and for each of them the next */
  sinew_mat3x4 *ready;         /* of the span's joints, relative to the joint above the span */
  clip_still *found;
  int64_t work, pairs; /* so far: a file may have any number of joints and clips */
} still_layout;

/* About a tenth of a second, and 27 MB. Further clips are sampled like any other. */
static const int64_t most_work = 1 << 24, most_pairs = CLIP_STILL_PAIRS;

static bool has_room(const still_layout *l) { return l->work < most_work && l->pairs < most_pairs; }

/* ---- which groups ---- */

static bool is_still(const sinew_clip *clip, int group) {
  const int moves = CLIP_GROUP_TURNS | CLIP_GROUP_MOVES | CLIP_GROUP_SCALES;
  return group > 0 && !(clip->groups[group].flags & moves); /* the first group has the root, which has no parent */
}

/* The next span from a group on; false if there is none. */
static bool next_span(const sinew_clip *clip, int from, still_span *span) {
  int count = sinew_pose_group_count(clip->joint_count);
  while (from < count && !is_still(clip, from)) from++;
  *span = (still_span){.first = from, .end = from};
  while (span->end < count && is_still(clip, span->end)) span->end++;
  return from < count;
}

static bool hold_alike(const sinew_clip *a, const sinew_clip *b, const still_span *span) {
  for (int g = span->first; g < span->end; g++)
    for (track_kind kind = TRACK_ROTATION; kind <= TRACK_SCALE; kind++) {
      const float(*held)[SINEW_LANES] = clip_held(a, g, kind), (*other)[SINEW_LANES] = clip_held(b, g, kind);
      if (held != other && memcmp(held, other, (size_t)clip_kind_width(kind) * sizeof *held) != 0) return false;
    }
  return true;
}

static bool has_span(const sinew_clip *clip, const still_span *span) {
  int count = sinew_pose_group_count(clip->joint_count);
  if (is_still(clip, span->first - 1) || (span->end < count && is_still(clip, span->end))) return false;
  for (int g = span->first; g < span->end; g++)
    if (!is_still(clip, g)) return false;
  return true;
}

static const still_span *span_at(const clip_still *still, int first) {
  const still_span *span = still->spans;
  while (span->first != first) span++;
  return span;
}

/* An equal span of an earlier clip; examines only some, because there may be thousands. Earlier clips have all their
 * spans, or there would be no room for this one. */
static const still_span *find_same(still_layout *l, int clip, const still_span *span) {
  enum { NEAR = 64 };
  const sinew_clip *clips = l->model->clips;
  for (int i = clip > NEAR ? clip - NEAR : 0; i < clip; i++) {
    l->work += span->end - span->first;
    if (has_span(clips + i, span) && hold_alike(clips + clip, clips + i, span))
      return l->found ? span_at(l->found + i, span->first) : span;
  }
  return NULL;
}

/* ---- the parents of still joints ---- */

static sinew_transform held_transform(const sinew_clip *clip, int joint) {
  int group = joint / SINEW_LANES, i = joint % SINEW_LANES;
  const float(*q)[SINEW_LANES] = clip_held(clip, group, TRACK_ROTATION);
  const float(*t)[SINEW_LANES] = clip_held(clip, group, TRACK_TRANSLATION);
  const float(*s)[SINEW_LANES] = clip_held(clip, group, TRACK_SCALE);
  return (sinew_transform){
      {t[0][i], t[1][i], t[2][i]}, {q[0][i], q[1][i], q[2][i], q[3][i]}, {s[0][i], s[1][i], s[2][i]}};
}

static int joint_end(const sinew_model *model, const still_span *span) {
  int end = span->end * SINEW_LANES;
  return end < model->joint_count ? end : model->joint_count;
}

/* Lists joints from the last one on, so that the lists ascend. Returns the number of runs and pairs. */
static void list_joints(still_layout *l, still_span *span) {
  const int32_t *parents = l->model->parents;
  int first = span->first * SINEW_LANES, end = joint_end(l->model, span);
  for (int i = 0; i < first; i++) l->first_on[i] = -1;
  for (int i = first; i < end; i++) l->above[i] = parents[i] < first ? parents[i] : l->above[parents[i]];
  for (int i = end - 1; i >= first; i--) {
    l->next_on[i] = l->first_on[l->above[i]];
    l->first_on[l->above[i]] = i;
  }
  for (int i = 0; i < first; i++) {
    int count = 0;
    for (int k = l->first_on[i]; k >= 0; k = l->next_on[k]) count++;
    span->run_count += count > 0;
    span->pair_count += (count + 1) / 2;
  }
  l->work += end;
  l->pairs += span->pair_count;
}

static void find_ready(const still_layout *l, const sinew_clip *clip, const still_span *span) {
  int first = span->first * SINEW_LANES, end = joint_end(l->model, span);
  for (int i = first; i < end; i++) {
    sinew_transform held = held_transform(clip, i);
    int parent = l->model->parents[i];
    l->ready[i] = sinew_mat3x4_from_transform(&held);
    if (parent >= first) l->ready[i] = sinew_mat3x4_multiply(l->ready + parent, l->ready + i);
  }
}

static still_pair pair_of(const still_layout *l, int joint, int other) {
  still_pair pair = {.to = {joint * 12, other * 12}};
  for (int e = 0; e < 12; e++) {
    pair.rows[e / 4][e % 4] = l->ready[joint].m[e];
    pair.rows[e / 4][4 + e % 4] = l->ready[other].m[e];
  }
  return pair;
}

static void fill_span(const still_layout *l, const still_span *span, still_run *run, still_pair *pair) {
  for (int i = 0; i < span->first * SINEW_LANES; i++) {
    if (l->first_on[i] < 0) continue;
    *run = (still_run){.above = i * 12};
    for (int k = l->first_on[i]; k >= 0; run->pair_count++) {
      int other = l->next_on[k] >= 0 ? l->next_on[k] : k;
      *pair++ = pair_of(l, k, other);
      k = l->next_on[other];
    }
    run++;
  }
}

/* ---- all of it ---- */

static void lay_span(block *b, still_layout *l, int clip, still_span *span) {
  const still_span *same = find_same(l, clip, span);
  if (same) {
    *span = *same;
    return;
  }
  list_joints(l, span);
  still_run *runs = block_take(b, (size_t)span->run_count, sizeof *runs);
  still_pair *pairs = block_take(b, (size_t)span->pair_count, sizeof *pairs);
  span->runs = runs;
  span->pairs = pairs;
  if (!b->memory) return;
  find_ready(l, l->model->clips + clip, span);
  fill_span(l, span, runs, pairs);
}

static void lay_clip(block *b, still_layout *l, int clip) {
  const sinew_clip *from = l->model->clips + clip;
  still_span span = {0};
  int count = 0, laid = 0;
  while (next_span(from, span.end, &span)) count++;
  still_span *spans = block_take(b, (size_t)count, sizeof *spans);
  span = (still_span){0};
  for (; laid < count && has_room(l); laid++) {
    next_span(from, span.end, &span);
    lay_span(b, l, clip, &span);
    if (spans) spans[laid] = span;
  }
  if (l->found) l->found[clip] = (clip_still){laid, spans};
}

static void lay_all(block *b, void *user) {
  still_layout *l = user;
  l->work = l->pairs = 0;
  l->found = block_take(b, (size_t)l->model->clip_count, sizeof *l->found);
  for (int i = 0; i < l->model->clip_count; i++) lay_clip(b, l, i);
}

bool clip_still_find(sinew_model *model, sinew_error *error) {
  size_t count = (size_t)model->joint_count;
  if (model->clip_count == 0) return true;
  int32_t *links = mem_alloc_array(3 * count, sizeof *links);
  still_layout l = {.model = model, .above = links, .ready = mem_alloc_array(count, sizeof *l.ready)};
  if (links) l.first_on = links + count, l.next_on = links + 2 * count;
  if (links && l.ready) model->still = block_create(lay_all, &l, model->path, error);
  else error_memory(error, model->path, count * sizeof *l.ready);
  mem_free(links);
  mem_free(l.ready);
  for (int i = 0; model->still && i < model->clip_count; i++) model->clips[i].still = model->still + i;
  return model->still != NULL;
}
