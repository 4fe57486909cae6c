/* clip_instance – a playing clip, of an action or a graph; the clocks of all instances of an actor. */
#ifndef SINEW_ACTOR_CLIP_INSTANCE_H
#define SINEW_ACTOR_CLIP_INSTANCE_H

#include "actor/scratch.h"
#include "actor/sync/sync.h"

typedef struct clip_instance {
  int clip, layer;
  int node;                   /* of the layer's graph, or -1 */
  uint64_t action;            /* or 0 */
  float weight;               /* in its layer: now */
  float mean;                 /* … over the last update … */
  float first;                /* … and at its beginning, with all that the caller has changed (motion/jumps.h) */
  uint32_t group;             /* clips of different groups are in a transition with each other */
  bool coasts;                /* it stands, and its root keeps its last velocity */
  double step;                /* seconds to move by … */
  double late;                /* … seconds of the update that had passed when it began */
  playback *playback;         /* used while clocks move, NULL afterwards: what it points to may move … */
  playback now;               /* … and is copied here */
  double time;                /* where it is in the clip */
  sync_phase *sync;           /* or NULL */
  sinew_match match;          /* what moves it on */
  double match_value;         /* as in course_step */
  bool leads;                 /* it belongs to the present states of its graph, not to one that fades out */
  double leg_time[GAIT_LEGS]; /* in sync: the time in the clip for each leg, so that feet lift together; or NAN … */
  double leg_rate[GAIT_LEGS]; /* … seconds of the clip per second while that leg stands … */
  double leg_pace[GAIT_LEGS]; /* … and as it is now */
  double speed;               /* its own, before the group changes it */
  double rate;                /* seconds of the clip in one step of it: its speed, or the pace that the group sets */
} clip_instance;

typedef struct clip_instance_list {
  clip_instance *items;
  int count, capacity;
} clip_instance_list;

/* Adds an instance of a clip; the caller sets the other members. NULL if the list is full, for which callers make it
 * large enough. */
clip_instance *clip_instance_add(clip_instance_list *list, int clip, int layer, playback *clock);

/* Chooses the instances that have a weight, in their order; the ones with the largest weights if there are too many. */
int clip_instances_choose(const clip_instance *items, int instance_count, const clip_instance *chosen[MAX_ACTIONS]);

/* Moves the clocks: each by itself, or with its group (sync_group.h). */
void clip_instances_advance(clip_instance_list *list, const sinew_model *model, const marker_table *markers,
                            model_gait *gait);

#endif
