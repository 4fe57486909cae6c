/* Preloaded into sinew: the n-th call of one kind fails (SINEW_FAIL=KIND:N), as on a full disk or without memory. At
 * its end the process writes how many there were to the file SINEW_FAIL_COUNT. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_long count;
static long wanted;
static char kind[16];

__attribute__((constructor)) static void begin(void) {
  const char *text = getenv("SINEW_FAIL");
  if (text) sscanf(text, "%15[a-z]:%ld", kind, &wanted);
  atomic_store(&count, 0);
}

static int fails(const char *of, int why) {
  if (strcmp(kind, of) != 0 || atomic_fetch_add(&count, 1) + 1 != wanted) return 0;
  errno = why;
  return 1;
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("SINEW_FAIL_COUNT");
  char text[32];
  int size = snprintf(text, sizeof text, "%ld", atomic_load(&count)), file = -1;
  kind[0] = 0;
  if (path) file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file >= 0 && write(file, text, (size_t)size) == size) close(file);
}

/* Each finds the function behind it once. */
#define NEXT(type, name, ...)                                                                                          \
  static type (*next)(__VA_ARGS__);                                                                                    \
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, name)

int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  int mode = va_arg(list, int);
  va_end(list);
  NEXT(int, "open", const char *, int, ...);
  return fails("open", EMFILE) ? -1 : next(path, flags, mode);
}

FILE *fopen(const char *path, const char *mode) {
  NEXT(FILE *, "fopen", const char *, const char *);
  return fails("open", EMFILE) ? NULL : next(path, mode);
}

FILE *fdopen(int file, const char *mode) {
  NEXT(FILE *, "fdopen", int, const char *);
  return fails("open", ENOMEM) ? NULL : next(file, mode);
}

size_t fwrite(const void *bytes, size_t size, size_t items, FILE *stream) {
  enum { ERROR_SEEN = 0x20 }; /* of the GNU C library: what ferror looks at */
  NEXT(size_t, "fwrite", const void *, size_t, size_t, FILE *);
  if (stream == stdout || stream == stderr || !fails("write", ENOSPC)) return next(bytes, size, items, stream);
  stream->_flags |= ERROR_SEEN;
  return 0;
}

ssize_t write(int file, const void *bytes, size_t size) {
  NEXT(ssize_t, "write", int, const void *, size_t);
  return file > STDERR_FILENO && fails("write", ENOSPC) ? -1 : next(file, bytes, size);
}

int fflush(FILE *stream) {
  NEXT(int, "fflush", FILE *);
  return stream && stream != stdout && stream != stderr && fails("flush", ENOSPC) ? EOF : next(stream);
}

int fsync(int file) {
  NEXT(int, "fsync", int);
  return fails("fsync", EIO) ? -1 : next(file);
}

int rename(const char *from, const char *to) {
  NEXT(int, "rename", const char *, const char *);
  return fails("rename", EACCES) ? -1 : next(from, to);
}

/* dlsym may allocate itself, and does without. */
static void *find(const char *name) {
  static _Thread_local int inside;
  void *found = NULL;
  if (inside) return NULL;
  inside = 1;
  found = dlsym(RTLD_NEXT, name);
  inside = 0;
  return found;
}

void *malloc(size_t size) {
  static void *(*next)(size_t);
  if (!next) *(void **)&next = find("malloc");
  return !next || fails("malloc", ENOMEM) ? NULL : next(size);
}

void *calloc(size_t count, size_t size) {
  static void *(*next)(size_t, size_t);
  if (!next) *(void **)&next = find("calloc");
  return !next || fails("malloc", ENOMEM) ? NULL : next(count, size);
}

void *realloc(void *memory, size_t size) {
  static void *(*next)(void *, size_t);
  if (!next) *(void **)&next = find("realloc");
  return !next || fails("malloc", ENOMEM) ? NULL : next(memory, size);
}
