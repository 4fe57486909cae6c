/* clip_compress – finds the smallest track groups of a clip within its tolerance. They are built leniently, measured,
 * and built more strictly where they miss the tolerance. */
#ifndef SINEW_IMPORT_CLIP_COMPRESS_H
#define SINEW_IMPORT_CLIP_COMPRESS_H

#include "import/clip/track_groups.h"

/* Sets the track groups, the base and the error of `desc`, whose start, duration and base are set. If no track group is
 * within the tolerance, the best one is kept, with a note about its error. When memory runs out or the clip is too
 * large, returns false and sets raw->error. */
bool clip_compress(const clip_parts *parts, clip_desc *desc);

#endif
