#include "declare/world.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool world_property_changed(const world_property *p) {
  if (!p->next.set) return false;
  return !p->last.set || memcmp(p->next.v, p->last.v, sizeof p->next.v) != 0;
}

bool world_property_dropped(const world_property *p) { return p->last.set && !p->next.set; }

static bool same(const world_value *a, const world_value *b) { return memcmp(a->v, b->v, sizeof a->v) == 0; }

const float *world_property_value(world_property *p, const float living[4], const float *fallback, double now) {
  if (world_property_dropped(p)) {
    p->dropped = p->last;
    p->living = (world_value){.set = true, .v = {living[0], living[1], living[2], living[3]}};
    p->dropped_at = now;
    return fallback;
  }
  if (!world_property_changed(p)) return NULL;
  bool back = !p->last.set && p->living.set && now - p->dropped_at <= WORLD_HOLD && same(&p->next, &p->dropped);
  return back ? p->living.v : p->next.v;
}

void world_property_end(world_property *p, bool commit) {
  if (commit) p->last = p->next;
  p->next = (world_value){0};
}

void world_note(world *w, const char *format, ...) {
  size_t used = strlen(w->summary);
  w->changes++;
  if (used + 120 > sizeof w->summary) {
    w->untold++;
    return;
  }
  if (used > 0) used += (size_t)snprintf(w->summary + used, sizeof w->summary - used, ", ");
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(w->summary + used, sizeof w->summary - used, format, arguments);
  va_end(arguments);
}

static void write_value(char *out, size_t size, const world_value *value, int count) {
  size_t used = 0;
  if (!value->set) count = 0;
  out[0] = 0;
  for (int i = 0; i < count && used < size; i++) {
    int n = snprintf(out + used, size - used, i ? " %g" : "%g", (double)value->v[i]);
    used += n > 0 ? (size_t)n : 0;
  }
}

void world_note_property(world *w, const char *owner, const char *name, const world_property *p, int count) {
  char before[64], after[64];
  write_value(before, sizeof before, &p->last, count);
  write_value(after, sizeof after, &p->next, count);
  world_note(w, "%s.%s %s%s%s", owner, name, before, before[0] && after[0] ? " → " : "",
             after[0] ? after : " is the default again");
}
