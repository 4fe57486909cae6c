/* Two-bone IK: an arm or a leg that reaches for a target. */
#include "actor/modifiers/kinds.h"

static const char *job(modifier *m, const modifier_frame *f, bool runs) {
  sinew_vec3 target = modifier_into_model(f, m->def.target);
  if (modifier_check_life(m)) return modifier_check_life(m);
  if (runs && !modifier_reach_for(m, f, m->joints[2], &target)) return NULL;
  sinew_two_bone_job job = {.posed = f->posed,
                            .upper = m->joints[0],
                            .middle = m->joints[1],
                            .tip = m->joints[2],
                            .target = target,
                            .has_pole = m->def.has_pole,
                            .pole = modifier_into_model(f, m->def.pole),
                            .hinge = m->def.hinge,
                            .soften = m->def.soften,
                            .keep_tip = m->def.keep_tip,
                            .weight = m->def.weight,
                            .stretch = m->def.stretch,
                            .reach_error = &m->reach_error};
  CHECK_OR_RUN(two_bone);
}

static const modifier_value values[] = {MODIFIER_VALUE(target),  MODIFIER_VALUE(has_pole),  MODIFIER_VALUE(pole),
                                        MODIFIER_VALUE(hinge),   MODIFIER_VALUE(soften),    MODIFIER_VALUE(keep_tip),
                                        MODIFIER_VALUE(stretch), MODIFIER_VALUE(half_life), {0}};

const modifier_kind modifier_two_bone = {
    .least_joints = 3, .aims = true, .settles = true, .job = job, .values = values};
