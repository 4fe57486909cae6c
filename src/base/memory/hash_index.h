/* hash_index – maps 64-bit hashes to numbers. */
#ifndef SINEW_BASE_HASH_INDEX_H
#define SINEW_BASE_HASH_INDEX_H

#include <sinew/base.h>

/* FNV-1a; `hash` is FNV_BEGIN, or the hash of the bytes before. */
#define FNV_BEGIN UINT64_C(0xcbf29ce484222325)
uint64_t fnv_add(uint64_t hash, const void *data, size_t size);

typedef struct hash_index {
  struct hash_slot *slots;
  int count, capacity;
} hash_index;

void hash_index_release(hash_index *index);
int hash_index_find(const hash_index *index, uint64_t hash); /* −1: it is not there */
/* `value` ≥ 0. When memory runs out, returns false and changes nothing. */
bool hash_index_set(hash_index *index, uint64_t hash, int value);

#endif
