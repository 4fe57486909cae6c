/* crowd – the internals of a crowd, and one step of it. */
#ifndef SINEW_ACTOR_CROWD_H
#define SINEW_ACTOR_CROWD_H

#include "actor/crowd/crowd_step.h"
#include "actor/graph/graph.h"
#include "actor/palettes.h"
#include "actor/scratch.h"
#include "actor/sync/gait.h"
#include "base/memory/block.h"

#include <sinew/crowd.h>

/* The graph of a crowd, which each character runs on its own. The definition is shared; a character owns the state of
 * its nodes, and nothing else. In an update its clips go into the slots, from where they are evaluated. */

typedef struct crowd_graphs {
  graph *shared;         /* NULL: the program says what plays */
  unsigned char *states; /* of each character: its nodes' state and their weights */
  size_t state_size;     /* bytes from one character to the next */
  uint8_t *begun; /* of each character: its time has advanced; until then it starts with the state that its parameters
                     select */
  double *sought; /* of each character: a phase that its clips jump to in the next update, or NAN */
} crowd_graphs;

/* The input of a character's step. */
typedef struct crowd_graph_view {
  const sinew_model *model;
  const marker_table *markers;
  model_gait *gait; /* or NULL; each clip is known */
  const sinew_crowd_characters *characters;
} crowd_graph_view;

/* Decides, moves the clocks, and puts the heaviest clips into the slots, the heaviest first. `shown` gets the instance
 * of each slot, or is NULL. */
void crowd_graph_advance(const crowd_graphs *g, const crowd_graph_view *view, int character, double dt,
                         clip_instance *shown);

typedef struct crowd {
  uint64_t id;
  char *name;
  bool goes; /* is destroyed when the stage is unlocked */
  sinew_model *model;
  void *user; /* the program's */
  sinew_crowd_characters characters;
  bool sync, has_positions, has_legs;
  model_gait *gait; /* used with legs; the gait of each clip is known before a step */
  crowd_graphs graph;
  float positions[SINEW_CROWD_SLOTS];
  sinew_vec3 viewpoint;
  sinew_crowd_detail detail;
  uint32_t updates;
  uint8_t *stale; /* of each character: it has not been evaluated since it was hidden */
  palette_range palette;
  crowd_morphs morphs;
} crowd;

typedef struct crowd_step {
  crowd *crowd;
  double dt;
  const marker_table *markers;
  sinew_mat3x4 *palettes; /* of the first character */
  scratch *scratches;     /* one for each worker */
} crowd_step;

/* 0 .. 1, of the clip that leads a character's stride, or of its first. */
double crowd_phase(const crowd *c, int character);

crowd_graph_view crowd_view_of(const crowd *c, const marker_table *markers);

/* A jobs_function over characters; `user` is a crowd_step. */
void crowd_step_range(void *user, int worker, int begin, int end);

#endif
