/* sinew replay – a recorded run again, with the scene that it had or with another one. */
#include "cli/cli.h"

#include <sinew_lua.h>

#include <stdio.h>
#include <string.h>

enum { REPLAY_TIMES = 20 }; /* what a window allows by the clock may be so much more than what is counted elsewhere */

typedef struct replay_request {
  const char *recording, *scene, *capture;
  cli_list allow;
  bool trust;
  int samples, shadow;
} replay_request;

static sinew_host *create_host(const replay_request *r, sinew_error *error) {
  sinew_host_def def = sinew_host_def_default();
  def.output = r->capture ? SINEW_OUTPUT_OFFSCREEN : SINEW_OUTPUT_NONE;
  def.capture = r->capture;
  def.replay_input = r->recording;
  def.samples = r->samples;
  def.shadow_size = r->shadow;
  if (r->capture) cli_show_progress(&def);
  return sinew_host_create(&def, error);
}

static sinew_scene *create_scene(const replay_request *r, sinew_host *host, sinew_error *error) {
  sinew_scene_def def = sinew_scene_def_default();
  def.trust = r->trust;
  def.instruction_limit *= REPLAY_TIMES;
  def.always_wait = true;
  def.allow = r->allow.items;
  def.allow_count = r->allow.count;
  return sinew_scene_create(host, r->scene, &def, error);
}

static int play(sinew_host *host, sinew_scene *scene) {
  sinew_error error;
  sinew_app app = sinew_scene_app(scene);
  sinew_host_set_app(host, &app);
  sinew_host_set_view_keys(host, false);
  if (!sinew_host_run(host, &error)) return cli_fail("%s", error.message);
  const char *problem = sinew_scene_problem(scene);
  return problem ? cli_fail("%s", problem) : 0;
}

static int replay(const replay_request *r) {
  sinew_error error;
  if (r->trust) cli_warn_of_trust(r->scene ? r->scene : r->recording);
  sinew_host *host = create_host(r, &error);
  if (!host) return cli_fail("%s", error.message);
  sinew_scene *scene = create_scene(r, host, &error);
  int status = scene ? play(host, scene) : cli_fail("%s", error.message);
  sinew_scene_destroy(scene);
  sinew_host_destroy(host);
  return status;
}

int cli_replay(int argc, char **argv) {
  const char *words[2] = {NULL};
  replay_request r = {.samples = -1, .shadow = -1};
  const cli_option options[] = {
      {"--capture", CLI_TEXT, &r.capture, "OUT  x.png, x.mp4, dir/ or sheet.png:12 (a contact sheet)"},
      {"--samples", CLI_INT, &r.samples, "N  anti-aliasing: 1, 2, 4, 8"},
      {"--shadow", CLI_INT, &r.shadow, "N  texels along an edge of the shadow, 0 for none"},
      {"--allow", CLI_LIST, &r.allow, "DIR  a further folder that SCENE may read; may be repeated"},
      {"--trust", CLI_FLAG, &r.trust, "open all of Lua to the scene"},
  };
  const cli_usage usage = {
      .command = "replay",
      .arguments = "RECORDING [SCENE.lua]",
      .summary = "Plays back what `sinew run --record` wrote: input, clocks, saves and the scene itself are in the\n"
                 "recording, so it needs no other file. With a scene, its scripts get the same input.",
      .options = options,
      .option_count = (int)(sizeof options / sizeof *options),
      .min_positional = 1,
      .max_positional = 2};
  int status = cli_parse(&usage, argc, argv, words, NULL);
  if (status >= 0) return status;
  r.recording = words[0];
  r.scene = words[1];
  return replay(&r);
}
