/* The author's word on which joint is what: it is used everywhere, and what cannot be is a sentence. */
#include "harness.h"

static void expect(const char *text) {
  harness h;
  harness_open_host(&h);
  if (!harness_load(&h, text, NULL)) fail_msg("%s", h.error.message);
  if (!sinew_scene_test(h.scene, NULL, &h.error)) fail_msg("%s", h.error.message);
  harness_close(&h);
}

static void what_cannot_be_is_a_sentence(void **state) {
  (void)state;
  expect("local sinew = require 'sinew'\n"
         "local function refuses(roles, words)\n"
         "  local model, message = sinew.try_model('hero.glb', { roles = roles })\n"
         "  assert(not model and message:find(words, 1, true), message)\n"
         "end\n"
         "function sinew.test()\n"
         "  refuses({ left_fot = 'LeftFoot' }, \"there is no role 'left_fot'; did you mean 'left_foot'?\")\n"
         "  refuses({ left_foot = 3 }, 'roles is a table such as')\n"
         "  refuses({ 'LeftFoot' }, 'roles is a table such as')\n"
         "end\n");
}

static void a_role_is_used_everywhere(void **state) {
  (void)state;
  expect("local sinew = require 'sinew'\n"
         "local man = sinew.model('hero.glb', { roles = { head = 'Neck', left_foot = 'LeftToeBase',\n"
         "  right_foot = 'RightToeBase' } })\n"
         "function sinew.test()\n"
         "  local roles = man:roles()\n"
         "  assert(roles.head == 'Neck' and roles.left_foot == 'LeftToeBase' and roles.right_foot == 'RightToeBase')\n"
         "  assert(roles.left_hand == 'LeftHand', 'the others are found as before')\n"
         "  assert(math.abs(man:velocity('Walk').z - 1.4) < 0.05, man:velocity('Walk').z)\n"
         "end\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_cannot_be_is_a_sentence),
      cmocka_unit_test(a_role_is_used_everywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
