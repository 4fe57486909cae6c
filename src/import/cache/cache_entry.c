#include "import/cache/cache_entry.h"

#include "import/cook/cook.h"
#include "import/cook/cook_format.h"
#include "import/cook/cook_hash.h"
#include "import/cook/cook_visit.h"

#include "import/load_fields.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

sinew_model *entry_load(const char *folder, const cache_key *key, const char *path, source_list *sources, bool *aged) {
  char name[PATH_SIZE];
  *sources = (source_list){0};
  int file = path_join(name, sizeof name, folder, key->name) ? open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
  if (file < 0) return NULL;
  sinew_model *model = read_entry(file, key, path, sources, aged);
  if (model) futimens(file, NULL); /* marks the entry as just used; has no effect in a read-only folder */
  close(file);
  return model;
}

bool entry_source(const char *path, char *out, size_t size) {
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
bool entry_store(const char *folder, const cache_key *key, const source_list *sources, const void *cooked, size_t size,
                 sinew_error *error) {
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
