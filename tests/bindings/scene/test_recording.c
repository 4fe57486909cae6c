/* A run with saves, models that come when they come, clocks and modules is one file: played back where none of its
 * files is left, it does the same to the bit. */
#include "harness.h"

#include "support/exact.h"

enum { FRAMES = 6000 };

typedef struct run {
  harness h;
  uint64_t poses[FRAMES + 8]; /* a hash after each frame */
  int frames;
  char log[128];
} run;

static const char scene_text[] = "local sinew = require 'sinew'\n"
                                 "local speeds = require 'speeds'\n"
                                 "local model = sinew.model('hero.glb', { wait = false })\n"
                                 "local hero = sinew.actor('hero', model)\n"
                                 "local walk = hero:play('Walk')\n"
                                 "local count = 0\n"
                                 "function sinew.update(dt)\n"
                                 "  if walk then walk.speed = speeds.walk end\n"
                                 "  count = count + 1\n"
                                 "  hero.position = hero.position + sinew.vec3(math.random() * 0.01, 0, os.clock() %% "
                                 "0.01 + os.time() %% 7 * 0.001)\n"
                                 "end\n"
                                 "function sinew.draw() if sinew.frame %% 20 == 0 then print('%s', count, "
                                 "model.loaded, os.date('%%H:%%M:%%S')) end end\n";

static void write_scene(run *r, const char *name, double speed) {
  char text[2048], path[128];
  snprintf(text, sizeof text, scene_text, name);
  harness_write(r->h.path, text);
  snprintf(path, sizeof path, "%s/speeds.lua", r->h.folder);
  snprintf(text, sizeof text, "return { walk = %g }\n", speed);
  harness_write(path, text);
}

static uint64_t hash_of_pose(run *r) {
  sinew_actor hero = sinew_scene_find_actor(r->h.scene, "hero");
  sinew_stage *stage = sinew_host_stage(r->h.host);
  sinew_pose pose = sinew_actor_pose(stage, hero);
  sinew_transform position = sinew_actor_transform(stage, hero);
  uint64_t hash = 0xcbf29ce484222325u;
  const unsigned char *bytes = (const unsigned char *)pose.groups;
  size_t size = (size_t)((pose.joint_count + 7) / 8) * sizeof *pose.groups;
  for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 0x100000001b3u;
  bytes = (const unsigned char *)&position.translation;
  for (size_t i = 0; i < sizeof position.translation; i++) hash = (hash ^ bytes[i]) * 0x100000001b3u;
  return hash;
}

static void step(run *r, double dt) {
  assert_true(sinew_host_step(r->h.host, dt, &r->h.error));
  if (r->frames < FRAMES + 8) r->poses[r->frames++] = hash_of_pose(r);
}

static void open_recorded(run *r) {
  sinew_host_def def = sinew_host_def_default();
  memset(r, 0, sizeof *r);
  snprintf(r->h.folder, sizeof r->h.folder, "/tmp/sinew-test-XXXXXX");
  assert_non_null(mkdtemp(r->h.folder));
  snprintf(r->h.path, sizeof r->h.path, "%s/scene.lua", r->h.folder);
  snprintf(r->log, sizeof r->log, "%s.rec", r->h.folder);
  def.output = SINEW_OUTPUT_NONE;
  def.watch = true;
  def.record_input = r->log;
  r->h.host = sinew_host_create(&def, &r->h.error);
  if (!r->h.host) fail_msg("%s", r->h.error.message);
  write_scene(r, "one", 1);
  sinew_scene_def scene = sinew_scene_def_default();
  scene.print = harness_print;
  scene.print_user = &r->h;
  r->h.scene = sinew_scene_create(r->h.host, r->h.path, &scene, &r->h.error);
  if (!r->h.scene) fail_msg("%s", r->h.error.message);
  sinew_app app = sinew_scene_app(r->h.scene);
  sinew_host_set_app(r->h.host, &app);
}

/* Frames until the new scene has printed its name. */
static void save_and_wait(run *r, const char *name, double speed) {
  char line[32];
  snprintf(line, sizeof line, "%s\t", name);
  write_scene(r, name, speed);
  for (int i = 0; i < 2000 && !strstr(r->h.printed, line); i++) {
    step(r, 0.013);
    usleep(1000);
  }
  assert_non_null(strstr(r->h.printed, line));
}

static void open_replay(run *r, const char *log, const char *scene_path) {
  sinew_host_def def = sinew_host_def_default();
  memset(r, 0, sizeof *r);
  def.output = SINEW_OUTPUT_NONE;
  def.replay_input = log;
  r->h.host = sinew_host_create(&def, &r->h.error);
  if (!r->h.host) fail_msg("%s", r->h.error.message);
  sinew_scene_def scene = sinew_scene_def_default();
  scene.print = harness_print;
  scene.print_user = &r->h;
  r->h.scene = sinew_scene_create(r->h.host, scene_path, &scene, &r->h.error);
  if (!r->h.scene) fail_msg("%s", r->h.error.message);
}

typedef struct replay_app {
  run *run;
  sinew_app inner;
} replay_app;

static replay_app playing;

static void on_update(void *user, double dt) {
  run *r = playing.run;
  (void)user;
  if (sinew_host_frame(r->h.host) > 1 && r->frames < FRAMES + 8) r->poses[r->frames++] = hash_of_pose(r);
  playing.inner.update(playing.inner.user, dt);
}

static void play(run *r) {
  playing = (replay_app){r, sinew_scene_app(r->h.scene)};
  sinew_app app = playing.inner;
  app.update = on_update;
  sinew_host_set_app(r->h.host, &app);
  if (!sinew_host_run(r->h.host, &r->h.error)) fail_msg("%s", r->h.error.message);
  if (r->frames < FRAMES + 8) r->poses[r->frames++] = hash_of_pose(r);
}

static void remove_folder(run *r) {
  char command[128];
  snprintf(command, sizeof command, "rm -r '%s'", r->h.folder);
  assert_int_equal(system(command), 0);
}

static void end(run *r) {
  sinew_scene_destroy(r->h.scene);
  sinew_host_destroy(r->h.host);
  r->h.scene = NULL;
  r->h.host = NULL;
}

static void assert_same(const run *a, const run *b) {
  assert_int_equal(a->frames, b->frames);
  for (int i = 0; i < a->frames; i++)
    if (a->poses[i] != b->poses[i]) fail_msg("frame %d differs", i + 1);
  assert_string_equal(a->h.printed, b->h.printed);
}

static run recorded, again;

static bool has_come(const run *r) {
  return sinew_actor_pose(sinew_host_stage(r->h.host), sinew_scene_find_actor(r->h.scene, "hero")).joint_count > 1;
}

/* Three saves of which one is wrong, models that come in the background. */
static void record(void) {
  open_recorded(&recorded);
  for (int i = 0; i < 5000 && (i < 60 || !has_come(&recorded)); i++)
    step(&recorded, 0.01 + i % 3 * 0.004), usleep(1000);
  assert_true(has_come(&recorded));
  save_and_wait(&recorded, "two", 1.5);
  for (int i = 0; i < 20; i++) step(&recorded, 0.016);
  char text[2048];
  snprintf(text, sizeof text, scene_text, "wrong");
  strcat(text, "error 'a mistake'\n");
  harness_write(recorded.h.path, text);
  for (int i = 0; i < 200 && !sinew_host_problem(recorded.h.host, 0); i++) step(&recorded, 0.01), usleep(2000);
  assert_non_null(sinew_host_problem(recorded.h.host, 0));
  for (int i = 0; i < 10; i++) step(&recorded, 0.016);
  save_and_wait(&recorded, "three", 0.5);
  for (int i = 0; i < 20; i++) step(&recorded, 0.016);
  assert_true(recorded.frames < FRAMES + 8);
  end(&recorded);
}

static void test_saves_and_arrivals_are_repeated_without_the_files(void **state) {
  (void)state;
  record();
  remove_folder(&recorded);
  assert_non_null(strstr(recorded.h.printed, "one"));
  assert_non_null(strstr(recorded.h.printed, "three"));
  open_replay(&again, recorded.log, NULL);
  play(&again);
  assert_same(&recorded, &again);
  end(&again);
  unlink(recorded.log);
}

/* A scene of its own under the same input: its scripts are the disk's, and saves of the recording do not concern it. */
static void test_other_scripts_with_the_same_input(void **state) {
  (void)state;
  record();
  write_scene(&recorded, "other", 2);
  open_replay(&again, recorded.log, recorded.h.path);
  play(&again);
  assert_int_equal(again.frames, recorded.frames);
  assert_non_null(strstr(again.h.printed, "other"));
  assert_null(strstr(again.h.printed, "three"));
  int differing = 0;
  for (int i = 0; i < again.frames; i++) differing += again.poses[i] != recorded.poses[i];
  assert_true(differing > 0);
  end(&again);
  remove_folder(&recorded);
  unlink(recorded.log);
}

/* Models are imported by the program beside the one that is tested, and so in the background. */
static void import_behind(void) {
  char path[1024];
  const char *program = getenv("SINEW_PROGRAM"), *slash = program ? strrchr(program, '/') : NULL;
  if (!slash) return;
  snprintf(path, sizeof path, "%.*s/sinew-import", (int)(slash - program), program);
  setenv("SINEW_IMPORT", path, 1);
  setenv("SINEW_CACHE", "off", 1);
}

int main(void) {
  import_behind();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_saves_and_arrivals_are_repeated_without_the_files),
      cmocka_unit_test(test_other_scripts_with_the_same_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
