/* Clips in sync on the hero: how long a stride takes, and how much the balls of the feet slide while the actor goes as
 * fast as its clips say. */
#include "support/hero.h"

#include <sinew/event.h>
#include <sinew/graph.h>

typedef struct sample {
  const char *clip;
  double x, y;
} sample;

static int set_up(void **state) {
  static world w;
  const char *names[] = {"x", "y"};
  world_open(&w, load_hero());
  *state = &w;
  return sinew_actor_set_params(w.stage, w.actor, names, NULL, 2, NULL) ? 0 : -1;
}

static void give_space(world *w, sinew_node_kind kind, const sample *samples, int count) {
  sinew_node_def nodes[8];
  sinew_error error = {""};
  nodes[0] = sinew_node_def_default();
  nodes[0].kind = kind, nodes[0].first_child = 1, nodes[0].child_count = count, nodes[0].sync = true;
  nodes[0].param_x = 0, nodes[0].param_y = 1;
  for (int i = 0; i < count; i++) {
    nodes[1 + i] = sinew_node_def_default();
    nodes[1 + i].clip = hero_clip(w->model, samples[i].clip);
    nodes[1 + i].x = samples[i].x, nodes[1 + i].y = samples[i].y;
  }
  sinew_graph_def def = {nodes, 1 + count, NULL, 0};
  if (!sinew_actor_set_graph(w->stage, w->actor, 0, &def, 0, &error)) fail_msg("%s", error.message);
}

/* ---- how long a stride takes ---- */

static bool looped(const world *w, const char *clip) {
  int count, index = hero_clip(w->model, clip);
  const sinew_event *events = sinew_stage_events(w->stage, &count, NULL);
  for (int i = 0; i < count; i++)
    if (events[i].kind == SINEW_EVENT_LOOP && events[i].clip == index) return true;
  return false;
}

/* The mean over ten of the clip's loops. */
static double stride_time(world *w, const char *clip, double rate) {
  int loops = -1, frames = 0;
  while (loops < 10 && frames < 12000) {
    sinew_stage_update(w->stage, 1 / rate);
    if (loops >= 0) frames++;
    if (looped(w, clip)) loops++;
  }
  return frames / rate / 10;
}

static const sample line[] = {{"Idle", 0, 0}, {"Walk", 1.4, 0}, {"Run", 4, 0}};

static void set_speed(world *w, double speed) { assert_true(sinew_actor_set_param(w->stage, w->actor, 0, speed)); }

/* Σ w v / Σ w v T: from the speeds and durations of the clips alone, apart from what the runtime measured. */
static double expected_stride(double speed) {
  const double walk = 28 / 30.0, run = 20 / 30.0;
  if (speed <= 1.4) return walk;
  double share = (speed - 1.4) / (4 - 1.4);
  return ((1 - share) * 1.4 * walk + share * 4 * run) / ((1 - share) * 1.4 + share * 4);
}

static void a_stride_takes_what_the_clips_that_travel_take(void **state) {
  world *w = *state;
  give_space(w, SINEW_NODE_SPACE_1D, line, 3);
  for (int r = 0; r < FRAME_RATES; r++) {
    double last = 10;
    for (double speed = 0.1; speed < 3.9; speed += 0.3) {
      set_speed(w, speed);
      double took = stride_time(w, "Walk", frame_rates[r]);
      assert_near(took, expected_stride(speed), 0.1 / frame_rates[r] + 0.002);
      assert_true(took < last + 0.003); /* never slower for being faster */
      last = took;
    }
  }
}

/* The same of a fox, whose legs nobody knows by name: its paws say how fast it goes. Half-way between walk and trot, in
 * an order of no meaning. */
static void a_fox_keeps_the_pace_of_its_paws(void **state) {
  world *w = *state;
  static const sample paces[] = {{"Gallop", 3.8, 0}, {"Idle", 0, 0}, {"Trot", 1.4, 0}, {"Walk", 0.65, 0}};
  const double speed = (0.65 + 1.4) / 2, sum = 0.65 / 2 + 1.4 / 2, stride = (0.65 / 2 * 0.8 + 1.4 / 2 * 16 / 30) / sum;
  const char *names[] = {"x", "y"};
  world_close(w);
  world_open(w, sinew_model_load(SINEW_SOURCE "/assets/fox.glb", NULL, NULL));
  assert_true(sinew_actor_set_params(w->stage, w->actor, names, NULL, 2, NULL));
  give_space(w, SINEW_NODE_SPACE_1D, paces, 4);
  for (int r = 0; r < FRAME_RATES; r++) {
    set_speed(w, speed);
    assert_near(stride_time(w, "Walk", frame_rates[r]), stride, 0.1 / frame_rates[r] + 0.003);
    set_speed(w, 0.2);
    assert_near(stride_time(w, "Walk", frame_rates[r]), 0.8, 0.1 / frame_rates[r] + 0.002);
  }
}

/* Idle breathes at its own pace, and a walk that nobody sees stands. */
static void a_clip_that_stands_goes_by_its_own_clock(void **state) {
  world *w = *state;
  give_space(w, SINEW_NODE_SPACE_1D, line, 3);
  for (int r = 0; r < FRAME_RATES; r++) {
    set_speed(w, 0.35);
    assert_near(stride_time(w, "Idle", frame_rates[r]), 6, 0.1 / frame_rates[r] + 0.002);
    set_speed(w, 0);
    assert_near(stride_time(w, "Idle", frame_rates[r]), 6, 0.1 / frame_rates[r] + 0.002);
    for (int i = 0; i < 400; i++) {
      sinew_stage_update(w->stage, 1 / frame_rates[r]);
      assert_false(looped(w, "Walk") || looped(w, "Run"));
    }
  }
}

/* ---- how much the feet slide ---- */

static sinew_vec3 ball_of(const world *w, const char *name) {
  const float *m = sinew_actor_joints(w->stage, w->actor)[hero_joint(w->model, name)].m;
  return (sinew_vec3){m[3], m[7], m[11]};
}

static int by_value(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

enum { MOST_FRAMES = 2000 };
static const char *const ball_names[2] = {"LeftToeBase", "RightToeBase"};

/* A ball is on the ground within this share of 1 cm of its lowest place; 30 ms at each end of a stance do not count. */
static const double touch = 0.01, trim = 0.03;

typedef struct watch {
  double height[MOST_FRAMES], speed[MOST_FRAMES];
} watch;

static bool stands_at(const watch *w, int i, int frames, double highest, int margin) {
  for (int k = i - margin - 1; k <= i + margin; k++)
    if (k < 0 || k >= frames || w->height[k] > highest) return false;
  return true;
}

/* The 95th percentile of how fast a ball on the ground goes over it while the actor travels with (x, z) and lifts its
 * feet by so much of what the clips lift them. */
static double slide(world *w, double x, double z, double rate, double share) {
  static watch feet[2];
  static double slides[2 * MOST_FRAMES];
  int frames = (int)(6 * rate), count = 0, margin = (int)ceil(trim * rate);
  sinew_vec3 before[2] = {ball_of(w, ball_names[0]), ball_of(w, ball_names[1])};
  for (int i = 0; i < frames; i++) {
    sinew_stage_update(w->stage, 1 / rate);
    for (int f = 0; f < 2; f++) {
      sinew_vec3 now = ball_of(w, ball_names[f]);
      feet[f].height[i] = now.y;
      feet[f].speed[i] = hypot((now.x - before[f].x) * rate + x, (now.z - before[f].z) * rate + z);
      before[f] = now;
    }
  }
  for (int f = 0; f < 2; f++) {
    double lowest = INFINITY;
    for (int i = 0; i < frames; i++) lowest = fmin(lowest, feet[f].height[i]);
    for (int i = 0; i < frames; i++)
      if (stands_at(feet + f, i, frames, lowest + touch * share, margin)) slides[count++] = feet[f].speed[i];
  }
  assert_true(count > frames / 20);
  qsort(slides, count, sizeof *slides, by_value);
  return slides[(int)(count * 0.95)];
}

/* At most what the clips do alone, and 2 % of the speed, though a run lifts its feet long before a walk does. */
static void feet_slide_no_more_than_those_of_the_clips(void **state) {
  world *w = *state;
  give_space(w, SINEW_NODE_SPACE_1D, line, 3);
  for (int r = 0; r < FRAME_RATES; r++) {
    set_speed(w, 1.4);
    double walk = slide(w, 0, 1.4, frame_rates[r], 1) / 1.4;
    set_speed(w, 4);
    double run = slide(w, 0, 4, frame_rates[r], 1) / 4;
    for (double speed = 0.25; speed < 4; speed += 0.25) {
      set_speed(w, speed);
      sinew_stage_update(w->stage, 0.1);
      double s = slide(w, 0, speed, frame_rates[r], fmin(speed / 1.4, 1)) / speed;
      if (s > fmax(walk, run) + 0.02) fail_msg("%g Hz, %g m/s: %g", frame_rates[r], speed, s);
    }
  }
}

/* Legs that are bent to where feet belong do not pull the hips down and let them go: these go up and down as in the
 * clips, whose speeds they lie between. */
static void hips_are_as_calm_as_in_the_clips(void **state) {
  world *w = *state;
  give_space(w, SINEW_NODE_SPACE_1D, line, 3);
  for (int r = 0; r < FRAME_RATES; r++)
    for (double speed = 0.5; speed <= 4; speed += 0.25) {
      double rate = frame_rates[r], before = 0, fastest = 0;
      set_speed(w, speed);
      for (int i = 0; i < 3 * rate; i++) {
        sinew_stage_update(w->stage, 1 / rate);
        double now = (double)ball_of(w, "Hips").y;
        if (i > rate) fastest = fmax(fastest, fabs(now - before) * rate);
        before = now;
      }
      assert_true(fastest < fmax(0.25, 0.7 * speed / 4 + 0.03)); /* m/s: 0.21 in the walk, 0.67 in the run */
    }
}

/* Clips stand where they travel. Where strides of two clips are not parallel no cadence lets both feet stand: their
 * ways are straightened. */
static bool reaches(double x, double z) { return fabs(x) / 0.8 + z / (z > 0 ? 4 : -1) < 1.001; }

/* Run alone has 0.7, 1.8 and 3 % at the three rates. */
static void expect_little_slide(world *w, double x, double z, double rate) {
  double speed = hypot(x, z);
  set_speed(w, x);
  assert_true(sinew_actor_set_param(w->stage, w->actor, 1, z));
  sinew_stage_update(w->stage, 0.1);
  double s = slide(w, x, z, rate, fmin(speed / 1.4, 1));
  if (s > fmax(0.028 * speed, 0.01)) fail_msg("%g Hz, %g, %g: %g m/s", rate, x, z, s);
}

static void feet_slide_little_in_a_plane(void **state) {
  world *w = *state;
  static const sample plane[] = {{"Idle", 0, 0},         {"Walk", 0, 1.4},         {"Run", 0, 4},
                                 {"StrafeLeft", 0.8, 0}, {"StrafeRight", -0.8, 0}, {"WalkBack", 0, -1}};
  give_space(w, SINEW_NODE_SPACE_2D, plane, 6);
  for (int r = 0; r < FRAME_RATES; r++)
    for (double x = -0.75; x < 0.8; x += 0.25)
      for (double z = -1; z < 4; z += 0.25)
        if (reaches(x, z) && (x != 0 || z != 0)) expect_little_slide(w, x, z, frame_rates[r]);
}

/* ---- marks ---- */

static void set_marks(world *w, const char *clip, const sinew_marker *marks, int count) {
  assert_true(sinew_stage_set_markers(w->stage, w->model, hero_clip(w->model, clip), marks, count, NULL));
}

static sinew_action play_in_step(world *w, const char *clip, float weight) {
  sinew_play_def def = sinew_play_def_default();
  def.clip = hero_clip(w->model, clip), def.fade = 0, def.weight = weight, def.solo = false,
  strcpy(def.sync_group, "legs");
  return sinew_actor_play(w->stage, w->actor, &def, NULL);
}

static double time_of(const world *w, sinew_action action) {
  sinew_play_def s;
  assert_true(sinew_action_read_state(w->stage, action, &s));
  return s.time;
}

static double apart(double a, double b, double whole) {
  double d = fmod(fabs(a - b), whole);
  return fmin(d, whole - d);
}

/* Only the walk has markers. The feet of the run are known, and meet those of the walk; where a clip's feet say nothing
 * it stands at the same share of its length, wherever the walk's first marker lies. */
static void markers_on_one_clip_shift_no_other(void **state) {
  world *w = *state;
  sinew_marker marks[] = {{0.12, "left", 0, true, false}, {0.5867, "right", 0, true, false}};
  set_marks(w, "Walk", marks, 2);
  sinew_action walk = play_in_step(w, "Walk", 0.5f), run = play_in_step(w, "Run", 0.5f);
  sinew_action back = play_in_step(w, "Breath", 0);
  for (int i = 0; i < 200; i++) {
    sinew_stage_update(w->stage, 1.0 / 60);
    double of_walk = (time_of(w, walk) - 0.12) / (28 / 30.0), of_run = (time_of(w, run) - 0.008) / (20 / 30.0);
    assert_true(apart(of_walk, of_run, 1) < 0.03);
  }
  sinew_action_stop(w->stage, back, 0);
}

/* Twice the cycle of a walk: the first half of the clip is one stride, the second another. */
static void a_clip_of_two_strides_meets_one_of_one(void **state) {
  world *w = *state;
  sinew_marker one[] = {{0.1, "left", 0, true, false}, {0.5, "right", 0, true, false}};
  sinew_marker two[] = {{0.05, "left", 0, true, false},
                        {0.2, "right", 0, true, false},
                        {0.4, "left", 0, true, false},
                        {0.55, "right", 0, true, false}};
  set_marks(w, "Walk", one, 2);
  set_marks(w, "Run", two, 4); /* 20 / 30 s long: strides of 0.35 s and 0.3167 s */
  sinew_action walk = play_in_step(w, "Walk", 1), run = play_in_step(w, "Run", 0);
  double seen[2] = {1, 1};
  for (int i = 0; i < 400; i++) {
    sinew_stage_update(w->stage, 1.0 / 144);
    double at = time_of(w, run);
    if (fabs(time_of(w, walk) - 0.3) < 0.004) { /* half-way from the left foot to the right */
      seen[0] = fmin(seen[0], fabs(at - 0.125));
      seen[1] = fmin(seen[1], fabs(at - 0.475));
      assert_true(fmin(fabs(at - 0.125), fabs(at - 0.475)) < 0.004);
    }
  }
  assert_true(seen[0] < 0.004 && seen[1] < 0.004); /* in turns */
}

/* Other marks are other phases: the clip that is seen most goes on from where it is. */
static void new_marks_move_nothing_that_is_seen(void **state) {
  world *w = *state;
  sinew_marker marks[] = {{0.3, "left", 0, true, false}, {0.4, "right", 0, true, false}};
  sinew_action walk = play_in_step(w, "Walk", 0.9f);
  play_in_step(w, "Run", 0.1f);
  for (int i = 0; i < 20; i++) sinew_stage_update(w->stage, 1.0 / 60);
  double before = time_of(w, walk);
  set_marks(w, "Walk", marks, 2);
  sinew_stage_update(w->stage, 0);
  assert_near(time_of(w, walk), before, 1e-6);
  set_marks(w, "Walk", NULL, 0);
  sinew_stage_update(w->stage, 0);
  assert_near(time_of(w, walk), before, 1e-6);
}

/* An arm that swings with a run over legs that walk follows their pace; and when the legs begin to run, too, no foot
 * jumps: the arm's clip had no say in when a leg lifts. */
static void a_layer_above_does_not_lead_the_legs(void **state) {
  world *w = *state;
  float mask[128] = {0};
  mask[hero_joint(w->model, "RightArm")] = 1;
  for (int r = 0; r < FRAME_RATES; r++) {
    double rate = frame_rates[r], fastest = 0;
    world_close(w), world_open(w, load_hero());
    sinew_layer_def layer = sinew_layer_def_default();
    layer.joint_weights = mask;
    int arm = sinew_actor_add_layer(w->stage, w->actor, "arm", &layer, NULL);
    assert_int_equal(arm, 1);
    sinew_action walk = play_in_step(w, "Walk", 1), run = play_in_step(w, "Run", 0);
    sinew_play_def def = sinew_play_def_default();
    def.clip = hero_clip(w->model, "Run"), def.layer = arm, strcpy(def.sync_group, "legs");
    assert_int_not_equal(sinew_actor_play(w->stage, w->actor, &def, NULL).id, 0);
    assert_near(stride_time(w, "Walk", rate), 28 / 30.0, 0.1 / rate + 0.002);
    sinew_vec3 before = ball_of(w, "LeftToeBase");
    for (int i = 0; i < rate; i++) {
      sinew_play_def state_of;
      assert_true(sinew_action_read_state(w->stage, run, &state_of));
      state_of.weight = (float)(i / rate);
      sinew_action_set_state(w->stage, run, &state_of);
      assert_true(sinew_action_read_state(w->stage, walk, &state_of));
      state_of.weight = 1 - (float)(i / rate);
      sinew_action_set_state(w->stage, walk, &state_of);
      sinew_stage_update(w->stage, 1 / rate);
      sinew_vec3 now = ball_of(w, "LeftToeBase");
      fastest = fmax(fastest, hypot((double)(now.z - before.z), (double)(now.y - before.y)) * rate);
      before = now;
    }
    if (fastest > 6.6) fail_msg("%g Hz: a foot goes %g m/s; it has 6.2 in the run", rate, fastest);
  }
}

/* Weights of earlier frames leave no trace. */
static void a_group_takes_the_pace_of_what_is_left(void **state) {
  world *w = *state;
  sinew_action walk = play_in_step(w, "Walk", 1), run = play_in_step(w, "Run", 1);
  for (int i = 0; i < 30; i++) sinew_stage_update(w->stage, 1.0 / 60);
  sinew_action_stop(w->stage, walk, 0);
  sinew_stage_update(w->stage, 0);
  double before = time_of(w, run);
  sinew_stage_update(w->stage, 0.05);
  assert_near(apart(time_of(w, run), before + 0.05, 20 / 30.0), 0, 1e-5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_WORLD(a_stride_takes_what_the_clips_that_travel_take),
      WITH_WORLD(a_fox_keeps_the_pace_of_its_paws),
      WITH_WORLD(a_clip_that_stands_goes_by_its_own_clock),
      WITH_WORLD(feet_slide_no_more_than_those_of_the_clips),
      WITH_WORLD(hips_are_as_calm_as_in_the_clips),
      WITH_WORLD(feet_slide_little_in_a_plane),
      WITH_WORLD(markers_on_one_clip_shift_no_other),
      WITH_WORLD(a_clip_of_two_strides_meets_one_of_one),
      WITH_WORLD(new_marks_move_nothing_that_is_seen),
      WITH_WORLD(a_layer_above_does_not_lead_the_legs),
      WITH_WORLD(a_group_takes_the_pace_of_what_is_left),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
