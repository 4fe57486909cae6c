/* bvh_names – joints of a BVH file with white space in their names, "JOINT Left Arm", which Assimp takes for the end.
 */
#ifndef SINEW_IMPORT_BVH_NAMES_H
#define SINEW_IMPORT_BVH_NAMES_H

#include "import/raw/raw.h"

/* The text with a letter that no name has in place of each space within a name, in raw memory with a zero behind it;
 * the text itself where there is none. False when memory runs out. */
bool bvh_names(raw_model *raw, const unsigned char **text, size_t size);

/* Puts the spaces back. False when memory runs out. */
bool bvh_names_restore(raw_model *raw);

#endif
