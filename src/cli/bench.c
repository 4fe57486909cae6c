/* sinew bench – how fast this machine animates. Medians over rounds; nothing here is asserted. */
#include "base/clock.h"
#include "base/file.h"
#include "cli/bench_cases.h"
#include "cli/bench_process.h"
#include "cli/cli.h"
#include "math/simd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 31, MOST_RESULTS = 16 };
static const double round_seconds = 0.002;

typedef struct result {
  const char *name, *unit, *part; /* "ns", "joint" */
  double value, per_part, goal;   /* per_part and goal: of the part; part NULL: goal is of the value */
} result;

typedef struct bench_report {
  result results[MOST_RESULTS];
  int count;
  const char *filter;
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

/* Seconds of one run: the median of rounds that are each long enough for the clock. */
static double measure(const bench_case *measured, bench_scene *scene) {
  int64_t turns = 1;
  while (time_turns(measured, scene, turns) < round_seconds && turns < (int64_t)1 << 40) turns *= 2;
  double rounds[ROUNDS];
  for (int i = 0; i < ROUNDS; i++) rounds[i] = time_turns(measured, scene, turns) / (double)turns;
  return median(rounds, ROUNDS);
}

static void measure_jobs(bench_report *report, bench_scene *scene) {
  int joints = sinew_model_joint_count(scene->model);
  int vertices = scene->mesh < 0 ? 0 : sinew_model_mesh(scene->model, scene->mesh).vertex_count;
  for (int i = 0; i < bench_case_count; i++) {
    const bench_case *one = &bench_cases[i];
    if (!wanted(report, one->name) || !bench_case_applies(one, scene)) continue;
    double each = measure(one, scene) / one->characters * 1e9;
    bool by_joint = one->per == BENCH_PER_JOINT;
    report->results[report->count++] = (result){.name = one->name,
                                                .unit = "ns",
                                                .part = by_joint ? "joint" : "vertex",
                                                .value = each,
                                                .per_part = each / (by_joint ? joints : vertices),
                                                .goal = one->goal};
  }
}

/* Milliseconds of one load, the median; negative where the model does not load any more. */
static double time_loads(const char *path, const sinew_load_options *options) {
  enum { LOADS = 9 };
  double loads[LOADS];
  for (int i = 0; i < LOADS; i++) {
    double begin = clock_seconds();
    sinew_model *model = sinew_model_load(path, options, NULL);
    loads[i] = (clock_seconds() - begin) * 1e3;
    if (!model) return -1;
    sinew_model_release(model);
  }
  return median(loads, LOADS);
}

static void measure_load(bench_report *report, const char *path) {
  static const struct {
    const char *name;
    bool in_process, no_cache;
  } ways[] = {
      {"import in this process", true, true}, {"import in a child", false, true}, {"load, cached", false, false}};
  char folder[4096];
  for (int i = 0; i < 3; i++) {
    if (!wanted(report, ways[i].name) || (!ways[i].no_cache && !sinew_cache_folder(folder, sizeof folder))) continue;
    sinew_load_options options = sinew_load_options_default();
    options.in_process = ways[i].in_process;
    options.no_cache = ways[i].no_cache;
    double time = time_loads(path, &options);
    if (time >= 0) report->results[report->count++] = (result){.name = ways[i].name, .unit = "ms", .value = time};
  }
}

/* An empty scene has the driver and the renderer, so the difference is what the demo itself takes. */
static void measure_demo(bench_report *report) {
  bool time = wanted(report, "first frame of the demo"), memory = wanted(report, "memory of the demo");
  char demo[4096], nothing[] = "/tmp/sinew-bench-XXXXXX.lua";
  bench_process warm, first, empty;
  path_join(demo, sizeof demo, sinew_home(), "scripts/examples/01_hello.lua");
  if ((!time && !memory) || !bench_run_scene(demo, 1, &warm) || !bench_run_scene(demo, 1, &first)) return;
  if (time)
    report->results[report->count++] =
        (result){.name = "first frame of the demo", .unit = "ms", .value = first.seconds * 1e3, .goal = 1000};
  int file = memory ? mkstemps(nothing, 4) : -1;
  if (file < 0) return;
  static const char scene[] = "require \"sinew\"\n";
  bool written = write(file, scene, sizeof scene - 1) == (ssize_t)sizeof scene - 1;
  close(file);
  if (written && bench_run_scene(nothing, 30, &empty) && bench_run_scene(demo, 30, &warm))
    report->results[report->count++] =
        (result){.name = "memory of the demo", .unit = "MB", .value = warm.megabytes - empty.megabytes, .goal = 100};
  remove(nothing);
}

static void print_table(const bench_report *report, const char *path, const bench_scene *scene) {
  printf("%s: %d joints, %d clips; %s, medians of %d rounds; nanoseconds are per character\n\n", path,
         sinew_model_joint_count(scene->model), sinew_model_clip_count(scene->model), simd_name(simd_current()),
         ROUNDS);
  printf("%-24s %12s %18s %18s\n", "", "measured", "per part", "goal");
  for (int i = 0; i < report->count; i++) {
    const result *r = &report->results[i];
    char part[32] = "", goal[32] = "";
    if (r->part) snprintf(part, sizeof part, "%.2f ns/%s", r->per_part, r->part);
    if (r->part) snprintf(goal, sizeof goal, "%.2f ns/%s", r->goal, r->part);
    else if (r->goal > 0) snprintf(goal, sizeof goal, "%.0f %s", r->goal, r->unit);
    printf("%-24s %9.1f %s %18s %18s\n", r->name, r->value, r->unit, part, goal);
  }
}

static void print_json(const bench_report *report, const bench_scene *scene) {
  printf("{\"joints\":%d,\"clips\":%d,\"simd\":\"%s\",\"results\":[", sinew_model_joint_count(scene->model),
         sinew_model_clip_count(scene->model), simd_name(simd_current()));
  for (int i = 0; i < report->count; i++) {
    const result *r = &report->results[i];
    printf("%s\n  {\"name\":\"%s\",\"unit\":\"%s\",\"value\":%.4f", i ? "," : "", r->name, r->unit, r->value);
    if (r->part) printf(",\"part\":\"%s\",\"per_part\":%.4f", r->part, r->per_part);
    if (r->goal > 0) printf(",\"goal\":%.4f", r->goal);
    putchar('}');
  }
  puts("]}");
}

int cli_bench(int argc, char **argv) {
  bool json = false;
  bench_report report = {0};
  char hero[4096];
  path_join(hero, sizeof hero, sinew_home(), "assets/hero.glb");
  const char *path = hero;
  const cli_option options[] = {
      {"--json", CLI_FLAG, &json, "print JSON"},
      {"--filter", CLI_TEXT, &report.filter, "TEXT  only measurements whose name has TEXT in it"},
      {"--model", CLI_TEXT, &path, "FILE  measure with this model (default: the hero)"},
  };
  const cli_usage usage = {.command = "bench",
                           .arguments = "",
                           .summary = "Measures what one character costs. Varying inputs, medians; goals beside them.",
                           .options = options,
                           .option_count = sizeof options / sizeof *options};
  int status = cli_parse(&usage, argc, argv, NULL, NULL);
  if (status >= 0) return status;
  bench_scene scene;
  sinew_error error;
  if (!bench_scene_init(&scene, path, &error)) return cli_fail("%s", error.message);
  measure_jobs(&report, &scene);
  measure_load(&report, path);
  measure_demo(&report);
  if (json) print_json(&report, &scene);
  else print_table(&report, path, &scene);
  bench_scene_reset(&scene);
  return report.count ? 0 : cli_fail("no measurement is called '%s'", report.filter ? report.filter : "");
}
