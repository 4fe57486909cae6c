#include "base/process/process.h"

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

static bool works(const idleness *idle, double now, double used, bool spoke) {
  static const double share = 0.01;
  bool is_served = idle->is_served && atomic_load(idle->is_served);
  return spoke || is_served || used - idle->used > share * (now - idle->since);
}

bool idleness_is_over(idleness *idle, double now, double used, bool spoke) {
  bool at_work = works(idle, now, used, spoke);
  if (at_work) idle->since = now, idle->used = used;
  return !at_work && idle->limit > 0 && now - idle->since >= idle->limit;
}
