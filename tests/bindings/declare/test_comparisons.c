/* What a save counts as a change: pairs of declarations that mean the same, and pairs that differ where their type of
 * value ends. */
#include "harness.h"

#define PREFIX                                                                                                         \
  "local sinew = require 'sinew'\n"                                                                                    \
  "local man = sinew.model 'hero.glb'\n"                                                                               \
  "local hero = sinew.actor('hero', man, { params = { a = 1, nota = 1, b = 2, a1 = 3 } })\n"

#define PLAY(options) "hero:play('Walk', { " options " })"
#define CLIP(options) "hero:set_graph(sinew.clip { 'Walk', " options " })"
#define WHEN(condition)                                                                                                \
  "hero:set_graph(sinew.state_machine { states = { x = 'Idle', y = 'Walk' }, start = 'x', transitions = { { 'x', "     \
  "'y', when = [[" condition "]] } } })"
#define BLEND(weights) "hero:set_graph(sinew.blend { " weights " })"
#define MASK(mask) "hero:layer('top', { mask = { " mask " } })"
#define MODIFIERS(list) "hero:set_modifiers { " list " }"
#define LOOK(options) MODIFIERS("sinew.look_at { 'm', chain = { 'Neck', 'Head' }, target = { 1, 1, 1 }, " options " }")
#define TURN(options) "hero.rotation = " options
#define MARKERS(list) "man:markers('Walk', { " list " })"
#define CURVE(keys) "man:curve('Walk', 'c', { " keys " })"

typedef struct pair {
  const char *before, *after;
  const char *told; /* NULL: nothing has changed */
} pair;

static const pair pairs[] = {
    {PLAY("loop = 2"), PLAY("loop = 2"), NULL},
    {PLAY("loop = 2"), PLAY("loop = 3"), "loop 2 → 3"},
    {PLAY("loop = 12"), PLAY("loop = 1"), "loop 12 → 1"},
    {PLAY("loop = 'once'"), PLAY("loop = 2"), "loop once → 2"},
    {PLAY("loop = 'forever'"), PLAY(""), NULL},
    {CLIP("loop = 2"), CLIP("loop = 3"), "loop 2 → 3"},
    {CLIP("loop = 'once'"), CLIP("loop = 'once'"), NULL},

    {WHEN("a < 1 and b > 2"), WHEN("  a<1\n and\tb >2 "), NULL},
    {WHEN("not(a)"), WHEN("not ( a )"), NULL},
    {WHEN("nota"), WHEN("not a"), "nota → not a"},
    {WHEN("not a"), WHEN("nota"), "not a → nota"},
    {WHEN("a < 1"), WHEN("a < 10"), "a < 1 → a < 10"},
    {WHEN("a < 10"), WHEN("a < 1"), "a < 10 → a < 1"},
    {WHEN("a1 < 2"), WHEN("a < 2"), "a1 < 2 → a < 2"},

    {PLAY("speed = 1"), PLAY("speed = 1.0"), NULL},
    {PLAY("speed = 1"), PLAY("speed = 1 + 1e-9"), "speed changed"},
    {PLAY("speed = 0.0"), PLAY("speed = -0.0"), NULL},
    {PLAY("fade_out = 0"), PLAY(""), "fade_out 0 → default"},
    {PLAY("sync = 'feet'"), PLAY("sync = 'feet2'"), "sync feet → feet2"},
    {PLAY("sync = 'feet'"), PLAY(""), "sync feet → none"},

    {LOOK("up = { 0, 1, 0 }"), LOOK("up = sinew.vec3(0, 1, 0)"), NULL},
    {LOOK("up = { 0, 1, 0 }"), LOOK("up = { 1, 1, 0 }"), "up 0 1 0 → 1 1 0"},
    {LOOK("up = { 0, 1, 0 }"), LOOK("up = { 0, 0.5, 0 }"), "up 0 1 0 → 0 0.5 0"},
    {LOOK("up = { 0, 1, 0 }"), LOOK("up = { 0, 1, 1 }"), "up 0 1 0 → 0 1 1"},
    {LOOK("weights = { 0.5, 0.5 }"), LOOK("weights = { 0.5, 0.25 }"), "weights 0.5 0.5 → 0.5 0.25"},
    {LOOK("weights = { 0.5, 0.5 }"), LOOK(""), "weights 0.5 0.5 → "},
    {TURN("{ 0, 0, 0, 1 }"), TURN("{ 0, 0, 0, 1 }"), NULL},
    {TURN("{ 0, 0, 0, 1 }"), TURN("{ 1, 0, 0, 0 }"), "hero.rotation"},
    {TURN("{ 0, 0.6, 0, 0.8 }"), TURN("{ 0, 0.6, 0, -0.8 }"), "hero.rotation"},

    {BLEND("{ 'Walk', 1 }, { 'Run', 1 }"), BLEND("{ 'Walk', 1 }, { 'Run', 2 }"), "Run: weight 1 → 2"},
    {BLEND("{ 'Walk', 'a' }, { 'Run', 1 }"), BLEND("{ 'Walk', 'a1' }, { 'Run', 1 }"), "weight a → a1"},
    {MASK("Head = 0.5, Neck = 1"), MASK("Neck = 1, Head = 0.5"), NULL},
    {MASK("Head = 0.5"), MASK("Head = 0.25"), "mask"},
    {MASK("Head = 0.5"), MASK("Head = 0.5, Hips = 1"), "mask"},
    {MODIFIERS("sinew.spring { 's', joints = { 'Head', 'Neck' } }"),
     MODIFIERS("sinew.spring { 's', joints = { 'Head' } }"), "hero s"},

    {MARKERS("{ 0.1, 'x' }, { 0.5, 'x' }"), MARKERS("{ 0.1, 'x' }, { 0.5, 'x' }"), NULL},
    {MARKERS("{ 0.1, 'x' }, { 0.5, 'x' }"), MARKERS("{ 0.1, 'x' }, { 0.25, 'x' }"), "marker x: time 0.5 → 0.25"},
    {MARKERS("{ 0.1, 'x' }, { 0.5, 'x' }"), MARKERS("{ 0.1, 'x' }"), "Walk: marker x"},
    {CURVE("{ 0, 1 }, { 0.5, 2 }"), CURVE("{ 0, 1 }, { 0.5, 2 }"), NULL},
    {CURVE("{ 0, 1 }, { 0.5, 2 }"), CURVE("{ 0, 1 }, { 0.5, 3 }"), "Walk"},
    {CURVE("{ 0, 1 }, { 0.5, 2 }"), CURVE("{ 0, 1 }"), "Walk"},
};

static void save(harness *h, const char *text, char summary[512]) {
  char whole[2048];
  snprintf(whole, sizeof whole, "%s%s\n", PREFIX, text);
  if (h->scene ? !harness_reload(h, whole) : !harness_load(h, whole, NULL)) fail_msg("%s: %s", text, h->error.message);
  harness_step(h, 1);
  snprintf(summary, 512, "%s", sinew_scene_summary(h->scene));
}

static void a_save_tells_what_differs_and_nothing_else(void **state) {
  static const char unchanged[] = "nothing declared has changed";
  int failed = 0;
  (void)state;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    static harness h;
    char same[512], other[512];
    const pair *p = pairs + i;
    harness_open_host(&h);
    save(&h, p->before, same);
    save(&h, p->before, same);
    save(&h, p->after, other);
    bool fine = strstr(same, unchanged) && strstr(other, p->told ? p->told : unchanged);
    if (!fine) print_error("%s, then %s: '%s', '%s'\n", p->before, p->after, same, other);
    failed += !fine;
    harness_close(&h);
  }
  assert_int_equal(failed, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_save_tells_what_differs_and_nothing_else)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
