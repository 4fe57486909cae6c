#include "host/rerun/rerun.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"
#include "base/process/process.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RERUN_AHEAD = 30 }; /* AHEAD: frames measured before the first one that counts */

enum {
  WORDS = 16 + 2 * RERUN_FILES,
  NUMBER = 24,
  VARIABLES = 8,
  VARIABLE = 4200,
  FAR = 600 /* frames: a fork waiting this far before a rerun is replaced by a nearer one */
};
static const double deadline = 60;

static void end_child(rerun *r) {
  process_destroy(r->child);
  r->child = NULL;
  if (r->output) remove(r->output);
  mem_free(r->output);
  r->output = NULL;
}

void rerun_drop_result(rerun *r) {
  if (r->has_result) rerun_result_release(&r->result);
  r->has_result = false;
}

bool rerun_is_running(const rerun *r) { return r->child || r->is_asked; }

static void stop(rerun *r) {
  if (r->is_asked) simulator_stop(r->simulator);
  r->is_asked = false;
  r->purpose = RERUN_TO_SHOW;
  end_child(r);
}

void rerun_rest(rerun *r) {
  stop(r);
  simulator_end(r->simulator);
  r->simulator = NULL;
}

void rerun_forget(rerun *r) {
  if (!r->is_used) return;
  stop(r);
  rerun_drop_result(r);
  rerun_result_release(&r->answer);
  for (int i = 0; i < r->file_count; i++) mem_free(r->files[i]);
  simulator *kept = r->simulator;
  bool is_lost = r->is_lost;
  *r = (rerun){0};
  r->simulator = kept;
  r->is_lost = is_lost;
}

void rerun_release(rerun *r) {
  rerun_forget(r);
  rerun_rest(r);
}

void rerun_add_file(rerun *r, const char *path) {
  r->is_used = true;
  for (int i = 0; i < r->file_count; i++)
    if (strcmp(r->files[i], path) == 0) return;
  char *copy = r->file_count < RERUN_FILES ? mem_copy_string(path) : NULL;
  if (copy) r->files[r->file_count++] = copy;
}

/* ---- the process ---- */

/* Collects the environment variables that affect results and paths. */
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

static void start_simulator(rerun *r, const rerun_def *def) {
  static char variables[VARIABLES][VARIABLE];
  const char *environment[VARIABLES + 2];
  int count = 0;
  fill_environment(variables, environment);
  for (int i = 0; environment[i]; i++) /* a fork has one thread */
    if (strncmp(environment[i], "SINEW_THREADS=", 14) != 0) environment[count++] = environment[i];
  environment[count++] = "SINEW_THREADS=1";
  environment[count] = NULL;
  simulator_end(r->simulator);
  r->simulator = simulator_start(def->program, def->recording, environment);
}

/* The first line of the program's last message, without its name; 200 bytes at most. */
static const char *last_sentence(const char *text, size_t length, int *size) {
  size_t count = 0, begin = 0;
  for (size_t i = 0; i < length; i++) /* the last message that begins with our name */
    if ((i == 0 || text[i - 1] == '\n') && length - i > 7 && memcmp(text + i, "sinew: ", 7) == 0) begin = i + 7;
  while (begin + count < length && text[begin + count] != '\n' && count < 200) count++;
  *size = (int)count;
  return count > 0 ? text + begin : "";
}

static void lose_simulator(rerun *r) {
  size_t length;
  int size;
  const char *said = simulator_errors(r->simulator, &length), *reason = last_sentence(said, length, &size);
  sinew_log(SINEW_LOG_WARNING, "F9 can run seconds of this run again only from its start, if at all: %.*s", size,
            reason);
  simulator_end(r->simulator);
  r->simulator = NULL;
  r->is_lost = true;
}

/* The frame at which measuring must begin for marks of that frame. */
static int64_t before(int64_t frame) { return frame > RERUN_AHEAD + 1 ? frame - RERUN_AHEAD : 1; }

void rerun_follow(rerun *r, const rerun_def *def) {
  if (r->is_lost) return;
  if (!r->simulator) start_simulator(r, def);
  if (!r->simulator) return; /* there can be none */
  if (!simulator_runs(r->simulator)) {
    lose_simulator(r);
    return;
  }
  simulator_release(r->simulator);
  simulator_follow(r->simulator, before(def->oldest));
}

static void hold(rerun *r, const rerun_def *def) {
  for (int i = 0; i < 2; i++) {
    if (!simulator_runs(r->simulator)) start_simulator(r, def);
    if (!r->simulator) return;
    simulator_follow(r->simulator, before(def->oldest < def->edit_at ? def->oldest : def->edit_at));
    if (simulator_hold(r->simulator, before(def->edit_at))) return;
    simulator_end(r->simulator); /* it is past that frame, or gone */
    r->simulator = NULL;
  }
}

void rerun_prepare(rerun *r, const rerun_def *def) {
  r->is_used = true;
  stop(r);
  hold(r, def);
}

/* False if a separate process has to do it. */
static bool ask(rerun *r, const rerun_def *def, const sinew_rerun *wanted) {
  if (def->edit_at <= 1) return false;
  int64_t held = simulator_runs(r->simulator) ? simulator_held(r->simulator) : -1, wanted_at = before(def->edit_at);
  if (held < 0 || wanted_at < held || wanted_at > held + FAR) hold(r, def);
  return r->simulator && simulator_ask(r->simulator, wanted);
}

static void start(rerun *r, const rerun_def *def) {
  static char variables[VARIABLES][VARIABLE];
  const char *words[WORDS], *environment[VARIABLES + 1];
  char at[NUMBER], from[NUMBER], to[NUMBER];
  sinew_error error;
  snprintf(at, sizeof at, "%lld", (long long)def->edit_at);
  snprintf(from, sizeof from, "%lld", (long long)def->from);
  snprintf(to, sizeof to, "%lld", (long long)def->to);
  const char *const first[] = {def->program, "replay", def->recording, "--poses", r->output, "--edit-at",
                               at,           "--from", from,           "--to",    to};
  size_t count = sizeof first / sizeof *first;
  memcpy(words, first, sizeof first);
  if (def->explain) words[count++] = "--explain", words[count++] = def->explain;
  if (def->evaluate) words[count++] = "--evaluate", words[count++] = def->evaluate;
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

static void begin(rerun *r, const rerun_def *def) {
  size_t size = strlen(def->recording) + 8;
  r->is_used = true;
  stop(r);
  r->problem[0] = '\0';
  r->edit_at = def->edit_at;
  r->from_start = def->edit_at == 0;
  r->began = clock_seconds();
  r->output = mem_alloc(size);
  if (!r->output) return;
  snprintf(r->output, size, "%s.poses", def->recording);
  sinew_rerun wanted = {.output = r->output,
                        .edit_at = def->edit_at,
                        .from = def->from,
                        .to = def->to,
                        .files = (const char *const *)r->files,
                        .file_count = r->file_count,
                        .explain = def->explain,
                        .evaluate = def->evaluate};
  r->is_asked = ask(r, def, &wanted);
  if (!r->is_asked) start(r, def);
}

void rerun_start(rerun *r, const rerun_def *def) { begin(r, def); }

/* Without an edit no file counts as saved, and saves in the recording stay in force. */
void rerun_ask(rerun *r, const rerun_def *def, rerun_purpose purpose, bool edited) {
  int files = r->file_count;
  int64_t edit_at = r->edit_at;
  bool from_start = r->from_start;
  if (!edited) r->file_count = 0;
  begin(r, def);
  r->file_count = files;
  r->edit_at = edit_at;
  r->from_start = from_start;
  r->purpose = purpose;
}

/* ---- its end ---- */

static void take_reason(rerun *r, const char *what, const char *text, size_t length) {
  int size;
  const char *reason = last_sentence(text, length, &size);
  snprintf(r->problem, sizeof r->problem, "%s: %.*s", what, size, reason);
  if (size == 0)
    snprintf(r->problem, sizeof r->problem, "not run again: it %.200s",
             r->child ? process_ending(r->child) : "ended without a word");
}

/* True once there is an answer, with its status. */
static bool poll_child(rerun *r, int *status) {
  bool ended = process_wait(r->child, 0);
  if (ended) *status = process_status(r->child);
  return ended;
}

/* Ends a process that exceeds its time limit. */
static bool poll_simulator(rerun *r, int *status) {
  if (simulator_poll(r->simulator, status)) return true;
  if (clock_seconds() - r->began < deadline) return false;
  stop(r);
  text_format(r->problem, sizeof r->problem, "not run again: it took longer than %.0f s", deadline);
  return false;
}

static void take_problem(rerun *r, const char *what) {
  size_t size;
  process_bytes said = r->child ? process_errors(r->child) : (process_bytes){0};
  const char *text = r->is_asked ? simulator_errors(r->simulator, &size) : (const char *)said.data;
  take_reason(r, what, text, r->is_asked ? size : said.size);
}

bool rerun_poll(rerun *r, const ring *then) {
  sinew_error error;
  rerun_result made;
  int missing = 0, status = -1;
  bool answered = r->is_asked ? poll_simulator(r, &status) : r->child && poll_child(r, &status);
  if (!answered) return false;
  r->seconds = clock_seconds() - r->began;
  bool fails = status == SINEW_RERUN_FAILS, good = status == 0 || fails;
  if (fails) take_problem(r, "a callback that fails is suspended in these seconds");
  if (!good) take_problem(r, "not run again");
  else if (!rerun_result_read(&made, r->output, then, &missing, &error)) {
    snprintf(r->problem, sizeof r->problem, "%.230s", error.message);
    good = false;
  }
  r->is_asked = false;
  end_child(r);
  if (r->purpose == RERUN_FOR_MARKS) r->problem[0] = '\0'; /* they were not asked for */
  if (!good) return false;
  if (r->purpose != RERUN_TO_SHOW) {
    rerun_result_release(&r->answer);
    r->answer = made;
    return true;
  }
  rerun_drop_result(r);
  r->result = made;
  r->has_result = true;
  const char *crowd = rerun_result_compare_crowds(then, &r->result.ring);
  snprintf(r->crowd, sizeof r->crowd, "%s", crowd ? crowd : "");
  if (missing) snprintf(r->problem, sizeof r->problem, "actors that did not exist then are left out");
  return true;
}

/* A replay that runs seconds of a recording again with new code. From some frame on, the files on the disk replace the
 * recorded ones; the poses of a range of frames are its result. */

enum { LARGEST = 1 << 26 };

static bool read_file(rerun_replay *m, const char *path, sinew_error *error) {
  if (m->file_count == RERUN_FILES) return error_set(error, "%s: more than %d files are edited", path, RERUN_FILES);
  rerun_file *file = m->files + m->file_count;
  file->bytes = file_read(path, LARGEST, &file->size, error);
  if (!file->bytes) return false;
  m->file_count++;
  file->path = mem_copy_string(path);
  return file->path || error_set(error, "out of memory for %s", path);
}

bool rerun_replay_begin(rerun_replay *m, const sinew_rerun *def, sinew_error *error) {
  if (def->from < 1 || def->to < def->from || def->edit_at < 0 || def->edit_at > def->from)
    return error_set(error, "a rerun of frames %lld to %lld with an edit in frame %lld: the edit comes first",
                     (long long)def->from, (long long)def->to, (long long)def->edit_at);
  m->edit_at = def->edit_at;
  m->from = def->from;
  m->to = def->to;
  m->result.ring.has_all = def->to - def->from < RING_BLOCK * (RING_BLOCKS - 2);
  bool good = true;
  for (int i = 0; good && i < def->file_count; i++) good = read_file(m, def->files[i], error);
  m->is_on = good;
  if (good && def->explain && !(m->explain = mem_copy_string(def->explain))) good = error_set(error, "out of memory");
  if (good && def->evaluate && !(m->evaluate = mem_copy_string(def->evaluate)))
    good = error_set(error, "out of memory");
  if (good && def->output && !(m->output = mem_copy_string(def->output)))
    good = error_set(error, "out of memory for a rerun");
  return good;
}

void rerun_replay_release(rerun_replay *m) {
  for (int i = 0; i < m->file_count; i++) {
    mem_free(m->files[i].path);
    mem_free(m->files[i].bytes);
  }
  rerun_result_release(&m->result);
  mem_free(m->output);
  mem_free(m->explain);
  mem_free(m->evaluate);
  *m = (rerun_replay){0};
}

/* ---- edits ---- */

const char *rerun_replay_save(const rerun_replay *m, int64_t frame, int index) {
  return m->is_on && frame == m->edit_at && index < m->file_count ? m->files[index].path : NULL;
}

bool rerun_replay_drops(const rerun_replay *m, int64_t frame) {
  return m->is_on && m->file_count > 0 && frame >= m->edit_at;
}

bool rerun_replay_recall(rerun_replay *m, const char *kind, const char *name, int64_t frame, sinew_answer *answer) {
  if (!rerun_replay_drops(m, frame) || strcmp(kind, "text") != 0) return false;
  for (int i = 0; i < m->file_count; i++) {
    rerun_file *file = m->files + i;
    if (strcmp(file->path, name) != 0) continue;
    file->was_read = true;
    *answer = (sinew_answer){.data = file->bytes, .size = file->size};
    return true;
  }
  return false;
}

/* ---- the result ---- */

void rerun_replay_watch(rerun_replay *m, sinew_stage *stage, int64_t frame) {
  if (m->output && frame >= m->from - RERUN_AHEAD) past_marks_watch(&m->result.marks, stage);
}

void rerun_replay_keep(rerun_replay *m, const sinew_stage *stage, const sinew_app *app, double time, int64_t frame) {
  if (!m->output || frame < m->from) return;
  ring_update(&m->result.ring, stage, time, frame);
  past_marks_update(&m->result.marks, stage, app, time, ring_time(&m->result.ring, m->result.ring.first));
}

bool rerun_replay_explains(const rerun_replay *m, const sinew_stage *stage, int64_t frame, sinew_actor *actor,
                           int *joint) {
  if (!m->explain || frame != m->to) return false;
  const char *name = strchr(m->explain, ' ');
  *joint = atoi(m->explain);
  for (int i = 0; name && i < sinew_stage_actor_count(stage); i++) {
    *actor = sinew_stage_actor(stage, i);
    const sinew_model *model = sinew_actor_model(stage, *actor);
    if (strcmp(sinew_actor_name(stage, *actor), name + 1) == 0)
      return model && *joint >= 0 && *joint < sinew_model_joint_count(model);
  }
  return false;
}

const char *rerun_replay_evaluates(const rerun_replay *m, int64_t frame) {
  return m->evaluate && frame == m->to ? m->evaluate : NULL;
}

void rerun_replay_print(rerun_replay *m, const char *line, int64_t frame) {
  size_t used = strlen(m->result.printed), room = sizeof m->result.printed - used;
  if (!m->output || frame < m->edit_at || strlen(line) + 2 > room) return;
  snprintf(m->result.printed + used, room, "%s%s", used ? "\n" : "", line);
}

bool rerun_replay_is_over(const rerun_replay *m, int64_t frame) { return m->output && frame >= m->to; }

bool rerun_replay_end(const rerun_replay *m, sinew_error *error) {
  for (int i = 0; m->output && i < m->file_count; i++)
    if (!m->files[i].was_read)
      return error_set(error, "%s: the recorded run has no script of that name", m->files[i].path);
  return !m->output || rerun_result_write(&m->result, m->output, error);
}
