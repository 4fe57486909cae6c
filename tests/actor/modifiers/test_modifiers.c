/* Each kind of modifier takes the values that the header names for it, and refuses those of the others by their name.
 */
#include "actor/everything.h"

#include <string.h>

/* The rules of actor_modifiers.h, written down a second time. */
typedef struct value {
  const char *name;
  unsigned kinds; /* bits */
  void (*change)(sinew_modifier_def *def);
} value;

#define BIT(kind) (1u << SINEW_MODIFIER_##kind)
#define CHANGE(name, statement)                                                                                        \
  static void name(sinew_modifier_def *d) { statement; }

CHANGE(target, d->target = ((sinew_vec3){1, 2, 3}))
CHANGE(has_pole, d->has_pole = true)
CHANGE(pole, d->pole.x = 1)
CHANGE(hinge, d->hinge.x = 1)
CHANGE(soften, d->soften = 0.75f)
CHANGE(keep_tip, d->keep_tip = true)
CHANGE(stretch, d->stretch = 1.5f)
CHANGE(forward, d->forward = ((sinew_vec3){1, 0, 0}))
CHANGE(up, d->up = ((sinew_vec3){0, 0, 1}))
CHANGE(limit, d->limit = 0.5f)
static const float quarters[] = {0.25f, 0.25f, 0.25f, 0.25f};
CHANGE(joint_weights, d->joint_weights = quarters)
CHANGE(iterations, d->iterations = 3)
CHANGE(tolerance, d->tolerance = 0.5f)
CHANGE(frequency, d->frequency = 5)
CHANGE(damping, d->damping = 0.25f)
CHANGE(gravity, d->gravity.x = 1)
CHANGE(axis, d->axis = ((sinew_vec3){1, 0, 0}))
CHANGE(swing, d->swing = 0.5f)
CHANGE(twist_min, d->twist_min = -0.5f)
CHANGE(twist_max, d->twist_max = 0.5f)
CHANGE(parts, d->parts = SINEW_COPY_ROTATION)
CHANGE(offset, d->offset.translation.x = 1)
CHANGE(fraction, d->fraction = 0.25f)
CHANGE(max_shift, d->max_shift = 0.25f)
CHANGE(max_tilt, d->max_tilt = 0.25f)
CHANGE(stride, d->stride[1] = 2)
CHANGE(angle, d->angle = 0.5f)
CHANGE(user, d->user = d)

#define VALUE(name, kinds)                                                                                             \
  { #name, kinds, name }

static const value values[] = {VALUE(target, BIT(TWO_BONE) | BIT(AIM) | BIT(FABRIK)),
                               VALUE(has_pole, BIT(TWO_BONE)),
                               VALUE(pole, BIT(TWO_BONE)),
                               VALUE(hinge, BIT(TWO_BONE) | BIT(PLANT) | BIT(WARP)),
                               VALUE(soften, BIT(TWO_BONE)),
                               VALUE(keep_tip, BIT(TWO_BONE)),
                               VALUE(stretch, BIT(TWO_BONE)),
                               VALUE(forward, BIT(AIM)),
                               VALUE(up, BIT(AIM)),
                               VALUE(limit, BIT(AIM)),
                               VALUE(joint_weights, BIT(AIM)),
                               VALUE(iterations, BIT(FABRIK)),
                               VALUE(tolerance, BIT(FABRIK)),
                               VALUE(frequency, BIT(SPRING)),
                               VALUE(damping, BIT(SPRING)),
                               VALUE(gravity, BIT(SPRING)),
                               VALUE(axis, BIT(LIMIT) | BIT(TWIST)),
                               VALUE(swing, BIT(LIMIT)),
                               VALUE(twist_min, BIT(LIMIT)),
                               VALUE(twist_max, BIT(LIMIT)),
                               VALUE(parts, BIT(COPY_TRANSFORM)),
                               VALUE(offset, BIT(COPY_TRANSFORM)),
                               VALUE(fraction, BIT(TWIST)),
                               VALUE(max_shift, BIT(PLANT)),
                               VALUE(max_tilt, BIT(PLANT)),
                               VALUE(stride, BIT(WARP)),
                               VALUE(angle, BIT(WARP)),
                               VALUE(user, BIT(FUNCTION))};

static void a_value_that_a_kind_has_not_is_refused_by_its_name(void **state) {
  static const int joints[] = {1, 2, 3, 4, 5, 6, 7};
  sinew_model *model = cast_model(40);
  (void)state;
  for (int kind = 0; kind <= SINEW_MODIFIER_FUNCTION; kind++) {
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
      sinew_error error = {{0}};
      char words[64];
      sinew_modifier_def def = sinew_modifier_def_default((sinew_modifier_kind)kind);
      def.name = "m";
      def.joints = joints;
      def.joint_count = kind == SINEW_MODIFIER_WARP ? 7 : 4;
      values[i].change(&def);
      sinew_modifiers_check(model, &def, 1, &error);
      snprintf(words, sizeof words, "its kind has no '%s'", values[i].name);
      bool refused = strstr(error.message, words) != NULL, own = values[i].kinds >> kind & 1;
      if (refused == own) fail_msg("kind %d, %s: %s", kind, values[i].name, error.message);
    }
  }
  sinew_model_release(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_value_that_a_kind_has_not_is_refused_by_its_name)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
