/* clip_pack – puts a described clip into a model's block. */
#ifndef SINEW_MODEL_CLIP_PACK_H
#define SINEW_MODEL_CLIP_PACK_H

#include "base/memory/block.h"
#include "model/clip/clip.h"
#include "model/model.h"

/* The mapping of joints: `stored` maps the file's joints to stored ones, `order` stored ones to the file's (−1 for the
 * virtual root). */
typedef struct clip_joints {
  const model_desc *model;
  const int32_t *stored, *order;
} clip_joints;

/* Lays out a clip's track groups, packs and groups. The clip has its counts, its rest pose and its animated joints;
 * while the block measures, only counts are set. */
void track_groups_lay(block *b, const clip_desc *desc, const clip_joints *joints, sinew_clip *clip);

/* The part of track_groups_lay for finding frames: sets the time fields of a track group. */
void clip_times_lay(block *b, const track_group_desc *desc, track_group *tracks);

/* The number of integer packs for a track group's tracks. */
int clip_count_narrow(const track_group_desc *desc, const int32_t *stored);

/* Splits off the packs of a track group that need fewer segments than the others. Each segment stores the meaning of
 * the integers of each pack; if only the root rotates far, only its pack needs many segments. */

/* False if the track group stays whole, because it has few segments or little to gain. Its two parts share its frames
 * and have their tracks in `tracks`, which has room for as many as the group has. `stored` maps the file's joints to
 * the model's; `sizes` is the result of clip_fit_segment for the group, or NULL. */
bool clip_divide(const track_group_desc *group, const int32_t *stored, double *sizes, clip_track *tracks,
                 track_group_desc parts[2]);

#endif
