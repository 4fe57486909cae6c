/* Many saves of a scene that uses everything, to and fro between two versions: memory stays flat, and the picture at
 * the end is the one at the beginning. SINEW_RELOADS says how many (300). */
#include "harness.h"

#include "base/sanitizers.h"
#include "host/host.h"

#include <limits.h>

#define TOP                                                                                                            \
  "local tween, task, input = require 'sinew.tween', require 'sinew.task', require 'sinew.input'\n"                    \
  "local part = require 'part'\n"                                                                                      \
  "local tune = sinew.keep('tune', { x = 0, deep = { low = 1 }, list = { 1, 2 } })\n"                                  \
  "local man, fox = sinew.model 'hero.glb', sinew.model 'fox.glb'\n"                                                   \
  "local still = { speed = 0, fade = 0 }\n"                                                                            \
  "man:markers('Walk', { { 0.1, 'left' }, { 0.55, 'right', data = 'RightFoot' } })\n"                                  \
  "local hero = sinew.actor('hero', man, { params = { p = 0.3 } })\n"                                                  \
  "hero:on('left', function() end)\n"

static const char one[] =
    TOP "hero:set_graph(sinew.state_machine { start = 'a', states = {\n"
        "  a = sinew.blend_space_1d { param = 'p', speed = 0, { 0, 'Idle' }, { function() return 1 end, 'Walk' } }, b "
        "= 'Run' },\n"
        "  transitions = { { 'a', 'b', on = 'go', when = function() return true end } } })\n"
        "hero:layer('arm', { mask = { ['RightShoulder/**'] = 1 } }):play('Wave', still)\n"
        "hero:layer('breath', { mode = 'additive', weight = 0.5 }):play('Breath', still)\n"
        "hero:set_modifiers { sinew.look_at { 'look', chain = { 'Neck', 'Head' }, target = { 0, 1.6, 4 } },\n"
        "  sinew.ik { 'reach', tip = 'LeftHand', target = { 0.4, 1.2, 0.4 } },\n"
        "  sinew.modifier { 'lean', function(pose) pose:rotate('Spine1', 'z', 0.1) end } }\n"
        "hero.morphs.Smile = 0.5\n"
        "local dog = sinew.actor('dog', fox, { position = { 1, 0, 0 } }) dog:play(fox:clips()[1], still)\n"
        "hero:attach('RightHand', fox, { name = 'held', offset = { scale = { 0.2, 0.2, 0.2 } } })\n"
        "for i = 1, 5 do sinew.actor('extra ' .. i, man, { position = { i - 3, 0, -2 } }):play('Idle', still) end\n"
        "local crowd = sinew.crowd(man, 20, { graph = 'Idle' })\n"
        "input.map { wave = 'e' } task.every(10, function() end)\n"
        "tween.to(tune, 'x', 3, 1)\n"
        "sinew.camera.position = { 0, 1.5, 6 }\n"
        "function sinew.update(dt)\n"
        "  if dt > 0 then sinew.ui.panel('P', function() sinew.ui.slider(tune.deep, 'low', 0, 2) end) end end\n"
        "function sinew.draw() sinew.debug.line({ 0, 0, 0 }, { 0, 2, 0 }) local why = hero:explain 'Head' end\n";

static const char two[] =
    TOP "hero:set_graph(sinew.clip { 'Walk', speed = 0 })\n"
        "hero:layer('arm', { mask = { Head = 1 }, weight = 0.5 }):play('Wave', still)\n"
        "hero:set_modifiers { sinew.spring { 'hair', joints = { 'Ponytail1/**' } } }\n"
        "hero:root_motion { joint = 'Root' }\n"
        "local other = sinew.actor('other', man, { skinning = 'dual_quaternion' })\n"
        "other:play('Run', { loop = 'once', fade_out = 0.2 })\n"
        "local mixed = man:sample('Walk', 0.2):blend(man:rest(), 0.5):mirror()\n"
        "sinew.light.intensity = 2 sinew.view.names = true\n"
        "sinew.on('key_pressed', function() end) sinew.on('draw', function() hero:measure() end)\n"
        "function sinew.update() error 'as it should' end\n";

enum { SIDE = 64 };

/* Draws when a picture is wanted and never else; without OpenGL there is none, and joints alone are compared. */
static sinew_host *open_quiet(harness *h) {
  sinew_host_def def = sinew_host_def_default();
  memset(h, 0, sizeof *h);
  snprintf(h->folder, sizeof h->folder, "/tmp/sinew-test-XXXXXX");
  assert_non_null(mkdtemp(h->folder));
  snprintf(h->path, sizeof h->path, "%s/scene.lua", h->folder);
  def.output = SINEW_OUTPUT_OFFSCREEN;
  def.width = def.height = SIDE;
  def.panels_only = true;
  h->host = sinew_host_create(&def, &h->error);
  if (!h->host) print_message("no pictures: %s\n", h->error.message);
  def.output = SINEW_OUTPUT_NONE, def.panels_only = false;
  if (!h->host) h->host = sinew_host_create(&def, &h->error);
  if (!h->host) fail_msg("%s", h->error.message);
  return h->host;
}

/* In long frames. */
static void wait_seconds(harness *h, int seconds) {
  for (int i = 0; i < seconds; i++) assert_true(sinew_host_step(h->host, 1, &h->error));
}

typedef struct view {
  sinew_mat3x4 joints[128]; /* of the hero */
  uint8_t picture[SIDE * SIDE * 4];
} view;

/* After all that fades, joins and is held has come to rest. */
static void take_view(harness *h, view *v) {
  harness_step(h, 30);
  wait_seconds(h, 12);
  const sinew_stage *stage = sinew_host_stage(h->host);
  sinew_actor hero = sinew_scene_find_actor(h->scene, "hero");
  int count = sinew_model_joint_count(sinew_actor_model(stage, hero));
  assert_in_range(count, 1, 128);
  memset(v, 0, sizeof *v);
  memcpy(v->joints, sinew_actor_joints(stage, hero), (size_t)count * sizeof *v->joints);
  h->host->def.panels_only = false;
  assert_true(sinew_host_step(h->host, 0, &h->error)); /* no panel covers it */
  h->host->def.panels_only = true;
  if (h->host->renderer && !sinew_renderer_read(h->host->renderer, SIDE, SIDE, v->picture, &h->error))
    fail_msg("%s", h->error.message);
}

typedef struct counter {
  long blocks, bytes;
} counter;

/* Counts what is held; each block knows its size. */
static void *counted(void *user, void *pointer, size_t size) {
  counter *c = user;
  size_t *old = pointer ? (size_t *)pointer - 2 : NULL;
  if (old) c->bytes -= (long)*old, c->blocks--;
  if (size == 0) return free(old), NULL;
  size_t *made = realloc(old, size + 2 * sizeof *made);
  assert_non_null(made);
  *made = size;
  c->bytes += (long)size, c->blocks++;
  return made + 2;
}

static long resident(void) {
  long all = 0, pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld %ld", &all, &pages) != 2) pages = 0;
  if (file) fclose(file);
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void reload(harness *h, const char *text) {
  if (!harness_reload(h, text)) fail_msg("%s", h->error.message);
  h->printed[0] = 0;
  harness_step(h, 1);
}

static float joints_differ(const view *a, const view *b) {
  float most = 0;
  for (int i = 0; i < 128; i++)
    for (int k = 0; k < 12; k++) most = fmaxf(most, fabsf(a->joints[i].m[k] - b->joints[i].m[k]));
  return most;
}

/* The mean of all channels, of 255. */
static double pictures_differ(const view *a, const view *b) {
  double sum = 0;
  for (size_t i = 0; i < sizeof a->picture; i++) sum += abs(a->picture[i] - b->picture[i]);
  return sum / sizeof a->picture;
}

static void test_many_saves(void **state) {
  static harness h;
  static view first, last, other;
  char part[128];
  counter c = {0};
  sinew_allocator allocator = {counted, &c};
  sinew_scene_def def = sinew_scene_def_default();
  int count = getenv("SINEW_RELOADS") ? atoi(getenv("SINEW_RELOADS")) : SANITIZES_ADDRESSES ? 90 : 300;
  (void)state;
  open_quiet(&h);
  def.allocator = &allocator;
  snprintf(part, sizeof part, "%s/part.lua", h.folder);
  harness_write(part, "return { value = 1 }\n");
  if (!harness_load(&h, one, &def)) fail_msg("%s", h.error.message);
  take_view(&h, &first);
  reload(&h, two);
  take_view(&h, &other);
  assert_true(joints_differ(&first, &other) > 0.05f);
  assert_true(!h.host->renderer || pictures_differ(&first, &other) > 5);
  counter warm = {0};
  long warm_resident = 0;
  for (int i = 0; i < count; i++) {
    reload(&h, i % 2 ? two : one);
    if (i == count / 3) { /* what is held for a while has been let go of; all rooms have their size */
      wait_seconds(&h, 12);
      warm = c, warm_resident = resident();
    }
  }
  wait_seconds(&h, 12);
  long grown = resident() - warm_resident;
  print_message("%d saves: %ld to %ld bytes in %ld blocks, %+ld KiB resident\n", count, warm.bytes, c.bytes, c.blocks,
                grown);
  assert_true(c.bytes < warm.bytes + warm.bytes / 4); /* garbage that Lua has not collected yet */
  reload(&h, one);
  take_view(&h, &last);
  assert_true(joints_differ(&first, &last) < 1e-4f);
  assert_true(pictures_differ(&first, &last) < 0.1);
  harness_close(&h);
  assert_int_equal(c.blocks, 0);
  assert_int_equal(c.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_many_saves)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
