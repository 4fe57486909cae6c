/* rotations – checks the assumptions that sampling makes about a clip's rotations; compiled once for each backend of
 * math/lanes.h. */
#ifndef SINEW_IMPORT_ROTATIONS_H
#define SINEW_IMPORT_ROTATIONS_H

#include "model/clip/clip.h"

/* Whether every rotation of the pack is near unit length, and near that of the frame before if both are between the
 * same two moments of a segment; a step pack has nothing in between. The track group has its frames and their slack,
 * and the pack its blocks. */
typedef bool rotations_check(const sinew_clip *clip, const clip_pack *pack);

/* The function of simd_current(). */
rotations_check *rotations_check_current(void);

#endif
