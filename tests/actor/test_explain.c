/* Why a joint is where it is: shares that make the pose, and moves that are those of the pose. */
#include "actor/cast.h"
#include "support/failing_heap.h"

#include <sinew/explain.h>
#include <sinew/graph.h>

#include <string.h>

enum { CAUSES = 256, JOINTS = 40 };

typedef struct scene {
  sinew_model *model;
  sinew_stage *stage;
  sinew_actor actor;
  double time; /* since the actor was made */
  sinew_cause causes[CAUSES];
  int count;
} scene;

static int set_up(void **state) {
  static scene s;
  random_seed(7);
  s.model = cast_model(JOINTS);
  s.stage = sinew_stage_create(NULL);
  s.actor = sinew_actor_create(s.stage, "hero", s.model, NULL);
  s.time = 0;
  *state = &s;
  return 0;
}

static int tear_down(void **state) {
  scene *s = *state;
  sinew_stage_destroy(s->stage);
  sinew_model_release(s->model);
  return 0;
}

static void update(scene *s, double dt) {
  sinew_stage_update(s->stage, dt);
  s->time += dt;
}

static void explain(scene *s, int joint) {
  sinew_error error = {""};
  s->count = sinew_actor_explain(s->stage, s->actor, joint, s->causes, CAUSES, &error);
  assert_string_equal(error.message, "");
  assert_in_range(s->count, 0, CAUSES);
}

static sinew_action play(scene *s, int clip, int layer, float weight) {
  sinew_play_def def = sinew_play_def_default();
  def.clip = clip, def.layer = layer, def.weight = weight, def.fade = 0, def.solo = false;
  sinew_action action = sinew_actor_play(s->stage, s->actor, &def, NULL);
  assert_int_not_equal(action.id, 0);
  return action;
}

static int joint_count(const scene *s) { return sinew_model_joint_count(s->model); }

static sinew_transform shown(const scene *s, int joint) {
  sinew_pose pose = sinew_actor_pose(s->stage, s->actor);
  return sinew_pose_joint(&pose, joint);
}

static bool is_clip(const sinew_cause *c) { return c->kind == SINEW_CAUSE_ACTION || c->kind == SINEW_CAUSE_NODE; }

static bool is_additive(const scene *s, const sinew_cause *c) {
  return sinew_actor_layer(s->stage, s->actor, c->layer).mode == SINEW_LAYER_ADDITIVE;
}

static sinew_vec3 place_at(const scene *s, int clip, double time, int joint) {
  sinew_transform t;
  sinew_sample_joint(&(sinew_sample_joint_job){s->model, sinew_model_clip(s->model, clip), time, joint, &t});
  return t.translation;
}

/* Where a cause's clip has the joint. Clips of graphs run at their own speed from the beginning on. */
static sinew_vec3 place_in(const scene *s, const sinew_cause *c, int joint) {
  sinew_play_def state = {.time = fmod(s->time, sinew_clip_duration(sinew_model_clip(s->model, c->clip)))};
  if (c->kind == SINEW_CAUSE_ACTION) assert_true(sinew_action_read_state(s->stage, c->action, &state));
  return place_at(s, c->clip, state.time, joint);
}

/* From where its layer counts it. */
static sinew_vec3 place_from(const scene *s, const sinew_cause *c, int joint) {
  sinew_reference r = sinew_actor_layer(s->stage, s->actor, c->layer).reference;
  if (r.kind == SINEW_REFERENCE_POSE) return sinew_pose_joint(&r.pose, joint).translation;
  if (r.kind == SINEW_REFERENCE_CLIP) return place_at(s, r.clip, r.time, joint);
  return place_at(s, c->clip, 0, joint);
}

static void expect_sum(const scene *s, int joint) {
  double sum[3] = {0}, covers = 0;
  for (int i = 0; i < s->count; i++) {
    const sinew_cause *c = s->causes + i;
    sinew_vec3 p = sinew_model_joint_rest(s->model, joint).translation, zero = {0, 0, 0};
    if (!is_clip(c) && c->kind != SINEW_CAUSE_REST) continue;
    if (is_clip(c)) p = place_in(s, c, joint);
    sinew_vec3 from = is_additive(s, c) ? place_from(s, c, joint) : zero;
    sum[0] += (double)c->weight * (p.x - from.x);
    sum[1] += (double)c->weight * (p.y - from.y);
    sum[2] += (double)c->weight * (p.z - from.z);
    if (!is_additive(s, c)) covers += (double)c->weight;
  }
  sinew_vec3 got = shown(s, joint).translation;
  assert_near(covers, 1, 1e-5);
  assert_near(sum[0], got.x, 2e-5);
  assert_near(sum[1], got.y, 2e-5);
  assert_near(sum[2], got.z, 2e-5);
}

static void add_random_layer(scene *s, int number) {
  char name[16];
  float mask[JOINTS + 1];
  sinew_layer_def def = sinew_layer_def_default();
  for (int i = 0; i <= JOINTS; i++) mask[i] = random_bits() % 3 ? random_range(0, 1) : 0;
  snprintf(name, sizeof name, "layer %d", number);
  def.mode = random_bits() % 3 ? SINEW_LAYER_OVERRIDE : SINEW_LAYER_ADDITIVE;
  def.weight = random_range(0, 1);
  def.joint_weights = random_bits() % 2 ? mask : NULL;
  def.reference.kind = (sinew_reference_kind)(random_bits() % 3);
  def.reference.clip = (int)(random_bits() % CAST_CLIPS);
  def.reference.time = (double)random_range(-0.1f, 1);
  def.reference.pose = sinew_actor_pose(s->stage, s->actor); /* of now */
  assert_int_equal(sinew_actor_add_layer(s->stage, s->actor, name, &def, NULL), number);
}

static void give_graph(scene *s, int layer) {
  sinew_node_def nodes[4];
  for (int i = 0; i < 4; i++) nodes[i] = sinew_node_def_default();
  nodes[0].kind = SINEW_NODE_BLEND, nodes[0].first_child = 1, nodes[0].child_count = 3;
  for (int i = 1; i < 4; i++) nodes[i].clip = (int)(random_bits() % CAST_CLIPS), nodes[i].x = random_range(0, 1);
  sinew_graph_def def = sinew_graph_def_default();
  def.nodes = nodes, def.node_count = 4;
  assert_true(sinew_actor_set_graph(s->stage, s->actor, layer, &def, 0, NULL));
}

/* ---- shares ---- */

static void the_shares_of_a_joint_make_its_place(void **state) {
  (void)state;
  for (int round = 0; round < 40; round++) {
    scene *s;
    void *made;
    set_up(&made);
    s = made;
    random_seed(100 + (uint32_t)round);
    for (int k = 0; k < 4; k++) {
      if (k > 0) add_random_layer(s, k);
      if (random_bits() % 2) give_graph(s, k);
      for (int i = (int)(random_bits() % 4); i > 0; i--)
        play(s, (int)(random_bits() % CAST_CLIPS), k, random_range(0, 0.8f));
    }
    for (int i = 0; i < 5; i++) update(s, (double)random_range(0, 0.2f));
    for (int j = 1; j < joint_count(s); j++) explain(s, j), expect_sum(s, j);
    tear_down(&made);
  }
}

/* From the definition in actor.h, in doubles. */
static double wanted_share(const scene *s, sinew_action one, int joint, const float *masks[], int layers) {
  double share = 0;
  for (int k = 0; k < layers; k++) {
    double sum = 0, mine = 0, all = 0;
    for (int i = 0; i < sinew_actor_action_count(s->stage, s->actor, k); i++) {
      sinew_action action = sinew_actor_action(s->stage, s->actor, k, i);
      sinew_play_def a;
      sinew_action_read_state(s->stage, action, &a);
      double faded = (double)sinew_action_strength(s->stage, action);
      all += faded;
      if (!sinew_clip_has_joint(sinew_model_clip(s->model, a.clip), joint)) continue;
      sum += faded;
      if (action.id == one.id) mine = faded;
    }
    double threshold = k == 0 ? 0.9999 * fmin(all, 1) : 1e-6, cover = 1;
    if (k > 0) cover = fmin(sum, 1) * (double)(sinew_actor_layer(s->stage, s->actor, k).weight * masks[k][joint]);
    share = share * (1 - cover) + mine / fmax(sum, threshold) * cover;
  }
  return share;
}

static void shares_are_those_of_the_definition(void **state) {
  scene *s = *state;
  float mask[3][JOINTS + 1];
  const float *masks[3];
  for (int k = 0; k < 3; k++) {
    masks[k] = mask[k];
    for (int j = 0; j <= JOINTS; j++) mask[k][j] = random_range(0, 1);
    sinew_layer_def def = {.mode = SINEW_LAYER_OVERRIDE, .weight = 0.7f, .joint_weights = mask[k]};
    if (k > 0) assert_int_equal(sinew_actor_add_layer(s->stage, s->actor, k == 1 ? "one" : "two", &def, NULL), k);
    for (int i = 0; i < 3; i++) play(s, (2 * k + i) % CAST_CLIPS, k, random_range(0, 0.6f));
  }
  update(s, 0.1);
  for (int j = 1; j < joint_count(s); j++) {
    explain(s, j);
    for (int i = 0; i < s->count; i++)
      if (s->causes[i].kind == SINEW_CAUSE_ACTION)
        assert_near(s->causes[i].weight, wanted_share(s, s->causes[i].action, j, masks, 3), 1e-5);
  }
}

static void without_its_heaviest_clip_a_joint_goes_where_the_shares_say(void **state) {
  scene *s = *state;
  for (int i = 0; i < 4; i++) play(s, i, 0, random_range(0.3f, 1));
  update(s, 0.2);
  int joint = 1;
  do explain(s, joint++);
  while (s->count < 3);
  joint--;
  const sinew_cause *heaviest = s->causes;
  for (int i = 1; i < s->count; i++)
    if (s->causes[i].weight > heaviest->weight) heaviest = s->causes + i;
  sinew_vec3 before = shown(s, joint).translation, its = place_in(s, heaviest, joint);
  double w = (double)heaviest->weight;
  sinew_action_stop(s->stage, heaviest->action, 0);
  update(s, 0);
  sinew_vec3 after = shown(s, joint).translation;
  assert_near(after.x, ((double)before.x - w * its.x) / (1 - w), 2e-5);
  assert_near(after.y, ((double)before.y - w * its.y) / (1 - w), 2e-5);
  assert_near(after.z, ((double)before.z - w * its.z) / (1 - w), 2e-5);
}

static double way_between(sinew_vec3 a, sinew_vec3 b) {
  return sqrt(pow((double)a.x - b.x, 2) + pow((double)a.y - b.y, 2) + pow((double)a.z - b.z, 2));
}

static double turn_between(sinew_quat a, sinew_quat b) {
  double dot = (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z + (double)a.w * b.w;
  return 2 * acos(fmin(fabs(dot), 1));
}

static void without_the_highest_layer_a_joint_moves_as_was_said(void **state) {
  scene *s = *state;
  play(s, 0, 0, 1);
  sinew_actor_add_layer(s->stage, s->actor, "over", NULL, NULL);
  play(s, 1, 1, 0.6f);
  update(s, 0.2);
  for (int j = 1; j < joint_count(s); j++) {
    explain(s, j);
    const sinew_cause *last = s->causes + s->count - 1;
    if (last->kind != SINEW_CAUSE_LAYER) continue;
    sinew_cause said = *last;
    sinew_transform with = shown(s, j);
    sinew_actor_set_layer_weight(s->stage, s->actor, 1, 0);
    update(s, 0);
    assert_near(way_between(with.translation, shown(s, j).translation), said.distance, 1e-5);
    assert_near(turn_between(with.rotation, shown(s, j).rotation), said.angle, 2e-3);
    sinew_actor_set_layer_weight(s->stage, s->actor, 1, 1);
    update(s, 0);
  }
}

static void a_clip_is_measured_from_the_rest_pose(void **state) {
  scene *s = *state;
  play(s, 2, 0, 1);
  update(s, 0.15);
  for (int j = 1; j < joint_count(s); j++) {
    explain(s, j);
    assert_int_equal(s->count, 1);
    assert_near(s->causes->distance,
                way_between(shown(s, j).translation, sinew_model_joint_rest(s->model, j).translation), 1e-5);
    assert_near(s->causes->angle, turn_between(shown(s, j).rotation, sinew_model_joint_rest(s->model, j).rotation),
                2e-3);
  }
}

static void a_joint_that_nothing_plays_rests(void **state) {
  scene *s = *state;
  update(s, 0.1);
  explain(s, 3);
  assert_int_equal(s->count, 1);
  assert_int_equal(s->causes->kind, SINEW_CAUSE_REST);
  assert_near(s->causes->weight, 1, 0);
  play(s, 0, 0, 1);
  sinew_actor_set_bind_pose(s->stage, s->actor, true);
  update(s, 0.1);
  explain(s, 3);
  assert_int_equal(s->causes->kind, SINEW_CAUSE_REST);
}

/* ---- inertia and modifiers ---- */

static sinew_transform in_model(const scene *s, sinew_actor actor, int joint) {
  return sinew_transform_from_mat3x4(sinew_actor_joints(s->stage, actor) + joint);
}

static void what_is_left_of_a_transition_is_said(void **state) {
  scene *s = *state;
  sinew_actor bare = sinew_actor_create(s->stage, "bare", s->model, NULL);
  sinew_play_def def = sinew_play_def_default();
  def.fade = 0;
  sinew_actor_play(s->stage, s->actor, &def, NULL);
  for (int i = 0; i < 3; i++) update(s, 0.02);
  def.clip = 1;
  sinew_actor_play(s->stage, bare, &def, NULL);
  def.fade = 0.5, def.kind = SINEW_TRANSITION_INERTIAL;
  sinew_actor_play(s->stage, s->actor, &def, NULL);
  for (int i = 0; i < 3; i++) update(s, 0.02);
  int found = 0;
  for (int j = 1; j < joint_count(s); j++) {
    explain(s, j);
    const sinew_cause *last = s->causes + s->count - 1;
    if (last->kind != SINEW_CAUSE_INERTIA) continue;
    sinew_vec3 with = in_model(s, s->actor, j).translation, without = in_model(s, bare, j).translation;
    assert_near(last->distance, way_between(with, without), 1e-4 * (1 + way_between(with, without)));
    found++;
  }
  assert_true(found > JOINTS / 4);
}

static int calls;

static void turn_joint(void *user, sinew_actor actor, int modifier, const sinew_posed *posed, float weight, double dt) {
  scene *s = user;
  sinew_error error = {""};
  (void)modifier, (void)weight, (void)dt;
  calls++;
  sinew_transform t = sinew_pose_joint(&posed->pose, 2);
  t.rotation = sinew_quat_multiply(t.rotation, sinew_quat_from_axis_angle((sinew_vec3){0, 1, 0}, 0.5f));
  sinew_pose_set_joint(&posed->pose, 2, &t);
  sinew_local_to_model(&(sinew_local_to_model_job){posed->model, posed->pose, posed->joints, 2});
  assert_int_equal(sinew_actor_explain(s->stage, actor, 1, NULL, 0, &error), -1);
  assert_non_null(strstr(error.message, "being updated"));
}

static int first_child_of(const scene *s, int joint) {
  for (int i = joint + 1; i < joint_count(s); i++)
    if (sinew_model_joint_parent(s->model, i) == joint) return i;
  return -1;
}

static void set_modifiers(scene *s) {
  static int turned[1] = {2}, sprung[2];
  sinew_modifier_def defs[3];
  defs[0] = sinew_modifier_def_default(SINEW_MODIFIER_SPRING);
  sprung[0] = 1, sprung[1] = 2;
  defs[0].name = "hair", defs[0].joints = sprung, defs[0].joint_count = 2;
  defs[1] = sinew_modifier_def_default(SINEW_MODIFIER_LIMIT);
  defs[1].name = "bend", defs[1].joints = turned, defs[1].joint_count = 1, defs[1].swing = 0.05f;
  defs[2] = sinew_modifier_def_default(SINEW_MODIFIER_FUNCTION);
  defs[2].name = "nod", defs[2].function = turn_joint, defs[2].user = s;
  assert_true(sinew_actor_set_modifiers(s->stage, s->actor, defs, 3, NULL));
}

static void modifiers_are_listed_in_order_and_what_is_said_of_the_last_is_what_it_does(void **state) {
  scene *s = *state;
  set_modifiers(s);
  play(s, 0, 0, 1);
  for (int i = 0; i < 4; i++) update(s, 0.03);
  explain(s, 2);
  const sinew_cause *last = s->causes + s->count - 1;
  assert_int_equal(last->kind, SINEW_CAUSE_MODIFIER);
  assert_int_equal(last->modifier, 2);
  assert_near(last->angle, 0.5, 1e-3);
  for (int i = 1, order = -1; i < s->count; i++) {
    if (s->causes[i].kind != SINEW_CAUSE_MODIFIER) continue;
    assert_true(s->causes[i].modifier > order);
    order = s->causes[i].modifier;
  }
  int child = first_child_of(s, 2);
  assert_true(child > 0);
  explain(s, child);
  double said = (double)s->causes[s->count - 1].distance;
  sinew_vec3 with = in_model(s, s->actor, child).translation;
  sinew_modifier_def off = {.weight = 0};
  sinew_actor_set_modifier_state(s->stage, s->actor, 2, &off);
  update(s, 0);
  assert_near(way_between(with, in_model(s, s->actor, child).translation), said, 1e-4);
}

static void asking_changes_nothing(void **state) {
  scene *s = *state;
  record quiet = {0}, asked = {0};
  sinew_actor other = sinew_actor_create(s->stage, "other", s->model, NULL), first = s->actor;
  for (int k = 0; k < 2; k++) {
    s->actor = k ? other : first;
    set_modifiers(s);
    play(s, 0, 0, 1);
  }
  for (int i = 0; i < 20; i++) {
    update(s, 0.02);
    explain(s, 1), explain(s, 2);
    size_t size = (size_t)joint_count(s) * sizeof(sinew_mat3x4);
    record_add(&quiet, sinew_actor_joints(s->stage, first), size);
    record_add(&asked, sinew_actor_joints(s->stage, other), size);
  }
  expect_same_record(&quiet, &asked);
}

/* ---- misuse ---- */

static void what_cannot_be_explained_says_why(void **state) {
  scene *s = *state;
  sinew_error error;
  play(s, 0, 0, 1);
  update(s, 0.1);
  assert_int_equal(sinew_actor_explain(s->stage, s->actor, -1, NULL, 0, &error), -1);
  assert_int_equal(sinew_actor_explain(s->stage, s->actor, joint_count(s), NULL, 0, &error), -1);
  assert_non_null(strstr(error.message, "no such joint"));
  assert_int_equal(sinew_actor_explain(s->stage, (sinew_actor){99}, 0, NULL, 0, &error), -1);
  assert_non_null(strstr(error.message, "gone"));
}

static void a_small_array_gets_the_first_causes(void **state) {
  scene *s = *state;
  for (int i = 0; i < 5; i++) play(s, i, 0, 0.5f);
  update(s, 0.1);
  int joint = 1;
  do explain(s, joint++);
  while (s->count < 3);
  sinew_cause two[2];
  assert_int_equal(sinew_actor_explain(s->stage, s->actor, joint - 1, two, 2, NULL), s->count);
  assert_memory_equal(two, s->causes, sizeof two);
}

static void out_of_memory_is_a_sentence(void **state) {
  (void)state;
  failing_heap heap = {.left = -1};
  failing_heap_install(&heap);
  void *made;
  set_up(&made);
  scene *s = made;
  set_modifiers(s);
  for (int i = 0; i < 5; i++) play(s, i, 0, 0.5f);
  update(s, 0.1);
  sinew_error error;
  int failures = 0;
  for (heap.left = 0; sinew_actor_explain(s->stage, s->actor, 2, NULL, 0, &error) < 0; heap.left = ++failures)
    assert_non_null(strstr(error.message, "memory"));
  assert_true(failures >= 2);
  heap.left = -1;
  tear_down(&made);
  assert_int_equal(heap.living, 0);
  sinew_set_allocator(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_shares_of_a_joint_make_its_place),
      cmocka_unit_test_setup_teardown(shares_are_those_of_the_definition, set_up, tear_down),
      cmocka_unit_test_setup_teardown(without_its_heaviest_clip_a_joint_goes_where_the_shares_say, set_up, tear_down),
      cmocka_unit_test_setup_teardown(without_the_highest_layer_a_joint_moves_as_was_said, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_clip_is_measured_from_the_rest_pose, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_joint_that_nothing_plays_rests, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_is_left_of_a_transition_is_said, set_up, tear_down),
      cmocka_unit_test_setup_teardown(modifiers_are_listed_in_order_and_what_is_said_of_the_last_is_what_it_does,
                                      set_up, tear_down),
      cmocka_unit_test_setup_teardown(asking_changes_nothing, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_cannot_be_explained_says_why, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_small_array_gets_the_first_causes, set_up, tear_down),
      cmocka_unit_test(out_of_memory_is_a_sentence),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
