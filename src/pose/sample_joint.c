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

static sinew_quat between(sinew_quat a, sinew_quat b, float t) {
  float cosine = fminf(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w, 1), angle = acosf(cosine), sine = sinf(angle);
  float wa = sine > 1e-4f ? sinf((1 - t) * angle) / sine : 1 - t, wb = sine > 1e-4f ? sinf(t * angle) / sine : t;
  return (sinew_quat){wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z, wa * a.w + wb * b.w};
}

static void read_wide(const clip_pack *pack, int lane, const unsigned char *row, float *v) {
  for (int c = 0; c < clip_kind_width((track_kind)pack->kind); c++)
    memcpy(v + c, row + pack->at + (c * pack->track_count + pack->source[lane]) * (int)sizeof *v, sizeof *v);
}

/* A rotation is still relative to the middle, and a vector times its scale. */
static void read_narrow(const clip_pack *pack, const clip_block *block, int lane, const unsigned char *row, float *v) {
  v[3] = 1;
  for (int c = 0; c < 3; c++) {
    int integer = clip_spread_integer(row + block->offset[c], block->spread[c] + 2 * lane);
    v[c] = clip_block_scale(block, c, lane) * (float)integer;
    v[3] -= v[c] * v[c];
  }
  if (pack->kind == TRACK_ROTATION) v[3] = sqrtf(v[3]);
}

static sinew_quat middle_of(const clip_block *block, int lane) {
  return (sinew_quat){block->middle[0][lane], block->middle[1][lane], block->middle[2][lane], block->middle[3][lane]};
}

static void read_pack(const sinew_clip *clip, const clip_pack *pack, int lane, const clip_cursor *cursor,
                      sinew_transform *output) {
  const clip_block *block = pack->wide ? NULL : clip_pack_block(clip, pack, cursor->segment);
  float a[4], b[4], t = pack->hold ? 0 : cursor->weight;
  for (int i = 0; i < 2; i++) {
    const unsigned char *row = i ? cursor->b : cursor->a;
    if (block) read_narrow(pack, block, lane, row, i ? b : a);
    else read_wide(pack, lane, row, i ? b : a);
  }
  if (pack->kind == TRACK_ROTATION) {
    sinew_quat q = between((sinew_quat){a[0], a[1], a[2], a[3]}, (sinew_quat){b[0], b[1], b[2], b[3]}, t);
    if (block) q = sinew_quat_multiply(middle_of(block, lane), q);
    output->rotation = sinew_quat_normalize(q);
    return;
  }
  float v[3];
  for (int c = 0; c < 3; c++) v[c] = (block ? block->middle[c][lane] : 0) + a[c] + t * (b[c] - a[c]);
  *(pack->kind == TRACK_TRANSLATION ? &output->translation : &output->scale) = (sinew_vec3){v[0], v[1], v[2]};
}

/* What no track moves: a lone pack of integers says it of all lanes. */
static sinew_transform held_by(const sinew_clip *clip, int group, int lane) {
  const float(*q)[SINEW_LANES] = clip_held(clip, group, TRACK_ROTATION);
  const float(*t)[SINEW_LANES] = clip_held(clip, group, TRACK_TRANSLATION);
  const float(*s)[SINEW_LANES] = clip_held(clip, group, TRACK_SCALE);
  return (sinew_transform){{t[0][lane], t[1][lane], t[2][lane]},
                           {q[0][lane], q[1][lane], q[2][lane], q[3][lane]},
                           {s[0][lane], s[1][lane], s[2][lane]}};
}

bool sinew_sample_joint(const sinew_sample_joint_job *job) {
  if (sinew_sample_joint_check(job)) return false;
  uint64_t before = float_env_enter();
  const sinew_clip *clip = job->clip;
  int group = job->joint / SINEW_LANES, lane = job->joint % SINEW_LANES;
  sinew_transform result = held_by(clip, group, lane);
  for (int i = 0; i < clip->pack_count; i++) {
    const clip_pack *pack = clip->packs + i;
    bool first = i == 0 || pack[-1].group != group || pack[-1].kind != pack->kind, lone = first && pack->last;
    if (pack->group != group || (pack->source[lane] < 0 && (pack->wide || !lone))) continue;
    clip_cursor cursor = clip_table_seek(clip->tables + pack->table, job->time);
    read_pack(clip, pack, lane, &cursor, &result);
  }
  *job->output = result;
  float_env_leave(before);
  return true;
}
