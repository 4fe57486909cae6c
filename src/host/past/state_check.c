#include "host/past/state_check.h"

#include "base/memory/hash_index.h"

#include <sinew/graph.h>
#include <sinew/playing.h>

static uint64_t add_playing(uint64_t hash, const sinew_playing *playing) {
  hash = fnv_add(hash, &playing->normalized_weight, sizeof playing->normalized_weight);
  return fnv_add(hash, &playing->phase, sizeof playing->phase);
}

static uint64_t add_layer(uint64_t hash, const sinew_stage *stage, sinew_actor actor, int layer) {
  sinew_playing playing;
  for (int i = 0; i < sinew_actor_action_count(stage, actor, layer); i++)
    if (sinew_action_playing(stage, sinew_actor_action(stage, actor, layer, i), &playing))
      hash = add_playing(hash, &playing);
  for (int i = 0; i < sinew_actor_node_count(stage, actor, layer); i++)
    if (sinew_actor_node_playing(stage, actor, layer, i, &playing)) hash = add_playing(hash, &playing);
  return hash;
}

static uint64_t add_actor(uint64_t hash, const sinew_stage *stage, sinew_actor actor) {
  sinew_transform t = sinew_actor_transform(stage, actor); /* ten floats */
  hash = fnv_add(hash, &t, sizeof t);
  for (int i = 0; i < sinew_actor_param_count(stage, actor); i++) {
    double value = sinew_actor_param(stage, actor, i);
    hash = fnv_add(hash, &value, sizeof value);
  }
  for (int i = 0; i < sinew_actor_layer_count(stage, actor); i++) hash = add_layer(hash, stage, actor, i);
  return hash;
}

uint64_t state_check(const sinew_stage *stage) {
  uint64_t hash = FNV_BEGIN;
  for (int i = 0; i < sinew_stage_actor_count(stage); i++) hash = add_actor(hash, stage, sinew_stage_actor(stage, i));
  return hash;
}
