/* fbx_reach – the size of a model and the reach of its joints, which convert allowed lengths into allowed angles and
 * scales. */
#ifndef SINEW_IMPORT_FBX_REACH_H
#define SINEW_IMPORT_FBX_REACH_H

#include "import/source/fbx/objects/fbx_skeleton.h"

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

#endif
