#include "declare/names.h"

#include "declare/world.h"

#include <string.h>

/* FNV-1a, Fowler, Noll and Vo 1991. Names that were chosen to collide make a search one along an array, of as many
 * numbers as there are names. */
static uint64_t hash_of(const char *name) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (; *name; name++) hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
  return hash ^ hash >> 32;
}

static int home_of(const name_table *names, uint64_t hash) { return (int)(hash & (uint64_t)(names->capacity - 1)); }

static int next_of(const name_table *names, int place) { return (place + 1) & (names->capacity - 1); }

/* Where the name is, or the free place where it would go. The table is not empty. */
static int place_of(const name_table *names, uint64_t hash, const char *name) {
  int i = home_of(names, hash);
  while (names->places[i].name && (names->places[i].hash != hash || strcmp(names->places[i].name, name) != 0))
    i = next_of(names, i);
  return i;
}

static bool grow(world *w, name_table *names) {
  name_table larger = {.count = names->count, .capacity = names->capacity ? 2 * names->capacity : 16};
  larger.places = world_allocate(w, (size_t)larger.capacity * sizeof *larger.places);
  if (!larger.places) return false;
  for (int i = 0; i < names->capacity; i++) {
    const name_place *p = &names->places[i];
    if (p->name) larger.places[place_of(&larger, p->hash, p->name)] = *p;
  }
  world_free(w, names->places);
  *names = larger;
  return true;
}

bool names_add(world *w, name_table *names, const char *name, void *record) {
  uint64_t hash = hash_of(name);
  if (2 * (names->count + 1) > names->capacity && !grow(w, names)) return false;
  names->places[place_of(names, hash, name)] = (name_place){hash, name, record};
  names->count++;
  return true;
}

void *names_find(const name_table *names, const char *name) {
  return names->capacity ? names->places[place_of(names, hash_of(name), name)].record : NULL;
}

/* Whatever stands behind a place that becomes free and could not be reached over it moves there (Knuth 6.4, R). */
void names_remove(name_table *names, const char *name) {
  int free = names->capacity ? place_of(names, hash_of(name), name) : 0, mask = names->capacity - 1;
  if (!names->capacity || !names->places[free].name) return;
  for (int i = next_of(names, free); names->places[i].name; i = next_of(names, i)) {
    int home = home_of(names, names->places[i].hash);
    if (((i - home) & mask) < ((i - free) & mask)) continue; /* its home lies behind the free place */
    names->places[free] = names->places[i];
    free = i;
  }
  names->places[free] = (name_place){0};
  names->count--;
}

void names_clear(world *w, name_table *names) {
  world_free(w, names->places);
  *names = (name_table){0};
}
