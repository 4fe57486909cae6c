#include "base/process/process_parts.h"

#include "base/memory/memory.h"

process_limits process_limits_none(void) { return (process_limits){-1, -1, -1, -1}; }

process_def process_def_default(void) {
  return (process_def){.limits = process_limits_none(), .answer_limit = (size_t)1 << 30, .text_limit = 64 * 1024};
}

bool received_make_room(received *r) {
  if (r->size < r->capacity || r->size == r->limit) return true;
  size_t wanted = r->capacity ? r->capacity * 2 : (size_t)64 * 1024;
  if (wanted > r->limit) wanted = r->limit;
  unsigned char *larger = mem_resize(r->data, wanted);
  if (!larger) return false;
  r->data = larger;
  r->capacity = wanted;
  return true;
}

process_bytes received_bytes(const received *r) { return (process_bytes){r->data, r->size, r->cut}; }
