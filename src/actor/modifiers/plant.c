/* Feet on uneven ground. */
#include "actor/modifiers/kinds.h"

/* Feet know the ground in world space; the job wants it in the model's, from the level on which the actor stands. */
static void place_feet(const modifier *m, const modifier_frame *f, sinew_foot feet[SINEW_FEET_MAX]) {
  sinew_transform inverse = sinew_transform_from_mat3x4(&f->inverse);
  sinew_mat3x4 turn = sinew_mat3x4_from_transform(&(sinew_transform){{0, 0, 0}, inverse.rotation, {1, 1, 1}});
  for (int i = 0; i < modifier_foot_count(m); i++) {
    feet[i] = m->feet[i];
    bool given = !isnan(m->feet[i].ground);
    feet[i].ground = given ? (m->feet[i].ground - f->world.m[7]) * inverse.scale.y : 0;
    feet[i].normal = sinew_mat3x4_transform_point(&turn, m->feet[i].normal);
  }
}

static const char *job(modifier *m, const modifier_frame *f, bool runs) {
  sinew_foot feet[SINEW_FEET_MAX];
  place_feet(m, f, feet);
  sinew_plant_job job = {.posed = f->posed,
                         .pelvis = m->joints[0],
                         .feet = feet,
                         .count = modifier_foot_count(m),
                         .max_shift = m->def.max_shift,
                         .max_tilt = m->def.max_tilt,
                         .weight = m->def.weight};
  CHECK_OR_RUN(plant);
}

static const modifier_value values[] = {
    MODIFIER_VALUE(hinge), MODIFIER_VALUE(max_shift), MODIFIER_VALUE(max_tilt), {0}};

const modifier_kind modifier_plant = {.least_joints = 4, .aims = false, .job = job, .values = values};
