/* fbx_sample – functions of time become tracks. What bends gets keys at moments that all functions of a clip share:
 * where their curves have keys, as few of them as keep straight lines (for rotations the shorter arc) within the
 * tolerances, and as many between them as that takes. What goes in straight lines keeps the keys of its own curves, and
 * what does nothing but jump becomes a track of steps. Elsewhere a jump is two keys a hair apart. */
#ifndef SINEW_IMPORT_FBX_SAMPLE_H
#define SINEW_IMPORT_FBX_SAMPLE_H

#include "import/source/fbx/curves/fbx_animation.h"

/* One of the tracks that a function fills. */
typedef struct fbx_part {
  track_kind kind;
  int node, target;
  double per_tolerance; /* 1 over the tolerance: radians for rotations, a fraction of the value for scales */
} fbx_part;

/* FBX_TURNS: the curves are straight; rotations and pivots bend them. */
typedef enum fbx_course { FBX_BENDS, FBX_TURNS, FBX_STRAIGHT, FBX_STEPS } fbx_course;

typedef struct fbx_function {
  /* `out` gets the values of all parts one after the other, `angles` three in degrees, which tell turns by more than
   * half a circle from short ones. */
  void (*value)(const void *user, int64_t time, fbx_side side, double *out, double *angles);
  const void *user;
  fbx_part *parts;
  int part_count;
  fbx_course course;
} fbx_function;

/* The marks are in order, the first and the last are the span's ends. */
typedef struct fbx_sampling {
  fbx_scene *scene;
  raw_clip *clip;
  const fbx_marks *marks;
} fbx_sampling;

/* All of them bend or turn; `marks` are of all. False when memory runs out. */
bool fbx_sample_together(const fbx_sampling *sampling, const fbx_function *functions, int count);
/* One that does not bend, or does not move at all. */
bool fbx_sample_alone(const fbx_sampling *sampling, const fbx_function *function);

/* All the time the values that the function has at the span's start: a key at each end. */
bool fbx_sample_still(const fbx_sampling *sampling, const fbx_function *function);

#endif
