/* sinew/playing.h – the state of an actor's playback, for timelines and inspectors: the weight, time and speed of each
 * action and each node of a graph, and the transition in progress. Everything is as of the last update. */
#ifndef SINEW_PLAYING_H
#define SINEW_PLAYING_H

#include <sinew/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_playing {
  /* In its layer, 0..1. The clips of a layer add up to 1; on the base layer, together with the rest pose. On an
   * additive layer it is the weight with which the clip is added. */
  float normalized_weight;
  int clip;     /* of a node above clips: its heaviest clip */
  double time;  /* seconds in that clip */
  double phase; /* the same as a fraction of the clip's length, 0..1 */
  /* Seconds of the clip that pass in a second, as its sync group leads it; below 0 backwards, 0 while it stands. */
  double speed;
} sinew_playing;

/* False, and zeros, if it did not play in the last update. */
SINEW_API bool sinew_action_playing(const sinew_stage *stage, sinew_action action, sinew_playing *playing);
SINEW_API bool sinew_actor_node_playing(const sinew_stage *stage, sinew_actor actor, int layer, int node,
                                        sinew_playing *playing);

typedef struct sinew_transition_state {
  sinew_transition_kind kind;
  int from, to;      /* states of a machine, by index; of what was played: clips. −1: the rest pose, or a graph */
  double time, fade; /* seconds since it began, and that it takes */
  float progress;    /* 0..1, with its ease applied */
} sinew_transition_state;

/* The transition that a state machine or a switch is in; with node −1 that of the actions on the layer: a `play` in
 * place of others, a stop, a one-shot that returns. False, and zeros, if none is in progress. */
SINEW_API bool sinew_actor_transition(const sinew_stage *stage, sinew_actor actor, int layer, int node,
                                      sinew_transition_state *transition);

/* One part of a transition's condition. */
typedef enum sinew_part_state {
  SINEW_PART_FALSE,
  SINEW_PART_TRUE,
  SINEW_PART_UNKNOWN /* a condition function, which is asked in updates only */
} sinew_part_state;

enum { SINEW_PART_TEXT = 96 };
typedef struct sinew_transition_part {
  sinew_part_state state;
  char text[SINEW_PART_TEXT]; /* "speed 0.14 > 0.2", "before_end 0.2, 1.68 s left", "on jump"; cut where it is longer */
} sinew_transition_part;

/* The parts of a transition in the layer's graph (an index in sinew_graph_def.transitions), as an update would check
 * them now: the end of a locked fade, its event, before_end, the operands of the outermost `and` of its `when`, the
 * distance to its stop, its function. Returns the number of parts and writes the first `capacity` of them; 0 if there
 * is no such transition, or if its machine does not run. */
SINEW_API int sinew_actor_transition_parts(const sinew_stage *stage, sinew_actor actor, int layer, int transition,
                                           sinew_transition_part *parts, int capacity);

#ifdef __cplusplus
}
#endif
#endif
