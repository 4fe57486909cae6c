/* clip_mirror – exchanges left and right in the curves of a clip, as sinew_mirror does in poses. */
#ifndef SINEW_IMPORT_CLIP_MIRROR_H
#define SINEW_IMPORT_CLIP_MIRROR_H

#include "import/raw/raw.h"

/* The clip's list of tracks is its own; their keys may be shared, and stay as they are. False and an error message
 * where no joint of the model has a partner on the other side, or when memory runs out. */
bool mirror_clip(raw_model *raw, raw_clip *clip);

#endif
