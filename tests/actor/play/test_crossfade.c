/* Transitions between clips that are out of step, on the hero, the fox and the rigs of others, from any moment of a
 * stride: no foot sinks into the ground, and no joint is faster than in the clips, but for the way that it has to go.
 */
#include "support/hero.h"

#include <sinew/actor_modifiers.h>
#include <sinew/graph.h>

#include <unistd.h>

enum { MOMENTS = 14, JOINTS = 128, KINDS = 3 };
enum { FADES, FROM, TO, WHO };

static const double fade_seconds = 0.3;

/* One that goes from a clip to another, and one for each that plays it alone. */
typedef struct cast {
  sinew_model *model;
  sinew_stage *stage;
  sinew_actor who[WHO];
  int count;
} cast;

static void open_cast(cast *c, sinew_model *model) {
  c->model = model;
  c->stage = sinew_stage_create(NULL);
  c->count = sinew_model_joint_count(c->model);
  assert_true(c->count <= JOINTS);
  for (int i = 0; i < WHO; i++) c->who[i] = sinew_actor_create(c->stage, "one", c->model, NULL);
}

/* Of clips that travel only what is left counts: they go on where they are. */
static void take_out_roots(const cast *c) {
  int roles[SINEW_ROLES];
  sinew_root_def def = sinew_root_def_default();
  assert_true(sinew_model_roles(c->model, roles));
  def.joint = roles[SINEW_ROLE_ROOT], def.axes = SINEW_ROOT_X | SINEW_ROOT_Z, def.apply = false;
  for (int i = 0; i < WHO; i++) assert_true(sinew_actor_set_root(c->stage, c->who[i], &def, NULL));
}

static void close_cast(cast *c) {
  sinew_stage_destroy(c->stage);
  sinew_model_release(c->model);
}

static void play_def(const cast *c, int who, const char *clip, sinew_play_def def) {
  def.clip = hero_clip(c->model, clip);
  assert_int_not_equal(sinew_actor_play(c->stage, c->who[who], &def, NULL).id, 0);
}

static void play_on(const cast *c, int who, int layer, const char *clip, double fade) {
  sinew_play_def def = sinew_play_def_default();
  def.fade = fade, def.layer = layer;
  play_def(c, who, clip, def);
}

static void play(const cast *c, int who, const char *clip, double fade) { play_on(c, who, 0, clip, fade); }

static void go_over(const cast *c, const char *clip, sinew_transition_kind kind) {
  sinew_play_def def = sinew_play_def_default();
  def.fade = fade_seconds, def.kind = kind;
  play_def(c, FADES, clip, def);
}

typedef struct places {
  sinew_vec3 at[JOINTS];
} places;

static places take(const cast *c, int who) {
  places p;
  const sinew_mat3x4 *joints = sinew_actor_joints(c->stage, c->who[who]);
  for (int i = 0; i < c->count; i++) p.at[i] = (sinew_vec3){joints[i].m[3], joints[i].m[7], joints[i].m[11]};
  return p;
}

static double distance(sinew_vec3 a, sinew_vec3 b) {
  return sqrt(pow((double)a.x - b.x, 2) + pow((double)a.y - b.y, 2) + pow((double)a.z - b.z, 2));
}

typedef struct change {
  const char *from, *to;
} change;

typedef struct rig {
  sinew_model *(*load)(void);
  const char *feet[4];
  int foot_count;
  double limit;     /* times what the clips and the way come to is as fast as a joint may be */
  const char *path; /* in place of `load` */
  bool travels;
  double unit; /* how many of the file's are a metre */
} rig;

static sinew_model *load_rig(const rig *r) {
  sinew_error error = {""};
  sinew_model *model = r->load ? r->load() : sinew_model_load(r->path, NULL, &error);
  if (!model) fail_msg("%s", error.message);
  return model;
}

static sinew_model *load_fox(void) { return sinew_model_load(SINEW_SOURCE "/assets/fox.glb", NULL, NULL); }

static const rig hero = {load_hero, {"LeftToeBase", "RightToeBase"}, 2, 1.03, NULL, false, 1};
#define PAWS                                                                                                           \
  { "LeftFrontPaw", "RightFrontPaw", "LeftHindPaw", "RightHindPaw" }
static const rig fox = {load_fox, PAWS, 4, 1.03, NULL, false, 1},
                 fox_in_gallop = {load_fox, PAWS, 4, 1.1, NULL, false, 1};

static double seconds_of(const cast *c, const char *clip) {
  return sinew_clip_duration(sinew_model_clip(c->model, hero_clip(c->model, clip)));
}

/* The fastest that each joint is in the clips, and the lowest that a foot is. */
static double watch_own(const rig *r, const change *move, double rate, double own[JOINTS]) {
  cast c;
  double lowest = 0;
  open_cast(&c, load_rig(r));
  if (r->travels) take_out_roots(&c);
  play(&c, FROM, move->from, 0), play(&c, TO, move->to, 0);
  double seconds = fmax(3, fmax(seconds_of(&c, move->from), seconds_of(&c, move->to)));
  sinew_stage_update(c.stage, 1 / rate);
  places before[WHO] = {take(&c, FADES), take(&c, FROM), take(&c, TO)};
  for (int i = 0; i < seconds * rate; i++) {
    sinew_stage_update(c.stage, 1 / rate);
    for (int k = FROM; k <= TO; k++) {
      places now = take(&c, k);
      for (int j = 0; j < c.count; j++) own[j] = fmax(own[j], distance(now.at[j], before[k].at[j]) * rate);
      for (int f = 0; f < r->foot_count; f++) lowest = fmin(lowest, (double)now.at[hero_joint(c.model, r->feet[f])].y);
      before[k] = now;
    }
  }
  close_cast(&c);
  return lowest;
}

/* Before the fade all but TO play the old clip. */
static void begin(cast *c, const rig *r, const change *move, double rate, int moment) {
  open_cast(c, load_rig(r));
  if (r->travels) take_out_roots(c);
  double length = seconds_of(c, move->from);
  play(c, FADES, move->from, 0), play(c, FROM, move->from, 0);
  for (int i = 0; i < (0.1 + length * moment / MOMENTS) * rate; i++) sinew_stage_update(c->stage, 1 / rate);
}

/* At which a joint has to go from the old motion to the new one, d metres away, in T seconds. In a crossfade its path
 * is the mean of theirs, at Σ w v + w' d: d / T is the least that takes it there. Frozen, the old one stands still. An
 * inertial transition begins and ends softly, at 1.875 d / T in the middle, and d is that of its beginning. */
static double speed_of_way(sinew_transition_kind kind, sinew_vec3 begun, sinew_vec3 from, sinew_vec3 to, double first) {
  if (kind == SINEW_TRANSITION_INERTIAL) return 1.875 * first / fade_seconds;
  return distance(kind == SINEW_TRANSITION_FROZEN ? begun : from, to) / fade_seconds;
}

static void expect_feet(const rig *r, const change *move, const cast *c, const places *now, double lowest) {
  for (int f = 0; f < r->foot_count; f++) {
    double height = (double)now->at[hero_joint(c->model, r->feet[f])].y;
    if (height < lowest - 1e-3 * r->unit)
      fail_msg("%s to %s: %s is %.1f cm lower than in the clips", move->from, move->to, r->feet[f],
               100 * (lowest - height) / r->unit);
  }
}

/* 5 cm/s are no matter, whatever the limit. */
static void expect_calm(const rig *r, const change *move, sinew_transition_kind kind, double rate, int moment,
                        const double own[JOINTS], double lowest) {
  cast c;
  double first[JOINTS] = {0};
  begin(&c, r, move, rate, moment);
  places begun = take(&c, FADES), before = begun;
  go_over(&c, move->to, kind), play(&c, TO, move->to, 0);
  for (int i = 0; i < (fade_seconds + 0.05) * rate; i++) {
    sinew_stage_update(c.stage, 1 / rate);
    places now = take(&c, FADES), from = take(&c, FROM), to = take(&c, TO);
    for (int j = 0; j < c.count; j++) {
      if (i == 0) first[j] = distance(begun.at[j], to.at[j]);
      double speed = distance(now.at[j], before.at[j]) * rate;
      double limit = own[j] + speed_of_way(kind, begun.at[j], from.at[j], to.at[j], first[j]);
      if (speed > r->limit * limit && (r->load || speed > 0.05 * r->unit))
        fail_msg("%g Hz, %s to %s by kind %d at %d: %s goes %.2f m/s; the clips and the way come to %.2f", rate,
                 move->from, move->to, (int)kind, moment, sinew_model_joint_name(c.model, j), speed, limit);
    }
    expect_feet(r, move, &c, &now, lowest);
    before = now;
  }
  close_cast(&c);
}

static void expect_all_calm(const rig *r, sinew_transition_kind kind, const change *moves, int count) {
  for (int k = 0; k < FRAME_RATES; k++)
    for (int i = 0; i < count; i++) {
      double own[JOINTS] = {0}, lowest = watch_own(r, moves + i, frame_rates[k], own);
      for (int moment = 0; moment < MOMENTS; moment++)
        expect_calm(r, moves + i, kind, frame_rates[k], moment, own, lowest);
    }
}

/* Feet used to go 7 cm into the ground. */
static void no_foot_sinks_and_no_joint_is_thrown(void **state) {
  static const change moves[] = {
      {"Run", "Idle"},  {"Run", "Walk"},      {"Walk", "Run"},  {"Idle", "Walk"},
      {"Idle", "Run"},  {"Walk", "WalkBack"}, {"Wave", "Walk"}, {"StrafeLeft", "StrafeRight"},
      {"Walk", "Walk"}, {"Run", "Run"}};
  (void)state;
  expect_all_calm(&hero, SINEW_TRANSITION_CROSSFADE, moves, sizeof moves / sizeof *moves);
  expect_all_calm(&hero, SINEW_TRANSITION_FROZEN, moves, sizeof moves / sizeof *moves);
}

/* In its gallop a pastern is half a turn away from the walk's. It used to blend to the other side in the middle of the
 * fade, at 4.8 times the clips' speed; across the rest pose it is at most 1.1 times as fast. */
static void nor_do_paws(void **state) {
  static const change out_of_gallop[] = {{"Gallop", "Walk"}, {"Gallop", "Trot"}};
  static const change moves[] = {{"Gallop", "Idle"}, {"Trot", "Walk"}, {"Idle", "Trot"}, {"Walk", "Gallop"},
                                 {"Trot", "Gallop"}, {"Walk", "Trot"}, {"Trot", "Idle"}, {"Idle", "Gallop"},
                                 {"Walk", "Idle"},   {"Idle", "Walk"}};
  (void)state;
  expect_all_calm(&fox, SINEW_TRANSITION_CROSSFADE, moves, sizeof moves / sizeof *moves);
  expect_all_calm(&fox_in_gallop, SINEW_TRANSITION_CROSSFADE, out_of_gallop,
                  sizeof out_of_gallop / sizeof *out_of_gallop);
  expect_all_calm(&fox, SINEW_TRANSITION_FROZEN, moves, sizeof moves / sizeof *moves);
}

/* ---- rigs that others made ---- */

#define SHARED SINEW_SOURCE "/../shared/models/"

typedef struct foreign {
  rig rig;
  double limits[KINDS]; /* of a crossfade, frozen, inertial */
  change moves[8];
  int move_count;
} foreign;

/* Recorded motion is keyed 30 times a second, and a knee that is nearly straight has a long way to its bend in little
 * time; the fox is animated by hand, with hocks that jump. */
static const foreign foreigners[] = {
    {{.path = SHARED "real/bench/pab.glb",
      .feet = {"LeftFootThumb1", "RightFootThumb1"},
      .foot_count = 2,
      .travels = true,
      .unit = 1},
     {1.3, 1.31, 1.36},
     {{"walk", "run"},
      {"run", "walk"},
      {"jog", "walk"},
      {"run", "run"},
      {"walk", "crossarms_sampled"},
      {"crossarms_sampled", "walk"},
      {"run", "crossarms_sampled"},
      {"walk", "walk"}},
     8},
    {{.path = SHARED "real/files/robot.glb", .feet = {"Foot.L", "Foot.R"}, .foot_count = 2, .unit = 1},
     {1.03, 1.03, 1.1},
     {{"Robot_Idle", "Robot_Walking"},
      {"Robot_Walking", "Robot_Idle"},
      {"Robot_Walking", "Robot_Running"},
      {"Robot_Running", "Robot_Walking"},
      {"Robot_Walking", "Robot_Walking"},
      {"Robot_Running", "Robot_Dance"},
      {"Robot_Dance", "Robot_Idle"}},
     7},
    {{.path = SHARED "files/Fox.glb", .feet = {"b_LeftFoot02_018", "b_RightFoot02_022"}, .foot_count = 2, .unit = 100},
     {1.36, 1.22, 1.45},
     {{"Survey", "Walk"}, {"Walk", "Survey"}, {"Walk", "Run"}, {"Run", "Walk"}, {"Run", "Survey"}, {"Run", "Run"}},
     6},
    {{.path = SHARED "files/greenman.glb", .unit = 1},
     {1.03, 1.02, 1.12},
     {{"1_idle", "2_move"},
      {"2_move", "3_attack"},
      {"3_attack", "1_idle"},
      {"2_move", "1_idle"},
      {"3_attack", "2_move"}},
     5},
};

static void nor_on_the_rigs_of_others(void **state) {
  (void)state;
  int found = 0;
  for (size_t i = 0; i < sizeof foreigners / sizeof *foreigners; i++) {
    const foreign *f = foreigners + i;
    if (access(f->rig.path, R_OK) != 0) continue;
    found++;
    for (int kind = 0; kind < KINDS; kind++) {
      rig r = f->rig;
      r.limit = f->limits[kind];
      expect_all_calm(&r, (sinew_transition_kind)kind, f->moves, f->move_count);
    }
  }
  if (found) return;
  print_message("skipped: there are no rigs of others in %s\n", SHARED);
  skip();
}

/* ---- other ways to go from one motion to another ---- */

/* The lowest that a ball comes within a second. */
static double watch_feet(const cast *c, double rate) {
  double lowest = 0;
  for (int i = 0; i < rate; i++) {
    sinew_stage_update(c->stage, 1 / rate);
    places now = take(c, FADES);
    for (int f = 0; f < 2; f++) lowest = fmin(lowest, (double)now.at[hero_joint(c->model, hero.feet[f])].y);
  }
  return lowest;
}

static void expect_feet_on_the_ground(const cast *c, double rate, int moment) {
  double lowest = watch_feet(c, rate);
  if (lowest < -0.005) fail_msg("%g Hz, moment %d: a ball is %.1f cm in the ground", rate, moment, -100 * lowest);
}

static const change walk_to_run = {"Walk", "Run"};

/* An action over a layer below it, and over a graph on its own. */
static void cover(const cast *c, bool graph) {
  sinew_layer_def layer = sinew_layer_def_default();
  sinew_node_def node = sinew_node_def_default();
  node.clip = hero_clip(c->model, "Walk");
  sinew_graph_def def = {&node, 1, NULL, 0};
  if (graph) assert_true(sinew_actor_set_graph(c->stage, c->who[FADES], 0, &def, 0, NULL));
  else assert_int_equal(sinew_actor_add_layer(c->stage, c->who[FADES], "whole", &layer, NULL), 1);
  play_on(c, FADES, graph ? 0 : 1, "Run", fade_seconds);
}

static void nor_under_what_covers_them(void **state) {
  (void)state;
  for (int r = 0; r < FRAME_RATES; r++)
    for (int i = 0; i < 2 * MOMENTS; i++) {
      cast c;
      begin(&c, &hero, &walk_to_run, frame_rates[r], i / 2);
      cover(&c, i % 2);
      expect_feet_on_the_ground(&c, frame_rates[r], i / 2);
      close_cast(&c);
    }
}

static void give_machine(const cast *c) {
  sinew_node_def nodes[3] = {sinew_node_def_default(), sinew_node_def_default(), sinew_node_def_default()};
  sinew_transition_def way = sinew_transition_def_default();
  nodes[0].kind = SINEW_NODE_MACHINE, nodes[0].first_child = 1, nodes[0].child_count = 2;
  nodes[0].transition_count = 1;
  nodes[1].key = "walk", nodes[1].clip = hero_clip(c->model, "Walk");
  nodes[2].key = "run", nodes[2].clip = hero_clip(c->model, "Run");
  way.from = 0, way.to = 1, way.event = "run", way.fade = fade_seconds;
  sinew_graph_def def = {nodes, 3, &way, 1};
  assert_true(sinew_actor_set_graph(c->stage, c->who[FADES], 0, &def, 0, NULL));
}

static void nor_from_a_state_to_another(void **state) {
  (void)state;
  for (int r = 0; r < FRAME_RATES; r++)
    for (int i = 0; i < MOMENTS; i++) {
      cast c;
      open_cast(&c, load_hero());
      give_machine(&c);
      for (int k = 0; k < (0.1 + 0.93 * i / MOMENTS) * frame_rates[r]; k++)
        sinew_stage_update(c.stage, 1 / frame_rates[r]);
      assert_true(sinew_actor_send(c.stage, c.who[FADES], "run"));
      expect_feet_on_the_ground(&c, frame_rates[r], i);
      close_cast(&c);
    }
}

/* ---- a mix ---- */

static void mix(const cast *c, const char *clip, double time) {
  sinew_play_def def = sinew_play_def_default();
  def.clip = hero_clip(c->model, clip), def.fade = 0, def.solo = false, def.weight = 0.5f, def.time = time;
  assert_int_not_equal(sinew_actor_play(c->stage, c->who[FADES], &def, NULL).id, 0);
}

/* A mix with the script's weights is the mean of its clips, and fades out as such; the next clip takes over without a
 * jump. */
static void a_mix_is_a_mean_and_goes_over_softly(void **state) {
  (void)state;
  cast c;
  open_cast(&c, load_hero());
  int ball = hero_joint(c.model, hero.feet[0]);
  double lowest = 0, at = 0;
  for (int i = 0; i < 20; i++) {
    mix(&c, "Walk", 0.3), mix(&c, "Run", i / 30.0);
    sinew_stage_update(c.stage, 0);
    double y = (double)take(&c, FADES).at[ball].y;
    if (y < lowest) lowest = y, at = i / 30.0;
    while (sinew_actor_action_count(c.stage, c.who[FADES], 0))
      sinew_action_stop(c.stage, sinew_actor_action(c.stage, c.who[FADES], 0, 0), 0);
  }
  assert_true(lowest < -0.02);
  mix(&c, "Walk", 0.3), mix(&c, "Run", at);
  sinew_stage_update(c.stage, 0);
  play(&c, FADES, "Idle", 0.3);
  sinew_stage_update(c.stage, 1e-5);
  assert_near((double)take(&c, FADES).at[ball].y, lowest, 1e-3);
  close_cast(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_foot_sinks_and_no_joint_is_thrown),
                                     cmocka_unit_test(nor_do_paws),
                                     cmocka_unit_test(nor_on_the_rigs_of_others),
                                     cmocka_unit_test(nor_under_what_covers_them),
                                     cmocka_unit_test(nor_from_a_state_to_another),
                                     cmocka_unit_test(a_mix_is_a_mean_and_goes_over_softly)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
