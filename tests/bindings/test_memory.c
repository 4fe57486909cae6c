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

/* Two joints and three clips: small enough to be read a thousand times. */
static const char model[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"Hips\","
    "\"children\":[1]"
    "},{\"name\":\"Spine\"}],\"buffers\":[{\"byteLength\":40,\"uri\":\"data:application/octet-stream;base64,AAAAAAAA"
    "gD8AAAAAAAAAAAAAAAAAAIA/AAAAAPMENT8AAAAA8wQ1Pw==\"}],\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteL"
    "ength\":8},{\"buffer\":0,\"byteOffset\":8,\"byteLength\":32}],\"accessors\":[{\"bufferView\":0,\"componentType\":"
    "5126,\"count\":2,\"type\":\"SCALAR\",\"min\":[0],\"max\":[1]},{\"bufferView\":1,\"componentType\":5126,\"count\":"
    "2,\""
    "type\":\"VEC4\"}],\"animations\":[{\"name\":\"Walk\",\"samplers\":[{\"input\":0,\"output\":1}],\"channels\":[{"
    "\"sample"
    "r\":0,\"target\":{\"node\":0,\"path\":\"rotation\"}}]},{\"name\":\"Run\",\"samplers\":[{\"input\":0,\"output\":1}]"
    ",\"cha"
    "nnels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"rotation\"}}]},{\"name\":\"Wave\",\"samplers\":[{"
    "\"input\":0,"
    "\"output\":1}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"rotation\"}}]}]}";

static const char scene[] =
    "local t = sinew.keep('t', { a = 1, b = { 2 } })\n"
    "local m = sinew.model 'twig.gltf'\n"
    "local h = sinew.actor('h', m, { position = { 1, 2, 3 } })\n"
    "local l = h:layer('l', { mask = { ['Spine/**'] = 1 } })\n"
    "local a = l:play('Wave', { loop = 'once' })\n"
    "h:play 'Walk'\n"
    "h:set_modifiers { sinew.spring { 's', joints = { 'Spine' } },\n"
    "  sinew.modifier { 'f', function(pose) pose:rotate(1, 'y', pose:get(2).scale.x) end } }\n"
    "h.modifiers.s.weight = 0.5\n"
    "sinew.build_model { joints = { { name = 'J' } }, meshes = { { positions = { {0, 0, 0}, {1, "
    "0, 0}, {0, 1, 0} },\n"
    "  indices = { 1, 2, 3 }, weights = { J = { 1, 1, 1 } } } },\n"
    "  clips = { { name = 'C', tracks = { J = { times = { 0 }, scales = { 1, 1, 1 } } } } } }\n"
    "local c = sinew.crowd(m, 3, { graph = 'Walk', params = { v = 1 } })\n"
    "c.x[2] = 3 c.params.v = { 1, 2, 3 }\n"
    "h:root_motion { joint = 'Hips' } h:attach('Spine', m, { name = 'held' })\n"
    "sinew.on('update', function() h.position = h.position + { 0, 0, 1 } t.b[1] = 3 end)\n";
static const char edited[] = "local t = sinew.keep('t', { a = 2, b = { 2 } })\n"
                             "local m = sinew.model 'twig.gltf'\n"
                             "local h = sinew.actor('h', m, { position = { 1, 2, 4 } })\n"
                             "h:play 'Run' sinew.actor('i', m)\n"
                             "h:set_modifiers { sinew.look_at { 'a', chain = { 'Spine' }, target = { h, 'Hips' } } }\n"
                             "local c = sinew.crowd(m, 5, { graph = sinew.blend { { 'Walk', 'w' }, { 'Run', 1 } },\n"
                             "  params = { w = 2 } }) c.z = 2 c.params.w[4] = 1\n"
                             "local n = sinew.model('twig.gltf', { wait = false, exact = true })\n"
                             "local k = sinew.actor('k', n) k:play('Walk').speed = 2\n"
                             "k:layer('z', { mask = n:mask { Spine = 1 } }):play 'Wave'\n"
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
  setenv("SINEW_IMPORT", "in-process", 1); /* what loads in the background is there in the next frame */
  harness_write(h.path, scene);
  char path[128];
  snprintf(path, sizeof path, "%s/twig.gltf", h.folder);
  harness_write(path, model);
  long step = 1;
  for (long n = 1; n < 100000; n += step) {
    if (attempt(&h, n)) {
      assert_true(n > 1000); /* it went through all of them */
      break;
    }
    if (n == 600) step = 7; /* beyond the start of Lua itself, a sample */
  }
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_allocation)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
