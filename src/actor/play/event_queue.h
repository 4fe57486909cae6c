/* event_queue – the markers that a clip instance played past in its last advance. */
#ifndef SINEW_ACTOR_EVENT_QUEUE_H
#define SINEW_ACTOR_EVENT_QUEUE_H

#include "actor/play/clip_instance.h"

/* Room for this many at first, and what one marker, or the loops of one clip, may add in an update; and what all may:
 * ends and states come beyond that, too. */
enum { STAGE_EVENTS = 4096, MOST_EVENTS = 65536 };

typedef struct event_moment {
  double seconds; /* of the update that were over */
  int rank;       /* at one moment: markers up to the end, the end, a loop, states, markers from the beginning on */
  int order;      /* before sorting: what is equal keeps it */
} event_moment;

typedef struct event_queue {
  sinew_event *items;
  event_moment *moments; /* of each */
  int count, lost, capacity;
} event_queue;

bool event_queue_init(event_queue *queue);
void event_queue_reset(event_queue *queue);

/* Whether it is plain at a glance that events_gather would add nothing, as in most updates. */
bool events_are_none(const playback *p, const clip_markers *markers);

/* Adds what the instance has passed, whatever it weighs; `like` has what all of its events have (actor, action, layer,
 * node, clip). One that was cut off has no end. */
void events_gather(event_queue *queue, const playback *p, const clip_markers *markers, const sinew_event *like,
                   bool cut_off);

/* Adds a state that was left or entered, this many seconds into the update. */
void events_add_state(event_queue *queue, const sinew_event *event, double moment);

/* Puts the events from `first` on in the order of their moments; those of one moment keep theirs. */
void events_sort(event_queue *queue, int first);

#endif
