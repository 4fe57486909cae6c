#include "model/names/joint_index.h"

#include <stdlib.h>
#include <string.h>

const char *joint_name_bare(const char *name) {
  const char *bare = name;
  for (const char *c = name; *c; c++)
    if ((*c == ':' || *c == '|') && c[1]) bare = c + 1;
  return bare;
}

static int compare_entries(const void *a, const void *b) {
  const joint_entry *x = a, *y = b;
  int names = strcmp(x->name, y->name);
  if (names) return names;
  return x->rank != y->rank ? x->rank - y->rank : x->joint - y->joint;
}

void joint_index_sort(joint_entry *entries, int count) {
  if (count > 1) qsort(entries, (size_t)count, sizeof *entries, compare_entries);
}

int joint_index_find(const joint_entry *entries, int count, const char *name) {
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (strcmp(entries[middle].name, name) < 0) low = middle + 1;
    else high = middle;
  }
  return low < count && strcmp(entries[low].name, name) == 0 ? low : count;
}
