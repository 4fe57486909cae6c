/* crowd – the internals of a crowd, and one step of it. */
#ifndef SINEW_ACTOR_CROWD_H
#define SINEW_ACTOR_CROWD_H

#include "actor/crowd/crowd_graph.h"
#include "actor/crowd/crowd_morphs.h"
#include "actor/palettes.h"
#include "actor/scratch.h"
#include "actor/sync/gait.h"

#include <sinew/crowd.h>

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
