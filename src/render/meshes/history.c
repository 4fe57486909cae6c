#include "render/meshes/history.h"

#include "base/memory/memory.h"

#include <limits.h>
#include <string.h>

void history_begin(history *kept) {
  history_frame spare = kept->last;
  kept->last = kept->now;
  kept->now = spare;
  kept->now.entry_count = kept->now.number_count = 0;
  kept->cursor = 0;
}

bool history_add(history *kept, const history_entry *entry, const float *numbers) {
  history_frame *now = &kept->now;
  if (entry->count > (size_t)(INT_MAX - now->number_count)) return false;
  int total = now->number_count + (int)entry->count;
  if (!array_reserve((void **)&now->numbers, &now->number_capacity, total, sizeof *now->numbers)) return false;
  history_entry *added =
      array_grow((void **)&now->entries, &now->entry_count, &now->entry_capacity, sizeof *now->entries);
  if (!added) return false;
  *added = *entry;
  added->first = (size_t)now->number_count;
  memcpy(now->numbers + added->first, numbers, entry->count * sizeof *numbers);
  now->number_count = total;
  return true;
}

const history_entry *history_find(history *kept, uint64_t id, int part, size_t count) {
  const history_frame *last = &kept->last;
  for (int n = 0; n < last->entry_count; n++) {
    int i = (kept->cursor + n) % last->entry_count;
    const history_entry *entry = &last->entries[i];
    if (entry->id != id || entry->part != part) continue;
    kept->cursor = i + 1;
    return entry->count == count ? entry : NULL;
  }
  return NULL;
}

void history_release(history *kept) {
  mem_free(kept->last.entries);
  mem_free(kept->last.numbers);
  mem_free(kept->now.entries);
  mem_free(kept->now.numbers);
  *kept = (history){0};
}
