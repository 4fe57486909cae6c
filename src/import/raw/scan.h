/* scan – finds words in the bytes of a file, and what follows them, without parsing the rest. A loop of scans looks at
 * each byte once, so a file full of false starts takes no longer than another. */
#ifndef SINEW_IMPORT_SCAN_H
#define SINEW_IMPORT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct scan {
  const unsigned char *at;
  size_t left;
} scan;

/* Moves past the next `what`. */
bool scan_next(scan *s, const char *what);

#endif
