/* cook_hash – XXH64 (Yann Collet, xxHash specification 0.1.1): 64 bits over many bytes, faster than memory. It detects
 * damage, not forgery, so everything that is read is checked as well. */
#ifndef SINEW_IMPORT_COOK_HASH_H
#define SINEW_IMPORT_COOK_HASH_H

#include <sinew/base.h>

uint64_t hash_bytes(const void *bytes, size_t size, uint64_t seed);

#endif
