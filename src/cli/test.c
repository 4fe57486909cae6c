/* sinew test – runs the tests of scenes without pictures. Reports in TAP, and for CI servers as JUnit's XML. */
#include "cli/cli.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory/memory.h"
#include "base/text.h"
#include "cli/test_report.h"

#include <sinew_lua.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 64 };

/* A comment in TAP, line by line. */
static void print_comment(const char *text) {
  while (*text) {
    size_t length = strcspn(text, "\n");
    text_show(stdout, "# %.*s\n", (int)length, text);
    text += length + (text[length] == '\n');
  }
}

static void on_print(void *user, const char *line) {
  (void)user;
  print_comment(line);
}

static void quiet(void *user, const char *line) { (void)user, (void)line; }

typedef struct test_run {
  const sinew_scene_def *def;
  const char *only; /* the name of the only test to run, or NULL */
  bool lists, times;
  test_report report; /* of each test, in order */
} test_run;

/* Each test gets a fresh host and scene, so that none affects the next. */
static sinew_scene *open_scene(const char *path, const sinew_scene_def *of, sinew_host **host, sinew_error *error) {
  sinew_host_def def = sinew_host_def_default();
  def.output = SINEW_OUTPUT_NONE;
  def.fixed_dt = 1.0 / 60;
  *host = sinew_host_create(&def, error);
  sinew_scene *scene = *host ? sinew_scene_create(*host, path, of, error) : NULL;
  if (!scene) return NULL;
  sinew_app app = sinew_scene_app(scene);
  sinew_host_set_app(*host, &app);
  sinew_host_set_view_keys(*host, false);
  return scene;
}

static void close_scene(sinew_scene *scene, sinew_host *host) {
  sinew_scene_destroy(scene);
  sinew_host_destroy(host);
}

/* An error has room for a few lines; the scene has the whole message. */
static const char *failure_of(const sinew_scene *scene, const sinew_error *error) {
  const char *problem = scene ? sinew_scene_problem(scene) : NULL;
  bool is_same = problem && strncmp(problem, error->message, strlen(error->message)) == 0;
  return is_same ? problem : error->message;
}

static void run_test(const test_run *t, test_result *r, int number) {
  sinew_error error;
  sinew_host *host;
  double begun = clock_seconds();
  sinew_scene *scene = open_scene(r->path, t->def, &host, &error);
  bool fine = scene && sinew_scene_test(scene, r->name[0] ? r->name : NULL, &error);
  r->seconds = clock_seconds() - begun;
  char time[32] = "";
  if (t->times) text_format(time, sizeof time, " # time=%.0fms", r->seconds * 1e3);
  text_show(stdout, "%s %d - %s%s%s%s\n", fine ? "ok" : "not ok", number, r->path, r->name[0] ? ": " : "", r->name,
            time);
  if (!fine) r->failure = mem_copy_string(failure_of(scene, &error));
  if (!fine) print_comment(failure_of(scene, &error));
  r->failed = !fine;
  close_scene(scene, host);
}

/* ---- which ones ---- */

static bool is_wanted(const test_run *t, const char *name) { return !t->only || strcmp(t->only, name) == 0; }

/* Adds the tests of a scene, which is loaded only to list them. False if it has none, or does not load. */
static bool add_tests(test_run *t, const char *path, sinew_error *error) {
  static char names[SINEW_TESTS][SINEW_TEST_NAME]; /* one thread */
  sinew_host *host;
  sinew_scene_def def = *t->def;
  def.print = quiet;
  sinew_scene *scene = open_scene(path, &def, &host, error);
  int before = t->report.count;
  if (scene && sinew_scene_has_test(scene) && is_wanted(t, "test")) test_report_add(&t->report, path, "");
  int count = scene ? sinew_scene_test_names(scene, names, error) : -1;
  for (int i = 0; i < count; i++)
    if (is_wanted(t, names[i])) test_report_add(&t->report, path, names[i]);
  bool fine = count >= 0 && (t->report.count > before || sinew_scene_test(scene, t->only, error));
  close_scene(scene, host);
  return fine;
}

/* One scene's fault ends the run; of several, it is a test that fails. */
static int add_scene(test_run *t, const char *path, bool alone) {
  sinew_error error;
  if (add_tests(t, path, &error)) return 0;
  if (alone) return cli_fail("%s", error.message);
  test_result *r = test_report_add(&t->report, path, "");
  r->failed = true;
  r->failure = mem_copy_string(error.message);
  return 0;
}

/* ---- all ---- */

static void list(const test_run *t) {
  for (int i = 0; i < t->report.count; i++) {
    const test_result *r = t->report.items + i;
    text_show(stdout, "%s%s%s\n", r->path, r->name[0] ? ": " : "", r->name);
  }
}

/* What did not load has failed already. */
static void run_tests(test_run *t) {
  printf("1..%d\n", t->report.count);
  for (int i = 0; i < t->report.count; i++) {
    test_result *r = t->report.items + i;
    if (!r->failed) {
      run_test(t, r, i + 1);
      continue;
    }
    text_show(stdout, "not ok %d - %s\n", i + 1, r->path);
    print_comment(r->failure ? r->failure : "");
  }
  fflush(stdout);
}

static int tell_failures(const test_report *report) {
  const test_result *first = NULL;
  int failed = 0;
  for (int i = 0; i < report->count; i++) {
    if (report->items[i].failed && !first) first = report->items + i;
    failed += report->items[i].failed;
  }
  if (!first) return 0;
  return cli_fail("%d of %d tests failed: '%s'%s", failed, report->count, first->name[0] ? first->name : "test",
                  failed > 1 ? " and others" : "");
}

static int test(test_run *t, const char *const *words, int count, const char *junit) {
  sinew_error error;
  scene_list scenes = {0};
  int status = 0;
  for (int i = 0; i < count && !status; i++)
    if (!scene_list_add(&scenes, words[i])) status = cli_fail("%s: no scene with tests there", words[i]);
  for (int i = 0; i < scenes.count && !status; i++) status = add_scene(t, scenes.paths[i], scenes.count == 1);
  if (!status && t->lists) list(t);
  else if (!status) {
    run_tests(t);
    bool written = !junit || test_report_write(&t->report, junit, &error);
    status = tell_failures(&t->report);
    if (!written) status = cli_fail("%s", error.message);
  }
  scene_list_free(&scenes);
  test_report_free(&t->report);
  return status;
}

/* The last of two words is the name of a test, unless it is a path. */
static const char *name_among(const char *const *words, int *count) {
  const char *last = words[*count - 1];
  bool path = file_exists(last) || folder_exists(last) || strchr(last, '/') || strcmp(path_extension(last), "lua") == 0;
  if (*count != 2 || path) return NULL;
  --*count;
  return last;
}

int cli_test(int argc, char **argv) {
  const char *words[WORDS] = {NULL}, *junit = NULL;
  cli_list allow = {0};
  bool trust = false, update = false, lists = false, times = false;
  int count = 0;
  const cli_option options[] = {
      {"--list", CLI_FLAG, &lists, "list the tests, and run none"},
      {"--junit", CLI_TEXT, &junit, "FILE  also write the results as XML for a CI server"},
      {"--times", CLI_FLAG, &times, "say how long each test took"},
      {"--allow", CLI_LIST, &allow, "DIR  a further folder that the scene may read; may be repeated"},
      {"--update", CLI_FLAG, &update, "let sinew.expect_pose rewrite its files"},
      {"--trust", CLI_FLAG, &trust, "open all of Lua to the scene"}};
  const cli_usage usage = {.command = "test",
                           .arguments = "SCENE.lua|FOLDER… [NAME]",
                           .summary =
                               "Runs the scenes' sinew.test() and their sinew.tests without drawing, at 60 frames\n"
                               "per second of scene time, as fast as the machine can. Each test gets a freshly\n"
                               "loaded scene. With a name, runs that test alone. Of a folder, runs all scenes\n"
                               "in it that have tests.",
                           .options = options,
                           .option_count = sizeof options / sizeof *options,
                           .min_positional = 1,
                           .max_positional = WORDS};
  int status = cli_parse(&usage, argc, argv, words, &count);
  if (status >= 0) return status;
  sinew_scene_def def = sinew_scene_def_default();
  def.trust = trust;
  if (trust) cli_warn_of_trust(words[0]);
  def.always_wait = true;
  def.update_poses = update;
  def.allow = allow.items;
  def.allow_count = allow.count;
  def.print = on_print;
  const char *only = name_among(words, &count);
  return test(&(test_run){.def = &def, .only = only, .lists = lists, .times = times}, words, count, junit);
}
