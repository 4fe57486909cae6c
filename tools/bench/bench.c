/* sinew-dev bench – how fast this machine animates. Medians over rounds; nothing here is asserted. */
#include "bench/bench.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/jobs.h"
#include "base/text.h"
#include "bench/bench_against.h"
#include "bench/bench_assimp.h"
#include "bench/bench_counter.h"
#include "bench/bench_crowd.h"
#include "bench/bench_gpu.h"
#include "bench/bench_lua.h"
#include "bench/bench_past.h"
#include "bench/bench_process.h"
#include "bench/bench_save.h"
#include "bench/bench_script.h"
#include "cli/cli.h"
#include "math/simd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 31, MOST_RESULTS = 64, NONE = INT32_MIN };
static const double round_seconds = 0.002;

typedef struct result {
  const char *name, *unit, *part; /* "ns", "joint" */
  double value, per_part, goal;   /* per_part and goal: per part; part NULL: goal is for the value */
  double least;                   /* over all rounds, even on a busy machine; 0: not known */
  double instructions;            /* per part, or in all; 0: not known */
} result;

typedef struct bench_report {
  result results[MOST_RESULTS];
  int count, threads, turns;
  const char *filter;
  int counter; /* a bench_counter, or −1 */
} bench_report;

static bool wanted(const bench_report *report, const char *name) {
  return !report->filter || strstr(name, report->filter);
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return values[count / 2];
}

static double time_turns(const bench_case *measured, bench_scene *scene, int64_t turns) {
  double begin = clock_seconds();
  for (int64_t i = 0; i < turns; i++) measured->run(scene, i);
  return clock_seconds() - begin;
}

/* Seconds of one run, the median and the minimum of rounds, each long enough for the clock. */
static double measure(const bench_case *measured, bench_scene *scene, double *least) {
  int64_t turns = 1;
  while (time_turns(measured, scene, turns) < round_seconds && turns < (int64_t)1 << 40) turns *= 2;
  double rounds[ROUNDS];
  for (int i = 0; i < ROUNDS; i++) rounds[i] = time_turns(measured, scene, turns) / (double)turns;
  double middle = median(rounds, ROUNDS);
  *least = rounds[0];
  return middle;
}

/* The instructions of one run in this thread; 0 if nothing counts them. */
static double count_instructions(int counter, const bench_case *measured, bench_scene *scene) {
  enum { TURNS = 64 };
  uint64_t begin, end;
  if (!bench_counter_read(counter, &begin)) return 0;
  time_turns(measured, scene, TURNS);
  return bench_counter_read(counter, &end) ? (double)(end - begin) / TURNS : 0;
}

static int count_parts(const bench_scene *scene, bench_per per) {
  if (per == BENCH_PER_JOINT) return sinew_model_joint_count(scene->model);
  return per == BENCH_PER_VERTEX ? sinew_model_mesh(scene->model, scene->mesh).vertex_count : 1;
}

/* Nanoseconds per character, and per joint or vertex of it. `threads`: they share the goal. */
static double add_case(bench_report *report, const bench_case *measured, bench_scene *scene, int threads) {
  static const char *const parts[] = {
      [BENCH_PER_JOINT] = "joint", [BENCH_PER_VERTEX] = "vertex", [BENCH_PER_CHARACTER] = NULL};
  double least, scale = 1e9 / measured->characters;
  double each = measure(measured, scene, &least) * scale, count = count_parts(scene, measured->per);
  double instructions = threads == 1 ? count_instructions(report->counter, measured, scene) : 0;
  report->results[report->count++] = (result){.name = measured->name,
                                              .unit = "ns",
                                              .part = parts[measured->per],
                                              .value = each,
                                              .per_part = each / count,
                                              .goal = measured->goal / threads,
                                              .least = least * scale,
                                              .instructions = instructions / measured->characters / count};
  return each;
}

static void measure_jobs(bench_report *report, bench_scene *scene) {
  for (int i = 0; i < bench_case_count; i++)
    if (wanted(report, bench_cases[i].name) && bench_case_applies(&bench_cases[i], scene))
      add_case(report, &bench_cases[i], scene, 1);
}

static bool measure_crowds(bench_report *report, bench_scene *scene, sinew_error *error) {
  if (!sinew_model_clip_count(scene->model) || !sinew_model_palette_count(scene->model)) return true;
  for (int i = 0; i < bench_crowd_count; i++) {
    const bench_crowd *crowd = &bench_crowds[i];
    if (!wanted(report, crowd->measured.name)) continue;
    if (!bench_crowd_open(crowd, report->threads, scene, error)) return false;
    double each = add_case(report, &crowd->measured, scene, crowd->shared ? report->threads : 1);
    bench_crowd_close(scene);
    if (crowd->frame)
      report->results[report->count++] =
          (result){.name = crowd->frame, .unit = "ms", .value = each * crowd->measured.characters * 1e-6, .goal = 4};
  }
  return true;
}

static bool measure_scripts(bench_report *report, sinew_error *error) {
  for (int i = 0; i < bench_script_count; i++) {
    const bench_script *script = &bench_scripts[i];
    double middle, least;
    if (!wanted(report, script->name)) continue;
    if (!bench_script_run(script, &middle, &least, error)) return false;
    report->results[report->count++] = (result){.name = script->name,
                                                .unit = script->unit,
                                                .value = middle * script->scale,
                                                .goal = script->goal,
                                                .least = least * script->scale};
  }
  return true;
}

/* Milliseconds of each chunk in a scene, whose goal is a tenth over lua5.4; and the median ratio. */
static bool measure_lua(bench_report *report, sinew_error *error) {
  double ratios[BENCH_LUA_COUNT];
  int count = 0;
  for (int i = 0; i < BENCH_LUA_COUNT; i++) {
    double scene, plain;
    if (!wanted(report, bench_luas[i].name)) continue;
    if (!bench_lua_run(&bench_luas[i], report->turns, &scene, &plain, error)) return false;
    report->results[report->count++] =
        (result){.name = bench_luas[i].name, .unit = "ms", .value = scene * 1e3, .goal = plain * 1.1e3};
    if (plain > 0) ratios[count++] = scene / plain;
  }
  if (count == BENCH_LUA_COUNT)
    report->results[report->count++] =
        (result){.name = "Lua: of lua5.4", .unit = "%", .value = median(ratios, count) * 100, .goal = 110};
  return true;
}

static bool measure_save(bench_report *report, const char *name, bool atomic, double goal, sinew_error *error) {
  bench_save save = {.atomic = atomic};
  if (!wanted(report, name)) return true;
  if (!bench_save_run(&save, error)) return false;
  report->results[report->count++] =
      (result){.name = name, .unit = "ms", .value = save.median * 1e3, .least = save.least * 1e3, .goal = goal};
  return true;
}

static bool measure_saves(bench_report *report, sinew_error *error) {
  return measure_save(report, "save by rename to change", true, 50, error) &&
         measure_save(report, "save in place to change", false, 70, error);
}

static void add(bench_report *report, const char *name, const char *unit, double value, double least, double goal) {
  report->results[report->count++] = (result){.name = name, .unit = unit, .value = value, .least = least, .goal = goal};
}

/* The cost of the look back; the goals are those of docs/debugging.md. */
static bool measure_past(bench_report *report, sinew_model *model, sinew_error *error) {
  static const char *const names[] = {"past: frame of 50 actors, crowd of 100", "past: ring of 50 actors, crowd of 100",
                                      "past: recording of half an hour", "past: ten seconds again"};
  bench_past kept;
  double bytes, seconds, least;
  if (wanted(report, names[0]) || wanted(report, names[1])) {
    if (!bench_past_keep(model, &kept, error)) return false;
    if (wanted(report, names[0])) add(report, names[0], "ms", kept.frame_seconds * 1e3, kept.least * 1e3, 0.3);
    if (wanted(report, names[1])) add(report, names[1], "MB", kept.ring_bytes * 1e-6, 0, 48);
  }
  if (wanted(report, names[2])) {
    if (!bench_past_log(&bytes, error)) return false;
    add(report, names[2], "MB", bytes * 1e-6, 0, 268);
  }
  if (!wanted(report, names[3])) return true;
  if (!bench_past_again(&seconds, &least, error)) return false;
  add(report, names[3], "ms", seconds * 1e3, least * 1e3, 150);
  return true;
}

typedef struct load_method {
  const char *name;
  bool by_assimp, in_process, cached;
} load_method;

enum { LOAD_WAYS = 4, LOADS = 15 };
static const load_method load_methods[LOAD_WAYS] = {{.name = "import by Assimp alone", .by_assimp = true},
                                                    {.name = "import in this process", .in_process = true},
                                                    {.name = "import in a child"},
                                                    {.name = "load, cached", .cached = true}};

/* Milliseconds; negative if the model cannot be loaded this way. */
static double time_load(const load_method *method, const char *path) {
  if (method->by_assimp) return assimp_seconds(path) * 1e3;
  sinew_load_options options = sinew_load_options_default();
  options.in_process = method->in_process;
  options.no_cache = !method->cached;
  double begin = clock_seconds();
  sinew_model *model = sinew_model_load(path, &options, NULL);
  double time = (clock_seconds() - begin) * 1e3;
  sinew_model_release(model);
  return model ? time : -1;
}

/* All ways take turns, because the load of the machine changes. An import in a child may take half as long again as
 * Assimp, plus 30 ms. */
static void measure_load(bench_report *report, const char *path) {
  char folder[4096];
  double times[LOAD_WAYS][LOADS], goal = 0;
  for (int round = 0; round < LOADS; round++)
    for (int i = 0; i < LOAD_WAYS; i++) {
      bool left_out = load_methods[i].cached && !sinew_cache_folder(folder, sizeof folder);
      times[i][round] = left_out || !wanted(report, load_methods[i].name) ? -1 : time_load(load_methods + i, path);
    }
  for (int i = 0; i < LOAD_WAYS; i++) {
    double middle = median(times[i], LOADS);
    bool is_child = strcmp(load_methods[i].name, "import in a child") == 0;
    if (load_methods[i].by_assimp && middle >= 0) goal = 1.5 * middle + 30;
    if (middle >= 0)
      report->results[report->count++] = (result){.name = load_methods[i].name,
                                                  .unit = "ms",
                                                  .value = middle,
                                                  .goal = is_child ? goal : 0,
                                                  .least = times[i][0]};
  }
}

/* An empty scene also loads the driver and the renderer, so the difference is the demo's own memory. */
static void measure_demo(bench_report *report) {
  bool time = wanted(report, "first frame of the demo"), memory = wanted(report, "memory of the demo");
  char demo[4096], nothing[BENCH_PATH];
  bench_process warm, first, empty;
  path_join(demo, sizeof demo, sinew_home(), "scripts/examples/01_hello.lua");
  if ((!time && !memory) || !bench_run_scene(demo, 1, &warm) || !bench_run_scene(demo, 1, &first)) return;
  if (time)
    report->results[report->count++] =
        (result){.name = "first frame of the demo", .unit = "ms", .value = first.seconds * 1e3, .goal = 1000};
  int file = memory ? bench_make_file(nothing, ".lua") : -1;
  if (file < 0) return;
  static const char scene[] = "require \"sinew\"\n";
  bool written = write(file, scene, sizeof scene - 1) == (ssize_t)sizeof scene - 1;
  close(file);
  if (written && bench_run_scene(nothing, 30, &empty) && bench_run_scene(demo, 30, &warm) && warm.megabytes > 0)
    report->results[report->count++] =
        (result){.name = "memory of the demo", .unit = "MB", .value = warm.megabytes - empty.megabytes, .goal = 100};
  remove(nothing);
}

static void print_table(const bench_report *report, const char *path, const bench_scene *scene) {
  printf("%s: %d joints, %d clips; %s, %d threads, medians of %d rounds; nanoseconds are per character\n\n", path,
         sinew_model_joint_count(scene->model), sinew_model_clip_count(scene->model), simd_name(simd_current()),
         report->threads, ROUNDS);
  printf("%-40s %12s %12s %18s %18s %13s\n", "", "median", "least", "per part", "goal",
         report->counter < 0 ? "" : "instructions");
  for (int i = 0; i < report->count; i++) {
    const result *r = &report->results[i];
    char part[32] = "", goal[32] = "", least[32] = "", instructions[32] = "";
    if (r->least > 0) text_format(least, sizeof least, "%.*f %s", r->least < 1 ? 2 : 1, r->least, r->unit);
    if (r->part) text_format(part, sizeof part, "%.2f ns/%s", r->per_part, r->part);
    if (r->part && r->goal > 0) text_format(goal, sizeof goal, "%.2f ns/%s", r->goal, r->part);
    else if (r->goal > 0) text_format(goal, sizeof goal, "%.3g %s", r->goal, r->unit);
    if (r->instructions > 0) text_format(instructions, sizeof instructions, "%.1f", r->instructions);
    text_print(stdout, "%-40s %9.*f %s %12s %18s %18s %13s\n", r->name, r->value < 1 ? 2 : 1, r->value, r->unit, least,
               part, goal, instructions);
  }
}

static void print_json(const bench_report *report, const bench_scene *scene) {
  printf("{\"joints\":%d,\"clips\":%d,\"simd\":\"%s\",\"threads\":%d,\"results\":[",
         sinew_model_joint_count(scene->model), sinew_model_clip_count(scene->model), simd_name(simd_current()),
         report->threads);
  for (int i = 0; i < report->count; i++) {
    const result *r = &report->results[i];
    text_print(stdout, "%s\n  {\"name\":\"%s\",\"unit\":\"%s\",\"value\":%.4f", i ? "," : "", r->name, r->unit,
               r->value);
    if (r->part) text_print(stdout, ",\"part\":\"%s\",\"per_part\":%.4f", r->part, r->per_part);
    if (r->least > 0) text_print(stdout, ",\"least\":%.4f", r->least);
    if (r->goal > 0) text_print(stdout, ",\"goal\":%.4f", r->goal);
    if (r->instructions > 0) text_print(stdout, ",\"instructions\":%.2f", r->instructions);
    putchar('}');
  }
  puts("]}");
}

static int measure_drawing(const char *path, int characters) {
  sinew_error error;
  sinew_model *model = sinew_model_load(path, NULL, &error);
  if (!model) return cli_fail("%s", error.message);
  int status = bench_gpu(model, characters);
  sinew_model_release(model);
  return status;
}

int bench_command(int argc, char **argv) {
  bool json = false;
  bench_report report = {.threads = jobs_default_threads(), .turns = 25};
  char hero[4096];
  path_join(hero, sizeof hero, sinew_home(), "assets/hero.glb");
  const char *path = NULL, *old = NULL;
  bool gpu = false;
  int characters = 1000, turns = NONE;
  const cli_option options[] = {
      {"--json", CLI_FLAG, &json, "print JSON"},
      {"--filter", CLI_TEXT, &report.filter, "TEXT  only measurements whose name contains TEXT"},
      {"--model", CLI_TEXT, &path, "FILE  measure with this model (default: the hero)"},
      {"--against", CLI_TEXT, &old, "OLD  compare with OLD, the program of another build: both take turns"},
      {"--turns", CLI_INT, &turns,
       "N  how many turns each program takes (default: 3 with --against, 25 for Lua beside lua5.4)"},
      {"--gpu", CLI_FLAG, &gpu, "measure drawing: milliseconds of the GPU and bytes sent to it"},
      {"--characters", CLI_INT, &characters, "N  the largest number of characters with --gpu (default: 1000)"},
  };
  const cli_usage usage = {.command = "bench",
                           .arguments = "",
                           .summary = "Measures how long it takes to evaluate characters, one and in crowds, and "
                                      "prints the goals beside the results.",
                           .options = options,
                           .option_count = sizeof options / sizeof *options};
  int status = cli_parse(&usage, argc, argv, NULL, NULL);
  if (status >= 0) return status;
  if (characters < 1 || characters > 1000000) return cli_misuse("bench", "--characters is 1 to 1000000");
  if (turns != NONE && (turns < 1 || turns > 1000)) return cli_misuse("bench", "--turns is 1 to 1000");
  if (old && gpu) return cli_misuse("bench", "--against does not measure drawing");
  if (old) return bench_against(old, path, report.filter, turns == NONE ? 3 : turns, json);
  if (turns != NONE) report.turns = turns;
  sinew_error error;
  if (!path) path = hero;
  if (gpu) return measure_drawing(path, characters);
  bench_scene scene;
  if (!bench_scene_init(&scene, path, &error)) return cli_fail("%s", error.message);
  report.counter = bench_counter_open();
  measure_jobs(&report, &scene);
  if (!measure_crowds(&report, &scene, &error) || !measure_scripts(&report, &error) || !measure_lua(&report, &error) ||
      !measure_saves(&report, &error) || !measure_past(&report, scene.model, &error)) {
    bench_scene_reset(&scene);
    return cli_fail("%s", error.message);
  }
  bench_counter_close(report.counter);
  measure_load(&report, path);
  measure_demo(&report);
  if (json) print_json(&report, &scene);
  else print_table(&report, path, &scene);
  bench_scene_reset(&scene);
  return report.count ? 0 : cli_fail("no measurement is called '%s'", report.filter ? report.filter : "");
}
