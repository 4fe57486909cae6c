/* utf16 – converts UTF-16 text, as some programs write XML, to UTF-8 before it is read. */
#ifndef SINEW_IMPORT_UTF16_H
#define SINEW_IMPORT_UTF16_H

#include <stdbool.h>
#include <stddef.h>

/* If a byte order mark, or a '<' and its zero, shows that the bytes are UTF-16, sets *text (mem_alloc, zero-terminated)
 * and its *size; else NULL. Half a surrogate pair becomes U+FFFD. False when memory runs out. */
bool utf16_is(const unsigned char *data, size_t size); /* whether it would */
bool utf16_to_utf8(const unsigned char *data, size_t data_size, unsigned char **text, size_t *size);

#endif
