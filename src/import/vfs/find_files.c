/* Finds the model files that match a pattern. */
#include "import/vfs/find_files.h"

#include "base/file.h"
#include "base/memory/memory.h"
#include "import/vfs/vfs.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096, DEPTH = 32, ENTRIES = 1 << 17 };

typedef struct search {
  file_list *found;
  int entries; /* visited entries, whose limit ends a pattern that would walk a whole disk */
  bool failed;
} search;

static bool same_letter(char a, char b) { return tolower((unsigned char)a) == tolower((unsigned char)b); }

/* On a mismatch the last '*' takes one more letter, so the time is at most the product of the lengths. */
static bool matches(const char *pattern, size_t length, const char *name) {
  size_t i = 0, star = length;
  const char *retry = NULL;
  while (*name) {
    if (i < length && pattern[i] == '*') {
      star = i++;
      retry = name;
    } else if (i < length && (pattern[i] == '?' || same_letter(pattern[i], *name))) {
      i++;
      name++;
    } else if (retry) {
      i = star + 1;
      name = ++retry;
    } else {
      return false;
    }
  }
  while (i < length && pattern[i] == '*') i++;
  return i == length;
}

bool path_is_pattern(const char *path) { return strpbrk(path, "*?") != NULL; }

static bool add_path(file_list *list, const char *path) {
  char *copy = mem_copy_string(path);
  char **item = copy ? array_grow((void **)&list->paths, &list->count, &list->capacity, sizeof *item) : NULL;
  if (item) *item = copy;
  else mem_free(copy);
  return item != NULL;
}

static void keep(search *s, const char *path) {
  if (s->found->count == SINEW_FIND_MOST || !add_path(s->found, path)) s->failed = true;
}

/* ---- folders ---- */

static void walk(search *s, const char *folder, const char *pattern, int depth);

static bool is_folder(const char *path) {
  struct stat info;
  return lstat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static void visit_entry(search *s, const char *path, const char *pattern, int depth) {
  const char *slash = strchr(pattern, '/'), *name = path_file(path);
  size_t length = slash ? (size_t)(slash - pattern) : strlen(pattern);
  bool any_folder = length == 2 && pattern[0] == '*' && pattern[1] == '*';
  if (any_folder && is_folder(path)) walk(s, path, pattern, depth + 1);
  else if (slash && !any_folder && matches(pattern, length, name) && is_folder(path))
    walk(s, path, slash + 1, depth + 1);
  else if (!slash && matches(pattern, length, name) && vfs_is_model(name) && file_exists(path)) keep(s, path);
}

static void keep_entry(search *s, const char *folder, const char *name, file_list *names) {
  char path[PATH_SIZE];
  if (name[0] == '.' || !path_join(path, sizeof path, folder, name)) return;
  if (++s->entries > ENTRIES || !add_path(names, path)) s->failed = true;
}

/* Closes a folder before the next one is opened. */
static void list_entries(search *s, const char *folder, file_list *names) {
  DIR *files = opendir(folder[0] ? folder : ".");
  for (const struct dirent *entry; files && !s->failed && (entry = readdir(files));)
    keep_entry(s, folder, entry->d_name, names);
  if (files) closedir(files);
}

static void walk(search *s, const char *folder, const char *pattern, int depth) {
  file_list names = {0};
  if (depth > DEPTH || s->failed) return;
  list_entries(s, folder, &names);
  bool any_folder = strncmp(pattern, "**/", 3) == 0;
  for (int i = 0; i < names.count && !s->failed; i++) {
    visit_entry(s, names.paths[i], pattern, depth);
    if (any_folder) visit_entry(s, names.paths[i], pattern + 3, depth); /* "**" means no folder, too */
  }
  file_list_reset(&names);
}

/* ---- a pattern ---- */

static int compare_paths(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* A file is found once, even if a pattern reaches it in several ways. */
static void sort_unique(file_list *list) {
  int kept = 0;
  if (list->count > 1) qsort(list->paths, (size_t)list->count, sizeof *list->paths, compare_paths);
  for (int i = 0; i < list->count; i++) {
    if (kept && strcmp(list->paths[kept - 1], list->paths[i]) == 0) mem_free(list->paths[i]);
    else list->paths[kept++] = list->paths[i];
  }
  list->count = kept;
}

/* The folder above the first name with a wildcard, and the rest of the pattern; "**" at the end means every file. */
static bool split(const char *pattern, char folder[PATH_SIZE], char rest[PATH_SIZE]) {
  const char *wild = strpbrk(pattern, "*?"), *begin = wild;
  size_t length = strlen(pattern);
  if (length + 3 >= PATH_SIZE) return false;
  while (begin > pattern && begin[-1] != '/') begin--;
  size_t above = (size_t)(begin - pattern);
  memcpy(folder, pattern, above);
  folder[above > 1 ? above - 1 : above] = '\0';
  strcpy(rest, begin);
  length = strlen(rest);
  if (length >= 2 && strcmp(rest + length - 2, "**") == 0 && (length == 2 || rest[length - 3] == '/'))
    strcat(rest, "/*");
  for (char *twice = strstr(rest, "**/**/"); twice; twice = strstr(rest, "**/**/"))
    memmove(twice, twice + 3, strlen(twice + 3) + 1);
  return true;
}

bool files_find(const char *pattern, file_list *found) {
  char folder[PATH_SIZE], rest[PATH_SIZE];
  search s = {.found = found};
  if (file_exists(pattern) || (!path_is_pattern(pattern) && !folder_exists(pattern))) keep(&s, pattern);
  else if (!path_is_pattern(pattern)) walk(&s, pattern, "*", 0);
  else if (split(pattern, folder, rest)) walk(&s, folder, rest, 0);
  sort_unique(found);
  if (s.failed) file_list_reset(found);
  return !s.failed;
}

void file_list_reset(file_list *list) {
  for (int i = 0; i < list->count; i++) mem_free(list->paths[i]);
  mem_free(list->paths);
  *list = (file_list){0};
}

int sinew_find_files(const char *pattern, void (*each)(void *user, const char *path), void *user) {
  file_list found = {0};
  if (!files_find(pattern, &found)) return -1;
  int count = found.count;
  for (int i = 0; i < count; i++) each(user, found.paths[i]);
  file_list_reset(&found);
  return count;
}
