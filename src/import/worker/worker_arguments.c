/* The protocol between the two sides of a child process: the command line, the limits, the header of an answer. */
#include "base/jobs.h"
#include "base/memory/memory.h"
#include "base/sanitizers.h"
#include "import/load_fields.h"
#include "import/worker/worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
