/* The lock of a stage: while something walks it and calls out, nothing that is being walked may change. */
#include "actor/stage.h"
#include "base/memory/memory.h"

#include <string.h>

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

void sinew_stage_lock(sinew_stage *stage) { stage->locks++; }

/* Forgets the events sent for the update that has just ended, and moves those that waited to the front. */
static void send_waiting(actor *a) {
  a->inputs->sent_count += a->inputs->waiting_count;
  a->inputs->waiting_count = 0;
  a->sends = false;
}

static void destroy_waiting_actors(sinew_stage *stage) {
  for (int i = stage->actor_count - 1; i >= 0; i--) {
    actor *a = stage->actors[i];
    if (a->sends) send_waiting(a);
    if (a->goes) sinew_actor_destroy(stage, (sinew_actor){a->id});
  }
}

static void destroy_waiting_crowds(sinew_stage *stage) {
  for (int i = stage->crowd_count - 1; i >= 0; i--)
    if (stage->crowds[i]->goes) sinew_crowd_destroy(stage, (sinew_crowd){stage->crowds[i]->id});
}

void sinew_stage_unlock(sinew_stage *stage) {
  if (stage->locks == 0 || --stage->locks > 0 || !stage->waiting) return;
  stage->waiting = false;
  destroy_waiting_actors(stage);
  destroy_waiting_crowds(stage);
}

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
