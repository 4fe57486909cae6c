/* Markers as sections of an action: to the next one of a name, heard there, without a jump. */
#include "actor/graph_fixture.h"

#include <math.h>
#include <string.h>

static const double rates[] = {30, 60, 144};

/* "slow" is where its time is; two shells, and where the loop closes. */
static void give_markers(world *w) {
  const sinew_marker markers[] = {
      {.time = 0.5, .name = "shell"}, {.time = 1.25, .name = "close"}, {.time = 1.5, .name = "shell"}};
  assert_true(sinew_stage_set_markers(w->stage, w->model, SLOW, markers, 3, NULL));
}

static sinew_action play(world *w) {
  sinew_play_def def = sinew_play_def_default();
  def.clip = SLOW, def.fade = 0, def.loop = SINEW_LOOP_ONCE;
  return sinew_actor_play(w->stage, w->actor, &def, NULL);
}

static int heard(const world *w, const char *name) {
  int count, found = 0;
  const sinew_event *events = sinew_stage_events(w->stage, &count, NULL);
  for (int i = 0; i < count; i++) found += strcmp(events[i].name, name) == 0;
  return found;
}

/* Three rounds of a section, then to the end: each marker is heard as often as it is played. */
static void a_section_is_played_as_often_as_asked(void **state) {
  world *w = *state;
  give_markers(w);
  for (int r = 0; r < 3; r++) {
    int shells = 0, closes = 0, finishes = 0, rounds = 0;
    double jumped = 0;
    sinew_action action = play(w);
    for (int i = 0; i < (int)(6 * rates[r]); i++) {
      update(w, 1 / rates[r]);
      shells += heard(w, "shell"), finishes += heard(w, "finish");
      if (!heard(w, "close")) continue;
      closes++;
      sinew_play_def at;
      sinew_action_read_state(w->stage, action, &at);
      if (rounds++ == 2) continue;
      sinew_action_seek(w->stage, action, 0.1, false); /* so that the next one is the first */
      assert_true(sinew_action_go_to(w->stage, action, "shell", 0));
      jumped += at.time - 0.5;
      update(w, 0);
      assert_near(tip(w), 0.5, 1e-6);
    }
    assert_int_equal(closes, 3);
    assert_int_equal(shells, 4); /* three rounds, and the second shell on the way out */
    assert_int_equal(finishes, 1);
    assert_near(jumped, 2 * 0.75, 2 / rates[r]);
  }
}

static double time_of(const world *w, sinew_action action) {
  sinew_play_def state;
  assert_true(sinew_action_read_state(w->stage, action, &state));
  return state.time;
}

static void the_next_marker_of_a_name_is_taken_and_after_the_last_the_first(void **state) {
  world *w = *state;
  give_markers(w);
  sinew_action action = play(w);
  static const double times[] = {0.5, 1.5, 0.5};
  for (int i = 0; i < 3; i++) {
    assert_true(sinew_action_go_to(w->stage, action, "shell", 0));
    assert_near(time_of(w, action), times[i], 1e-12);
    update(w, 0.01);
    assert_int_equal(heard(w, "shell"), 1);
  }
}

/* By inertia: neither the place nor the speed jumps, and after the fade it is where its clock is. */
static void a_fade_joins_without_a_jump(void **state) {
  world *w = *state;
  give_markers(w);
  for (int r = 0; r < 3; r++) {
    sinew_action action = play(w);
    for (int i = 0; i < (int)(1.4 * rates[r]); i++) update(w, 1 / rates[r]);
    double before = tip(w);
    assert_true(sinew_action_go_to(w->stage, action, "shell", 0));
    assert_true(sinew_action_seek(w->stage, action, 0, false));
    assert_true(sinew_action_go_to(w->stage, action, "shell", 0.3));
    update(w, 1 / rates[r]);
    assert_true(fabs(tip(w) - before) < 0.12 * 60 / rates[r] && tip(w) > 0.6);
    for (int i = 0; i < (int)(0.4 * rates[r]); i++) update(w, 1 / rates[r]);
    assert_near(tip(w), time_of(w, action), 1e-4);
  }
}

static void what_cannot_be_gone_to_is_refused(void **state) {
  world *w = *state;
  give_markers(w);
  sinew_action action = play(w);
  update(w, 0.1);
  assert_false(sinew_action_go_to(w->stage, action, "lid", 0));
  assert_false(sinew_action_go_to(w->stage, action, "shell", -1));
  assert_false(sinew_action_go_to(w->stage, action, "shell", (double)NAN));
  sinew_stage_lock(w->stage);
  assert_false(sinew_action_go_to(w->stage, action, "shell", 0));
  sinew_stage_unlock(w->stage);
  assert_near(time_of(w, action), 0.1, 1e-9);
  sinew_action_stop(w->stage, action, 0.5);
  assert_false(sinew_action_go_to(w->stage, action, "shell", 0));
  sinew_actor_destroy(w->stage, w->actor);
  assert_false(sinew_action_go_to(w->stage, action, "shell", 0));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_WORLD(a_section_is_played_as_often_as_asked),
      WITH_WORLD(the_next_marker_of_a_name_is_taken_and_after_the_last_the_first),
      WITH_WORLD(a_fade_joins_without_a_jump),
      WITH_WORLD(what_cannot_be_gone_to_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
