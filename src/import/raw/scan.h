/* scan – looks for words in the bytes of a file, and for what stands behind them, without understanding the rest. No
 * byte is looked at twice by a loop of scans, so a file of nothing but beginnings takes no longer than another. */
#ifndef SINEW_IMPORT_SCAN_H
#define SINEW_IMPORT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct scan {
  const unsigned char *at;
  size_t left;
} scan;

/* Moves behind the next `what`. */
bool scan_next(scan *s, const char *what);

#endif
