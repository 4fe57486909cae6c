/* sinew/graph.h – graphs decide in each update which clips play, at what time and with what weight.
 *
 * A graph is a tree of nodes. Its leaves are clips; each node above gives its children weights, and weights multiply on
 * the way down. So a whole graph comes to one list of weighted clips, which is blended once: order never matters and
 * nothing is blended twice. Masks and additive clips belong to layers (actor.h). */
#ifndef SINEW_GRAPH_H
#define SINEW_GRAPH_H

#include <sinew/actor.h>
#include <sinew/motion.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- parameters ------------------------------------------------------------------------------------------- */

/* The numbers that control an actor's graphs, by index or name. Declaring them again keeps the values of names that
 * remain; new ones begin at `values` (NULL: 0). Names are copied. False when memory runs out or a name comes twice. */
SINEW_API bool sinew_actor_set_params(sinew_stage *stage, sinew_actor actor, const char *const *names,
                                      const double *values, int count, sinew_error *error);
/* Renames all parameters, in their order, and keeps their values. Returns false, and changes nothing, if memory runs
 * out, a name is used twice, or `count` is not the number of parameters. */
SINEW_API bool sinew_actor_rename_params(sinew_stage *stage, sinew_actor actor, const char *const *names, int count,
                                         sinew_error *error);
SINEW_API int sinew_actor_param_count(const sinew_stage *stage, sinew_actor actor);
SINEW_API const char *sinew_actor_param_name(const sinew_stage *stage, sinew_actor actor, int param);
SINEW_API int sinew_actor_find_param(const sinew_stage *stage, sinew_actor actor, const char *name); /* or -1 */
SINEW_API double sinew_actor_param(const sinew_stage *stage, sinew_actor actor, int param);
/* False for a parameter that is not there and for a value that is not finite: nothing changes. */
SINEW_API bool sinew_actor_set_param(sinew_stage *stage, sinew_actor actor, int param, double value);
/* Pins a parameter, for somebody who tries out the graph: the actor's graphs see this value. A value set by
 * sinew_actor_set_param meanwhile waits, and sinew_actor_param returns it. False as above. */
SINEW_API bool sinew_actor_pin_param(sinew_stage *stage, sinew_actor actor, int param, double value);
/* The graphs see what was set again. False if the parameter was not pinned. */
SINEW_API bool sinew_actor_unpin_param(sinew_stage *stage, sinew_actor actor, int param);
/* The value that the graphs see, and (unless NULL) whether it is pinned. 0 for a parameter that is not there. */
SINEW_API double sinew_actor_seen_param(const sinew_stage *stage, sinew_actor actor, int param, bool *pinned);

/* ---- nodes ------------------------------------------------------------------------------------------------ */

typedef enum sinew_node_kind {
  SINEW_NODE_CLIP,
  SINEW_NODE_BLEND,    /* children by their own weights, normalised */
  SINEW_NODE_SPACE_1D, /* the two children around a parameter, linearly */
  SINEW_NODE_SPACE_2D, /* the children around a point: barycentric weights in the triangles of the Delaunay
                          triangulation, bilinear in its rectangles, Wachspress's in any cell of points on one circle;
                          outside of it the nearest point of its edge counts */
  SINEW_NODE_SWITCH,   /* the child whose index (from 0) a parameter gives, with a crossfade */
  SINEW_NODE_MACHINE   /* children are states; transitions lead from one to another */
} sinew_node_kind;

/* The way in which a clip advances. By time, it runs at its speed. By distance (distance matching), it shows the moment
 * at which it has travelled as far as its actor, so feet do not slide in starts, stops and turns, however fast the
 * actor gains or loses speed. It never runs backwards, and runs at half to twice its own speed. The clip's displacement
 * is that of the root joint (SINEW_ROLE_ROOT), which is taken out of the pose; if that joint does not move, the feet
 * show how far the clip goes (motion.h). A clip that does not travel, or does not turn, runs by time. It plays once,
 * whatever `loop` says. */
typedef enum sinew_match {
  SINEW_MATCH_TIME,
  /* Metres that the actor has moved over the ground, however it is moved, since this began to play. The clip begins at
   * the moment at which it has travelled 1 cm. */
  SINEW_MATCH_TRAVELLED,
  /* Metres left until the actor stops, `match_param`: the clip shows the moment at which it has as much left. Within
   * 2 cm it runs by time. A transition to a state with such clips waits until the longest of them covers what is left,
   * so that an actor which is too fast slows down first; one with an event or a before_end does not wait. */
  SINEW_MATCH_TO_STOP,
  /* Radians left to turn, `match_param`, either sign: the clip shows the moment at which the same fraction is left. */
  SINEW_MATCH_TURN
} sinew_match;

typedef struct sinew_node_def {
  /* Distinct among siblings; NULL means the index as a text. By key a new graph finds what an old one was doing. */
  const char *key;
  sinew_node_kind kind;
  int first_child, child_count; /* in the graph's nodes; after the node itself */
  double speed;                 /* multiplies time for all below; any finite number */

  /* As a child of a space: its position. As a child of a blend: `x` is its weight, >= 0, unless `weight_param` is a
   * parameter (negative values count as 0). */
  double x, y;
  int weight_param; /* or -1 */

  int clip; /* CLIP: index in the model */
  sinew_loop_mode loop;
  int loop_count;
  int cycles;      /* CLIP: strides in one loop, as in sinew_play_def; 0 unknown */
  double from, to; /* CLIP: the part that plays, seconds; NAN: from the beginning, to the end */

  int param_x, param_y; /* SPACE_1D, SWITCH: param_x; SPACE_2D: both */
  double smooth;        /* SPACE: time constant with which the parameters are followed, seconds; 0 at once */
  /* CLIP, BLEND, SPACE: for all clips below. A space that matches TO_STOP or TURN keeps the parameters with which it
   * began. Not together with `sync`. */
  sinew_match match;
  int match_param; /* TO_STOP, TURN; or -1 */
  /* The clips below share one phase, counted in strides: between the same sync markers (event.h), or between footfalls
   * if only some clips have markers, else at the same fraction of a stride. A stride takes Σ w v T / Σ w v seconds,
   * where a clip of weight w takes T for one and travels at v m/s: the speed of its hips, or of its feet on the ground
   * (the median of their backward speed). Then feet stand still while the actor moves at Σ w v. A standing clip takes
   * no part: it runs on its own clock, and pauses while it is invisible. If the legs of a model are not known, all
   * clips count equally, v = 1. On the base and on override layers, legs are bent so that the balls of the feet are
   * where the clips have them, Σ w f, which joints that are blended do not bring about. */
  bool sync;
  /* With `sync`: clips of all graphs and actions of the actor under the same name share one phase. NULL: this node. */
  const char *sync_group;

  double fade; /* SWITCH: seconds */
  sinew_ease ease;
  int start; /* MACHINE: index of the child that it begins in */
  int first_transition, transition_count;
} sinew_node_def;

/* A clip that loops, speed 1, no parameter, whole range. */
SINEW_API sinew_node_def sinew_node_def_default(void);

/* Taken when all conditions that it names are true; it must name at least one of event, when, condition and before_end.
 * The first in order wins, and a machine takes at most one in an update. */
typedef struct sinew_transition_def {
  int from;          /* index of the state, or -1: from any */
  int to;            /* from any state to itself only with `restart` */
  const char *event; /* sent in this frame (sinew_actor_send), or NULL */
  /* A condition as text, or NULL: "speed > 0.2 and (abs(turn) < 1 or time_left < 0.1)". It knows the actor's parameters
   * by name, and of the state that the machine is in: time_left, the seconds until its heaviest clip ends
   * this loop (infinite while it is stopped), phase, the position in that clip, 0..1, and state_time, the seconds since
   * the state was entered, all before this update; a parameter of the same name hides it. Numbers take + - * / abs()
   * and comparisons < <= > >= == ~= (also !=); a number alone is true unless it is 0. Truth values take not, and, or,
   * in this order of precedence, parentheses, true and false. At most 255 bytes and 32 terms. */
  const char *when;
  int64_t condition; /* asked of the actor's condition function, or -1 */
  /* Seconds: true when the state's heaviest clip has at most this much left of its loop; NAN: not asked. */
  double before_end;
  double fade; /* seconds, >= 0 */
  sinew_ease ease;
  sinew_transition_kind kind;
  bool keep_phase; /* the new state begins at the same fraction of its length that the old one has reached */
  bool restart;
  bool locked; /* no other transition of this machine is taken while its fade runs */
} sinew_transition_def;

SINEW_API sinew_transition_def sinew_transition_def_default(void); /* asks for nothing, fade 0.2 */

typedef struct sinew_graph_def {
  const sinew_node_def *nodes; /* node 0 is the root; every other node is the child of one before it */
  int node_count;
  const sinew_transition_def *transitions; /* of all machines */
  int transition_count;
} sinew_graph_def;

/* The weights that a 2D space gives its samples at (x, y), as SINEW_NODE_SPACE_2D says. `positions` has x and y of each
 * sample. The weights sum to 1, and the weighted positions sum to (x, y); outside, to the nearest point of an edge.
 * False, and nothing written, if there are not 1 to 64 samples or a number is not finite. */
SINEW_API bool sinew_space_weights(const float *positions, int count, float x, float y, float *weights);

/* The size of a figure, by its legs: 1 for a person 1.76 m tall, 3 for the same body 5.28 m tall. Whatever Sinew
 * decides by lengths and speeds (feet on the ground, a clip that stands) is in proportion to it. 1 where there are no
 * legs, or if memory runs out. */
SINEW_API double sinew_model_size(const sinew_model *model);
/* How many of a model's lengths are a metre, for defaults in metres: 1, or 100 for a figure in centimetres. Figures
 * from some 9 cm to 35 m tall are in metres. */
SINEW_API double sinew_model_metre(const sinew_model *model);

/* The velocity of a clip in model space, metres a second along x (to the left) and z (ahead), y 0: that of its hips, or
 * of its feet on the ground (a person's, otherwise the ends of limbs that are low at rest, such as paws); {0, 0, 0} for
 * a standing clip. Clips in sync are weighted by this velocity, and it is the position of a sample in a blend space of
 * velocities. Takes some 1 ms for each second of the clip. Returns false, and zeros, if there is no such clip, if
 * neither hips nor feet show a velocity, or if memory runs out. */
SINEW_API bool sinew_clip_velocity(const sinew_model *model, int clip, sinew_vec3 *velocity);

/* The contacts of feet with the ground, as clips in sync have them: a foot is near its own lowest position and slow
 * over the ground, which moves at the clip's velocity. The clip is a loop: a contact may end after the clip does. A
 * foot that never leaves the ground has none. */
enum { SINEW_STEP_FEET = 8 };
typedef struct sinew_steps_job {
  const sinew_model *model;
  int clip;
  const int *feet;       /* joints: the balls of feet, paws */
  int foot_count;        /* 1 .. SINEW_STEP_FEET */
  sinew_contact *output; /* in the order of the feet, then of time */
  int capacity;
  int *count; /* gets how many there are, which may be more than fit */
} sinew_steps_job;

SINEW_API const char *sinew_find_steps_check(const sinew_steps_job *job);
/* False for a reason that the check gives, or when memory runs out. */
SINEW_API bool sinew_find_steps(const sinew_steps_job *job);

SINEW_API sinew_graph_def sinew_graph_def_default(void); /* no nodes: they are for the caller to set */

/* Whether a graph can be played; false, and an error message that names the node and the rule. Limits: 4,096 nodes, 16
 * levels, 64 children of a node that blends, 1,024 clips that play at once, names of 63 bytes. `params` are the names
 * of the parameters, which transitions' `when` may use. */
SINEW_API bool sinew_graph_check(const sinew_graph_def *def, const sinew_model *model, const char *const *params,
                                 int param_count, sinew_error *error);
/* The same: the index of the node that breaks a rule, 0 for a rule of the whole; −1 for none. */
SINEW_API int sinew_graph_find_fault(const sinew_graph_def *def, const sinew_model *model, const char *const *params,
                                     int param_count, sinew_error *error);
/* Whether a text can be a transition's `when`. False, and an error message that names the wrong word, if not. */
SINEW_API bool sinew_condition_check(const char *when, const char *const *params, int param_count, sinew_error *error);

/* Gives a layer a graph (all of the definition is copied) and replaces the old one; NULL removes it. The new graph
 * continues what the old one was doing. Nodes are matched by their keys, then by the clips below them, even if nodes
 * were added or removed around them. A clip that plays on the layer, in an action too, continues at its time wherever
 * the new graph has it. Everything else blends in by inertia in `fade` seconds. The layer's actions cover
 * min(1, sum of their weights) of its graph. */
SINEW_API bool sinew_actor_set_graph(sinew_stage *stage, sinew_actor actor, int layer, const sinew_graph_def *def,
                                     double fade, sinew_error *error);
/* Suspends a layer's graph: like setting NULL, but the next graph that the layer gets continues from what this one was
 * doing. Setting NULL forgets it. False when memory runs out, or if there is no graph. */
SINEW_API bool sinew_actor_hold_graph(sinew_stage *stage, sinew_actor actor, int layer, double fade);
/* The next graph that layer `to` gets continues from what layer `from` is playing now: its graph (or what that was
 * doing when it was suspended) and its actions. This holds until the next update if `from` keeps playing them. False if
 * `from` plays nothing, if both are the same layer, and while the stage is locked. */
SINEW_API bool sinew_actor_continue_graph(sinew_stage *stage, sinew_actor actor, int from, int to);
/* The time of a clip of the suspended graph, in seconds, and whether it is playing backwards (sinew_play_def); of
 * several, the heaviest. False if it does not play. */
SINEW_API bool sinew_actor_held_time(const sinew_stage *stage, sinew_actor actor, int layer, int clip, double *time,
                                     bool *back);
SINEW_API bool sinew_actor_has_graph(const sinew_stage *stage, sinew_actor actor, int layer);
/* Moves a child of a space, or changes the weight of a child of a blend, in the living graph. */
SINEW_API bool sinew_actor_set_node(sinew_stage *stage, sinew_actor actor, int layer, int node, double x, double y);

/* Sends an event to all state machines of the actor's graphs; it is forgotten after the next update. At
 * most 16 in a frame, names of at most 63 bytes (false). */
SINEW_API bool sinew_actor_send(sinew_stage *stage, sinew_actor actor, const char *event);

/* Answers the conditions of transitions, on the thread that updates the stage, before any clock moves; the stage is
 * locked meanwhile (actor.h). NULL: none holds. */
typedef bool sinew_condition_function(void *user, sinew_actor actor, int64_t condition);
SINEW_API void sinew_stage_set_conditions(sinew_stage *stage, sinew_condition_function *function, void *user);

/* The rotation of clips that play with SINEW_MATCH_TURN, for the code that moves and turns the actor, so that its feet
 * stay planted. */
typedef struct sinew_matched_turn {
  /* 0..1: how much of the remaining rotation the clip makes in the next dt seconds; NAN: none plays, or nothing is left
   * of it. */
  double fraction;
  /* Radians: the largest rotation of the actor in these seconds, 1.4 times that of the clip. The rest is left to
   * another turn. */
  double most;
  bool in_place; /* it turns on the spot: an actor that keeps moving slides */
} sinew_matched_turn;

/* False if the actor's graphs have no such node. */
SINEW_API bool sinew_actor_matched_turn(const sinew_stage *stage, sinew_actor actor, double dt,
                                        sinew_matched_turn *turn);

/* Seeks a clip of the layer's graph to a time, in seconds, clamped to the part that plays; no event fires, and nothing
 * is eased. Clips in sync with it move, too. False for a node that is not a clip, a clip that does not play, a
 * time that is not finite, and while the stage is updated. */
SINEW_API bool sinew_actor_seek_node(sinew_stage *stage, sinew_actor actor, int layer, int node, double time);

/* ---- what a graph is doing -------------------------------------------------------------------------------- */

/* sinew_actor_node_count: the number of nodes in the layer's graph; 0 without one. sinew_actor_node: a node with its
 * present numbers; its text lives until the graph is replaced. False if there is no such node. */
SINEW_API int sinew_actor_node_count(const sinew_stage *stage, sinew_actor actor, int layer);
SINEW_API bool sinew_actor_node(const sinew_stage *stage, sinew_actor actor, int layer, int node, sinew_node_def *def);

/* A transition, by its index in the definition. */
SINEW_API bool sinew_actor_transition_def(const sinew_stage *stage, sinew_actor actor, int layer, int transition,
                                          sinew_transition_def *def);

/* The weight that a node had in the last update, multiplied by those above it; 0 if there is no such node. */
SINEW_API float sinew_actor_node_weight(const sinew_stage *stage, sinew_actor actor, int layer, int node);

/* The most transitions of a machine in one update. One with `before_end` and without an event begins at its moment, so
 * a long update can hold several; the rest follow in the next update. */
enum { SINEW_MACHINE_STEPS = 8 };

typedef struct sinew_machine_state {
  int state;        /* index of the child that it is in */
  int previous;     /* the one before, or -1 */
  double time;      /* seconds in this state */
  float fade;       /* progress of the last transition, 0..1 */
  int history[8];   /* the states before the present one, the latest first; -1: none */
  double stayed[8]; /* how long it was in each of these, seconds … */
  int left_by[8]; /* … and the transition that ended it, in the graph's; −1: a switch, or one of an earlier graph */
  int64_t transitions; /* taken so far */
} sinew_machine_state;

/* False if `node` is not a running machine (one in an inactive state does not run). */
SINEW_API bool sinew_actor_machine(const sinew_stage *stage, sinew_actor actor, int layer, int node,
                                   sinew_machine_state *state);

#ifdef __cplusplus
}
#endif
#endif
