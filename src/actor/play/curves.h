/* curves – named numbers over the time of clips, kept by the stage. */
#ifndef SINEW_ACTOR_CURVES_H
#define SINEW_ACTOR_CURVES_H

#include <sinew/curve.h>

typedef struct clip_curve {
  char *name;
  sinew_curve_key *keys;
  int count;
} clip_curve;

typedef struct clip_curves {
  clip_curve *items;
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

const clip_curve *clip_curve_find(const curve_table *table, const sinew_model *model, int clip,
                                  const char *name); /* or NULL */
double clip_curve_value(const clip_curve *curve, double time);
bool clip_curve_set(curve_table *table, sinew_model *model, int clip, const char *name, const sinew_curve_key *keys,
                    int count, sinew_error *error);
void curves_reset(curve_table *table);

#endif
