/* clip_divide – packs of a track group that do with longer segments than the others get a track group of their own:
 * each segment says anew what the integers of each pack mean, and where only the root turns far, only its pack needs
 * many. */
#ifndef SINEW_MODEL_CLIP_DIVIDE_H
#define SINEW_MODEL_CLIP_DIVIDE_H

#include "model/clip/clip.h"

/* False where a track group of few segments, or with little to gain, stays one. Its two parts share its frames and have
 * their tracks in `tracks`, which has room for as many as the group has. `stored` maps the file's joints to the
 * model's; `sizes` is what clip_fit_segment found of the group, or NULL. */
bool clip_divide(const track_group_desc *group, const int32_t *stored, double *sizes, clip_track *tracks,
                 track_group_desc parts[2]);

#endif
