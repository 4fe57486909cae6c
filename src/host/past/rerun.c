#include "host/past/rerun.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 12 + 2 * RERUN_FILES, NUMBER = 24, VARIABLES = 8, VARIABLE = 4200 };
static const double deadline = 60;

static void end_child(rerun *r) {
  process_destroy(r->child);
  r->child = NULL;
  if (r->output) remove(r->output);
  mem_free(r->output);
  r->output = NULL;
}

void rerun_drop_take(rerun *r) {
  if (r->has_take) take_release(&r->take);
  r->has_take = false;
}

void rerun_release(rerun *r) {
  end_child(r);
  rerun_drop_take(r);
  for (int i = 0; i < r->file_count; i++) mem_free(r->files[i]);
  *r = (rerun){0};
}

void rerun_add_file(rerun *r, const char *path) {
  for (int i = 0; i < r->file_count; i++)
    if (strcmp(r->files[i], path) == 0) return;
  char *copy = r->file_count < RERUN_FILES ? mem_copy_string(path) : NULL;
  if (copy) r->files[r->file_count++] = copy;
}

/* ---- the process ---- */

/* What decides about bits and places. */
static void fill_environment(char text[VARIABLES][VARIABLE], const char *environment[VARIABLES + 1]) {
  static const char *const names[] = {"HOME", "TMPDIR", "SINEW_HOME", "SINEW_CACHE", "SINEW_SIMD", "SINEW_THREADS"};
  int count = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    if (!value || snprintf(text[count], VARIABLE, "%s=%s", names[i], value) >= VARIABLE) continue;
    environment[count] = text[count];
    count++;
  }
  environment[count] = NULL;
}

static void start(rerun *r, const rerun_def *def) {
  static char variables[VARIABLES][VARIABLE];
  const char *words[WORDS], *environment[VARIABLES + 1];
  char at[NUMBER], from[NUMBER], to[NUMBER];
  sinew_error error;
  snprintf(at, sizeof at, "%lld", (long long)def->edit_at);
  snprintf(from, sizeof from, "%lld", (long long)def->from);
  snprintf(to, sizeof to, "%lld", (long long)def->to);
  const char *const first[] = {def->program, "replay", def->recording, "--take", r->output, "--edit-at",
                               at,           "--from", from,           "--to",   to};
  size_t count = sizeof first / sizeof *first;
  memcpy(words, first, sizeof first);
  for (int i = 0; i < r->file_count; i++) words[count++] = "--edit", words[count++] = r->files[i];
  words[count] = NULL;
  fill_environment(variables, environment);
  process_def wanted = process_def_default();
  wanted.arguments = words;
  wanted.limits = process_limits_none();
  wanted.deadline = deadline;
  wanted.text_limit = 1 << 16;
  wanted.environment = environment;
  r->child = process_start(&wanted, &error);
  if (!r->child) snprintf(r->problem, sizeof r->problem, "%.230s", error.message);
}

void rerun_start(rerun *r, const rerun_def *def) {
  size_t size = strlen(def->recording) + 8;
  end_child(r);
  r->problem[0] = '\0';
  r->edit_at = def->edit_at;
  r->from_start = def->edit_at == 0;
  r->began = clock_seconds();
  r->output = mem_alloc(size);
  if (!r->output) return;
  snprintf(r->output, size, "%s.take", def->recording);
  start(r, def);
}

/* ---- its end ---- */

/* The first line of what it said last, without the name of the program. */
static void take_reason(rerun *r) {
  process_bytes said = process_errors(r->child);
  const char *text = (const char *)said.data;
  int size = 0, begin = 0;
  for (int i = 0; i < (int)said.size; i++) /* the last sentence that begins with our name */
    if ((i == 0 || text[i - 1] == '\n') && said.size - (size_t)i > 7 && memcmp(text + i, "sinew: ", 7) == 0)
      begin = i + 7;
  while (begin + size < (int)said.size && text[begin + size] != '\n') size++;
  snprintf(r->problem, sizeof r->problem, "not run again: %.*s", size > 200 ? 200 : size, size ? text + begin : "");
  if (size == 0) snprintf(r->problem, sizeof r->problem, "not run again: it %.200s", process_ending(r->child));
}

bool rerun_poll(rerun *r, const ring *then) {
  sinew_error error;
  take made;
  int missing = 0;
  if (!r->child || !process_wait(r->child, 0)) return false;
  r->seconds = clock_seconds() - r->began;
  bool good = process_status(r->child) == 0;
  if (!good) take_reason(r);
  else if (!take_read(&made, r->output, then, &missing, &error)) {
    snprintf(r->problem, sizeof r->problem, "%.230s", error.message);
    good = false;
  }
  end_child(r);
  if (!good) return false;
  rerun_drop_take(r);
  r->take = made;
  r->has_take = true;
  if (missing) snprintf(r->problem, sizeof r->problem, "actors that were not there then are left out");
  return true;
}
