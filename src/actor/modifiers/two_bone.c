/* Two-bone IK: an arm or a leg that reaches for a target. */
#include "actor/modifiers/kinds.h"
#include "math/vec3.h"
#include "pose/modifiers/posed.h"

static void reach(const sinew_two_bone_job *job, const modifier_frame *f) {
  sinew_quat kept = {0, 0, 0, 1};
  if (job->keep_tip) kept = two_bone_tip(job);
  two_bone_turn(job);
  modifier_turned(f, job->upper);
  if (!job->keep_tip) return;
  modifier_place(f, job->tip);
  two_bone_keep_tip(job, kept);
  modifier_turned(f, job->tip);
}

static const char *job(modifier *m, const modifier_frame *f, bool runs) {
  sinew_vec3 target = modifier_into_model(f, m->def.target);
  if (modifier_check_life(m)) return modifier_check_life(m);
  if (runs && !modifier_reach_for(m, f, m->joints[2], &target)) return NULL;
  if (runs && !vec3_is_finite(target)) return NULL;
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
                            .stretch = m->def.stretch};
  if (!runs) return sinew_two_bone_check(&job);
  if (job.has_pole && !vec3_is_finite(job.pole)) return NULL;
  m->reached = target;
  reach(&job, f);
  return NULL;
}

static int deepest(const modifier *m) { return m->joints[2]; }

static const modifier_value values[] = {MODIFIER_VALUE(target),  MODIFIER_VALUE(has_pole),  MODIFIER_VALUE(pole),
                                        MODIFIER_VALUE(hinge),   MODIFIER_VALUE(soften),    MODIFIER_VALUE(keep_tip),
                                        MODIFIER_VALUE(stretch), MODIFIER_VALUE(half_life), {0}};

const modifier_kind modifier_two_bone = {
    .least_joints = 3, .aims = true, .settles = true, .deepest = deepest, .job = job, .values = values};
