/* clip_reach – the distance from a joint to the points that it moves, which turns an angle into a length. */
#ifndef SINEW_IMPORT_CLIP_REACH_H
#define SINEW_IMPORT_CLIP_REACH_H

#include "import/raw/raw.h"
#include "model/model.h"

typedef struct clip_reach {
  const double *skin; /* from each joint to the farthest vertex that is bound to it, in the joint's own space */
  /* In model space, at rest: */
  const double *node;    /* from each joint to the farthest point that it or the joints below it move */
  const double *stretch; /* the length of one unit of each joint's parent */
  double model;          /* the farthest of joints and skin: the size of the model */
  double shell;          /* the distance at which such points are assumed beside each joint, with or without skin */
} clip_reach;

/* Needs the joints of build_skeleton. When memory runs out, returns false and sets raw->error. */
bool clip_reach_find(raw_model *raw, const model_desc *model, clip_reach *reach);

#endif
