/* fbx_clips – turns stacks into clips of the raw model: from LocalStart to LocalStop, in seconds since LocalStart. */
#ifndef SINEW_IMPORT_FBX_CLIPS_H
#define SINEW_IMPORT_FBX_CLIPS_H

#include "import/source/fbx/curves/fbx_animation.h"
#include "import/source/fbx/geometry/fbx_shape.h"
#include "import/source/fbx/objects/fbx_skeleton.h"

/* The size of a model and the reach of its joints, which convert allowed lengths into allowed angles and scales. */

/* Lengths are in the file's units. */
typedef struct fbx_reach {
  double size;      /* of the bones and meshes; without bones, of everything except cameras and lights */
  double tolerance; /* the allowed distance of lines between keys from the curves */
  double *stretch;  /* by joint: the factor by which its parents stretch what it moves */
  double *far;      /* by joint: the distance of the farthest thing that it moves */
} fbx_reach;

/* False when memory runs out. */
bool fbx_find_reach(const fbx_scene *scene, const fbx_skeleton *skeleton, fbx_reach *reach);

/* The same while a clip scales joints: `largest` is each joint's largest own scale. */
bool fbx_reach_in_clip(const fbx_scene *scene, const fbx_skeleton *skeleton, const double *largest,
                       const fbx_reach *rest, fbx_reach *reach);

/* Turns functions of time into tracks. Functions that bend get keys at moments that all functions of a clip share: at
 * keys of their curves, as few as keep straight lines (for rotations the shorter arc) within the tolerances, and
 * between them as many as that takes. Functions made of straight lines keep the keys of their own curves, and functions
 * that only jump become step tracks. Elsewhere a jump is two keys very close together. */

/* One of the tracks that a function fills. */
typedef struct fbx_part {
  track_kind kind;
  int node, target;
  double per_tolerance; /* 1 over the tolerance: radians for rotations, a fraction of the value for scales */
} fbx_part;

/* FBX_TURNS: the curves are straight, but rotations and pivots bend the motion. */
typedef enum fbx_course { FBX_BENDS, FBX_TURNS, FBX_STRAIGHT, FBX_STEPS } fbx_course;

typedef struct fbx_function {
  /* `out` gets the values of all parts in sequence; `angles` gets three, in degrees, which distinguish rotations by
   * more than half a turn from short ones. */
  void (*value)(const void *user, int64_t time, fbx_side side, double *out, double *angles);
  const void *user;
  fbx_part *parts;
  int part_count;
  fbx_course course;
  int64_t sample_step; /* of curves with lines that have a key in nearly every frame of a recording; else 0 */
} fbx_function;

/* The marks are sorted; the first and the last are the ends of the span. */
typedef struct fbx_sampling {
  fbx_scene *scene;
  raw_clip *clip;
  const fbx_marks *marks;
} fbx_sampling;

/* For functions that bend or turn; `marks` are those of all. False when memory runs out. */
bool fbx_sample_together(const fbx_sampling *sampling, const fbx_function *functions, int count);
/* For a function that does not bend, or does not move. */
bool fbx_sample_alone(const fbx_sampling *sampling, const fbx_function *function);

/* The function's value at the span's start, for the whole time: a key at each end. */
bool fbx_sample_still(const fbx_sampling *sampling, const fbx_function *function);

/* Finds the joints whose scales are uniform in every clip: joint.even. False when memory runs out. */
bool fbx_find_even_scales(fbx_scene *scene, const fbx_animation *animation, fbx_skeleton *skeleton);

/* False when memory runs out. */
bool fbx_make_clips(fbx_scene *scene, const fbx_animation *animation, const fbx_skeleton *skeleton,
                    const fbx_blends *blends);

#endif
