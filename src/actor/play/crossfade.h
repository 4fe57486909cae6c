/* crossfade – a new action of a layer fades in while the others fade out. A one-shot covers the others instead: they
 * run on at weight 0, and fade in again as it fades out. */
#ifndef SINEW_ACTOR_CROSSFADE_H
#define SINEW_ACTOR_CROSSFADE_H

#include "actor/stage.h"

static inline bool play_is_inertial(const sinew_play_def *def) {
  return def->solo && def->kind == SINEW_TRANSITION_INERTIAL;
}

/* Call it once the action `id` is in the layer. The first action of a base layer shows at once. */
void crossfade_begin(sinew_stage *stage, layer *l, const sinew_play_def *def, uint64_t id, bool first);

/* Restores the actions that it covers at once, without a fade. */
void crossfade_uncover_at_once(sinew_stage *stage, const layer *l, uint64_t id);

#endif
