#include "declare/counterpart.h"

#include <sinew/pose.h>

#include <math.h>
#include <string.h>

static sinew_transform joint_at(const sinew_model *model, int clip, int joint, double phase) {
  const sinew_clip *c = sinew_model_clip(model, clip);
  sinew_transform out;
  sinew_sample_joint_job job = {model, c, phase * sinew_clip_duration(c), joint, &out};
  sinew_sample_joint(&job);
  return out;
}

/* Within 1 mm and about 1.6 degrees: the clip compiler may have rounded differently. */
static bool is_alike(const sinew_transform *a, const sinew_transform *b) {
  double x = (double)(a->translation.x - b->translation.x), y = (double)(a->translation.y - b->translation.y);
  double z = (double)(a->translation.z - b->translation.z);
  double dot = (double)(a->rotation.x * b->rotation.x + a->rotation.y * b->rotation.y + a->rotation.z * b->rotation.z +
                        a->rotation.w * b->rotation.w);
  return x * x + y * y + z * z < 1e-6 && fabs(dot) > 0.9999;
}

/* Comparing two large models with nearly equal clips could take minutes: above this, only names count. */
enum { EFFORT = 1 << 18 };

static bool moves_alike(const sinew_model *a, int a_clip, const sinew_model *b, int b_clip, int *effort) {
  double lengths[2] = {sinew_clip_duration(sinew_model_clip(a, a_clip)),
                       sinew_clip_duration(sinew_model_clip(b, b_clip))};
  int shared = 0;
  if (fabs(lengths[0] - lengths[1]) > 1e-4) return false;
  for (int joint = 1; joint < sinew_model_joint_count(a) && --*effort > 0; joint++) {
    int other = sinew_model_counterpart(a, joint, b);
    for (double phase = 0.2; other >= 0 && phase < 1; phase += 0.3) {
      sinew_transform x = joint_at(a, a_clip, joint, phase), y = joint_at(b, b_clip, other, phase);
      if (!is_alike(&x, &y)) return false;
      shared++;
    }
  }
  return shared > 0 && *effort > 0;
}

static const char *name_of(const sinew_model *model, int clip) {
  return sinew_clip_name(sinew_model_clip(model, clip));
}

static int find(const sinew_model *from, int clip, const sinew_model *to, int *effort) {
  int named = sinew_model_find_clip(to, name_of(from, clip));
  for (int i = 0; named < 0 && i < sinew_model_clip_count(to) && --*effort > 0; i++)
    if (sinew_model_find_clip(from, name_of(to, i)) < 0 && moves_alike(from, clip, to, i, effort)) return i;
  return named;
}

int counterpart_of_clip(const sinew_model *from, int clip, const sinew_model *to) {
  int effort = EFFORT;
  if (from == to || !from || clip < 0 || clip >= sinew_model_clip_count(from)) return clip;
  return find(from, clip, to, &effort);
}

void counterparts_of_clips(const sinew_model *from, const sinew_model *to, int *clips) {
  int effort = EFFORT;
  for (int i = 0; i < sinew_model_clip_count(from); i++) clips[i] = find(from, i, to, &effort);
}
