#include "import/cache/cache.h"
#include "import/cache/cache_entry.h"

#include "base/file.h"
#include "base/memory/array.h"
#include "base/memory/memory.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { PATH_SIZE = 4096, NAME_LENGTH = 32, MEGABYTE = 1 << 20, DEFAULT_MEGABYTES = 1024, FORGOTTEN = 3600 };

static const char *variable(const char *name) {
  const char *value = getenv(name);
  return value && value[0] ? value : NULL;
}

#ifdef _WIN32
static const char users_caches[] = "LOCALAPPDATA";
#else
static const char users_caches[] = "XDG_CACHE_HOME";
#endif

bool cache_folder(char *out, size_t size) {
  const char *own = variable("SINEW_CACHE"), *users = variable(users_caches), *home = variable("HOME");
  if (own && strcmp(own, "off") == 0) return false;
  if (own) return snprintf(out, size, "%s", own) < (int)size;
  if (users && path_is_absolute(users)) /* the standard says to ignore relative ones */
    return path_join(out, size, users, "sinew");
  return home && path_join(out, size, home, ".cache/sinew");
}

uint64_t cache_limit(void) {
  const char *wanted = variable("SINEW_CACHE_LIMIT");
  char *end = NULL;
  unsigned long long megabytes = wanted ? strtoull(wanted, &end, 10) : DEFAULT_MEGABYTES;
  bool good = !wanted || (end != wanted && *end == '\0' && wanted[0] != '-' && megabytes <= UINT64_MAX / MEGABYTE);
  return (good ? megabytes : DEFAULT_MEGABYTES) * (uint64_t)MEGABYTE;
}

/* ---- the entries ---- */

static bool is_entry_name(const char *name) {
  return strlen(name) == NAME_LENGTH && strspn(name, "0123456789abcdef") == NAME_LENGTH;
}

static bool stat_in(const char *folder, const char *name, struct stat *info) {
  char path[PATH_SIZE];
  return path_join(path, sizeof path, folder, name) && lstat(path, info) == 0 && S_ISREG(info->st_mode);
}

static void remove_in(const char *folder, const char *name) {
  char path[PATH_SIZE];
  if (path_join(path, sizeof path, folder, name)) remove(path);
}

static int by_use(const void *a, const void *b) {
  const cache_file *x = a, *y = b;
  return x->used != y->used ? (x->used > y->used) - (x->used < y->used) : strcmp(x->name, y->name);
}

cache_file *cache_files(const char *folder, int *count) {
  cache_file *files = NULL;
  int capacity = 0;
  *count = 0;
  DIR *opened = opendir(folder);
  for (struct dirent *one = opened ? readdir(opened) : NULL; one; one = readdir(opened)) {
    struct stat info;
    if (!is_entry_name(one->d_name) || !stat_in(folder, one->d_name, &info)) continue;
    cache_file *file = array_grow((void **)&files, count, &capacity, sizeof *files);
    if (!file) break;
    snprintf(file->name, sizeof file->name, "%.*s", NAME_LENGTH, one->d_name);
    file->size = (uint64_t)info.st_size;
    file->used = (int64_t)info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec;
  }
  if (opened) closedir(opened);
  if (files) qsort(files, (size_t)*count, sizeof *files, by_use);
  return files;
}

/* A crashed writer leaves its file behind; that of a running one is less than an hour old. */
static void remove_parts(const char *folder) {
  DIR *opened = opendir(folder);
  for (struct dirent *one = opened ? readdir(opened) : NULL; one; one = readdir(opened)) {
    struct stat info;
    if (strncmp(one->d_name, ".part-", 6) == 0 && stat_in(folder, one->d_name, &info) &&
        info.st_mtim.tv_sec < time(NULL) - FORGOTTEN)
      remove_in(folder, one->d_name);
  }
  if (opened) closedir(opened);
}

int cache_trim(const char *folder, uint64_t limit) {
  int count, removed = 0;
  uint64_t total = 0;
  cache_file *files = cache_files(folder, &count);
  for (int i = 0; i < count; i++) total += files[i].size;
  for (; removed < count && total > limit; removed++) {
    total -= files[removed].size;
    remove_in(folder, files[removed].name);
  }
  mem_free(files);
  remove_parts(folder);
  return removed;
}

/* ---- what people see ---- */

bool sinew_cache_folder(char *folder, size_t size) {
  if (cache_folder(folder, size)) return true;
  if (size) folder[0] = '\0';
  return false;
}

uint64_t sinew_cache_limit(void) { return cache_limit(); }

int sinew_cache_list(void (*each)(void *user, const sinew_cache_entry *entry), void *user) {
  char folder[PATH_SIZE], path[PATH_SIZE], model[PATH_SIZE];
  int count = 0;
  cache_file *files = cache_folder(folder, sizeof folder) ? cache_files(folder, &count) : NULL;
  for (int i = 0; each && i < count; i++) {
    bool known = path_join(path, sizeof path, folder, files[i].name) && entry_source(path, model, sizeof model);
    sinew_cache_entry entry = {known ? model : "(damaged)", files[i].size, files[i].used / 1000000000};
    each(user, &entry);
  }
  mem_free(files);
  return count;
}

int sinew_cache_clear(void) {
  char folder[PATH_SIZE];
  return cache_folder(folder, sizeof folder) ? cache_trim(folder, 0) : 0;
}
