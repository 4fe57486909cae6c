/* Models that come while the scene goes on. The importer is held at a gate (a pipe) until a test opens it, so that
 * nothing here depends on how long an import takes. */
#include "watched.h"

#include <sinew/crowd.h>
#include <sinew/graph.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

static char gate[128], script[128];

/* Writes a program that replaces the importer: it waits for the gate, or for a moment, and then runs the importer. */
static void write_importer(const harness *h, const char *wait) {
  char text[600], program[300];
  const char *sinew = getenv("SINEW_PROGRAM");
  if (!sinew) sinew = SINEW_SOURCE "/build/release/sinew";
  snprintf(program, sizeof program, "%.*s", (int)(strrchr(sinew, '/') + 1 - sinew), sinew);
  snprintf(gate, sizeof gate, "%s/gate", h->folder);
  snprintf(script, sizeof script, "%s/importer", h->folder);
  snprintf(text, sizeof text, "#!/bin/sh\n%s%s\nexec '%ssinew-import' \"$@\"\n", wait, wait[0] == 'r' ? gate : "",
           program);
  harness_write(script, text);
  assert_int_equal(chmod(script, 0700), 0);
  if (wait[0] == 'r') assert_int_equal(mkfifo(gate, 0600), 0);
  setenv("SINEW_CACHE", "off", 1);
  setenv("SINEW_IMPORT", script, 1);
}

static void hold_imports(harness *h) { write_importer(h, "read line < "); }

/* Lets one import go on. */
static void open_gate(void) {
  FILE *file = fopen(gate, "w"); /* waits for the reader */
  assert_non_null(file);
  fputs("go\n", file);
  fclose(file);
}

/* A scene whose models come when the gate is opened. */
static void open_held(harness *h, const char *text) {
  harness_open_host(h);
  hold_imports(h);
  if (!harness_load(h, text, NULL)) fail_msg("%s", h->error.message);
}

static void let_go(void) { unsetenv("SINEW_IMPORT"); }

static int joints_of(const harness *h, const char *name) {
  sinew_actor actor = sinew_scene_find_actor(h->scene, name);
  return sinew_model_joint_count(sinew_actor_model(sinew_host_stage(h->host), actor));
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Frames until the actor has joints: the frame in which its model came is the last. How long that takes is for ctest's
 * time limit to say. */
static void step_until_there(harness *h, const char *name) {
  for (harness_step(h, 1); joints_of(h, name) <= 1; harness_step(h, 1)) pause_for(0.005);
}

/* ---- what is asked of a model that is not there ---- */

static const char body[] = "local hero = sinew.actor('hero', man, { position = { 1, 0, 0 } })\n"
                           "local walk = hero:play('Walk', { fade = 0.1 })\n"
                           "local arm = hero:layer('arm', { mask = man:mask { ['RightShoulder/**'] = 1 } })\n"
                           "local wave = arm:play('Wave', { loop = 'once' })\n"
                           "hero:layer('breath', { mode = 'additive', weight = 0.6 }):play('Breath')\n"
                           "walk.speed = 1.5\n"
                           "hero.morphs.Smile = 0.5\n";

static void take_joints(const harness *h, sinew_mat3x4 joints[128]) {
  sinew_actor hero = sinew_scene_find_actor(h->scene, "hero");
  assert_true(joints_of(h, "hero") <= 128);
  memcpy(joints, sinew_actor_joints(sinew_host_stage(h->host), hero),
         (size_t)joints_of(h, "hero") * sizeof(sinew_mat3x4));
}

static void what_was_asked_is_done_when_the_model_comes(void **state) {
  (void)state;
  static sinew_mat3x4 plain[128], late[128];
  char text[4096];
  harness a, b;
  snprintf(text, sizeof text, "local man = sinew.model 'hero.glb'\n%s", body);
  harness_open(&a, text);
  harness_step(&a, 31);
  take_joints(&a, plain);

  harness_open_host(&b);
  hold_imports(&b);
  snprintf(
      text, sizeof text,
      "local man = sinew.model('hero.glb', { wait = false })\n%s"
      "function sinew.update() print(man.loaded, #man:clips(), walk.done, walk.time, arm.weight, hero:joint 'Head')"
      " end",
      body);
  if (!harness_load(&b, text, NULL)) fail_msg("%s", b.error.message);
  harness_step(&b, 20);
  assert_int_equal(joints_of(&b, "hero"), 1);
  assert_null(sinew_scene_problem(b.scene));
  harness_expect(b.printed, "false\t0\tfalse\t0\t0\t{1, 0, 0}\n");
  b.printed[0] = 0;
  open_gate();
  step_until_there(&b, "hero");
  harness_step(&b, 30);
  assert_null(sinew_scene_problem(b.scene));
  const char *last = strrchr(b.printed, '{');
  assert_non_null(last);
  harness_expect(b.printed, "true\t");
  assert_null(strstr(last, "{1, 0, 0}"));
  take_joints(&b, late);
  assert_memory_equal(plain, late, (size_t)joints_of(&b, "hero") * sizeof *late);
  sinew_actor hero = sinew_scene_find_actor(b.scene, "hero");
  const sinew_stage *stage = sinew_host_stage(b.host);
  assert_true(sinew_actor_morph(stage, hero, "Smile") == 0.5f);
  assert_true(sinew_actor_transform(stage, hero).translation.x == 1.0f);

  /* They are declarations: a save that says the same changes nothing. */
  sinew_play_def before, after;
  assert_true(sinew_action_read_state(stage, sinew_actor_action(stage, hero, 0, 0), &before));
  assert_true(harness_reload(&b, text));
  harness_expect(sinew_scene_summary(b.scene), "nothing declared has changed");
  assert_int_equal(sinew_actor_action_count(stage, hero, 0), 1);
  assert_true(sinew_action_read_state(stage, sinew_actor_action(stage, hero, 0, 0), &after));
  assert_true(before.time == after.time && before.speed == 1.5);
  let_go();
  harness_close(&a);
  harness_close(&b);
}

/* Commands that had to wait for a model lock the stage like those that run at once. */
static void what_is_done_late_keeps_the_lock_closed(void **state) {
  (void)state;
  harness h;
  open_held(&h, "local man = sinew.model('hero.glb', { wait = false })\n"
                "local hero, asked = sinew.actor('hero', man, { params = { at = 0 } })\n"
                "hero:set_graph(sinew.blend_space_1d { param = 'at', { function()\n"
                "  if not asked then asked = true print(pcall(hero.clear_graph, hero)) end return 0 end, 'Idle' },\n"
                "  { 1, 'Walk' } })\n");
  harness_step(&h, 2);
  assert_string_equal(h.printed, "");
  open_gate();
  step_until_there(&h, "hero");
  harness_step(&h, 2);
  harness_expect(h.printed, "false\tactor:clear_graph: another function of sinew is running");
  let_go();
  harness_close(&h);
}

/* Each says its own line, and those around it are done. */
static void a_wrong_name_is_said_with_its_line(void **state) {
  (void)state;
  harness h;
  open_held(&h, "local man = sinew.model('hero.glb', { wait = false })\n"
                "local hero = sinew.actor('hero', man)\n"
                "hero:play 'Idle'\n"
                "local over = hero:layer('over', { mask = { Heed = 1 } })\n"
                "over:play 'Wave'\n"
                "hero:layer('fine', {}):play 'Wave'\n");
  harness_step(&h, 5);
  assert_null(sinew_scene_problem(h.scene));
  open_gate();
  step_until_there(&h, "hero");
  harness_expect(sinew_scene_problem(h.scene), "scene.lua:4: no joint 'Heed' in hero.glb; did you mean 'Head'?");
  harness_expect(sinew_host_problem(h.host, 9), "this layer has been removed");
  harness_expect(sinew_host_problem(h.host, 9), ">    5  over:play 'Wave'");
  sinew_actor hero = sinew_scene_find_actor(h.scene, "hero");
  const sinew_stage *stage = sinew_host_stage(h.host);
  assert_int_equal(sinew_actor_action_count(stage, hero, 0), 1);
  assert_int_equal(sinew_actor_layer_count(stage, hero), 2);
  assert_int_equal(sinew_actor_action_count(stage, hero, 1), 1);
  assert_true(harness_reload(&h, "sinew.actor('hero', sinew.model('hero.glb', { wait = false })):play 'Idle'"));
  assert_null(sinew_host_problem(h.host, 9));
  assert_null(sinew_scene_problem(h.scene));
  let_go();
  harness_close(&h);
}

/* An actor made in a callback, steered every frame, saved over twice, removed: whatever happens meanwhile. */
static void a_scene_may_do_anything_meanwhile(void **state) {
  (void)state;
  static const char text[] =
      "function sinew.update()\n"
      "  if sinew.frame == 3 then\n"
      "    man = sinew.model('hero.glb', { wait = false })\n"
      "    late = sinew.actor('late', man) run = late:play('Run', { weight = 1 })\n"
      "    gone = sinew.actor('gone', man) gone:play 'Walk'\n"
      "  end\n"
      "  if run then run.weight = sinew.frame run.time = 0.25 late.morphs.Smile = sinew.frame end\n"
      "  if sinew.frame == 6 then gone:remove() end\n"
      "end\n";
  harness h;
  harness_open_host(&h);
  hold_imports(&h);
  assert_true(harness_load(&h, text, NULL));
  harness_step(&h, 10);
  if (sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
  assert_true(harness_reload(&h, "-- what was made at run time stays\nprint(sinew.actor('late').position)"));
  assert_true(harness_reload(&h, "-- and again\nsinew.actor('late'):play('Idle', { weight = 2 })"));
  assert_int_equal(joints_of(&h, "late"), 1);
  open_gate();
  step_until_there(&h, "late");
  if (sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
  sinew_stage *stage = sinew_host_stage(h.host);
  sinew_actor late = sinew_scene_find_actor(h.scene, "late");
  assert_int_equal(sinew_stage_actor_count(stage), 1);
  assert_int_equal(sinew_actor_action_count(stage, late, 0), 2);
  bool found = false;
  for (int i = 0; i < 2; i++) {
    sinew_play_def action;
    assert_true(sinew_action_read_state(stage, sinew_actor_action(stage, late, 0, i), &action));
    found = found || (action.weight == 10.0f && fabs(action.time - 0.25 - 1.0 / 60) < 1e-9);
  }
  assert_true(found);
  assert_true(sinew_actor_morph(stage, late, "Smile") == 10.0f);
  let_go();
  harness_close(&h);
}

static void a_save_while_the_model_comes_asks_once(void **state) {
  (void)state;
  harness h;
  open_held(&h, "man = sinew.model('hero.glb', { wait = false }) sinew.actor('hero', man):play 'Walk'");
  harness_step(&h, 2);
  sinew_actor hero = sinew_scene_find_actor(h.scene, "hero");
  assert_true(harness_reload(&h, "man = sinew.model('hero.glb', { wait = false })\n"
                                 "sinew.actor('hero', man):play 'Run'\n"
                                 "other = sinew.actor('other', sinew.model('hero.glb', { wait = false }))"));
  assert_int_equal(sinew_scene_find_actor(h.scene, "hero").id, hero.id);
  assert_false(harness_reload(&h, "man = sinew.model('hero.glb', { wait = false }) error 'no'"));
  open_gate(); /* one import, for there is no second that would open it */
  step_until_there(&h, "hero");
  assert_int_equal(joints_of(&h, "other"), joints_of(&h, "hero"));
  const sinew_stage *stage = sinew_host_stage(h.host);
  hero = sinew_scene_find_actor(h.scene, "hero");
  sinew_play_def action;
  assert_int_equal(sinew_actor_action_count(stage, hero, 0), 1);
  assert_true(sinew_action_read_state(stage, sinew_actor_action(stage, hero, 0, 0), &action));
  assert_int_equal(action.clip, sinew_model_find_clip(sinew_actor_model(stage, hero), "Run"));
  let_go();
  harness_close(&h);
}

/* A graph waits as clips do; parameters are numbers of the actor's own, and keep what they have become. */
static void a_graph_comes_with_its_model(void **state) {
  (void)state;
  static const char text[] =
      "local man = sinew.model('hero.glb', { wait = false })\n"
      "local hero = sinew.actor('hero', man, { params = { speed = 1.5 } })\n"
      "hero:set_graph(sinew.blend_space_1d { param = 'speed', { 0, 'Idle' }, { 1.6, 'Walk' }, { 4, 'Run' } })\n"
      "function sinew.update() if sinew.frame == 2 then hero.params.speed = 3 end end\n"
      "function sinew.draw() print(hero.params.speed) end\n";
  harness h;
  open_held(&h, text);
  harness_step(&h, 4);
  open_gate();
  step_until_there(&h, "hero");
  assert_true(harness_reload(&h, text));
  h.printed[0] = 0;
  harness_step(&h, 1);
  if (sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
  assert_string_equal(h.printed, "3.0\n");
  assert_true(sinew_actor_has_graph(sinew_host_stage(h.host), sinew_scene_find_actor(h.scene, "hero"), 0));
  let_go();
  harness_close(&h);
}

static const char crowds[] =
    "local man = sinew.model('hero.glb', { wait = false })\n"
    "local many = sinew.crowd(man, 5, { params = { speed = 1.4 }, graph = sinew.blend_space_1d { param = 'speed', "
    "{ 0, 'Idle' }, { 1.4, 'Walk' } } })\n"
    "many.x = { 1, 2, 3, 4, 5 }\n"
    "many.phase[2] = 0.5\n"
    "function sinew.update()\n"
    "  if sinew.frame == 3 then\n"
    "    many.params.speed[3], many.x[4] = 0, 40\n"
    "    late = sinew.crowd(man, 2, { name = 'late', graph = 'Run' })\n"
    "    late.phase[1] = 0.25\n"
    "    late:resize(3)\n"
    "    print(pcall(function() return many.morphs.Smile end))\n"
    "  end\n"
    "  print(many:joint(4, 'Head'), many.phase[2], many.count, many.x[2])\n"
    "end\n";

static sinew_crowd_characters members_of(const harness *h, int crowd) {
  const sinew_stage *stage = sinew_host_stage(h->host);
  return sinew_crowd_view(stage, sinew_stage_crowd(stage, crowd));
}

static void step_until_crowds(harness *h, int count) {
  while (sinew_stage_crowd_count(sinew_host_stage(h->host)) < count) {
    harness_step(h, 1);
    pause_for(0.005);
  }
  assert_int_equal(sinew_stage_crowd_count(sinew_host_stage(h->host)), count);
}

/* Nothing of it is on the stage until then; what it was told meanwhile is what it is. A save in between asks once. */
static void a_crowd_comes_with_its_model(void **state) {
  (void)state;
  harness h;
  open_held(&h, crowds);
  harness_step(&h, 6);
  const sinew_stage *stage = sinew_host_stage(h.host);
  assert_int_equal(sinew_stage_crowd_count(stage), 0);
  if (sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
  harness_expect(h.printed, "has no morphs until its model is loaded");
  harness_expect(h.printed, "{40, 0, 0}\t0.5\t5\t2.0\n");
  assert_false(harness_reload(&h, "local man = sinew.model('hero.glb', { wait = false }) error 'no'"));
  assert_true(harness_reload(&h, crowds));
  harness_expect(sinew_scene_summary(h.scene), "nothing declared has changed");
  open_gate();
  step_until_crowds(&h, 2);
  if (sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
  sinew_crowd_characters many = members_of(&h, 0), late = members_of(&h, 1);
  const sinew_model *model = sinew_crowd_model(stage, sinew_stage_crowd(stage, 0));
  double walk = sinew_clip_duration(sinew_model_clip(model, sinew_model_find_clip(model, "Walk")));
  double run = sinew_clip_duration(sinew_model_clip(model, sinew_model_find_clip(model, "Run")));
  assert_true(late.count == 3 && many.count == 5 && many.visible[0] && many.visible[4]);
  assert_true(many.transform[1].translation.x == 2 && many.transform[3].translation.x == 40);
  assert_true(many.slots[0].weight[2] == 1 && many.slots[1].weight[2] == 0 && many.slots[1].weight[1] == 1);
  assert_true(fabs(many.slots[1].time[1] - walk / 2) < 0.05 && fabs(many.slots[1].time[0]) < 0.05);
  assert_true(fabs(late.slots[0].time[0] - run / 4) < 0.05 && fabs(late.slots[0].time[2]) < 0.05);
  assert_true(harness_reload(&h, crowds));
  harness_expect(sinew_scene_summary(h.scene), "nothing declared has changed");
  assert_true(members_of(&h, 0).transform[3].translation.x == 40);
  let_go();
  harness_close(&h);
}

static void what_a_crowd_cannot_play_is_said_with_its_line_when_its_model_comes(void **state) {
  (void)state;
  harness h;
  open_held(&h, "local man = sinew.model('hero.glb', { wait = false })\n"
                "sinew.crowd(man, 2, { graph = 'Rum' })\n"
                "sinew.crowd(man, 2, { graph = 'Run' })\n");
  harness_step(&h, 3);
  assert_null(sinew_scene_problem(h.scene));
  open_gate();
  step_until_crowds(&h, 1);
  harness_expect(sinew_scene_problem(h.scene), "scene.lua:2: no clip 'Rum' in hero.glb; did you mean 'Run'?");
  assert_true(harness_reload(&h, "sinew.crowd(sinew.model('hero.glb', { wait = false }), 2, { graph = 'Run' })"));
  harness_step(&h, 2);
  assert_int_equal(members_of(&h, 0).count, 2);
  let_go();
  harness_close(&h);
}

/* ---- failures, waits ---- */

static void a_model_that_cannot_be_read_is_said_and_the_scene_goes_on(void **state) {
  (void)state;
  harness h;
  char path[128];
  open_watched(&h);
  snprintf(path, sizeof path, "%s/own.glb", h.folder);
  harness_write(path, "glTF and no more");
  setenv("SINEW_CACHE", "off", 1);
  static const char text[] = "local man = sinew.model('own.glb', { wait = false })\n"
                             "local hero = sinew.actor('hero', man)\n"
                             "hero:play 'Walk'\n"
                             "function sinew.update() print(man.loaded, man.problem) hero:play 'Run' end\n";
  if (!harness_load(&h, text, NULL)) fail_msg("%s", h.error.message);
  while (!strstr(h.printed, "own.glb")) harness_step(&h, 1), pause_for(0.005);
  harness_expect(h.printed, "own.glb");
  harness_step(&h, 5);
  assert_null(sinew_scene_problem(h.scene));
  assert_int_equal(joints_of(&h, "hero"), 1);
  copy_asset(&h, "hero.glb", "own.glb");
  step_until_there(&h, "hero");
  assert_null(sinew_scene_problem(h.scene));
  h.printed[0] = 0;
  harness_step(&h, 1);
  assert_string_equal(h.printed, "true\tnil\n");
  harness_close(&h);
}

static void waiting_for_several_waits_once_for_each(void **state) {
  (void)state;
  harness h;
  harness_open_host(&h);
  setenv("SINEW_CACHE", "off", 1);
  assert_true(harness_load(&h,
                           "local a = sinew.model('hero.glb', { wait = false })\n"
                           "local early = sinew.actor('early', a) early:play 'Walk'\n"
                           "local b = sinew.model('hero_extra.glb', { wait = false })\n"
                           "assert(a:wait() == a and a.loaded and #a:clips() > 3)\n"
                           "assert(b:wait().loaded)\n"
                           "assert(sinew.model 'hero.glb' == a)\n"
                           "sinew.actor('hero', a):play 'Walk'\n",
                           NULL));
  assert_true(joints_of(&h, "hero") > 1);
  harness_step(&h, 2);
  assert_true(joints_of(&h, "early") > 1);
  assert_null(sinew_scene_problem(h.scene));
  const sinew_stage *stage = sinew_host_stage(h.host);
  assert_int_equal(sinew_actor_action_count(stage, sinew_scene_find_actor(h.scene, "early"), 0), 1);
  harness_close(&h);
}

static sinew_host *watched_host;
static char seen[256];

static void look_once(void) {
  const char *progress = sinew_host_progress(watched_host);
  if (progress && !seen[0]) snprintf(seen, sizeof seen, "%s", progress);
  int file = seen[0] ? open(gate, O_WRONLY | O_NONBLOCK) : -1; /* nobody reads it yet: the next time */
  if (file < 0) return;
  seen[0] = (char)(write(file, "go\n", 3) == 3 ? seen[0] : '?');
  close(file);
}

/* The interrupted code continues with its own errno. */
static void look(int signal) {
  (void)signal;
  int before = errno;
  look_once();
  errno = before;
}

/* The frame stands still meanwhile, so a clock looks. */
static void a_long_wait_is_said_on_the_picture(void **state) {
  (void)state;
  harness h;
  harness_open_host(&h);
  hold_imports(&h);
  watched_host = h.host;
  signal(SIGALRM, look);
  setitimer(ITIMER_REAL, &(struct itimerval){{0, 50000}, {0, 50000}}, NULL);
  bool loaded = harness_load(&h, "sinew.model 'hero.glb'", NULL);
  setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
  let_go();
  assert_true(loaded);
  harness_expect(seen, "hero.glb is being imported: ");
  assert_null(sinew_host_progress(h.host));
  harness_close(&h);
}

static void a_long_load_behind_is_said_on_the_picture(void **state) {
  (void)state;
  harness h;
  double began = now();
  open_held(&h, "sinew.actor('hero', sinew.model('hero.glb', { wait = false }))");
  harness_step(&h, 1);
  const char *early = sinew_host_progress(h.host);
  if (now() - began < 0.4) assert_null(early); /* on a busy machine it may be late already */
  pause_for(0.6);
  harness_step(&h, 1);
  harness_expect(sinew_host_progress(h.host), "hero.glb is being imported: ");
  open_gate();
  step_until_there(&h, "hero");
  harness_step(&h, 1);
  assert_null(sinew_host_progress(h.host));
  let_go();
  harness_close(&h);
}

/* Esc comes while the script stands still: the queue has it before the next frame. */
static void escape_ends_a_wait(void **state) {
  (void)state;
  harness h;
  harness_open_host(&h);
  hold_imports(&h);
  sinew_host_send_key(h.host, "escape", true);
  assert_true(harness_load(&h,
                           "local model, why = sinew.try_model 'hero.glb'\n"
                           "assert(not model and why == 'hero.glb: its import was cancelled', why)",
                           NULL));
  let_go();
  assert_null(sinew_host_progress(h.host));
  harness_close(&h);
}

static void escape_ends_loads_behind(void **state) {
  (void)state;
  harness h;
  open_held(&h,
            "local model = sinew.model('hero.glb', { wait = false })\n"
            "sinew.actor('hero', model)\n"
            "function sinew.update() if model.problem then print(model.problem) end end");
  harness_key(&h, "escape"); /* nothing is said yet: it goes on */
  pause_for(0.6);
  harness_step(&h, 2);
  assert_non_null(sinew_host_progress(h.host));
  assert_string_equal(h.printed, "");
  harness_key(&h, "escape");
  harness_step(&h, 2);
  assert_null(sinew_host_progress(h.host));
  harness_expect(h.printed, "hero.glb: its import was cancelled");
  let_go();
  harness_close(&h);
}

/* Its replay waits as the run did: what the run began is not missing because it had not come yet. */
static void a_recording_may_end_while_a_model_comes(void **state) {
  (void)state;
  harness h;
  char log[128];
  harness_open_host(&h);
  hold_imports(&h);
  snprintf(log, sizeof log, "%s/run.rec", h.folder);
  harness_use_log(&h, log, false);
  if (!harness_load(&h,
                    "local sinew = require 'sinew'\n"
                    "local man = sinew.model('hero.glb', { wait = false })\n"
                    "sinew.actor('hero', man)\n"
                    "function sinew.update() if sinew.frame == 20 then print(man.loaded) end end\n",
                    NULL))
    fail_msg("%s", h.error.message);
  harness_step(&h, 30);
  sinew_scene_destroy(h.scene);
  h.printed[0] = '\0';
  harness_open_replay(&h, log);
  if (!sinew_host_run(h.host, &h.error)) fail_msg("%s", h.error.message);
  assert_null(sinew_scene_problem(h.scene));
  assert_int_equal(sinew_host_frame(h.host), 30);
  assert_string_equal(h.printed, "false\n");
  let_go();
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_was_asked_is_done_when_the_model_comes),
      cmocka_unit_test(what_is_done_late_keeps_the_lock_closed),
      cmocka_unit_test(a_wrong_name_is_said_with_its_line),
      cmocka_unit_test(a_scene_may_do_anything_meanwhile),
      cmocka_unit_test(a_save_while_the_model_comes_asks_once),
      cmocka_unit_test(a_graph_comes_with_its_model),
      cmocka_unit_test(a_crowd_comes_with_its_model),
      cmocka_unit_test(what_a_crowd_cannot_play_is_said_with_its_line_when_its_model_comes),
      cmocka_unit_test(a_model_that_cannot_be_read_is_said_and_the_scene_goes_on),
      cmocka_unit_test(waiting_for_several_waits_once_for_each),
      cmocka_unit_test(a_long_wait_is_said_on_the_picture),
      cmocka_unit_test(a_long_load_behind_is_said_on_the_picture),
      cmocka_unit_test(escape_ends_a_wait),
      cmocka_unit_test(escape_ends_loads_behind),
      cmocka_unit_test(a_recording_may_end_while_a_model_comes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
