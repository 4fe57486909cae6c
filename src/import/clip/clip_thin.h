/* clip_thin – drops the frames of a track group that their neighbours reproduce: every second, third … frame of an even
 * one, or any, where that leaves far fewer. */
#ifndef SINEW_IMPORT_CLIP_THIN_H
#define SINEW_IMPORT_CLIP_THIN_H

#include "import/raw/raw.h"

/* Which frames are needed for `count` tracks from `first` on: ascending, the first and the last frame always. `slack`
 * is what a value of each track of the track group may be off, and 0 for a step track, whose values stay as they are.
 * `needed` has room for all frames. How many there are. */
int clip_thin_find(const track_group_desc *desc, const double *slack, int first, int count, int *needed);

/* Keeps these frames alone, in new memory of the raw model. False, and raw->error set, when that is out. */
bool clip_thin_apply(raw_model *raw, track_group_desc *desc, const int *needed, int count);

#endif
