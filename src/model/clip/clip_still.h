/* clip_still – joints that a clip holds still relative to a joint above them, such as the fingers of a hand. If no
 * track moves any joint of a group, the joints' matrices relative to the nearest ancestor that may move are computed in
 * advance, instead of sampling them and multiplying along the chain. They are found when a model is made or read. */
#ifndef SINEW_MODEL_CLIP_STILL_H
#define SINEW_MODEL_CLIP_STILL_H

#include <sinew/model.h>
#include <sinew/pose.h>

/* Joints on the same one. */
typedef struct still_run {
  int32_t above;      /* the joint's matrix: its offset among all floats */
  int32_t pair_count; /* pairs of joints, for all runs in order */
} still_run;

/* Two joints, or one twice: the offsets of their matrices, and these relative to the joint above, row by row side by
 * side. */
typedef struct still_pair {
  float rows[3][SINEW_LANES];
  int32_t to[2];
} still_pair;

/* Consecutive groups first .. end − 1. */
typedef struct still_span {
  int32_t first, end, run_count, pair_count;
  const still_run *runs;
  const still_pair *pairs;
} still_span;

typedef struct clip_still {
  int span_count;
  still_span *spans;
} clip_still;

/* Spans are left out once this many pairs are stored for all clips. */
enum { CLIP_STILL_PAIRS = 1 << 18 };

/* Finds the spans of all of a model's clips, and sets sinew_clip.still; in one block. Equal spans of two clips are
 * stored once. For a model with very many joints and clips, only the first clips have spans; the others are sampled.
 * False and an error message if there is no memory. */
bool clip_still_find(sinew_model *model, sinew_error *error);

#endif
