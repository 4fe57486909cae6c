/* fbx_skeleton – the models of a file as nodes, with their transforms: FBX has three ways in which a child inherits its
 * parent's scale (InheritType), our nodes have one.
 *
 * With s the effective scale of a node, W its world matrix and U that matrix without s, FBX says
 *   type 1 (RSrs):                 W = W_P · L,                     s = S
 *   types 0 (RrSs) and 2 (Rrs):    W = U_P · [R, t ⊙ s_P] · diag(s),  s = S ⊙ s_k with k = P for 0, the parent's own k
 * for 2 so that below its parent the node is T · diag(1 / s_P) · R · diag(s). Where s_P is the same along all axes this
 * is one T·R·S; else a helper takes T and 1 / s_P. */
#ifndef SINEW_IMPORT_FBX_SKELETON_H
#define SINEW_IMPORT_FBX_SKELETON_H

#include "import/source/fbx/objects/fbx_pivots.h"

typedef struct fbx_joint {
  int object;       /* of the scene */
  int parent;       /* joint, or -1 */
  int node, helper; /* raw nodes; helper is -1 if there is none */
  fbx_pivots pivots;
  fbx_local rest;
  bool relative;        /* InheritType 0 or 2 below a parent */
  int scale_from;       /* the joint whose effective scale multiplies its own, or -1 */
  bool even;            /* the effective scale is uniform, at rest and in all clips */
  double rest_scale[3]; /* the effective one */
} fbx_joint;

typedef struct fbx_skeleton {
  fbx_joint *joints; /* a parent before its children */
  int count;
} fbx_skeleton;

/* The models in the order of their connections, depth first. False when memory runs out. */
bool fbx_skeleton_find(fbx_scene *scene, fbx_skeleton *skeleton);
/* Propagates `even`, once it is known for the joints' own scales (joint.even), and creates the raw nodes. */
bool fbx_skeleton_build(fbx_scene *scene, fbx_skeleton *skeleton);

/* The transforms of a joint's nodes that result from the joints' values; `locals` are by joint. */
typedef struct fbx_placed {
  double translation[3], rotation[4], scale[3];
  double helper_scale[3]; /* with its translation, which the node itself then lacks */
  double angles[3];       /* of the joint itself, degrees */
} fbx_placed;

/* The effective scales in a clip, by joint: whether it moves, and if not, its value. */
typedef struct fbx_scales {
  bool *move;
  double (*still)[3];
} fbx_scales;

/* `local` gives a joint's values; it is called for the joint, and for those with a moving scale that it inherits.
 * `scales` is NULL at rest. */
typedef void fbx_local_of(const void *user, int joint, bool scale_only, fbx_local *local);
fbx_placed fbx_position(const fbx_skeleton *skeleton, int joint, const fbx_scales *scales, fbx_local_of *local,
                        const void *user);

#endif
