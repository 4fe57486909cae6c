/* graph – the internals of a layer's graph: nodes, the state of each, and the resulting clip instances. */
#ifndef SINEW_ACTOR_GRAPH_H
#define SINEW_ACTOR_GRAPH_H

#include "actor/graph/blend_space.h"
#include "actor/graph/condition.h"
#include "actor/motion/marks.h"
#include "actor/play/clip_instance.h"

#include <sinew/playing.h>

enum {
  GRAPH_ENTRIES = 4,
  MACHINE_STEPS = SINEW_MACHINE_STEPS, /* transitions of a machine in one update, at most */
  MACHINE_CHANGES = MACHINE_STEPS + 3,
  GRAPH_DEPTH = 16,
  GRAPH_INSTANCES = 1024,
  EVENT_NAME = 64,
  SENT_EVENTS = 16,
  SYNC_GROUPS = 8
};

/* A node's state is in its instance: a struct by kind, then the instances of its children. A machine has a slot for
 * each state that is active or fading out, each large enough for any of its children. A state that is entered again
 * while it still fades out therefore exists twice, with two clocks. */
typedef struct space_state { /* BLEND, SPACE_1D, SPACE_2D */
  sync_phase sync;
  double x, y; /* the parameters, followed */
  bool follows;
} space_state;

typedef struct machine_entry {
  int state, slot;
  double elapsed, fade; /* of the fade in */
  sinew_ease ease;
  sinew_transition_kind kind;
  bool locked;
  double part; /* the fraction of the update that is left since it began: 1, unless it has just begun */
} machine_entry;

typedef struct machine_state { /* SWITCH, MACHINE */
  sync_phase sync;
  machine_entry entries[GRAPH_ENTRIES]; /* the last one is the present state */
  int count;
  double time; /* in that state */
  int history[8];
  double stayed[8]; /* as in sinew_machine_state */
  int left_by[8];
  int64_t transitions;
  bool entered; /* the event of entering the present state has been raised */
} machine_state;

/* A state that a machine has left, entered, or both. */
typedef struct state_change {
  int node, from, to; /* the machine; −1: none */
  double moment;      /* seconds of the update that had passed */
  double stayed;      /* seconds that `from` lasted */
} state_change;

typedef struct graph graph;
struct graph {
  sinew_node_def *nodes;
  sinew_transition_def *transitions;
  condition_code *conditions; /* of the transitions that have a `when`, in their order … */
  int *condition_of;          /* … and for each transition the index of its condition, or −1 */
  int *parents;
  size_t *sizes, *offsets; /* the size of a node's instance, and its offset in its parent's (in a slot: 0) */
  int *triangulation_of;   /* or -1 */
  space_triangulation *triangulations;
  float *weights; /* of the last update */
  unsigned char *state;
  int node_count, transition_count, triangulation_count, condition_count;
  int instance_count;    /* at most */
  int param_count;       /* that it needs */
  bool decides;          /* it has machines or switches */
  bool turns;            /* it has clips that match a turn */
  bool stops;            /* it has clips that match the distance to a stop */
  state_change *changes; /* in the last update, in order */
  int change_count;
  int users;         /* reference count: the owners, and the stage while events name its states */
  graph *next_named; /* by the stage */
};

/* A phase that actions and graphs of one actor share by name. */
typedef struct sync_group {
  char name[EVENT_NAME];
  sync_phase phase;
} sync_group;

/* The group with that name, or a free one that gets it; NULL if all are taken. */
sync_phase *sync_group_find(sync_group *groups, const char *name);

/* The clips that play on a layer when its graph is replaced. Wherever the new graph has such a clip, it continues
 * there. */
enum { GRAPH_SEEN = 64 };
typedef struct graph_seen {
  struct {
    int clip;
    float weight;
    const playback *playback;
  } items[GRAPH_SEEN];
  int count;
} graph_seen;

/* The input of an update of one actor's graphs. */
typedef struct graph_frame {
  graph *graph;
  int layer;
  double dt;
  double moved, scale; /* of the actor: metres moved over the ground in this update; and its scale */
  const sinew_model *model;
  const marker_table *markers;
  model_gait *gait; /* NULL: nothing is known of its strides */
  const double *params;
  const char (*events)[EVENT_NAME];
  int event_count;
  sinew_condition_function *condition;
  void *condition_user;
  sinew_actor actor;
  sync_group *groups; /* SYNC_GROUPS of them */
  clip_instance_list *instances;
  mark_list *marks;       /* of an actor that is measured, or NULL */
  const graph_seen *seen; /* clips to start where they already play elsewhere; or NULL */
  bool fades_only;        /* there is no inertia: inertial transitions crossfade */
  /* Out: seconds of the inertial transition that was taken, 0 for none; `standing` for one that starts without a
   * velocity. */
  double inertial, standing;
} graph_frame;

typedef struct graph_params {
  const char *const *names;
  const double *values;
  int count;
} graph_params;

/* Starts a graph from a definition that has passed its check; NULL when memory runs out. */
graph *graph_create(const sinew_graph_def *def, const sinew_model *model, const graph_params *params);
graph *graph_retain(graph *g);
void graph_destroy(graph *g); /* when its last user does */
/* Finds the parameters again after their order has changed. */
void graph_bind(graph *g, const char *const *names, int count);
/* ---- another definition, or another model (graph_match.c, graph_node.c) ---- */

/* The active clips, heaviest first; those that do not fit are left out. */
void graph_see(const graph *g, graph_seen *seen);
void graph_seen_add(graph_seen *seen, int clip, float weight, const playback *p);
/* NULL if the clip does not play. */
const playback *graph_seen_find(const graph_seen *seen, int clip);
/* Continues a clip under the options of `def`, at the same time of the clip if the new part contains it. */
void graph_refit_clip(playback *p, const playback *was, const sinew_node_def *def, double clip_duration);
/* Replaces the clips by those of another model: clip i becomes clips[i]; −1: it has none. False if a clip is missing:
 * such a graph cannot be updated, and only serves to be continued from. */
bool graph_move(graph *g, const sinew_model *from, const sinew_model *to, const int *clips);
/* Continues what `old` (may be NULL) is doing: nodes are matched by their keys, then by the clips below them, even if
 * nodes were added or removed around them; a clip continues wherever `seen` has it. False if anything visible changed.
 */
bool graph_take_over(graph *g, const sinew_model *model, const double *params, const graph *old,
                     const graph_seen *seen);

/* False if the node is not an active machine. */
bool graph_machine_state(const graph *g, int node, sinew_machine_state *out);
/* False if the node is in no transition. */
bool graph_transition(const graph *g, int node, sinew_transition_state *out);
void graph_triangulate(graph *g, int node); /* after samples of a SPACE_2D have moved */
/* Asks conditions and takes transitions, all before graph_update. */
void graph_decide(graph_frame *frame);
/* Adds an instance for every active clip below; clips without weight advance, too. `weight` is the whole graph's. */
void graph_update(graph_frame *frame, float weight);

/* ---- between the files ---- */

typedef struct node_visit {
  float weight, mean, first; /* now, over the update, and at its beginning */
  uint32_t group;            /* of the states on the path; a clip of another group is in a transition with this one */
  bool coasts;               /* frozen */
  double step, late, speed;  /* late: seconds of the update that had passed when it began */
  sync_phase *sync;          /* of the group above, or NULL */
  bool decides;              /* belongs to the present state, not to one that fades out */
  sinew_match match;
  double match_value; /* as in course_step */
} node_visit;

/* The phase at which a new state starts: that of another clip. */
typedef struct node_phase {
  sync_phase phase;
  sync_pattern pattern;
} node_phase;

/* The heaviest clip below a node. */
typedef struct node_lead {
  const playback *playback;
  int clip, node;
} node_lead;

/* NULL phase: starts at the beginning. */
void node_reset(const graph_frame *frame, int node, void *state, const node_phase *phase);
void node_update(graph_frame *frame, int node, void *state, node_visit visit);
bool node_find_lead(const graph_frame *frame, int node, void *state, node_lead *lead);
/* The group that instances below a node belong to. */
sync_phase *node_sync(const graph_frame *frame, const sinew_node_def *def, sync_phase *own, sync_phase *above);
void *node_child(const graph *g, void *state, int child);
void *machine_slot(const graph *g, int node, void *state, int slot);
/* The longest stop in a state: metres that it covers, and that the actor has left. Without a stop both are 0. */
typedef struct graph_stop {
  double covers, left;
} graph_stop;

/* Whether a transition of the machine `node` is too early for the stop that it leads to. One that an event or the end
 * of a clip begins never waits, because its moment does not come again. */
bool graph_waits_for_stop(const graph_frame *frame, int node, const sinew_transition_def *transition, graph_stop *stop);
int switch_child(const sinew_node_def *def, const double *params); /* the child that its parameter selects */
void machine_reset(const graph_frame *frame, int node, machine_state *state, const node_phase *phase);
void node_decide(graph_frame *frame, int node, void *state, double step);
void machine_decide(graph_frame *frame, int node, machine_state *state, double step);
void machine_update(graph_frame *frame, int node, machine_state *state, node_visit visit);
/* Seconds until the heaviest clip of the present state ends this loop; infinite while it is stopped. */
double machine_seconds_left(const graph_frame *frame, int node, machine_state *state);
condition_values machine_values(const graph_frame *frame, int node, machine_state *state);
/* Moves everything active to a phase, 0..1; clips in sync restart there. */
void graph_seek_phase(graph *g, double phase);
/* The instance of a node along the active states; NULL if a node on the path is not active. */
void *graph_find_instance(const graph *g, int node);

#endif
