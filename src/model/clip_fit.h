/* clip_fit – which integers stand for a track's rows in one segment. */
#ifndef SINEW_MODEL_CLIP_FIT_H
#define SINEW_MODEL_CLIP_FIT_H

#include "model/clip.h"

/* A clip_block's numbers of one lane, times −2^15; `bytes` of each component are 0, 1 or 2. */
typedef struct clip_fit {
  float middle[4], scale[4];
  int bytes[4];
  bool fits; /* rotations are near enough to each other to be relative to one */
} clip_fit;

/* The rows first .. last. */
clip_fit clip_fit_find(const clip_table_desc *desc, const clip_track *track, int first, int last);

/* A row's integers, and what they stand for. An integer of one byte is a multiple of 256. */
void clip_fit_encode(const clip_fit *fit, track_kind kind, const float *value, int16_t integers[4]);
void clip_fit_decode(const clip_fit *fit, track_kind kind, const int16_t integers[4], float *value);

/* Bytes of all narrow tracks' integers in a row, of the rows first .. last; negative where a rotation does not fit. */
int clip_fit_row_bytes(const clip_table_desc *desc, int first, int last);

/* The segments of a table of so many rows. */
static inline int clip_segment_count(int row_count, int shift) {
  return row_count > 1 ? ((row_count - 2) >> shift) + 1 : 1;
}

/* 1 + the shift with which the table takes the least room, if its packs are as many as that. */
int clip_fit_segment(const clip_table_desc *desc, int narrow_packs);

/* The rows of a segment: its first, and its last. */
static inline int clip_segment_first(int shift, int segment) { return segment << shift; }
static inline int clip_segment_last(int row_count, int shift, int segment) {
  int64_t last = (int64_t)(segment + 1) << shift;
  return last < row_count ? (int)last : row_count - 1;
}

#endif
