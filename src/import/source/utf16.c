#include "import/source/utf16.h"

#include "base/memory/memory.h"

#include <stdint.h>

typedef struct reader {
  const unsigned char *at, *end;
  bool big;
} reader;

static uint32_t peek(const reader *r) {
  return r->end - r->at < 2 ? 0 : (uint32_t)(r->big ? r->at[0] << 8 | r->at[1] : r->at[1] << 8 | r->at[0]);
}

static uint32_t next_letter(reader *r) {
  uint32_t first = peek(r);
  r->at += 2;
  if (first < 0xD800 || first > 0xDFFF) return first;
  uint32_t second = peek(r);
  if (first > 0xDBFF || second < 0xDC00 || second > 0xDFFF) return 0xFFFD;
  r->at += 2;
  return 0x10000 + ((first - 0xD800) << 10 | (second - 0xDC00));
}

static unsigned char *write_letter(unsigned char *to, uint32_t c) {
  if (c < 0x80) {
    *to++ = (unsigned char)c;
    return to;
  }
  int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  *to++ = (unsigned char)((0xF00u >> (more + 1) & 0xFF) | c >> 6 * more);
  while (more-- > 0) *to++ = (unsigned char)(0x80 | (c >> 6 * more & 0x3F));
  return to;
}

/* Binary formats begin with letters, and no text begins with a zero. */
static bool is_utf16(const unsigned char *d, size_t size, bool *big, size_t *mark) {
  if (size < 4) return false;
  bool little_mark = d[0] == 0xFF && d[1] == 0xFE && d[3] == 0, big_mark = d[0] == 0xFE && d[1] == 0xFF && d[2] == 0;
  *mark = little_mark || big_mark ? 2 : 0;
  *big = big_mark || (d[0] == 0 && d[1] == '<' && d[2] == 0);
  return *mark > 0 || *big || (d[0] == '<' && d[1] == 0 && d[3] == 0);
}

bool utf16_is(const unsigned char *data, size_t size) {
  bool big;
  size_t mark;
  return is_utf16(data, size, &big, &mark);
}

bool utf16_to_utf8(const unsigned char *data, size_t data_size, unsigned char **text, size_t *size) {
  size_t mark;
  reader r = {.end = data + data_size};
  *text = NULL;
  if (!is_utf16(data, data_size, &r.big, &mark)) return true;
  unsigned char *to = *text = mem_alloc_array(data_size / 2 + 1, 3);
  if (!to) return false;
  for (r.at = data + mark; r.end - r.at >= 2;) to = write_letter(to, next_letter(&r));
  *to = '\0';
  *size = (size_t)(to - *text);
  return true;
}
