/* clip_rows – one table of a clip: rows at the union of its curves' key times. Translation, scale and morph weights are
 * linear between keys in the source, so they are exact; rotations are slerp in the source and normalised lerp here, and
 * cubic curves are straight between rows, so rows are inserted until a point misses its place by no more than a part of
 * the tolerance. */
#ifndef SINEW_IMPORT_CLIP_ROWS_H
#define SINEW_IMPORT_CLIP_ROWS_H

#include "import/clip_error.h"

typedef struct clip_rows {
  raw_model *raw;
  const raw_clip *clip;
  const clip_reach *reach;
  double tolerance;  /* as a length in the model's space; 0 keeps floats everywhere, and rows as for the usual one */
  double start, end; /* the file's seconds */
  const raw_track **tracks; /* that move */
  int track_count;
  double *times; /* the file's seconds */
  int row_count;
} clip_rows;

/* Everything of `desc` is in the raw model's memory. False, and raw->error set, when memory is out or the clip is too
 * large. */
bool clip_rows_build(clip_rows *rows, clip_table_desc *desc);

#endif
