#include "actor/modifiers/kinds.h"

#include <string.h>

const modifier_kind *const modifier_kinds[] = {
    [SINEW_MODIFIER_TWO_BONE] = &modifier_two_bone, [SINEW_MODIFIER_AIM] = &modifier_look_at,
    [SINEW_MODIFIER_FABRIK] = &modifier_fabrik,     [SINEW_MODIFIER_SPRING] = &modifier_spring,
    [SINEW_MODIFIER_LIMIT] = &modifier_limit,       [SINEW_MODIFIER_COPY_TRANSFORM] = &modifier_copy_transform,
    [SINEW_MODIFIER_TWIST] = &modifier_twist,       [SINEW_MODIFIER_PLANT] = &modifier_plant,
    [SINEW_MODIFIER_WARP] = &modifier_warp,         [SINEW_MODIFIER_FUNCTION] = &modifier_function};

sinew_modifier_def sinew_modifier_def_default(sinew_modifier_kind kind) {
  return (sinew_modifier_def){.kind = kind,
                              .weight = 1,
                              .target = {NAN, NAN, NAN},
                              .soften = 0.97f,
                              .stretch = 1,
                              .forward = {0, 0, 1},
                              .up = {0, 1, 0},
                              .limit = 1.2f,
                              .half_life = kind == SINEW_MODIFIER_TWO_BONE || kind == SINEW_MODIFIER_FABRIK ? 0 : 0.1f,
                              .turn_rate = 6,
                              .iterations = 16,
                              .tolerance = 0.001f,
                              .frequency = 3,
                              .damping = 0.5f,
                              .gravity = {0, -9.81f, 0},
                              .axis = {0, 1, 0},
                              .swing = 1,
                              .twist_min = -1,
                              .twist_max = 1,
                              .parts = SINEW_COPY_POSITION | SINEW_COPY_ROTATION,
                              .offset = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}},
                              .fraction = 0.5f,
                              .max_shift = 0.4f,
                              .max_tilt = 0.6f,
                              .stride = {0.7f, 1.4f},
                              .angle = 0.9f};
}

static bool has(const modifier_kind *kind, const modifier_value *value) {
  bool found = false;
  for (const modifier_value *own = kind->values; own->name && !found; own++) found = own->offset == value->offset;
  return found;
}

static bool is_default(const modifier_value *value, const sinew_modifier_def *def, const sinew_modifier_def *plain) {
  return memcmp((const char *)def + value->offset, (const char *)plain + value->offset, value->size) == 0;
}

const char *modifier_ignores(const sinew_modifier_def *def) {
  sinew_modifier_def plain = sinew_modifier_def_default(def->kind);
  for (int kind = 0; kind <= SINEW_MODIFIER_FUNCTION; kind++)
    for (const modifier_value *value = modifier_kinds[kind]->values; value->name; value++)
      if (!has(modifier_kinds[def->kind], value) && !is_default(value, def, &plain)) return value->ignored;
  return NULL;
}
