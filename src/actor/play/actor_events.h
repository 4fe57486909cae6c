/* actor_events – the events that an update raised for one actor, each with its weight. */
#ifndef SINEW_ACTOR_EVENTS_H
#define SINEW_ACTOR_EVENTS_H

#include "actor/stage.h"

/* Adds the actor's events to the stage's. Each weighs what its clip weighed at its own moment, so that a frame longer
 * than a fade has the events that lie in it. Clips in sync pass their sync markers together, and that is one event: of
 * the heaviest of them, with what all of them weigh. */
void actor_events_add(sinew_stage *stage, const actor *a, double dt);
/* Empties the queue; graphs whose states its events have named may go. */
void actor_events_reset(sinew_stage *stage);

#endif
