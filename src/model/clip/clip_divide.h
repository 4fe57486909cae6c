/* clip_divide – splits off the packs of a track group that need fewer segments than the others. Each segment stores the
 * meaning of the integers of each pack; if only the root rotates far, only its pack needs many segments. */
#ifndef SINEW_MODEL_CLIP_DIVIDE_H
#define SINEW_MODEL_CLIP_DIVIDE_H

#include "model/clip/clip.h"

/* False if the track group stays whole, because it has few segments or little to gain. Its two parts share its frames
 * and have their tracks in `tracks`, which has room for as many as the group has. `stored` maps the file's joints to
 * the model's; `sizes` is the result of clip_fit_segment for the group, or NULL. */
bool clip_divide(const track_group_desc *group, const int32_t *stored, double *sizes, clip_track *tracks,
                 track_group_desc parts[2]);

#endif
