/* bvh_names – handles joints of a BVH file with white space in their names, "JOINT Left Arm", where Assimp would end
 * the name. */
#ifndef SINEW_IMPORT_BVH_H
#define SINEW_IMPORT_BVH_H

#include "import/raw/raw.h"

/* Replaces each space within a name by a letter that no name has, in zero-terminated raw memory; returns the same text
 * if there is none. False when memory runs out. */
bool bvh_names(raw_model *raw, const unsigned char **text, size_t size);

/* Puts the spaces back. False when memory runs out. */
bool bvh_names_restore(raw_model *raw);

/* Completes joints of a BVH file that rotate about one or two axes, or move along some: Assimp would take the first
 * three channels of such a joint for its rotations. */

/* Returns the text with three rotations, and three positions or none, for each joint, in zero-terminated raw memory;
 * the same text if each joint already has them, or if the channels cannot be determined. Added rotations come last and
 * are 0; added positions are those of the joint's OFFSET. False when memory runs out. */
bool bvh_channels(raw_model *raw, const unsigned char **text, size_t *size);

#endif
