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

/* The next few bytes: what belongs to a word is not far behind it. */
scan scan_near(scan s);

/* An array of a binary FBX: how many numbers of `width` bytes, whether they are deflated, how many bytes, the bytes.
 * Moves behind it. NULL where it lies about itself; free `made`. */
const unsigned char *scan_array(scan *s, size_t width, uint32_t *count, unsigned char **made);

/* The numbers of an array in a textual FBX, "*2 {\n a: 1,2 }", behind its "a:"; NULL where there is none. */
const char *scan_text_array(scan s);

uint32_t scan_u32(const unsigned char *at);
int64_t scan_i64(const unsigned char *at);

#endif
