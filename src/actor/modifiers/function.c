/* A modifier that calls a function of the program or the script. */
#include "actor/modifiers/kinds.h"

static const char *job(modifier *m, const modifier_frame *f, bool runs) {
  if (!m->def.function) return "it has no function";
  if (runs) m->def.function(m->def.user, f->actor, m->index, &f->posed, m->def.weight, f->dt);
  return NULL;
}

static const modifier_value values[] = {MODIFIER_VALUE(function), MODIFIER_VALUE(user), {0}};

const modifier_kind modifier_function = {.least_joints = 0, .aims = false, .job = job, .values = values};
