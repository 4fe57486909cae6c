/* Chain IK (FABRIK): a chain of any length that reaches for a target. */
#include "actor/modifiers/kinds.h"
#include "math/vec3.h"
#include "pose/modifiers/posed.h"

static const char *job(modifier *m, const modifier_frame *f, bool runs) {
  sinew_vec3 target = modifier_into_model(f, m->def.target);
  if (modifier_check_life(m)) return modifier_check_life(m);
  if (runs && !modifier_reach_for(m, f, m->joints[1], &target)) return NULL;
  sinew_fabrik_job job = {.posed = f->posed,
                          .root = m->joints[0],
                          .tip = m->joints[1],
                          .target = target,
                          .iterations = m->def.iterations,
                          .tolerance = m->def.tolerance,
                          .weight = m->def.weight};
  if (!runs) return sinew_fabrik_check(&job);
  if (!vec3_is_finite(target)) return NULL;
  m->reached = target;
  fabrik_turn(&job);
  modifier_turned(f, job.root);
  return NULL;
}

static int deepest(const modifier *m) { return m->joints[1]; }

static const modifier_value values[] = {
    MODIFIER_VALUE(target), MODIFIER_VALUE(iterations), MODIFIER_VALUE(tolerance), MODIFIER_VALUE(half_life), {0}};

const modifier_kind modifier_fabrik = {
    .least_joints = 2, .aims = true, .settles = true, .deepest = deepest, .job = job, .values = values};
