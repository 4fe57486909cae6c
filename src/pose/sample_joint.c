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

static float lerp_floats(const unsigned char *a, const unsigned char *b, float weight) {
  float from, to;
  memcpy(&from, a, sizeof from);
  memcpy(&to, b, sizeof to);
  return from + weight * (to - from);
}

/* As a range takes it: times −2^15. */
static float lerp_integers(const unsigned char *a, const unsigned char *b, float weight) {
  int16_t from, to;
  memcpy(&from, a, sizeof from);
  memcpy(&to, b, sizeof to);
  int part = clip_integer_weight(weight);
  return (float)(from * (part - CLIP_WEIGHT_ONE) - to * part);
}

static void read_pack(const sinew_clip *clip, const clip_pack *pack, int lane, const clip_cursor *cursor,
                      sinew_transform *output) {
  float v[4] = {0}, weight = pack->hold ? 0 : cursor->weight;
  for (int c = 0; c < clip_kind_width((track_kind)pack->kind); c++) {
    int cell = clip_pack_cell(pack, lane, c);
    v[c] = (pack->wide ? lerp_floats : lerp_integers)(cursor->a + cell, cursor->b + cell, weight);
  }
  if (pack->kind == TRACK_ROTATION) {
    float sign = pack->wide ? 1 : -1;
    output->rotation = sinew_quat_normalize((sinew_quat){sign * v[0], sign * v[1], sign * v[2], sign * v[3]});
    return;
  }
  const clip_range *range = pack->wide ? NULL : clip->ranges + pack->range;
  for (int c = 0; range && c < 3; c++) v[c] = range->bias[c][lane] + range->scale[c][lane] * v[c];
  *(pack->kind == TRACK_TRANSLATION ? &output->translation : &output->scale) = (sinew_vec3){v[0], v[1], v[2]};
}

bool sinew_sample_joint(const sinew_sample_joint_job *job) {
  if (sinew_sample_joint_check(job)) return false;
  uint64_t before = float_env_enter();
  const sinew_clip *clip = job->clip;
  int group = job->joint / SINEW_LANES, lane = job->joint % SINEW_LANES;
  sinew_transform result =
      sinew_pose_joint(&(sinew_pose){(sinew_pose_group *)clip->base, clip->joint_count}, job->joint);
  for (int i = 0; i < clip->pack_count; i++) {
    const clip_pack *pack = clip->packs + i;
    if (pack->group != group || pack->source[lane] < 0) continue;
    clip_cursor cursor = clip_table_seek(clip->tables + pack->table, job->time);
    read_pack(clip, pack, lane, &cursor, &result);
  }
  *job->output = result;
  float_env_leave(before);
  return true;
}
