#include "declare/names.h"

#include "declare/declarations.h"

#include <string.h>

/* FNV-1a, Fowler, Noll and Vo 1991. Names that were chosen to collide make a search one along an array, of as many
 * numbers as there are names. */
static uint64_t hash_of(const char *name) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (; *name; name++) hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
  return hash ^ hash >> 32;
}

static int home_of(const name_table *names, uint64_t hash) { return (int)(hash & (uint64_t)(names->capacity - 1)); }

static int next_of(const name_table *names, int position) { return (position + 1) & (names->capacity - 1); }

/* Where the name is, or the free place where it would go. The table is not empty. */
static int place_of(const name_table *names, uint64_t hash, const char *name) {
  int i = home_of(names, hash);
  while (names->positions[i].name && (names->positions[i].hash != hash || strcmp(names->positions[i].name, name) != 0))
    i = next_of(names, i);
  return i;
}

static bool grow(declarations *all, name_table *names) {
  name_table larger = {.count = names->count, .capacity = names->capacity ? 2 * names->capacity : 16};
  larger.positions = declarations_allocate(all, (size_t)larger.capacity * sizeof *larger.positions);
  if (!larger.positions) return false;
  for (int i = 0; i < names->capacity; i++) {
    const name_position *p = &names->positions[i];
    if (p->name) larger.positions[place_of(&larger, p->hash, p->name)] = *p;
  }
  declarations_free(all, names->positions);
  *names = larger;
  return true;
}

bool names_add(declarations *all, name_table *names, const char *name, void *record) {
  uint64_t hash = hash_of(name);
  if (2 * (names->count + 1) > names->capacity && !grow(all, names)) return false;
  names->positions[place_of(names, hash, name)] = (name_position){hash, name, record};
  names->count++;
  return true;
}

void *names_find(const name_table *names, const char *name) {
  return names->capacity ? names->positions[place_of(names, hash_of(name), name)].record : NULL;
}

/* Whatever stands behind a place that becomes free and could not be reached over it moves there (Knuth 6.4, R). */
void names_remove(name_table *names, const char *name) {
  int free = names->capacity ? place_of(names, hash_of(name), name) : 0, mask = names->capacity - 1;
  if (!names->capacity || !names->positions[free].name) return;
  for (int i = next_of(names, free); names->positions[i].name; i = next_of(names, i)) {
    int home = home_of(names, names->positions[i].hash);
    if (((i - home) & mask) < ((i - free) & mask)) continue; /* its home lies behind the free place */
    names->positions[free] = names->positions[i];
    free = i;
  }
  names->positions[free] = (name_position){0};
  names->count--;
}

void names_clear(declarations *all, name_table *names) {
  declarations_free(all, names->positions);
  *names = (name_table){0};
}
