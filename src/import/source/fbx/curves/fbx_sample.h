/* fbx_sample – a function of time becomes a track: keys where its curves have theirs, and as many between them as keep
 * straight lines (for rotations the shorter arc) within a tolerance. Where it jumps there are two keys a hair apart;
 * where it does nothing but jump, the track is one of steps. */
#ifndef SINEW_IMPORT_FBX_SAMPLE_H
#define SINEW_IMPORT_FBX_SAMPLE_H

#include "import/source/fbx/curves/fbx_animation.h"

/* Several values at once, so that tracks of one joint share their keys: rotations first, by their width of 4. */
typedef struct fbx_part {
  track_kind kind;
  int node, target;
  double tolerance; /* radians for rotations, a part of the value for scales */
} fbx_part;

typedef struct fbx_function {
  /* `out` gets the values of all parts one after the other. *turned gets the widest angle in degrees, which tells turns
   * by more than half a circle from short ones. */
  void (*value)(const void *user, int64_t time, fbx_side side, double *out, double *angles);
  const void *user;
  const fbx_part *parts;
  int part_count;
  bool straight; /* nothing bends between the moments */
} fbx_function;

enum { FBX_MOST_VALUES = 16 };

/* `moments` ascend, the first and the last are the span's. False when memory is out. */
bool fbx_sample(fbx_scene *scene, raw_clip *clip, const fbx_function *function, const int64_t *moments, size_t count);

#endif
