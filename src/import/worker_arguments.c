/* What the two sides of a child process must agree about: the command line, the limits, the head of an answer. */
#include "base/memory.h"
#include "import/worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- limits ---- */

/* The sanitizers reserve terabytes of addresses, that of threads in a file, and slow their program down. */
#if defined(__SANITIZE_ADDRESS__)
#define ADDRESSES_SANITIZED 1
#elif defined(__SANITIZE_THREAD__)
#define THREADS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESSES_SANITIZED 1
#elif __has_feature(thread_sanitizer)
#define THREADS_SANITIZED 1
#endif
#endif
#if defined(THREADS_SANITIZED)
enum { SLOWER = 8, LIMITS_MEMORY = false, LIMITS_FILES = false };
#elif defined(ADDRESSES_SANITIZED)
enum { SLOWER = 8, LIMITS_MEMORY = false, LIMITS_FILES = true };
#else
enum { SLOWER = 1, LIMITS_MEMORY = true, LIMITS_FILES = true };
#endif

static int64_t size_of(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode) ? (int64_t)info.st_size : 0;
}

process_limits worker_limits(const char *path, const sinew_load_options *options) {
  int64_t bytes = size_of(path);
  for (int i = 0; i < options->clip_file_count; i++) bytes += size_of(options->clip_files[i]);
  if (bytes > (int64_t)1 << 32) bytes = (int64_t)1 << 32;
  return (process_limits){.memory = LIMITS_MEMORY ? ((int64_t)2 << 30) + 8 * bytes : -1,
                          .processor_seconds = SLOWER * (10 + bytes / (2 << 20)),
                          .open_files = 256,
                          .file_bytes = LIMITS_FILES ? 0 : -1};
}

/* ---- the command line ---- */

enum { FIXED_ARGUMENTS = 8 };

const char **worker_arguments(const char *program, const char *path, const sinew_load_options *options) {
  size_t pointers = FIXED_ARGUMENTS + 2 * (size_t)options->clip_file_count;
  const char **arguments = mem_alloc_array(pointers + 2, sizeof *arguments);
  if (!arguments) return NULL;
  char *number = (char *)(arguments + pointers); /* two pointers' worth of text */
  snprintf(number, 2 * sizeof *arguments, "%d", options->max_influences);
  int n = 0;
  arguments[n++] = program;
  if (options->raw) arguments[n++] = "--raw";
  if (options->exact) arguments[n++] = "--exact";
  arguments[n++] = "--influences";
  arguments[n++] = number;
  for (int i = 0; i < options->clip_file_count; i++) {
    arguments[n++] = "--clips";
    arguments[n++] = options->clip_files[i];
  }
  arguments[n++] = "--";
  arguments[n] = path;
  return arguments;
}

static bool read_option(char **argv, int *i, sinew_load_options *options, const char **clip_files) {
  const char *name = argv[*i], *value = argv[*i + 1]; /* argv ends in NULL */
  if (strcmp(name, "--raw") == 0) return options->raw = true;
  if (strcmp(name, "--exact") == 0) return options->exact = true;
  if (!value) return false;
  (*i)++;
  if (strcmp(name, "--influences") == 0) options->max_influences = atoi(value);
  else if (strcmp(name, "--clips") == 0) clip_files[options->clip_file_count++] = value;
  else return false;
  return true;
}

const char *worker_read_arguments(int argc, char **argv, sinew_load_options *options, const char **clip_files) {
  *options = sinew_load_options_default();
  options->clip_files = clip_files;
  int i = 1;
  for (; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (!read_option(argv, &i, options, clip_files)) return NULL;
  return i + 2 == argc ? argv[i + 1] : NULL;
}

/* ---- the answer ---- */

void worker_write_head(unsigned char head[WORKER_HEAD], uint32_t kind, uint64_t files_size) {
  memcpy(head, "SNWA", 4);
  for (int i = 0; i < 4; i++) head[4 + i] = (unsigned char)(kind >> (8 * i));
  for (int i = 0; i < 8; i++) head[8 + i] = (unsigned char)(files_size >> (8 * i));
}
