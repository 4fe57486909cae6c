/* clip_reach – the distance from a joint to the points that it moves, which turns an angle into a length. */
#ifndef SINEW_IMPORT_CLIP_REACH_H
#define SINEW_IMPORT_CLIP_REACH_H

#include "import/raw/raw.h"
#include "model/model.h"

typedef struct clip_reach {
  const double *skin; /* from each joint to the farthest vertex that is bound to it, in the joint's own space */
  /* In the model's space at rest: */
  const double *node;    /* from each joint to the farthest point that it moves, itself or by the joints below */
  const double *stretch; /* how long the unit of each joint's parent is there */
  double model;          /* the farthest of joints and skin: the size of the model */
  double shell;          /* how far beside each joint there are such points, whether there is skin or not */
} clip_reach;

/* Needs the joints of build_skeleton. False, and raw->error set, when memory runs out. */
bool clip_reach_find(raw_model *raw, const model_desc *model, clip_reach *reach);

#endif
