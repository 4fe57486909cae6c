/* Joint limits: a cone for the swing, a range for the twist. */
#include "actor/modifiers/kinds.h"

static const char *job(modifier *m, const modifier_frame *f, bool runs) {
  sinew_limit_job job = {f->posed,         m->joints[0],     m->def.axis,  m->def.swing,
                         m->def.twist_min, m->def.twist_max, m->def.weight};
  CHECK_OR_RUN(limit);
}

static const modifier_value values[] = {
    MODIFIER_VALUE(axis), MODIFIER_VALUE(swing), MODIFIER_VALUE(twist_min), MODIFIER_VALUE(twist_max), {0}};

const modifier_kind modifier_limit = {.least_joints = 1, .aims = false, .job = job, .values = values};
