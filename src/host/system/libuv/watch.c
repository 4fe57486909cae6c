#include "host/system/watch.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <uv.h>

/* A file is settled once no change was seen for this long … */
static const double hold_seconds = 0.020;
/* … or once its modification time is this old, which a window with slow frames notices sooner. File times come from a
 * clock that may lag by 10 ms. */
static const double quiet_seconds = 0.030;
/* A file that never settles is reported after this time at the latest, even if the next frame takes twice as long, and
 * again when it changes further. With slow frames, that is at the second look. */
static const double longest_wait = 0.150;
/* Editors delete a file and write it again; one that stays away for this long was deleted. */
static const double deleted_seconds = 0.500;
/* Folders that are deleted and made again, and file systems without notices, are checked at this interval. */
static const double look_seconds = 0.100;

typedef struct signature {
  bool exists;
  int64_t size;
  double modified, changed; /* seconds since 1970: the content, and anything about the file, its name included */
  int64_t nanoseconds;      /* seconds since 1970: of the content, and of anything about the file, including its name */
  uint64_t file;            /* of `modified`, which a double would round */
} signature;

typedef struct watched_file {
  char *path;
  signature reported, seen;
  double seen_since, pending_since;
  bool pending; /* `seen` differs from `reported` and may still change */
  /* Notices since the last report: another file got this name, and the file was written under this name. */
  bool arrived, written;
} watched_file;

typedef struct watched_folder {
  uv_fs_event_t event;
  watch *owner;
  char *path;
} watched_folder;

struct watch {
  uv_loop_t loop;
  watched_file *files;
  int file_count, file_capacity;
  watched_folder **folders; /* allocated one by one, because libuv keeps their addresses */
  int folder_count, folder_capacity;
  bool stirred;                    /* something happened in a folder since the last look */
  double looked, polled, interval; /* interval: between the last two polls */
};

static double seconds_of(struct timespec t) { return (double)t.tv_sec + (double)t.tv_nsec * 1e-9; }

static signature read_signature(const char *path) {
  struct stat info;
  if (stat(path, &info) != 0) return (signature){0};
  return (signature){.exists = true,
                     .size = info.st_size,
                     .modified = seconds_of(info.st_mtim),
                     .changed = seconds_of(info.st_ctim),
                     .nanoseconds = info.st_mtim.tv_nsec,
                     .file = info.st_ino};
}

/* `changed` does not count: another name or other permissions do not change the content. */
static bool same_signature(const signature *a, const signature *b) {
  return a->exists == b->exists && a->size == b->size && a->modified == b->modified &&
         a->nanoseconds == b->nanoseconds && a->file == b->file;
}

/* ---- folders ---- */

static bool is_in(const watched_file *file, const char *folder, const char *name) {
  size_t length = strlen(folder);
  const char *path = file->path;
  if (strcmp(folder, ".") == 0 && strcmp(path, name) == 0) return true;
  return strncmp(path, folder, length) == 0 && path[length] == '/' && strcmp(path + length + 1, name) == 0;
}

/* Without a name, it may be any file. */
static void on_event(uv_fs_event_t *event, const char *name, int events, int status) {
  watched_folder *folder = event->data;
  watch *w = folder->owner;
  w->stirred = true;
  for (int i = 0; i < w->file_count; i++) {
    watched_file *file = w->files + i;
    if (name && !is_in(file, folder->path, name)) continue;
    if (status != 0 || !name || (events & UV_CHANGE)) file->written = true;
    else if (events & UV_RENAME) file->arrived = true, file->written = false;
  }
}

static void on_closed(uv_handle_t *handle) {
  watched_folder *folder = handle->data;
  mem_free(folder->path);
  mem_free(folder);
}

static bool has_folder(const watch *w, const char *path) {
  for (int i = 0; i < w->folder_count; i++)
    if (strcmp(w->folders[i]->path, path) == 0) return true;
  return false;
}

static bool start_folder(watch *w, watched_folder *folder, const char *path, sinew_error *error) {
  folder->owner = w;
  folder->path = mem_copy_string(path);
  if (!folder->path) return error_memory(error, path, strlen(path) + 1);
  int status = uv_fs_event_init(&w->loop, &folder->event);
  if (status != 0) return error_set(error, "%s: cannot be watched: %s", path, uv_strerror(status));
  folder->event.data = folder;
  /* if the system has no notices left, the regular checks must do */
  (void)uv_fs_event_start(&folder->event, on_event, path, 0);
  return true;
}

static bool add_folder(watch *w, const char *path, sinew_error *error) {
  if (has_folder(w, path)) return true;
  if (!array_reserve((void **)&w->folders, &w->folder_capacity, w->folder_count + 1, sizeof *w->folders))
    return error_memory(error, path, sizeof *w->folders);
  watched_folder *folder = mem_alloc_zeroed(sizeof *folder);
  if (!folder) return error_memory(error, path, sizeof *folder);
  if (!start_folder(w, folder, path, error)) {
    mem_free(folder->path);
    mem_free(folder);
    return false;
  }
  w->folders[w->folder_count++] = folder;
  return true;
}

/* Adds the folder that the path names and, if it is a symbolic link, the folder of its target. */
static bool add_folders_of(watch *w, const char *path, sinew_error *error) {
  char folder[4096];
  if (!path_folder(folder, sizeof folder, path)) return error_set(error, "%s: the path is too long", path);
  if (!folder_exists(folder)) return error_set(error, "%s: cannot be watched: its folder does not exist", path);
  if (!add_folder(w, folder, error)) return false;
  char *real = realpath(path, NULL);
  bool added = true;
  if (real && path_folder(folder, sizeof folder, real)) added = add_folder(w, folder, error);
  free(real);
  return added;
}

/* ---- files ---- */

static bool is_watched(const watch *w, const char *path) {
  for (int i = 0; i < w->file_count; i++)
    if (strcmp(w->files[i].path, path) == 0) return true;
  return false;
}

bool watch_add(watch *w, const char *path, sinew_error *error) {
  if (is_watched(w, path)) return true;
  if (!add_folders_of(w, path, error)) return false;
  char *copy = mem_copy_string(path);
  watched_file *file = copy ? array_grow((void **)&w->files, &w->file_count, &w->file_capacity, sizeof *file) : NULL;
  if (!file) {
    mem_free(copy);
    return error_memory(error, path, strlen(path) + 1);
  }
  *file = (watched_file){.path = copy, .reported = read_signature(path)};
  file->seen = file->reported;
  return true;
}

void watch_clear(watch *w) {
  for (int i = 0; i < w->file_count; i++) mem_free(w->files[i].path);
  w->file_count = 0;
  for (int i = 0; i < w->folder_count; i++) uv_close((uv_handle_t *)&w->folders[i]->event, on_closed);
  w->folder_count = 0;
  uv_run(&w->loop, UV_RUN_NOWAIT);
}

watch *watch_create(sinew_error *error) {
  watch *w = mem_alloc_zeroed(sizeof *w);
  if (!w) {
    error_memory(error, "a file watcher", sizeof *w);
    return NULL;
  }
  int status = uv_loop_init(&w->loop);
  if (status == 0) return w;
  error_set(error, "files cannot be watched: %s", uv_strerror(status));
  mem_free(w);
  return NULL;
}

void watch_destroy(watch *w) {
  if (!w) return;
  watch_clear(w);
  uv_run(&w->loop, UV_RUN_DEFAULT);
  uv_loop_close(&w->loop);
  mem_free(w->files);
  mem_free(w->folders);
  mem_free(w);
}

/* ---- changes ---- */

static void look_at(watch *w, watched_file *file, double now) {
  signature found = read_signature(file->path);
  if (same_signature(&found, &file->seen)) return;
  if (!file->pending) file->pending_since = now;
  file->seen = found;
  file->seen_since = now;
  file->pending = true;
  /* the link may have another target now; if that cannot be watched, it is still checked */
  (void)add_folders_of(w, file->path, NULL);
}

/* True if the file was written under another name and then got this one: an atomic save, complete as it arrives. Times
 * show this if they differ, which they do not within some milliseconds; notices show it if there are any. A file that
 * was merely created is empty. */
static bool came_by_rename(const watched_file *file) {
  const signature *seen = &file->seen;
  bool told = file->arrived && !file->written && seen->size > 0;
  return seen->file != file->reported.file && (told || seen->changed > seen->modified);
}

/* False also if the file's time is ahead of our clock, as it may be on a file server. */
static bool is_quiet(const watched_file *file) {
  struct timespec wall;
  if (clock_gettime(CLOCK_REALTIME, &wall) != 0) return false;
  return seconds_of(wall) - file->seen.modified >= quiet_seconds;
}

static bool is_overdue(const watch *w, const watched_file *file, double now) {
  double waited = now - file->pending_since;
  return waited > 0 && waited + 2 * w->interval > longest_wait;
}

static bool is_settled(const watch *w, const watched_file *file, double now) {
  double unchanged = now - file->seen_since;
  if (!file->seen.exists) return unchanged >= deleted_seconds;
  return came_by_rename(file) || unchanged >= hold_seconds || is_quiet(file) || is_overdue(w, file, now);
}

static bool take_change(const watch *w, watched_file *file, double now) {
  if (!file->pending || !is_settled(w, file, now)) return false;
  file->pending = false;
  bool changed = !same_signature(&file->seen, &file->reported);
  file->reported = file->seen;
  file->arrived = file->written = false;
  return changed;
}

/* Checks the index again each time, because the callback may add files or clear them all. */
static void report(watch *w, double now, watch_function *function, void *user) {
  for (int i = 0; i < w->file_count; i++) {
    if (!take_change(w, &w->files[i], now)) continue;
    bool exists = w->files[i].seen.exists;
    char *path = mem_copy_string(w->files[i].path);
    if (path) function(user, path, exists);
    mem_free(path);
  }
}

/* Files that change together, as in a checkout, are reported together: a settled one waits for the others, but no
 * longer than for itself. */
static bool waits_for_others(const watch *w, double now) {
  bool waits = false;
  for (int i = 0; i < w->file_count; i++) {
    const watched_file *file = w->files + i;
    if (!file->pending) continue;
    if (is_overdue(w, file, now)) return false;
    waits = waits || !is_settled(w, file, now);
  }
  return waits;
}

void watch_poll(watch *w, watch_function *function, void *user) {
  double now = clock_seconds();
  w->interval = now - w->polled;
  w->polled = now;
  uv_run(&w->loop, UV_RUN_NOWAIT);
  bool look_at_all = w->stirred || now - w->looked >= look_seconds;
  if (look_at_all) w->looked = now;
  w->stirred = false;
  for (int i = 0; i < w->file_count; i++)
    if (look_at_all || w->files[i].pending) look_at(w, &w->files[i], now);
  uv_run(&w->loop, UV_RUN_NOWAIT); /* handles notices of writes from before the look */
  if (!waits_for_others(w, now)) report(w, now, function, user);
}
