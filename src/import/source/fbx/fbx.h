/* fbx – what Assimp makes of FBX transforms, put right: pivots, geometric transforms, scale inheritance. */
#ifndef SINEW_IMPORT_FBX_H
#define SINEW_IMPORT_FBX_H

#include "import/raw/raw.h"

/* The whole repair; after raw_check. False when memory is out. */
bool fbx_repair(raw_model *raw);

/* fbx_fold.c: Assimp writes a node with pivots as a chain of helper nodes, one for each factor of FBX's transform.
 * Folds each chain into as few joints as are exact; mostly that is the node alone. */
bool fbx_fold_chains(raw_model *raw);

/* The helper belongs to that node: "NAME_$AssimpFbx$_PreRotation". */
bool fbx_is_helper_of(const raw_node *helper, const raw_node *node);

#endif
