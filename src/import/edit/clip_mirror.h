/* clip_mirror – a clip with left and right exchanged, on the curves themselves: what sinew_mirror makes of its poses.
 */
#ifndef SINEW_IMPORT_CLIP_MIRROR_H
#define SINEW_IMPORT_CLIP_MIRROR_H

#include "import/raw/raw.h"

/* The clip's list of tracks is its own; their keys may be shared, and stay as they are. False and an error message
 * where no joint of the model has a partner on the other side, or when memory runs out. */
bool mirror_clip(raw_model *raw, raw_clip *clip);

#endif
