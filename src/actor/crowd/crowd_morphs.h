/* crowd_morphs – the morph weights of a crowd's characters. */
#ifndef SINEW_ACTOR_CROWD_MORPHS_H
#define SINEW_ACTOR_CROWD_MORPHS_H

#include "base/memory/block.h"
#include "model/model.h"

typedef struct crowd_morphs {
  int count;      /* targets of all meshes; 0: nothing else is set */
  int32_t *first; /* of each mesh */
  float *rest;    /* count */
  uint8_t *moves; /* clip × meshes + mesh: the clip has weights for targets of the mesh */
  float *weights; /* characters × count: the resulting weights */
} crowd_morphs;

/* Allocates memory for `count` characters and fills in the constant parts, if there are targets. */
crowd_morphs crowd_morphs_lay_out(block *b, const sinew_model *model, size_t characters);
void crowd_morphs_fill(const crowd_morphs *m, const sinew_model *model);

/* `output` (count values): the blend of the clips, plus `added`; `threshold` is sinew_evaluate_job's. */
void crowd_morphs_evaluate(const crowd_morphs *m, const sinew_model *model, const sinew_evaluate_source *sources,
                           int source_count, float threshold, const float *added, float *output);

#endif
