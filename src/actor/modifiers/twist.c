/* A helper joint that takes a fraction of another joint's rotation. */
#include "actor/modifiers/kinds.h"

static const char *job(modifier *m, const modifier_frame *f, bool runs) {
  sinew_twist_job job = {f->posed, m->joints[0], m->joints[1], m->def.axis, m->def.fraction, m->def.weight};
  CHECK_OR_RUN(twist);
}

static const modifier_value values[] = {MODIFIER_VALUE(axis), MODIFIER_VALUE(fraction), {0}};

const modifier_kind modifier_twist = {.least_joints = 2, .aims = false, .job = job, .values = values};
