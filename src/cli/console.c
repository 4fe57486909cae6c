/* sinew console – evaluates lines of Lua in a scene without a window; one frame passes after each line. */
#include "base/text.h"
#include "cli/cli.h"

#include <sinew_lua.h>

#include <stdio.h>
#include <string.h>

enum { LINE = 4096, ANSWER = 1 << 15 };

/* False at the end of the input. A line that is too long is reported and skipped. */
static bool read_line(char line[LINE]) {
  if (!fgets(line, LINE, stdin)) return false;
  size_t length = strcspn(line, "\n");
  if (line[length] != '\n' && length == LINE - 1) {
    cli_fail("a line has at most %d bytes", LINE - 1);
    for (int c = getchar(); c != '\n' && c != EOF;) c = getchar();
    length = 0;
  }
  line[length] = '\0';
  return true;
}

static int answer_lines(sinew_host *host, sinew_scene *scene, bool prompts) {
  static char line[LINE], answer[ANSWER];
  sinew_error error;
  int status = 0;
  for (;;) {
    if (prompts) printf("> ");
    fflush(stdout);
    if (!read_line(line)) return prompts ? 0 : status;
    if (!line[0]) continue;
    bool fine = sinew_scene_evaluate(scene, line, answer, sizeof answer);
    if (fine && answer[0]) text_show(stdout, "%s\n", answer);
    if (!fine) status = cli_fail("%s", answer);
    if (!sinew_host_step(host, 1.0 / 60, &error)) return cli_fail("%s", error.message);
  }
}

static int run_console(const char *path, const sinew_scene_def *def, bool prompts) {
  sinew_error error;
  sinew_host_def wanted = sinew_host_def_default();
  wanted.output = SINEW_OUTPUT_NONE;
  wanted.fixed_dt = 1.0 / 60;
  sinew_host *host = sinew_host_create(&wanted, &error);
  if (!host) return cli_fail("%s", error.message);
  sinew_scene *scene = sinew_scene_create(host, path, def, &error);
  int status = scene ? 0 : cli_fail("%s", error.message);
  if (scene) {
    sinew_app app = sinew_scene_app(scene);
    sinew_host_set_app(host, &app);
    if (!sinew_host_step(host, 1.0 / 60, &error)) status = cli_fail("%s", error.message);
    else status = answer_lines(host, scene, prompts);
  }
  sinew_scene_destroy(scene);
  sinew_host_destroy(host);
  return status;
}

int cli_console(int argc, char **argv) {
  const char *scene[1];
  cli_list allow = {.count = 0};
  bool trust = false, quiet = false;
  const cli_option options[] = {
      {"--quiet", CLI_FLAG, &quiet, "no prompt; ends with status 1 if a line failed"},
      {"--allow", CLI_LIST, &allow, "DIR  a further folder that the scene may read; may be repeated"},
      {"--trust", CLI_FLAG, &trust, "open all of Lua to the scene: files, processes, native modules"}};
  const cli_usage usage = {.command = "console",
                           .arguments = "SCENE.lua",
                           .summary = "Evaluates the lines of standard input in a scene, without a window. After each "
                                      "line a frame of 1/60 s passes.",
                           .options = options,
                           .option_count = (int)(sizeof options / sizeof *options),
                           .min_positional = 1,
                           .max_positional = 1};
  int status = cli_parse(&usage, argc, argv, scene, NULL);
  if (status >= 0) return status;
  sinew_scene_def def = sinew_scene_def_default();
  def.trust = trust;
  def.always_wait = true;
  def.allow = allow.items;
  def.allow_count = allow.count;
  if (trust) cli_warn_of_trust(scene[0]);
  return run_console(scene[0], &def, !quiet);
}
