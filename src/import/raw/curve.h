/* curve – the value of one animation curve of a file at a moment, in double precision. */
#ifndef SINEW_IMPORT_CURVE_H
#define SINEW_IMPORT_CURVE_H

#include "import/raw/raw.h"
#include "model/model_space.h"

/* The value of key `key`; `out` gets clip_kind_width values, rotations of unit length. */
void curve_key(const raw_track *track, int key, double *out);

/* The value at a time in the file's seconds: step, linear (slerp for rotations) or cubic, as the track says. Times
 * outside the keys hold the ends. */
void curve_value(const raw_track *track, double time, double *out);

/* The same for consecutive moments: it caches the interval between two keys. */
typedef struct curve_cursor {
  const raw_track *track;
  int key;            /* the last key at or before the moment */
  double a[4], b[4];  /* for linear interpolation: the values of this key and the next, rotations in one hemisphere */
  double angle, sine; /* between them; negative until they are needed */
} curve_cursor;

curve_cursor curve_cursor_make(const raw_track *track);
void curve_cursor_value(curve_cursor *cursor, double time, double *out);

/* The value of a RAW_CUBIC curve and its derivative per second, neither normalised; outside the keys the end value, at
 * rest. */
void curve_cubic(const raw_track *track, double time, double *value, double *slope);

/* Whether any key's value differs from the first one's. */
bool curve_moves(const raw_track *track);
/* Whether it stays within a distance of its first key; for rotations, a distance of quaternions. */
bool curve_stays(const raw_track *track, double slack);

double curve_dot4(const double *a, const double *b);
void curve_normalize4(double *q);

/* ---- the pose of a raw clip at a moment ---- */

/* Joints that the clip does not animate are at rest. `local` and `model` have room for the skeleton's joints. */
void raw_pose(const skeleton_view *skeleton, const raw_clip *clip, double time, sinew_transform *local,
              sinew_transform *model);

/* First and last key, seconds; false for a clip without keys of joints. */
bool raw_clip_span(const raw_clip *clip, double *first, double *last);

#endif
