/* event – what a leaf has played past in its last advance. */
#ifndef SINEW_ACTOR_EVENT_H
#define SINEW_ACTOR_EVENT_H

#include "actor/leaf.h"

enum { STAGE_EVENTS = 4096 };

typedef struct event_queue {
  sinew_event *items; /* STAGE_EVENTS of them */
  double *moments;    /* of each: seconds of the clip that were played until then */
  int count, lost;
} event_queue;

bool event_queue_init(event_queue *queue);
void event_queue_reset(event_queue *queue);

/* Adds what the leaf has passed; `heard` is like all of its events (actor, action, layer, node, clip, weight). At
 * weight 0 its end alone is heard, and of one that was cut off all but that. */
void events_gather(event_queue *queue, const playback *p, const clip_markers *markers, const sinew_event *heard,
                   bool cut_off);

/* Puts the events from `first` on in the order of their moments; those of one moment keep theirs. */
void events_sort(event_queue *queue, int first);

#endif
