/* A blend space whose parameter changes as fast as a motor's speed may: how much faster its joints are than those of
 * its clips and the distance between these, which the change covers, come to. */
#include "support/hero.h"

#include "actor/stage.h"

#include <sinew/graph.h>

enum { CLIPS = 3, JOINTS = 128, MOMENTS = 6 };
static const char *const clips[CLIPS] = {"Idle", "Walk", "Run"};
static const double speeds[CLIPS] = {0, 1.4, 4};

typedef struct places {
  sinew_vec3 at[JOINTS];
} places;

/* One that follows the parameter and, on a stage beside it, one for each clip. */
typedef struct cast {
  world w;
  sinew_stage *beside;
  sinew_actor alone[CLIPS];
  sinew_action actions[CLIPS];
  int count;
  double own[CLIPS][JOINTS]; /* m/s: the fastest that each joint is in each clip */
} cast;

static void open_cast(cast *c) {
  const char *name = "speed";
  sinew_node_def nodes[1 + CLIPS] = {sinew_node_def_default()};
  sinew_graph_def def = {nodes, 1 + CLIPS, NULL, 0};
  *c = (cast){.beside = sinew_stage_create(NULL)};
  world_open(&c->w, load_hero());
  c->count = sinew_model_joint_count(c->w.model);
  assert_true(c->count <= JOINTS);
  nodes[0].kind = SINEW_NODE_SPACE_1D, nodes[0].first_child = 1, nodes[0].child_count = CLIPS;
  nodes[0].sync = true, nodes[0].param_x = 0;
  for (int i = 0; i < CLIPS; i++) {
    sinew_play_def play = sinew_play_def_default();
    nodes[1 + i] = sinew_node_def_default();
    nodes[1 + i].clip = play.clip = hero_clip(c->w.model, clips[i]);
    nodes[1 + i].x = speeds[i];
    c->alone[i] = sinew_actor_create(c->beside, "alone", c->w.model, NULL);
    c->actions[i] = sinew_actor_play(c->beside, c->alone[i], &play, NULL);
  }
  assert_true(sinew_actor_set_params(c->w.stage, c->w.actor, &name, NULL, 1, NULL));
  assert_true(sinew_actor_set_graph(c->w.stage, c->w.actor, 0, &def, 0, NULL));
}

static void close_cast(cast *c) {
  sinew_stage_destroy(c->beside);
  world_close(&c->w);
}

static places take(const cast *c, const sinew_stage *stage, sinew_actor who) {
  places p = {0};
  const sinew_mat3x4 *joints = sinew_actor_joints(stage, who);
  for (int i = 0; i < c->count; i++) p.at[i] = (sinew_vec3){joints[i].m[3], joints[i].m[7], joints[i].m[11]};
  return p;
}

static double apart(sinew_vec3 a, sinew_vec3 b) {
  return sqrt(pow((double)(a.x - b.x), 2) + pow((double)(a.y - b.y), 2) + pow((double)(a.z - b.z), 2));
}

static void watch_own(cast *c, double rate) {
  places before[CLIPS];
  sinew_stage_update(c->beside, 0);
  for (int i = 0; i < CLIPS; i++) before[i] = take(c, c->beside, c->alone[i]);
  for (int k = 0; k < 2 * rate; k++) {
    sinew_stage_update(c->beside, 1 / rate);
    for (int i = 0; i < CLIPS; i++) {
      places now = take(c, c->beside, c->alone[i]);
      for (int j = 0; j < c->count; j++) c->own[i][j] = fmax(c->own[i][j], apart(now.at[j], before[i].at[j]) * rate);
      before[i] = now;
    }
  }
}

/* What is shown, and each clip alone at the time at which the blend space plays it. */
typedef struct moment {
  places shown, alone[CLIPS];
  double weight[CLIPS], rate[CLIPS];
} moment;

static moment look(const cast *c) {
  const actor *a = stage_find(c->w.stage, c->w.actor);
  moment m = {.shown = take(c, c->w.stage, c->w.actor)};
  assert_int_equal(a->instances.count, CLIPS);
  for (int i = 0; i < CLIPS; i++) {
    sinew_play_def state;
    m.weight[i] = (double)a->instances.items[i].weight;
    m.rate[i] = fabs(a->instances.items[i].rate);
    assert_true(sinew_action_read_state(c->beside, c->actions[i], &state));
    state.time = a->instances.items[i].time;
    sinew_action_set_state(c->beside, c->actions[i], &state);
  }
  sinew_stage_update(c->beside, 0);
  for (int i = 0; i < CLIPS; i++) m.alone[i] = take(c, c->beside, c->alone[i]);
  return m;
}

/* |d/dt Σ w p| is at most max v + |Σ w' p|. */
static double limit_of(const cast *c, const moment *before, const moment *now, int joint, double rate) {
  static const sinew_vec3 none = {0, 0, 0};
  double fastest = 0;
  sinew_vec3 way = none;
  for (int i = 0; i < CLIPS; i++) {
    float change = (float)((now->weight[i] - before->weight[i]) * rate);
    const sinew_vec3 *at = now->alone[i].at + joint;
    way = (sinew_vec3){way.x + change * at->x, way.y + change * at->y, way.z + change * at->z};
    if (now->weight[i] > 0 || before->weight[i] > 0) fastest = fmax(fastest, c->own[i][joint] * fmax(1, now->rate[i]));
  }
  return fastest + apart(way, none);
}

typedef struct change {
  double from, to, acceleration, most; /* most: times the limit */
} change;

static void expect_calm(cast *c, const change *move, int at, double rate) {
  double speed = move->from, step = (move->to > move->from ? 1 : -1) * move->acceleration / rate;
  assert_true(sinew_actor_set_param(c->w.stage, c->w.actor, 0, speed));
  for (int i = 0; i < (1.5 + (double)at / MOMENTS) * rate; i++) sinew_stage_update(c->w.stage, 1 / rate);
  moment before = look(c);
  for (int i = 0; i < 1.2 * rate; i++) {
    speed = step > 0 ? fmin(speed + step, move->to) : fmax(speed + step, move->to);
    assert_true(sinew_actor_set_param(c->w.stage, c->w.actor, 0, speed));
    sinew_stage_update(c->w.stage, 1 / rate);
    moment now = look(c);
    for (int j = 0; j < c->count; j++) {
      double went = apart(now.shown.at[j], before.shown.at[j]) * rate, limit = limit_of(c, &before, &now, j, rate);
      if (went > fmax(move->most * limit, 0.5))
        fail_msg("%g Hz, %g to %g m/s at %g m/s², moment %d: %s goes %.2f m/s, its clips and the distance %.2f", rate,
                 move->from, move->to, move->acceleration, at, sinew_model_joint_name(c->w.model, j), went, limit);
    }
    before = now;
  }
}

static void expect_all_calm(const change *moves, int count) {
  for (int r = 0; r < FRAME_RATES; r++)
    for (int i = 0; i < count; i++) {
      cast c;
      open_cast(&c);
      watch_own(&c, frame_rates[r]);
      for (int at = 0; at < MOMENTS; at++) expect_calm(&c, moves + i, at, frame_rates[r]);
      close_cast(&c);
    }
}

/* Legs of a walk and a run are down for different parts of a stride, so the faster the change is, the faster a leg has
 * to go from the one timing to the other. docs/blending.md tells the numbers. */
static void joints_are_as_fast_as_the_change_asks(void **state) {
  static const change moves[] = {{0, 4, 2, 1.1},   {0, 4, 4, 1.2},  {4, 0, 4, 1.1},  {0, 4, 9, 1.6},
                                 {1.4, 4, 9, 1.6}, {4, 0, 12, 1.6}, {0, 4, 16, 1.9}, {1.4, 4, 16, 1.9}};
  (void)state;
  expect_all_calm(moves, sizeof moves / sizeof *moves);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(joints_are_as_fast_as_the_change_asks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
