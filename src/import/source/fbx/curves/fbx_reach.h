/* fbx_reach – how large a model is and how far its joints reach: what turns lengths into the angles and scales that
 * clips may be off. */
#ifndef SINEW_IMPORT_FBX_REACH_H
#define SINEW_IMPORT_FBX_REACH_H

#include "import/source/fbx/objects/fbx_skeleton.h"

/* Lengths are in the file's units. */
typedef struct fbx_reach {
  double size;      /* of the bones and meshes; without bones, of what is neither a camera nor a light */
  double tolerance; /* how far lines between keys may be from the curves */
  double *stretch;  /* by joint: how much its parents stretch what it moves */
  double *far;      /* by joint: how far from it something hangs that it moves */
} fbx_reach;

/* False when memory runs out. */
bool fbx_find_reach(const fbx_scene *scene, const fbx_skeleton *skeleton, fbx_reach *reach);

/* The same while a clip scales joints: `largest` is the most that it makes of each joint's own scale. */
bool fbx_reach_in_clip(const fbx_scene *scene, const fbx_skeleton *skeleton, const double *largest,
                       const fbx_reach *rest, fbx_reach *reach);

#endif
