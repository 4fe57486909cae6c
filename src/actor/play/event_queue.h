/* event_queue – the markers that a clip instance played past in its last advance. */
#ifndef SINEW_ACTOR_EVENT_QUEUE_H
#define SINEW_ACTOR_EVENT_QUEUE_H

#include "actor/play/clip_instance.h"

/* The initial capacity; the most events that one marker, or the loops of one clip, may add in an update; and the most
 * in all. Ends and state changes are added beyond that limit, too. */
enum { STAGE_EVENTS = 4096, MOST_EVENTS = 65536 };

typedef struct event_moment {
  double seconds; /* of the update that had passed */
  int rank;       /* at one moment: markers up to the end, the end, a loop, states, markers from the beginning on */
  int order;      /* before sorting: keeps equal events in order */
} event_moment;

typedef struct event_queue {
  sinew_event *items;
  event_moment *moments; /* of each */
  int count, lost, capacity;
} event_queue;

bool event_queue_init(event_queue *queue);
void event_queue_reset(event_queue *queue);

/* Whether a quick look shows that events_gather would add nothing, as in most updates. */
bool events_are_none(const playback *p, const clip_markers *markers);

/* Adds all events of the instance, whatever its weight; `like` has the fields that they share (actor, action, layer,
 * node, clip). An instance that was cut off has no end. */
void events_gather(event_queue *queue, const playback *p, const clip_markers *markers, const sinew_event *like,
                   bool cut_off);

/* Adds a state that was left or entered this many seconds into the update. */
void events_add_state(event_queue *queue, const sinew_event *event, double moment);

/* Sorts the events from `first` on by their moments; equal ones keep their order. */
void events_sort(event_queue *queue, int first);

#endif
