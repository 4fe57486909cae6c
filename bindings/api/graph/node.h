/* node – graphs as scripts write them: tables made by the functions of sinew, and the definitions that result. */
#ifndef SINEW_BINDINGS_NODE_H
#define SINEW_BINDINGS_NODE_H

#include "core/api.h"

#include <sinew/explain.h>

enum { NODE_DEPTH = 16, NODE_FUNCTIONS = 64 };

/* A definition under construction, in a userdata. Its texts are owned by the tables that it is read from. */
typedef struct node_reader {
  const sinew_model *model;
  char owner[DECLARED_NAME + 16]; /* "actor 'hero'" */
  const char *params[DECLARED_PARAMS];
  int param_count;
  sinew_node_def nodes[NODE_LIMIT];
  sinew_transition_def transitions[NODE_TRANSITIONS];
  graph_position positions[NODE_FUNCTIONS];
  const char *node_lines[NODE_LIMIT], *transition_lines[NODE_TRANSITIONS];
  int node_count, transition_count, position_count, function_count;
  const char *line; /* of what is being read, for errors */
  int depth;
  int functions; /* stack index of the list of functions */
  int64_t graph; /* the record's id, from which the ids of conditions are made */
} node_reader;

bool node_is(lua_State *L, int index);
/* Pushes a list for the graph's functions and a reader. The caller gives it parameters. */
node_reader *node_push_reader(lua_State *L, const sinew_model *model, const char *owner, const char *name);
/* Reads the clip's name, or the node with everything below it, at `index`. Raises an error if it is not valid. */
void node_read(lua_State *L, int index, node_reader *reader);
void node_check(lua_State *L, const node_reader *reader); /* raises an error if a rule of graphs is broken */

/* The graph read so far, without a copy. */
graph_copy node_graph(const node_reader *reader);

/* Finds the node with a path of keys and positions ("move/2"), or −1; writes the name of a child in such a path. */
enum { NODE_NAME = 16, NODE_WORDS = 64 };
/* The graph that runs on a layer of an actor on the stage, or NULL. */
const graph_copy *graph_of_layer(const declarations *all, const actor_record *record, int index);
/* The reasons for a transition, all of which held: "on jump, its condition holds"; for NULL, those of a switch. */
void transition_reason(const sinew_transition_def *t, char *out, size_t size);
/* The cause of a change in an actor's joints by inertia or a fade: the transition of a machine around a node, or, if
 * that is −1, the last inertial one of the actor's machines. False if there is none; "idle -> run", and its line or
 * NULL. */
typedef struct transition_words {
  char text[2 * NODE_WORDS + 8];
  const char *line;
} transition_words;
/* The line that declared a cause, or NULL. `layer`: its name. */
const char *cause_line(const declarations *all, const actor_record *record, const sinew_cause *cause,
                       const char *layer);
bool transition_find(const declarations *all, const actor_record *record, int layer, int node, transition_words *out);
int node_find(const graph_copy *graph, const char *path);
/* The name of a machine's state; "" if it has none. */
const char *node_state_name(const graph_copy *graph, int machine, int state);
const char *node_name(const graph_copy *graph, int node, int position, char buffer[NODE_NAME]);

/* Converts a function to the id of a condition, and back. */
static inline int64_t condition_id(int64_t graph, int function) { return graph * NODE_FUNCTIONS + function; }

/* ---- the modifiers that scripts declare ---- */

/* Definitions under construction, in a userdata. A table on the stack keeps what they point to alive. */
typedef struct modifier_reader {
  const actor_record *record;
  const sinew_model *model;
  sinew_mat3x4 *rest; /* of every joint, in model space */
  float metre;        /* sinew_model_metre */
  int keep;           /* stack index of that table */
  int functions;      /* stack index of the functions by name */
  modifier_values items[DECLARED_MODIFIERS];
  int count;
} modifier_reader;

bool modifier_is(lua_State *L, int index);
/* Reads the list at `index`. Raises an error if it is not valid. */
void modifiers_read(lua_State *L, int index, modifier_reader *reader);
/* A point, or { actor, "joint" }. Raises for anything else; `what` names it. */
void modifier_target_read(lua_State *L, int index, sinew_vec3 *point, modifier_target *target, const char *what);

#endif
