/* sinew bundle – puts a scene and everything that it reads into one file, which plays without an import: a recording of
 * the scene's first frames, with its scripts and cooked models, of which only these answers are used. */
#include "base/file.h"
#include "base/text.h"
#include "cli/cli.h"

#include <sinew_lua.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096 };

static const char extension[] = ".sinewbundle", licence[] = "copyright: ";

typedef struct bundle_request {
  const char *scene, *output;
  cli_list allow;
  int frames;
} bundle_request;

bool cli_is_bundle(const char *path) {
  size_t size = strlen(path), end = sizeof extension - 1;
  return size > end && strcmp(path + size - end, extension) == 0;
}

/* Says what the models' files say about their licence, each sentence once. */
static void tell_licences(const sinew_stage *stage) {
  const char *told[CLI_LIST_LIMIT];
  int count = 0;
  for (int a = 0; a < sinew_stage_actor_count(stage); a++) {
    const sinew_model *model = sinew_actor_model(stage, sinew_stage_actor(stage, a));
    for (int i = 0; i < sinew_model_note_count(model); i++) {
      const char *note = sinew_model_note(model, i);
      bool is_new = strncmp(note, licence, sizeof licence - 1) == 0 && count < CLI_LIST_LIMIT;
      for (int k = 0; k < count; k++) is_new = is_new && strcmp(told[k], note) != 0;
      if (is_new) text_show(stdout, "  %s: %s\n", path_file(sinew_model_path(model)), told[count++] = note);
    }
  }
}

static int play(const bundle_request *r, sinew_host *host, sinew_scene *scene) {
  sinew_error error;
  struct stat info;
  sinew_app app = sinew_scene_app(scene);
  sinew_host_set_app(host, &app);
  if (!sinew_host_run(host, &error)) return cli_fail("%s", error.message);
  if (sinew_scene_problem(scene)) return cli_fail("%s", sinew_scene_problem(scene));
  if (!sinew_host_recorded(host)) return 1; /* the log said why */
  double size = stat(r->output, &info) == 0 ? (double)info.st_size / 1e6 : 0;
  text_show(stdout, "%s: %.2f MB; sinew run plays it\n", r->output, size);
  tell_licences(sinew_host_stage(host));
  return 0;
}

static void print_nothing(void *user, const char *line) { (void)user, (void)line; }

static int bundle(const bundle_request *r) {
  sinew_error error;
  sinew_host_def def = sinew_host_def_default();
  def.output = SINEW_OUTPUT_NONE;
  def.frame_limit = r->frames;
  def.record_input = r->output;
  sinew_host *host = sinew_host_create(&def, &error);
  if (!host) return cli_fail("%s", error.message);
  sinew_scene_def wanted = sinew_scene_def_default();
  wanted.always_wait = true;
  wanted.print = print_nothing;
  wanted.allow = r->allow.items;
  wanted.allow_count = r->allow.count;
  sinew_scene *scene = sinew_scene_create(host, r->scene, &wanted, &error);
  int status = scene ? play(r, host, scene) : cli_fail("%s", error.message);
  sinew_scene_destroy(scene);
  sinew_host_destroy(host);
  if (status != 0) remove(r->output);
  return status;
}

int cli_bundle(int argc, char **argv) {
  bundle_request r = {.frames = 1};
  char named[PATH_SIZE];
  const cli_option options[] = {
      {"-o", CLI_TEXT, &r.output, "FILE  write this file (default: beside the scene, with the extension .sinewbundle)"},
      {"--frames", CLI_INT, &r.frames, "N  run N frames, for a scene that loads files later (default: 1)"},
      {"--allow", CLI_LIST, &r.allow, "DIR  a further folder that the scene may read; may be repeated"}};
  const cli_usage usage = {.command = "bundle",
                           .arguments = "SCENE.lua",
                           .summary = "Puts a scene, its modules, and its models with their clips, cooked, into one "
                                      "file, which `sinew run` and\nthe web page play without an import. It holds the "
                                      "paths of these files, too.",
                           .options = options,
                           .option_count = sizeof options / sizeof *options,
                           .min_positional = 1,
                           .max_positional = 1};
  int status = cli_parse(&usage, argc, argv, &r.scene, NULL);
  if (status >= 0) return status;
  if (r.frames < 1) return cli_misuse("bundle", "--frames is 1 or more, got %d", r.frames);
  int stem = (int)(strlen(r.scene) - strlen(path_extension(r.scene)));
  if (stem > 0 && r.scene[stem - 1] == '.') stem--;
  if (!r.output && snprintf(named, sizeof named, "%.*s%s", stem, r.scene, extension) >= (int)sizeof named)
    return cli_fail("%s: the path is too long", r.scene);
  if (!r.output) r.output = named;
  if (!cli_is_bundle(r.output))
    return cli_misuse("bundle", "-o is a name that ends with %s, got '%s'", extension, r.output);
  if (!file_may_replace(r.output, "sinew recording "))
    return cli_fail("%s: exists and is not a bundle; it is not replaced", r.output);
  return bundle(&r);
}
