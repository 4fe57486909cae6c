/* sinew replay --metrics – replays a recorded run, measures how well its actors move, and compares that with another run. */
#include "cli/quality/quality.h"

#include "base/text.h"
#include "cli/cli.h"

#include <sinew_lua.h>

typedef struct request {
  const char *recording, *scene, *against;
  cli_list allow;
  bool trust, json;
} request;

/* A scene that is measured in every frame. */
typedef struct measured {
  sinew_app scene;
  quality *quality;
} measured;

static void on_update(void *user, double dt) {
  measured *m = user;
  m->scene.update(m->scene.user, dt);
  quality_measure(m->quality);
}

static void on_draw(void *user) {
  measured *m = user;
  quality_add_frame(m->quality, m->scene.user);
  m->scene.draw(m->scene.user);
}

static void on_key(void *user, const char *key, bool down, bool ctrl) {
  const measured *m = user;
  m->scene.key(m->scene.user, key, down, ctrl);
}

static void on_mouse(void *user, int button, bool down) {
  const measured *m = user;
  m->scene.mouse(m->scene.user, button, down);
}

static void on_drop(void *user, const char *path) {
  const measured *m = user;
  m->scene.drop(m->scene.user, path);
}

static void on_files(void *user, const char *const *paths, int count) {
  const measured *m = user;
  m->scene.files_changed(m->scene.user, paths, count);
}

/* Keeps standard output free for the JSON. */
static void print_apart(void *user, const char *line) {
  (void)user;
  text_show(stderr, "%s\n", line);
}

static int run(sinew_scene *scene, quality *q) {
  sinew_error error;
  measured m = {.scene = sinew_scene_app(scene), .quality = q};
  sinew_host_set_app(q->host, &(sinew_app){.user = &m,
                                           .update = on_update,
                                           .draw = on_draw,
                                           .key = on_key,
                                           .mouse = on_mouse,
                                           .drop = on_drop,
                                           .files_changed = on_files});
  sinew_host_set_view_keys(q->host, false);
  if (!sinew_host_run(q->host, &error)) return cli_fail("%s", error.message);
  if (q->out_of_memory) return cli_fail("out of memory for the metrics of the run");
  const char *problem = sinew_scene_problem(scene);
  return problem ? cli_fail("%s", problem) : 0;
}

static int replay(const request *r, const char *recording, const char *path, quality *q) {
  sinew_error error;
  if (r->trust) cli_warn_of_trust(path ? path : recording);
  sinew_host_def host = sinew_host_def_default();
  host.output = SINEW_OUTPUT_NONE;
  host.replay_input = recording;
  q->host = sinew_host_create(&host, &error);
  if (!q->host) return cli_fail("%s", error.message);
  sinew_scene_def def = cli_replayed(&r->allow, r->trust);
  if (r->json) def.print = print_apart;
  sinew_scene *scene = sinew_scene_create(q->host, path, &def, &error);
  int status = scene ? run(scene, q) : cli_fail("%s", error.message);
  sinew_scene_destroy(scene);
  sinew_host_destroy(q->host);
  return status;
}

static void tell(const request *r, const quality *q, const quality *other) {
  if (r->against && r->json) quality_compare_json(q, other);
  else if (r->json) quality_print_json(q);
  else quality_print(q);
  if (r->against && !r->json) quality_compare(q, other);
}

int cli_measure(int argc, char **argv) {
  const char *words[2] = {NULL};
  request r = {0};
  const cli_option options[] = {
      {"--against", CLI_TEXT, &r.against, "RECORDING  compare with this one (it keeps its own scene)"},
      {"--json", CLI_FLAG, &r.json, "print JSON; what the scene prints goes to standard error"},
      {"--allow", CLI_LIST, &r.allow, "DIR  a further folder that SCENE may read; may be repeated"},
      {"--trust", CLI_FLAG, &r.trust, "open all of Lua to the scene"},
  };
  const cli_usage usage = {.command = "replay --metrics",
                           .arguments = "RECORDING [SCENE.lua]",
                           .summary = "Plays back a recording, with its own scene or with another one, and measures "
                                      "each actor:\npops, slides, transitions and refusals.",
                           .options = options,
                           .option_count = sizeof options / sizeof *options,
                           .min_positional = 1,
                           .max_positional = 2};
  int status = cli_parse(&usage, argc, argv, words, NULL);
  if (status >= 0) return status;
  quality here = {0}, there = {0};
  status = replay(&r, words[0], words[1], &here);
  if (status == 0 && r.against) status = replay(&r, r.against, NULL, &there);
  if (status == 0) tell(&r, &here, &there);
  quality_release(&here);
  quality_release(&there);
  return status;
}
