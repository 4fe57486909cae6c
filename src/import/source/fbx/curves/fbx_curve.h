/* fbx_curve – an animation curve of one number over FBX's ticks: constant, linear and cubic segments, and extrapolation
 * before the first and after the last key. */
#ifndef SINEW_IMPORT_FBX_CURVE_H
#define SINEW_IMPORT_FBX_CURVE_H

#include "import/source/fbx/objects/fbx_scene.h"

typedef enum fbx_segment { FBX_CONSTANT, FBX_CONSTANT_NEXT, FBX_LINEAR, FBX_CUBIC } fbx_segment;

/* A key determines the segment that begins at it. Slopes are changes per second, weights fractions of the segment: its
 * Bezier points are at 0, weight_right, 1 − the next key's weight_left, 1. */
typedef struct fbx_key {
  int64_t time;
  float value; /* as in files; floats, because many keys are in memory at once */
  float slope_left, slope_right;
  float weight_left, weight_right;
  uint8_t segment; /* fbx_segment */
} fbx_key;

/* The extrapolation before the first or after the last key, as a letter of the file. */
typedef struct fbx_extrapolation {
  char type;     /* C constant, K slope, R repeat, M mirror, A repeat with the offset of a cycle */
  int64_t count; /* cycles; negative: for ever */
} fbx_extrapolation;

/* A cubic segment that is evaluated moment by moment: the value is ((c3·t + c2)·t + c1)·t + c0, where t is the fraction
 * of the segment's time or, with uneven weights, the parameter of its Bezier in time. A segment in a cycle is moved
 * there. */
typedef struct fbx_piece {
  int64_t from, to; /* the segment lies strictly between them */
  double inverse;   /* of its length */
  double c[4];
  double x1, x2;        /* of the Bezier in time */
  double x, t, t_for_x; /* the last solution, and the derivative of t there */
  bool even;
  bool backwards; /* in a mirrored cycle: it begins at `to` */
} fbx_piece;

typedef struct fbx_curve {
  int key_count;
  fbx_key *keys; /* times ascend */
  fbx_extrapolation before, after;
  double ticks;     /* a second's */
  int found;        /* the key found last: times are mostly consecutive */
  fbx_piece *piece; /* the cubic segment found last; NULL for curves without one */
  bool still;       /* it has a single value, and at most two keys are kept */
} fbx_curve;

/* At a moment, or directly before it: they differ where a curve jumps. */
typedef enum fbx_side { FBX_BEFORE, FBX_AT } fbx_side;

/* Reads a record AnimationCurve into file->memory; curve->key_count is 0 if it has no keys. False and an error message:
 * broken arrays, no memory. */
bool fbx_curve_read(fbx_scene *scene, const fbx_record *record, fbx_curve *curve);
/* fbx_curve.c: of a channel of files before 7.0, "KeyCount: 2 Key: time, value, U, s, …". */
bool fbx_curve_read_list(fbx_scene *scene, const fbx_record *channel, fbx_curve *curve);

double fbx_curve_value(fbx_curve *curve, int64_t time, fbx_side side);

/* Whether all its values are within `noise` of each other. */
bool fbx_curve_is_still(const fbx_curve *curve, double noise);
/* A bound for the absolute value between the two moments. */
double fbx_curve_largest(fbx_curve *curve, int64_t from, int64_t to);

#endif
