/* bvh_channels – joints of a BVH file that turn about one axis or two, or move along some: Assimp takes the first three
 * channels of such a joint for its rotations. */
#ifndef SINEW_IMPORT_BVH_CHANNELS_H
#define SINEW_IMPORT_BVH_CHANNELS_H

#include "import/raw/raw.h"

/* The text with three rotations, and three positions or none, for each joint, in raw memory with a zero behind it; the
 * text itself where each has them, or where nobody can say which channels there are. Rotations that were not there come
 * last and are 0, positions are those of the joint's OFFSET. False when memory runs out. */
bool bvh_channels(raw_model *raw, const unsigned char **text, size_t *size);

#endif
