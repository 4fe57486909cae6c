/* The same figure in metres, in centimetres, and three times as tall moves the same: whatever the runtime compares with
 * a length or a speed is one of the figure's own. */
#include "support/hero.h"

#include <sinew/actor_modifiers.h>
#include <sinew/graph.h>
#include <sinew/marks.h>
#include <sinew/metrics.h>
#include <sinew/motion.h>

enum { METRES, CENTIMETRES, TALL, UNITS };
static const float units[UNITS] = {1, 100, 3};
static const double rate = 60;

typedef struct pair {
  world w[UNITS];
} pair;

static void open_pair(pair *p, const char *file) {
  for (int u = 0; u < UNITS; u++) {
    char path[1024], extra[1024], moves[1024];
    sinew_load_options options = sinew_load_options_default();
    sinew_error error = {""};
    snprintf(path, sizeof path, "%s/assets/%s.glb", SINEW_SOURCE, file);
    snprintf(extra, sizeof extra, "%s/assets/hero_extra.glb", SINEW_SOURCE);
    snprintf(moves, sizeof moves, "%s/assets/hero_locomotion.glb", SINEW_SOURCE);
    options.unit = units[u];
    options.exact = true;
    options.clip_files = (const char *const[]){extra, moves};
    options.clip_file_count = strcmp(file, "hero") ? 0 : 2;
    sinew_model *model = sinew_model_load(path, &options, &error);
    if (!model) fail_msg("%s", error.message);
    world_open(p->w + u, model);
  }
}

static void close_pair(pair *p) {
  for (int u = 0; u < UNITS; u++) world_close(p->w + u);
}

static void play(const pair *p, const char *clip, double fade, sinew_transition_kind kind) {
  for (int u = 0; u < UNITS; u++) {
    const world *w = p->w + u;
    sinew_play_def def = sinew_play_def_default();
    def.clip = hero_clip(w->model, clip), def.fade = fade, def.kind = kind;
    assert_int_not_equal(sinew_actor_play(w->stage, w->actor, &def, NULL).id, 0);
  }
}

/* Where a joint is in the world, in metres. */
static sinew_vec3 place_of(const world *w, int unit, int joint) {
  sinew_transform t = sinew_actor_transform(w->stage, w->actor);
  sinew_mat3x4 at = sinew_mat3x4_from_transform(&t);
  const float *m = sinew_actor_joints(w->stage, w->actor)[joint].m;
  sinew_vec3 p = sinew_mat3x4_transform_point(&at, (sinew_vec3){m[3], m[7], m[11]});
  return (sinew_vec3){p.x / units[unit], p.y / units[unit], p.z / units[unit]};
}

/* In metres; what a unit rounds is far below a millimetre. */
static void expect_alike(const pair *p, const char *what, int frame) {
  for (int j = 0; j < sinew_model_joint_count(p->w->model); j++) {
    sinew_vec3 a = place_of(p->w, METRES, j), b = place_of(p->w + 1, CENTIMETRES, j);
    double apart = hypot(hypot((double)(a.x - b.x), (double)(a.y - b.y)), (double)(a.z - b.z));
    if (!(apart < 1e-3))
      fail_msg("%s, frame %d: %s is %.1f mm apart", what, frame, sinew_model_joint_name(p->w->model, j), 1000 * apart);
  }
}

/* `speed`: of the actor, metres a second along (x, z). */
static void watch(const pair *p, const char *what, double seconds, double x, double z) {
  for (int i = 0; i < seconds * rate; i++) {
    for (int u = 0; u < UNITS; u++) {
      const world *w = p->w + u;
      sinew_transform t = sinew_actor_transform(w->stage, w->actor);
      t.translation.x += units[u] * (float)(x / rate), t.translation.z += units[u] * (float)(z / rate);
      sinew_actor_set_transform(w->stage, w->actor, &t);
      sinew_stage_update(w->stage, 1 / rate);
    }
    expect_alike(p, what, i);
  }
}

static void transitions(void **state) {
  static const char *const files[] = {"hero", "hero", "fox", "fox"};
  static const char *const clips[][2] = {{"Run", "Idle"}, {"Walk", "Run"}, {"Gallop", "Idle"}, {"Idle", "Trot"}};
  (void)state;
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 8; k++) {
      pair p;
      open_pair(&p, files[i]);
      play(&p, clips[i][0], 0, SINEW_TRANSITION_CROSSFADE);
      watch(&p, "alone", 0.3 + 0.05 * k, 0, 0);
      play(&p, clips[i][1], 0.3, k % 2 ? SINEW_TRANSITION_INERTIAL : SINEW_TRANSITION_CROSSFADE);
      watch(&p, k % 2 ? "inertial" : "crossfade", 0.4, 0, 0);
      close_pair(&p);
    }
}

/* ---- in sync, warped, locked, on steps ---- */

static float steps(void *user, sinew_actor actor, int modifier, float x, float z, sinew_vec3 *normal) {
  float unit = *(const float *)user;
  (void)actor, (void)modifier, (void)x, (void)normal;
  return z > 0.5f * unit ? 0.12f * unit * floorf(z / unit / 0.6f) : 0;
}

static void give_modifiers(const pair *p, bool on_steps) {
  static const char *const names[] = {"Hips",       "LeftUpLeg", "LeftLeg",  "LeftFoot",
                                      "RightUpLeg", "RightLeg",  "RightFoot"};
  static float ground_units[UNITS] = {1, 100};
  for (int u = 0; u < UNITS; u++) {
    const world *w = p->w + u;
    int joints[7];
    for (int i = 0; i < 7; i++) joints[i] = hero_joint(w->model, names[i]);
    sinew_modifier_def defs[2] = {sinew_modifier_def_default(SINEW_MODIFIER_WARP),
                                  sinew_modifier_def_default(SINEW_MODIFIER_PLANT)};
    for (int i = 0; i < 2; i++) defs[i].joints = joints, defs[i].joint_count = 7;
    defs[0].name = "warp", defs[1].name = "plant";
    defs[1].lock = 0.15f * units[u], defs[1].max_shift = 0.3f * units[u];
    if (on_steps) defs[1].ground = steps, defs[1].ground_user = ground_units + u;
    sinew_error error = {""};
    if (!sinew_actor_set_modifiers(w->stage, w->actor, defs, 2, &error)) fail_msg("%s", error.message);
  }
}

/* Graph inputs are what a program asks for, in its own unit. */
static void give_plane(const pair *p) {
  static const char *const clips[] = {"Walk", "Run", "StrafeLeft", "StrafeRight", "WalkBack", "Idle"};
  static const double places[][2] = {{0, 1.4}, {0, 4}, {0.8, 0}, {-0.8, 0}, {0, -1}, {0, 0}};
  const char *params[] = {"x", "y"};
  for (int u = 0; u < UNITS; u++) {
    const world *w = p->w + u;
    sinew_node_def nodes[7];
    for (int i = 0; i < 7; i++) nodes[i] = sinew_node_def_default();
    nodes[0].kind = SINEW_NODE_SPACE_2D, nodes[0].first_child = 1, nodes[0].child_count = 6, nodes[0].sync = true;
    nodes[0].param_x = 0, nodes[0].param_y = 1;
    for (int i = 0; i < 6; i++) {
      nodes[1 + i].clip = hero_clip(w->model, clips[i]);
      nodes[1 + i].x = places[i][0], nodes[1 + i].y = places[i][1];
    }
    sinew_graph_def def = {nodes, 7, NULL, 0};
    assert_true(sinew_actor_set_params(w->stage, w->actor, params, NULL, 2, NULL));
    assert_true(sinew_actor_set_graph(w->stage, w->actor, 0, &def, 0, NULL));
  }
}

static void set_velocity(const pair *p, double x, double z) {
  for (int u = 0; u < UNITS; u++) {
    assert_true(sinew_actor_set_param(p->w[u].stage, p->w[u].actor, 0, x));
    assert_true(sinew_actor_set_param(p->w[u].stage, p->w[u].actor, 1, z));
  }
}

static void strides(void **state) {
  static const double ways[][2] = {{0, 1.4}, {0.4, 1.2}, {0.4, -0.3}, {0.05, 0.1}, {0, 3}};
  (void)state;
  for (int k = 0; k < 2; k++) {
    pair p;
    open_pair(&p, "hero");
    give_plane(&p), give_modifiers(&p, k);
    for (int i = 0; i < 5; i++) {
      set_velocity(&p, ways[i][0], ways[i][1]);
      watch(&p, k ? "on steps" : "on level ground", 1, 1.1 * ways[i][0], 1.1 * ways[i][1] + 0.05);
    }
    close_pair(&p);
  }
}

/* ---- by distance, and by the feet ---- */

static void give_clip(const pair *p, const char *clip, sinew_match match) {
  const char *params[] = {"left"};
  for (int u = 0; u < UNITS; u++) {
    const world *w = p->w + u;
    sinew_node_def node = sinew_node_def_default();
    node.clip = hero_clip(w->model, clip), node.match = match, node.match_param = 0;
    sinew_graph_def def = {&node, 1, NULL, 0};
    assert_true(sinew_actor_set_params(w->stage, w->actor, params, NULL, 1, NULL));
    assert_true(sinew_actor_set_graph(w->stage, w->actor, 0, &def, 0, NULL));
  }
}

static void starts_and_stops(void **state) {
  (void)state;
  pair p;
  open_pair(&p, "hero");
  give_clip(&p, "WalkStart", SINEW_MATCH_TRAVELLED);
  for (int i = 0; i < 60; i++) watch(&p, "start", 1 / rate, 0, 1.4 * i / 60);
  close_pair(&p);
  open_pair(&p, "hero");
  give_clip(&p, "WalkStop", SINEW_MATCH_TO_STOP);
  double left = 0.35, speed = 1.4;
  for (int i = 0; i < 60; i++) {
    for (int u = 0; u < UNITS; u++)
      assert_true(sinew_actor_set_param(p.w[u].stage, p.w[u].actor, 0, left * (double)units[u]));
    watch(&p, "stop", 1 / rate, 0, speed);
    left = fmax(left - speed / rate, 0), speed = sqrt(2 * 2.8 * left);
  }
  close_pair(&p);
}

/* Marks are in metres of the figure, and so is the threshold from which they count. */
static void expect_same_slides(const pair *p) {
  int count = sinew_actor_mark_count(p->w->stage, p->w->actor);
  assert_int_equal(sinew_actor_mark_count(p->w[1].stage, p->w[1].actor), count);
  for (int i = 0; i < count; i++) {
    sinew_mark marks[UNITS];
    for (int u = METRES; u <= CENTIMETRES; u++)
      assert_true(sinew_actor_mark(p->w[u].stage, p->w[u].actor, i, marks + u));
    assert_int_equal(marks[1].kind, marks[0].kind);
    assert_near((double)marks[1].size, (double)marks[0].size, 0.1 * (double)marks[0].size + 1e-3);
  }
}

static void surveys(void **state) {
  static const char *const clips[] = {"Walk", "RunRoot", "Idle", "Wave", "Turn90", "Breath", "WalkStop"};
  (void)state;
  pair p;
  open_pair(&p, "hero");
  for (int i = 0; i < 7; i++) {
    sinew_clip_survey found[UNITS];
    for (int u = 0; u < UNITS; u++) {
      const sinew_clip *clip = sinew_model_clip(p.w[u].model, hero_clip(p.w[u].model, clips[i]));
      assert_true(sinew_survey(&(sinew_survey_job){p.w[u].model, clip, found + u}));
    }
    assert_near((double)found[1].velocity.z / 100, (double)found[0].velocity.z, 1e-3);
    assert_near((double)found[1].slide / 100, (double)found[0].slide, 1e-3);
    assert_int_equal(found[1].on_the_spot, found[0].on_the_spot);
    assert_true(i > 1 || found[0].velocity.z > 1);
  }
  close_pair(&p);
}

static void roots_and_feet(void **state) {
  static const char *const clips[] = {"Walk", "Run", "RunRoot", "StrafeLeft", "Idle"};
  (void)state;
  for (int i = 0; i < 5; i++) {
    pair p;
    sinew_metrics found[UNITS];
    open_pair(&p, "hero");
    for (int u = 0; u < UNITS; u++) {
      const world *w = p.w + u;
      sinew_root_def def = sinew_root_def_default();
      sinew_metrics_def measure = sinew_metrics_def_default();
      def.joint = hero_joint(w->model, "Hips"), def.foot_count = 2;
      def.feet[0] = hero_joint(w->model, "LeftToeBase"), def.feet[1] = hero_joint(w->model, "RightToeBase");
      assert_true(sinew_actor_set_root(w->stage, w->actor, &def, NULL));
      measure.slide_threshold = 1e-3f;
      assert_true(sinew_actor_set_metrics(w->stage, w->actor, &measure, NULL));
    }
    play(&p, clips[i], 0, SINEW_TRANSITION_CROSSFADE);
    watch(&p, clips[i], 1, 0, 0);
    double gone = (double)sinew_actor_transform(p.w->stage, p.w->actor).translation.z;
    assert_true(i == 4 ? fabs(gone) < 0.01 : i == 3 || gone > 1);
    for (int u = 0; u < UNITS; u++) assert_true(sinew_actor_metrics(p.w[u].stage, p.w[u].actor, found + u));
    assert_true(i == 4 || found[0].slid > 1e-3);
    assert_near(found[1].slid / 100, found[0].slid, 0.1 * found[0].slid + 1e-3);
    for (int u = 0; u < UNITS; u++) assert_near(found[u].metre, u == CENTIMETRES ? 100 : 1, 1e-9);
    expect_same_slides(&p);
    close_pair(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(transitions), cmocka_unit_test(strides),
                                     cmocka_unit_test(starts_and_stops), cmocka_unit_test(roots_and_feet),
                                     cmocka_unit_test(surveys)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
