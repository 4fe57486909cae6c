/* A warm frame of everything that a stage can hold at once asks for no memory. */
#include "actor/everything.h"
#include "base/memory/memory.h"

enum { FRAMES = 120 };

static void listen(const sinew_stage *stage, heard *h) {
  int count, lost;
  sinew_stage_events(stage, &count, &lost);
  assert_int_equal(lost, 0);
  h->events += count;
}

static void a_warm_frame_of_everything_asks_for_no_memory(void **state) {
  (void)state;
  random_seed(12);
  heard h = {0};
  sinew_model *model = cast_model(70);
  sinew_stage *stage = sinew_stage_create(NULL);
  assert_true(sinew_stage_set_threads(stage, 2));
  fill_stage(stage, model, &h);
  sinew_stage_update(stage, 0.02);
  assert_int_equal(sinew_stage_threads(stage), 2);
  h = (heard){0};
  sinew_vec3 began = sinew_actor_transform(stage, sinew_stage_actor(stage, 0)).translation;
  uint64_t before = mem_request_count();
  for (int i = 0; i < FRAMES; i++) {
    sinew_stage_update(stage, 0.05);
    listen(stage, &h);
  }
  assert_int_equal(mem_request_count(), before);
  sinew_machine_state machine;
  assert_true(sinew_actor_machine(stage, sinew_stage_actor(stage, 0), 0, 0, &machine));
  assert_true(machine.transitions >= 2 && h.events > FRAMES && h.calls == ACTORS * FRAMES);
  assert_true(distance_between(began, sinew_actor_transform(stage, sinew_stage_actor(stage, 0)).translation) > 0.001);
  sinew_stage_destroy(stage);
  sinew_model_release(model);
}

/* ---- what an actor takes ---- */

/* In front of each block is its size. */
enum { HEADER = 64 };

static void *count_bytes(void *user, void *pointer, size_t size) {
  size_t *used = user, before = 0;
  unsigned char *block = pointer;
  if (block) memcpy(&before, block -= HEADER, sizeof before);
  *used += size - before;
  if (size == 0) {
    free(block);
    return NULL;
  }
  block = realloc(block, size + HEADER);
  memcpy(block, &size, sizeof size);
  return block + HEADER;
}

static size_t bytes_of(sinew_model *model, int actors, const size_t *used) {
  size_t before = *used;
  sinew_stage *stage = sinew_stage_create(NULL);
  assert_true(sinew_stage_set_threads(stage, 1));
  for (int i = 0; i < actors; i++) {
    sinew_play_def def = sinew_play_def_default();
    sinew_actor actor = sinew_actor_create(stage, "someone", model, NULL);
    def.solo = false;
    for (def.clip = 0; def.clip < 2; def.clip++) assert_true(sinew_actor_play(stage, actor, &def, NULL).id);
  }
  sinew_stage_update(stage, 0.02);
  size_t taken = *used - before;
  sinew_stage_destroy(stage);
  assert_int_equal(*used, before);
  return taken;
}

/* Two poses, joints and a palette; and what else a frame may touch. */
static void an_actor_that_plays_two_clips_takes_little_beside_its_results(void **state) {
  (void)state;
  size_t used = 0;
  sinew_set_allocator(&(sinew_allocator){count_bytes, &used});
  sinew_model *model = cast_model(70);
  size_t joints = (size_t)sinew_model_joint_count(model), groups = (size_t)sinew_pose_group_count((int)joints);
  size_t results = 2 * groups * sizeof(sinew_pose_group) +
                   (joints + (size_t)sinew_model_palette_count(model)) * sizeof(sinew_mat3x4);
  size_t each = (bytes_of(model, 128, &used) - bytes_of(model, 64, &used)) / 64; /* arrays double */
  assert_in_range(each, results, results + 4096);
  sinew_model_release(model);
  sinew_set_allocator(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_warm_frame_of_everything_asks_for_no_memory),
      cmocka_unit_test(an_actor_that_plays_two_clips_takes_little_beside_its_results),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
