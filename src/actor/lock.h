/* lock – what every room needs of a stage: it finds things by their ids, and says whether they may change. While
 * something walks the stage and calls out, nothing that is being walked may change. */
#ifndef SINEW_ACTOR_LOCK_H
#define SINEW_ACTOR_LOCK_H

#include <sinew/crowd.h>

struct actor;
struct action;
struct crowd;

/* NULL for a stale id. */
struct actor *stage_find(const sinew_stage *stage, sinew_actor id);
struct crowd *stage_find_crowd(const sinew_stage *stage, sinew_crowd id);

/* Every public function that changes a stage comes through one of these. The sentence why it may not be changed now, or
 * NULL. */
const char *stage_closed(sinew_stage *stage);
struct actor *stage_open(sinew_stage *stage, sinew_actor id); /* to be changed: NULL also while it is locked */
struct action *stage_open_action(sinew_stage *stage, sinew_action id);
/* While it is locked *mark becomes true, and is found when it opens. */
bool stage_waits(sinew_stage *stage, bool *mark);

#endif
