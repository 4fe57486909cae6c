#include "actor/stage.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>

sinew_stage *sinew_stage_create(sinew_error *error) {
  sinew_stage *stage = mem_alloc_zeroed(sizeof *stage);
  if (!stage) {
    error_memory(error, "a stage", sizeof *stage);
    return NULL;
  }
  pool_init(&stage->actor_slots, sizeof(actor *));
  pool_init(&stage->action_slots, sizeof(action));
  return stage;
}

void sinew_stage_destroy(sinew_stage *stage) {
  if (!stage) return;
  while (stage->actor_count) sinew_actor_destroy(stage, (sinew_actor){stage->actors[stage->actor_count - 1]->id});
  pool_reset(&stage->actor_slots);
  pool_reset(&stage->action_slots);
  mem_free(stage->actors);
  mem_free(stage->scratch);
  mem_free(stage->coverage);
  mem_free(stage);
}

bool stage_reserve(sinew_stage *stage, int groups) {
  if (groups <= stage->scratch_groups) return true;
  size_t poses = MAX_ACTIONS + 1;
  sinew_pose_group *scratch = mem_alloc_array((size_t)groups * poses, sizeof *scratch);
  float *coverage = mem_alloc_array((size_t)groups * SINEW_LANES, sizeof *coverage);
  if (!scratch || !coverage) {
    mem_free(scratch);
    mem_free(coverage);
    return false;
  }
  mem_free(stage->scratch);
  mem_free(stage->coverage);
  stage->scratch = scratch;
  stage->coverage = coverage;
  stage->scratch_groups = groups;
  return true;
}

void sinew_stage_update(sinew_stage *stage, double dt) {
  if (!isfinite(dt)) dt = 0;
  double begin = clock_seconds();
  for (int i = 0; i < stage->actor_count; i++) {
    actor *a = stage->actors[i];
    if (!a->paused) actor_advance(stage, a, dt);
    actor_evaluate(stage, a);
  }
  double spent = clock_seconds() - begin;
  stage->microseconds_per_actor = stage->actor_count ? spent * 1e6 / stage->actor_count : 0;
}

int sinew_stage_actor_count(const sinew_stage *stage) { return stage->actor_count; }

sinew_actor sinew_stage_actor(const sinew_stage *stage, int index) {
  return (sinew_actor){index >= 0 && index < stage->actor_count ? stage->actors[index]->id : 0};
}

double sinew_stage_microseconds_per_actor(const sinew_stage *stage) { return stage->microseconds_per_actor; }

actor *stage_find(const sinew_stage *stage, sinew_actor id) {
  actor **slot = pool_find(&stage->actor_slots, id.id);
  return slot ? *slot : NULL;
}

action *stage_find_action(const sinew_stage *stage, uint32_t id) { return pool_find(&stage->action_slots, id); }
