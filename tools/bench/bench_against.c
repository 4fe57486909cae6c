#include "bench/bench_against.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "base/process/process.h"
#include "base/text.h"
#include "bench/bench_process.h"
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 96, NAME = 64, UNIT = 8, TEXT_LIMIT = 1 << 20 };

/* A measurement, and its minimum over all turns; negative: not measured. */
typedef struct row {
  char name[NAME], unit[UNIT];
  double least[2];
} row;

enum { OLD, NEW };

typedef struct comparison {
  const char *programs[2];
  const char *model, *filter;
  row rows[MOST_ROWS];
  int count;
} comparison;

/* ---- reading a build's report ---- */

static row *need_row(comparison *c, const char *name, const char *unit) {
  for (int i = 0; i < c->count; i++)
    if (strcmp(c->rows[i].name, name) == 0) return c->rows + i;
  if (c->count == MOST_ROWS) return NULL;
  row *r = c->rows + c->count++;
  *r = (row){.least = {-1, -1}};
  snprintf(r->name, sizeof r->name, "%s", name);
  snprintf(r->unit, sizeof r->unit, "%s", unit);
  return r;
}

static bool read_number(const char *line, const char *key, double *number) {
  const char *at = strstr(line, key);
  if (at) *number = text_number(at + strlen(key), NULL);
  return at != NULL;
}

/* Reads a measurement from its line. */
static bool take_line(comparison *c, int build, const char *line) {
  char name[NAME], unit[UNIT];
  double value;
  if (text_scan(line, " {\"name\":\"%63[^\"]\",\"unit\":\"%7[^\"]\"", name, unit) != 2) return false;
  if (!read_number(line, "\"least\":", &value) && !read_number(line, "\"value\":", &value)) return false;
  row *r = need_row(c, name, unit);
  if (r && (r->least[build] < 0 || value < r->least[build])) r->least[build] = value;
  return r != NULL;
}

/* Skips lines of the report that are not measurements. */
static bool take_report(comparison *c, int build, char *text) {
  int taken = 0;
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) taken += take_line(c, build, line);
  return taken > 0;
}

/* ---- turns ---- */

/* The environment for both builds. Returns the list; `store` holds its texts. */
static const char *const *pass_environment(char store[][BENCH_PATH], const char **list) {
  static const char *const names[] = {"HOME",       "PATH",          "TMPDIR",      "XDG_CACHE_HOME", "SINEW_HOME",
                                      "SINEW_SIMD", "SINEW_THREADS", "SINEW_CACHE", "SINEW_IMPORT"};
  int count = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    int length = value ? snprintf(store[count], BENCH_PATH, "%s=%s", names[i], value) : -1;
    if (length < 0 || length >= BENCH_PATH) continue;
    list[count] = store[count];
    count++;
  }
  list[count] = NULL;
  return list;
}

static process *start(const comparison *c, int build, sinew_error *error) {
  static char store[9][BENCH_PATH];
  const char *words[8] = {c->programs[build], "bench", "--json"}, *environment[10];
  int count = 3;
  if (c->filter) words[count++] = "--filter", words[count++] = c->filter;
  if (c->model) words[count++] = "--model", words[count++] = c->model;
  words[count] = NULL;
  process_def def = process_def_default();
  def.arguments = words;
  def.text_limit = TEXT_LIMIT;
  def.environment = pass_environment(store, environment);
  return process_start(&def, error);
}

static bool take_output(comparison *c, int build, const process *p) {
  process_bytes out = process_output(p);
  char *text = mem_alloc(out.size + 1);
  if (!text) return false;
  if (out.size) memcpy(text, out.data, out.size);
  text[out.size] = '\0';
  bool taken = take_report(c, build, text);
  mem_free(text);
  return taken;
}

static bool take_turn(comparison *c, int build, sinew_error *error) {
  process *p = start(c, build, error);
  if (!p) return false;
  while (!process_wait(p, 60)) continue;
  bool ended = process_status(p) == 0;
  if (!ended) {
    process_bytes said = process_errors(p);
    error_set(error, "%s %s%s%.*s", c->programs[build], process_ending(p), said.size ? ": " : "", (int)said.size,
              said.size ? (const char *)said.data : "");
  }
  bool taken = ended && take_output(c, build, p);
  if (ended && !taken) error_set(error, "%s prints no measurements: is it a build of sinew?", c->programs[build]);
  process_destroy(p);
  return taken;
}

/* ---- telling ---- */

static bool is_whole(const row *r) { return r->least[OLD] > 0 && r->least[NEW] > 0; }

static void print_text(const comparison *c, int turns) {
  printf("least of %d turns each\n\n%-44s %12s %12s %8s\n", turns, "", "old", "new", "new/old");
  for (int i = 0; i < c->count; i++) {
    const row *r = c->rows + i;
    char values[2][24] = {"-", "-"}, ratio[16] = "";
    for (int b = 0; b < 2; b++)
      if (r->least[b] >= 0) text_format(values[b], sizeof values[b], "%.4g %s", r->least[b], r->unit);
    if (is_whole(r)) text_format(ratio, sizeof ratio, "%.2f", r->least[NEW] / r->least[OLD]);
    printf("%-44s %12s %12s %8s\n", r->name, values[OLD], values[NEW], ratio);
  }
}

static void print_json(const comparison *c, int turns) {
  printf("{\"turns\":%d,\"results\":[", turns);
  for (int i = 0; i < c->count; i++) {
    const row *r = c->rows + i;
    printf("%s\n  {\"name\":\"%s\",\"unit\":\"%s\"", i ? "," : "", r->name, r->unit);
    if (r->least[OLD] >= 0) text_print(stdout, ",\"old\":%.4f", r->least[OLD]);
    if (r->least[NEW] >= 0) text_print(stdout, ",\"new\":%.4f", r->least[NEW]);
    if (is_whole(r)) text_print(stdout, ",\"ratio\":%.4f", r->least[NEW] / r->least[OLD]);
    putchar('}');
  }
  puts("]}");
}

int bench_against(const char *old, const char *model, const char *filter, int turns, bool json) {
  static comparison c;
  char self[BENCH_PATH];
  sinew_error error;
  c = (comparison){.programs = {old, self}, .model = model, .filter = filter};
  if (!self_program(self, sizeof self)) return cli_fail("its own program cannot be found");
  for (int turn = 0; turn < turns; turn++)
    for (int build = OLD; build <= NEW; build++)
      if (!take_turn(&c, build, &error)) return cli_fail("%s", error.message);
  if (json) print_json(&c, turns);
  else print_text(&c, turns);
  return 0;
}
