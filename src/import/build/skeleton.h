/* skeleton – the nodes of a raw model as a skeleton, with the virtual root as joint 0: node i is joint i + 1. */
#ifndef SINEW_IMPORT_SKELETON_H
#define SINEW_IMPORT_SKELETON_H

#include "import/raw/raw.h"
#include "model/names/humanoid.h"

/* In the memory of `owner`; names are those of `raw`, and helpers have none. False when memory runs out. */
bool raw_skeleton(raw_model *owner, const raw_model *raw, skeleton_view *view);

#endif
