#include "import/cache/cache.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"
#include "base/text.h"
#include "import/cook/cook.h"
#include "import/cook/cook_visit.h"
#include "import/load.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- one file of the cache ---- */

/* The hash of the importer's sources, which the build writes. */
extern const char import_stamp[];

enum { ENTRY_VERSION = 1, PATH_SIZE = 4096, LARGEST_HEAD = 1 << 24, KEY_NUMBERS = 256 };

typedef struct entry_header {
  char magic[8]; /* "SINEWCE" */
  uint32_t version, key_size;
  uint64_t sources_size, cooked_size;
  uint64_t checksum; /* XXH64 of the key and the list of sources */
  uint64_t zeros[3];
} entry_header;

_Static_assert(sizeof(entry_header) == 64, "no holes: the header is written as it is");

/* ---- keys ---- */

static const char *or_empty(const char *text) { return text ? text : ""; }

/* Appends; false if there is no room. */
static bool append(char *text, size_t size, size_t *used, const char *name, const char *value) {
  int length = snprintf(text + *used, size - *used, "%s %zu %s\n", name, strlen(value), value);
  if (length < 0 || (size_t)length >= size - *used) return false;
  *used += (size_t)length;
  return true;
}

/* Appends the options that change clips, and roles. */
static bool append_changes(char *text, size_t size, size_t *used, const sinew_load_options *options) {
  bool good = true;
  for (int i = 0; good && i < options->map_count; i++)
    good = append(text, size, used, "theirs", options->map[i].theirs) &&
           append(text, size, used, "ours", or_empty(options->map[i].ours));
  for (int i = 0; good && i < options->role_count; i++)
    good = append(text, size, used, "role", options->roles[i].role) &&
           append(text, size, used, "joint", options->roles[i].joint);
  for (int i = 0; good && i < options->edit_count; i++) {
    const sinew_clip_edit *edit = options->edits + i;
    char numbers[KEY_NUMBERS];
    text_format(numbers, sizeof numbers, "%.17g %.17g %d %d %d", edit->from, edit->to, edit->reverse, edit->loop,
                edit->mirror);
    good = append(text, size, used, "clip", edit->clip) && append(text, size, used, "name", or_empty(edit->name)) &&
           append(text, size, used, "edit", numbers);
  }
  return good;
}

static size_t size_of_changes(const sinew_load_options *options) {
  size_t size = 0;
  for (int i = 0; i < options->map_count; i++)
    size += strlen(options->map[i].theirs) + strlen(or_empty(options->map[i].ours)) + KEY_NUMBERS;
  for (int i = 0; i < options->role_count; i++)
    size += strlen(options->roles[i].role) + strlen(options->roles[i].joint) + KEY_NUMBERS;
  for (int i = 0; i < options->edit_count; i++)
    size += strlen(options->edits[i].clip) + strlen(or_empty(options->edits[i].name)) + 2 * KEY_NUMBERS;
  return size;
}

static bool write_key(char *text, size_t size, const char *folder, const char *path,
                      const sinew_load_options *options) {
  char absolute[2 * PATH_SIZE], numbers[KEY_NUMBERS];
  size_t used = 0;
  text_format(numbers, sizeof numbers, "cook %d layout %x importer %s", COOK_VERSION, (unsigned)cook_layout_stamp(),
              import_stamp);
  bool good = path_join(absolute, sizeof absolute, folder, path) && append(text, size, &used, "model", absolute) &&
              append(text, size, &used, "made by", numbers);
  for (int i = 0; good && i < load_field_count(); i++) {
    char option[LOAD_FIELD_TEXT];
    load_field_print(i, options, option);
    good = append(text, size, &used, "option", option);
  }
  /* The spelling of the caller counts, too, because notes use it for clip files. */
  for (int i = 0; good && i < options->clip_file_count; i++)
    good = path_join(absolute, sizeof absolute, folder, options->clip_files[i]) &&
           append(text, size, &used, "clips", absolute) && append(text, size, &used, "as", options->clip_files[i]);
  return good && append_changes(text, size, &used, options);
}

bool cache_key_make(cache_key *key, const char *path, const sinew_load_options *options) {
  char folder[PATH_SIZE];
  *key = (cache_key){0};
  if (!getcwd(folder, sizeof folder)) return false;
  size_t size =
      1024 + 2 * LOAD_FIELD_TEXT * (size_t)load_field_count() + PATH_SIZE + strlen(path) + size_of_changes(options);
  for (int i = 0; i < options->clip_file_count; i++) size += PATH_SIZE + 2 * strlen(options->clip_files[i]) + 64;
  key->text = mem_alloc(size);
  if (!key->text || !write_key(key->text, size, folder, path, options)) {
    cache_key_reset(key);
    return false;
  }
  size_t length = strlen(key->text);
  snprintf(key->name, sizeof key->name, "%016llx%016llx", (unsigned long long)hash_bytes(key->text, length, 0),
           (unsigned long long)hash_bytes(key->text, length, 1));
  return true;
}

void cache_key_reset(cache_key *key) {
  mem_free(key->text);
  *key = (cache_key){0};
}

/* ---- reading ---- */

static bool read_all(int file, void *out, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t got = read(file, (char *)out + done, size - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    done += (size_t)got;
  }
  return true;
}

static size_t padded(uint64_t size) { return (size_t)((size + COOK_ALIGNMENT - 1) / COOK_ALIGNMENT * COOK_ALIGNMENT); }

/* Reads the header, followed by the key and the sources; free `head`. NULL if it is not an entry. */
static unsigned char *read_head(int file, entry_header *header) {
  struct stat info;
  const entry_header ours = {.magic = "SINEWCE", .version = ENTRY_VERSION};
  if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode) || !read_all(file, header, sizeof *header) ||
      memcmp(header->magic, ours.magic, sizeof ours.magic) != 0 || header->version != ours.version ||
      header->key_size > LARGEST_HEAD || header->sources_size > LARGEST_HEAD)
    return NULL;
  size_t used = header->key_size + (size_t)header->sources_size, size = padded(used);
  if ((uint64_t)info.st_size < sizeof *header + size ||
      header->cooked_size != (uint64_t)info.st_size - sizeof *header - size)
    return NULL;
  unsigned char *head = mem_alloc(size + 1);
  if (head && read_all(file, head, size) && hash_bytes(head, used, 0) == header->checksum) return head;
  mem_free(head);
  return NULL;
}

static sinew_model *read_entry(int file, const cache_key *key, const char *path, source_list *sources, bool *aged) {
  entry_header header;
  unsigned char *head = read_head(file, &header);
  bool good = head && header.key_size == strlen(key->text) && memcmp(head, key->text, header.key_size) == 0 &&
              source_list_from_bytes(sources, head + header.key_size, (size_t)header.sources_size) &&
              source_list_check(sources, aged);
  mem_free(head);
  return good ? cook_read_cached(file, (size_t)header.cooked_size, path, NULL) : NULL;
}

/* Returns the model and its sources (reset them); NULL for a missing, foreign or damaged entry. Checks sources before
 * it reads the model; a changed one also gives NULL. */
static sinew_model *entry_load(const char *folder, const cache_key *key, const char *path, source_list *sources,
                               bool *aged) {
  char name[PATH_SIZE];
  *sources = (source_list){0};
  int file = path_join(name, sizeof name, folder, key->name) ? open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
  if (file < 0) return NULL;
  sinew_model *model = read_entry(file, key, path, sources, aged);
  if (model) futimens(file, NULL); /* marks the entry as just used; has no effect in a read-only folder */
  close(file);
  return model;
}

/* The path of the model that an entry was made from; false for a file that is not an entry. */
static bool entry_source(const char *path, char *out, size_t size) {
  entry_header header;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return false;
  char *head = (char *)read_head(file, &header);
  close(file);
  int length = 0, start = 0;
  bool good = head && header.key_size > 0;
  if (good) head[header.key_size - 1] = '\0';
  good = good && sscanf(head, "model %d %n", &length, &start) == 1 && start > 0 && length > 0 &&
         (size_t)start + (size_t)length < header.key_size && (size_t)length < size;
  if (good) snprintf(out, size, "%.*s", length, head + start);
  mem_free(head);
  return good;
}

/* ---- writing ---- */

static bool write_all(FILE *file, const cache_key *key, const void *sources, size_t sources_size, const void *cooked,
                      size_t size) {
  size_t key_size = strlen(key->text), used = key_size + sources_size;
  static const char zeros[COOK_ALIGNMENT];
  unsigned char *head = mem_alloc(used);
  if (!head) return false;
  memcpy(head, key->text, key_size);
  memcpy(head + key_size, sources, sources_size);
  entry_header header = {.magic = "SINEWCE",
                         .version = ENTRY_VERSION,
                         .key_size = (uint32_t)key_size,
                         .sources_size = sources_size,
                         .cooked_size = size,
                         .checksum = hash_bytes(head, used, 0)};
  bool good = fwrite(&header, sizeof header, 1, file) == 1 && fwrite(head, used, 1, file) == 1 &&
              fwrite(zeros, 1, padded(used) - used, file) == padded(used) - used && fwrite(cooked, size, 1, file) == 1;
  mem_free(head);
  return good;
}

/* After a loss of power the checksum detects a damaged entry, so it need not wait for the disk. */
static bool entry_store(const char *folder, const cache_key *key, const source_list *sources, const void *cooked,
                        size_t size, sinew_error *error) {
  char name[PATH_SIZE];
  size_t sources_size;
  if (!path_join(name, sizeof name, folder, key->name)) return error_set(error, "%s: the path is too long", folder);
  file_writer *w = file_begin(name, false, error);
  if (!w) return false;
  void *bytes = source_list_bytes(sources, &sources_size);
  bool good =
      bytes && sources_size <= LARGEST_HEAD && write_all(file_stream(w), key, bytes, sources_size, cooked, size);
  mem_free(bytes);
  if (good) return file_commit(w, error);
  error_set(error, "%s: cannot be written: %s", name,
            ferror(file_stream(w)) ? strerror(errno) : "it has too many sources");
  file_abandon(w);
  return false;
}

/* ---- cache folder ---- */

enum { NAME_LENGTH = 32, MEGABYTE = 1 << 20, DEFAULT_MEGABYTES = 1024, FORGOTTEN = 3600 };

static const char *variable(const char *name) {
  const char *value = getenv(name);
  return value && value[0] ? value : NULL;
}

#ifdef _WIN32
static const char users_caches[] = "LOCALAPPDATA";
#else
static const char users_caches[] = "XDG_CACHE_HOME";
#endif

/* False if the cache is off or no folder can be determined. The folder need not exist. */
static bool cache_folder(char *out, size_t size) {
  const char *own = variable("SINEW_CACHE"), *users = variable(users_caches), *home = variable("HOME");
  if (own && strcmp(own, "off") == 0) return false;
  if (own) return snprintf(out, size, "%s", own) < (int)size;
  if (users && path_is_absolute(users)) /* the standard says to ignore relative ones */
    return path_join(out, size, users, "sinew");
  return home && path_join(out, size, home, ".cache/sinew");
}

static uint64_t cache_limit(void) {
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

/* ---- cache ---- */

/* Reports only once: the next write would fail as well, and models load without the cache. */
static void tell(const sinew_error *error) {
  static atomic_flag told = ATOMIC_FLAG_INIT;
  if (atomic_flag_test_and_set(&told)) return;
  sinew_log(SINEW_LOG_WARNING,
            "%s; models are imported again each time (SINEW_CACHE names another folder, or is "
            "off)",
            error->message);
}

static void store(const char *folder, const cache_key *key, const char *path, const source_list *sources,
                  const void *cooked, size_t size) {
  uint64_t limit = cache_limit();
  sinew_error error;
  if (sources->broken || !source_list_has_read(sources, path) || size > limit) return;
  bool stored = folder_create(folder, &error) && entry_store(folder, key, sources, cooked, size, &error);
  if (stored) cache_trim(folder, limit);
  else tell(&error);
}

static void store_model(const char *folder, const cache_key *key, const char *path, const source_list *sources,
                        const sinew_model *model) {
  size_t size;
  void *cooked = cook_bytes(model, &size, NULL);
  if (cooked) store(folder, key, path, sources, cooked, size);
  mem_free(cooked);
}

sinew_model *cache_load(const char *path, const sinew_load_options *options) {
  char folder[PATH_SIZE];
  cache_key key;
  if (!cache_folder(folder, sizeof folder) || !cache_key_make(&key, path, options)) return NULL;
  source_list sources;
  bool aged = false;
  sinew_model *model = entry_load(folder, &key, path, &sources, &aged);
  if (model) source_list_note(&sources, model);
  if (model && aged) {
    source_list_renew(&sources);
    store_model(folder, &key, path, &sources, model);
  }
  source_list_reset(&sources);
  cache_key_reset(&key);
  return model;
}

void cache_store(const char *path, const sinew_load_options *options, const source_list *sources, const void *cooked,
                 size_t size) {
  char folder[PATH_SIZE];
  cache_key key;
  if (!cache_folder(folder, sizeof folder) || !cache_key_make(&key, path, options)) return;
  store(folder, &key, path, sources, cooked, size);
  cache_key_reset(&key);
}

void cache_store_model(const char *path, const sinew_load_options *options, const source_list *sources,
                       const sinew_model *model) {
  char folder[PATH_SIZE];
  cache_key key;
  if (!cache_folder(folder, sizeof folder) || !cache_key_make(&key, path, options)) return;
  store_model(folder, &key, path, sources, model);
  cache_key_reset(&key);
}
