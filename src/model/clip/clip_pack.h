/* clip_pack – puts a described clip into a model's block. */
#ifndef SINEW_MODEL_CLIP_PACK_H
#define SINEW_MODEL_CLIP_PACK_H

#include "base/memory/block.h"
#include "model/model.h"

/* Whose joints a clip moves: `stored` maps the file's joints to stored ones, `order` stored ones to the file's (−1 for
 * the virtual root). */
typedef struct clip_joints {
  const model_desc *model;
  const int32_t *stored, *order;
} clip_joints;

/* Lays a clip's track groups, packs and groups out. The clip has its counts, its rest pose and what it animates; while
 * the block measures, it gets counts alone. */
void track_groups_lay(block *b, const clip_desc *desc, const clip_joints *joints, sinew_clip *clip);

/* The part of track_groups_lay that says how frames are found: sets what a track group has of time. */
void clip_times_lay(block *b, const track_group_desc *desc, track_group *tracks);

/* The number of integer packs that a track group's tracks make. */
int clip_count_narrow(const track_group_desc *desc, const int32_t *stored);

#endif
