/* sinew test – runs sinew.test() of a scene without pictures and reports in TAP. */
#include "cli/cli.h"

#include <sinew_lua.h>

#include <stdio.h>
#include <string.h>

/* A comment in TAP, line by line. */
static void print_comment(const char *text) {
  while (*text) {
    size_t length = strcspn(text, "\n");
    printf("# %.*s\n", (int)length, text);
    text += length + (text[length] == '\n');
  }
}

static void on_print(void *user, const char *line) {
  (void)user;
  print_comment(line);
}

static bool run_test(sinew_host *host, const char *path, const sinew_scene_def *def, sinew_error *error) {
  sinew_scene *scene = sinew_scene_create(host, path, def, error);
  if (!scene) return false;
  sinew_app app = sinew_scene_app(scene);
  sinew_host_set_app(host, &app);
  sinew_host_set_view_keys(host, false);
  bool fine = sinew_scene_test(scene, error);
  sinew_scene_destroy(scene);
  return fine;
}

static int test(const char *path, const sinew_scene_def *scene_def) {
  sinew_error error;
  sinew_host_def def = sinew_host_def_default();
  def.output = SINEW_OUTPUT_NONE;
  def.fixed_dt = 1.0 / 60;
  sinew_host *host = sinew_host_create(&def, &error);
  if (!host) return cli_fail("%s", error.message);
  puts("1..1");
  bool fine = run_test(host, path, scene_def, &error);
  printf("%s 1 - %s\n", fine ? "ok" : "not ok", path);
  if (!fine) print_comment(error.message);
  sinew_host_destroy(host);
  fflush(stdout);
  return fine ? 0 : cli_fail("%s", error.message);
}

int cli_test(int argc, char **argv) {
  const char *scene[1];
  cli_list allow = {0};
  bool trust = false;
  int count = 0;
  const cli_option options[] = {
      {"--allow", CLI_LIST, &allow, "DIR  a further folder that the scene may read; may be repeated"},
      {"--trust", CLI_FLAG, &trust, "open all of Lua to the scene"}};
  const cli_usage usage = {
      .command = "test",
      .arguments = "SCENE.lua",
      .summary = "Runs the scene's sinew.test() without pictures, 60 frames a second, as fast as it goes.",
      .options = options,
      .option_count = 2,
      .min_positional = 1,
      .max_positional = 1};
  int status = cli_parse(&usage, argc, argv, scene, &count);
  if (status >= 0) return status;
  sinew_scene_def def = sinew_scene_def_default();
  def.trust = trust;
  def.always_wait = true;
  def.allow = allow.items;
  def.allow_count = allow.count;
  def.print = on_print;
  return test(scene[0], &def);
}
