/* Springs: joints that swing. */
#include "actor/modifiers/kinds.h"

static const char *job(modifier *m, const modifier_frame *f, bool runs) {
  sinew_spring_job job = {.posed = f->posed,
                          .joints = m->joints,
                          .count = m->def.joint_count,
                          .states = m->springs,
                          .world = f->world,
                          .dt = f->dt,
                          .frequency = m->def.frequency,
                          .damping = m->def.damping,
                          .gravity = m->def.gravity,
                          .weight = m->def.weight};
  CHECK_OR_RUN(spring);
}

static const modifier_value values[] = {
    MODIFIER_VALUE(frequency), MODIFIER_VALUE(damping), MODIFIER_VALUE(gravity), {0}};

const modifier_kind modifier_spring = {.least_joints = 1, .aims = false, .job = job, .values = values};
