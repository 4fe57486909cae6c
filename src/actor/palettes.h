/* palettes – the skinning matrices of all characters of a stage in one array, in the order in which they came. */
#ifndef SINEW_ACTOR_PALETTES_H
#define SINEW_ACTOR_PALETTES_H

#include <sinew/math.h>

typedef struct palettes {
  sinew_mat3x4 *matrices;
  int count, capacity;
  bool has_gaps;
} palettes;

/* One owner's part: matrices + offset, `count` of them. */
typedef struct palette_range {
  int offset, count;
} palette_range;

/* Adds `count` matrices at the end. The array may move. False when memory runs out or there are too many. */
bool palettes_add(palettes *p, palette_range *range, int count);
/* Leaves a gap, except at the end. */
void palettes_remove(palettes *p, const palette_range *range);

/* Closes the gaps: begin, then pack every range in the order of offsets. */
void palettes_begin_packing(palettes *p);
void palettes_pack(palettes *p, palette_range *range);

void palettes_reset(palettes *p);

#endif
