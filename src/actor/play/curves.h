/* curves – named numbers over the time of clips. Curves set on the stage replace those from the clips' files. */
#ifndef SINEW_ACTOR_CURVES_H
#define SINEW_ACTOR_CURVES_H

#include <sinew/curve.h>

typedef struct clip_curves {
  sinew_curve_view *items;
  int count, capacity;
} clip_curves;

typedef struct model_curves {
  sinew_model *model; /* retained */
  clip_curves *clips;
} model_curves;

typedef struct curve_table {
  model_curves *models;
  int count, capacity;
  int64_t keys; /* of all curves */
} curve_table;
void curves_reset(curve_table *table);

#endif
