#include "import/raw/scan.h"

#include "base/memory.h"
#include "import/source/image.h"

#include <string.h>

enum { MAX_NUMBERS = 1 << 22, MOST_DEFLATED = 1032, NEAR = 200 };

bool scan_next(scan *t, const char *what) {
  size_t length = strlen(what);
  while (t->left >= length) {
    const unsigned char *first = memchr(t->at, what[0], t->left - length + 1);
    if (!first) return false;
    t->left -= (size_t)(first - t->at);
    t->at = first;
    bool found = memcmp(first, what, length) == 0;
    t->at += found ? length : 1;
    t->left -= found ? length : 1;
    if (found) return true;
  }
  return false;
}

uint32_t scan_u32(const unsigned char *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

int64_t scan_i64(const unsigned char *at) {
  return (int64_t)((uint64_t)scan_u32(at) | (uint64_t)scan_u32(at + 4) << 32);
}

/* Deflate makes at most MOST_DEFLATED bytes of one. */
const unsigned char *scan_array(scan *t, size_t width, uint32_t *count, unsigned char **made) {
  *made = NULL;
  if (t->left < 12) return NULL;
  const unsigned char *bytes = t->at + 12;
  uint32_t n = scan_u32(t->at), deflated = scan_u32(t->at + 4), size = scan_u32(t->at + 8);
  if (size > t->left - 12 || n > MAX_NUMBERS || n / MOST_DEFLATED > size) return NULL;
  t->at = bytes + size;
  t->left -= 12 + (size_t)size;
  *count = n;
  if (!deflated) return size / width >= n ? bytes : NULL;
  *made = mem_alloc_array(n, width);
  return *made && inflate_exactly(*made, n * width, bytes, size) ? *made : NULL;
}

scan scan_near(scan t) { return (scan){t.at, t.left < NEAR ? t.left : NEAR}; }

const char *scan_text_array(scan t) {
  t = scan_near(t);
  return scan_next(&t, "a:") ? (const char *)t.at : NULL; /* the file ends in a zero */
}
