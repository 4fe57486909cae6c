/* crowd_feet – keeps the feet of near characters where their clips have them (sync/foot_blend.h). */
#ifndef SINEW_ACTOR_CROWD_STEP_H
#define SINEW_ACTOR_CROWD_STEP_H

#include "base/memory/block.h"
#include "model/model.h"

/* ---- the morph weights of a crowd's characters ---- */

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

#endif
