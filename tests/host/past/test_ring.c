/* The ring of the last minute: which clips of an actor a moment keeps, and how many bytes all moments take. */
#include "host_fixture.h"

#include "host/past/ring.h"

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

/* The oldest go first, whole seconds, and no sooner than they must. What is still kept can be read. */
static void more_than_the_limit_is_forgotten_from_the_front(void **state) {
  static sinew_pose_group groups[POSES][GROUPS];
  sinew_pose poses[POSES];
  sinew_model *model = load();
  ring r = {0};
  size_t before = 0, grown = 0;
  int forgotten = 0;
  (void)state;
  make_poses(model, groups, poses);
  for (int m = 0; m < MOMENTS && forgotten < 3; m++) {
    int64_t first = r.first;
    ring_moment moment = {.transform = sinew_transform_identity(), .opacity = 1, .state = -1, .slid = (float)m};
    assert_true(ring_begin(&r, m / 30.0, m));
    for (int a = 0; a < ACTORS; a++)
      ring_add(&r, (sinew_actor){(uint64_t)a + 1}, "one", model, &moment, &poses[(a + m) % POSES], NULL);
    ring_end(&r);
    assert_true(ring_bytes(&r) <= RING_LIMIT);
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
  sinew_model_release(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_moment_has_the_heaviest_clips_first),
                                     cmocka_unit_test(more_than_the_limit_is_forgotten_from_the_front)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
