/* leaf – a clip that plays, from an action or from a graph; the clocks of all leaves of an actor. */
#ifndef SINEW_ACTOR_LEAF_H
#define SINEW_ACTOR_LEAF_H

#include "actor/scratch.h"
#include "actor/sync.h"

typedef struct leaf {
  int clip, layer;
  int node;           /* of the layer's graph, or -1 */
  uint64_t action;    /* or 0 */
  float weight;       /* in its layer: now */
  float mean;         /* … and over the last update */
  bool coasts;        /* it stands, and its root goes on as fast as it came */
  double step;        /* seconds to move by */
  playback *playback; /* while the actor's clocks move, and NULL after that: what it points to may move … */
  playback now;       /* … and is copied here */
  double time;        /* where it is in the clip */
  sync_phase *sync;   /* or NULL */
  double rate;        /* seconds of the clip in one of its steps: its speed, or what its group makes of it */
} leaf;

typedef struct leaf_list {
  leaf *items;
  int count, capacity;
} leaf_list;

/* One more, of a clip; the caller sets what is not said here. NULL where the list is full: those who fill it make it
 * large enough. */
leaf *leaf_add(leaf_list *list, int clip, int layer, playback *clock);

/* Those that weigh something, in their order; the heaviest where they are more than fit. */
int leaves_choose(const leaf *items, int leaf_count, const leaf *chosen[MAX_ACTIONS]);

/* Moves the clocks: each by itself, or with its group (sync_group.h). */
void leaves_advance(leaf_list *list, const sinew_model *model, const marker_table *markers, model_gait *gait);

#endif
