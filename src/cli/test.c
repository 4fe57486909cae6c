/* sinew test – runs sinew.test() of a scene without pictures and reports in TAP. */
#include "cli/cli.h"

#include "base/text.h"

#include <sinew_lua.h>

#include <stdio.h>
#include <string.h>

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

typedef struct test_run {
  const char *path;
  const sinew_scene_def *def;
  const char *only; /* the name of the only test to run, or NULL */
  int number, failed;
  char first[SINEW_TEST_NAME]; /* the name of the first that failed */
} test_run;

/* Each test gets a fresh host and scene, so that none affects the next. */
static sinew_scene *open_scene(const test_run *t, sinew_host **host, sinew_error *error) {
  sinew_host_def def = sinew_host_def_default();
  def.output = SINEW_OUTPUT_NONE;
  def.fixed_dt = 1.0 / 60;
  *host = sinew_host_create(&def, error);
  sinew_scene *scene = *host ? sinew_scene_create(*host, t->path, t->def, error) : NULL;
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
static void print_failure(const sinew_scene *scene, const sinew_error *error) {
  const char *problem = scene ? sinew_scene_problem(scene) : NULL;
  bool is_same = problem && strncmp(problem, error->message, strlen(error->message)) == 0;
  print_comment(is_same ? problem : error->message);
}

/* name NULL: sinew.test. */
static void run_test(test_run *t, const char *name) {
  sinew_error error;
  sinew_host *host;
  sinew_scene *scene = open_scene(t, &host, &error);
  bool fine = scene && sinew_scene_test(scene, name, &error);
  text_show(stdout, "%s %d - %s%s%s\n", fine ? "ok" : "not ok", ++t->number, t->path, name ? ": " : "",
            name ? name : "");
  if (!fine) print_failure(scene, &error);
  close_scene(scene, host);
  if (!fine && t->failed++ == 0) snprintf(t->first, sizeof t->first, "%s", name ? name : "test");
}

typedef struct test_names {
  char items[SINEW_TESTS][SINEW_TEST_NAME];
  int count;
  bool has_main; /* sinew.test */
} test_names;

static bool is_wanted(const test_run *t, const char *name) { return !t->only || strcmp(t->only, name) == 0; }

/* Keeps only the wanted test. */
static void keep_wanted(const test_run *t, test_names *names) {
  int kept = 0;
  for (int i = 0; i < names->count; i++)
    if (is_wanted(t, names->items[i])) memmove(names->items[kept++], names->items[i], sizeof *names->items);
  names->count = kept;
}

static void quiet(void *user, const char *line) { (void)user, (void)line; }

/* The tests to run; the scene is loaded only to list them. */
static bool find_tests(const test_run *t, test_names *names, sinew_error *error) {
  sinew_host *host;
  sinew_scene_def def = *t->def;
  test_run silent = {.path = t->path, .def = &def};
  def.print = quiet;
  sinew_scene *scene = open_scene(&silent, &host, error);
  names->has_main = scene && sinew_scene_has_test(scene) && is_wanted(t, "test");
  names->count = scene ? sinew_scene_test_names(scene, names->items, error) : -1;
  bool fine = names->count >= 0;
  keep_wanted(t, names);
  fine = fine && (names->has_main || names->count > 0 || sinew_scene_test(scene, t->only, error));
  close_scene(scene, host);
  return fine;
}

static int test(test_run *t) {
  static test_names names; /* one thread */
  sinew_error error;
  if (!find_tests(t, &names, &error)) return cli_fail("%s", error.message);
  printf("1..%d\n", names.has_main + names.count);
  if (names.has_main) run_test(t, NULL);
  for (int i = 0; i < names.count; i++) run_test(t, names.items[i]);
  fflush(stdout);
  const char *others = t->failed > 1 ? " and others" : "";
  return t->failed ? cli_fail("%d of %d tests failed: '%s'%s", t->failed, t->number, t->first, others) : 0;
}

int cli_test(int argc, char **argv) {
  const char *words[2] = {NULL};
  cli_list allow = {0};
  bool trust = false, update = false;
  const cli_option options[] = {
      {"--allow", CLI_LIST, &allow, "DIR  a further folder that the scene may read; may be repeated"},
      {"--update", CLI_FLAG, &update, "let sinew.expect_pose rewrite its files"},
      {"--trust", CLI_FLAG, &trust, "open all of Lua to the scene"}};
  const cli_usage usage = {.command = "test",
                           .arguments = "SCENE.lua [NAME]",
                           .summary =
                               "Runs the scene's sinew.test() and its sinew.tests without drawing, at 60 frames\n"
                               "per second of scene time, as fast as the machine can. Each test gets a freshly\n"
                               "loaded scene. With a name, runs that test alone.",
                           .options = options,
                           .option_count = 3,
                           .min_positional = 1,
                           .max_positional = 2};
  int status = cli_parse(&usage, argc, argv, words, NULL);
  if (status >= 0) return status;
  sinew_scene_def def = sinew_scene_def_default();
  def.trust = trust;
  if (trust) cli_warn_of_trust(words[0]);
  def.always_wait = true;
  def.update_poses = update;
  def.allow = allow.items;
  def.allow_count = allow.count;
  def.print = on_print;
  return test(&(test_run){.path = words[0], .def = &def, .only = words[1]});
}
