/* sinew stubs – prints the API, and the names of a scene, for editors that complete and check code. */
#include "cli/cli.h"

#include <sinew_lua.h>

#include <stdio.h>

static bool write_scene_stubs(const char *path, const sinew_scene_def *scene_def, FILE *file, sinew_error *error) {
  sinew_host_def def = sinew_host_def_default();
  def.output = SINEW_OUTPUT_NONE;
  sinew_host *host = sinew_host_create(&def, error);
  if (!host) return false;
  sinew_scene *scene = sinew_scene_create(host, path, scene_def, error);
  bool fine = scene && sinew_scene_stubs(scene, file, error);
  sinew_scene_destroy(scene);
  sinew_host_destroy(host);
  return fine;
}

/* Otherwise the scene's output would be mixed with the stubs. */
static void keep_quiet(void *user, const char *line) { (void)user, (void)line; }

bool cli_write_stubs(const char *scene, const cli_list *allow, bool trust, FILE *file, sinew_error *error) {
  sinew_scene_def def = sinew_scene_def_default();
  if (!scene) return sinew_scene_stubs(NULL, file, error);
  def.trust = trust;
  def.always_wait = true;
  def.allow = allow->items;
  def.allow_count = allow->count;
  def.print = keep_quiet;
  return write_scene_stubs(scene, &def, file, error);
}

int cli_stubs(int argc, char **argv) {
  const char *scene = NULL;
  cli_list allow = {0};
  bool trust = false, reference = false;
  sinew_error error;
  const cli_option options[] = {
      {"--allow", CLI_LIST, &allow, "DIR  a further folder that the scene may read; may be repeated"},
      {"--trust", CLI_FLAG, &trust, "open all of Lua to the scene"},
      {"--reference", CLI_FLAG, &reference, "the same description as a page to read, in Markdown"}};
  const cli_usage usage = {.command = "stubs",
                           .arguments = "[SCENE.lua]",
                           .summary = "Prints what editors need to complete and check a scene (for the Lua language "
                                      "server).\nWith a scene, this includes the names of its clips, joints, "
                                      "morph targets and so on:\n  sinew stubs main.lua > sinew.d.lua",
                           .options = options,
                           .option_count = 3,
                           .max_positional = 1};
  int status = cli_parse(&usage, argc, argv, &scene, NULL);
  if (status >= 0) return status;
  if (reference) return sinew_scene_reference(stdout, &error) ? 0 : cli_fail("%s", error.message);
  return cli_write_stubs(scene, &allow, trust, stdout, &error) ? 0 : cli_fail("%s", error.message);
}
