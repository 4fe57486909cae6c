/* Root motion through every kind of transition: how far the hero gets, and that its speed never leaps. */
#include "support/hero.h"

#include "pose/motion/root_motion.h"

#include <sinew/actor_modifiers.h>
#include <sinew/build.h>
#include <sinew/graph.h>

static int set_up(void **state) {
  static world w;
  world_open(&w, load_hero());
  *state = &w;
  return 0;
}

static void begin(world *w) {
  sinew_root_def def = sinew_root_def_default();
  world_close(w);
  world_open(w, load_hero());
  def.joint = hero_joint(w->model, "Root");
  assert_true(sinew_actor_set_root(w->stage, w->actor, &def, NULL));
}

static sinew_action play(world *w, const char *clip, double fade, sinew_transition_kind kind, sinew_ease ease) {
  sinew_play_def def = sinew_play_def_default();
  def.clip = hero_clip(w->model, clip), def.fade = fade, def.kind = kind, def.ease = ease;
  return sinew_actor_play(w->stage, w->actor, &def, NULL);
}

static double position(const world *w) { return sinew_actor_transform(w->stage, w->actor).translation.z; }

/* A run or a stand that becomes a walk: it goes on for a second before, and for one after. */
static double travel(world *w, const char *from, const char *to, double fade, sinew_transition_kind kind,
                     sinew_ease ease, double rate, double *leap) {
  begin(w);
  play(w, from, 0, SINEW_TRANSITION_CROSSFADE, SINEW_EASE_LINEAR);
  double frames = ceil(fade * rate), last = 0, at = 0;
  for (int i = 0; i < rate; i++)
    sinew_stage_update(w->stage, 1 / rate), last = i ? (position(w) - at) * rate : last, at = position(w);
  double start = at;
  play(w, to, fade, kind, ease);
  *leap = 0;
  for (int i = 0; i < frames; i++) {
    sinew_stage_update(w->stage, 1 / rate);
    double speed = (position(w) - at) * rate;
    *leap = fmax(*leap, fabs(speed - last));
    last = speed;
    at = position(w);
  }
  return at - start;
}

/* ∫ (1 − ease) is half of the fade for those that are the same from both ends, and 2/3, 1/3 for the others. */
static const double falling[] = {0.5, 2 / 3.0, 1 / 3.0, 0.5};

/* 4 m/s over 0.3 s: 0.6 m where it falls evenly, at any frame rate. */
static void a_fade_travels_what_its_weights_say(void **state) {
  world *w = *state;
  double leap;
  for (int r = 0; r < FRAME_RATES; r++)
    for (int k = 0; k < 4; k++) {
      double fade = ceil(0.3 * frame_rates[r]) / frame_rates[r];
      double way = travel(w, "RunRoot", "Idle", fade, SINEW_TRANSITION_CROSSFADE, k, frame_rates[r], &leap);
      assert_near(way, 4 * fade * falling[k], 0.002);
      way = travel(w, "RunRoot", "WalkRoot", fade, SINEW_TRANSITION_CROSSFADE, k, frame_rates[r], &leap);
      assert_near(way, 4 * fade * falling[k] + 1.4 * fade * (1 - falling[k]), 0.002);
    }
}

/* The picture that stands goes on as fast as it came, and fades with its weight. */
static void a_frozen_picture_coasts(void **state) {
  world *w = *state;
  double leap;
  for (int r = 0; r < FRAME_RATES; r++) {
    double fade = ceil(0.3 * frame_rates[r]) / frame_rates[r];
    double way = travel(w, "RunRoot", "WalkRoot", fade, SINEW_TRANSITION_FROZEN, 0, frame_rates[r], &leap);
    assert_near(way, (4 + 1.4) / 2 * fade, 0.01);
    assert_true(leap < 2.6 / (fade * frame_rates[r]) * 1.1 + 0.05);
  }
}

/* A clip that stands at first and runs later, frozen 2 ms after its begin, coasts as it began: not as its end runs. */
static void a_clip_that_had_only_begun_coasts_as_it_began(void **state) {
  world *w = *state;
  static const double times[] = {0, 1, 2};
  static const float late[] = {0, 0, 0, 0, 0, 0, 0, 0, 3}, never[9] = {0};
  sinew_joint_def joint = sinew_joint_def_default();
  sinew_curve_def curves[2] = {sinew_curve_def_default(), sinew_curve_def_default()};
  sinew_clip_def clips[2] = {{"late", &curves[0], 1}, {"never", &curves[1], 1}};
  sinew_model_def def = sinew_model_def_default();
  sinew_root_def root = sinew_root_def_default();
  joint.name = "Root";
  def.joints = &joint, def.joint_count = 1, def.clips = clips, def.clip_count = 2;
  for (int i = 0; i < 2; i++) curves[i].key_count = 3, curves[i].times = times, curves[i].values = i ? never : late;
  world_close(w);
  world_open(w, sinew_model_build(&def, NULL));
  root.joint = hero_joint(w->model, "Root");
  assert_true(sinew_actor_set_root(w->stage, w->actor, &root, NULL));
  play(w, "late", 0, SINEW_TRANSITION_CROSSFADE, SINEW_EASE_LINEAR);
  sinew_stage_update(w->stage, 0.002);
  play(w, "never", 0.3, SINEW_TRANSITION_FROZEN, SINEW_EASE_LINEAR);
  for (int i = 0; i < 30; i++) sinew_stage_update(w->stage, 0.01);
  assert_near(position(w), 0, 1e-4);
}

/* The difference of the speeds dies by the quintic, half of whose time it lasts: u d / 2. The steepest it gets is 1.9 u
 * / d. */
static void an_inertial_transition_carries_its_speed_on(void **state) {
  world *w = *state;
  double leap;
  for (int r = 0; r < FRAME_RATES; r++) {
    double fade = ceil(0.3 * frame_rates[r]) / frame_rates[r];
    double way = travel(w, "RunRoot", "Idle", fade, SINEW_TRANSITION_INERTIAL, 0, frame_rates[r], &leap);
    assert_near(way, 4 * fade / 2, 0.003);
    assert_true(leap < 4 * 2 / (fade * frame_rates[r]));
    way = travel(w, "Idle", "RunRoot", fade, SINEW_TRANSITION_INERTIAL, 0, frame_rates[r], &leap);
    assert_near(way, 4 * fade / 2, 0.003);
  }
}

/* Straight ahead and half a circle a second, half of each: an arc of a quarter circle, in steps of any length. */
static void ways_and_turns_blend_as_twists(void **state) {
  (void)state;
  static const double pi = 3.14159265358979323846;
  for (int steps = 2; steps <= 288; steps *= 12) {
    planar ahead = {0, 0, 1.0 / steps, 0}, turn = {0, 0, 0, pi / steps}, position = {0, 0, 0, 0};
    planar twist = planar_scale(planar_add(planar_log(ahead), planar_log(turn)), 0.5);
    for (int i = 0; i < steps; i++) position = planar_multiply(position, planar_exp(twist));
    assert_near(position.yaw, pi / 2, 1e-12);
    assert_near(position.x, 1 / pi, 1e-12); /* an arc 0.5 m long has a radius of 1/π */
    assert_near(position.z, 1 / pi, 1e-12);
  }
  planar any = {0.3, 0.1, -0.8, 2.5}, back = planar_exp(planar_log(any));
  assert_near(back.x, any.x, 1e-12);
  assert_near(back.z, any.z, 1e-12);
  assert_near(back.yaw, any.yaw, 1e-12);
}

/* A graph's transitions likewise. */
static void a_machines_fade_travels_what_its_weights_say(void **state) {
  world *w = *state;
  for (int r = 0; r < FRAME_RATES; r++)
    for (int kind = 0; kind < 3; kind++) {
      begin(w);
      double rate = frame_rates[r], fade = ceil(0.3 * rate) / rate;
      sinew_node_def nodes[3] = {sinew_node_def_default(), sinew_node_def_default(), sinew_node_def_default()};
      nodes[0].kind = SINEW_NODE_MACHINE, nodes[0].first_child = 1, nodes[0].child_count = 2;
      nodes[0].transition_count = 1;
      nodes[1].clip = hero_clip(w->model, "RunRoot"), nodes[2].clip = hero_clip(w->model, "WalkRoot");
      sinew_transition_def t = sinew_transition_def_default();
      t.from = 0, t.to = 1, t.event = "slow", t.fade = fade, t.kind = (sinew_transition_kind)kind;
      sinew_graph_def def = {nodes, 3, &t, 1};
      assert_true(sinew_actor_set_graph(w->stage, w->actor, 0, &def, 0, NULL));
      for (int i = 0; i < rate; i++) sinew_stage_update(w->stage, 1 / rate);
      double start = position(w);
      assert_true(sinew_actor_send(w->stage, w->actor, "slow"));
      for (int i = 0; i < fade * rate - 0.5; i++) sinew_stage_update(w->stage, 1 / rate);
      assert_near(position(w) - start, (4 + 1.4) / 2 * fade, 0.01);
    }
}

/* A transition at a time of its own begins in the middle of an update: what was travelled before it counts, too. */
static void a_transition_within_an_update_loses_no_way(void **state) {
  world *w = *state;
  static const double rates[] = {7, 10, 13, 24, 60, 144};
  for (size_t r = 0; r < sizeof rates / sizeof *rates; r++)
    for (int kind = 0; kind < 3; kind++) {
      begin(w);
      sinew_node_def nodes[3] = {sinew_node_def_default(), sinew_node_def_default(), sinew_node_def_default()};
      nodes[0].kind = SINEW_NODE_MACHINE, nodes[0].first_child = 1, nodes[0].child_count = 2;
      nodes[0].transition_count = 1;
      nodes[1].clip = hero_clip(w->model, "RunRoot"), nodes[2].clip = hero_clip(w->model, "WalkRoot");
      sinew_transition_def t = sinew_transition_def_default();
      t.from = 0, t.to = 1, t.before_end = 0.1, t.fade = 0.3, t.kind = (sinew_transition_kind)kind;
      sinew_graph_def def = {nodes, 3, &t, 1};
      assert_true(sinew_actor_set_graph(w->stage, w->actor, 0, &def, 0, NULL));
      double begins = sinew_clip_duration(sinew_model_clip(w->model, nodes[1].clip)) - t.before_end;
      for (int i = 0; i < 2 * rates[r]; i++) sinew_stage_update(w->stage, 1 / rates[r]);
      double wanted = 4 * begins + (4 + 1.4) / 2 * t.fade + 1.4 * (2 - begins - t.fade);
      assert_near(position(w), wanted, 0.03);
    }
}

/* Actions lie over the graph of the base layer: they cover min(1, Σ w) of its way. */
static void actions_over_a_graph_have_their_share_of_the_way(void **state) {
  world *w = *state;
  static const struct {
    float walk, run;
    double speed; /* over a graph that stands */
  } mixes[] = {{0.25f, 0, 0.25 * 1.4}, {0.25f, 0.5f, 0.25 * 1.4 + 0.5 * 4}, {0.75f, 0.75f, (1.4 + 4) / 2}};
  for (int r = 0; r < FRAME_RATES; r++)
    for (int i = 0; i < 3; i++)
      for (int moves = 0; moves < 2; moves++) {
        begin(w);
        sinew_node_def node = sinew_node_def_default();
        node.clip = hero_clip(w->model, moves ? "RunRoot" : "Idle");
        sinew_graph_def def = {&node, 1, NULL, 0};
        assert_true(sinew_actor_set_graph(w->stage, w->actor, 0, &def, 0, NULL));
        sinew_play_def mix = sinew_play_def_default();
        mix.fade = 0, mix.solo = false, mix.clip = hero_clip(w->model, "WalkRoot"), mix.weight = mixes[i].walk;
        assert_int_not_equal(sinew_actor_play(w->stage, w->actor, &mix, NULL).id, 0);
        mix.clip = hero_clip(w->model, "RunRoot"), mix.weight = mixes[i].run;
        assert_int_not_equal(sinew_actor_play(w->stage, w->actor, &mix, NULL).id, 0);
        for (int k = 0; k < frame_rates[r]; k++) sinew_stage_update(w->stage, 1 / frame_rates[r]);
        double under = 1 - fmin(mixes[i].walk + mixes[i].run, 1);
        assert_near(position(w), mixes[i].speed + (moves ? under * 4 : 0), 0.01);
      }
}

/* On the spot the feet say how fast the actor goes: evenly, as far as the travelling clip, with ankles alone. */
static void feet_carry_the_actor_evenly(void **state) {
  world *w = *state;
  static const struct {
    const char *clip;
    double speed;
  } gaits[] = {{"Walk", 1.4}, {"Run", 4}};
  for (int r = 0; r < FRAME_RATES; r++)
    for (int i = 0; i < 2; i++) {
      double rate = frame_rates[r], last = 0, slowest = INFINITY, fastest = 0;
      sinew_root_def def = sinew_root_def_default();
      world_close(w);
      world_open(w, load_hero());
      def.joint = hero_joint(w->model, "Root"), def.foot_count = 2;
      def.feet[0] = hero_joint(w->model, "LeftFoot"), def.feet[1] = hero_joint(w->model, "RightFoot");
      assert_true(sinew_actor_set_root(w->stage, w->actor, &def, NULL));
      play(w, gaits[i].clip, 0, SINEW_TRANSITION_CROSSFADE, SINEW_EASE_LINEAR);
      for (int k = 0; k < 10 * rate; k++) {
        sinew_stage_update(w->stage, 1 / rate);
        double speed = (position(w) - last) * rate;
        slowest = fmin(slowest, speed), fastest = fmax(fastest, speed);
        last = position(w);
      }
      assert_near(last / 10, gaits[i].speed, 0.01 * gaits[i].speed);
      assert_true(slowest > 0.92 * gaits[i].speed && fastest < 1.02 * gaits[i].speed);
    }
}

/* A gallop whose speed is not even, by its paws, becomes a walk: a second from the beginning of the fade on is as far
 * at any frame rate, though seams of both clips lie in it. */
static void a_fade_goes_as_far_at_any_frame_rate(void **state) {
  world *w = *state;
  static const char *const paws[] = {"LeftFrontPaw", "RightFrontPaw", "LeftHindPaw", "RightHindPaw"};
  static const double rates[] = {500, 30, 60, 144};
  double want = 0;
  for (int r = 0; r < 4; r++) {
    int begins = (int)rates[r];
    sinew_root_def def = sinew_root_def_default();
    world_close(w);
    world_open(w, sinew_model_load(SINEW_SOURCE "/assets/fox.glb", NULL, NULL));
    for (int i = 0; i < 4; i++) def.feet[i] = hero_joint(w->model, paws[i]);
    def.joint = hero_joint(w->model, "Root"), def.foot_count = 4;
    assert_true(sinew_actor_set_root(w->stage, w->actor, &def, NULL));
    play(w, "Gallop", 0, SINEW_TRANSITION_CROSSFADE, SINEW_EASE_LINEAR);
    for (int i = 0; i < begins; i++) sinew_stage_update(w->stage, 1 / rates[r]);
    double start = position(w);
    play(w, "Walk", 0.35, SINEW_TRANSITION_CROSSFADE, SINEW_EASE_IN_OUT);
    for (int i = 0; i < begins; i++) sinew_stage_update(w->stage, 1 / rates[r]);
    if (r == 0) want = position(w) - start;
    assert_near(position(w) - start, want, 2e-4);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_WORLD(a_fade_travels_what_its_weights_say),
      WITH_WORLD(a_frozen_picture_coasts),
      WITH_WORLD(a_clip_that_had_only_begun_coasts_as_it_began),
      WITH_WORLD(an_inertial_transition_carries_its_speed_on),
      cmocka_unit_test(ways_and_turns_blend_as_twists),
      WITH_WORLD(a_machines_fade_travels_what_its_weights_say),
      WITH_WORLD(a_transition_within_an_update_loses_no_way),
      WITH_WORLD(actions_over_a_graph_have_their_share_of_the_way),
      WITH_WORLD(feet_carry_the_actor_evenly),
      WITH_WORLD(a_fade_goes_as_far_at_any_frame_rate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
