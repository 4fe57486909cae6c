/* utf16 – text in UTF-16, as some programs write XML, becomes UTF-8 before anybody reads it. */
#ifndef SINEW_IMPORT_UTF16_H
#define SINEW_IMPORT_UTF16_H

#include <stdbool.h>
#include <stddef.h>

/* *text (mem_alloc, with a zero behind it) and its *size where a byte order mark, or a '<' with its zero, says that the
 * bytes are UTF-16; NULL and nothing where not. Half a pair becomes U+FFFD. False when memory runs out. */
bool utf16_to_utf8(const unsigned char *data, size_t data_size, unsigned char **text, size_t *size);

#endif
