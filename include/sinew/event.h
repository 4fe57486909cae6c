/* sinew/event.h – markers in clips, and the events that fire when a character plays past them. */
#ifndef SINEW_EVENT_H
#define SINEW_EVENT_H

#include <sinew/actor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A named moment of a clip. */
typedef struct sinew_marker {
  double time; /* seconds in the clip, 0 .. duration */
  const char *name;
  int64_t tag; /* the caller's */
  /* Clips that share a phase are aligned at their sync markers: at the names that all clips with sync markers have, if
   * these come in the same cyclic order. A clip in which that order comes twice has two strides. */
  bool sync;
  bool silent; /* no event */
} sinew_marker;

/* Sets the markers of a model's clip on this stage, replacing the previous ones (0 removes them). Names are copied; the
 * order does not matter. False, and an error message: a time outside of the clip, an empty name, memory. */
SINEW_API bool sinew_stage_set_markers(sinew_stage *stage, sinew_model *model, int clip, const sinew_marker *markers,
                                       int count, sinew_error *error);
/* The markers of a clip, in the order of time. They live until they are set again. */
SINEW_API const sinew_marker *sinew_stage_markers(const sinew_stage *stage, const sinew_model *model, int clip,
                                                  int *count);

typedef enum sinew_event_kind {
  SINEW_EVENT_MARKER,
  SINEW_EVENT_LOOP,   /* a loop ends and the next begins */
  SINEW_EVENT_FINISH, /* a one-shot or counted clip has come to its end */
  SINEW_EVENT_EXIT,   /* a state machine has left a state … */
  SINEW_EVENT_ENTER   /* … and entered another */
} sinew_event_kind;

/* An event fires once for each crossing, at any dt, forwards and backwards, through loops and sync; at time 0 when a
 * clip starts there and on every loop; at the end once. At a seam: markers at the end, the loop, markers at the
 * beginning. A seek fires nothing (sinew_action_seek with `events` does). A clip with a weight of 1e-4 or less at that
 * moment fires no markers; it still fires its end, unless the action was stopped or replaced before. Clips in sync pass
 * a common sync marker together: that is one event, the heaviest clip's, with the weight of all.
 *
 * A state is left and entered at the moment at which its transition begins, whatever the machine's weight; a machine
 * enters its first state in its first update. When a state is left, the machines inside it leave their own states
 * first; when a state is entered, the machines inside it enter theirs afterwards. A machine that continues in a new
 * graph enters nothing, and one that is removed with its graph leaves nothing. */
typedef struct sinew_event {
  sinew_event_kind kind;
  sinew_actor actor;
  sinew_action action; /* {0} from a graph */
  int layer;
  int node;         /* of the layer's graph, or -1 */
  int clip;         /* −1 for states */
  const char *name; /* the marker's, or "loop", "finish", "enter", "exit"; lives until the next update */
  int64_t tag;
  double time; /* of the marker in its clip; of EXIT: the seconds that the state lasted */
  /* For states: the children of the machine `node` that are left and entered, −1: none, and their keys, NULL if they
   * have none. The keys live until the next update. */
  int from, to;
  const char *from_key, *to_key;
  float weight; /* the clip's normalised weight in its layer, times the layer's weight */
} sinew_event;

/* The events of the last update: actors in the order of creation, each one's events in the order of time. The view
 * lives until the next update. A marker, or the loops of a clip, fires at most 4,096 times in an update, and all
 * of a stage 65,536 times; ends and states come beyond that, too. Events that do not fit, or for which there is no
 * memory, are counted in `lost` (NULL is allowed). */
SINEW_API const sinew_event *sinew_stage_events(const sinew_stage *stage, int *count, int *lost);

#ifdef __cplusplus
}
#endif
#endif
