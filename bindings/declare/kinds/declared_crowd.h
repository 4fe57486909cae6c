/* declarations_crowd – crowds as scripts declare them: all members share a graph, and arrays hold a number for each
 * member. A load records both; its commit applies, number by number, the differences from the load before. Knows no
 * Lua. */
#ifndef SINEW_BINDINGS_WORLD_CROWD_H
#define SINEW_BINDINGS_WORLD_CROWD_H

#include "declare/declarations.h"

#include <sinew/crowd.h>

/* The limits of all crowds of a scene together: they take memory that Lua does not count. */
enum { CROWD_MEMBERS = 100000, CROWD_MATRICES = 8 << 20, CROWD_PARAMS = 16, CROWD_MORPHS = 16, CROWD_NODES = 16 };

/* The arrays that every crowd has. They are followed by those of its parameters, and of the morph targets that were
 * asked for, whose numbers the stage holds. */
enum {
  CROWD_X,
  CROWD_Y,
  CROWD_Z,
  CROWD_YAW,
  CROWD_SCALE,
  CROWD_PHASE,
  CROWD_RATE,
  CROWD_RED,
  CROWD_GREEN,
  CROWD_BLUE,
  CROWD_OPACITY,
  CROWD_VISIBLE,
  CROWD_FIELDS,
  CROWD_FIRST_MORPH = CROWD_FIELDS + CROWD_PARAMS,
  CROWD_ARRAYS = CROWD_FIRST_MORPH + CROWD_MORPHS
};

typedef struct crowd_range {
  float fallback, minimum, maximum;
  const char *what; /* "a number above 0" */
} crowd_range;

/* ---- simple graphs (declared_crowd_graph.c) ---- */

/* Clips, blends and spaces, in the order of a graph's definition; their weights are computed here. */
typedef struct crowd_graph {
  sinew_node_def nodes[CROWD_NODES];
  int node_count;
  int slots[SINEW_CROWD_SLOTS]; /* the nodes that are clips */
  int slot_count;
} crowd_graph;

/* False, and no nodes, for a graph that each member must run on its own: with states, speeds, more clips … */
bool crowd_graph_make(crowd_graph *graph, const sinew_node_def *nodes, int count);
/* Whether both play the same clips, so that clocks and palettes can stay as they are. */
bool crowd_graph_same_clips(const crowd_graph *a, const crowd_graph *b);
/* The weight of each slot, where parameter p is params[p × stride]. */
void crowd_graph_weigh(const crowd_graph *graph, const float *params, size_t stride, float *weights);

/* The graph of these values, without a copy; it has no nodes until the model has loaded. */
struct crowd_values;
graph_copy crowd_values_graph(const struct crowd_values *values);

/* ---- records (declared_crowd.c) ---- */

enum { CROWD_TINTED = 256 };

/* Whether crowd_values.tinted names the material. */
bool crowd_tints(const char *names, const char *material);

typedef struct crowd_values {
  sinew_model *model; /* retained by the record */
  int count;
  crowd_graph graph;     /* without nodes until the model is loaded, or if there is … */
  graph_copy *own_graph; /* … a graph that each member runs on its own on the stage; owned by the record, or NULL */
  sinew_crowd_detail detail;
  char tinted[CROWD_TINTED];  /* names of materials, separated by ", ", with "*" for any ending; "": all */
  float params[CROWD_PARAMS]; /* what members begin with */
  unsigned given;             /* a bit for each declared one */
} crowd_values;

/* A crowd on the stage, with the numbers that scripts see. While its model is loading there are only the numbers. */
typedef struct crowd_body {
  sinew_crowd crowd; /* 0: none yet */
  sinew_stage *stage;
  sinew_crowd_characters members;
  const sinew_model *model; /* the stage's */
  int count, array_count;
  float *values;        /* array_count × count, without morphs; NULL: no body */
  sinew_mat3x4 *joints; /* room for one member's */
} crowd_body;

typedef struct crowd_record {
  declaration head;
  int64_t epoch;
  crowd_values last, next;
  char params[CROWD_PARAMS][DECLARED_NAME]; /* names are only added, so that an array keeps its index */
  int param_count;
  char morphs[CROWD_MORPHS][DECLARED_NAME]; /* likewise */
  int morph_count;
  crowd_body body, replacement; /* replacement: prepared by a commit */
  /* The arrays that the top level declared; NAN for elements that it left out, NULL if it declared none. */
  float *last_arrays[CROWD_ARRAYS], *next_arrays[CROWD_ARRAYS];
  int last_count, next_count; /* of numbers in these */
  sinew_crowd_detail detail;  /* what it has become */
  float shown;                /* 1; 0 once it is removed */
  bool weighs;                /* the weights must be computed again */
  bool held;                  /* its palettes may be kept: it has been evaluated since the last change */
} crowd_record;

static inline crowd_record *crowd_at(const declarations *all, int i) { return (crowd_record *)all->crowds.items[i]; }

const crowd_range *crowd_range_of(int array);
const char *crowd_array_name(const crowd_record *record, int array);
crowd_record *declarations_find_crowd(const declarations *all, const char *name); /* held ones are not found */
/* `hint` is where it was found last time. NULL: it has been removed. */
crowd_record *declarations_crowd(const declarations *all, int64_t id, int *hint);
/* The default name of a crowd. */
void declarations_name_crowd(const declarations *all, char out[DECLARED_NAME]);
/* Declares a crowd. Parameter i, also in its graph, is called names[i]. Takes ownership of values->own_graph, in
 * success and failure. */
crowd_record *declare_crowd(declarations *all, const char *name, const crowd_values *values, const char *const *names,
                            int name_count, const char *line, sinew_error *error);
/* Its model has been loaded: `values` are the declared ones with the model and the graph, whose ownership is taken
 * likewise. */
bool declarations_arrive_crowd(declarations *all, crowd_record *record, const crowd_values *values,
                               const char *const *names, int name_count, sinew_error *error);
int declarations_crowd_param(const crowd_record *record, const char *name); /* its index, or −1 */
/* The array of a morph target; −1 if the crowd has no room for another. */
int declarations_crowd_morph(crowd_record *record, const char *name);
bool declarations_resize_crowd(declarations *all, crowd_record *record, int count, sinew_error *error);

/* The numbers that scripts see: those of the current load, or the living ones. */
int declarations_crowd_count(const declarations *all, const crowd_record *record);
const crowd_values *declarations_crowd_values(const declarations *all, const crowd_record *record);
float declarations_get_member(const declarations *all, const crowd_record *record, int array, int member);
/* The number fits the array's range. While loading, declarations_need_array comes first. */
void declarations_set_member(const declarations *all, crowd_record *record, int array, int member, float value);
bool declarations_need_array(declarations *all, crowd_record *record, int array); /* false: no memory */
/* In world space, at the current times. */
sinew_vec3 declarations_member_joint(const crowd_record *record, int member, int joint);

/* ---- actors that become members, and back (crowd_actors.c) ---- */
/* For new members, from `first` on, that continue actors removed in the same commit. */
void declarations_join_crowd(declarations *all, crowd_record *record, int first);

/* ---- shared by both files ---- */
void crowd_values_drop(declarations *all, crowd_values *values); /* its model and its machine */
float crowd_value(const crowd_record *record, const crowd_body *body, int array, int member);
void crowd_set_value(const crowd_record *record, const crowd_body *body, int array, int member, float value);
void crowd_show_all(const crowd_record *record); /* passes all numbers except the times to the stage */
void crowd_show_clocks(const crowd_record *record);
void crowd_show(const crowd_record *record, int array, int member);

/* ---- commit (declared_crowd_commit.c) ---- */
bool declarations_prepare_crowd(declarations *all, crowd_record *record, int count, sinew_error *error);
void declarations_apply_crowd(declarations *all, crowd_record *record);
void declarations_forget_crowd(declarations *all, crowd_record *record);
void declarations_swap_crowd(declarations *all,
                             crowd_record *record); /* the prepared replacement, if any, takes over */
bool declarations_prepare_crowds(declarations *all, sinew_error *error);
void declarations_weigh_crowds(declarations *all); /* after the scripts, before the stage's update */
extern const declaration_kind crowd_declarations;

#endif
