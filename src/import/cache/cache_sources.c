#include "import/cache/cache_sources.h"

#include "import/cook/cook.h"
#include "model/model.h"

#include "base/file.h"
#include "base/memory/memory.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const int64_t second = 1000000000;
static const size_t largest_source = (size_t)1 << 31;

void source_list_reset(source_list *list) {
  for (int i = 0; i < list->count; i++) mem_free(list->items[i].path);
  mem_free(list->items);
  *list = (source_list){0};
}

void source_list_note(const source_list *list, sinew_model *model) {
  const char **paths = mem_alloc_array((size_t)list->count, sizeof *paths);
  for (int i = 0; paths && i < list->count; i++) paths[i] = list->items[i].path;
  if (paths) model_set_sources(model, paths, list->count);
  mem_free(paths);
}

/* ---- the state of files on the disk ---- */

static int64_t nanoseconds(struct timespec t) { return (int64_t)t.tv_sec * second + t.tv_nsec; }

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return nanoseconds(t);
}

/* `path` is not set. */
static source_file look(const char *path) {
  struct stat info;
  source_file found = {.seen = now()};
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return found;
  found.state = SOURCE_IGNORED;
  found.size = (uint64_t)info.st_size;
  found.inode = (uint64_t)info.st_ino;
  found.modified = nanoseconds(info.st_mtim);
  found.changed = nanoseconds(info.st_ctim);
  return found;
}

static bool is_same_file(const source_file *a, const source_file *b) {
  return a->size == b->size && a->inode == b->inode && a->modified == b->modified && a->changed == b->changed;
}

/* ---- recording ---- */

static char *absolute(const char *path) {
  char folder[4096], joined[8192];
  if (path_is_absolute(path)) return mem_copy_string(path);
  if (!getcwd(folder, sizeof folder) || !path_join(joined, sizeof joined, folder, path)) return NULL;
  return mem_copy_string(joined);
}

static source_file *find(const source_list *list, const char *path) {
  for (int i = 0; i < list->count; i++)
    if (strcmp(list->items[i].path, path) == 0) return list->items + i;
  return NULL;
}

bool source_list_has_read(const source_list *list, const char *path) {
  char *wanted = absolute(path);
  const source_file *item = wanted ? find(list, wanted) : NULL;
  mem_free(wanted);
  return item && item->state == SOURCE_READ;
}

/* Keeps `path`, which is on the heap. */
static void add(source_list *list, char *path, source_file found) {
  source_file *item = path ? find(list, path) : NULL;
  if (item) {
    bool changed = item->state == SOURCE_ABSENT ? found.state != SOURCE_ABSENT : !is_same_file(item, &found);
    if (changed || (found.state == SOURCE_READ && item->state == SOURCE_READ && found.hash != item->hash))
      list->broken = true; /* the import saw two versions of the file */
    if (found.state == SOURCE_READ) item->state = SOURCE_READ, item->hash = found.hash;
    mem_free(path);
    return;
  }
  if (path) item = array_grow((void **)&list->items, &list->count, &list->capacity, sizeof *item);
  if (!item) {
    list->broken = true;
    mem_free(path);
    return;
  }
  *item = found;
  item->path = path;
}

unsigned char *source_read(source_list *list, const char *path, size_t limit, size_t *size, sinew_error *error) {
  if (!list) return file_read(path, limit, size, error);
  source_file before = look(path);
  unsigned char *data = file_read(path, limit, size, error);
  if (data) {
    source_file after = look(path);
    if (before.state == SOURCE_ABSENT || !is_same_file(&before, &after)) list->broken = true;
    before.state = SOURCE_READ;
    before.hash = hash_bytes(data, *size, 0);
  }
  add(list, absolute(path), before);
  return data;
}

bool source_exists(source_list *list, const char *path) {
  if (list) add(list, absolute(path), look(path));
  return file_exists(path);
}

void source_list_confirm(source_list *list) {
  for (int i = 0; i < list->count; i++) {
    source_file found = look(list->items[i].path);
    if (list->items[i].state == SOURCE_READ && !is_same_file(list->items + i, &found)) list->broken = true;
  }
}

/* ---- checking ---- */

static bool is_young(const source_file *s) {
  int64_t written = s->modified > s->changed ? s->modified : s->changed;
  return s->seen < written + 2 * second;
}

static bool has_content(const source_file *s) {
  size_t size;
  unsigned char *data = file_read(s->path, largest_source, &size, NULL);
  bool same = data && size == s->size && hash_bytes(data, size, 0) == s->hash;
  mem_free(data);
  return same;
}

static bool is_unchanged(const source_file *s, bool *aged) {
  source_file found = look(s->path);
  if (s->state == SOURCE_ABSENT || found.state == SOURCE_ABSENT) return s->state == found.state;
  bool same = is_same_file(s, &found);
  if (s->state == SOURCE_IGNORED) return same;
  if (same && !is_young(s)) return true;
  if (found.size != s->size || !has_content(s)) return false;
  if (!is_young(&found)) *aged = true;
  return true;
}

bool source_list_check(const source_list *list, bool *aged) {
  *aged = false;
  for (int i = 0; i < list->count; i++)
    if (!is_unchanged(list->items + i, aged)) return false;
  return true;
}

/* Compares the content again after taking the new record: a file that changes meanwhile makes the list invalid. */
void source_list_renew(source_list *list) {
  for (int i = 0; i < list->count; i++) {
    source_file *item = list->items + i, found = look(item->path);
    if (item->state != SOURCE_READ) continue;
    if (found.state == SOURCE_ABSENT || found.size != item->size || !has_content(item)) list->broken = true;
    found.state = SOURCE_READ;
    found.hash = item->hash;
    found.path = item->path;
    *item = found;
  }
}

/* ---- as bytes ---- */

/* One record; the path follows. */
typedef struct stored_source {
  uint32_t state, path_size; /* with the path's end */
  uint64_t size, inode;
  int64_t modified, changed, seen;
  uint64_t hash;
} stored_source;

void *source_list_bytes(const source_list *list, size_t *size) {
  int count = list->broken ? 0 : list->count;
  *size = 0;
  for (int i = 0; i < count; i++) *size += sizeof(stored_source) + strlen(list->items[i].path) + 1;
  unsigned char *bytes = mem_alloc(*size + 1), *at = bytes; /* not NULL for an empty list */
  for (int i = 0; bytes && i < count; i++) {
    const source_file *s = list->items + i;
    size_t length = strlen(s->path) + 1;
    stored_source stored = {(uint32_t)s->state, (uint32_t)length, s->size, s->inode,
                            s->modified,        s->changed,       s->seen, s->hash};
    memcpy(at, &stored, sizeof stored);
    memcpy(at + sizeof stored, s->path, length);
    at += sizeof stored + length;
  }
  return bytes;
}

static bool read_source(source_list *list, const unsigned char **at, size_t *left) {
  stored_source stored;
  if (*left < sizeof stored) return false;
  memcpy(&stored, *at, sizeof stored);
  *at += sizeof stored;
  *left -= sizeof stored;
  const char *text = (const char *)*at;
  if (stored.state > SOURCE_READ || stored.path_size < 2 || stored.path_size > *left ||
      memchr(text, 0, stored.path_size) != text + stored.path_size - 1 || !path_is_absolute(text))
    return false;
  char *path = mem_copy_string(text);
  if (!path) return false;
  *at += stored.path_size;
  *left -= stored.path_size;
  add(list, path,
      (source_file){.state = (source_state)stored.state,
                    .size = stored.size,
                    .inode = stored.inode,
                    .modified = stored.modified,
                    .changed = stored.changed,
                    .seen = stored.seen,
                    .hash = stored.hash});
  return !list->broken;
}

bool source_list_from_bytes(source_list *list, const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  *list = (source_list){0};
  while (size > 0)
    if (!read_source(list, &at, &size)) {
      source_list_reset(list);
      return false;
    }
  return true;
}
