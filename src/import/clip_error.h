/* clip_error – how far a clip's tables are from the curves they were made of, where it shows: in model space, at the
 * joints and at the skin. */
#ifndef SINEW_IMPORT_CLIP_ERROR_H
#define SINEW_IMPORT_CLIP_ERROR_H

#include "import/curve.h"
#include "model/model.h"

/* Lengths in the model's space at rest. */
typedef struct clip_reach {
  const double *node; /* from each joint to the farthest point that it moves */
  double model;       /* the largest of them: the size of the model */
} clip_reach;

/* Needs the joints of build_skeleton. NULL arrays, and raw->error set, when memory is out. */
bool clip_reach_find(raw_model *raw, const model_desc *model, clip_reach *reach);

/* The worst distance of a joint, or of a point a tenth of a metre (in a model of human size) beside it, from where the
 * curves put it, at 240 moments a second, or at 480 moments of a long clip. `clip` is described but for its error.
 * False when memory is out. */
bool clip_error_measure(raw_model *raw, const raw_clip *from, const model_desc *model, const clip_reach *reach,
                        const clip_desc *clip, double *error);

#endif
