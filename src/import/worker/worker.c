#include "import/worker/worker.h"

#include "base/error.h"
#include "base/file.h"
#include "base/jobs.h"
#include "base/memory/memory.h"
#include "base/process/process.h"
#include "base/sanitizers.h"
#include "import/cook/cook.h"
#include "import/load.h"
#include "import/source/files.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

/* The program with Assimp beside a program that imports. False if there is none. */
static bool worker_find_assimp(const char *program, char *other, size_t size) {
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

/* ---- The protocol between the two sides of a child process ---- */

/* ---- limits ---- */

/* Sanitizers reserve terabytes of addresses (that for threads in a file), and slow the program down. */
enum {
  SLOWER = SANITIZES_ADDRESSES || SANITIZES_THREADS ? 8 : 1,
  LIMITS_MEMORY = !SANITIZES_ADDRESSES && !SANITIZES_THREADS,
  LIMITS_FILES = !SANITIZES_THREADS
};

static int64_t size_of(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode) ? (int64_t)info.st_size : 0;
}

process_limits worker_limits(const char *path, const sinew_load_options *options) {
  int64_t bytes = size_of(path);
  for (int i = 0; i < options->clip_file_count; i++) bytes += size_of(options->clip_files[i]);
  return worker_limits_of((uint64_t)bytes);
}

process_limits worker_limits_of(uint64_t size) {
  int64_t bytes = size > (uint64_t)1 << 32 ? (int64_t)1 << 32 : (int64_t)size;
  return (process_limits){.memory = LIMITS_MEMORY ? ((int64_t)2 << 30) + 8 * bytes : -1,
                          .processor_seconds = SLOWER * (10 + bytes / (2 << 20)),
                          .open_files = 256,
                          .file_bytes = LIMITS_FILES ? 0 : -1};
}

/* ---- the command line ---- */

/* The number of words apart from lists, including the program's name and the final NULL; and of bytes for numbers. */
enum { FIXED_ARGUMENTS = 8, NUMBER_SIZE = 32, EDIT_SIZE = 64 };

typedef struct command_line {
  const char **words;
  int count;
  char *text; /* memory for the words that are made here */
} command_line;

static void add(command_line *line, const char *word) { line->words[line->count++] = word; }

/* Numbers are passed as their bits: exact, and independent of the locale's decimal point. */
static unsigned long long bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static double from_bits(unsigned long long text) {
  uint64_t bits = text;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static void add_count(command_line *line, const char *name, int count) {
  add(line, name);
  add(line, line->text);
  line->text += 1 + snprintf(line->text, NUMBER_SIZE, "%d", count);
}

static void add_field(command_line *line, int field, const sinew_load_options *options) {
  load_field_print(field, options, line->text);
  add(line, "--option");
  add(line, line->text);
  line->text += LOAD_FIELD_TEXT;
}

static void add_edit(command_line *line, const sinew_clip_edit *edit) {
  add(line, "--edit");
  add(line, edit->clip);
  add(line, edit->name ? edit->name : "");
  add(line, line->text);
  line->text += 1 + snprintf(line->text, EDIT_SIZE, "%llx,%llx,%d,%d,%d", bits_of(edit->from), bits_of(edit->to),
                             edit->reverse, edit->loop, edit->mirror);
}

static void add_settings(command_line *line) {
  const char *simd = getenv("SINEW_SIMD");
  add_count(line, "--threads", jobs_default_threads());
  if (simd) add(line, "--simd"), add(line, simd);
}

static void add_options(command_line *line, const sinew_load_options *options) {
  for (int i = 0; i < load_field_count(); i++)
    if (!load_field_is_standard(i, options)) add_field(line, i, options);
  for (int i = 0; i < options->clip_file_count; i++) add(line, "--clips"), add(line, options->clip_files[i]);
  for (int i = 0; i < options->map_count; i++) {
    add(line, "--map");
    add(line, options->map[i].theirs);
    add(line, options->map[i].ours ? options->map[i].ours : "");
  }
  for (int i = 0; i < options->role_count; i++) {
    add(line, "--role");
    add(line, options->roles[i].role);
    add(line, options->roles[i].joint);
  }
  for (int i = 0; i < options->edit_count; i++) add_edit(line, options->edits + i);
}

const char **worker_arguments(const char *program, const char *path, const sinew_load_options *options) {
  size_t fields = (size_t)load_field_count();
  size_t pointers = FIXED_ARGUMENTS + 2 * fields + 2 * (size_t)options->clip_file_count +
                    3 * (size_t)options->map_count + 3 * (size_t)options->role_count + 4 * (size_t)options->edit_count;
  size_t text = NUMBER_SIZE + fields * LOAD_FIELD_TEXT + EDIT_SIZE * (size_t)options->edit_count;
  command_line line = {.words = mem_alloc_zeroed(pointers * sizeof *line.words + text)};
  if (!line.words) return NULL;
  line.text = (char *)(line.words + pointers);
  add(&line, program);
  add_settings(&line);
  add_options(&line, options);
  add(&line, "--");
  add(&line, path);
  return line.words;
}

static bool read_edit(char **words, sinew_clip_edit *edit) {
  unsigned long long from, to;
  int reverse, loop, mirror, end = 0;
  *edit = (sinew_clip_edit){.clip = words[0], .name = words[1][0] ? words[1] : NULL};
  if (sscanf(words[2], "%llx,%llx,%d,%d,%d%n", &from, &to, &reverse, &loop, &mirror, &end) != 5 || words[2][end])
    return false;
  edit->from = from_bits(from);
  edit->to = from_bits(to);
  edit->reverse = reverse;
  edit->loop = loop;
  edit->mirror = mirror;
  return true;
}

/* Reads the option at argv[*i] with its words, and moves *i to the last one. */
static bool read_option(char **argv, int left, int *i, sinew_load_options *options, worker_room *room) {
  const char *name = argv[*i];
  char **words = argv + *i + 1;
  int wanted = strcmp(name, "--map") == 0 || strcmp(name, "--role") == 0 ? 2 : strcmp(name, "--edit") == 0 ? 3 : 1;
  if (wanted > left) return false;
  *i += wanted;
  if (strcmp(name, "--option") == 0) return load_field_read(words[0], options);
  if (strcmp(name, "--threads") == 0) room->settings.threads = words[0];
  else if (strcmp(name, "--simd") == 0) room->settings.simd = words[0];
  else if (strcmp(name, "--clips") == 0) room->clip_files[options->clip_file_count++] = words[0];
  else if (strcmp(name, "--map") == 0) room->map[options->map_count++] = (sinew_joint_pair){words[0], words[1]};
  else if (strcmp(name, "--role") == 0) room->roles[options->role_count++] = (sinew_joint_role){words[0], words[1]};
  else return strcmp(name, "--edit") == 0 && read_edit(words, room->edits + options->edit_count++);
  return true;
}

const char *worker_read_arguments(int argc, char **argv, sinew_load_options *options, worker_room *room) {
  *options = sinew_load_options_default();
  options->clip_files = room->clip_files;
  options->map = room->map;
  options->roles = room->roles;
  options->edits = room->edits;
  int i = 1;
  for (; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (!read_option(argv, argc - 1 - i, &i, options, room)) return NULL;
  return i + 2 == argc ? argv[i + 1] : NULL;
}

/* ---- the answer ---- */

void worker_write_head(unsigned char head[WORKER_HEAD], const worker_head *from) {
  memcpy(head, "SNWA", 4);
  for (int i = 0; i < 2; i++) head[4 + i] = (unsigned char)(from->kind >> (8 * i));
  for (int i = 0; i < 2; i++) head[6 + i] = (unsigned char)(from->walls >> (8 * i));
  for (int i = 0; i < 8; i++) head[8 + i] = (unsigned char)(from->files_size >> (8 * i));
}

const char **worker_mains(const char *path, const sinew_load_options *options) {
  const char **mains = mem_alloc_array((size_t)options->clip_file_count + 2, sizeof *mains);
  if (!mains) return NULL;
  mains[0] = path;
  for (int i = 0; i < options->clip_file_count; i++) mains[i + 1] = options->clip_files[i];
  mains[options->clip_file_count + 1] = NULL;
  return mains;
}
