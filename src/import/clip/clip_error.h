/* clip_error – how far a clip's tables are from the curves they were made of, where it shows: in model space, at the
 * joints and at the skin. */
#ifndef SINEW_IMPORT_CLIP_ERROR_H
#define SINEW_IMPORT_CLIP_ERROR_H

#include "import/clip/clip_truth.h"

/* The worst distance of a joint, or of a point beside it (truth->shells), from where the curves put it. `rounded`: as
 * 16 bits will have it. `errors`, where it is not NULL, gets the worst of each moment. Infinite where products over a
 * chain of huge scales are no lengths. False, and raw->error set, when memory is out. */
bool clip_error_measure(const clip_truth *truth, raw_model *raw, const clip_desc *clip, bool rounded, float *errors,
                        double *worst);

#endif
