#include "actor/stage.h"
#include "base/memory/memory.h"

#include <string.h>

actor *stage_find(const sinew_stage *stage, sinew_actor id) {
  actor **slot = pool_find(&stage->actor_slots, id.id);
  return slot ? *slot : NULL;
}

crowd *stage_find_crowd(const sinew_stage *stage, sinew_crowd id) {
  crowd **slot = pool_find(&stage->crowd_slots, id.id);
  return slot ? *slot : NULL;
}

/* ---- the lock ---- */

const char *stage_closed(sinew_stage *stage) {
  stage->changes++;
  return stage->locks ? "the stage is being updated; do it in update() or in an event handler" : NULL;
}

actor *stage_open(sinew_stage *stage, sinew_actor id) { return stage_closed(stage) ? NULL : stage_find(stage, id); }

action *stage_open_action(sinew_stage *stage, sinew_action id) {
  return stage_closed(stage) ? NULL : stage_find_action(stage, id.id);
}

bool stage_waits(sinew_stage *stage, bool *mark) {
  stage->changes++;
  if (!stage->locks) return false;
  *mark = stage->waiting = true;
  return true;
}

bool sinew_stage_is_locked(const sinew_stage *stage) { return stage->locks > 0; }

/* ---- finding stale pointers ---- */

/* If there are more actors, only some are moved at a time. A large array of palettes moves seldom, a very large one
 * never. */
enum { SHAKEN_ACTORS = 64, LARGE_PALETTES = 2000, VERY_LARGE_PALETTES = 20000, SELDOM = 64 };

static void shake_actors(sinew_stage *stage) {
  int count = stage->actor_count < SHAKEN_ACTORS ? stage->actor_count : SHAKEN_ACTORS;
  for (int i = 0; i < count; i++) {
    actor *a = stage->actors[stage->shaken++ % stage->actor_count];
    mem_move((void **)&a->layers, (size_t)a->layer_capacity * sizeof *a->layers);
    mem_move((void **)&a->instances.items, (size_t)a->instances.capacity * sizeof *a->instances.items);
  }
  stage->shaken %= stage->actor_count ? stage->actor_count : 1;
}

static void shake_palettes(sinew_stage *stage) {
  palettes *all = &stage->palettes;
  if (all->capacity >= VERY_LARGE_PALETTES) return;
  if (all->capacity >= LARGE_PALETTES && stage->shakes++ % SELDOM) return;
  mem_move((void **)&all->matrices, (size_t)all->capacity * sizeof *all->matrices);
}

void sinew_stage_shake(sinew_stage *stage) {
  pool_shake(&stage->actor_slots);
  pool_shake(&stage->action_slots);
  pool_shake(&stage->crowd_slots);
  mem_move((void **)&stage->actors, (size_t)stage->actor_capacity * sizeof *stage->actors);
  mem_move((void **)&stage->crowds, (size_t)stage->crowd_capacity * sizeof *stage->crowds);
  shake_palettes(stage);
  marker_table *markers = &stage->markers;
  mem_move((void **)&markers->models, (size_t)markers->capacity * sizeof *markers->models);
  mem_move((void **)&markers->retired, (size_t)markers->retired_capacity * sizeof *markers->retired);
  shake_actors(stage);
}
