/* bvh_names – handles joints of a BVH file with white space in their names, "JOINT Left Arm", where Assimp would end
 * the name. */
#ifndef SINEW_IMPORT_BVH_NAMES_H
#define SINEW_IMPORT_BVH_NAMES_H

#include "import/raw/raw.h"

/* Replaces each space within a name by a letter that no name has, in zero-terminated raw memory; returns the same text
 * if there is none. False when memory runs out. */
bool bvh_names(raw_model *raw, const unsigned char **text, size_t size);

/* Puts the spaces back. False when memory runs out. */
bool bvh_names_restore(raw_model *raw);

#endif
