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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_warm_frame_of_everything_asks_for_no_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
