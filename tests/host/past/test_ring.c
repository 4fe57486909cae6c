/* The ring of the last minute: what a moment keeps, how it is found, and how many bytes all moments take. */
#include "host_fixture.h"

#include "host/past/ring.h"

#include <sinew/crowd.h>
#include <sinew/graph.h>

#include <math.h>

static sinew_model *load(void) {
  sinew_error error = {{0}};
  sinew_model *model = sinew_model_load(SINEW_SOURCE "/assets/hero.glb", NULL, &error);
  if (!model) fail_msg("%s", error.message);
  return model;
}

/* ---- clips ---- */

enum { PLAYED = RING_CLIPS + 4 };

static int heavier_first(const void *a, const void *b) {
  const sinew_playing *p = a, *q = b;
  return (p->normalized_weight < q->normalized_weight) - (p->normalized_weight > q->normalized_weight);
}

/* Whatever the order in which they were played, and on whichever layer. */
static void a_moment_has_the_heaviest_clips_first(void **state) {
  (void)state;
  sinew_model *model = load();
  for (int step = 1; step < PLAYED; step += 2) {
    sinew_stage *stage = sinew_stage_create(NULL);
    sinew_actor actor = sinew_actor_create(stage, "hero", model, NULL);
    sinew_playing playing[PLAYED];
    sinew_action actions[PLAYED];
    sinew_layer_def layer = sinew_layer_def_default();
    int top = sinew_actor_add_layer(stage, actor, "top", &layer, NULL);
    assert_true(top > 0);
    for (int i = 0; i < PLAYED; i++) {
      sinew_play_def def = sinew_play_def_default();
      def.clip = i % 6, def.fade = 0, def.solo = false;
      def.layer = i % 3 == 0 ? top : 0;
      def.weight = 1 + (float)(i * step % PLAYED);
      actions[i] = sinew_actor_play(stage, actor, &def, NULL);
      assert_true(actions[i].id);
    }
    sinew_stage_update(stage, 0.1);
    for (int i = 0; i < PLAYED; i++) assert_true(sinew_action_playing(stage, actions[i], playing + i));
    qsort(playing, PLAYED, sizeof *playing, heavier_first);
    ring r = {0};
    ring_moment kept;
    ring_update(&r, stage, 0.1, 1);
    assert_true(ring_read(&r, r.first, actor, &kept));
    assert_int_equal(kept.clip_count, RING_CLIPS);
    for (int i = 0; i < RING_CLIPS; i++) {
      assert_true(kept.clips[i].normalized_weight == playing[i].normalized_weight);
      assert_true(kept.clips[i].speed == (float)playing[i].speed);
    }
    ring_release(&r);
    sinew_stage_destroy(stage);
  }
  sinew_model_release(model);
}

/* A hidden actor has no opacity, and the state is that of the first of its machines. */
static void a_moment_has_what_is_seen_and_the_first_state(void **state) {
  (void)state;
  sinew_model *model = load();
  sinew_stage *stage = sinew_stage_create(NULL);
  sinew_actor actor = sinew_actor_create(stage, "hero", model, NULL);
  sinew_node_def nodes[7];
  for (int i = 0; i < 7; i++) nodes[i] = sinew_node_def_default();
  nodes[0].kind = SINEW_NODE_BLEND, nodes[0].first_child = 1, nodes[0].child_count = 2;
  for (int i = 1; i <= 2; i++) {
    nodes[i].kind = SINEW_NODE_MACHINE, nodes[i].first_child = 1 + 2 * i, nodes[i].child_count = 2, nodes[i].x = 1;
    nodes[i].start = i == 1;
  }
  for (int i = 3; i < 7; i++) nodes[i].clip = 0;
  sinew_graph_def graph = {nodes, 7, NULL, 0};
  assert_true(sinew_actor_set_graph(stage, actor, 0, &graph, 0, NULL));
  sinew_actor_set_opacity(stage, actor, 0.5f);
  ring r = {.has_all = true};
  ring_moment kept;
  for (int hidden = 0; hidden < 2; hidden++) {
    sinew_actor_set_visible(stage, actor, !hidden);
    sinew_stage_update(stage, 0.1);
    ring_update(&r, stage, 0.1 * hidden, hidden);
    assert_true(ring_read(&r, hidden, actor, &kept));
    assert_true(kept.opacity == (hidden ? 0 : 0.5f));
    assert_int_equal(kept.state, 1);
  }
  ring_release(&r);
  sinew_stage_destroy(stage);
  sinew_model_release(model);
}

/* ---- moments ---- */

/* Whatever the rate of the frames, there are thirty in a second, or as many as there are frames. */
static void moments_are_evenly_apart(void **state) {
  static const double rates[] = {7, 25, 30, 31, 45, 60, 75, 144, 240, 1000};
  (void)state;
  sinew_stage *stage = sinew_stage_create(NULL);
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
    ring r = {0};
    for (int frame = 0; frame < 10 * rates[i]; frame++) ring_update(&r, stage, frame / rates[i], frame);
    double wanted = 10 * fmin(rates[i], RING_RATE);
    assert_true(fabs((double)r.count - wanted) <= 1);
    for (int64_t m = 1; m < r.count; m++) {
      double step = ring_time(&r, m) - ring_time(&r, m - 1);
      assert_true(step > 0 && step < 1 / fmin(rates[i], RING_RATE) + 1 / rates[i]);
    }
    ring_release(&r);
  }
  sinew_stage_destroy(stage);
}

/* The nearest one, by looking at them all. */
static void a_moment_is_found_by_its_time(void **state) {
  (void)state;
  ring r = {0};
  double times[100], time = 0;
  for (int i = 0; i < 100; i++) {
    times[i] = time += 0.02 + 0.03 * (i * 7 % 5);
    assert_true(ring_begin(&r, times[i], i));
    ring_end(&r);
  }
  for (int k = -20; k < 1200; k++) {
    double asked = 0.0107 * k;
    int nearest = 0;
    for (int i = 1; i < 100; i++)
      if (fabs(times[i] - asked) < fabs(times[nearest] - asked)) nearest = i;
    assert_int_equal(ring_find(&r, asked), nearest);
  }
  ring_release(&r);
}

/* An actor whose model is exchanged within a second has each at its moments. */
static void a_moment_has_the_model_of_then(void **state) {
  (void)state;
  sinew_error error;
  static sinew_pose_group groups[2][16];
  sinew_model *models[] = {load(), sinew_model_load(SINEW_SOURCE "/assets/fox.glb", NULL, &error)};
  sinew_pose poses[2];
  ring r = {0};
  for (int k = 0; k < 2; k++) {
    poses[k] = (sinew_pose){groups[k], sinew_model_joint_count(models[k])};
    assert_true(models[k] && poses[k].joint_count <= 16 * SINEW_LANES);
    sinew_model_rest_pose(models[k], poses[k]);
  }
  ring_moment moment = {.transform = sinew_transform_identity(), .opacity = 1, .state = -1};
  for (int m = 0; m < 3 * RING_BLOCK; m++) {
    int k = m % 20 >= 10;
    moment.slid = (float)m;
    assert_true(ring_begin(&r, m / 30.0, m));
    ring_add(&r, (sinew_actor){9}, "one", models[k], &moment, &poses[k], NULL);
    ring_end(&r);
  }
  for (int m = 0; m < 3 * RING_BLOCK; m++) {
    ring_moment kept;
    assert_ptr_equal(ring_model(&r, m, (sinew_actor){9}), models[m % 20 >= 10]);
    assert_true(ring_read(&r, m, (sinew_actor){9}, &kept) && kept.slid == (float)m);
    assert_int_equal(ring_actor_count(&r, m), 1);
  }
  ring_release(&r);
  for (int k = 0; k < 2; k++) sinew_model_release(models[k]);
}

/* ---- bytes ---- */

enum { GROUPS = 16, ACTORS = 200, POSES = 7, MOMENTS = 900 };

static void make_poses(const sinew_model *model, sinew_pose_group groups[POSES][GROUPS], sinew_pose poses[POSES]) {
  int joints = sinew_model_joint_count(model);
  assert_true(joints <= GROUPS * SINEW_LANES);
  for (int k = 0; k < POSES; k++) {
    poses[k] = (sinew_pose){groups[k], joints};
    sinew_model_rest_pose(model, poses[k]);
    for (int j = 0; j < joints; j++) {
      sinew_transform t = sinew_model_joint_rest(model, j);
      t.rotation = (sinew_quat){sinf((float)(j + k)), 0, 0, cosf((float)(j + k))};
      sinew_pose_set_joint(&poses[k], j, &t);
    }
  }
}

/* Of the crowds that are kept, each once: a crowd lasts for a block. */
static size_t bytes_of_crowds(const ring *r) {
  size_t sum = 0;
  for (int64_t m = r->first; m < r->first + r->count; m += RING_BLOCK)
    for (int i = 0; i < ring_crowd_count(r, m); i++) sum += ring_crowd(r, m, i)->bytes;
  return sum;
}

/* The oldest go first, whole seconds, and no sooner than they must: actors and crowds. What is still kept can be read.
 */
static void more_than_the_limit_is_forgotten_from_the_front(void **state) {
  static sinew_pose_group groups[POSES][GROUPS];
  sinew_pose poses[POSES];
  sinew_model *model = load();
  ring r = {0};
  size_t before = 0, grown = 0;
  int forgotten = 0;
  (void)state;
  make_poses(model, groups, poses);
  sinew_stage *stage = sinew_stage_create(NULL);
  sinew_crowd_def crowd = sinew_crowd_def_default();
  crowd.model = model, crowd.count = 5;
  assert_true(sinew_crowd_create(stage, &crowd, NULL).id);
  for (int m = 0; m < MOMENTS && forgotten < 3; m++) {
    int64_t first = r.first;
    ring_moment moment = {.transform = sinew_transform_identity(), .opacity = 1, .state = -1, .slid = (float)m};
    assert_true(ring_begin(&r, m / 30.0, m));
    for (int a = 0; a < ACTORS; a++)
      ring_add(&r, (sinew_actor){(uint64_t)a + 1}, "one", model, &moment, &poses[(a + m) % POSES], NULL);
    kept_crowds_keep(&r.crowds, stage, m);
    ring_end(&r);
    assert_true(ring_bytes(&r) <= RING_LIMIT);
    assert_int_equal(ring_bytes(&r) - r.bytes, bytes_of_crowds(&r));
    assert_int_equal(r.first + r.count, m + 1);
    if (r.first == first && ring_bytes(&r) > before && ring_bytes(&r) - before > grown) grown = ring_bytes(&r) - before;
    if (r.first != first) {
      assert_int_equal(r.first - first, RING_BLOCK);
      assert_true(before + grown > RING_LIMIT);
      forgotten++;
    }
    before = ring_bytes(&r);
  }
  assert_int_equal(forgotten, 3);
  ring_moment kept;
  assert_false(ring_read(&r, r.first - 1, (sinew_actor){1}, &kept));
  for (int64_t m = r.first; m < r.first + r.count; m += RING_BLOCK / 2) {
    assert_true(ring_read(&r, m, (sinew_actor){ACTORS}, &kept));
    assert_true(kept.slid == (float)m);
    assert_true(ring_time(&r, m) == (double)m / 30.0);
  }
  ring_release(&r);
  assert_int_equal(ring_bytes(&r), 0);
  sinew_stage_destroy(stage);
  sinew_model_release(model);
}

/* What is older than a minute is forgotten, of actors and of crowds. */
static void after_a_minute_the_ring_grows_no_more(void **state) {
  (void)state;
  sinew_model *model = load();
  sinew_stage *stage = sinew_stage_create(NULL);
  sinew_crowd_def def = sinew_crowd_def_default();
  def.model = model, def.count = 20;
  assert_true(sinew_crowd_create(stage, &def, NULL).id);
  ring r = {0};
  size_t after_a_minute = 0;
  for (int frame = 0; frame < 30 * 75; frame++) {
    sinew_stage_update(stage, 1.0 / 30);
    ring_update(&r, stage, frame / 30.0, frame);
    if (frame == 30 * 63) after_a_minute = ring_bytes(&r);
  }
  assert_in_range(r.count, 30 * 60, 30 * 61);
  assert_int_equal(ring_crowd_count(&r, r.first), 1);
  assert_true(ring_bytes(&r) < after_a_minute + after_a_minute / 20);
  ring_release(&r);
  assert_int_equal(ring_bytes(&r), 0);
  sinew_stage_destroy(stage);
  sinew_model_release(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_moment_has_the_heaviest_clips_first),
      cmocka_unit_test(a_moment_has_what_is_seen_and_the_first_state),
      cmocka_unit_test(moments_are_evenly_apart),
      cmocka_unit_test(a_moment_is_found_by_its_time),
      cmocka_unit_test(a_moment_has_the_model_of_then),
      cmocka_unit_test(more_than_the_limit_is_forgotten_from_the_front),
      cmocka_unit_test(after_a_minute_the_ring_grows_no_more),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
