#include "import/cook/cook_hash.h"

#include <string.h>

static const uint64_t prime1 = 0x9E3779B185EBCA87u, prime2 = 0xC2B2AE3D27D4EB4Fu, prime3 = 0x165667B19E3779F9u,
                      prime4 = 0x85EBCA77C2B2AE63u, prime5 = 0x27D4EB2F165667C5u;

static uint64_t rotate(uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

static uint64_t read64(const unsigned char *p) {
  uint64_t x;
  memcpy(&x, p, sizeof x);
  return x;
}

static uint64_t read32(const unsigned char *p) {
  uint32_t x;
  memcpy(&x, p, sizeof x);
  return x;
}

static uint64_t round_lane(uint64_t lane, uint64_t input) { return rotate(lane + input * prime2, 31) * prime1; }

static uint64_t merge_lane(uint64_t hash, uint64_t lane) { return (hash ^ round_lane(0, lane)) * prime1 + prime4; }

/* Four lanes over the whole blocks of 32 bytes; *p is moved behind them. */
static uint64_t hash_blocks(const unsigned char **p, size_t size, uint64_t seed) {
  uint64_t a = seed + prime1 + prime2, b = seed + prime2, c = seed, d = seed - prime1;
  for (size_t left = size; left >= 32; left -= 32, *p += 32) {
    a = round_lane(a, read64(*p));
    b = round_lane(b, read64(*p + 8));
    c = round_lane(c, read64(*p + 16));
    d = round_lane(d, read64(*p + 24));
  }
  uint64_t hash = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
  return merge_lane(merge_lane(merge_lane(merge_lane(hash, a), b), c), d);
}

uint64_t hash_bytes(const void *bytes, size_t size, uint64_t seed) {
  const unsigned char *p = bytes;
  uint64_t hash = size >= 32 ? hash_blocks(&p, size, seed) : seed + prime5;
  size_t left = size % 32;
  hash += size;
  for (; left >= 8; left -= 8, p += 8) hash = rotate(hash ^ round_lane(0, read64(p)), 27) * prime1 + prime4;
  for (; left >= 4; left -= 4, p += 4) hash = rotate(hash ^ read32(p) * prime1, 23) * prime2 + prime3;
  for (; left > 0; left--, p++) hash = rotate(hash ^ *p * prime5, 11) * prime1;
  hash = (hash ^ hash >> 33) * prime2;
  hash = (hash ^ hash >> 29) * prime3;
  return hash ^ hash >> 32;
}
