#include "import/raw/scan.h"

#include <string.h>

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
