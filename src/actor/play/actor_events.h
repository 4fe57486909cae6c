/* actor_events – the events that an update raised for one actor, each with its weight. */
#ifndef SINEW_ACTOR_EVENTS_H
#define SINEW_ACTOR_EVENTS_H

#include "actor/stage.h"

/* Adds the actor's events to the stage's. An event has the weight of its clip at the event's own moment, so a frame
 * longer than a fade still has the events within it. Clips in sync pass their sync markers together, as one event: the
 * heaviest clip's, with the weight of all. */
void actor_events_add(sinew_stage *stage, const actor *a, double dt);
/* Empties the queue, and lets go of the graphs whose states its events named. */
void actor_events_reset(sinew_stage *stage);

#endif
