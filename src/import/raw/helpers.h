/* helpers – adds joints above a node of the file, to express what a single transform cannot. */
#ifndef SINEW_IMPORT_HELPERS_H
#define SINEW_IMPORT_HELPERS_H

#include "import/raw/raw.h"

/* Replaces the nodes; `map` gives for each old node the new one, for everything that names a node. */
void replace_nodes(raw_model *raw, raw_node *nodes, int count, const int32_t *map);

/* A node whose matrix is sheared, and that no clip moves, becomes two: M = U·S·Vᵀ is (U, S) above (Vᵀ), both without
 * shear, and exact. False when memory runs out. */
bool split_shear(raw_model *raw);

#endif
