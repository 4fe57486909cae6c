/* A joint that copies the transform of another one. */
#include "actor/modifiers/kinds.h"

static const char *job(modifier *m, const modifier_frame *f, bool runs) {
  sinew_copy_transform_job job = {f->posed, m->joints[0], m->joints[1], m->def.parts, m->def.offset, m->def.weight};
  CHECK_OR_RUN(copy_transform);
}

static const modifier_value values[] = {MODIFIER_VALUE(parts), MODIFIER_VALUE(offset), {0}};

const modifier_kind modifier_copy_transform = {.least_joints = 2, .aims = false, .job = job, .values = values};
