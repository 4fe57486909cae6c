#include "import/cook/model_check.h"
#include "import/kernels.h"
#include "model/clip/clip.h"
#include "model/clip/clip_fit.h"

#include <math.h>
#include <string.h>

static bool has_target(const sinew_model *m, int mesh, int target) {
  return mesh >= 0 && mesh < m->mesh_count && target >= 0 && target < m->meshes[mesh].morph_count;
}

/* ---- packs ---- */

static bool check_pack(const sinew_clip *clip, const clip_pack *pack) {
  if (!check_bool(&pack->step) || !check_bool(&pack->last)) return false;
  if (pack->track_group >= clip->track_group_count || pack->at < 0) return false;
  if (pack->kind > TRACK_SCALE || pack->group < 0 || pack->group >= sinew_pose_group_count(clip->joint_count))
    return false;
  if (pack->track_count < 1 || pack->track_count > SINEW_LANES) return false;
  const track_group *tracks = clip->track_groups + pack->track_group;
  if (pack->form >= CLIP_FORMS || (pack->form != CLIP_WIDE && pack->step)) return false;
  bool rotations = clip_form_is_full(pack->form) || clip_form_is_arc(pack->form);
  if (rotations && pack->kind != TRACK_ROTATION) return false;
  if (clip_form_is_narrow(pack->form)) return pack->at <= clip->block_count - tracks->segment_count;
  int bytes = clip_fixed_bytes(pack);
  for (int s = 0; s < tracks->segment_count; s++)
    if (pack->at % 4 || tracks->segments[s].stride % 4 || tracks->segments[s].at % 4 ||
        pack->at > tracks->segments[s].stride - bytes)
      return false;
  return true;
}

/* Whether every lane has the next track, or none. */
static bool check_lanes(const sinew_clip *clip, const clip_pack *pack) {
  int tracks = 0;
  for (int i = 0; i < SINEW_LANES; i++) {
    if ((pack->lanes >> i & 1) != (pack->source[i] != -1)) return false;
    if (pack->source[i] == -1) continue;
    int joint = pack->group * SINEW_LANES + i;
    if (pack->source[i] != tracks++ || joint >= clip->joint_count || clip->animated[joint] != 1) return false;
  }
  return tracks == pack->track_count;
}

/* Whether exactly the last pack of each group and kind is marked as the last. */
static bool check_last(const sinew_clip *clip, int index) {
  const clip_pack *pack = clip->packs + index, *next = pack + 1;
  bool more = index + 1 < clip->pack_count && next->group == pack->group && next->kind == pack->kind;
  return pack->last == !more;
}

/* ---- the meaning of integers ---- */

static const float (*rest_of(const sinew_clip *clip, int group, track_kind kind))[SINEW_LANES] {
  const sinew_pose_group *rest = clip->rest + group;
  return kind == TRACK_ROTATION ? rest->rotation : kind == TRACK_TRANSLATION ? rest->translation : rest->scale;
}

/* Checks that the values are finite, that rotations are of unit length, and that they equal the rest pose's for joints
 * that the clip does not animate. */
static bool check_held(const sinew_clip *clip, int group, track_kind kind, const float (*held)[SINEW_LANES]) {
  const float(*rest)[SINEW_LANES] = rest_of(clip, group, kind);
  for (int i = 0; i < SINEW_LANES; i++) {
    float square = 0;
    bool rests = group * SINEW_LANES + i >= clip->joint_count || clip->animated[group * SINEW_LANES + i] != 1;
    for (int k = 0; k < clip_kind_width(kind); k++) {
      square += held[k][i] * held[k][i];
      if (!isfinite(held[k][i]) || (rests && !(held[k][i] == rest[k][i]))) return false;
    }
    if (kind == TRACK_ROTATION && !(fabsf(square - 1) < 1e-3f)) return false;
  }
  return true;
}

/* Checks a component of a lane: its bytes are among the 16 that are read, and its largest number is one. */
static bool check_component(const clip_block *block, int c, int lane, bool has_track) {
  const uint8_t *spread = block->spread[c / 2] + clip_block_position(c, lane);
  float scale = clip_block_scale(block, c, lane);
  if (!has_track && (scale != 0 || spread[0] != 0x80 || spread[1] != 0x80)) return false;
  for (int i = 0; i < 2; i++)
    if (spread[i] != 0x80 && spread[i] >= 16) return false;
  return isfinite(fabsf(block->middle[c][lane]) + 0x1p31f * fabsf(scale));
}

static bool check_block(const clip_block *block, const clip_pack *pack, const clip_segment *in) {
  for (int c = 0; c < 4; c++) {
    if (block->offset[c] < 0 || block->offset[c] > in->stride) return false;
    for (int i = 0; i < SINEW_LANES; i++)
      if (!check_component(block, c, i, pack->lanes >> i & 1)) return false;
  }
  return true;
}

static bool check_blocks(const sinew_clip *clip, const clip_pack *pack) {
  const track_group *tracks = clip->track_groups + pack->track_group;
  for (int s = 0; s < tracks->segment_count; s++) {
    const clip_block *block = clip_pack_block(clip, pack, s);
    if (!check_held(clip, pack->group, (track_kind)pack->kind, block->middle) ||
        !check_block(block, pack, tracks->segments + s))
      return false;
  }
  return true;
}

/* ---- frames ---- */

static bool check_floats(const track_group *tracks, const clip_pack *pack) {
  int count = pack->track_count * clip_kind_width((track_kind)pack->kind);
  for (int r = 0; r < tracks->frame_count; r++)
    if (!check_finite((const float *)(const void *)(track_group_at(tracks, r).a + pack->at), count))
      return false; /* at a multiple of 4 */
  return true;
}

static bool check_frames(const sinew_clip *clip, const clip_pack *pack) {
  if (clip_form_is_narrow(pack->form) && !check_blocks(clip, pack)) return false;
  if (pack->kind == TRACK_ROTATION) return rotations_check_current()(clip, pack);
  return pack->form != CLIP_WIDE ||
         check_floats(clip->track_groups + pack->track_group, pack); /* any integer is good */
}

/* ---- morph weights ---- */

static bool check_morph(const sinew_model *m, const track_group *tracks, const clip_morph *morph) {
  if (!check_bool(&morph->step) || !has_target(m, morph->mesh, morph->target)) return false;
  if (morph->offset < 0) return false;
  for (int s = 0; s < tracks->segment_count; s++)
    if (morph->offset > tracks->segments[s].stride - 4) return false;
  for (int frame = 0; frame < tracks->frame_count; frame++) {
    float value;
    memcpy(&value, track_group_at(tracks, frame).a + morph->offset, sizeof value);
    if (!check_finite(&value, 1)) return false;
  }
  return true;
}

static bool check_constants(const sinew_model *m, const sinew_clip *clip) {
  for (int i = 0; i < clip->constant_morph_count; i++) {
    const clip_morph *morph = clip->constant_morphs + i;
    if (!check_bool(&morph->step) || !has_target(m, morph->mesh, morph->target)) return false;
    if (morph->offset < 0 || morph->offset >= clip->constant_morph_count) return false;
  }
  return check_finite(clip->constant_weights, clip->constant_morph_count);
}

/* ---- times ---- */

/* The time of every moment before the end must lead to an existing frame. */
static bool check_even(const track_group *tracks) {
  double position = tracks->end * tracks->rate, last = tracks->frame_count - 1;
  if (tracks->frame_count == 1) return tracks->end == 0;
  return position > last - 1 && position < last + 1e-3 && tracks->last_scale >= 1 && isfinite(tracks->last_scale);
}

static bool check_ascending(const track_group *tracks) {
  const float *times = tracks->times;
  if (!check_finite(times, tracks->frame_count) || times[0] < 0) return false;
  for (int i = 1; i < tracks->frame_count; i++)
    if (!(times[i] > times[i - 1])) return false;
  return tracks->end == (double)times[tracks->frame_count - 1];
}

/* For each cell, checks the last of the frames that begin in cells before it, so that the frame of a moment is never
 * outside. */
static bool check_cells_of_time(const track_group *tracks) {
  int frame = 0;
  for (int cell = 0; cell <= tracks->cell_count; cell++) {
    while (frame + 1 < tracks->frame_count && track_group_cell(tracks, tracks->times[frame + 1]) < cell) frame++;
    if (tracks->cells[cell] != frame) return false;
  }
  return true;
}

static bool check_times(const sinew_clip *clip, const track_group *tracks) {
  if (tracks->frame_count < 1 || tracks->cell_count < 0) return false;
  if (!isfinite(tracks->rate) || !(tracks->rate > 0) || !(tracks->end >= 0)) return false;
  if (!(tracks->end <= clip->duration * (1 + 1e-6) + 1e-6)) return false;
  if (tracks->cell_count == 0) return check_even(tracks);
  return tracks->frame_count > 1 && check_ascending(tracks) && check_cells_of_time(tracks);
}

/* Checks that there are as many segments as the frames need, one after the other. */
static bool check_segments(const track_group *tracks) {
  int64_t at = 0;
  if (tracks->shift < 0 || tracks->shift > 30 ||
      tracks->segment_count != clip_segment_count(tracks->frame_count, tracks->shift))
    return false;
  for (int s = 0; s < tracks->segment_count; s++) {
    const clip_segment *in = tracks->segments + s;
    int frames = clip_segment_last(tracks->frame_count, tracks->shift, s) - clip_segment_first(tracks->shift, s) + 1;
    if (in->stride < 0 || in->used < 0 || in->used > in->stride || in->at < at) return false;
    at = in->at + (int64_t)frames * in->stride;
    if (at > tracks->size) return false;
  }
  return true;
}

static bool check_track_group(const sinew_model *m, const sinew_clip *clip, int index, const track_group *tracks,
                              sinew_error *error) {
  if (!check_times(clip, tracks))
    return check_refuse(m, error, "the times of clip %d do not ascend from 0 on, or are not where its rate says",
                        index);
  if (!check_segments(tracks))
    return check_refuse(m, error, "the segments of clip %d are not consecutive, or not within its frames", index);
  for (int i = 0; i < tracks->morph_count; i++)
    if (!check_morph(m, tracks, tracks->morphs + i))
      return check_refuse(m, error, "morph track %d of clip %d moves something that does not exist, or is not finite",
                          i, index);
  return true;
}

static bool check_packs(const sinew_model *m, const sinew_clip *clip, int index, sinew_error *error) {
  for (int i = 0; i < clip->pack_count; i++) {
    const clip_pack *pack = clip->packs + i;
    if (!check_pack(clip, pack) || !check_lanes(clip, pack))
      return check_refuse(m, error, "pack %d of clip %d moves something that does not exist, or is not animated", i,
                          index);
    if (i > 0 && clip_pack_compare(pack - 1, pack) >= 0)
      return check_refuse(m, error, "pack %d of clip %d is not in the order of groups", i, index);
    if (!check_last(clip, i))
      return check_refuse(m, error, "pack %d of clip %d misstates whether it is the last of its group and kind", i,
                          index);
    if (!check_frames(clip, pack))
      return check_refuse(m, error,
                          "pack %d of clip %d has a number that is not finite, or rotations not of unit "
                          "length or far apart",
                          i, index);
  }
  return true;
}

/* ---- a clip ---- */

static bool check_animated(const sinew_clip *clip) {
  int lanes = sinew_pose_group_count(clip->joint_count) * SINEW_LANES, animated = 0;
  if (!check_bool(&clip->animates_all)) return false;
  for (int i = 0; i < lanes; i++) {
    float value = clip->animated[i];
    if ((value != 0 && value != 1) || (value != 0 && i >= clip->joint_count)) return false;
    animated += i > 0 && value != 0;
  }
  return clip->animates_all == (animated == clip->joint_count - 1);
}

/* Checks that the constant values of a group are among the constants. */
static bool check_constant(const sinew_clip *clip, int group, track_kind kind) {
  int at = clip->groups[group].held[kind];
  if (at == -1) return true;
  if (at < 0 || at > clip->constant_count - clip_kind_width(kind) * SINEW_LANES) return false;
  return check_held(clip, group, kind, clip_held(clip, group, kind));
}

static bool check_groups(const sinew_model *model, const sinew_clip *clip, int index, sinew_error *error) {
  for (int i = 0; i < sinew_pose_group_count(clip->joint_count); i++) {
    for (track_kind kind = TRACK_ROTATION; kind <= TRACK_SCALE; kind++)
      if (!check_constant(clip, i, kind))
        return check_refuse(model, error,
                            "clip %d has values that are not finite or not of unit length in group %d, or a joint that "
                            "it does not animate",
                            index, i);
    if (clip->groups[i].flags != clip_find_flags(clip, i))
      return check_refuse(model, error, "clip %d misstates what moves in group %d", index, i);
  }
  return true;
}

static bool check_curves(const sinew_clip *clip) {
  if (clip->curve_count > CLIP_CURVES) return false;
  for (int i = 0; i < clip->curve_count; i++) {
    const sinew_curve_view *curve = clip->curves + i;
    if (clip_curve_fault(curve, 0, clip->duration) || clip_curve_in(clip->curves, i, curve->name)) return false;
  }
  return true;
}

static bool check_fit(const sinew_model *model, const sinew_fit *fit) {
  if (!check_bool(&fit->is_compared) || !check_bool(&fit->fits)) return false;
  return fit->clip_file >= -1 && fit->clip_file < model->clip_file_count && check_finite(&fit->under_ground, 3);
}

bool check_clip(const sinew_model *model, const sinew_clip *clip, int index, sinew_error *error) {
  if (clip->joint_count != model->joint_count)
    return check_refuse(model, error, "clip %d belongs to another skeleton", index);
  if (!isfinite(clip->start) || !isfinite(clip->error) || !isfinite(clip->duration) || clip->duration < 0)
    return check_refuse(model, error, "clip %d has an invalid start, duration or error", index);
  if (!check_fit(model, &clip->fit))
    return check_refuse(model, error, "clip %d refers to a clip file that does not exist, or its fit is not a number",
                        index);
  if (!check_curves(clip)) return check_refuse(model, error, "clip %d has an invalid curve, or too many curves", index);
  if (!check_animated(clip))
    return check_refuse(model, error, "clip %d contradicts itself about the joints that it animates", index);
  if (!check_constants(model, clip))
    return check_refuse(model, error,
                        "a constant morph of clip %d moves something that does not exist, or is not finite", index);
  if (clip->track_group_count > CLIP_MAX_TRACK_GROUPS)
    return check_refuse(model, error, "clip %d has %d track groups, more than %d", index, clip->track_group_count,
                        CLIP_MAX_TRACK_GROUPS);
  for (int i = 0; i < clip->track_group_count; i++)
    if (!check_track_group(model, clip, index, clip->track_groups + i, error)) return false;
  return check_packs(model, clip, index, error) && check_groups(model, clip, index, error);
}
