/* sinew replay – plays a recorded run again, with its own scene or with another one. */
#include "base/clock.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/quality/quality.h"

#include <sinew_lua.h>

#include <sinew/recording.h>

#include <stdio.h>
#include <string.h>

enum { REPLAY_TIMES = 20 }; /* a window's limits may allow this many times more than counted ones */

typedef struct replay_request {
  const char *recording, *scene, *capture;
  cli_list allow;
  bool trust;
  int samples, shadow, texels, vertices;
  const char *poses, *explain, *evaluate;
  int edit_at, from, to;
  bool follows;
  cli_list edits;
} replay_request;

static sinew_host *create_host(const replay_request *r, sinew_error *error) {
  sinew_host_def def = sinew_host_def_default();
  def.output = r->capture ? SINEW_OUTPUT_OFFSCREEN : SINEW_OUTPUT_NONE;
  def.capture = r->capture;
  def.replay_input = r->recording;
  def.samples = r->samples;
  def.shadow_size = r->shadow;
  def.mega_texels = r->texels;
  def.mega_vertices = r->vertices;
  sinew_rerun rerun = {.output = r->poses,
                       .edit_at = r->edit_at,
                       .from = r->from,
                       .to = r->to,
                       .files = r->edits.items,
                       .file_count = r->edits.count,
                       .explain = r->explain,
                       .evaluate = r->evaluate};
  if (r->poses) def.rerun = &rerun;
  def.follows = r->follows;
  if (r->capture) cli_show_progress(&def);
  return sinew_host_create(&def, error);
}

static void print_nothing(void *user, const char *line) {
  (void)user;
  (void)line;
}

sinew_scene_def cli_replayed(const cli_list *allow, bool trust) {
  sinew_scene_def def = sinew_scene_def_default();
  def.trust = trust;
  def.instruction_limit *= REPLAY_TIMES;
  def.always_wait = true;
  def.allow = allow->items;
  def.allow_count = allow->count;
  return def;
}

static int play(const replay_request *r, sinew_host *host, sinew_scene *scene) {
  sinew_error error;
  double begun = clock_seconds();
  sinew_app app = sinew_scene_app(scene);
  sinew_host_set_app(host, &app);
  sinew_host_set_view_keys(host, false);
  if (!sinew_host_run(host, &error)) return cli_fail("%s", error.message);
  const char *problem = sinew_scene_problem(scene);
  bool loaded = !sinew_host_problem(host, 0);
  if (problem) cli_fail("%s", problem);
  if (problem) return sinew_host_is_rerun(host) && loaded ? SINEW_RERUN_FAILS : 1;
  if (!r->scene && !r->poses && sinew_host_differs_at(host) > 0)
    sinew_log(SINEW_LOG_WARNING,
              "%s: the replay is not the recorded run, in frame %lld or shortly before it; docs/debugging.md says why",
              r->recording, (long long)sinew_host_differs_at(host));
  cli_tell_end(host, r->recording, clock_seconds() - begun);
  return 0;
}

static int replay(const replay_request *r) {
  sinew_error error;
  if (r->trust) cli_warn_of_trust(r->scene ? r->scene : r->recording);
  sinew_host *host = create_host(r, &error);
  if (!host) return cli_fail("%s", error.message);
  sinew_scene_def def = cli_replayed(&r->allow, r->trust);
  if (r->poses || r->follows) def.print = print_nothing;
  sinew_scene *scene = sinew_scene_create(host, r->scene, &def, &error);
  int status = scene ? play(r, host, scene) : cli_fail("%s", error.message);
  sinew_scene_destroy(scene);
  sinew_host_destroy(host);
  return status;
}

/* ---- the command ---- */

/* Takes the word out of the line: the measurement has options of its own. */
static bool takes_metrics(int *argc, char **argv) {
  int kept = 0;
  for (int i = 0; i < *argc; i++)
    if (strcmp(argv[i], "--metrics") != 0) argv[kept++] = argv[i];
  bool found = kept < *argc;
  *argc = kept;
  return found;
}

int cli_replay(int argc, char **argv) {
  if (takes_metrics(&argc, argv)) return cli_measure(argc, argv);
  bool metrics;
  const char *words[2] = {NULL};
  replay_request r = {.samples = -1,
                      .shadow = -1,
                      .texels = sinew_host_def_default().mega_texels,
                      .vertices = sinew_host_def_default().mega_vertices};
  const cli_option options[] = {
      {"--metrics", CLI_FLAG, &metrics,
       "measure each actor: pops, slides, transitions and refusals (replay --metrics --help lists its options)"},
      {"--poses", CLI_TEXT, &r.poses,
       "FILE  write the poses of frames --from to --to, as F9 in a window compares them"},
      {"--from", CLI_INT, &r.from, "N  with --poses, the first frame"},
      {"--to", CLI_INT, &r.to, "N  with --poses, the last frame"},
      {"--edit", CLI_LIST, &r.edits, "FILE  with --poses, use this script as it is on the disk; may be repeated"},
      {"--edit-at", CLI_INT, &r.edit_at, "N  with --poses, the frame in which the edits are saved (0: from the start)"},
      {"--explain", CLI_TEXT, &r.explain,
       "'JOINT ACTOR'  with --poses, explain why that joint (a number) is where it is at --to"},
      {"--evaluate", CLI_TEXT, &r.evaluate,
       "LUA  with --poses, a line that is evaluated in the scene at the end of --to"},
      {"--follow", CLI_FLAG, &r.follows, "for F9 in a window: follow its recording, and run parts of it again"},
      {"--capture", CLI_TEXT, &r.capture, "OUT  x.png, x.mp4, dir/ or sheet.png:12 (a contact sheet)"},
      {"--samples", CLI_INT, &r.samples, "N  anti-aliasing: 1, 2, 4, 8"},
      {"--shadow", CLI_INT, &r.shadow, "N  texels along an edge of the shadow, 0 for none"},
      {"--texels", CLI_INT, &r.texels, CLI_TEXELS},
      {"--vertices", CLI_INT, &r.vertices, CLI_VERTICES},
      {"--allow", CLI_LIST, &r.allow, "DIR  a further folder that SCENE may read; may be repeated"},
      {"--trust", CLI_FLAG, &r.trust, "open all of Lua to the scene"},
  };
  const cli_usage usage = {
      .command = "replay",
      .arguments = "RECORDING [SCENE.lua]",
      .summary = "Plays back a recording of `sinew run --record`. It contains input, clocks, saves and the scene "
                 "itself,\nso no other file is needed. With a scene, that scene gets the same input.",
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
