/* sealed – bytes behind a descriptor that has no name on any disk. */
#ifndef SINEW_IMPORT_SEALED_H
#define SINEW_IMPORT_SEALED_H

#include <stddef.h>

/* A descriptor to be mapped; -1 without memory. On Linux the bytes cannot be changed, on other systems
 * whoever has the descriptor can. */
int sealed_copy(const void *bytes, size_t size);

/* The bytes, read-only; NULL without memory. */
unsigned char *sealed_map(int file, size_t size);
void sealed_unmap(unsigned char *bytes, size_t size);

#endif
