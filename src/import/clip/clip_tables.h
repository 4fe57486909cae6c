/* clip_tables – the moving curves of a clip as tables. One table serves most clips; where some curves need far fewer
 * rows than others, tables of their own save room. What comes of it is measured, and built more strictly where it
 * misses the tolerance. */
#ifndef SINEW_IMPORT_CLIP_TABLES_H
#define SINEW_IMPORT_CLIP_TABLES_H

#include "import/clip/clip_truth.h"

typedef struct clip_parts {
  raw_model *raw;
  const raw_clip *clip;
  const model_desc *model;
  const clip_reach *reach;
  const int32_t *stored; /* by file order: where the model has its joints */
  double start, end;     /* the file's seconds */
  double tolerance;      /* as a length in the model's space */
  bool exact;            /* in floats, no row left out */
} clip_parts;

/* Sets the tables and the error of `desc`, which has its start, duration and base. Where no table is within the
 * tolerance the best is kept, and a note says how far off it is. False, and raw->error set, when memory is out or the
 * clip is too large. */
bool clip_tables_build(const clip_parts *parts, clip_desc *desc);

#endif
