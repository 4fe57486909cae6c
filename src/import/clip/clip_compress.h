/* clip_compress – the track groups of a clip that take the least room within its tolerance. They are built leniently,
 * measured, and built more strictly where they miss. */
#ifndef SINEW_IMPORT_CLIP_COMPRESS_H
#define SINEW_IMPORT_CLIP_COMPRESS_H

#include "import/clip/track_groups.h"

/* Sets the track groups, the base and the error of `desc`, which has its start, duration and base. Where no track group
 * is within the tolerance the best is kept, and a note says how far off it is. False, and raw->error set, when memory
 * is out or the clip is too large. */
bool clip_compress(const clip_parts *parts, clip_desc *desc);

#endif
