/* baked_curves – collects the named numbers of a baked clip. */
#ifndef SINEW_POSE_BAKED_CURVES_H
#define SINEW_POSE_BAKED_CURVES_H

#include <sinew/model.h>

typedef struct baked_curve {
  char *name;
  sinew_curve_key *keys;
  int count, capacity;
} baked_curve;

typedef struct baked_curves {
  baked_curve *items;
  int count, capacity;
} baked_curves;

const baked_curve *baked_curves_find(const baked_curves *curves, const char *name); /* or NULL */
/* Appends a key. NULL, or the reason why it was not added. */
const char *baked_curves_add(baked_curves *curves, const char *name, sinew_curve_key key);
void baked_curves_reset(baked_curves *curves);

#endif
