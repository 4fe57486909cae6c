/* What several rooms need of an actor's parts. */
#include "actor/stage.h"
#include "base/memory/memory.h"
#include "math/vec3.h"

#include <math.h>

bool actor_reserve_instances(actor *a) {
  int count = 1; /* the event that is about to be added */
  for (int i = 0; i < a->layer_count; i++)
    count += a->layers[i].action_count + (a->layers[i].graph ? a->layers[i].graph->instance_count : 0);
  return array_fit((void **)&a->instances.items, &a->instances.capacity, count, sizeof *a->instances.items);
}

double actor_ground_scale(const actor *a) {
  double scale = sqrt(fabs((double)a->transform.scale.x * (double)a->transform.scale.z));
  return scale > 1e-6 ? scale : 1;
}

bool actor_need_gait(sinew_stage *stage, actor *a) {
  if (!a->gait) a->gait = gait_take(&stage->gaits, a->model);
  return a->gait;
}

float layer_action_weight(const actor *a, const layer *l) {
  float sum = 0;
  for (int i = l->graph_instances; i < l->instance_count; i++) sum += a->instances.items[l->first_instance + i].weight;
  return sum;
}

graph_inputs *actor_need_inputs(actor *a) {
  if (!a->inputs) a->inputs = mem_alloc_zeroed(sizeof *a->inputs);
  return a->inputs;
}

bool transform_is_finite(const sinew_transform *t) {
  return isfinite(t->translation.x + t->translation.y + t->translation.z + t->rotation.x + t->rotation.y +
                  t->rotation.z + t->rotation.w + t->scale.x + t->scale.y + t->scale.z);
}
