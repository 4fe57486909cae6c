#include "math/float_env.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

const char *sinew_sample_joint_check(const sinew_sample_joint_job *job) {
  if (!job->model) return "sample joint: the model is missing";
  if (!job->clip) return "sample joint: the clip is missing";
  if (!isfinite(job->time)) return "sample joint: the time is not a finite number";
  if (!job->output) return "sample joint: the output is missing";
  if (job->clip->joint_count != job->model->joint_count) return "sample joint: the clip belongs to another model";
  if (job->joint < 0 || job->joint >= job->model->joint_count) return "sample joint: there is no such joint";
  return NULL;
}

static void read_wide(const clip_pack *pack, int lane, const clip_cursor *cursor, float *v) {
  float weight = pack->step ? 0 : cursor->weight;
  for (int c = 0; c < clip_kind_width((track_kind)pack->kind); c++) {
    int cell = pack->at + (c * pack->track_count + pack->source[lane]) * (int)sizeof *v;
    float a, b;
    memcpy(&a, cursor->a + cell, sizeof a);
    memcpy(&b, cursor->b + cell, sizeof b);
    v[c] = a + weight * (b - a);
  }
}

/* Times −2^15. */
static float lerp_integers(int a, int b, float weight) {
  int part = clip_integer_weight(weight);
  return (float)(a * (part - CLIP_WEIGHT_ONE) - b * part);
}

static void follow_arc(const float *apart, float t, float *q) {
  float square = 0;
  for (int c = 0; c < 4; c++) square += apart[c] * apart[c];
  for (int c = 0; c < 4; c++) q[c] += clip_arc_bend(t) * square * apart[c];
}

static void read_full(const clip_pack *pack, int lane, const clip_cursor *cursor, float *v) {
  float apart[4];
  for (int c = 0; c < 4; c++) {
    int cell = pack->at + clip_full_cell(c, lane) * 2;
    int16_t a, b;
    memcpy(&a, cursor->a + cell, sizeof a);
    memcpy(&b, cursor->b + cell, sizeof b);
    v[c] = lerp_integers(a, b, cursor->weight) / (-(float)CLIP_ONE * CLIP_WEIGHT_ONE);
    apart[c] = (float)(b - a) / CLIP_ONE;
  }
  if (clip_form_is_arc(pack->form)) follow_arc(apart, cursor->weight, v);
}

/* For a lane without a track. */
static void read_middle(const sinew_clip *clip, const clip_pack *pack, int lane, float *v) {
  const clip_block *block = clip_pack_block(clip, pack, 0);
  for (int c = 0; c < 4; c++) v[c] = block->middle[c][lane];
}

static void read_narrow(const sinew_clip *clip, const clip_pack *pack, int lane, const clip_cursor *cursor, float *v) {
  const clip_block *block = clip_pack_block(clip, pack, cursor->segment);
  float middle[4], apart[4];
  for (int c = 0; c < 4; c++) {
    int a = clip_block_integer(block, c, lane, cursor->a), b = clip_block_integer(block, c, lane, cursor->b);
    v[c] = clip_block_scale(block, c, lane) * lerp_integers(a, b, cursor->weight);
    apart[c] = clip_block_scale(block, c, lane) * CLIP_WEIGHT_ONE * (float)(a - b);
    middle[c] = block->middle[c][lane];
  }
  if (pack->kind == TRACK_ROTATION) {
    v[3] += 1;
    if (clip_form_is_arc(pack->form)) follow_arc(apart, cursor->weight, v);
    sinew_quat q = {v[0], v[1], v[2], v[3]};
    q = sinew_quat_multiply((sinew_quat){middle[0], middle[1], middle[2], middle[3]}, q);
    memcpy(v, &q, sizeof q);
  } else {
    for (int c = 0; c < 3; c++) v[c] += middle[c];
  }
}

static void read_track(const sinew_clip *clip, const clip_pack *pack, int lane, double time, float *v) {
  clip_cursor cursor = track_group_seek(clip->track_groups + pack->track_group, time);
  if (pack->form == CLIP_WIDE) read_wide(pack, lane, &cursor, v);
  else if (clip_form_is_full(pack->form)) read_full(pack, lane, &cursor, v);
  else read_narrow(clip, pack, lane, &cursor, v);
}

static void read_pack(const sinew_clip *clip, const clip_pack *pack, int lane, double time, sinew_transform *output) {
  float v[4] = {0};
  if (pack->source[lane] < 0) read_middle(clip, pack, lane, v);
  else read_track(clip, pack, lane, time, v);
  if (pack->kind == TRACK_ROTATION) output->rotation = sinew_quat_normalize((sinew_quat){v[0], v[1], v[2], v[3]});
  else *(pack->kind == TRACK_TRANSLATION ? &output->translation : &output->scale) = (sinew_vec3){v[0], v[1], v[2]};
}

/* The components that no track moves: if the only pack is of integers, it has them for all lanes. */
static sinew_transform held_by(const sinew_clip *clip, int group, int lane) {
  const float(*q)[SINEW_LANES] = clip_held(clip, group, TRACK_ROTATION);
  const float(*t)[SINEW_LANES] = clip_held(clip, group, TRACK_TRANSLATION);
  const float(*s)[SINEW_LANES] = clip_held(clip, group, TRACK_SCALE);
  return (sinew_transform){{t[0][lane], t[1][lane], t[2][lane]},
                           {q[0][lane], q[1][lane], q[2][lane], q[3][lane]},
                           {s[0][lane], s[1][lane], s[2][lane]}};
}

/* The first pack of the group or of a later one. */
static int find_packs(const sinew_clip *clip, int group) {
  int low = 0, high = clip->pack_count;
  while (low < high) {
    int middle = (low + high) / 2;
    if (clip->packs[middle].group < group) low = middle + 1;
    else high = middle;
  }
  return low;
}

static bool is_moved(const sinew_clip *clip, int group) {
  return clip->groups[group].flags & (CLIP_GROUP_TURNS | CLIP_GROUP_MOVES | CLIP_GROUP_SCALES);
}

bool sinew_sample_joint(const sinew_sample_joint_job *job) {
  if (sinew_sample_joint_check(job)) return false;
  uint64_t before = float_env_enter();
  const sinew_clip *clip = job->clip;
  int group = job->joint / SINEW_LANES, lane = job->joint % SINEW_LANES;
  sinew_transform result = held_by(clip, group, lane);
  int first_pack = is_moved(clip, group) ? find_packs(clip, group) : clip->pack_count;
  for (int i = first_pack; i < clip->pack_count && clip->packs[i].group == group; i++) {
    const clip_pack *pack = clip->packs + i;
    bool first = i == first_pack || pack[-1].kind != pack->kind, lone = first && pack->last;
    if (pack->source[lane] < 0 && (!clip_form_is_narrow(pack->form) || !lone)) continue;
    read_pack(clip, pack, lane, job->time, &result);
  }
  *job->output = result;
  float_env_leave(before);
  return true;
}
