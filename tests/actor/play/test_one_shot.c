/* One-shots that end and return, first plays, stops: what each weighs at any moment, at any frame rate. */
#include "support/hero.h"

#include <sinew/event.h>
#include <sinew/explain.h>
#include <sinew/graph.h>

static int set_up(void **state) {
  static world w;
  world_open(&w, load_hero());
  *state = &w;
  return 0;
}

static sinew_play_def def_of(const world *w, const char *clip, double fade) {
  sinew_play_def def = sinew_play_def_default();
  def.clip = hero_clip(w->model, clip), def.fade = fade;
  return def;
}

static sinew_action play(world *w, const sinew_play_def *def) {
  sinew_action action = sinew_actor_play(w->stage, w->actor, def, NULL);
  assert_int_not_equal(action.id, 0);
  return action;
}

static sinew_action play_once(world *w, const char *clip, int layer, double fade, double fade_out) {
  sinew_play_def def = def_of(w, clip, fade);
  def.loop = SINEW_LOOP_ONCE, def.layer = layer, def.fade_out = fade_out;
  return play(w, &def);
}

static sinew_action play_loop(world *w, const char *clip, int layer, double fade) {
  sinew_play_def def = def_of(w, clip, fade);
  def.layer = layer;
  return play(w, &def);
}

static void begin_again(world *w) {
  world_close(w);
  world_open(w, load_hero());
}

/* The weight of the rest pose in the hand's position, from sinew_actor_explain, and from the position itself where that
 * is exact. */
static double rest_of(const world *w) {
  sinew_cause causes[64];
  int count = sinew_actor_explain(w->stage, w->actor, hero_joint(w->model, "RightHand"), causes, 64, NULL);
  double rest = 0;
  for (int i = 0; i < count && i < 64; i++)
    if (causes[i].kind == SINEW_CAUSE_REST) rest += (double)causes[i].weight;
  return rest;
}

static double faded(const world *w, sinew_action action) { return (double)sinew_action_strength(w->stage, action); }

static int heard(const world *w, const char *name) {
  int count, found = 0;
  const sinew_event *events = sinew_stage_events(w->stage, &count, NULL);
  for (int i = 0; i < count; i++) found += strcmp(events[i].name, name) == 0;
  return found;
}

/* ---- the end is heard ---- */

/* At twenty lengths of the fade, on a layer and on the base, whatever part of a frame the end falls in. */
static void the_end_is_heard_once_whatever_it_weighs(void **state) {
  world *w = *state;
  int arm = sinew_actor_add_layer(w->stage, w->actor, "arm", &(sinew_layer_def){.weight = 1}, NULL);
  play_loop(w, "Idle", 0, 0);
  for (int r = 0; r < FRAME_RATES; r++)
    for (int k = 0; k < 40; k++) {
      int ends = 0;
      sinew_action wave = play_once(w, "Wave", k % 2 ? arm : 0, 0.1, 0.013 * (k / 2 + 1));
      for (int i = 0; i < 3.3 * frame_rates[r]; i++) {
        sinew_stage_update(w->stage, 1 / frame_rates[r]);
        ends += heard(w, "finish");
      }
      assert_int_equal(ends, 1);
      assert_false(sinew_action_is_valid(w->stage, wave));
    }
}

static void what_is_cut_off_does_not_finish(void **state) {
  world *w = *state;
  for (int r = 0; r < FRAME_RATES; r++) {
    play_loop(w, "Idle", 0, 0);
    play_once(w, "Wave", 0, 0.1, NAN);
    for (int i = 0; i < 2.7 * frame_rates[r]; i++) sinew_stage_update(w->stage, 1 / frame_rates[r]);
    play_loop(w, "Walk", 0, 0.5); /* over the last tenth of a second of the wave */
    for (int i = 0; i < frame_rates[r]; i++) {
      sinew_stage_update(w->stage, 1 / frame_rates[r]);
      assert_int_equal(heard(w, "finish"), 0);
    }
  }
}

/* ---- what it covered comes back ---- */

static void the_base_returns_to_what_it_covered(void **state) {
  world *w = *state;
  for (int r = 0; r < FRAME_RATES; r++) {
    begin_again(w);
    sinew_action idle = play_loop(w, "Idle", 0, 0);
    sinew_action wave = play_once(w, "Wave", 0, 0.2, 0.3);
    double length = 2.8;
    for (int i = 1; i < 4 * frame_rates[r]; i++) {
      sinew_stage_update(w->stage, 1 / frame_rates[r]);
      double t = i / frame_rates[r], in = fmin(t / 0.2, 1), out = fmax((t - (length - 0.3)) / 0.3, 0);
      double want = out > 0 ? 1 - fmin(out, 1) : in;
      assert_near(faded(w, wave), want, 1e-5);
      assert_near(faded(w, idle), 1 - want, 1e-5);
      assert_near(rest_of(w), 0, 1e-6);
    }
    assert_false(sinew_action_is_valid(w->stage, wave));
  }
}

/* The way out is as long as what the clip leaves for it: all of the clip is seen at least for a moment, and it is gone
 * as it ends. */
static void a_way_out_longer_than_the_clip_lets_it_be_seen(void **state) {
  world *w = *state;
  for (int r = 0; r < FRAME_RATES; r++) {
    begin_again(w);
    play_loop(w, "Idle", 0, 0);
    double rate = frame_rates[r], highest = 0, last = 1;
    sinew_action jump = play_once(w, "Jump", 0, 0.1, 60);
    double length = sinew_clip_duration(sinew_model_clip(w->model, hero_clip(w->model, "Jump")));
    int frames = 0;
    for (sinew_play_def s; sinew_action_read_state(w->stage, jump, &s) && frames < 10 * rate; frames++) {
      last = faded(w, jump);
      highest = fmax(highest, last);
      sinew_stage_update(w->stage, 1 / rate);
    }
    assert_near(frames / rate, length, 1.5 / rate);
    assert_true(highest > 1 - 1.5 / rate / (length - 0.1));
    assert_true(last < 2 / rate);
  }
}

/* One that is slowed down while it fades out stays, unseen, until its clip has ended: its end is heard. */
static void who_is_slowed_down_on_the_way_out_finishes(void **state) {
  world *w = *state;
  for (int r = 0; r < FRAME_RATES; r++) {
    int ends = 0;
    begin_again(w);
    play_loop(w, "Idle", 0, 0);
    sinew_action wave = play_once(w, "Wave", 0, 0.2, 0.3);
    for (int i = 0; i < 4 * frame_rates[r]; i++) {
      sinew_play_def s;
      if (i == (int)(2.6 * frame_rates[r]) && sinew_action_read_state(w->stage, wave, &s))
        s.speed = 0.25, sinew_action_set_state(w->stage, wave, &s);
      sinew_stage_update(w->stage, 1 / frame_rates[r]);
      ends += heard(w, "finish");
    }
    assert_int_equal(ends, 1);
    assert_false(sinew_action_is_valid(w->stage, wave));
  }
}

/* A second one takes the first one's place, and the same comes back; a loop ends them all. */
static void one_shots_take_turns(void **state) {
  world *w = *state;
  sinew_action idle = play_loop(w, "Idle", 0, 0), wave = play_once(w, "Wave", 0, 0.2, 0.3);
  for (int i = 0; i < 30; i++) sinew_stage_update(w->stage, 1.0 / 60);
  sinew_action jump = play_once(w, "Jump", 0, 0.2, 0.3);
  for (int i = 0; i < 30; i++) sinew_stage_update(w->stage, 1.0 / 60);
  assert_false(sinew_action_is_valid(w->stage, wave));
  assert_near(faded(w, jump), 1, 1e-6);
  assert_near(faded(w, idle), 0, 1e-6);
  sinew_action_stop(w->stage, jump, 0.1);
  for (int i = 0; i < 12; i++) sinew_stage_update(w->stage, 1.0 / 60);
  assert_near(faded(w, idle), 1, 1e-6);
  wave = play_once(w, "Wave", 0, 0.2, 0.3);
  sinew_action walk = play_loop(w, "Walk", 0, 0.2);
  for (int i = 0; i < 30; i++) sinew_stage_update(w->stage, 1.0 / 60);
  assert_false(sinew_action_is_valid(w->stage, idle) || sinew_action_is_valid(w->stage, wave));
  assert_near(faded(w, walk), 1, 1e-6);
}

static void a_frozen_one_moves_again_when_it_is_back(void **state) {
  world *w = *state;
  sinew_action idle = play_loop(w, "Idle", 0, 0);
  sinew_play_def def = def_of(w, "Wave", 0.2);
  def.loop = SINEW_LOOP_ONCE, def.fade_out = 0.3, def.kind = SINEW_TRANSITION_FROZEN;
  play(w, &def);
  for (int i = 0; i < 240; i++) sinew_stage_update(w->stage, 1.0 / 60);
  sinew_play_def s;
  assert_true(sinew_action_read_state(w->stage, idle, &s) && !s.paused && s.time > 0.5);
}

/* With nothing to come back to it holds its last moment, and its end is heard all the same. */
static void alone_it_holds_its_end(void **state) {
  world *w = *state;
  int ends = 0;
  sinew_action wave = play_once(w, "Wave", 0, 0.2, 0.3);
  for (int i = 0; i < 240; i++) {
    sinew_stage_update(w->stage, 1.0 / 60);
    ends += heard(w, "finish");
    assert_near(rest_of(w), 0, 1e-6);
  }
  assert_int_equal(ends, 1);
  assert_true(sinew_action_is_valid(w->stage, wave));
}

static void a_layer_returns_to_what_it_covered(void **state) {
  world *w = *state;
  int arm = sinew_actor_add_layer(w->stage, w->actor, "arm", &(sinew_layer_def){.weight = 1}, NULL);
  play_loop(w, "Walk", 0, 0);
  sinew_action aim = play_loop(w, "Point", arm, 0);
  play_once(w, "Wave", arm, 0.2, 0.3);
  for (int i = 0; i < 60; i++) sinew_stage_update(w->stage, 1.0 / 60);
  assert_near(faded(w, aim), 0, 1e-6);
  for (int i = 0; i < 180; i++) sinew_stage_update(w->stage, 1.0 / 60);
  assert_near(faded(w, aim), 1, 1e-6);
}

/* A one-shot that a script has silenced still covers the clip below it: whatever takes its place hands that on, or ends
 * it, and it never shows in between. */
static void what_a_silent_one_shot_covered_stays_covered(void **state) {
  world *w = *state;
  for (int k = 0; k < 2; k++) {
    begin_again(w);
    int arm = sinew_actor_add_layer(w->stage, w->actor, "arm", &(sinew_layer_def){.weight = 1}, NULL);
    sinew_action aim = play_loop(w, "Point", arm, 0), wave = play_once(w, "Wave", arm, 0.2, 0.3);
    for (int i = 0; i < 30; i++) sinew_stage_update(w->stage, 1.0 / 60);
    sinew_play_def s;
    assert_true(sinew_action_read_state(w->stage, wave, &s));
    s.weight = 0;
    sinew_action_set_state(w->stage, wave, &s);
    if (k) play_loop(w, "Idle", arm, 0.2);
    else play_once(w, "Wave", arm, 0.2, 0.3);
    assert_near(faded(w, aim), 0, 1e-6);
    for (int i = 0; i < 60; i++) {
      sinew_stage_update(w->stage, 1.0 / 60);
      assert_near(faded(w, aim), 0, 1e-6);
    }
    for (int i = 0; i < 180; i++) sinew_stage_update(w->stage, 1.0 / 60);
    assert_near(faded(w, aim), k ? 0 : 1, 1e-6);
  }
}

/* ---- the rest pose shows where it is asked for ---- */

static void the_first_play_shows_no_rest(void **state) {
  world *w = *state;
  for (int r = 0; r < FRAME_RATES; r++) {
    begin_again(w);
    play_loop(w, "Idle", 0, 0.2);
    for (int i = 0; i < 30; i++) {
      sinew_stage_update(w->stage, 1 / frame_rates[r]);
      assert_near(rest_of(w), 0, 1e-6);
    }
  }
}

/* Where the hand is in the first frame of a graph that is set with this fade. */
static sinew_vec3 first_hand(world *w, double fade) {
  begin_again(w);
  sinew_node_def node = sinew_node_def_default();
  sinew_graph_def def = sinew_graph_def_default();
  sinew_error error = {""};
  node.key = "walk", node.clip = hero_clip(w->model, "Walk");
  def.nodes = &node, def.node_count = 1;
  if (!sinew_actor_set_graph(w->stage, w->actor, 0, &def, fade, &error)) fail_msg("%s", error.message);
  sinew_stage_update(w->stage, 1.0 / 60);
  const float *m = sinew_actor_joints(w->stage, w->actor)[hero_joint(w->model, "RightHand")].m;
  return (sinew_vec3){m[3], m[7], m[11]};
}

static void the_first_graph_shows_no_rest(void **state) {
  sinew_vec3 at_once = first_hand(*state, 0), joined = first_hand(*state, 0.2);
  assert_near(joined.x, at_once.x, 1e-6);
  assert_near(joined.y, at_once.y, 1e-6);
  assert_near(joined.z, at_once.z, 1e-6);
}

static void a_light_clip_alone_is_all_there_is(void **state) {
  world *w = *state;
  sinew_play_def def = def_of(w, "Walk", 0);
  def.solo = false, def.weight = 0.05f;
  play(w, &def);
  sinew_stage_update(w->stage, 0.1);
  assert_near(rest_of(w), 0, 1e-6);
}

static double ease_of(sinew_ease kind, double t) {
  if (kind == SINEW_EASE_IN) return t * t;
  if (kind == SINEW_EASE_OUT) return 1 - (1 - t) * (1 - t);
  return kind == SINEW_EASE_IN_OUT ? t * t * (3 - 2 * t) : t;
}

/* And what is played next comes from there. */
static void a_stop_falls_as_its_ease_says(void **state) {
  world *w = *state;
  for (int r = 0; r < FRAME_RATES; r++)
    for (int k = 0; k < 4; k++) {
      begin_again(w);
      sinew_play_def def = def_of(w, "Idle", 0);
      def.ease = (sinew_ease)k;
      sinew_action idle = play(w, &def);
      sinew_stage_update(w->stage, 0);
      sinew_action_stop(w->stage, idle, 1);
      for (int i = 1; i <= 1.2 * frame_rates[r]; i++) {
        sinew_stage_update(w->stage, 1 / frame_rates[r]);
        assert_near(rest_of(w), ease_of(def.ease, fmin(i / frame_rates[r], 1)), 1e-4);
      }
      def.fade = 0.5;
      play(w, &def);
      for (int i = 1; i <= 0.7 * frame_rates[r]; i++) {
        sinew_stage_update(w->stage, 1 / frame_rates[r]);
        assert_near(rest_of(w), 1 - ease_of(def.ease, fmin(i / frame_rates[r] / 0.5, 1)), 1e-4);
      }
    }
}

static void a_second_stop_only_hastens(void **state) {
  world *w = *state;
  play_loop(w, "Idle", 0, 0);
  sinew_play_def def = def_of(w, "Walk", 0);
  def.solo = false;
  sinew_action walk = play(w, &def);
  sinew_action_stop(w->stage, walk, 0.5);
  sinew_stage_update(w->stage, 0.25);
  sinew_action_stop(w->stage, walk, 2);
  sinew_stage_update(w->stage, 0.2);
  assert_near(faded(w, walk), 0.1, 1e-6);
  sinew_action_stop(w->stage, walk, 0.01);
  sinew_stage_update(w->stage, 0.02);
  assert_false(sinew_action_is_valid(w->stage, walk));
}

/* ---- events ---- */

static void mark(world *w, const char *clip, double time, const char *name, bool sync) {
  sinew_marker m = {time, name, 0, sync, false};
  assert_true(sinew_stage_set_markers(w->stage, w->model, hero_clip(w->model, clip), &m, 1, NULL));
}

/* The run is gone before the frame is over, and its step fell before that: with what it still weighed. */
static void a_frame_longer_than_a_fade_hears_what_was_in_it(void **state) {
  world *w = *state;
  mark(w, "Run", 0.35, "step", false);
  play_loop(w, "Run", 0, 0);
  sinew_stage_update(w->stage, 0.3);
  play_loop(w, "Walk", 0, 0.1);
  sinew_stage_update(w->stage, 0.2);
  int count;
  const sinew_event *events = sinew_stage_events(w->stage, &count, NULL);
  assert_int_equal(heard(w, "step"), 1);
  for (int i = 0; i < count; i++)
    if (!strcmp(events[i].name, "step")) assert_near(events[i].weight, 0.5, 1e-4);
  play_loop(w, "Run", 0, 0); /* and none after its end */
  sinew_stage_update(w->stage, 0.2);
  play_loop(w, "Walk", 0, 0.1);
  sinew_stage_update(w->stage, 0.2);
  assert_int_equal(heard(w, "step"), 0);
}

/* Half a walk and half a run make a step with each foot, and not two. */
static void clips_in_sync_make_one_step(void **state) {
  world *w = *state;
  for (int r = 0; r < FRAME_RATES; r++) {
    begin_again(w);
    mark(w, "Walk", 0.05, "step", true), mark(w, "Run", 0.01, "step", true);
    sinew_play_def def = def_of(w, "Walk", 0);
    def.solo = false, def.weight = 0.5f, strcpy(def.sync_group, "legs");
    play(w, &def);
    def.clip = hero_clip(w->model, "Run");
    play(w, &def);
    int steps = 0;
    for (int i = 0; i < 10 * frame_rates[r]; i++) {
      int count;
      sinew_stage_update(w->stage, 1 / frame_rates[r]);
      const sinew_event *events = sinew_stage_events(w->stage, &count, NULL);
      for (int k = 0; k < count; k++) {
        if (strcmp(events[k].name, "step")) continue;
        assert_near(events[k].weight, 1, 1e-5);
        steps++;
      }
    }
    /* (1.4 · 0.933 + 4 · 0.667) / 5.4 = 0.736 s for each */
    assert_in_range(steps, 13, 14);
  }
}

/* More than there was room for at first: each of 5,000 actors is heard. */
static void every_actor_is_heard(void **state) {
  world *w = *state;
  enum { ACTORS = 5000 };
  mark(w, "Walk", 0, "step", false);
  sinew_play_def def = def_of(w, "Walk", 0);
  for (int i = 0; i < ACTORS; i++) {
    sinew_actor actor = sinew_actor_create(w->stage, "one", w->model, NULL);
    sinew_actor_set_visible(w->stage, actor, false);
    sinew_actor_set_skip_hidden(w->stage, actor, true);
    assert_int_not_equal(sinew_actor_play(w->stage, actor, &def, NULL).id, 0);
  }
  sinew_stage_update(w->stage, 0.01);
  assert_int_equal(heard(w, "step"), ACTORS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_WORLD(the_end_is_heard_once_whatever_it_weighs),
      WITH_WORLD(what_is_cut_off_does_not_finish),
      WITH_WORLD(the_base_returns_to_what_it_covered),
      WITH_WORLD(a_way_out_longer_than_the_clip_lets_it_be_seen),
      WITH_WORLD(who_is_slowed_down_on_the_way_out_finishes),
      WITH_WORLD(one_shots_take_turns),
      WITH_WORLD(a_frozen_one_moves_again_when_it_is_back),
      WITH_WORLD(alone_it_holds_its_end),
      WITH_WORLD(a_layer_returns_to_what_it_covered),
      WITH_WORLD(what_a_silent_one_shot_covered_stays_covered),
      WITH_WORLD(the_first_play_shows_no_rest),
      WITH_WORLD(the_first_graph_shows_no_rest),
      WITH_WORLD(a_light_clip_alone_is_all_there_is),
      WITH_WORLD(a_stop_falls_as_its_ease_says),
      WITH_WORLD(a_second_stop_only_hastens),
      WITH_WORLD(a_frame_longer_than_a_fade_hears_what_was_in_it),
      WITH_WORLD(clips_in_sync_make_one_step),
      WITH_WORLD(every_actor_is_heard),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
