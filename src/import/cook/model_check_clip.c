#include "import/clip/rotations.h"
#include "import/cook/model_check.h"

#include <math.h>
#include <string.h>

static bool has_target(const sinew_model *m, int mesh, int target) {
  return mesh >= 0 && mesh < m->mesh_count && target >= 0 && target < m->meshes[mesh].morph_count;
}

/* ---- packs ---- */

static bool check_pack(const sinew_clip *clip, const clip_pack *pack) {
  if (!check_bool(&pack->wide) || !check_bool(&pack->hold) || !check_bool(&pack->last)) return false;
  if (pack->table >= clip->table_count) return false;
  if (pack->kind > TRACK_SCALE || pack->group < 0 || pack->group >= sinew_pose_group_count(clip->joint_count))
    return false;
  if (pack->track_count < 1 || pack->track_count > SINEW_LANES || pack->offset < 0 || pack->offset % 4) return false;
  int bytes = pack->track_count * clip_kind_width((track_kind)pack->kind) * clip_cell_bytes(pack);
  if (pack->offset > clip->tables[pack->table].row_stride - bytes) return false;
  if (pack->kind == TRACK_ROTATION || pack->wide) return pack->range == -1;
  return pack->range >= 0 && pack->range < clip->range_count;
}

/* Every lane has the next track, or none. */
static bool check_lanes(const sinew_clip *clip, const clip_pack *pack) {
  int tracks = 0, low = 0;
  for (int i = 0; i < SINEW_LANES; i++) {
    low += (i < 4 || pack->wide) && pack->source[i] >= 0;
    if ((pack->lanes >> i & 1) != (pack->source[i] != -1)) return false;
    if (pack->source[i] == -1) continue;
    int joint = pack->group * SINEW_LANES + i;
    if (pack->source[i] != tracks++ || joint >= clip->joint_count || clip->carried[joint] != 1) return false;
  }
  return tracks == pack->track_count && low == pack->low;
}

/* The packs of a group and kind end with the one that says so. */
static bool check_last(const sinew_clip *clip, int index) {
  const clip_pack *pack = clip->packs + index, *next = pack + 1;
  bool more = index + 1 < clip->pack_count && next->group == pack->group && next->kind == pack->kind;
  return pack->last == !more;
}

static bool check_ranges(const sinew_clip *clip) {
  for (int r = 0; r < clip->range_count; r++)
    for (int c = 0; c < 3; c++)
      for (int i = 0; i < SINEW_LANES; i++) { /* the ends of every range */
        const clip_range *range = clip->ranges + r;
        if (!isfinite(fabsf(range->bias[c][i]) + 0x1p30f * fabsf(range->scale[c][i]))) return false;
      }
  return true;
}

/* ---- rows ---- */

static bool check_floats(const clip_table *table, const clip_pack *pack) {
  int count = pack->track_count * clip_kind_width((track_kind)pack->kind);
  const unsigned char *row = table->rows + pack->offset;
  for (int r = 0; r < table->row_count; r++, row += table->row_stride)
    if (!check_finite((const float *)(const void *)row, count))
      return false; /* offsets and strides are multiples of 4 */
  return true;
}

static bool check_rows(const clip_table *table, const clip_pack *pack) {
  if (pack->kind == TRACK_ROTATION) return rotations_check_current()(table, pack);
  return !pack->wide || check_floats(table, pack); /* any integer is good */
}

/* ---- morph weights ---- */

static bool check_morph(const sinew_model *m, const clip_table *table, const clip_morph *morph) {
  if (!check_bool(&morph->hold) || !has_target(m, morph->mesh, morph->target)) return false;
  if (morph->offset < 0 || morph->offset % 4 || morph->offset > table->row_stride - 4) return false;
  for (int row = 0; row < table->row_count; row++) {
    float value;
    memcpy(&value, table->rows + (int64_t)row * table->row_stride + morph->offset, sizeof value);
    if (!check_finite(&value, 1)) return false;
  }
  return true;
}

static bool check_constants(const sinew_model *m, const sinew_clip *clip) {
  for (int i = 0; i < clip->constant_morph_count; i++) {
    const clip_morph *morph = clip->constant_morphs + i;
    if (!check_bool(&morph->hold) || !has_target(m, morph->mesh, morph->target)) return false;
    if (morph->offset < 0 || morph->offset >= clip->constant_morph_count) return false;
  }
  return check_finite(clip->constant_weights, clip->constant_morph_count);
}

/* ---- times ---- */

/* A moment before the end, multiplied, has to lead to a row that is there. */
static bool check_even(const clip_table *table) {
  double place = table->end * table->rate, last = table->row_count - 1;
  if (table->row_count == 1) return table->end == 0;
  return place > last - 1 && place < last + 1e-3 && table->last_scale >= 1 && isfinite(table->last_scale);
}

static bool check_ascending(const clip_table *table) {
  const float *times = table->times;
  if (!check_finite(times, table->row_count) || times[0] < 0) return false;
  for (int i = 1; i < table->row_count; i++)
    if (!(times[i] > times[i - 1])) return false;
  return table->end == (double)times[table->row_count - 1];
}

/* Of the rows that begin in cells before this one the last, for each cell: so the row of a moment is not outside. */
static bool check_cells_of_time(const clip_table *table) {
  int row = 0;
  for (int cell = 0; cell <= table->cell_count; cell++) {
    while (row + 1 < table->row_count && clip_table_cell(table, table->times[row + 1]) < cell) row++;
    if (table->cells[cell] != row) return false;
  }
  return true;
}

static bool check_times(const sinew_clip *clip, const clip_table *table) {
  if (table->row_count < 1 || table->cell_count < 0) return false;
  if (!isfinite(table->rate) || !(table->rate > 0) || !(table->end >= 0)) return false;
  if (!(table->end <= clip->duration * (1 + 1e-6) + 1e-6)) return false;
  if (table->cell_count == 0) return check_even(table);
  return table->row_count > 1 && check_ascending(table) && check_cells_of_time(table);
}

static bool check_table(const sinew_model *m, const sinew_clip *clip, int index, const clip_table *table,
                        sinew_error *error) {
  if (table->row_stride < 0 || table->row_stride % 4)
    return check_refuse(m, error, "a table of clip %d has rows of %d bytes", index, table->row_stride);
  if (!check_times(clip, table))
    return check_refuse(m, error, "the times of clip %d do not ascend from 0 on, or are not where its rate says",
                        index);
  for (int i = 0; i < table->morph_count; i++)
    if (!check_morph(m, table, table->morphs + i))
      return check_refuse(m, error, "morph track %d of clip %d moves what there is not, or is not finite", i, index);
  return true;
}

static bool check_packs(const sinew_model *m, const sinew_clip *clip, int index, sinew_error *error) {
  if (!check_ranges(clip)) return check_refuse(m, error, "a range of clip %d is not finite", index);
  for (int i = 0; i < clip->pack_count; i++) {
    const clip_pack *pack = clip->packs + i;
    if (!check_pack(clip, pack) || !check_lanes(clip, pack))
      return check_refuse(m, error, "pack %d of clip %d moves what there is not, or is not carried", i, index);
    if (i > 0 && clip_pack_compare(pack - 1, pack) >= 0)
      return check_refuse(m, error, "pack %d of clip %d is not in the order of groups", i, index);
    if (!check_last(clip, i))
      return check_refuse(m, error, "pack %d of clip %d is the last of its group and kind, or it is not", i, index);
    if (!check_rows(clip->tables + pack->table, pack))
      return check_refuse(m, error,
                          "pack %d of clip %d has a row that is not finite, or rotations not of unit length "
                          "or far apart",
                          i, index);
  }
  return true;
}

/* ---- a clip ---- */

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

/* A lane that is not carried. */
static bool check_rests(const sinew_pose_group *base, const sinew_pose_group *rest, int lane) {
  bool same = true;
  for (int c = 0; c < 4; c++) same = same && base->rotation[c][lane] == rest->rotation[c][lane];
  for (int c = 0; c < 3; c++)
    same = same && base->translation[c][lane] == rest->translation[c][lane] &&
           base->scale[c][lane] == rest->scale[c][lane];
  return same;
}

static bool check_groups(const sinew_model *model, const sinew_clip *clip, int index, sinew_error *error) {
  for (int i = 0; i < sinew_pose_group_count(clip->joint_count); i++) {
    if (clip->groups[i] != clip_find_group(clip, model->rest, i))
      return check_refuse(model, error, "clip %d does not say truly what moves in group %d", index, i);
    for (int lane = 0; lane < SINEW_LANES; lane++)
      if (!(clip->groups[i] >> (CLIP_GROUP_CARRIES + lane) & 1) && !check_rests(clip->base + i, model->rest + i, lane))
        return check_refuse(model, error, "clip %d has a pose for a joint in group %d that it does not carry", index,
                            i);
  }
  return true;
}

static bool check_fit(const sinew_model *model, const sinew_fit *fit) {
  if (!check_bool(&fit->is_compared) || !check_bool(&fit->fits)) return false;
  return fit->clip_file >= -1 && fit->clip_file < model->clip_file_count && check_finite(&fit->under_ground, 3);
}

bool check_clip(const sinew_model *model, const sinew_clip *clip, int index, sinew_error *error) {
  if (clip->joint_count != model->joint_count)
    return check_refuse(model, error, "clip %d is of another skeleton", index);
  if (!isfinite(clip->start) || !isfinite(clip->error) || !isfinite(clip->duration) || clip->duration < 0)
    return check_refuse(model, error, "clip %d has a start, a duration or an error that is no time or length", index);
  if (!check_fit(model, &clip->fit))
    return check_refuse(model, error, "clip %d comes from a file that there is not, or fits by no number", index);
  if (!check_carried(clip))
    return check_refuse(model, error, "clip %d does not say clearly which joints it carries", index);
  if (!check_pose(clip->base, clip->joint_count))
    return check_refuse(model, error, "the base pose of clip %d is not finite, or a rotation is not of unit length",
                        index);
  if (!check_constants(model, clip))
    return check_refuse(model, error, "a constant morph of clip %d moves what there is not, or is not finite", index);
  if (clip->table_count > CLIP_MAX_TABLES)
    return check_refuse(model, error, "clip %d has %d tables, more than %d", index, clip->table_count, CLIP_MAX_TABLES);
  for (int i = 0; i < clip->table_count; i++)
    if (!check_table(model, clip, index, clip->tables + i, error)) return false;
  return check_packs(model, clip, index, error) && check_groups(model, clip, index, error);
}
