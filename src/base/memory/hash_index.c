#include "base/memory/hash_index.h"

#include "base/memory/memory.h"

struct hash_slot {
  uint64_t hash;
  int value; /* 0: empty; else one more than the caller's */
};

enum { SMALLEST = 64 };

uint64_t fnv_add(uint64_t hash, const void *data, size_t size) {
  const unsigned char *bytes = data;
  for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
  return hash;
}

void hash_index_release(hash_index *index) {
  mem_free(index->slots);
  *index = (hash_index){0};
}

/* The slot with the hash, or the empty one in which it would be stored. */
static struct hash_slot *slot_of(const hash_index *index, uint64_t hash) {
  size_t mask = (size_t)index->capacity - 1, at = (size_t)(hash ^ hash >> 32) & mask;
  while (index->slots[at].value && index->slots[at].hash != hash) at = (at + 1) & mask;
  return index->slots + at;
}

int hash_index_find(const hash_index *index, uint64_t hash) {
  return index->capacity ? slot_of(index, hash)->value - 1 : -1;
}

static bool grow(hash_index *index) {
  hash_index larger = {.count = index->count, .capacity = index->capacity ? 2 * index->capacity : SMALLEST};
  larger.slots = mem_alloc_zeroed((size_t)larger.capacity * sizeof *larger.slots);
  if (!larger.slots) return false;
  for (int i = 0; i < index->capacity; i++)
    if (index->slots[i].value) *slot_of(&larger, index->slots[i].hash) = index->slots[i];
  mem_free(index->slots);
  *index = larger;
  return true;
}

bool hash_index_set(hash_index *index, uint64_t hash, int value) {
  if (4 * (int64_t)index->count >= 3 * (int64_t)index->capacity && !grow(index)) return false;
  struct hash_slot *slot = slot_of(index, hash);
  index->count += slot->value == 0;
  *slot = (struct hash_slot){hash, value + 1};
  return true;
}
