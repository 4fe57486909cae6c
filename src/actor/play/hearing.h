/* hearing – the events that an update raised for one actor, each with its weight. */
#ifndef SINEW_ACTOR_HEARING_H
#define SINEW_ACTOR_HEARING_H

#include "actor/stage.h"

/* Adds the actor's events to the stage's. Each weighs what its clip weighed at its own moment, so that a frame longer
 * than a fade hears what lies in it. Clips in sync pass their sync markers together, and that is one event: of the
 * heaviest of them, with what all of them weigh. */
void hear(sinew_stage *stage, const actor *a, double dt);
/* Empties the queue; graphs whose states its events have named may go. */
void hearing_forget(sinew_stage *stage);

#endif
