/* sync_group – the clips of one actor that share a phase, in one update.
 *
 * A stride takes Σ w |v| T / Σ w |v| seconds, where a clip of weight w travels with v and takes T for a stride. Then
 * the feet stay where they are while the actor moves with Σ w v: in stance foot i goes back by v T in a stride, so that
 * the blend of all goes back with Σ w v T / Σ w |v| T · Σ w |v| in a second. The same holds for each interval between
 * two marks. Clips that stand have no stride: they go by their own clocks, and while nothing else is seen the phase
 * stands, too. Where no clip's speed is known all count alike, and a stride takes Σ w T / Σ w. The pace, and when a leg
 * lifts, is a matter of one layer's clips: the lowest layer that has some which travel leads those above it. */
#ifndef SINEW_ACTOR_SYNC_GROUP_H
#define SINEW_ACTOR_SYNC_GROUP_H

#include "actor/play/clip_instance.h"

/* Moves the clocks of the group of instance `first`, the first of its members. */
void sync_group_advance(clip_instance_list *list, int first, const sinew_model *model, const marker_table *markers,
                        model_gait *gait);

#endif
