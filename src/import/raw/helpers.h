/* helpers – adds joints above a node of the file, for transforms that a single T·R·S cannot express. */
#ifndef SINEW_IMPORT_HELPERS_H
#define SINEW_IMPORT_HELPERS_H

#include "import/raw/raw.h"

/* Replaces the nodes; `map` gives the new index of each old node, for all references. */
void replace_nodes(raw_model *raw, raw_node *nodes, int count, const int32_t *map);

/* A node with a sheared matrix that no clip moves becomes two: M = U·S·Vᵀ is (U, S) above (Vᵀ), both without shear, and
 * exact. False when memory runs out. */
bool split_shear(raw_model *raw);

#endif
