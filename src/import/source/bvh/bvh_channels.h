/* bvh_channels – completes joints of a BVH file that rotate about one or two axes, or move along some: Assimp would
 * take the first three channels of such a joint for its rotations. */
#ifndef SINEW_IMPORT_BVH_CHANNELS_H
#define SINEW_IMPORT_BVH_CHANNELS_H

#include "import/raw/raw.h"

/* Returns the text with three rotations, and three positions or none, for each joint, in zero-terminated raw memory;
 * the same text if each joint already has them, or if the channels cannot be determined. Added rotations come last and
 * are 0; added positions are those of the joint's OFFSET. False when memory runs out. */
bool bvh_channels(raw_model *raw, const unsigned char **text, size_t *size);

#endif
