/* clip – tables of rows and columns. Columns are the tracks that move; rows are moments that all columns of a table
 * share, so a table needs one time lookup, and a sample reads two neighbouring rows. Tracks that never move live once
 * in the base pose.
 *
 * In a row, the tracks of one kind whose joints share a group of eight lie packed, as 16-bit integers, or as floats
 * where 16 bits would miss the tolerance. */
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
  bool wide;  /* keep floats. Morph weights always are */
} clip_track;

typedef struct clip_table_desc {
  const float *times; /* row_count, ascending, from 0 on; at least 1 */
  int row_count;
  const float *rows; /* row_count × row_size */
  int row_size;
  const clip_track *tracks;
  int track_count;
} clip_table_desc;

typedef struct clip_desc {
  const char *name;
  const char *file_name; /* NULL: the same */
  const sinew_fit *fit;  /* NULL: it is the model's own */
  double start;          /* the file's own time of clip time 0, seconds */
  double duration;       /* seconds; the last row's time is at most this */
  double error;          /* metres that a point may be off the source, as the importer measured it; < 0: not measured */
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

/* Up to eight tracks of one kind and table whose joints are in one group of the pose, from `offset` bytes of a row on.
 * The joint in lane i of the group has track source[i], or keeps the base pose's value where that is −1; tracks are in
 * the order of their lanes. Floats lie as x of all tracks, then y and so on; integers in the order in which two rows
 * are interpolated without a detour (lanes_lerp_shorts): x and y of lanes 0..3, then of lanes 4..7, then z and w alike.
 */
typedef struct clip_pack {
  int32_t group, offset;
  int32_t range;                    /* of a narrow translation or scale: an index into the clip's ranges; else −1 */
  uint8_t kind, table, track_count; /* a track_kind; an index; 1..8 */
  bool wide, hold;
  bool last;     /* of its group and kind */
  uint8_t lanes; /* bit i: lane i has a track */
  uint8_t low;   /* how many tracks lie before the y of the first: of integers those of lanes 0..3, of floats all */
  int8_t source[SINEW_LANES];
} clip_pack;

/* What a narrow pack's integers mean, by lane: value = bias + scale × −2^15 × integer; 0 where a lane has no track. */
typedef struct clip_range {
  float scale[3][SINEW_LANES], bias[3][SINEW_LANES];
} clip_range;

typedef struct clip_morph {
  int32_t mesh, target, offset; /* a float, `offset` bytes into a row or constant_weights[offset] */
  bool hold;
} clip_morph;

/* Even rows follow each other at 1 / rate seconds, the last one perhaps sooner: no times are stored, and a row is a
 * multiplication away. For others, time is cut into cells of equal length, 1 / rate seconds: every row that may begin
 * the interval of a moment in cell c is one of cells[c] .. cells[c + 1]. */
typedef struct clip_table {
  int row_count, row_stride, morph_count; /* stride in bytes, a multiple of 4 */
  int cell_count;                         /* 0: even */
  float last_scale;                       /* even: 1 / the part of a step that the last interval has */
  double rate, end;                       /* `end`: the last row's time */
  const float *times;
  const int32_t *cells;
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
  CLIP_GROUP_FULL = 32,  /* of eight */
  CLIP_GROUP_PLACED = 64 /* its translations are the rest pose's, to the bit */
};

/* From this bit on, one for each lane whose joint the clip carries; always that of the virtual root and of lanes
 * without a joint. */
enum { CLIP_GROUP_CARRIES = 8 };

struct sinew_clip {
  const char *name, *file_name;
  sinew_fit fit;
  double start, duration, error;
  int joint_count, table_count, pack_count, range_count, constant_morph_count;
  const clip_table *tables;
  const clip_pack *packs; /* ascending by clip_pack_compare: by group, then by kind */
  const clip_range *ranges;
  const float *carried;         /* 0 or 1 for each lane, padded to groups */
  bool carries_all;             /* every joint but the virtual root: masks can be skipped */
  bool plain;                   /* clip_is_plain, found where the model is made or loaded */
  const sinew_pose_group *base; /* joints that are not carried rest in it, and no pack moves them */
  const uint16_t *groups;       /* CLIP_GROUP_ flags for each group of the base */
  const clip_morph *constant_morphs;
  const float *constant_weights;
};

/* The order of packs; 0 where tracks share a pack. */
int clip_pack_compare(const clip_pack *a, const clip_pack *b);

/* Has one table, and nothing holds. */
bool clip_is_plain(const sinew_clip *clip);

/* The flags of one group, found from the packs, the base pose and what is carried. */
uint16_t clip_find_group(const sinew_clip *clip, const sinew_pose_group *rest, int group);

/* Where the component c of the track in a lane is: bytes of a row. */
int clip_pack_cell(const clip_pack *pack, int lane, int c);

/* Bytes of a number in a row, and numbers of a track (in a key, without tangents). */
static inline int clip_cell_bytes(const clip_pack *pack) { return pack->wide ? 4 : 2; }
static inline int clip_kind_width(track_kind kind) { return kind == TRACK_ROTATION ? 4 : kind == TRACK_MORPH ? 1 : 3; }

/* Two rows and how far between them: the value is row a + weight × (row b − row a). */
typedef struct clip_cursor {
  const unsigned char *a, *b;
  float weight; /* 0..1 */
} clip_cursor;

/* The weight for integers: in steps of 2^−15. */
enum { CLIP_WEIGHT_ONE = 1 << 15 };
static inline int clip_integer_weight(float weight) { return (int)(weight * CLIP_WEIGHT_ONE + 0.5f); }

/* A morph weight, from rows at a cursor. */
static inline float clip_morph_value(const clip_morph *morph, const clip_cursor *cursor) {
  float a, b;
  memcpy(&a, cursor->a + morph->offset, sizeof a);
  memcpy(&b, cursor->b + morph->offset, sizeof b);
  return a + (morph->hold ? 0 : cursor->weight) * (b - a);
}

static inline clip_cursor clip_table_at(const clip_table *table, int row) {
  const unsigned char *a = table->rows + (size_t)row * (size_t)table->row_stride;
  return (clip_cursor){a, a, 0};
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
  clip_cursor cursor = clip_table_at(table, row);
  cursor.b += table->row_stride;
  cursor.weight = (float)(place - row);
  if (ends) cursor.weight *= table->last_scale;
  if (ends && cursor.weight > 1) cursor.weight = 1;
  return cursor;
}

#endif
