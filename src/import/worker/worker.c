#include "import/worker/worker.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/self.h"
#include "import/cook/cook.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct worker {
  process *process;
  char *path;
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

bool worker_find(char *program, size_t size) {
  const char *wanted = getenv("SINEW_IMPORT");
  if (wanted && strcmp(wanted, "in-process") == 0) return false;
  if (wanted && wanted[0]) return snprintf(program, size, "%s", wanted) < (int)size;
  char self[4096];
  if (self_program(self, sizeof self) && find_beside(self, program, size)) return true;
  return self_library(self, sizeof self) && find_above(self, program, size);
}

worker *worker_start(const char *program, const char *path, const sinew_load_options *options, sinew_error *error) {
  worker *w = mem_alloc_zeroed(sizeof *w);
  const char **arguments = worker_arguments(program, path, options);
  sinew_error why;
  if (w) w->path = mem_copy_string(path);
  if (!w || !w->path || !arguments) {
    error_memory(error, path, sizeof *w);
  } else {
    process_def def = process_def_default();
    def.arguments = arguments;
    def.limits = worker_limits(path, options);
    /* Of all time, not the processor's: for a child that waits for something that never comes. */
    def.deadline = 20 + 3 * (double)def.limits.processor_seconds;
    w->process = process_start(&def, &why);
    if (!w->process) error_set(error, "%s: cannot be imported: %s", path, why.message);
  }
  mem_free(arguments);
  if (w && w->process) return w;
  worker_destroy(w);
  return NULL;
}

bool worker_wait(worker *w, double seconds) { return process_wait(w->process, seconds); }

void worker_destroy(worker *w) {
  if (!w) return;
  process_destroy(w->process);
  mem_free(w->path);
  mem_free(w);
}

/* ---- the answer ---- */

static uint64_t read_number(const unsigned char *at, int bytes) {
  uint64_t number = 0;
  for (int i = 0; i < bytes; i++) number |= (uint64_t)at[i] << (8 * i);
  return number;
}

typedef struct answer {
  uint64_t kind;
  process_bytes files, rest;
} answer;

static bool split_answer(const worker *w, answer *parts) {
  process_bytes all = process_answer(w->process);
  if (process_status(w->process) != 0 || all.size < WORKER_HEAD || memcmp(all.data, "SNWA", 4) != 0) return false;
  uint64_t files = read_number(all.data + 8, 8);
  if (files > all.size - WORKER_HEAD) return false;
  parts->kind = read_number(all.data + 4, 4);
  parts->files = (process_bytes){all.data + WORKER_HEAD, (size_t)files, false};
  parts->rest = (process_bytes){all.data + WORKER_HEAD + files, all.size - WORKER_HEAD - (size_t)files, false};
  return true;
}

process_bytes worker_cooked(const worker *w) {
  answer parts = {0};
  return split_answer(w, &parts) && parts.kind == WORKER_MODEL ? parts.rest : (process_bytes){NULL, 0, false};
}

process_bytes worker_files(const worker *w) {
  answer parts = {0};
  return split_answer(w, &parts) ? parts.files : (process_bytes){NULL, 0, false};
}

/* ---- words ---- */

/* Bytes that a child chose become one line of our text: nothing that moves a cursor, and never too much of it. */
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
  else error_set(error, "%s: the importer failed without a word", path);
}

/* The first line that is not for the log: the loader's or the runtime's last words. */
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

static void refuse_ending(const worker *w, sinew_error *error) {
  char words[200] = "";
  int status = process_status(w->process);
  if (status > 0) find_last_words(w, words, sizeof words);
  if (status == 0)
    error_set(error, "%s: the importer's answer is garbled; the file is damaged, or of a kind that Assimp cannot read",
              w->path);
  else if (status > 0)
    error_set(error, "%s: the importer %s reading it%s%s", w->path, process_ending(w->process), words[0] ? ": " : "",
              words);
  else
    error_set(error, "%s: the importer %s reading it; the file is damaged, or of a kind that Assimp cannot read",
              w->path, process_ending(w->process));
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

sinew_model *worker_model(const worker *w, sinew_error *error) {
  answer parts = {0};
  pass_log_on(w);
  if (!split_answer(w, &parts)) {
    refuse_ending(w, error);
    return NULL;
  }
  if (parts.kind == WORKER_MODEL) return cook_read(parts.rest.data, parts.rest.size, w->path, error);
  refuse_sentence(parts.rest, w->path, error);
  return NULL;
}
