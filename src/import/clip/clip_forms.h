/* clip_forms – chooses the rotations of a track group that are stored full, and those that follow arcs. */
#ifndef SINEW_IMPORT_CLIP_FORMS_H
#define SINEW_IMPORT_CLIP_FORMS_H

#include "import/clip/clip_frames.h"
#include "import/clip/track_groups.h"

/* The columns of a track group that share a group of the pose get the same form. `frame_count`: that of the clip's
 * longest track group. False when memory runs out. */
bool clip_forms_choose(const track_groups *groups, const clip_frames *frames, const track_group_desc *desc,
                       int frame_count);

#endif
