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
  float mean;                 /* … and over the last update */
  uint32_t group;             /* what it was begun with: clips of another one are in a transition with it */
  bool coasts;                /* it stands, and its root goes on as fast as it came */
  double step;                /* seconds to move by … */
  double late;                /* … after this many seconds of the update, in which it was not there yet */
  playback *playback;         /* while the actor's clocks move, and NULL after that: what it points to may move … */
  playback now;               /* … and is copied here */
  double time;                /* where it is in the clip */
  sync_phase *sync;           /* or NULL */
  sinew_match match;          /* what moves it on */
  double match_value;         /* as in course_step */
  bool leads;                 /* its states are those that its graph is in, and none that fades out */
  double leg_time[GAIT_LEGS]; /* in sync: where in the clip each leg is, so that feet lift together; or NAN … */
  double leg_rate[GAIT_LEGS]; /* … seconds of the clip in a second while that leg stands … */
  double leg_pace[GAIT_LEGS]; /* … and as it is now */
  double speed;               /* its own, before its group leads it */
  double rate;                /* seconds of the clip in one of its steps: its speed, or what its group makes of it */
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
