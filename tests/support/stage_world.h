/* stage_world – a stage with one actor. */
#ifndef SINEW_TESTS_STAGE_WORLD_H
#define SINEW_TESTS_STAGE_WORLD_H

#include "support/fixture.h"

#include <sinew/actor.h>

typedef struct world {
  sinew_model *model;
  sinew_stage *stage;
  sinew_actor actor;
} world;

/* The model is the world's from now on. */
static inline void world_open(world *w, sinew_model *model) {
  w->model = model;
  w->stage = sinew_stage_create(NULL);
  w->actor = sinew_actor_create(w->stage, "hero", model, NULL);
  assert_int_not_equal(w->actor.id, 0);
}

static inline void world_close(world *w) {
  sinew_stage_destroy(w->stage);
  sinew_model_release(w->model);
}

static inline int tear_down(void **state) {
  world_close(*state);
  return 0;
}

/* A test of a world that the file's own set_up makes. */
#define WITH_WORLD(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

#endif
