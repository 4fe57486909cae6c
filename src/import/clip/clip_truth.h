/* clip_truth – the joints as the curves of a clip place them, at the moments of comparison with its track groups. */
#ifndef SINEW_IMPORT_CLIP_TRUTH_H
#define SINEW_IMPORT_CLIP_TRUTH_H

#include "import/clip/clip_reach.h"
#include "import/clip/moments.h"
#include "import/raw/curve.h"

/* Key times nearer than this are one moment, seconds: by as much a step may come sooner. */
static const double clip_same_time = 1e-6;

typedef struct clip_truth {
  int joint_count;          /* that the clip animates, or that hang from such */
  int *joints;              /* file order, a parent before its children */
  int *parents;             /* index into `joints`, or -1: one that is not animated */
  int *slots;               /* the other way round, for every joint of the model: index into `joints`, or -1 */
  moments_matrix *above;    /* where the parents that are not animated are; index as `joints` */
  moments_transform *still; /* what the joints hold where nothing moves them */
  int moment_count;
  double step;               /* seconds between moments; the last one is at the end of the clip */
  double duration;           /* seconds */
  double farthest;           /* from the model's origin, of any joint at any moment; infinite where that is no length */
  moments_matrix *positions; /* of every joint at moments 0 … 7, then of every joint at moments 8 … 15 */
  float *shells; /* index as `joints`: how far beside a joint points are compared, in its own space. As far as there is
                    skin, but a tenth of a metre at least in a model of human size */
} clip_truth;

/* `clip` has its start, duration and base. False, and raw->error set, when memory runs out; reset either way. */
bool clip_truth_find(clip_truth *truth, raw_model *raw, const raw_clip *from, const model_desc *model,
                     const clip_reach *reach, const clip_desc *clip);
void clip_truth_reset(clip_truth *truth);

/* Seconds of clip time. */
double clip_truth_time(const clip_truth *truth, int moment);

/* The numbers of a joint that a track sets: index into moments_transform.v. */
int moments_first(track_kind kind);

#endif
