/* clip_error – measures the error of a clip's track groups against their source curves, in model space, at the joints
 * and at the skin. */
#ifndef SINEW_IMPORT_CLIP_ERROR_H
#define SINEW_IMPORT_CLIP_ERROR_H

#include "import/clip/clip_rounding.h"
#include "import/clip/clip_truth.h"

/* The largest distances of a joint, or of a point beside it (truth->shells), from its position according to the curves.
 * Infinite if products over a chain of huge scales overflow. */
typedef struct clip_errors {
  double worst;
  float *moments;            /* of all joints at each moment, with room for a batch behind the last; or NULL */
  float *joints;             /* of each of truth->joints at any moment */
  float (*squares)[MOMENTS]; /* of each of the joints, as they are measured */
  moments_transform *held;   /* room to work */
  moments_matrix *positions;
} clip_errors;

/* Allocates them; with `moments`, also those of each moment. */
bool clip_errors_open(clip_errors *errors, const clip_truth *truth, bool moments, raw_model *raw);

/* A few of the moments give a lower bound, which may be enough to reject a clip; the rest, measured afterwards,
 * completes them. */
typedef enum clip_moments { CLIP_MOMENTS_ALL, CLIP_MOMENTS_FEW, CLIP_MOMENTS_REST } clip_moments;
enum { CLIP_FEW = 4 }; /* each so manieth batch */

/* One of the track groups that are measured. */
typedef struct clip_measured {
  const track_group_desc *desc;
  clip_rounding *rounding; /* its frames as rounded to integers; or NULL: as they are */
} clip_measured;

/* `base`: values of joints that do not move, in file order. */
void clip_error_measure(const clip_truth *truth, const sinew_transform *base, const clip_measured *groups,
                        int group_count, clip_moments which, clip_errors *errors);

#endif
