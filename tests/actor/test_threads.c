/* A stage that shares its evaluation gives what one thread gives, bit for bit; and each actor gets what the jobs give
 * when they are run one by one. */
#include "actor/cast.h"
#include "support/failing_heap.h"

#include "base/memory/memory.h"
#include "model/pose_group.h"

#include <sinew/graph.h>

#include <fenv.h>
#include <pthread.h>

static sinew_model *models[CAST_MODELS];

static int set_up(void **state) {
  (void)state;
  random_seed(77);
  static const int sizes[CAST_MODELS] = {1, 70, CAST_JOINTS};
  for (int i = 0; i < CAST_MODELS; i++) models[i] = cast_model(sizes[i]);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  for (int i = 0; i < CAST_MODELS; i++) sinew_model_release(models[i]);
  return 0;
}

/* ---- random stages ---- */

enum { GRAPH_CLIPS = 5, SPEED = 0, TURN };

/* A root of any kind over clips, the first of which may be two in a blend. */
static void give_random_graph(sinew_stage *stage, sinew_actor actor) {
  static const char *const names[] = {"speed", "turn"};
  assert_true(sinew_actor_set_params(stage, actor, names, NULL, 2, NULL));
  bool nested = random_bits() % 2;
  int children = 3 + (int)(random_bits() % 3), count = 1 + children;
  sinew_node_def nodes[1 + GRAPH_CLIPS + 2];
  for (int i = 0; i < 1 + GRAPH_CLIPS + 2; i++) {
    nodes[i] = sinew_node_def_default();
    nodes[i].clip = (int)(random_bits() % CAST_CLIPS);
    nodes[i].speed = (double)random_range(-1, 2);
    nodes[i].x = (double)(random_range(0, 1) + (float)i), nodes[i].y = (double)random_range(0, 5);
    nodes[i].sync = random_bits() % 2;
    nodes[i].fade = 0.1;
  }
  nodes[0].kind = (sinew_node_kind)(SINEW_NODE_BLEND + random_bits() % 5);
  nodes[0].first_child = 1, nodes[0].child_count = children;
  nodes[0].param_x = SPEED, nodes[0].param_y = TURN;
  if (nested) {
    nodes[1].kind = SINEW_NODE_BLEND, nodes[1].first_child = count, nodes[1].child_count = 2;
    count += 2;
  }
  sinew_transition_def go = sinew_transition_def_default(), back = go;
  go.from = -1, go.to = 1, go.event = "go", go.kind = SINEW_TRANSITION_INERTIAL;
  back.from = 1, back.to = 0, back.before_end = 0.1, back.keep_phase = true;
  sinew_transition_def transitions[] = {go, back};
  bool machine = nodes[0].kind == SINEW_NODE_MACHINE;
  nodes[0].transition_count = machine ? 2 : 0;
  sinew_graph_def def = {nodes, count, transitions, machine ? 2 : 0};
  sinew_error error = {{0}};
  if (!sinew_actor_set_graph(stage, actor, 0, &def, random_bits() % 2 ? 0.2 : 0, &error)) fail_msg("%s", error.message);
}

static void add_actor(sinew_stage *stage) {
  sinew_actor actor = sinew_actor_create(stage, "x", models[random_bits() % CAST_MODELS], NULL);
  assert_int_not_equal(actor.id, 0);
  sinew_layer_def def = sinew_layer_def_default();
  float mask[CAST_JOINTS + 1];
  for (int i = 0; i < CAST_JOINTS + 1; i++) mask[i] = random_range(0, 1);
  for (int i = 0; i < (int)(random_bits() % 3); i++) {
    def.mode = random_bits() % 2 ? SINEW_LAYER_ADDITIVE : SINEW_LAYER_OVERRIDE;
    def.weight = random_range(0, 1);
    def.joint_weights = random_bits() % 2 ? mask : NULL;
    sinew_actor_add_layer(stage, actor, i ? "b" : "a", &def, NULL);
  }
  if (random_bits() % 2) give_random_graph(stage, actor);
}

static sinew_actor random_actor(const sinew_stage *stage) {
  return sinew_stage_actor(stage, (int)(random_bits() % (uint32_t)sinew_stage_actor_count(stage)));
}

static void play_something(sinew_stage *stage, sinew_actor actor) {
  sinew_play_def def = sinew_play_def_default();
  def.clip = (int)(random_bits() % CAST_CLIPS);
  def.layer = (int)(random_bits() % (uint32_t)sinew_actor_layer_count(stage, actor));
  def.fade = random_bits() % 2 ? 0.15 : 0;
  def.speed = (double)random_range(-2, 2);
  def.weight = random_bits() % 8 ? random_range(0, 2) : 0;
  def.loop = (sinew_loop_mode)(random_bits() % 4);
  def.solo = random_bits() % 2;
  assert_int_not_equal(sinew_actor_play(stage, actor, &def, NULL).id, 0);
}

static void disturb(sinew_stage *stage) {
  if (random_bits() % 4 == 0) sinew_actor_destroy(stage, random_actor(stage));
  for (int i = 0; i < (int)(random_bits() % 3); i++) add_actor(stage);
  if (sinew_stage_actor_count(stage) == 0) add_actor(stage);
  for (int i = 0; i < 10; i++) play_something(stage, random_actor(stage));
  for (int i = 0; i < 10; i++) {
    sinew_actor actor = random_actor(stage);
    sinew_actor_set_param(stage, actor, SPEED, (double)random_range(-1, 8));
    sinew_actor_set_param(stage, actor, TURN, (double)random_range(-1, 6));
    sinew_actor_send(stage, actor, "go");
  }
  sinew_actor_set_paused(stage, random_actor(stage), random_bits() % 2);
  sinew_actor_set_bind_pose(stage, random_actor(stage), random_bits() % 4 == 0);
  sinew_actor_set_morph(stage, random_actor(stage), "Blink", random_range(0, 1));
}

/* Every actor's part of the palettes follows the one before it, and is what the actor says. */
static void expect_one_array(const sinew_stage *stage) {
  int count, used = 0;
  const sinew_mat3x4 *all = sinew_stage_palettes(stage, &count);
  for (int i = 0; i < sinew_stage_actor_count(stage); i++) {
    sinew_actor actor = sinew_stage_actor(stage, i);
    assert_int_equal(sinew_actor_palette_offset(stage, actor), used);
    assert_ptr_equal(sinew_actor_palette(stage, actor), all + used);
    used += sinew_model_palette_count(sinew_actor_model(stage, actor));
  }
  assert_int_equal(count, used);
}

static void expect_unit_rotations(sinew_pose pose) {
  for (int j = 0; j < pose.joint_count; j++) {
    sinew_quat q = sinew_pose_joint(&pose, j).rotation;
    assert_near(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, 1e-5);
  }
}

static void record_stage(const sinew_stage *stage, record *r) {
  int count;
  const sinew_mat3x4 *palettes = sinew_stage_palettes(stage, &count);
  record_add(r, palettes, (size_t)count * sizeof *palettes);
  expect_finite((const float *)palettes, (size_t)count * 12);
  for (int i = 0; i < sinew_stage_actor_count(stage); i++) {
    sinew_actor actor = sinew_stage_actor(stage, i);
    sinew_pose pose = sinew_actor_pose(stage, actor);
    expect_unit_rotations(pose);
    record_add(r, pose.groups, (size_t)sinew_pose_group_count(pose.joint_count) * sizeof *pose.groups);
    record_add(r, sinew_actor_joints(stage, actor), (size_t)pose.joint_count * sizeof(sinew_mat3x4));
    record_add(r, sinew_actor_morphs(stage, actor, 0), 2 * sizeof(float));
  }
}

/* A task system of the worst kind: ranges from the last to the first, in as many threads as it said, all at once. */
typedef struct odd_task {
  sinew_task *task;
  void *data;
  int worker, workers, count, grain;
} odd_task;

static void *run_odd_ranges(void *user) {
  const odd_task *t = user;
  fesetround(FE_UPWARD); /* what a program does with its own threads */
  for (int range = (t->count - 1) / t->grain; range >= 0; range--) {
    int end = (range + 1) * t->grain;
    if (range % t->workers == t->worker) t->task(t->data, t->worker, range * t->grain, end < t->count ? end : t->count);
  }
  assert_int_equal(fegetround(), FE_UPWARD);
  return NULL;
}

static void run_oddly(void *user, int count, int grain, sinew_task *task, void *data) {
  enum { WORKERS = 3 };
  pthread_t threads[WORKERS];
  odd_task tasks[WORKERS];
  ++*(int *)user;
  for (int i = 0; i < WORKERS; i++) {
    tasks[i] = (odd_task){task, data, i, WORKERS, count, grain};
    assert_int_equal(pthread_create(threads + i, NULL, run_odd_ranges, tasks + i), 0);
  }
  for (int i = 0; i < WORKERS; i++) pthread_join(threads[i], NULL);
}

static int odd_runs;

/* 0 threads: the program's own. */
static void take_threads(sinew_stage *stage, int threads) {
  const sinew_task_system tasks = {run_oddly, &odd_runs, 3};
  assert_true(threads ? sinew_stage_set_threads(stage, threads) : sinew_stage_set_tasks(stage, &tasks));
}

static record play_random_stage(uint64_t seed, int threads) {
  record r = {0};
  random_seed(seed);
  sinew_stage *stage = sinew_stage_create(NULL);
  take_threads(stage, threads);
  for (int i = (int)(random_bits() % 60); i >= 0; i--) add_actor(stage);
  for (int frame = 0; frame < 12; frame++) {
    disturb(stage);
    sinew_stage_update(stage, (double)random_range(0, 0.1f));
    expect_one_array(stage);
    record_stage(stage, &r);
  }
  sinew_stage_destroy(stage);
  return r;
}

static void threads_do_not_change_a_bit(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 8; seed++) {
    record one = play_random_stage(seed, 1), many = play_random_stage(seed, 2 + (int)seed % 5);
    expect_same_record(&one, &many);
  }
}

static void a_programs_own_tasks_do_not_change_a_bit(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 4; seed++) {
    record one = play_random_stage(seed, 1), own = play_random_stage(seed, 0);
    expect_same_record(&one, &own);
  }
  assert_true(odd_runs > 4);
}

static void a_task_system_is_checked(void **state) {
  (void)state;
  sinew_stage *stage = sinew_stage_create(NULL);
  assert_false(sinew_stage_set_tasks(stage, &(sinew_task_system){.workers = 2}));
  assert_false(sinew_stage_set_tasks(stage, &(sinew_task_system){run_oddly, &odd_runs, 0}));
  assert_false(sinew_stage_set_tasks(stage, &(sinew_task_system){run_oddly, &odd_runs, 65}));
  assert_true(sinew_stage_set_tasks(stage, &(sinew_task_system){run_oddly, &odd_runs, 3}));
  assert_int_equal(sinew_stage_threads(stage), 3);
  assert_true(sinew_stage_set_tasks(stage, NULL));
  assert_int_equal(sinew_stage_threads(stage), 1);
  sinew_stage_destroy(stage);
}

/* ---- each actor by itself ---- */

static void blend_by_hand(const sinew_stage *stage, sinew_actor actor, const sinew_model *model, sinew_pose output) {
  sinew_blend_source sources[8];
  int count = 0;
  float sum = 0;
  for (int i = 0; i < sinew_actor_action_count(stage, actor, 0); i++) {
    sinew_play_def s;
    sinew_action action = sinew_actor_action(stage, actor, 0, i);
    assert_true(sinew_action_read_state(stage, action, &s));
    float faded = sinew_action_strength(stage, action);
    if (!(faded > 0)) continue;
    const sinew_clip *clip = sinew_model_clip(model, s.clip);
    sinew_pose pose = random_pose(output.joint_count, false);
    assert_true(sinew_sample(&(sinew_sample_job){model, clip, s.time, pose}));
    sources[count++] = (sinew_blend_source){pose.groups, faded, clip->animated};
    sum += faded;
  }
  for (int i = 0; i < count; i++) sources[i].weight /= sum; /* they share the whole */
  assert_true(sinew_blend(&(sinew_blend_job){sources, count, model_rest_pose(model), 0.9999f / fmaxf(sum, 1), output}));
  for (int i = 0; i < count; i++) free((void *)(uintptr_t)sources[i].pose);
}

static void expect_jobs_result(const sinew_stage *stage, sinew_actor actor) {
  const sinew_model *model = sinew_actor_model(stage, actor);
  int joint_count = sinew_model_joint_count(model), palette_count = sinew_model_palette_count(model);
  sinew_pose pose = random_pose(joint_count, false);
  sinew_mat3x4 joints[CAST_JOINTS + 1], palette[CAST_JOINTS];
  blend_by_hand(stage, actor, model, pose);
  sinew_local_to_model(&(sinew_local_to_model_job){model, pose, joints, 0});
  sinew_palette(&(sinew_palette_job){model, joints, palette});
  const float *is = sinew_actor_palette(stage, actor)->m, *wanted = palette[0].m;
  float size = 1;
  for (int i = 0; i < palette_count * 12; i++) size = fmaxf(size, fabsf(wanted[i]));
  for (int i = 0; i < palette_count * 12; i++) assert_near(is[i], wanted[i], 1e-5 * size);
  free(pose.groups);
}

static void each_actor_gets_what_the_jobs_give(void **state) {
  (void)state;
  random_seed(5);
  sinew_stage *stage = sinew_stage_create(NULL);
  sinew_stage_set_threads(stage, 4);
  for (int i = 0; i < 50; i++) {
    sinew_actor actor = sinew_actor_create(stage, "x", models[i % CAST_MODELS], NULL);
    for (int k = 0; k < i % 5; k++) play_something(stage, actor);
  }
  sinew_stage_update(stage, 0.05);
  assert_int_equal(sinew_stage_threads(stage), 4);
  for (int i = 0; i < 50; i++) expect_jobs_result(stage, sinew_stage_actor(stage, i));
  sinew_stage_destroy(stage);
}

/* ---- memory, threads ---- */

static sinew_stage *make_stage(int actors, int threads) {
  random_seed(9);
  sinew_stage *stage = sinew_stage_create(NULL);
  assert_true(sinew_stage_set_threads(stage, threads));
  for (int i = 0; i < actors; i++) {
    add_actor(stage);
    play_something(stage, sinew_stage_actor(stage, i));
  }
  return stage;
}

static void a_warm_update_allocates_nothing(void **state) {
  (void)state;
  for (int threads = 1; threads <= 4; threads += 3) {
    sinew_stage *stage = make_stage(100, threads);
    sinew_actor_destroy(stage, sinew_stage_actor(stage, 3));
    sinew_stage_update(stage, 0.01);
    assert_int_equal(sinew_stage_threads(stage), threads);
    uint64_t before = mem_request_count();
    for (int i = 0; i < 50; i++) sinew_stage_update(stage, 0.01);
    assert_int_equal(mem_request_count(), before);
    sinew_stage_destroy(stage);
  }
}

static void the_number_of_threads_can_be_set(void **state) {
  (void)state;
  sinew_stage *stage = make_stage(100, 3);
  assert_false(sinew_stage_set_threads(stage, -1));
  assert_false(sinew_stage_set_threads(stage, 65));
  sinew_stage_update(stage, 0);
  assert_int_equal(sinew_stage_threads(stage), 3);
  sinew_stage_set_threads(stage, 1);
  sinew_stage_update(stage, 0);
  assert_int_equal(sinew_stage_threads(stage), 1);
  setenv("SINEW_THREADS", "5", 1);
  sinew_stage_set_threads(stage, 0);
  sinew_stage_update(stage, 0);
  assert_int_equal(sinew_stage_threads(stage), 5);
  unsetenv("SINEW_THREADS");
  sinew_stage_destroy(stage);
}

static void a_lone_actor_starts_no_thread(void **state) {
  (void)state;
  sinew_stage *stage = make_stage(1, 8);
  sinew_stage_update(stage, 0);
  assert_int_equal(sinew_stage_threads(stage), 1);
  sinew_stage_destroy(stage);
}

static void count_lines(void *user, sinew_log_level level, const char *line) {
  *(int *)user += level == SINEW_LOG_WARNING && strstr(line, "one thread") != NULL;
}

/* Wherever memory runs out: one warning, then one thread that gives what it always gives. */
static void without_memory_for_threads_one_thread_does_it(void **state) {
  (void)state;
  sinew_stage *reference = make_stage(30, 1);
  sinew_stage_update(reference, 0.1);
  bool started = false;
  for (long requests = 0; !started; requests++) {
    failing_heap heap = {.left = -1};
    failing_heap_install(&heap);
    int warnings = 0;
    sinew_set_log(count_lines, &warnings);
    sinew_stage *stage = make_stage(30, 3);
    heap.left = requests;
    sinew_stage_update(stage, 0.1);
    started = sinew_stage_threads(stage) == 3;
    sinew_stage_update(stage, 0);
    sinew_stage_update(reference, 0);
    assert_int_equal(warnings, !started);
    record a = {0}, b = {0};
    record_stage(stage, &a), record_stage(reference, &b);
    expect_same_record(&a, &b);
    sinew_stage_destroy(stage);
    assert_int_equal(heap.living, 0);
    sinew_set_allocator(NULL);
    sinew_set_log(NULL, NULL);
    assert_in_range(requests, 0, 100);
  }
  sinew_stage_destroy(reference);
}

/* An actor that has gone takes its palette along; the others' stay readable until the next update, and then move up. */
static void removing_an_actor_closes_the_gap(void **state) {
  (void)state;
  sinew_stage *stage = make_stage(5, 1);
  sinew_stage_update(stage, 0.1);
  sinew_actor second = sinew_stage_actor(stage, 1), third = sinew_stage_actor(stage, 2);
  sinew_mat3x4 before = *sinew_actor_palette(stage, third);
  sinew_actor_destroy(stage, second);
  assert_memory_equal(sinew_actor_palette(stage, third), &before, sizeof before);
  sinew_stage_update(stage, 0);
  expect_one_array(stage);
  assert_memory_equal(sinew_actor_palette(stage, third), &before, sizeof before);
  assert_int_equal(sinew_actor_palette_offset(stage, second), -1);
  while (sinew_stage_actor_count(stage)) sinew_actor_destroy(stage, sinew_stage_actor(stage, 0));
  sinew_stage_update(stage, 0);
  int count = -1;
  sinew_stage_palettes(stage, &count);
  assert_int_equal(count, 0);
  sinew_stage_destroy(stage);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_do_not_change_a_bit),
      cmocka_unit_test(a_programs_own_tasks_do_not_change_a_bit),
      cmocka_unit_test(a_task_system_is_checked),
      cmocka_unit_test(each_actor_gets_what_the_jobs_give),
      cmocka_unit_test(a_warm_update_allocates_nothing),
      cmocka_unit_test(the_number_of_threads_can_be_set),
      cmocka_unit_test(a_lone_actor_starts_no_thread),
      cmocka_unit_test(without_memory_for_threads_one_thread_does_it),
      cmocka_unit_test(removing_an_actor_closes_the_gap),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
