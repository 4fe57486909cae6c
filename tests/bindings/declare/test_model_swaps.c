/* An actor whose model a save exchanges: its clips continue in their counterparts, at the same place. */
#include "harness.h"

/* Models of a bar of two joints. A clip is { name, seconds, from, to, sign }: the upper joint turns about z from one
 * angle to the other; with the sign −1 by the opposite quaternions, which are the same rotations. */
#define PREFIX                                                                                                         \
  "local sinew = require 'sinew'\n"                                                                                    \
  "local function bar(name, clips)\n"                                                                                  \
  "  local d = { name = name, joints = { { name = 'Lower' }, { name = 'Upper', parent = 'Lower', position = { 0, 1, "  \
  "0 "                                                                                                                 \
  "} } }, clips = {} }\n"                                                                                              \
  "  for i, c in ipairs(clips) do\n"                                                                                   \
  "    local times, turns = {}, {}\n"                                                                                  \
  "    for k = 0, 8 do\n"                                                                                              \
  "      local a, s = (c[3] + (c[4] - c[3]) * k / 8) / 2, c[5] or 1\n"                                                 \
  "      times[k + 1], turns[k + 1] = c[2] * k / 8, { 0, 0, s * math.sin(a), s * math.cos(a) }\n"                      \
  "    end\n"                                                                                                          \
  "    d.clips[i] = { name = c[1], tracks = { Upper = { times = times, rotations = turns } } }\n"                      \
  "  end\n"                                                                                                            \
  "  return sinew.build_model(d)\n"                                                                                    \
  "end\n"

static void save(harness *h, const char *text) {
  char whole[4096];
  snprintf(whole, sizeof whole, "%s%s\n", PREFIX, text);
  if (h->scene ? !harness_reload(h, whole) : !harness_load(h, whole, NULL)) fail_msg("%s", h->error.message);
}

/* The name of the clip that the actor's newest action plays, and its time. */
static const char *played(const harness *h, const char *name, double *time) {
  const sinew_stage *stage = sinew_host_stage(h->host);
  sinew_actor actor = sinew_scene_find_actor(h->scene, name);
  int count = sinew_actor_action_count(stage, actor, 0);
  sinew_play_def state;
  assert_true(count > 0);
  assert_true(sinew_action_read_state(stage, sinew_actor_action(stage, actor, 0, count - 1), &state));
  *time = state.time;
  return sinew_clip_name(sinew_model_clip(sinew_actor_model(stage, actor), state.clip));
}

static void expect_played(const harness *h, const char *actor, const char *clip, double time) {
  double is;
  const char *name = played(h, actor, &is);
  if (strcmp(name, clip) != 0 || fabs(is - time) > 1e-6)
    fail_msg("%s plays %s at %g, not %s at %g", actor, name, is, clip, time);
}

/* A clip that is as far in a longer one of its name: while it plays, and while a removed play is kept for its return.
 */
static void the_phase_stays_in_a_clip_of_another_length(void **state) {
  static const double lengths[] = {3, 2, 0.5};
  (void)state;
  for (int kept = 0; kept < 2; kept++)
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
      static harness h;
      char text[512];
      harness_open_host(&h);
      save(&h, "local a = sinew.actor('a', bar('one', { { 'Turn', 2, 0, 1 } })) a:play('Turn', { fade = 0 })");
      harness_step(&h, 60);
      expect_played(&h, "a", "Turn", 1);
      if (kept) save(&h, "local a = sinew.actor('a', bar('one', { { 'Turn', 2, 0, 1 } }))");
      snprintf(text, sizeof text, "local a = sinew.actor('a', bar('two', { { 'Turn', %g, 0, 1 } }))%s", lengths[i],
               kept ? "" : " a:play('Turn', { fade = 0 })");
      save(&h, text);
      if (kept) {
        snprintf(text, sizeof text,
                 "local a = sinew.actor('a', bar('two', { { 'Turn', %g, 0, 1 } }))"
                 " a:play('Turn', { fade = 0 })",
                 lengths[i]);
        save(&h, text);
      }
      expect_played(&h, "a", "Turn", lengths[i] / 2);
      harness_close(&h);
    }
}

/* Actors of one model that one save gives different models: each finds its clip in its own. */
static void each_actor_finds_its_clip_in_its_own_model(void **state) {
  static const char *const models[] = {"bar('x', { { 'Turn', 2, 0, 1 }, { 'Bend', 2, 0, -1 } })",
                                       "bar('y', { { 'Bend', 2, 0, -1 }, { 'Nod', 2, 0, 0.5 }, { 'Turn', 2, 0, 1 } })"};
  (void)state;
  for (int first = 0; first < 2; first++) {
    static harness h;
    char text[1024];
    harness_open_host(&h);
    save(&h, "local m = bar('one', { { 'Turn', 2, 0, 1 }, { 'Bend', 2, 0, -1 } })\n"
             "for _, name in ipairs { 'a', 'b', 'c' } do sinew.actor(name, m):play('Turn', { fade = 0 }) end");
    harness_step(&h, 30);
    snprintf(text, sizeof text,
             "local p, q = %s, %s\n"
             "for i, name in ipairs { 'a', 'b', 'c' } do sinew.actor(name, i == 2 and q or p):play('Turn', { fade = 0 "
             "}) end",
             models[first], models[!first]);
    save(&h, text);
    for (int i = 0; i < 3; i++) expect_played(&h, (char[]){(char)('a' + i), 0}, "Turn", 0.5);
    harness_close(&h);
  }
}

/* A clip of another name is the same clip if it moves alike: equally long, with equal rotations, however they are
 * written. */
static void a_renamed_clip_is_known_by_its_motion(void **state) {
  static const struct {
    const char *clip;
    bool is_same;
  } cases[] = {{"{ 'Spin', 2, 0, 1 }", true},          {"{ 'Spin', 2.5, 0, 1 }", false},
               {"{ 'Spin', 1.9, 0, 1 }", false},       {"{ 'Spin', 2, 0, 1, -1 }", true},
               {"{ 'Spin', 2, 0, 1.2 }", false},       {"{ 'Spin', 2, 0, -1 }", false},
               {"{ 'Spin', 2, 0.0005, 1.0005 }", true}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    static harness h;
    char text[512];
    harness_open_host(&h);
    save(&h, "sinew.actor('a', bar('one', { { 'Turn', 2, 0, 1 } })):play('Turn', { fade = 0 })");
    harness_step(&h, 60);
    snprintf(text, sizeof text, "sinew.actor('a', bar('two', { %s })):play('Spin', { fade = 0 })", cases[i].clip);
    save(&h, text);
    expect_played(&h, "a", "Spin", cases[i].is_same ? 1 : 0);
    harness_close(&h);
  }
}

/* At half a turn, q and −q are next to each other: which of them a model has is chance. */
static void rotations_around_half_a_turn_are_compared_as_rotations(void **state) {
  static const double pi = 3.14159265358979323846, offs[] = {-1e-3, -1e-5, 1e-5, 1e-3};
  (void)state;
  for (int i = 0; i < 4; i++)
    for (int sign = -1; sign <= 1; sign += 2) {
      static harness h;
      char text[512];
      harness_open_host(&h);
      snprintf(text, sizeof text,
               "sinew.actor('a', bar('one', { { 'Turn', 2, %.9f, %.9f } })):play('Turn', { fade = 0 "
               "})",
               pi, pi);
      save(&h, text);
      harness_step(&h, 60);
      snprintf(text, sizeof text,
               "sinew.actor('a', bar('two', { { 'Spin', 2, %.9f, %.9f, %d } })):play('Spin', { fade "
               "= 0 })",
               pi + offs[i], pi + offs[i], sign);
      save(&h, text);
      expect_played(&h, "a", "Spin", 1);
      harness_close(&h);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_phase_stays_in_a_clip_of_another_length),
                                     cmocka_unit_test(each_actor_finds_its_clip_in_its_own_model),
                                     cmocka_unit_test(a_renamed_clip_is_known_by_its_motion),
                                     cmocka_unit_test(rotations_around_half_a_turn_are_compared_as_rotations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
