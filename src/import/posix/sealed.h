/* sealed – bytes behind a descriptor that has no name on any disk. */
#ifndef SINEW_IMPORT_SEALED_H
#define SINEW_IMPORT_SEALED_H

#include <stddef.h>

/* A descriptor for reading that stands at its beginning; -1 where there is no memory. On Linux nobody can change the
 * bytes, on other systems whoever has the descriptor can. */
int sealed_copy(const void *bytes, size_t size);

#endif
