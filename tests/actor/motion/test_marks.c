/* Moments of measured actors, on motions and machines whose moments are known. */
#include "support/hero.h"
#include "support/rig.h"

#include <sinew/actor_modifiers.h>
#include <sinew/graph.h>
#include <sinew/marks.h>

static const double pi = 3.14159265358979323846;
static const double dt = 1.0 / 64;

enum { SHOULDER = 2, HAND = 3, FOOT = 4, SECONDS = 2 };

/* A shoulder that has turned by 0.5 in the second half, with a hand 2 m out that has turned by 0.7 in it; a foot that
 * goes 0.5 m a second along z on the ground for a second, then comes back through the air. */
static sinew_transform move(int joint, double t) {
  sinew_transform at = sinew_transform_identity();
  if (joint == 0) at.translation.y = 1;
  if (joint == 1 && t > 1) at.rotation = (sinew_quat){0, 0, (float)sin(0.25), (float)cos(0.25)};
  if (joint == 2) at.translation.x = 2;
  if (joint == 2 && t > 1) at.rotation = (sinew_quat){(float)sin(0.35), 0, 0, (float)cos(0.35)};
  if (joint == 3) {
    at.translation.y = t <= 1 ? -1 : (float)(-1 + 0.2 * sin(pi * (t - 1)));
    at.translation.z = (float)(t < 1 ? 0.5 * t : 0.5 * (2 - t));
  }
  return at;
}

static double metrics_metre(const world *w) {
  sinew_metrics metrics;
  assert_true(sinew_actor_metrics(w->stage, w->actor, &metrics));
  return metrics.metre;
}

static void open_world(world *w, int marks) {
  static const int foot = FOOT;
  const joint_desc joints[] = {{.name = "root", .parent = -1, .rest = move(0, 0)},
                               {.name = "Shoulder", .parent = 0, .rest = move(1, 0)},
                               {.name = "Hand", .parent = 1, .rest = move(2, 0)},
                               {.name = "LeftFoot", .parent = 0, .rest = move(3, 0)}};
  world_open(w, make_rig(joints, 4, move, SECONDS, 64 * SECONDS + 1));
  assert_int_equal(sinew_model_find_joint(w->model, "Shoulder"), SHOULDER);
  assert_int_equal(sinew_model_find_joint(w->model, "Hand") + sinew_model_find_joint(w->model, "LeftFoot"),
                   HAND + FOOT);
  int found = sinew_model_find_joint(w->model, "LeftFoot");
  sinew_metrics_def def = sinew_metrics_def_default();
  def.feet = found == FOOT ? &foot : &found, def.foot_count = 1, def.marks = marks;
  assert_true(sinew_actor_set_metrics(w->stage, w->actor, &def, NULL));
}

static void play(world *w, double speed, double time) {
  sinew_play_def def = sinew_play_def_default();
  def.speed = speed, def.time = time, def.fade = 0;
  assert_int_not_equal(sinew_actor_play(w->stage, w->actor, &def, NULL).id, 0);
}

static void run(world *w, double seconds) {
  for (int i = (int)lround(seconds / dt); i > 0; i--) sinew_stage_update(w->stage, dt);
}

static sinew_mark mark_of(const world *w, int index) {
  sinew_mark mark;
  if (!sinew_actor_mark(w->stage, w->actor, index, &mark)) fail_msg("there is no mark %d", index);
  return mark;
}

/* The shoulder is named, which carries the hand, though the hand turned more. */
static void a_cut_is_one_pop_of_the_joint_that_carries_most(void **state) {
  world w;
  sinew_metrics metrics;
  (void)state;
  open_world(&w, 16);
  play(&w, 0, 0.5);
  run(&w, 0.5);
  assert_int_equal(sinew_actor_mark_count(w.stage, w.actor), 0);
  play(&w, 0, 1.5);
  run(&w, 0.5);
  assert_int_equal(sinew_actor_mark_count(w.stage, w.actor), 1);
  sinew_mark pop = mark_of(&w, 0);
  assert_int_equal(pop.kind, SINEW_MARK_POP);
  assert_int_equal(pop.joint, SHOULDER);
  assert_near(pop.angle, 0.5, 1e-4);
  assert_near(pop.size, 2 * 2 * sin(0.25) / metrics_metre(&w), 1e-4); /* the hand, 2 m out, on a circle */
  assert_near(pop.begin, 0.5 + dt, 1e-6);
  assert_near(pop.end, 0.5 + dt, 1e-6);
  assert_int_equal(pop.cause, -1);
  assert_true(sinew_actor_metrics(w.stage, w.actor, &metrics));
  assert_near(metrics.turn, 0.7, 1e-4);
  assert_int_equal(metrics.turn_joint, sinew_model_find_joint(w.model, "Hand"));
  assert_int_equal(metrics.pop_joint, sinew_model_find_joint(w.model, "Hand"));
  assert_false(sinew_actor_mark(w.stage, w.actor, 1, &pop));
  assert_false(sinew_actor_mark(w.stage, w.actor, -1, &pop));
  world_close(&w);
}

/* Eight things in each of these frames. */
static void run_busy(world *w, int frames) {
  for (int i = 0; i < frames * 8; i++) {
    char always[] = "always (a:0)";
    always[10] = (char)('0' + i % 8);
    sinew_actor_note(w->stage, w->actor, SINEW_NOTE_POSE, always);
    if (i % 8 == 7) run(w, dt);
  }
}

/* Of what the caller does in the frame of a pop, the action that it began last is the cause, even if it repeats that in
 * every frame; actions before that frame are not. */
static void a_pop_names_what_the_caller_did(void **state) {
  (void)state;
  for (int wait = 0; wait < 10; wait += 9) {
    world w;
    open_world(&w, 16);
    sinew_actor_note(w.stage, w.actor, SINEW_NOTE_POSE, "first (a:8)");
    play(&w, 0, 0.5);
    run_busy(&w, 32);
    sinew_actor_note(w.stage, w.actor, SINEW_NOTE_POSE, "cut (a:9)");
    run_busy(&w, wait);
    play(&w, 0, 1.5);
    run_busy(&w, 32);
    assert_int_equal(sinew_actor_mark_count(w.stage, w.actor), 1);
    if (!wait) assert_string_equal(mark_of(&w, 0).text, "cut (a:9)");
    else assert_non_null(strstr(mark_of(&w, 0).text, "always"));
    assert_int_equal(mark_of(&w, 0).cause, -1);
    world_close(&w);
  }
}

/* Heel and toes leave the ground one after the other, and are one contact. */
static void toes_slide_with_their_foot(void **state) {
  static const char *const feet[] = {"LeftFoot", "LeftToeBase", "RightFoot", "RightToeBase"};
  double ends[2] = {0}, sum = 0;
  int joints[4];
  world w;
  sinew_metrics metrics;
  (void)state;
  world_open(&w, load_hero());
  for (int i = 0; i < 4; i++) joints[i] = sinew_model_find_joint(w.model, feet[i]);
  sinew_metrics_def def = sinew_metrics_def_default();
  assert_true(sinew_actor_set_metrics(w.stage, w.actor, &def, NULL));
  sinew_play_def walk = sinew_play_def_default();
  walk.clip = sinew_model_find_clip(w.model, "Walk");
  assert_int_not_equal(sinew_actor_play(w.stage, w.actor, &walk, NULL).id, 0);
  run(&w, 5);
  int count = sinew_actor_mark_count(w.stage, w.actor);
  for (int i = 0; i < count; i++) {
    sinew_mark slide = mark_of(&w, i);
    assert_int_equal(slide.kind, SINEW_MARK_SLIDE);
    assert_true(slide.joint == joints[0] || slide.joint == joints[2]);
    double *end = ends + (slide.joint == joints[2]);
    assert_true(slide.begin >= *end);
    *end = slide.end;
    sum += (double)slide.size;
  }
  assert_in_range(count, 10, 12); /* a stride takes 0.93 s */
  assert_true(sinew_actor_metrics(w.stage, w.actor, &metrics));
  assert_near(metrics.slid, sum, 1e-4);
  world_close(&w);
}

/* The clips jump under it by as much as without it. */
static void a_spring_is_never_the_cause(void **state) {
  (void)state;
  for (int weight = 0; weight <= 1; weight++) {
    world w;
    static const int joints[] = {SHOULDER};
    open_world(&w, 16);
    sinew_modifier_def def = sinew_modifier_def_default(SINEW_MODIFIER_SPRING);
    def.name = "swings", def.joints = joints, def.joint_count = 1, def.weight = (float)weight;
    assert_true(sinew_actor_set_modifiers(w.stage, w.actor, &def, 1, NULL));
    play(&w, 0, 0.5);
    run(&w, 0.5);
    play(&w, 0, 1.5);
    run(&w, 0.5);
    assert_int_equal(sinew_actor_mark_count(w.stage, w.actor), 1);
    assert_int_equal(mark_of(&w, 0).joint, SHOULDER);
    assert_near(mark_of(&w, 0).angle, 0.5, 1e-3);
    world_close(&w);
  }
}

/* Its shoulder turns by half a radian between two key frames, and turns back where the loop begins again. */
static void a_clip_by_itself_pops_at_its_seam_only(void **state) {
  world w;
  (void)state;
  open_world(&w, 16);
  play(&w, 1, 0.1);
  run(&w, 5);
  int pops = 0;
  for (int i = 0; i < sinew_actor_mark_count(w.stage, w.actor); i++) {
    if (mark_of(&w, i).kind == SINEW_MARK_SLIDE) continue;
    assert_int_equal(mark_of(&w, i).kind, SINEW_MARK_POP);
    assert_int_equal(mark_of(&w, i).clip, 0);
    assert_near(mark_of(&w, i).angle, 0.5, 1e-3);
    pops++;
  }
  assert_int_equal(pops, 2);
  world_close(&w);
}

static void each_contact_has_the_metres_that_it_slid(void **state) {
  world w;
  sinew_metrics metrics;
  (void)state;
  open_world(&w, 16);
  play(&w, 1, 0);
  run(&w, 3.5);
  assert_int_equal(sinew_actor_mark_count(w.stage, w.actor), 3);
  sinew_mark whole = mark_of(&w, 0), begun = mark_of(&w, 2);
  assert_int_equal(mark_of(&w, 1).kind, SINEW_MARK_POP); /* the seam */
  assert_int_equal(whole.kind, SINEW_MARK_SLIDE);
  assert_near(whole.size, 0.5, 0.02); /* up to where it is 2 cm above the ground */
  assert_near(whole.end, 1, 0.05);
  assert_near(begun.begin, 2, 0.05);
  assert_near(begun.end, 3 + 2 * dt, 0.05);
  assert_true(sinew_actor_metrics(w.stage, w.actor, &metrics));
  assert_near(metrics.slid, (double)whole.size + (double)begun.size, 1e-5);
  run(&w, 0.75);                                                 /* it stands again, and has slid 0.125 m so far */
  assert_int_equal(sinew_actor_mark_count(w.stage, w.actor), 5); /* with the seam at 4 s */
  assert_near(mark_of(&w, 4).end, 4.25, 1e-6);
  assert_near(mark_of(&w, 4).size, 0.125, 0.03);
  world_close(&w);
}

static void what_does_not_fit_is_counted(void **state) {
  world w;
  sinew_metrics metrics;
  (void)state;
  open_world(&w, 3);
  for (int i = 0; i < 10; i++) {
    play(&w, 0, i % 2 ? 1.5 : 0.5);
    run(&w, 0.5);
  }
  assert_int_equal(sinew_actor_mark_count(w.stage, w.actor), 3);
  assert_true(sinew_actor_metrics(w.stage, w.actor, &metrics));
  assert_int_equal(metrics.lost_marks, 6);
  world_close(&w);
}

/* ---- machines ---- */

static bool fast;

static bool is_fast(void *user, sinew_actor actor, int64_t condition) {
  (void)user, (void)actor;
  return condition == 7 && fast;
}

static void assert_mark(const world *w, int index, sinew_mark_kind kind, int transition, int refusal) {
  sinew_mark mark = mark_of(w, index);
  if (mark.kind == kind && mark.transition == transition && (int)mark.refusal == refusal) return;
  fail_msg("mark %d is kind %d, transition %d, refusal %d", index, mark.kind, mark.transition, mark.refusal);
}

/* Idle goes to Run by a condition, to Wave by an event; Wave goes back before its end, locked while it begins. */
static void transitions_and_why_they_were_not_taken(void **state) {
  world w;
  (void)state;
  world_open(&w, load_hero());
  sinew_node_def nodes[4];
  for (int i = 0; i < 4; i++) nodes[i] = sinew_node_def_default();
  nodes[0].kind = SINEW_NODE_MACHINE, nodes[0].first_child = 1, nodes[0].child_count = 3, nodes[0].transition_count = 3;
  nodes[1].clip = hero_clip(w.model, "Idle");
  nodes[2].clip = hero_clip(w.model, "Run");
  nodes[3].clip = hero_clip(w.model, "Wave"), nodes[3].loop = SINEW_LOOP_ONCE;
  sinew_transition_def ways[3];
  for (int i = 0; i < 3; i++) ways[i] = sinew_transition_def_default();
  ways[0].from = 0, ways[0].to = 1, ways[0].condition = 7, ways[0].fade = 0;
  ways[1].from = 0, ways[1].to = 2, ways[1].event = "wave", ways[1].locked = true;
  ways[2].from = 2, ways[2].to = 0, ways[2].before_end = 0.25;
  sinew_graph_def def = {nodes, 4, ways, 3};
  assert_true(sinew_actor_set_graph(w.stage, w.actor, 0, &def, 0, NULL));
  sinew_stage_set_conditions(w.stage, is_fast, NULL);
  sinew_metrics_def measured = sinew_metrics_def_default();
  measured.turn_threshold = 0.2f; /* the pop of a cut */
  assert_true(sinew_actor_set_metrics(w.stage, w.actor, &measured, NULL));
  run(&w, 0.5);
  assert_mark(&w, 0, SINEW_MARK_REFUSAL, 0, SINEW_REFUSAL_CONDITION);
  assert_mark(&w, 1, SINEW_MARK_REFUSAL, 1, SINEW_REFUSAL_EVENT);
  assert_int_equal(sinew_actor_mark_count(w.stage, w.actor), 2); /* nothing has changed since */
  sinew_actor_send(w.stage, w.actor, "wave");
  run(&w, 0.5);
  assert_mark(&w, 2, SINEW_MARK_TRANSITION, 1, SINEW_REFUSAL_NONE);
  assert_near(mark_of(&w, 2).begin, 0.5, 1e-9);
  assert_int_equal(mark_of(&w, 2).from, 0);
  assert_int_equal(mark_of(&w, 2).to, 2);
  assert_mark(&w, 3, SINEW_MARK_REFUSAL, 2, SINEW_REFUSAL_LOCKED);
  assert_mark(&w, 4, SINEW_MARK_REFUSAL, 2, SINEW_REFUSAL_TIME);
  double length = sinew_clip_duration(sinew_model_clip(w.model, nodes[3].clip));
  sinew_mark late = mark_of(&w, 4);
  assert_near(late.left, length - (late.begin - 0.5), 2 * dt); /* it fades for 0.2 s, and then has so much left */
  run(&w, length - 0.5);
  int count = sinew_actor_mark_count(w.stage, w.actor);
  assert_mark(&w, 5, SINEW_MARK_TRANSITION, 2, SINEW_REFUSAL_NONE);
  fast = true;
  run(&w, 0.25);
  assert_mark(&w, count, SINEW_MARK_TRANSITION, 0, SINEW_REFUSAL_NONE);
  sinew_mark pop = mark_of(&w, count + 1); /* without a fade from Idle to Run */
  assert_int_equal(pop.kind, SINEW_MARK_POP);
  assert_int_equal(pop.cause, count);
  world_close(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cut_is_one_pop_of_the_joint_that_carries_most),
      cmocka_unit_test(a_pop_names_what_the_caller_did),
      cmocka_unit_test(toes_slide_with_their_foot),
      cmocka_unit_test(a_spring_is_never_the_cause),
      cmocka_unit_test(a_clip_by_itself_pops_at_its_seam_only),
      cmocka_unit_test(each_contact_has_the_metres_that_it_slid),
      cmocka_unit_test(what_does_not_fit_is_counted),
      cmocka_unit_test(transitions_and_why_they_were_not_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
