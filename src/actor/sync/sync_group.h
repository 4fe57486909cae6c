/* sync_group – the clips of one actor that share a phase, in one update.
 *
 * A stride takes Σ w |v| T / Σ w |v| seconds, where a clip of weight w travels with v and takes T for a stride. Then
 * the feet stay in place while the actor moves with Σ w v: during a stride, a planted foot of clip i moves back by v T,
 * so the foot of the blend moves back by Σ w v T / Σ w |v| T · Σ w |v| per second. The same holds for each interval
 * between two marks. Standing clips have no stride: they run on their own clocks, and while nothing else is visible the
 * phase stands still. If no clip's speed is known, all count alike, and a stride takes Σ w T / Σ w. One layer sets the
 * pace and the moments at which legs lift: the lowest layer with a clip that travels leads those above it. */
#ifndef SINEW_ACTOR_SYNC_GROUP_H
#define SINEW_ACTOR_SYNC_GROUP_H

#include "actor/play/clip_instance.h"

/* Moves the clocks of the group of instance `first`, the first of its members. */
void sync_group_advance(clip_instance_list *list, int first, const sinew_model *model, const marker_table *markers,
                        model_gait *gait);

#endif
