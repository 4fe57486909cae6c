#include "actor/palettes.h"

#include "base/memory/memory.h"
#include "base/system.h"

#include <limits.h>
#include <string.h>

bool palettes_add(palettes *p, palette_range *range, int count) {
  int before = p->capacity;
  if (count > INT_MAX - p->count ||
      !array_reserve((void **)&p->matrices, &p->capacity, p->count + count, sizeof *p->matrices))
    return false;
  if (p->capacity > before) system_use_large_pages(p->matrices, (size_t)p->capacity * sizeof *p->matrices);
  *range = (palette_range){p->count, count};
  p->count += count;
  return true;
}

void palettes_remove(palettes *p, const palette_range *range) {
  if (range->offset + range->count == p->count) p->count = range->offset;
  else p->has_gaps = true;
}

void palettes_begin_packing(palettes *p) {
  p->count = 0;
  p->has_gaps = false;
}

void palettes_pack(palettes *p, palette_range *range) {
  if (range->count)
    memmove(p->matrices + p->count, p->matrices + range->offset, (size_t)range->count * sizeof *p->matrices);
  range->offset = p->count;
  p->count += range->count;
}

void palettes_reset(palettes *p) {
  mem_free(p->matrices);
  *p = (palettes){0};
}
