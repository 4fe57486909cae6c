/* sinew run – runs a Lua scene, with or without a window. */
#include "base/clock.h"
#include "base/file.h"
#include "base/process/process.h"
#include "base/text.h"
#include "cli/cli.h"

#include <dirent.h>
#include <sinew/model.h>
#include <sinew/recording.h>
#include <sinew_lua.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { RUN_FOLDER_PATH = 4096 };

/* ---- the folder for recordings of running windows ---- */

enum { DAY = 86400, KEPT = 7 * DAY, STILL = 10 }; /* seconds; a running window writes in each frame */

static const char extension[] = ".rec";

static bool find_folder(char folder[RUN_FOLDER_PATH]) {
  char cache[RUN_FOLDER_PATH];
  const char *temporary = getenv("TMPDIR");
  if (sinew_cache_folder(cache, sizeof cache)) return path_join(folder, RUN_FOLDER_PATH, cache, "runs");
  return path_join(folder, RUN_FOLDER_PATH, temporary && temporary[0] ? temporary : "/tmp", "sinew-runs");
}

/* "walk-1234.rec" for "walk.lua"; "my_scene-1234.rec" for "my_scene/main.lua", "my_scene/", and "." inside it. */
static void name_of(const char *scene, char name[128]) {
  char folder[RUN_FOLDER_PATH];
  const char *file = path_file(scene);
  bool is_main = strcmp(file, "main.lua") == 0;
  char *real = is_main || strcspn(file, ".") == 0 ? realpath(scene, NULL) : NULL;
  if (real) file = path_file(real);
  if (real && is_main && path_folder(folder, sizeof folder, real)) file = path_file(folder);
  int length = (int)(strcspn(file, ".") < 100 ? strcspn(file, ".") : 100);
  snprintf(name, 128, "%.*s", length ? length : 5, length ? file : "scene");
  free(real);
}

static bool is_of(const char *name, const char *scene) {
  size_t size = strlen(scene);
  return strncmp(name, scene, size) == 0 && name[size] == '-' &&
         name[size + 1 + strspn(name + size + 1, "0123456789")] == '.';
}

/* Removes old recordings, and reports the latest one of this scene whose run did not end properly. */
static void look_through(const char *folder, const char *scene) {
  char path[RUN_FOLDER_PATH], last[RUN_FOLDER_PATH] = "";
  struct stat info;
  time_t now = time(NULL), latest = 0;
  DIR *opened = opendir(folder);
  for (struct dirent *one = opened ? readdir(opened) : NULL; one; one = readdir(opened)) {
    if (strcmp(path_extension(one->d_name), extension + 1) != 0 || !path_join(path, sizeof path, folder, one->d_name) ||
        stat(path, &info) != 0)
      continue;
    if (info.st_mtime < now - KEPT) remove(path);
    else if (is_of(one->d_name, scene) && info.st_mtime < now - STILL && info.st_mtime > latest) {
      latest = info.st_mtime;
      snprintf(last, sizeof last, "%s", path);
    }
  }
  if (opened) closedir(opened);
  if (last[0]) text_show(stdout, "The last run of %s ended unexpectedly: sinew replay %s repeats it.\n", scene, last);
}

/* A file for this process, in $CACHE/runs, or sinew-runs in the folder for temporary files if the cache is off. Removes
 * recordings that are more than a week old, and reports one of the same scene that ended unexpectedly. False if no
 * folder can be made. */
static bool run_folder_name(const char *scene, char path[RUN_FOLDER_PATH]) {
  char folder[RUN_FOLDER_PATH], name[128], file[192];
  sinew_error error;
  name_of(scene, name);
  snprintf(file, sizeof file, "%s-%ld%s", name, (long)getpid(), extension);
  if (!find_folder(folder) || !folder_create(folder, &error)) return false;
  look_through(folder, name);
  return path_join(path, RUN_FOLDER_PATH, folder, file);
}

/* ---- run ---- */

enum {
  NO_FRAME = -1000000, /* no --to was given */
  REPLAY_TIMES = 20    /* a window's limits may allow this many times more than counted ones */
};

typedef struct run_request {
  const char *scene, *capture, *bake, *record, *replay;
  cli_list allow;
  bool is_headless, trust;
  int frames, from, to, size[2], samples, shadow, texels, vertices;
  double dt;
} run_request;

/* ---- the first run of a scene: its keys, and where to begin ---- */

/* The line of the scene that says "<- change", or 0. */
static int inviting_line(const char *path) {
  char line[512];
  FILE *file = file_open(path);
  int found = 0;
  for (int number = 1; file && !found && fgets(line, sizeof line, file); number++)
    if (strstr(line, "<- change")) found = number;
  if (file) fclose(file);
  return found;
}

static void greet(const char *scene) {
  int line = inviting_line(scene);
  text_show(stdout, "%s runs. Change a line and save: the scene follows.\n", scene);
  if (line > 0) text_show(stdout, "  begin here: change line %d of %s and save\n", line, scene);
  puts("  mouse: left turns, right pans, wheel zooms    F1 inspector  F2 wireframe  F3 numbers  F5 skeleton\n  "
       "F6 pause  F7 one frame  F8 slow motion  F9 look back  F10 graph  Ctrl+R restart");
  fflush(stdout);
}

/* ---- the run ---- */

static sinew_host *create_host(const run_request *r, sinew_error *error) {
  sinew_host_def def = sinew_host_def_default();
  char title[512];
  const char *slash = strrchr(r->scene, '/');
  snprintf(title, sizeof title, "%.400s – Sinew", slash ? slash + 1 : r->scene);
  bool headless = r->is_headless || r->capture;
  def.output = cli_output(headless);
  if (def.output == SINEW_OUTPUT_OFFSCREEN && !r->capture) def.output = SINEW_OUTPUT_NONE;
  def.title = title;
  if (r->size[0] > 0) def.width = r->size[0], def.height = r->size[1];
  def.fixed_dt = r->dt;
  def.frame_limit = r->frames;
  def.capture = r->capture;
  def.capture_from = r->from;
  def.record_input = r->record;
  def.replay_input = r->replay;
  char log[RUN_FOLDER_PATH];
  if (def.output == SINEW_OUTPUT_WINDOW && !r->record && !r->replay && run_folder_name(r->scene, log))
    def.record_input = log, def.record_is_temporary = true;
  char self[RUN_FOLDER_PATH];
  if (self_program(self, sizeof self)) def.rerun_program = self;
  cli_show_progress(&def);
  def.keeps_past = true;
  def.samples = r->samples;
  def.shadow_size = r->shadow;
  def.mega_texels = r->texels;
  def.mega_vertices = r->vertices;
  return sinew_host_create(&def, error);
}

static int report(const sinew_scene *scene, const sinew_error *error) {
  const char *problem = sinew_scene_problem(scene);
  return cli_fail("%s", problem ? problem : error->message);
}

static int run_scene(sinew_host *host, sinew_scene *scene, const run_request *r) {
  sinew_error error;
  sinew_app app = sinew_scene_app(scene);
  bool window = sinew_host_output(host) == SINEW_OUTPUT_WINDOW;
  sinew_host_set_app(host, &app);
  sinew_host_set_view_keys(host, false); /* W is for walking here; F1 to F5 show the views */
  if (window && !cli_is_bundle(r->scene)) greet(r->scene);
  double begun = clock_seconds();
  bool fine = sinew_host_run(host, &error) && !(r->replay && sinew_scene_problem(scene));
  if (!fine) return report(scene, &error);
  cli_tell_end(host, r->scene, clock_seconds() - begun);
  return 0;
}

/* ACTOR:FILE.glb */
static bool begin_bake(sinew_scene *scene, const char *bake, sinew_error *error) {
  const char *colon = strchr(bake, ':');
  char actor[128];
  snprintf(actor, sizeof actor, "%.*s", (int)(colon - bake), bake);
  return sinew_scene_bake(scene, actor, colon + 1, error);
}

static int run_and_bake(sinew_host *host, sinew_scene *scene, const run_request *r) {
  sinew_error error;
  if (r->bake && !begin_bake(scene, r->bake, &error)) return cli_fail("%s", error.message);
  int status = run_scene(host, scene, r);
  return sinew_scene_end_bakes(scene, &error) ? status : cli_fail("%s", error.message);
}

/* The stubs that `sinew new` has put beside the scene. */
static bool find_stubs(const char *scene, char *out, size_t size) {
  struct stat info;
  const char *slash = strrchr(scene, '/');
  bool folder = stat(scene, &info) == 0 && S_ISDIR(info.st_mode);
  int length = folder ? (int)strlen(scene) : slash ? (int)(slash - scene) : 0;
  int n = snprintf(out, size, "%.*s%ssinew.d.lua", length, scene, length ? "/" : "");
  return n > 0 && (size_t)n < size && stat(out, &info) == 0;
}

static int run(const run_request *r) {
  sinew_error error;
  sinew_scene_def def = sinew_scene_def_default();
  char stubs[RUN_FOLDER_PATH];
  if (!r->replay && find_stubs(r->scene, stubs, sizeof stubs)) def.stubs = stubs;
  def.trust = r->trust;
  if (r->trust) cli_warn_of_trust(r->scene);
  def.count_instructions = r->replay || cli_output(r->is_headless || r->capture) != SINEW_OUTPUT_WINDOW;
  if (r->replay) def.instruction_limit *= REPLAY_TIMES;
  def.always_wait = cli_output(r->is_headless || r->capture) != SINEW_OUTPUT_WINDOW;
  def.allow = r->allow.items;
  def.allow_count = r->allow.count;
  sinew_host *host = create_host(r, &error);
  if (!host) return cli_fail("%s", error.message);
  bool bundle = cli_is_bundle(r->scene), good = !bundle || sinew_host_set_bundle(host, r->scene, &error);
  sinew_scene *scene = good ? sinew_scene_create(host, bundle ? NULL : r->scene, &def, &error) : NULL;
  int status = scene ? run_and_bake(host, scene, r) : cli_fail("%s", error.message);
  sinew_scene_destroy(scene);
  bool recorded = sinew_host_recorded(host) || !r->record;
  sinew_host_destroy(host);
  return recorded || status ? status : 1;
}

/* A range of pictures, for a run whose parts are rendered on several machines. */
static int parse_range(run_request *r) {
  bool has_range = r->from != 0 || r->to != NO_FRAME;
  if (has_range && !r->capture) return cli_misuse("run", "--from and --to choose the pictures of --capture");
  if (r->from < 0 || (r->to != NO_FRAME && r->to < r->from))
    return cli_misuse("run", "--from N is at least 0, and --to is not before it");
  if (r->to != NO_FRAME) r->frames = r->to + 1;
  return -1;
}

static int parse(run_request *r, int argc, char **argv) {
  const char *scene[1];
  const cli_option options[] = {
      {"--headless", CLI_FLAG, &r->is_headless, "no window; the first script error ends it with status 1"},
      {"--frames", CLI_INT, &r->frames, "N  stop after N frames"},
      {"--dt", CLI_NUMBER, &r->dt, "S  seconds of each frame (without a window 1/60)"},
      {"--size", CLI_SIZE, r->size, "WxH  pixels"},
      {"--capture", CLI_TEXT, &r->capture, "OUT  x.png, x.mp4, dir/ or sheet.png:12 (a contact sheet)"},
      {"--from", CLI_INT, &r->from,
       "N  keep pictures from frame N on (counted from 0); earlier ones are only simulated"},
      {"--to", CLI_INT, &r->to, "N  stop after the picture of frame N"},
      {"--bake", CLI_TEXT, &r->bake, "ACTOR:FILE.glb  write an actor's motion as a glTF animation of its joints"},
      {"--record", CLI_TEXT, &r->record, "FILE  record everything that enters the run: input, time, saves, models"},
      {"--replay", CLI_TEXT, &r->replay,
       "FILE  give this scene the recorded input (sinew replay runs the recorded scene)"},
      {"--samples", CLI_INT, &r->samples, "N  anti-aliasing: 1, 2, 4, 8"},
      {"--shadow", CLI_INT, &r->shadow, "N  texels along an edge of the shadow, 0 for none"},
      {"--texels", CLI_INT, &r->texels, CLI_TEXELS},
      {"--vertices", CLI_INT, &r->vertices, CLI_VERTICES},
      {"--allow", CLI_LIST, &r->allow, "DIR  a further folder that the scene may read; may be repeated"},
      {"--trust", CLI_FLAG, &r->trust, "open all of Lua to the scene: files, processes, native modules"},
  };
  const cli_usage usage = {.command = "run",
                           .arguments = "SCENE.lua|FILE.sinewbundle",
                           .summary =
                               "Runs a Lua scene, the main.lua of a folder, or a bundle. Save the file, and the scene "
                               "changes without losing its stride.",
                           .options = options,
                           .option_count = (int)(sizeof options / sizeof *options),
                           .min_positional = 1,
                           .max_positional = 1};
  int status = cli_parse(&usage, argc, argv, scene, NULL);
  if (status >= 0) return status;
  r->scene = scene[0];
  if (r->dt < 0 || r->frames < 0) return cli_misuse("run", "--dt and --frames are 0 or more");
  if (r->replay && (r->dt > 0 || r->size[0] > 0))
    return cli_misuse("run", "--replay has the time of each frame and the size; leave --dt and --size out");
  if (r->bake && !strchr(r->bake, ':')) return cli_misuse("run", "--bake ACTOR:FILE.glb, as in --bake hero:take.glb");
  if (r->trust && cli_is_bundle(r->scene)) return cli_misuse("run", "a bundle runs in the sandbox; leave --trust out");
  return parse_range(r);
}

int cli_run(int argc, char **argv) {
  run_request r = {.to = NO_FRAME,
                   .samples = -1,
                   .shadow = -1,
                   .texels = sinew_host_def_default().mega_texels,
                   .vertices = sinew_host_def_default().mega_vertices};
  int status = parse(&r, argc, argv);
  if (status >= 0) return status;
  sinew_output output = cli_output(r.is_headless || r.capture);
  if (output != SINEW_OUTPUT_WINDOW && r.frames == 0 && !r.replay) r.frames = 600; /* it has no window to close */
  return run(&r);
}
