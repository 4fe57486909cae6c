/* sinew replay – plays a recorded run again, with its own scene or with another one. */
#include "base/clock.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/quality.h"

#include <sinew_lua.h>

#include <stdio.h>
#include <string.h>

enum { REPLAY_TIMES = 20 }; /* a window's limits may allow this many times more than counted ones */

typedef struct replay_request {
  const char *recording, *scene, *capture;
  cli_list allow;
  const char *against;
  bool trust, metrics, json;
  int samples, shadow;
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

/* Keeps standard output free for the JSON. */
static void print_apart(void *user, const char *line) {
  (void)user;
  text_show(stderr, "%s\n", line);
}

static void print_nothing(void *user, const char *line) {
  (void)user;
  (void)line;
}

static sinew_scene *create_scene(const replay_request *r, sinew_host *host, sinew_error *error) {
  sinew_scene_def def = sinew_scene_def_default();
  def.trust = r->trust;
  def.instruction_limit *= REPLAY_TIMES;
  def.always_wait = true;
  def.allow = r->allow.items;
  def.allow_count = r->allow.count;
  if (r->json) def.print = print_apart;
  if (r->poses || r->follows) def.print = print_nothing;
  return sinew_scene_create(host, r->scene, &def, error);
}

/* ---- a run ---- */

typedef struct played {
  sinew_host *host;
  sinew_app scene;
  quality *quality; /* or NULL */
} played;

static void on_update(void *user, double dt) {
  played *p = user;
  p->scene.update(p->scene.user, dt);
  quality_measure(p->quality);
}

static void on_draw(void *user) {
  played *p = user;
  quality_add_frame(p->quality, p->scene.user);
  p->scene.draw(p->scene.user);
}

static void on_key(void *user, const char *key, bool down, bool ctrl) {
  const played *p = user;
  p->scene.key(p->scene.user, key, down, ctrl);
}

static void on_mouse(void *user, int button, bool down) {
  const played *p = user;
  p->scene.mouse(p->scene.user, button, down);
}

static void on_drop(void *user, const char *path) {
  const played *p = user;
  p->scene.drop(p->scene.user, path);
}

static void on_files(void *user, const char *const *paths, int count) {
  const played *p = user;
  p->scene.files_changed(p->scene.user, paths, count);
}

static int play(const replay_request *r, played *p, sinew_scene *scene) {
  sinew_error error;
  double begun = clock_seconds();
  sinew_app measured = {.user = p,
                        .update = on_update,
                        .draw = on_draw,
                        .key = on_key,
                        .mouse = on_mouse,
                        .drop = on_drop,
                        .files_changed = on_files};
  p->scene = sinew_scene_app(scene);
  sinew_host_set_app(p->host, p->quality ? &measured : &p->scene);
  sinew_host_set_view_keys(p->host, false);
  if (!sinew_host_run(p->host, &error)) return cli_fail("%s", error.message);
  if (p->quality && p->quality->out_of_memory) return cli_fail("out of memory for the metrics of the run");
  const char *problem = sinew_scene_problem(scene);
  if (problem) return cli_fail("%s", problem);
  if (!r->metrics) cli_tell_end(p->host, r->recording, clock_seconds() - begun);
  return 0;
}

static int replay(const replay_request *r, quality *q) {
  sinew_error error;
  if (r->trust) cli_warn_of_trust(r->scene ? r->scene : r->recording);
  played p = {.host = create_host(r, &error), .quality = q};
  if (q) q->host = p.host;
  if (!p.host) return cli_fail("%s", error.message);
  sinew_scene *scene = create_scene(r, p.host, &error);
  int status = scene ? play(r, &p, scene) : cli_fail("%s", error.message);
  sinew_scene_destroy(scene);
  sinew_host_destroy(p.host);
  return status;
}

/* ---- the command ---- */

static void tell(const replay_request *r, const quality *q, const quality *other) {
  if (r->against && r->json) quality_compare_json(q, other);
  else if (r->json) quality_print_json(q);
  else quality_print(q);
  if (r->against && !r->json) quality_compare(q, other);
}

static int measure(const replay_request *r) {
  quality here = {0}, there = {0};
  replay_request other = *r;
  other.recording = r->against;
  other.scene = other.capture = NULL;
  int status = replay(r, &here);
  if (status == 0 && r->against) status = replay(&other, &there);
  if (status == 0) tell(r, &here, &there);
  quality_release(&here);
  quality_release(&there);
  return status;
}

int cli_replay(int argc, char **argv) {
  const char *words[2] = {NULL};
  replay_request r = {.samples = -1, .shadow = -1};
  const cli_option options[] = {
      {"--metrics", CLI_FLAG, &r.metrics, "measure each actor: pops, slides, transitions and refusals"},
      {"--against", CLI_TEXT, &r.against, "RECORDING  with --metrics, compare with this one (it keeps its own scene)"},
      {"--json", CLI_FLAG, &r.json, "with --metrics, print JSON; what the scene prints goes to standard error"},
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
  if ((r.against || r.json) && !r.metrics) return cli_misuse("replay", "--against and --json go with --metrics");
  return r.metrics ? measure(&r) : replay(&r, NULL);
}
