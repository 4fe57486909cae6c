/* clip – tables of rows and columns. Columns are the tracks that move; rows are moments that all columns of a table
 * share, so a table needs one time lookup, and a sample reads two neighbouring rows. Tracks that never move live once
 * in the base pose.
 *
 * In a row, the tracks of one kind whose joints share a group of eight lie packed: each component as an integer of 8 or
 * 16 bits, or not at all where it stays, or all of them as floats. Rows come in segments, each with its own choice. */
#ifndef SINEW_MODEL_CLIP_H
#define SINEW_MODEL_CLIP_H

#include <sinew/model.h>
#include <sinew/pose.h>

#include <string.h>

enum { CLIP_MAX_TABLES = 4 };

typedef enum track_kind { TRACK_ROTATION, TRACK_TRANSLATION, TRACK_SCALE, TRACK_MORPH } track_kind;

/* ---- as an importer describes it ---- */

/* One column. A row holds 4 floats for a rotation (unit length, neighbours in one hemisphere with a dot product of 0.9
 * or more), 3 for a translation or a scale, 1 for a morph weight. */
typedef struct clip_track {
  track_kind kind;
  int joint;  /* file order; the mesh for TRACK_MORPH */
  int target; /* the morph target, for TRACK_MORPH */
  bool hold;  /* STEP: the value of a row stays until the next row */
  int offset; /* of the first float in a row of the description */
  bool wide;  /* keep floats, as morph weights always are */
  /* What rounding may change a number by: 8 bits are taken where they stay within it, and none where the number itself
   * does. A rotation's numbers are those of its quaternion relative to one near it. */
  float slack;
} clip_track;

/* What holds may be any distance apart and means what it says, so no integers stand for it. */
static inline bool clip_track_is_wide(const clip_track *track) {
  return track->wide || track->hold || track->kind == TRACK_MORPH;
}

typedef struct clip_table_desc {
  const float *times; /* row_count, ascending, from 0 on; at least 1 */
  int row_count;
  const float *rows; /* row_count × row_size */
  int row_size;
  const clip_track *tracks;
  int track_count;
  int segment; /* 1 + the logarithm to base 2 of the intervals in a segment; 0: what takes the least room */
} clip_table_desc;

typedef struct clip_desc {
  const char *name;
  double start;    /* the file's own time of clip time 0, seconds */
  double duration; /* seconds; the last row's time is at most this */
  double error;    /* metres that a point may be off the source, as the importer measured it; < 0: not measured */
  const clip_table_desc *tables;
  int table_count; /* at most CLIP_MAX_TABLES */
  /* Per joint in file order: does the clip carry it at all (a channel exists, moving or not)? */
  const bool *carried;
  /* Per joint in file order: what the clip holds where nothing moves; the rest transform where it is not carried. */
  const sinew_transform *base;
  /* Constant morph weights: tracks of this clip that never move. */
  const clip_track *constant_morphs; /* `offset` indexes constant_weights */
  const float *constant_weights;
  int constant_morph_count;
} clip_desc;

/* ---- as it is kept ---- */

/* Up to eight tracks of one kind and table whose joints are in one group of the pose. The joint in lane i of the group
 * has track source[i], or keeps what the group holds where that is −1; tracks are in the order of their lanes. */
typedef struct clip_pack {
  int32_t group;
  int32_t at; /* wide: bytes into a row, where x of all tracks begin, then y and so on. Else the clip's block for the
                 first segment of the table, with those for the others behind it */
  uint8_t kind, table, track_count; /* a track_kind; an index; 1..8 */
  bool wide, hold;                  /* what holds is wide */
  bool last;                        /* of its group and kind */
  uint8_t lanes;                    /* bit i: lane i has a track */
  int8_t source[SINEW_LANES];
} clip_pack;

/* What the integers of a narrow pack mean in one segment, by lane. A translation or a scale is middle + scale ×
 * integers. A rotation is middle · (scale × integers, w), where w makes it unit. A lane without a track has a scale of
 * 0: the middle is what it holds. Which bytes of a component make a lane's 16-bit integer, the lower one first, is in
 * `spread`, 0x80 for a zero: an integer of 8 bits is the upper byte. */
typedef struct clip_block {
  float middle[4][SINEW_LANES];
  uint16_t scale[3][SINEW_LANES]; /* the upper half of a float */
  uint8_t spread[3][2 * SINEW_LANES];
  int32_t offset[3]; /* where the component begins, bytes into a row */
} clip_block;

/* Rows that follow each other at this distance, from `at` bytes of a table's rows on. */
typedef struct clip_segment {
  int64_t at;
  int32_t stride, used; /* bytes; of a row */
} clip_segment;

typedef struct clip_morph {
  int32_t mesh, target, offset; /* a float, `offset` bytes into a row or constant_weights[offset] */
  bool hold;
} clip_morph;

/* Even rows follow each other at 1 / rate seconds, the last one perhaps sooner: no times are stored, and a row is a
 * multiplication away. For others, time is cut into cells of equal length, 1 / rate seconds: every row that may begin
 * the interval of a moment in cell c is one of cells[c] .. cells[c + 1].
 *
 * Every 2^shift intervals are a segment. The row between two segments is stored in both. */
typedef struct clip_table {
  int row_count, morph_count;
  int shift, segment_count;
  int cell_count;   /* 0: even */
  float last_scale; /* even: 1 / the part of a step that the last interval has */
  double rate, end; /* `end`: the last row's time */
  int64_t size;     /* bytes of all rows, without CLIP_ROW_SLACK */
  const float *times;
  const int32_t *cells;
  const clip_segment *segments;
  const unsigned char *rows; /* with CLIP_ROW_SLACK bytes behind the last */
  const clip_morph *morphs;
} clip_table;

/* A kernel reads eight tracks' component, whether the pack has as many or not. */
enum { CLIP_ROW_SLACK = sizeof(float) * SINEW_LANES };

/* What is known of a group of a clip's joints before it is sampled. */
enum {
  CLIP_GROUP_TURNS = 1 << TRACK_ROTATION, /* there are packs of rotations */
  CLIP_GROUP_MOVES = 1 << TRACK_TRANSLATION,
  CLIP_GROUP_SCALES = 1 << TRACK_SCALE,
  CLIP_GROUP_SCALED = 8, /* a scale moves, or is not 1 */
  CLIP_GROUP_ONE = 16,   /* its rotations are one narrow pack */
  CLIP_GROUP_PLACED = 32 /* its translations are the rest pose's, to the bit */
};

/* From this bit on, one for each lane whose joint the clip carries; always that of the virtual root and of lanes
 * without a joint. */
enum { CLIP_GROUP_CARRIES = 8 };

typedef struct clip_group {
  /* By track_kind, what the joints hold that no track moves: the first of the clip's constants; or −1: what they rest
   * in, or what the middle of the group's only pack says. */
  int32_t held[3];
  int32_t flags;
} clip_group;

struct sinew_clip {
  const char *name;
  double start, duration, error;
  int joint_count, table_count, pack_count, block_count, constant_count, constant_morph_count;
  const clip_table *tables;
  const clip_pack *packs; /* ascending by clip_pack_compare: by group, then by kind */
  const clip_block *blocks;
  const float *constants;       /* 3 or 4 × SINEW_LANES for each of clip_group.held */
  const float *carried;         /* 0 or 1 for each lane, padded to groups */
  bool carries_all;             /* every joint but the virtual root: masks can be skipped */
  const sinew_pose_group *rest; /* the model's */
  const clip_group *groups;     /* of the pose */
  const clip_morph *constant_morphs;
  const float *constant_weights;
};

/* The order of packs; 0 where tracks share a pack. */
int clip_pack_compare(const clip_pack *a, const clip_pack *b);

/* The flags of one group, found from the packs, what it holds and what is carried. */
int32_t clip_find_flags(const sinew_clip *clip, int group);

/* What the joints of a group hold that no track moves, from component 0 on; of lanes in the only pack of a group the
 * rest pose's. */
static inline const float (*clip_held(const sinew_clip *clip, int group, track_kind kind))[SINEW_LANES] {
  const sinew_pose_group *rest = clip->rest + group;
  int at = clip->groups[group].held[kind];
  if (at >= 0) return (const float(*)[SINEW_LANES])(clip->constants + at);
  return kind == TRACK_ROTATION ? rest->rotation : kind == TRACK_TRANSLATION ? rest->translation : rest->scale;
}

/* The block of a narrow pack in a segment of its table. */
static inline const clip_block *clip_pack_block(const sinew_clip *clip, const clip_pack *pack, int segment) {
  return clip->blocks + pack->at + segment;
}

static inline float clip_block_scale(const clip_block *in, int c, int lane) {
  uint32_t bits = (uint32_t)in->scale[c][lane] << 16;
  float scale;
  memcpy(&scale, &bits, sizeof scale);
  return scale;
}

/* The integer of a lane: of a component that begins at these bytes. */
static inline int clip_spread_integer(const unsigned char *bytes, const uint8_t *spread) {
  int low = spread[0] & 0x80 ? 0 : bytes[spread[0]], high = spread[1] & 0x80 ? 0 : bytes[spread[1]];
  return (int16_t)(uint16_t)(low | high << 8);
}

/* Numbers of a track (in a key, without tangents). */
static inline int clip_kind_width(track_kind kind) { return kind == TRACK_ROTATION ? 4 : kind == TRACK_MORPH ? 1 : 3; }

/* Two rows and how far between them: a line, and an arc for rotations. */
typedef struct clip_cursor {
  const unsigned char *a, *b;
  float weight; /* 0..1, in steps of 2^−23 */
  int segment;
} clip_cursor;

/* A morph weight, from rows at a cursor. */
static inline float clip_morph_value(const clip_morph *morph, const clip_cursor *cursor) {
  float a, b;
  memcpy(&a, cursor->a + morph->offset, sizeof a);
  memcpy(&b, cursor->b + morph->offset, sizeof b);
  return a + (morph->hold ? 0 : cursor->weight) * (b - a);
}

static inline clip_cursor clip_table_at(const clip_table *table, int row) {
  int segment = row >> table->shift;
  if (segment >= table->segment_count) segment = table->segment_count - 1;
  const clip_segment *in = table->segments + segment;
  const unsigned char *a = table->rows + in->at + (int64_t)(row - (segment << table->shift)) * in->stride;
  return (clip_cursor){a, a, 0, segment};
}

/* From a row that is not the last. */
static inline clip_cursor clip_table_between(const clip_table *table, int row, float weight) {
  clip_cursor cursor = clip_table_at(table, row);
  cursor.b += table->segments[cursor.segment].stride;
  cursor.weight = (weight + 1) - 1;
  return cursor;
}

/* Of a table that is not even, the cell of a moment, and clip_table_seek. */
int clip_table_cell(const clip_table *table, float time);
clip_cursor clip_table_seek_cells(const clip_table *table, double time);

/* Times outside 0 .. the last row hold the ends. Takes the same few steps for any time and any table. */
static inline clip_cursor clip_table_seek(const clip_table *table, double time) {
  if (table->cell_count) return clip_table_seek_cells(table, time);
  if (!(time > 0)) return clip_table_at(table, 0);
  if (time >= table->end) return clip_table_at(table, table->row_count - 1);
  double place = time * table->rate;
  int row = (int)place, last = table->row_count - 2;
  bool ends = row >= last;
  if (ends) row = last;
  float weight = (float)(place - row);
  if (ends) weight *= table->last_scale;
  if (ends && weight > 1) weight = 1;
  return clip_table_between(table, row, weight);
}

#endif
