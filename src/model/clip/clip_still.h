/* clip_still – joints that a clip leaves where they are on a joint above them: fingers on a hand that they hold. Where
 * no track moves any joint of a group, the joints' matrices relative to the nearest joint above that may move lie
 * ready, in the place of sampling them and multiplying a chain. They are found when a model is made or read. */
#ifndef SINEW_MODEL_CLIP_STILL_H
#define SINEW_MODEL_CLIP_STILL_H

#include <sinew/model.h>
#include <sinew/pose.h>

/* Joints on the same one. */
typedef struct still_run {
  int32_t above,
      pair_count; /* where its matrix begins among the floats of all; pairs of joints, of all runs in order */
} still_run;

/* Two joints, or one twice: where their matrices go, and what these are on the joint above, row by row beside each
 * other. */
typedef struct still_pair {
  float rows[3][SINEW_LANES];
  int32_t to[2];
} still_pair;

/* Groups first .. end − 1, of as many as follow each other. */
typedef struct still_span {
  int32_t first, end, run_count, pair_count;
  const still_run *runs;
  const still_pair *pairs;
} still_span;

typedef struct clip_still {
  int span_count;
  still_span *spans;
} clip_still;

/* So many pairs of all clips may be stored before the next span is left out. */
enum { CLIP_STILL_PAIRS = 1 << 18 };

/* Finds the spans of all of a model's clips, and sets sinew_clip.still; in one block. A span that two clips hold alike
 * is stored once. A model with very many joints and clips has spans of its first clips only; the others are sampled.
 * False and an error message where there is no memory. */
bool clip_still_find(sinew_model *model, sinew_error *error);

#endif
