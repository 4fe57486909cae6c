/* clip_edit – cuts, closes, mirrors, reverses and renames clips on their curves, before these become track groups. */
#ifndef SINEW_IMPORT_CLIP_EDIT_H
#define SINEW_IMPORT_CLIP_EDIT_H

#include "import/raw/raw.h"

/* Applies sinew_load_options.edits in order. False and an error message for a clip that does not exist, a cut outside
 * it, a mirror without sides, or when memory runs out. */
bool edit_clips(raw_model *raw, const sinew_clip_edit *edits, int count);

/* Cuts each clip to the range that its file plays. False when memory runs out. */
bool cut_clips(raw_model *raw);

#endif
