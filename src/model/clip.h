/* clip – a table of rows and columns. Columns are the tracks that move; rows are moments that all columns share, so a
 * clip needs one time lookup, and a sample reads two neighbouring rows. Tracks that never move live once in the base
 * pose. */
#ifndef SINEW_MODEL_CLIP_H
#define SINEW_MODEL_CLIP_H

#include <sinew/model.h>
#include <sinew/pose.h>

typedef enum track_kind { TRACK_ROTATION, TRACK_TRANSLATION, TRACK_SCALE, TRACK_MORPH } track_kind;

/* One column. A row holds 4 floats for a rotation (unit length, neighbours in one hemisphere), 3 for a translation or a
 * scale, 1 for a morph weight. */
typedef struct clip_track {
  track_kind kind;
  int joint;  /* file order in a clip_desc, stored order in a clip; the mesh for TRACK_MORPH */
  int target; /* the morph target, for TRACK_MORPH */
  bool hold;  /* STEP: the value of a row stays until the next row */
  int offset; /* of the first float in a row */
} clip_track;

typedef struct clip_desc {
  const char *name;
  double start;    /* the file's own time of clip time 0, seconds */
  double duration; /* seconds; the last row's time is at most this */
  const float *times; /* row_count, ascending, from 0 on; 1 row at least where there are tracks */
  int row_count;
  const float *rows; /* row_count × row_size */
  int row_size;
  const clip_track *tracks;
  int track_count;
  /* Per joint in file order: does the clip carry it at all (a channel exists, moving or not)? */
  const bool *carried;
  /* Per joint in file order: what the clip holds where nothing moves; the rest transform where it is not carried. */
  const sinew_transform *base;
  /* Constant morph weights: tracks of this clip that never move. */
  const clip_track *constant_morphs; /* `offset` indexes constant_weights */
  const float *constant_weights;
  int constant_morph_count;
} clip_desc;

struct sinew_clip {
  const char *name;
  double start, duration;
  int joint_count, row_count, row_size, track_count, constant_morph_count;
  float uniform_step; /* > 0: row i is at i × step, the last row may come sooner; 0: search */
  const float *times;
  const float *rows;
  const clip_track *tracks;
  const float *carried; /* 0 or 1 for each lane, padded to groups */
  bool carries_all;     /* every joint but the virtual root: masks can be skipped */
  const sinew_pose_group *base;
  const clip_track *constant_morphs;
  const float *constant_weights;
};

/* Two rows and how far between them: the value is row a + weight × (row b − row a). */
typedef struct clip_cursor {
  const float *a, *b;
  float weight; /* 0..1 */
} clip_cursor;

/* Times outside 0 .. the last row hold the ends. The clip has rows. */
clip_cursor clip_seek(const sinew_clip *clip, double time);

#endif
