/* clip_mirror – exchanges left and right in the curves of a clip, as sinew_mirror does in poses. */
#ifndef SINEW_IMPORT_CLIP_MIRROR_H
#define SINEW_IMPORT_CLIP_MIRROR_H

#include "import/raw/raw.h"

/* The clip owns its list of tracks; keys may be shared, and are not changed. False and an error message if no joint of
 * the model has a partner on the other side, or when memory runs out. */
bool mirror_clip(raw_model *raw, raw_clip *clip);

#endif
