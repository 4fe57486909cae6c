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

/* The curve of a clip by its name, or NULL. */
const sinew_curve_view *curve_find(const curve_table *table, const sinew_model *model, int clip, const char *name);
/* The curve at that index: first the stage's, then the file's, except replaced ones; NULL after the last. */
const sinew_curve_view *curve_at(const curve_table *table, const sinew_model *model, int clip, int index);
bool curve_set(curve_table *table, sinew_model *model, int clip, const sinew_curve_view *curve, sinew_error *error);
void curves_reset(curve_table *table);

#endif
