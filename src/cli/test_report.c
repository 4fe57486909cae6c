#include "cli/test_report.h"

#include "base/file.h"
#include "base/memory/memory.h"
#include "base/text.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096, FILE_SIZE = 16 << 20, DEEPEST = 16 };

/* One more place in a list. */
static void *grow(void *items, int count, int *capacity, size_t size) {
  if (count < *capacity) return items;
  *capacity = *capacity ? 2 * *capacity : 16;
  void *more = mem_resize(items, (size_t)*capacity * size);
  if (!more) abort();
  return more;
}

/* ---- scenes ---- */

static void add_path(scene_list *list, const char *path) {
  list->paths = grow(list->paths, list->count, &list->capacity, sizeof *list->paths);
  list->paths[list->count] = mem_copy_string(path);
  if (list->paths[list->count]) list->count++;
}

/* Modules define no tests. */
static bool has_tests(const char *path) {
  size_t size = 0;
  char *text = strcmp(path_extension(path), "lua") == 0 ? (char *)file_read(path, FILE_SIZE, &size, NULL) : NULL;
  bool found = false;
  for (size_t i = 0; text && i + 10 <= size && !found; i++) found = memcmp(text + i, "sinew.test", 10) == 0;
  mem_free(text);
  return found;
}

static void walk(scene_list *list, const char *folder, int depth) {
  DIR *opened = depth < DEEPEST ? opendir(folder) : NULL;
  char path[PATH_SIZE];
  for (const struct dirent *entry; opened && (entry = readdir(opened));) {
    if (entry->d_name[0] == '.' || !path_join(path, sizeof path, folder, entry->d_name)) continue;
    if (folder_exists(path)) walk(list, path, depth + 1);
    else if (has_tests(path)) add_path(list, path);
  }
  if (opened) closedir(opened);
}

static int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

bool scene_list_add(scene_list *list, const char *path) {
  int before = list->count;
  if (!folder_exists(path)) add_path(list, path);
  else walk(list, path, 0);
  if (list->count > before) qsort(list->paths + before, (size_t)(list->count - before), sizeof *list->paths, compare);
  return list->count > before;
}

void scene_list_free(scene_list *list) {
  for (int i = 0; i < list->count; i++) mem_free(list->paths[i]);
  mem_free(list->paths);
}

/* ---- results ---- */

test_result *test_report_add(test_report *report, const char *path, const char *name) {
  report->items = grow(report->items, report->count, &report->capacity, sizeof *report->items);
  test_result *r = report->items + report->count++;
  *r = (test_result){.path = mem_copy_string(path)};
  if (!r->path) abort();
  snprintf(r->name, sizeof r->name, "%s", name);
  return r;
}

void test_report_free(test_report *report) {
  for (int i = 0; i < report->count; i++) mem_free(report->items[i].path), mem_free(report->items[i].failure);
  mem_free(report->items);
}

/* XML has no other control characters than these. */
static void write_text(FILE *file, const char *text) {
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '&') fputs("&amp;", file);
    else if (c == '<') fputs("&lt;", file);
    else if (c == '>') fputs("&gt;", file);
    else if (c == '"') fputs("&quot;", file);
    else if (c == '\n') fputs("&#10;", file);
    else if (c >= ' ' || c == '\t') fputc(c, file);
    else fputc('?', file);
  }
}

static void write_result(FILE *file, const test_result *r) {
  fputs("    <testcase classname=\"", file);
  write_text(file, r->path);
  fputs("\" name=\"", file);
  write_text(file, r->name[0] ? r->name : "test");
  text_print(file, "\" time=\"%.3f\"", r->seconds);
  if (!r->failed) {
    fputs("/>\n", file);
    return;
  }
  char first[512];
  const char *failure = r->failure ? r->failure : "";
  snprintf(first, sizeof first, "%.*s", (int)strcspn(failure, "\n"), failure);
  fputs(">\n      <failure message=\"", file);
  write_text(file, first);
  fputs("\">", file);
  write_text(file, failure);
  fputs("</failure>\n    </testcase>\n", file);
}

/* The tests of one scene follow each other. */
static int write_suite(FILE *file, const test_report *report, int first) {
  const char *path = report->items[first].path;
  int end = first, failures = 0;
  double seconds = 0;
  for (; end < report->count && strcmp(report->items[end].path, path) == 0; end++) {
    failures += report->items[end].failed;
    seconds += report->items[end].seconds;
  }
  fputs("  <testsuite name=\"", file);
  write_text(file, path);
  text_print(file, "\" tests=\"%d\" failures=\"%d\" time=\"%.3f\">\n", end - first, failures, seconds);
  for (int i = first; i < end; i++) write_result(file, report->items + i);
  fputs("  </testsuite>\n", file);
  return end;
}

bool test_report_write(const test_report *report, const char *path, sinew_error *error) {
  file_writer *w = file_begin(path, true, error);
  if (!w) return false;
  FILE *file = file_stream(w);
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", file);
  for (int i = 0; i < report->count;) i = write_suite(file, report, i);
  fputs("</testsuites>\n", file);
  return file_commit(w, error);
}
