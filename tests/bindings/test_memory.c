/* Every allocation of a scene fails once in turn: at load, in a frame, at a reload. An error each time, no crash, no
 * leak (the sanitizer build sees to that), and the next load is fine. */
#include "harness.h"

typedef struct failing {
  long count, fail_at; /* fail_at 0: never */
} failing;

static void *reallocate(void *user, void *pointer, size_t size) {
  failing *f = user;
  if (size == 0) {
    free(pointer);
    return NULL;
  }
  if (++f->count == f->fail_at) return NULL;
  return realloc(pointer, size);
}

static const char scene[] = "local t = sinew.keep('t', { a = 1, b = { 2 } })\n"
                            "local m = sinew.model 'hero.glb'\n"
                            "local h = sinew.actor('h', m, { position = { 1, 2, 3 } })\n"
                            "local l = h:layer('l', { mask = { ['Spine/**'] = 1 } })\n"
                            "local a = l:play('Wave', { loop = 'once' })\n"
                            "h:play 'Walk' h.morphs.Smile = 1\n"
                            "sinew.on('update', function() h.position = h.position + { 0, 0, 1 } t.b[1] = 3 end)\n";
static const char edited[] = "local t = sinew.keep('t', { a = 2, b = { 2 } })\n"
                             "local m = sinew.model 'hero.glb'\n"
                             "local h = sinew.actor('h', m, { position = { 1, 2, 4 } })\n"
                             "h:play 'Run' sinew.actor('i', m)\n"
                             "function sinew.update() h.rotation = t.a end\n";

/* Runs load, frame, reload, frame with the n-th allocation failing; true where the n-th was never reached. */
static bool attempt(harness *h, long n) {
  failing f = {0};
  sinew_allocator allocator = {reallocate, &f};
  sinew_scene_def def = sinew_scene_def_default();
  sinew_error error;
  def.allocator = &allocator;
  harness_write(h->path, scene);
  f.fail_at = n;
  h->scene = sinew_scene_create(h->host, h->path, &def, &error);
  if (h->scene) {
    sinew_app app = sinew_scene_app(h->scene);
    sinew_host_set_app(h->host, &app);
    harness_step(h, 2);
    if (!harness_reload(h, edited)) assert_true(error.message[0] || h->error.message[0]);
    harness_step(h, 1);
    f.fail_at = 0;
    if (!harness_reload(h, scene)) fail_msg("%ld: %s", n, h->error.message);
    harness_step(h, 1);
    sinew_actor actor = sinew_scene_find_actor(h->scene, "h");
    assert_true(sinew_actor_is_valid(sinew_host_stage(h->host), actor));
    sinew_host_set_app(h->host, &(sinew_app){0});
  } else {
    assert_true(error.message[0] != 0);
  }
  sinew_scene_destroy(h->scene);
  h->scene = NULL;
  assert_int_equal(sinew_stage_actor_count(sinew_host_stage(h->host)), 0);
  return f.count < n;
}

static void test_each_allocation(void **state) {
  harness h;
  (void)state;
  harness_open_host(&h);
  harness_write(h.path, scene);
  long step = 1;
  for (long n = 1; n < 100000; n += step) {
    if (attempt(&h, n)) break;
    if (n == 600) step = 7; /* beyond the start of Lua itself, a sample */
  }
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_allocation)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
