#include "import/model_check.h"

#include <math.h>
#include <string.h>

static bool has_target(const sinew_model *m, int mesh, int target) {
  return mesh >= 0 && mesh < m->mesh_count && target >= 0 && target < m->meshes[mesh].morph_count;
}

/* ---- packs ---- */

static bool check_pack(const sinew_clip *clip, const clip_table *table, const clip_pack *pack) {
  if (!check_bool(&pack->wide) || !check_bool(&pack->hold)) return false;
  int bytes = pack->wide ? 16 : 8;
  if (pack->kind < TRACK_ROTATION || pack->kind > TRACK_SCALE) return false;
  if (pack->group < 0 || pack->group >= sinew_pose_group_count(clip->joint_count)) return false;
  if (pack->track_count < 1 || pack->track_count > SINEW_LANES || pack->offset < 0 || pack->offset % 8) return false;
  return pack->offset <= table->row_stride - pack->track_count * bytes;
}

static bool check_lanes(const sinew_clip *clip, const clip_pack *pack) {
  for (int i = 0; i < SINEW_LANES; i++) {
    bool moves = pack->mask[i] == 1;
    if (!moves && pack->mask[i] != 0) return false;
    if (pack->source[i] < 0 || pack->source[i] >= pack->track_count) return false;
    if (moves && pack->group * SINEW_LANES + i >= clip->joint_count) return false;
  }
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < SINEW_LANES; i++) /* the ends of every range */
      if (!isfinite(fabsf(pack->bias[c][i]) + 32768 * fabsf(pack->scale[c][i]))) return false;
  return true;
}

/* ---- rows ---- */

/* The dot product of two rotations. 16-bit ones are summed as integers: this reads most of a clip. */
static float dot(const clip_pack *pack, const unsigned char *a, const unsigned char *b) {
  if (pack->wide) {
    float p[4], q[4];
    memcpy(p, a, sizeof p);
    memcpy(q, b, sizeof q);
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
  }
  int16_t p[4], q[4];
  int64_t sum = 0;
  memcpy(p, a, sizeof p);
  memcpy(q, b, sizeof q);
  for (int c = 0; c < 4; c++) sum += (int64_t)p[c] * q[c];
  return (float)sum * (1 / (32767.0f * 32767.0f));
}

/* Near unit length, and so near the row before that what lies between is near unit length, too: sampling relies on
 * both. `before` is NULL for the first row and for rows that nothing lies between. */
static bool check_rotation(const clip_pack *pack, const unsigned char *before, const unsigned char *cell) {
  return fabsf(dot(pack, cell, cell) - 1) < 4e-3f && (!before || dot(pack, before, cell) > 0.89f);
}

static bool check_vector(const clip_pack *pack, const unsigned char *cell) {
  float vector[3];
  if (!pack->wide) return true;
  memcpy(vector, cell, sizeof vector);
  return check_finite(vector, 3);
}

static bool check_cells(const clip_table *table, const clip_pack *pack) {
  for (int row = 0; row < table->row_count; row++)
    for (int t = 0; t < pack->track_count; t++) {
      const unsigned char *cell =
          table->rows + (int64_t)row * table->row_stride + pack->offset + t * (pack->wide ? 16 : 8);
      const unsigned char *before = row > 0 && !pack->hold ? cell - table->row_stride : NULL;
      if (pack->kind == TRACK_ROTATION ? !check_rotation(pack, before, cell) : !check_vector(pack, cell)) return false;
    }
  return true;
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

/* Where a step is given, rows are found by a division: it has to lead to a row that is there. */
static bool check_step(const clip_table *table) {
  float step = table->uniform_step;
  if (step == 0) return true;
  if (!isfinite(step) || !(step > 0) || table->row_count < 2) return false;
  for (int i = 0; i < table->row_count - 1; i++)
    if (!(fabsf(table->times[i] - (float)i * step) <= 1e-3f * step)) return false;
  return table->times[table->row_count - 1] <= (float)(table->row_count - 1) * step * 1.001f;
}

static bool check_times(const sinew_clip *clip, const clip_table *table) {
  const float *times = table->times;
  if (table->row_count < 1 || !check_finite(times, table->row_count) || times[0] < 0) return false;
  for (int i = 1; i < table->row_count; i++)
    if (!(times[i] > times[i - 1])) return false;
  return (double)times[table->row_count - 1] <= clip->duration * (1 + 1e-6) + 1e-6;
}

static bool check_table(const sinew_model *m, const sinew_clip *clip, int index, const clip_table *table,
                        sinew_error *error) {
  if (table->row_stride < 0 || table->row_stride % 8)
    return check_refuse(m, error, "a table of clip %d has rows of %d bytes", index, table->row_stride);
  if (!check_times(clip, table)) return check_refuse(m, error, "the times of clip %d do not ascend from 0 on", index);
  if (!check_step(table)) return check_refuse(m, error, "the rows of clip %d are not where its step says", index);
  for (int i = 0; i < table->pack_count; i++) {
    const clip_pack *pack = table->packs + i;
    if (!check_pack(clip, table, pack) || !check_lanes(clip, pack))
      return check_refuse(m, error, "pack %d of clip %d moves what there is not", i, index);
    if (!check_cells(table, pack))
      return check_refuse(m, error,
                          "pack %d of clip %d has a row that is not finite, or rotations not of unit length "
                          "or far apart",
                          i, index);
  }
  for (int i = 0; i < table->morph_count; i++)
    if (!check_morph(m, table, table->morphs + i))
      return check_refuse(m, error, "morph track %d of clip %d moves what there is not, or is not finite", i, index);
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

bool check_clip(const sinew_model *model, const sinew_clip *clip, int index, sinew_error *error) {
  if (clip->joint_count != model->joint_count)
    return check_refuse(model, error, "clip %d is of another skeleton", index);
  if (!isfinite(clip->start) || !isfinite(clip->error) || !isfinite(clip->duration) || clip->duration < 0)
    return check_refuse(model, error, "clip %d has a start, a duration or an error that is no time or length", index);
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
  return true;
}
