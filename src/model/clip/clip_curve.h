/* clip_curve – named numbers over the time of a clip: their rules, and their value at a moment. */
#ifndef SINEW_MODEL_CLIP_CURVE_H
#define SINEW_MODEL_CLIP_CURVE_H

#include <sinew/model.h>

enum { CLIP_CURVES = 64, CLIP_CURVE_NAME = 64, CLIP_CURVE_KEYS = 65536 };

/* Why it is not a valid curve for a clip with that time range, or NULL. */
const char *clip_curve_fault(const sinew_curve_view *curve, double from, double to);

double clip_curve_value(const sinew_curve_view *curve, double time);

/* The curve of that name, or NULL. */
const sinew_curve_view *clip_curve_in(const sinew_curve_view *curves, int count, const char *name);

#endif
