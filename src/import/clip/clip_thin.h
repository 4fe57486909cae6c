/* clip_thin – drops the frames of a track group that their neighbours reproduce: all but every second, third … frame of
 * an even one, or any frames if that leaves far fewer. */
#ifndef SINEW_IMPORT_CLIP_THIN_H
#define SINEW_IMPORT_CLIP_THIN_H

#include "import/raw/raw.h"

/* Finds the frames that `count` tracks from `first` on need: in ascending order, always including the first and the
 * last. `slack` is the allowed error of each track of the track group, 0 for a step track, whose values do not change.
 * `needed` has room for all frames. Returns their number. */
int clip_thin_find(const track_group_desc *desc, const double *slack, int first, int count, int *needed);

/* Keeps only these frames, in new memory of the raw model. When that runs out, returns false and sets raw->error. */
bool clip_thin_apply(raw_model *raw, track_group_desc *desc, const int *needed, int count);

#endif
