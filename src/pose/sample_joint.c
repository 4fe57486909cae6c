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

/* Four numbers of a track between two rows, by the kernel's formulas (pose/kernels/sample.c). */
static void read_wide(const clip_cursor *cursor, int offset, float weight, float out[4]) {
  float a[4], b[4];
  memcpy(a, cursor->a + offset, sizeof a);
  memcpy(b, cursor->b + offset, sizeof b);
  for (int c = 0; c < 4; c++) out[c] = a[c] + weight * (b[c] - a[c]);
}

static void read_narrow(const clip_cursor *cursor, int offset, float weight, float out[4]) {
  int16_t a[4], b[4];
  memcpy(a, cursor->a + offset, sizeof a);
  memcpy(b, cursor->b + offset, sizeof b);
  int wb = (int)(weight * 32767.0f + 0.5f);
  for (int c = 0; c < 4; c++) out[c] = (float)(a[c] * (32767 - wb) + b[c] * wb) / 32767.0f;
}

static void read_pack(const clip_table *table, const clip_pack *pack, int lane, const clip_cursor *cursor,
                      sinew_transform *output) {
  int offset = pack->offset + pack->source[lane] * (pack->wide ? 16 : 8);
  float v[4], weight = pack->hold ? 0 : cursor->weight;
  if (pack->wide) read_wide(cursor, offset, weight, v);
  else read_narrow(cursor, offset, weight, v);
  if (pack->kind == TRACK_ROTATION) {
    output->rotation = sinew_quat_normalize((sinew_quat){v[0], v[1], v[2], v[3]});
    return;
  }
  const clip_range *range = pack->wide ? NULL : table->ranges + pack->range;
  for (int c = 0; range && c < 3; c++) v[c] = range->bias[c][lane] + range->scale[c][lane] * v[c];
  *(pack->kind == TRACK_TRANSLATION ? &output->translation : &output->scale) = (sinew_vec3){v[0], v[1], v[2]};
}

bool sinew_sample_joint(const sinew_sample_joint_job *job) {
  if (sinew_sample_joint_check(job)) return false;
  const sinew_clip *clip = job->clip;
  int group = job->joint / SINEW_LANES, lane = job->joint % SINEW_LANES;
  sinew_transform result =
      sinew_pose_joint(&(sinew_pose){(sinew_pose_group *)clip->base, clip->joint_count}, job->joint);
  for (int t = 0; t < clip->table_count; t++) {
    clip_cursor cursor = clip_table_seek(clip->tables + t, job->time);
    for (int i = 0; i < clip->tables[t].pack_count; i++) {
      const clip_pack *pack = clip->tables[t].packs + i;
      if (pack->group == group && pack->mask[lane] > 0) read_pack(clip->tables + t, pack, lane, &cursor, &result);
    }
  }
  *job->output = result;
  return true;
}
