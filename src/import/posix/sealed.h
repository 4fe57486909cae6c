/* sealed – bytes behind a descriptor without a name on any disk. */
#ifndef SINEW_IMPORT_SEALED_H
#define SINEW_IMPORT_SEALED_H

#include <stddef.h>

/* A descriptor that can be mapped; -1 without memory. On Linux nobody can change the bytes; on other systems the
 * receiver of the descriptor can. */
int sealed_copy(const void *bytes, size_t size);

/* The bytes, read-only; NULL without memory. */
unsigned char *sealed_map(int file, size_t size);
void sealed_unmap(unsigned char *bytes, size_t size);

#endif
