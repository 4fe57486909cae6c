/* Every allocation of a scene fails once in turn: at load, in a frame, at a reload. An error each time, no crash, no
 * leak (the sanitizer build sees to that), and the next load is fine. */
#include "harness.h"

enum { DENSE = 300, SAMPLE = 31 };

typedef struct failing {
  long count, fail_at; /* fail_at 0: never */
  long blocks;         /* that are held */
} failing;

static void *reallocate(void *user, void *pointer, size_t size) {
  failing *f = user;
  if (size == 0) {
    f->blocks -= pointer != NULL;
    free(pointer);
    return NULL;
  }
  if (++f->count == f->fail_at) return NULL;
  f->blocks += pointer == NULL;
  return realloc(pointer, size);
}

/* A chain of four joints and three clips: small enough to be read some thousand times. */
static const char model[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"Hips\","
    "\"children\":[1]},{\"name\":\"Spine\",\"translation\":[0,1,0],\"children\":[2]},{\"name\":\"Arm\","
    "\"translation\":[0,1,0],\"children\":[3]},{\"name\":\"Hand\",\"translation\":[0,1,0.1]}],\"buffers\":[{"
    "\"byteLength\":40,\"uri\":\"data:application/octet-stream;base64,AAAAAAAA"
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

/* Its module, with the functions of Sinew's modules. */
static const char part[] =
    "local task, camera, input = require 'sinew.task', require 'sinew.camera', require 'sinew.input'\n"
    "local random, vec, part = require 'sinew.random', require 'sinew.vec', { value = 1 }\n"
    "function part.use(h)\n"
    "task.run(function() task.wait_until(function() return task.count() > 9 end) end):cancel()\n"
    "task.after(9, print) task.every(9, print) camera.follow(h) camera.orbit(h) camera.fly() camera.stop()\n"
    "camera.flat(1, camera.yaw()) input.on('wave', print) input.axis('wave', 'wave')\n"
    "local dice = random.new(1) dice:number(0, dice:integer(1, 2)) dice:chance(0.5) dice:choice(dice:shuffle { 1 })\n"
    "local x, y, z, w = vec.axis_angle(0, 1, 0, vec.turn(0, vec.heading(0, 1))) vec.conjugate(x, y, z, w)\n"
    "vec.rotate(x, y, z, w, vec.cross(1, 0, 0, 0, 0, vec.dot(1, 0, 0, 1, 0, 0))) vec.limit(1, 0, 0, 1)\n"
    "vec.mul(x, y, z, w, vec.nlerp(x, y, z, w, 0, 0, 0, 1, 0.5)) vec.normalize(0, vec.distance(0, 0, 0, 0, 0, 1), "
    "vec.length(1, 0, 0))\n"
    "end\n"
    "return part\n";

/* Together they name every function that a scene has and a run without pictures can call. */
static const char scene[] =
    "local tween, task, input = require 'sinew.tween', require 'sinew.task', require 'sinew.input'\n"
    "local machine = require 'sinew.machine'\n"
    "local part = require 'part'\n"
    "sinew.forget 'u' local t = sinew.keep('t', { a = 1, b = { 2 } })\n"
    "local m = sinew.model 'twig.gltf'\n"
    "m:markers('Walk', { { 0.01, 'left', sync = true, data = 'foot' } })\n"
    "local h = sinew.actor('h', m, { position = { 1, 2, 3 }, params = { p = 0.3 } })\n"
    "h:on('left', function(event) t.heard = event.name end) h:on('*', print)\n"
    "local l = h:layer('l', { mask = { ['Spine/**'] = 1 }, reference = m:rest() })\n"
    "local a = l:play('Wave', { loop = 'once' })\n"
    "h:set_graph(machine { start = 'a', states = {\n"
    "  a = sinew.blend_space_1d { param = 'p', { 0, 'Walk' }, { function() return 1 end, 'Run' } },\n"
    "  b = sinew.switch { param = 'p', 'Run', sinew.blend_space_2d { param_x = 'p', param_y = 'p',\n"
    "    { 0, 0, 'Walk' }, { 1, 0, 'Run' }, { 0, 1, sinew.clip { 'Wave' } } } } },\n"
    "  'a -> b: on go, fade 0.1', { 'b -> a', when = function() return false end } })\n"
    "h:set_modifiers { sinew.spring { 's', joints = { 'Spine' } }, sinew.limit { 'm', joint = 'Arm', swing = 1 },\n"
    "  sinew.ik { 'i', tip = 'Hand', target = { 0, 1, 1 } }, sinew.chain { 'c', root = 'Spine', tip = 'Hand' },\n"
    "  sinew.copy_transform { 'y', joint = 'Hand', source = 'Spine' }, sinew.twist { 'w', joint = 'Arm', "
    "source = 'Arm' },\n"
    "  sinew.modifier { 'f', function(pose) pose:rotate(1, 'y', pose:get(2).scale.x) end } }\n"
    "h.modifiers.s.weight = 0.5\n"
    "sinew.build_model { joints = { { name = 'J' } }, meshes = { { positions = { {0, 0, 0}, {1, 0, 0}, {0, 1, 0} },\n"
    "  indices = { 1, 2, 3 }, weights = { J = { 1, 1, 1 } }, morphs = { M = { 0, 0, 1, 0, 0, 0, 0, 0, 0 } } } },\n"
    "  clips = { { name = 'C', tracks = { J = { times = { 0 }, scales = { 1, 1, 1 } } } } } }\n"
    "local c = sinew.crowd(m, 3, { graph = 'Walk', params = { v = 1 } })\n"
    "c.x[2] = 3 c.params.v = { 1, 2, 3 } c.y:set { 1, 2 } c.y:read() c:place(1, 0, 0, 0) c:tint(1, 1, 0, 0)\n"
    "m:curve('Walk', 'v', { { 0, 1 } }) h:curve 'v' m:curves 'Walk'\n"
    "local mo = h:motor { braking = 9, level = sinew.level { { 'f', box = { 9, 1, 9 } }, { 's', sphere = 1 } } }\n"
    "sinew.on('draw', function() mo:jump(1) sinew.raycast({ 0, 9, 0 }, { 0, 0, 0 }) sinew.ground(0, 0) end)\n"
    "h:root_motion { joint = 'Hips' } m:roles() h:attach('Spine', m, { name = 'held' })\n"
    "input.map { wave = 'e' } tween.to(t, 'a', 3, 1) sinew.camera.fov, sinew.view.names = 1, true\n"
    "task.run(function() task.wait(0.01) h:wait 'left' a:wait 'finish' end)\n"
    "part.use(h)\n"
    "sinew.on('update', function(dt) h.position = h.position + { 0, 0, 1 } t.b[1] = 3\n"
    "  local p, q = m:sample('Walk', 0.2), m:rest()\n"
    "  q:set(2, p:get(2)) q:write(p:read()) q:take(p:blend(q, 0.5, { Hand = 1 }), 0.5) p:add(q, m:rest()) q:mirror()\n"
    "  pcall(p.ik, p, 'Hand', { 0, 1, 0 }) p:compare(h:pose()) p:retarget(m) m:match(m) m:velocity 'Walk'\n"
    "  p:save 'one.pose' sinew.load_pose('one.pose', m)\n"
    "  h:explain 'Hand' h:events() h:measure() h:joint 'Hand' h:state() h:history() h:playing() h:transition() "
    "h:root_delta() h:bounds() h:send 'go'\n"
    "  sinew.clamp(1, 2, 3) sinew.lerp({ 0 }, { 1 }, 0.5) sinew.damp(sinew.vec3(1, 2, 3), { 0, 0, 0 }, 1, dt)\n"
    "  sinew.log(sinew.is_down 'w', sinew.strength 'left_trigger', sinew.mouse(), sinew.wheel(), sinew.help "
    "'actor.play' ~= nil)\n"
    "  c:joint(1, 'Hand') c:resize(4) if a.done then a:seek(0, true) a:stop(0.1) end\n"
    "  l:fade(0.5, 1) l:set_mask({ Hand = 1 }, 0.1) table.concat(m:clips(), (string.gsub('a b', '%a+', '%0')))\n"
    "  coroutine.wrap(function() pcall(error, 'e') coroutine.yield(load 'return 1'()) end)()\n"
    "end)\n"
    "function sinew.draw() local ui = sinew.ui\n"
    "  ui.panel('P', function() ui.slider(t, 'a', 0, 2) ui.checkbox('c', true) ui.drag(t, 'a') ui.color('k', { 1, 1, 1 "
    "})\n"
    "    ui.combo('o', 'x', { 'x' }) ui.plot('n', { 1 }) ui.button 'b' ui.text 't' ui.separator() ui.timeline('l', 1, "
    "2) end)\n"
    "  ui.tree('r', function() end) ui.tabs('s', { { 'one', function() end } })\n"
    "  sinew.debug.skeleton(h) sinew.debug.line({ 0, 0, 0 }, { 0, 2, 0 }) sinew.debug.text(1, 1, 'text') end\n"
    "function sinew.key_pressed(key) h:play('Run', { fade = 0.1 }) h:detach() end\n"
    "function sinew.test() sinew.check(true) sinew.simulate { seconds = 0.05, keys = { { 0, 'e' } } } end\n";
static const char edited[] = "local t = sinew.keep('t', { a = 2, b = { 2 } })\n"
                             "local m, none = sinew.model 'twig.gltf', sinew.try_model 'none.glb'\n"
                             "local h = sinew.actor('h', m, { position = { 1, 2, 4 } })\n"
                             "h:play 'Run' sinew.actor('i', m)\n"
                             "h:set_modifiers { sinew.look_at { 'a', chain = { 'Spine' }, target = { h, 'Hips' } } }\n"
                             "local c = sinew.crowd(m, 5, { graph = sinew.blend { { 'Walk', 'w' }, { 'Run', 1 } },\n"
                             "  params = { w = 2 } }) c.z = 2 c.params.w[4] = 1\n"
                             "local n = sinew.model('twig.gltf', { wait = false, exact = true })\n"
                             "local k = sinew.actor('k', n) k:play('Walk').speed = 2\n"
                             "sinew.crowd(n, 2, { name = 'late' }).x = 1\n"
                             "k:layer('z', { mask = n:mask { Spine = 1 } }):play 'Wave'\n"
                             "function sinew.update() h.rotation = t.a n:wait() n:joints() n:morphs() n:meshes()\n"
                             "  n:duration 'Walk' k:clear_graph() k:stop(0.1) if sinew.actor 'i' then h:remove() end\n"
                             "  c:remove() sinew.report 'as it should' end\n";

/* A key, a scene's own test, a draw. */
static void use(harness *h) {
  harness_step(h, 2);
  harness_key(h, "e");
  harness_step(h, 1);
}

/* Runs load, frames, reload, frame with the n-th allocation failing; true where the n-th was never reached. */
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
    use(h);
    if (!sinew_scene_test(h->scene, NULL, &h->error)) assert_true(n > 0 && h->error.message[0]);
    if (n == 0 && sinew_scene_problem(h->scene)) fail_msg("%s", sinew_scene_problem(h->scene));
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
  assert_int_equal(f.blocks, 0);
  assert_int_equal(sinew_stage_actor_count(sinew_host_stage(h->host)), 0);
  return n == 0 || f.count < n;
}

static void open_all(harness *h) {
  char path[128];
  harness_open_host(h);
  setenv("SINEW_IMPORT", "in-process", 1); /* what loads in the background is there in the next frame */
  snprintf(path, sizeof path, "%s/twig.gltf", h->folder);
  harness_write(path, model);
  snprintf(path, sizeof path, "%s/part.lua", h->folder);
  harness_write(path, part);
}

static void the_scene_is_right_and_names_every_function(void **state) {
  /* Functions that other tests call, or that the modules call for the scene. */
  static const char *const elsewhere[] = {"quit",  "record", "bake",  "vertices",   "expect_pose",
                                          "plant", "warp",   "go_to", "find_steps", "state_machine"};
  harness h;
  sinew_api_info info;
  (void)state;
  open_all(&h);
  attempt(&h, 0);
  harness_close(&h);
  for (int i = 0; sinew_scene_api(i, &info); i++) {
    bool named = strstr(scene, info.name) || strstr(part, info.name) || strstr(edited, info.name);
    for (size_t k = 0; k < sizeof elsewhere / sizeof *elsewhere; k++) named |= !strcmp(info.name, elsewhere[k]);
    if ((!strcmp(info.kind, "function") || !strcmp(info.kind, "method")) && !named)
      fail_msg("%s.%s is called by no scene here", info.owner, info.name);
  }
}

/* SINEW_EVERY_ALLOCATION: each one; else all of the first and a sample of the rest. */
static void test_each_allocation(void **state) {
  harness h;
  const bool every = getenv("SINEW_EVERY_ALLOCATION");
  long n = 1;
  (void)state;
  open_all(&h);
  while (!attempt(&h, n)) n += every || n < DENSE ? 1 : SAMPLE;
  print_message("%ld allocations%s\n", n, every ? ", each failed" : "");
  assert_true(n > 3000); /* it went through all of them */
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_scene_is_right_and_names_every_function),
                                     cmocka_unit_test(test_each_allocation)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
