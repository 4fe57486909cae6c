/* Conditions as text: what they come to, what is said where they do not hold, and what is refused. */
#include "actor/graph_fixture.h"

#include "actor/graph/condition.h"

#include <string.h>

static const char *const names[] = {"speed", "turn", "in_air", "phase_"};
enum { NAMES = 4 };

static condition_code read(const char *text) {
  condition_code c;
  sinew_error error = {""};
  if (!condition_read(text, names, NAMES, &c, &error)) fail_msg("%s", error.message);
  return c;
}

/* With speed 0.14, turn -3, in_air 1; 0.25 s left, half of the loop, 2 s in the state. Empty: it holds. */
static void what_is_false_is_told_with_its_values(void **state) {
  static const struct {
    const char *text, *refusal;
  } cases[] = {{"speed < 0.2", ""},
               {"speed > 0.2", "speed 0.14 > 0.2"},
               {"speed < 0.2 and turn < 1", ""},
               {"speed < 0.2 and turn > 1", "turn -3 > 1"},
               {"speed > 0.2 and turn > 1", "speed 0.14 > 0.2"},
               {"speed > 1 or turn > 1", "speed 0.14 > 1 or turn -3 > 1"},
               {"speed > 1 or turn > 1 and in_air", "speed 0.14 > 1 or turn -3 > 1"},
               {"(speed > 1 or in_air) and turn > -2.5", "turn -3 > -2.5"},
               {"speed > 1 or in_air and turn < -2.5", ""},
               {"abs(turn) > 2.5", ""},
               {"abs(turn) > 3.5", "abs(turn) 3 > 3.5"},
               {"abs(turn + 1) * 2 == 4", ""},
               {"-turn >= 3 and turn <= -3 and turn ~= 3 and turn != 3", ""},
               {"1 - 2 - 3 == -4 and 2 * 3 + 4 * 5 == 26 and 8 / 4 / 2 == 1", ""},
               {"not in_air", "not (in_air 1)"},
               {"not (speed > 1) and not speed > 1", ""},
               {"not speed < turn + 4", "not (speed 0.14 < turn + 4 1)"},
               {"true and not false", ""},
               {"false", "false"},
               {"in_air", ""},
               {"in_air - 1", "in_air - 1 0"},
               {"time_left < 0.2", "time_left 0.25 < 0.2"},
               {"phase == .5 and state_time == 2e0 and time_left == 0.25", ""},
               {"speed<0.2and turn<1", ""}};
  const double params[] = {0.14, -3, 1, 0};
  const condition_values values = {params, {0.25, 0.5, 2}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char said[200] = "";
    condition_code c = read(cases[i].text);
    if (!condition_holds(&c, &values)) condition_refuse(&c, &values, said, sizeof said);
    assert_string_equal(said, cases[i].refusal);
  }
}

static void a_refusal_is_cut_to_its_room(void **state) {
  const double params[] = {0, 0, 0, 0};
  const condition_values values = {params, {0, 0, 0}};
  char said[12];
  (void)state;
  condition_code c = read("speed > 0.25 or turn > 0.5");
  condition_refuse(&c, &values, said, sizeof said);
  assert_string_equal(said, "speed 0 > 0");
}

static void what_cannot_be_read_is_refused_with_its_word(void **state) {
  static const struct {
    const char *text, *part;
  } cases[] = {{"sped > 1", "'sped' at character 1 is not known; there are the actor's parameters and speed, turn"},
               {"speed > 1 and when", "'when' at character 15"},
               {"speed >", "its end comes where a number was expected"},
               {"", "its end comes where a number was expected"},
               {"speed > 1 speed", "'speed' at character 11 comes where 'and', 'or' or the end was expected"},
               {"(speed > 1", "its end comes where ')' was expected"},
               {"0 < speed < 1", "takes numbers on both sides"},
               {"(speed > 1) + 1", "takes numbers on both sides"},
               {"-(speed > 1) > 0", "a sign, but is not a number"},
               {"abs turn > 1", "'turn' at character 5 comes where '(' was expected"},
               {"speed = 1", "'=' at character 7"},
               {"speed > \xc3\xa9", "'\xc3\xa9' at character 9"},
               {"speed > 1 or or turn", "'or' at character 14"},
               {"1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1", "32 terms"},
               {"((((((((((((((((((((((((((((((((1", "24 levels"},
               {"not not not not not not not not not not not not not not not not not not not not not not not not not 1",
                "24 levels"}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sinew_error error = {""};
    assert_false(sinew_condition_check(cases[i].text, names, NAMES, &error));
    if (!strstr(error.message, cases[i].part)) fail_msg("%s: %s", cases[i].text, error.message);
  }
  char longest[300];
  memset(longest, ' ', sizeof longest);
  memcpy(longest, "speed", 5);
  longest[255] = 0;
  assert_true(sinew_condition_check(longest, names, NAMES, NULL));
  longest[255] = ' ', longest[256] = 0;
  assert_false(sinew_condition_check(longest, names, NAMES, NULL));
}

/* ---- in a machine ---- */

static void give_pair(world *w, const char *when, const char *back) {
  sinew_node_def nodes[] = {parent(SINEW_NODE_MACHINE, 1, 2), clip("slow", SLOW, 0), clip("fast", FAST, 0)};
  sinew_transition_def t[] = {sinew_transition_def_default(), sinew_transition_def_default()};
  t[0].from = 0, t[0].to = 1, t[0].when = when, t[0].fade = 0;
  t[1].from = 1, t[1].to = 0, t[1].when = back, t[1].fade = 0;
  nodes[0].transition_count = 2;
  give(w, nodes, 3, t, 2);
}

/* "slow" takes 2 s: after 1.5 s it has 0.5 left and is at 0.75. */
static void words_are_of_the_state_that_plays(void **state) {
  static const char *const whens[] = {"time_left < 0.55", "phase > 0.72", "state_time > 1.45"};
  world *w = *state;
  for (int i = 0; i < 3; i++) {
    sinew_actor_set_graph(w->stage, w->actor, 0, NULL, 0, NULL);
    give_pair(w, whens[i], "false");
    int updates = 0;
    while (machine(w).state == 0 && updates < 100) update(w, 0.1), updates++;
    assert_int_equal(updates, 16); /* as it was before the update */
  }
}

static void parameters_keep_their_names_in_another_order(void **state) {
  const char *other[] = {"turn", "speed"};
  world *w = *state;
  give_pair(w, "speed > 1", "speed < 1 and turn == 5");
  assert_true(sinew_actor_set_params(w->stage, w->actor, other, NULL, 2, NULL));
  update(w, 0.1);
  assert_int_equal(machine(w).state, 0);
  assert_true(sinew_actor_set_param(w->stage, w->actor, 1, 2));
  update(w, 0.1);
  assert_int_equal(machine(w).state, 1);
  assert_true(sinew_actor_set_param(w->stage, w->actor, 0, 5));
  assert_true(sinew_actor_set_params(w->stage, w->actor, other, NULL, 1, NULL)); /* without speed nothing holds */
  update(w, 0.1);
  assert_int_equal(machine(w).state, 1);
  assert_true(sinew_actor_set_params(w->stage, w->actor, other, NULL, 2, NULL));
  update(w, 0.1);
  assert_int_equal(machine(w).state, 0);
}

static void a_graph_with_a_wrong_condition_is_refused(void **state) {
  world *w = *state;
  sinew_error error;
  sinew_node_def nodes[] = {parent(SINEW_NODE_MACHINE, 1, 2), clip("slow", SLOW, 0), clip("fast", FAST, 0)};
  sinew_transition_def t = sinew_transition_def_default();
  nodes[0].transition_count = 1;
  t.from = 0, t.to = 1, t.when = "sped > 1";
  sinew_graph_def def = {nodes, 3, &t, 1};
  assert_false(sinew_actor_set_graph(w->stage, w->actor, 0, &def, 0, &error));
  assert_non_null(strstr(error.message, "'sped'"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_false_is_told_with_its_values),
      cmocka_unit_test(a_refusal_is_cut_to_its_room),
      cmocka_unit_test(what_cannot_be_read_is_refused_with_its_word),
      WITH_WORLD(words_are_of_the_state_that_plays),
      WITH_WORLD(parameters_keep_their_names_in_another_order),
      WITH_WORLD(a_graph_with_a_wrong_condition_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
