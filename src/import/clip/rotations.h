/* rotations – whether the rows of a clip hold what sampling takes for granted of rotations; compiled once for each
 * backend of math/lanes.h. */
#ifndef SINEW_IMPORT_ROTATIONS_H
#define SINEW_IMPORT_ROTATIONS_H

#include "model/clip.h"

/* Every rotation of the pack is near unit length, and so near the one in the row before that what lies between is near
 * unit length, too; a pack that holds has nothing between. The table has its rows and their slack. */
typedef bool rotations_check(const clip_table *table, const clip_pack *pack);

/* That of simd_current(). */
rotations_check *rotations_check_current(void);

#endif
