/* clip_truth – the joints as the curves of a clip place them, at the moments of comparison with its track groups. */
#ifndef SINEW_IMPORT_CLIP_TRUTH_H
#define SINEW_IMPORT_CLIP_TRUTH_H

#include "import/kernels.h"
#include "import/raw/curve.h"
#include "import/raw/raw.h"
#include "model/model.h"

/* ---- the distance from a joint to the points that it moves, which turns an angle into a length ---- */

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

/* Seconds: key times closer than this are one moment, so a step may come this much too early. */
static const double clip_same_time = 1e-6;

typedef struct clip_truth {
  int joint_count;          /* joints that the clip animates, and their descendants */
  int *joints;              /* file order, a parent before its children */
  int *parents;             /* index into `joints`, or -1 if it is not animated */
  int *slots;               /* the inverse, for every joint of the model: index into `joints`, or -1 */
  moments_matrix *above;    /* positions of parents that are not animated; indexed like `joints` */
  moments_transform *still; /* the values of joints where nothing moves them */
  int moment_count;
  double step;               /* seconds between moments; the last one is at the end of the clip */
  double duration;           /* seconds */
  double farthest;           /* of any joint at any moment from the model's origin; infinite if it overflows */
  moments_matrix *positions; /* of every joint at moments 0 … 7, then of every joint at moments 8 … 15 */
  float *shells; /* indexed like `joints`: the distance from a joint at which points are compared, in its own space. The
                    extent of the skin, but at least a tenth of a metre in a model of human size */
} clip_truth;

/* `clip` has its start, duration and base. When memory runs out, returns false and sets raw->error; reset in any case.
 */
bool clip_truth_find(clip_truth *truth, raw_model *raw, const raw_clip *from, const model_desc *model,
                     const clip_reach *reach, const clip_desc *clip);
void clip_truth_reset(clip_truth *truth);

/* Seconds of clip time. */
double clip_truth_time(const clip_truth *truth, int moment);

/* The numbers of a joint that a track sets: index into moments_transform.v. */
int moments_first(track_kind kind);

#endif
