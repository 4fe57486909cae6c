/* A chain of joints that looks at a target. */
#include "actor/modifiers/kinds.h"

static const char *job(modifier *m, const modifier_frame *f, bool runs) {
  sinew_aim_job job = {.posed = f->posed,
                       .chain = m->joints,
                       .count = m->def.joint_count,
                       .shares = m->shares,
                       .forward = m->def.forward,
                       .up = m->def.up,
                       .target = modifier_into_model(f, m->def.target),
                       .limit = m->def.limit,
                       .weight = m->def.weight};
  CHECK_OR_RUN(aim);
}

static const modifier_value values[] = {MODIFIER_VALUE(target), MODIFIER_VALUE(forward), MODIFIER_VALUE(up),
                                        MODIFIER_VALUE(limit),  MODIFIER_VALUE(shares),  {0}};

const modifier_kind modifier_aim = {.least_joints = 1, .aims = true, .job = job, .values = values};
