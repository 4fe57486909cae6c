#include "import/raw/raw.h"
#include "import/source/ktx2/ktx2.h"

#include <string.h>

uint32_t bits_take(bit_reader *r, int count) {
  uint32_t value = 0;
  for (int got = 0; got < count;) {
    size_t byte = r->at / 8;
    int first = (int)(r->at % 8), more = 8 - first < count - got ? 8 - first : count - got;
    r->broken = r->broken || byte >= r->from.size;
    uint32_t bits = r->broken ? 0 : (uint32_t)r->from.data[byte] >> first & ((1u << more) - 1);
    value |= bits << got;
    got += more;
    r->at += (size_t)more;
  }
  return value;
}

/* ---- Huffman ---- */

void huffman_free(huffman *h) {
  if (h->symbols) raw_loose_free(h->symbols);
  *h = (huffman){0};
}

/* A code with more words than fit is broken; one with fewer is not, because a table may have a single symbol. */
static bool has_room(const huffman *h) {
  int left = 1;
  for (int length = 1; length <= 16; length++)
    if ((left = 2 * left - h->counts[length]) < 0) return false;
  return true;
}

static void build(huffman *h, const uint8_t *lengths, int count, bit_reader *r) {
  int next[17] = {0};
  for (int i = 0; i < count; i++) h->counts[lengths[i]]++;
  h->counts[0] = 0;
  h->symbols = raw_loose_resize(NULL, (size_t)count * sizeof *h->symbols + 1);
  r->broken = r->broken || !h->symbols || !has_room(h);
  if (r->broken) return;
  for (int length = 1; length < 16; length++) next[length + 1] = next[length] + h->counts[length];
  for (int i = 0; i < count; i++)
    if (lengths[i]) h->symbols[next[lengths[i]]++] = (uint16_t)i;
}

int huffman_take(const huffman *h, bit_reader *r) {
  int code = 0, first = 0, index = 0;
  for (int length = 1; length <= 16 && !r->broken; length++) {
    code |= (int)bits_take(r, 1);
    if (code - first < h->counts[length]) return h->symbols[index + code - first];
    index += h->counts[length];
    first = 2 * (first + h->counts[length]);
    code *= 2;
  }
  r->broken = true;
  return 0;
}

/* Symbols up to 16 are lengths, the others repeat: zeros, or the length before. */
static void read_lengths(const huffman *code, bit_reader *r, uint8_t *lengths, int count) {
  static const struct { int bits, least; } runs[] = {{3, 3}, {7, 11}, {2, 3}, {7, 7}};
  for (int i = 0; i < count && !r->broken;) {
    int symbol = huffman_take(code, r);
    if (symbol <= 16) {
      lengths[i++] = (uint8_t)symbol;
      continue;
    }
    int run = runs[symbol - 17].least + (int)bits_take(r, runs[symbol - 17].bits);
    bool repeats = symbol >= 19;
    r->broken = r->broken || run > count - i || (repeats && (i == 0 || lengths[i - 1] == 0));
    if (r->broken) return;
    memset(lengths + i, repeats ? lengths[i - 1] : 0, (size_t)run);
    i += run;
  }
}

void huffman_read(huffman *h, bit_reader *r) {
  enum { LENGTH_CODES = 21, MOST = 1 << 14 };
  static const uint8_t order[LENGTH_CODES] = {17, 18, 19, 20, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15, 16};
  uint8_t of_lengths[LENGTH_CODES] = {0}, lengths[MOST] = {0};
  huffman code = {0};
  int count = (int)bits_take(r, 14), codes = (int)bits_take(r, 5);
  *h = (huffman){0};
  r->broken = r->broken || codes > LENGTH_CODES;
  if (r->broken || count == 0) return;
  for (int i = 0; i < codes; i++) of_lengths[order[i]] = (uint8_t)bits_take(r, 3);
  build(&code, of_lengths, LENGTH_CODES, r);
  read_lengths(&code, r, lengths, count);
  huffman_free(&code);
  build(h, lengths, count, r);
}
