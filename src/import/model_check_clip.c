#include "import/model_check.h"

#include <math.h>

static int width(track_kind kind) { return kind == TRACK_ROTATION ? 4 : kind == TRACK_MORPH ? 1 : 3; }

static bool has_target(const sinew_model *m, int mesh, int target) {
  return mesh >= 0 && mesh < m->mesh_count && target >= 0 && target < m->meshes[mesh].morph_count;
}

static bool check_track(const sinew_model *m, const clip_track *track, int row_size) {
  int kind = (int)track->kind;
  if (kind < TRACK_ROTATION || kind > TRACK_MORPH || !check_bool(&track->hold)) return false;
  if (track->offset < 0 || track->offset > row_size - width(track->kind)) return false;
  if (track->kind == TRACK_MORPH) return has_target(m, track->joint, track->target);
  return track->joint >= 0 && track->joint < m->joint_count;
}

static bool check_constant(const sinew_model *m, const sinew_clip *clip, const clip_track *track) {
  return track->kind == TRACK_MORPH && check_bool(&track->hold) && has_target(m, track->joint, track->target) &&
         track->offset >= 0 && track->offset < clip->constant_morph_count;
}

/* Every row of a rotation is of unit length. */
static bool check_rotations(const sinew_clip *clip, const clip_track *track) {
  for (int row = 0; row < clip->row_count; row++) {
    const float *q = clip->rows + (int64_t)row * clip->row_size + track->offset;
    if (!(fabsf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) < 4e-3f)) return false;
  }
  return true;
}

static bool check_tracks(const sinew_model *m, const sinew_clip *clip, int index, sinew_error *error) {
  if (clip->track_count > 0 && clip->row_count < 1)
    return check_refuse(m, error, "clip %d has tracks and no rows", index);
  for (int i = 0; i < clip->track_count; i++)
    if (!check_track(m, clip->tracks + i, clip->row_size))
      return check_refuse(m, error, "track %d of clip %d moves what there is not", i, index);
  for (int i = 0; i < clip->constant_morph_count; i++)
    if (!check_constant(m, clip, clip->constant_morphs + i))
      return check_refuse(m, error, "morph %d of clip %d moves what there is not", i, index);
  if (!check_finite(clip->rows, (int64_t)clip->row_count * clip->row_size) ||
      !check_finite(clip->constant_weights, clip->constant_morph_count))
    return check_refuse(m, error, "a row of clip %d is not finite", index);
  for (int i = 0; i < clip->track_count; i++)
    if (clip->tracks[i].kind == TRACK_ROTATION && !check_rotations(clip, clip->tracks + i))
      return check_refuse(m, error, "a rotation of clip %d is not of unit length", index);
  return true;
}

/* Where a step is given, rows are found by a division: it has to lead to a row that is there. */
static bool check_step(const sinew_clip *clip) {
  float step = clip->uniform_step;
  if (step == 0) return true;
  if (!isfinite(step) || !(step > 0) || clip->row_count < 2) return false;
  for (int i = 0; i < clip->row_count - 1; i++)
    if (!(fabsf(clip->times[i] - (float)i * step) <= 1e-3f * step)) return false;
  return clip->times[clip->row_count - 1] <= (float)(clip->row_count - 1) * step * 1.001f;
}

static bool check_times(const sinew_clip *clip) {
  const float *times = clip->times;
  if (!check_finite(times, clip->row_count) || !isfinite(clip->start) || !isfinite(clip->duration)) return false;
  if (clip->duration < 0 || (clip->row_count > 0 && times[0] < 0)) return false;
  for (int i = 1; i < clip->row_count; i++)
    if (!(times[i] > times[i - 1])) return false;
  return clip->row_count == 0 || (double)times[clip->row_count - 1] <= clip->duration * (1 + 1e-6) + 1e-6;
}

static bool check_carried(const sinew_clip *clip) {
  int lanes = sinew_pose_group_count(clip->joint_count) * SINEW_LANES, carried = 0;
  if (!check_bool(&clip->carries_all)) return false;
  for (int i = 0; i < lanes; i++) {
    float value = clip->carried[i];
    if ((value != 0 && value != 1) || (value != 0 && i >= clip->joint_count)) return false;
    carried += i > 0 && value != 0;
  }
  return clip->carries_all == (carried == clip->joint_count - 1);
}

bool check_clip(const sinew_model *model, const sinew_clip *clip, int index, sinew_error *error) {
  if (clip->joint_count != model->joint_count || clip->row_size < 0)
    return check_refuse(model, error, "clip %d is of another skeleton", index);
  if (!check_times(clip)) return check_refuse(model, error, "the times of clip %d do not ascend from 0 on", index);
  if (!check_step(clip)) return check_refuse(model, error, "the rows of clip %d are not where its step says", index);
  if (!check_carried(clip))
    return check_refuse(model, error, "clip %d does not say clearly which joints it carries", index);
  if (!check_pose(clip->base, clip->joint_count))
    return check_refuse(model, error, "the base pose of clip %d is not finite, or a rotation is not of unit length",
                        index);
  return check_tracks(model, clip, index, error);
}
