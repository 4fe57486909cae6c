#include "base/file.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "base/process/process.h"
#include "base/system.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- home ---- */

static bool is_home(const char *folder) {
  char path[4096];
  return path_join(path, sizeof path, folder, "shaders/mesh.vert") && file_exists(path);
}

/* The nearest folder above `path` with the files: the checkout, or PREFIX/share/sinew. */
static bool find_above(char *path, char *out, size_t size) {
  for (char *slash = strrchr(path, '/'); slash && slash != path; slash = strrchr(path, '/')) {
    *slash = '\0';
    if (is_home(path)) return snprintf(out, size, "%s", path) < (int)size;
    char share[4096];
    if (path_join(share, sizeof share, path, "share/sinew") && is_home(share))
      return snprintf(out, size, "%s", share) < (int)size;
  }
  return false;
}

static bool find(char *out, size_t size) {
  char path[4096];
  if (self_program(path, sizeof path) && find_above(path, out, size)) return true;
  return self_library(path, sizeof path) && find_above(path, out, size);
}

const char *sinew_home(void) {
  static char home[4096];
  if (home[0]) return home;
  const char *wanted = getenv("SINEW_HOME");
  if (wanted && wanted[0]) snprintf(home, sizeof home, "%s", wanted);
  else if (!find(home, sizeof home)) snprintf(home, sizeof home, "%s", SINEW_INSTALLED_HOME);
  return home;
}

/* Temporary files (file_name_beside) of runs that were killed. The next run that writes in their folder removes them.
 */

static const char begin[] = ".part-";

/* The beginning of a temporary file's name, which tells its process, and the inverse: false for other names. */
static int leftover_name(char *out, size_t size, const char *file) {
  static atomic_uint count;
  return snprintf(out, size, "%s%ld-%u-%s", begin, (long)getpid(), atomic_fetch_add(&count, 1), file);
}

/* Digits and a '-'. */
static bool take_number(const char **at, long *number) {
  char *end;
  if (!isdigit((unsigned char)**at)) return false;
  *number = strtol(*at, &end, 10);
  *at = end + 1;
  return *end == '-';
}

static bool leftover_owner(const char *name, long *owner) {
  long count;
  const char *at = name + sizeof begin - 1;
  return strncmp(name, begin, sizeof begin - 1) == 0 && take_number(&at, owner) && take_number(&at, &count) && *at;
}

static void remove_from(const char *folder) {
  char path[4096];
  long owner;
  DIR *files = opendir(folder);
  for (const struct dirent *one; files && (one = readdir(files));)
    if (leftover_owner(one->d_name, &owner) && path_join(path, sizeof path, folder, one->d_name))
      system_remove_left(path, owner);
  if (files) closedir(files);
}

/* Removes those of processes that are gone from the folder; once in a row for the same folder. */
static void leftovers_remove(const char *folder) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static char last[4096];
  pthread_mutex_lock(&mutex);
  bool again = strcmp(last, folder) == 0;
  if (!again) snprintf(last, sizeof last, "%s", folder);
  pthread_mutex_unlock(&mutex);
  if (!again) remove_from(folder);
}

/* ---- file ---- */

static bool stat_readable(const char *path, size_t limit, size_t *size, sinew_error *error) {
  struct stat info;
  if (stat(path, &info) != 0) {
    if (errno == ENOENT) return error_set(error, "%s: no such file", path);
    return error_set(error, "%s: %s", path, strerror(errno));
  }
  if (S_ISDIR(info.st_mode)) return error_set(error, "%s: is a folder, not a file", path);
  if (!S_ISREG(info.st_mode)) return error_set(error, "%s: is not a regular file", path);
  if ((uint64_t)info.st_size > limit)
    return error_set(error, "%s: is %lld bytes, more than the %zu that are read", path, (long long)info.st_size, limit);
  *size = (size_t)info.st_size;
  return true;
}

unsigned char *file_read_head(const char *path, size_t limit, size_t most, size_t *size, sinew_error *error) {
  size_t wanted = 0;
  if (!stat_readable(path, limit, &wanted, error)) return NULL;
  if (wanted > most) wanted = most;
  FILE *file = fopen(path, "rb");
  if (!file) {
    error_set(error, "%s: %s", path, strerror(errno));
    return NULL;
  }
  unsigned char *data = mem_alloc(wanted + 1);
  if (!data) {
    error_memory(error, path, wanted + 1);
  } else {
    *size = fread(data, 1, wanted, file);
    data[*size] = 0;
    if (ferror(file)) {
      error_set(error, "%s: cannot be read: %s", path, strerror(errno));
      mem_free(data);
      data = NULL;
    }
  }
  fclose(file);
  return data;
}

unsigned char *file_read(const char *path, size_t limit, size_t *size, sinew_error *error) {
  return file_read_head(path, limit, limit, size, error);
}

/* ---- writing ---- */

struct file_writer {
  FILE *stream;
  bool lasting;
  char path[4096], beside[4096];
};

static bool cannot_write(const char *path, int reason, sinew_error *error) {
  return error_set(error, "%s: cannot be written: %s", path, strerror(reason));
}

/* A name that no other writer uses, in this process or others. Of a long name, the end is enough. */
bool file_name_beside(char *out, size_t size, const char *path) {
  enum { LONGEST = 128 };
  char folder[4096], name[LONGEST + 64];
  const char *file = path_file(path);
  size_t length = strlen(file);
  leftover_name(name, sizeof name, length > LONGEST ? file + length - LONGEST : file);
  return path_folder(folder, sizeof folder, path) && path_join(out, size, folder, name);
}

/* The name may exist already: never follows a link, and leaves the content of a foreign folder alone. False if the path
 * is too long. */
static bool open_beside(file_writer *w, const char *path) {
  enum { TRIES = 64 };
  char folder[4096];
  w->stream = NULL;
  if (path_folder(folder, sizeof folder, path)) leftovers_remove(folder);
  for (int i = 0; !w->stream && i < TRIES; i++) {
    if (!file_name_beside(w->beside, sizeof w->beside, path)) return false;
    w->stream = system_create_file(w->beside);
    if (!w->stream && errno != EEXIST) break;
  }
  return true;
}

file_writer *file_begin(const char *path, bool lasting, sinew_error *error) {
  file_writer *w = mem_alloc(sizeof *w);
  if (!w) return error_memory(error, path, sizeof *w), NULL;
  w->lasting = lasting;
  bool fits = open_beside(w, path);
  if (fits) memcpy(w->path, path, strlen(path) + 1);
  if (w->stream) {
    if (file_exists(path)) system_copy_rights(path, fileno(w->stream));
    return w;
  }
  if (fits) cannot_write(path, errno, error);
  else error_set(error, "%s: the path is too long", path);
  mem_free(w);
  return NULL;
}

FILE *file_stream(file_writer *w) { return w->stream; }

/* Renames the file, and waits until the folder is on the disk. */
static bool take_position(const char *beside, const char *path, bool lasting) {
  char folder[4096];
  if (!system_rename(beside, path)) return false;
  if (lasting && path_folder(folder, sizeof folder, path)) system_sync_folder(folder);
  return true;
}

/* An earlier write's error code may be lost; writing one more byte gives the same error. */
static int reason_of_failure(FILE *stream) {
  clearerr(stream);
  errno = 0;
  if (fputc(0, stream) == EOF || fflush(stream) != 0) return errno;
  return EIO;
}

/* Closes the stream; errno has the error. */
static bool finish(file_writer *w) {
  bool failed = ferror(w->stream);
  bool whole = !failed && fflush(w->stream) == 0 && (!w->lasting || system_sync_file(fileno(w->stream)));
  int reason = failed ? reason_of_failure(w->stream) : errno;
  bool closed = fclose(w->stream) == 0;
  w->stream = NULL;
  if (!whole) errno = reason ? reason : EIO;
  return whole && closed;
}

bool file_commit(file_writer *w, sinew_error *error) {
  errno = 0;
  bool placed = finish(w) && take_position(w->beside, w->path, w->lasting);
  if (!placed) cannot_write(w->path, errno, error);
  if (!placed) remove(w->beside);
  mem_free(w);
  return placed;
}

void file_abandon(file_writer *w) {
  if (!w) return;
  fclose(w->stream);
  remove(w->beside);
  mem_free(w);
}

bool file_write(const char *path, const void *data, size_t size, sinew_error *error) {
  file_writer *w = file_begin(path, true, error);
  if (!w) return false;
  fwrite(data, 1, size, w->stream);
  return file_commit(w, error);
}

bool sinew_file_write(const char *path, const void *data, size_t size, sinew_error *error) {
  return file_write(path, data, size, error);
}

bool file_replace(const char *beside, const char *path, sinew_error *error) {
  FILE *file = fopen(beside, "r+b");
  bool synced = file && system_sync_file(fileno(file));
  if (file) fclose(file);
  return (synced && take_position(beside, path, true)) || cannot_write(path, errno, error);
}

FILE *file_open(const char *path) { return file_exists(path) ? fopen(path, "rb") : NULL; }

bool file_begins_with(const char *path, const char *text) {
  char head[64] = "";
  FILE *file = file_open(path);
  size_t wanted = strlen(text), got = file ? fread(head, 1, wanted < sizeof head ? wanted : sizeof head, file) : 0;
  if (file) fclose(file);
  return got == wanted && memcmp(head, text, wanted) == 0;
}

bool file_may_replace(const char *path, const char *text) {
  struct stat info;
  return stat(path, &info) != 0 || (S_ISREG(info.st_mode) && file_begins_with(path, text));
}

bool file_exists(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool file_is_same(const char *a, const char *b) {
  struct stat first, second;
  return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_ino == second.st_ino &&
         first.st_size == second.st_size && first.st_mtim.tv_sec == second.st_mtim.tv_sec &&
         first.st_mtim.tv_nsec == second.st_mtim.tv_nsec;
}

bool folder_exists(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool folder_create(const char *path, sinew_error *error) {
  char part[4096];
  size_t length = strlen(path);
  if (length >= sizeof part) return error_set(error, "%s: the path is too long", path);
  for (size_t i = 1; i <= length; i++) {
    if (path[i] != '/' && path[i] != '\0') continue;
    memcpy(part, path, i);
    part[i] = '\0';
    if (system_make_folder(part)) continue;
    int reason = errno; /* for an existing folder where none can be created, it is not EEXIST */
    if (reason != EEXIST && !folder_exists(part))
      return error_set(error, "%s: cannot be created: %s", part, strerror(reason));
  }
  return folder_exists(path) || error_set(error, "%s: is a file, not a folder", path);
}

/* Removes a link, not its target. */
static void remove_below(const char *path, int depth) {
  enum { DEEPEST = 32 };
  char name[4096];
  if (depth > DEEPEST || remove(path) == 0) return;
  DIR *opened = opendir(path);
  for (const struct dirent *item; opened && (item = readdir(opened)) != NULL;) {
    bool is_other = strcmp(item->d_name, ".") != 0 && strcmp(item->d_name, "..") != 0;
    if (is_other && path_join(name, sizeof name, path, item->d_name)) remove_below(name, depth + 1);
  }
  if (opened) closedir(opened);
  rmdir(path);
}

void folder_remove(const char *path) { remove_below(path, 0); }

bool path_is_absolute(const char *path) {
#ifdef _WIN32
  if (path[0] == '\\' || (path[0] && path[1] == ':')) return true;
#endif
  return path[0] == '/';
}

bool path_join(char *out, size_t size, const char *folder, const char *name) {
  bool alone = path_is_absolute(name) || strcmp(folder, ".") == 0 || folder[0] == '\0';
  size_t end = strlen(folder);
  const char *between = end > 0 && folder[end - 1] == '/' ? "" : "/";
  int length = alone ? snprintf(out, size, "%s", name) : snprintf(out, size, "%s%s%s", folder, between, name);
  return length >= 0 && (size_t)length < size;
}

bool path_folder(char *out, size_t size, const char *path) {
  const char *slash = strrchr(path, '/');
  int length = slash == path ? 1 : slash ? (int)(slash - path) : 0;
  int written = length ? snprintf(out, size, "%.*s", length, path) : snprintf(out, size, ".");
  return written >= 0 && (size_t)written < size;
}

const char *path_file(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const char *path_extension(const char *path) {
  const char *dot = strrchr(path_file(path), '.');
  return dot && dot != path_file(path) ? dot + 1 : "";
}

/* ---- maps part of a file into memory ---- */

#if defined(__linux__)

#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

static bool is_of_this_machine(int file) {
  /* NFS, SMB, CIFS, SMB2, 9P, FUSE (statfs(2)) */
  static const uint32_t remote[] = {0x6969, 0x517B, 0xFF534D42, 0xFE534D42, 0x01021997, 0x65735546};
  struct statfs info;
  if (fstatfs(file, &info) != 0) return false;
  for (size_t i = 0; i < sizeof remote / sizeof *remote; i++)
    if ((uint32_t)info.f_type == remote[i]) return false;
  return true;
}

const unsigned char *file_map_open(file_map *map, int file, uint64_t offset, size_t size) {
  uint64_t before = offset % (uint64_t)sysconf(_SC_PAGESIZE);
  size_t mapped = size + (size_t)before;
  *map = (file_map){0};
  if (size == 0 || mapped < size || !is_of_this_machine(file)) return NULL;
  void *start = mmap(NULL, mapped, PROT_READ, MAP_PRIVATE, file, (off_t)(offset - before));
  if (start == MAP_FAILED) return NULL;
  *map = (file_map){start, mapped};
  return (const unsigned char *)start + before;
}

void file_map_close(file_map *map) {
  if (map->start) munmap(map->start, map->size);
  *map = (file_map){0};
}

#else

const unsigned char *file_map_open(file_map *map, int file, uint64_t offset, size_t size) {
  (void)file, (void)offset, (void)size;
  *map = (file_map){0};
  return NULL;
}

void file_map_close(file_map *map) { *map = (file_map){0}; }

#endif
