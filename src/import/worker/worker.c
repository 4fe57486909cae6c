#include "import/worker/worker.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"
#include "base/process/self.h"
#include "import/cook/cook.h"
#include "import/source/sniff.h"
#include "import/vfs/vfs_socket.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct worker {
  process *process;
  char *path, *program;
  const sinew_load_options *options;
  process_limits limits;
  bool with_assimp; /* the program has it */
  const char **mains;
  source_list sources; /* written until the child ends, by the thread that serves it */
  disk_vfs disk;
  vfs_server service;
};

static bool find_beside(const char *file, char *program, size_t size) {
  char folder[4096];
  return path_folder(folder, sizeof folder, file) && path_join(program, size, folder, "sinew-import") &&
         access(program, X_OK) == 0;
}

/* PREFIX/lib/…/libsinew.so → PREFIX/bin/sinew-import */
static bool find_above(char *file, char *program, size_t size) {
  for (char *slash = strrchr(file, '/'); slash && slash != file; slash = strrchr(file, '/')) {
    *slash = '\0';
    if (path_join(program, size, file, "bin/sinew-import") && access(program, X_OK) == 0) return true;
  }
  return false;
}

bool worker_is_off(void) {
  const char *wanted = getenv("SINEW_IMPORT");
  return !process_can_start() || (wanted && strcmp(wanted, "in-process") == 0);
}

bool worker_find(char *program, size_t size) {
  const char *wanted = getenv("SINEW_IMPORT");
  if (wanted && wanted[0]) return snprintf(program, size, "%s", wanted) < (int)size;
  char self[4096];
  if (self_program(self, sizeof self) && find_beside(self, program, size)) return true;
  return self_library(self, sizeof self) && find_above(self, program, size);
}

bool worker_find_assimp(const char *program, char *other, size_t size) {
  const char *extension = path_extension(program);
  bool windows = strcmp(extension, "exe") == 0;
  int length = (int)strlen(program) - (windows ? 4 : 0);
  int written = snprintf(other, size, "%.*s-assimp%s", length, program, windows ? ".exe" : "");
  return written > 0 && (size_t)written < size && access(other, X_OK) == 0;
}

static bool needs_assimp(const char *path) {
  raw_format format = raw_format_of(path);
  return format != RAW_GLTF && format != RAW_FBX;
}

static bool any_needs_assimp(const char *const *paths) {
  while (*paths && !needs_assimp(*paths)) paths++;
  return *paths;
}

static process *run(worker *w, const char **arguments, sinew_error *error) {
  process_def def = process_def_default();
  def.arguments = arguments;
  def.limits = w->limits;
  def.idle_seconds = WORKER_IDLE;
  if (process_can_serve()) def.serve = vfs_serve, def.serve_user = &w->service, def.is_served = &w->service.at_work;
  return process_start(&def, error);
}

/* Replaces the previous process, if any. */
static bool start(worker *w, bool with_assimp, sinew_error *error) {
  sinew_error why;
  char other[4096];
  bool there = with_assimp && worker_find_assimp(w->program, other, sizeof other);
  const char **arguments = worker_arguments(there ? other : w->program, w->path, w->options);
  process *p = arguments ? run(w, arguments, &why) : NULL;
  if (!arguments) error_memory(error, w->path, sizeof *w);
  else if (!p) error_set(error, "%s: cannot be imported: %s", w->path, why.message);
  mem_free(arguments);
  if (!p) return false;
  process_destroy(w->process);
  w->process = p;
  w->with_assimp = with_assimp;
  return true;
}

worker *worker_start(const char *program, const char *path, const sinew_load_options *options, vfs *fs, size_t size,
                     sinew_error *error) {
  worker *w = mem_alloc_zeroed(sizeof *w);
  if (w) w->path = mem_copy_string(path);
  if (w) w->program = mem_copy_string(program);
  if (w && w->path) w->mains = worker_mains(w->path, options);
  if (!w || !w->mains || !w->program) {
    error_memory(error, path, sizeof *w);
  } else {
    w->options = options;
    w->disk = disk_vfs_open(&w->sources);
    w->service = (vfs_server){.fs = fs ? fs : &w->disk.fs, .mains = {w->mains, 1 + options->clip_file_count}};
    w->limits = fs ? worker_limits_of(size) : worker_limits(w->path, options);
    start(w, any_needs_assimp(w->mains), error);
  }
  if (w && w->process) return w;
  worker_destroy(w);
  return NULL;
}

void worker_destroy(worker *w) {
  if (!w) return;
  process_destroy(w->process);
  source_list_reset(&w->sources);
  mem_free(w->mains);
  mem_free(w->path);
  mem_free(w->program);
  mem_free(w);
}

/* ---- the answer ---- */

static uint64_t read_number(const unsigned char *at, int bytes) {
  uint64_t number = 0;
  for (int i = 0; i < bytes; i++) number |= (uint64_t)at[i] << (8 * i);
  return number;
}

typedef struct answer {
  uint64_t kind, walls;
  process_bytes files, rest;
} answer;

static bool split_answer(const process *p, answer *parts) {
  process_bytes all = process_answer(p);
  if (process_status(p) != 0 || all.size < WORKER_HEAD || memcmp(all.data, "SNWA", 4) != 0) return false;
  uint64_t files = read_number(all.data + 8, 8);
  if (files > all.size - WORKER_HEAD) return false;
  parts->kind = read_number(all.data + 4, 2);
  parts->walls = read_number(all.data + 6, 2);
  parts->files = (process_bytes){all.data + WORKER_HEAD, (size_t)files, false};
  parts->rest = (process_bytes){all.data + WORKER_HEAD + files, all.size - WORKER_HEAD - (size_t)files, false};
  return true;
}

static bool asks_for_assimp(const worker *w) {
  answer parts = {0};
  return !w->with_assimp && split_answer(w->process, &parts) && parts.kind == WORKER_ELSEWHERE;
}

/* If the other one cannot be started, the first answer stays. */
static bool start_again(worker *w) {
  sinew_error error;
  source_list_reset(&w->sources);
  return start(w, true, &error);
}

bool worker_wait(worker *w, double seconds) {
  if (!process_wait(w->process, seconds)) return false;
  return !asks_for_assimp(w) || !start_again(w) || process_wait(w->process, seconds);
}

process_bytes worker_cooked(const worker *w) {
  answer parts = {0};
  return split_answer(w->process, &parts) && parts.kind == WORKER_MODEL ? parts.rest : (process_bytes){NULL, 0, false};
}

/* A child that opens its files itself reports them. */
const source_list *worker_sources(worker *w) {
  answer parts = {0};
  if (!process_can_serve() && w->sources.count == 0 && split_answer(w->process, &parts))
    source_list_from_bytes(&w->sources, parts.files.data, parts.files.size);
  source_list_confirm(&w->sources);
  return &w->sources;
}

bool worker_walls(const char *program, unsigned *walls) {
  process_def def = process_def_default();
  answer parts = {0};
  def.arguments = (const char *const[]){program, "--walls", NULL};
  def.idle_seconds = WORKER_IDLE;
  process *p = process_start(&def, NULL);
  while (p && !process_wait(p, 1)) {
  }
  bool told = p && split_answer(p, &parts);
  *walls = (unsigned)parts.walls;
  process_destroy(p);
  return told;
}

/* ---- words ---- */

/* Turns bytes from a child into one line of our text, of limited length and without control characters. */
static void tame(char *out, size_t size, const unsigned char *text, size_t length) {
  size_t n = 0;
  for (size_t i = 0; i < length && n + 1 < size; i++) out[n++] = text[i] < ' ' || text[i] == 0x7F ? ' ' : (char)text[i];
  while (n > 0 && (out[n - 1] == ' ' || out[n - 1] == '.')) n--;
  out[n] = '\0';
}

static void refuse_sentence(process_bytes sentence, const char *path, sinew_error *error) {
  char text[sizeof error->message];
  tame(text, sizeof text, sentence.data, sentence.size);
  if (text[0]) error_set(error, "%s", text);
  else error_set(error, "%s: the importer failed without an error message", path);
}

/* The first line that is not a log message: the last words of the loader or the runtime. */
static void find_last_words(const worker *w, char *out, size_t size) {
  process_bytes errors = process_errors(w->process);
  out[0] = '\0';
  for (size_t start = 0; start < errors.size;) {
    const unsigned char *line = errors.data + start, *end = memchr(line, '\n', errors.size - start);
    size_t length = end ? (size_t)(end - line) : errors.size - start;
    if (length > 0 && line[0] != WORKER_LOG_MARK && line[0] != '=') { /* nor a ruler */
      tame(out, size, line, length);
      return;
    }
    start += length + 1;
  }
}

/* What a reader that ended without an answer has met. */
static const char *guess(const worker *w) {
  raw_format format = raw_format_of(w->path);
  if (w->with_assimp) return "the file is damaged, or of a kind that Assimp cannot read";
  return format == RAW_GLTF  ? "its glTF is damaged, or asks for too much"
         : format == RAW_FBX ? "its FBX is damaged, or asks for too much"
                             : "the file is damaged, or asks for too much";
}

static void refuse_ending(const worker *w, sinew_error *error) {
  char words[200] = "";
  int status = process_status(w->process);
  if (status > 0) find_last_words(w, words, sizeof words);
  if (status == 0) error_set(error, "%s: the importer's answer is garbled; %s", w->path, guess(w));
  else if (status > 0)
    error_set(error, "%s: the importer %s reading it%s%s", w->path, process_ending(w->process), words[0] ? ": " : "",
              words);
  else error_set(error, "%s: the importer %s reading it; %s", w->path, process_ending(w->process), guess(w));
}

static void pass_log_on(const worker *w) {
  process_bytes errors = process_errors(w->process);
  for (size_t start = 0; start < errors.size;) {
    const unsigned char *line = errors.data + start, *end = memchr(line, '\n', errors.size - start);
    size_t length = end ? (size_t)(end - line) : errors.size - start;
    char text[1024];
    if (length > 2 && line[0] == WORKER_LOG_MARK && line[1] >= '0' && line[1] <= '2') {
      tame(text, sizeof text, line + 2, length - 2);
      sinew_log((sinew_log_level)(line[1] - '0'), "%s", text);
    }
    start += length + 1;
  }
}

/* Once for this program. */
static void tell_missing_walls(unsigned walls) {
  static atomic_flag told = ATOMIC_FLAG_INIT;
  if (walls & WORKER_WALL_CALLS || atomic_flag_test_and_set(&told)) return;
  sinew_log(SINEW_LOG_WARNING,
            "model files are imported by a process with limits but without a jail, because this system has no seccomp: "
            "a file that takes over the importer can do whatever you can%s",
            walls & WORKER_WALL_FILES ? ", but for opening files" : "");
}

sinew_model *worker_model(const worker *w, sinew_error *error) {
  answer parts = {0};
  pass_log_on(w);
  if (!split_answer(w->process, &parts)) {
    refuse_ending(w, error);
    return NULL;
  }
  if (parts.kind != WORKER_ELSEWHERE) tell_missing_walls((unsigned)parts.walls);
  if (parts.kind == WORKER_MODEL) return cook_read(parts.rest.data, parts.rest.size, w->path, error);
  if (parts.kind == WORKER_ELSEWHERE)
    return error_set(error, "%s: has a format that only sinew-import-assimp reads, and that program is not beside %s",
                     w->path, w->program),
           NULL;
  refuse_sentence(parts.rest, w->path, error);
  return NULL;
}
