#include "host/system/watch.h"
#include "base/error.h"
#include "base/memory/memory.h"
#include "host/system/web/page_files.h"

#include <string.h>

typedef struct changed_file {
  char *path;
  bool exists;
} changed_file;

struct watch {
  char **paths;
  int path_count, path_capacity;
};

/* Of the page; it has one host. */
static struct {
  changed_file *items;
  int count, capacity;
} changes;

static bool is_watched(const watch *w, const char *path) {
  for (int i = 0; i < w->path_count; i++)
    if (strcmp(w->paths[i], path) == 0) return true;
  return false;
}

bool page_file_changed(const char *path, bool exists) {
  char *copy = mem_copy_string(path);
  changed_file *place =
      copy ? array_grow((void **)&changes.items, &changes.count, &changes.capacity, sizeof *place) : NULL;
  if (place) *place = (changed_file){copy, exists};
  else mem_free(copy);
  return place != NULL;
}

watch *watch_create(sinew_error *error) {
  watch *w = mem_alloc_zeroed(sizeof *w);
  if (!w) error_memory(error, "watching files", sizeof *w);
  return w;
}

void watch_destroy(watch *w) {
  if (!w) return;
  watch_clear(w);
  mem_free(w->paths);
  mem_free(w);
}

bool watch_add(watch *w, const char *path, sinew_error *error) {
  if (is_watched(w, path)) return true;
  char *copy = mem_copy_string(path);
  char **place = copy ? array_grow((void **)&w->paths, &w->path_count, &w->path_capacity, sizeof *place) : NULL;
  if (place) *place = copy;
  else mem_free(copy), error_memory(error, path, sizeof *place);
  return place != NULL;
}

void watch_clear(watch *w) {
  for (int i = 0; i < w->path_count; i++) mem_free(w->paths[i]);
  w->path_count = 0;
}

/* `function` may add and clear, and a file may change meanwhile: that waits for the next poll. */
void watch_poll(watch *w, watch_function *function, void *user) {
  changed_file *taken = changes.items;
  int count = changes.count;
  changes.items = NULL;
  changes.count = changes.capacity = 0;
  for (int i = 0; i < count; i++) {
    if (is_watched(w, taken[i].path)) function(user, taken[i].path, taken[i].exists);
    mem_free(taken[i].path);
  }
  mem_free(taken);
}
