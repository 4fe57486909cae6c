/* crowd_differences – finds the members of a crowd whose poses differ from those of their ghosts. */
#ifndef SINEW_HOST_CROWD_DIFFERENCES_H
#define SINEW_HOST_CROWD_DIFFERENCES_H

#include "host/past/review.h"

typedef struct crowd_differences {
  const sinew_mat3x4 *now, *then; /* palettes, one member after the other */
  sinew_vec3 *joints;             /* for each matrix of a palette, its joint's bind position */
  int palette, count;             /* count: members that both have */
} crowd_differences;

/* Empty if the index-th crowd shown has no ghost. */
crowd_differences crowd_differences_begin(const review *r, int index);
void crowd_differences_end(crowd_differences *d);
/* True if a joint of that member is more than a centimetre from its ghost's, with roots aligned. */
bool crowd_differences_has(const crowd_differences *d, int member);

#endif
