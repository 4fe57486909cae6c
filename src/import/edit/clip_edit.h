/* clip_edit – cuts, closes, mirrors, reverses and renames clips before they become track groups, on the curves
 * themselves. */
#ifndef SINEW_IMPORT_CLIP_EDIT_H
#define SINEW_IMPORT_CLIP_EDIT_H

#include "import/raw/raw.h"

/* sinew_load_options.edits, in their order. False and an error message for a clip that is not there, a cut outside of
 * it, a mirror without sides, or when memory runs out. */
bool edit_clips(raw_model *raw, const sinew_clip_edit *edits, int count);

/* Cuts each clip to what its file plays of it. False when memory runs out. */
bool cut_clips(raw_model *raw);

#endif
