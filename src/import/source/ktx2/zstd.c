/* Zstandard (RFC 8878): frames without a dictionary, into memory of a known size. */
#include "import/raw/raw.h"
#include "import/source/ktx2/ktx2.h"

#include <stddef.h>
#include <string.h>

enum { FSE_MOST = 1 << 9, HUFFMAN_MOST_BITS = 11, BLOCK_MOST = 1 << 17 };

/* Reads bits from the end of its bytes to their beginning, the highest first. `left` is below 0 once it is past that,
 * where bits are 0. */
typedef struct backwards {
  const uint8_t *data;
  int64_t left;
} backwards;

/* The states of a finite state entropy code. */
typedef struct fse {
  uint8_t symbols[FSE_MOST], bits[FSE_MOST];
  uint16_t bases[FSE_MOST];
  int log; /* of the number of states; −1: there is none yet */
} fse;

typedef struct huffman_table {
  uint8_t symbols[1 << HUFFMAN_MOST_BITS], bits[1 << HUFFMAN_MOST_BITS];
  int log; /* 0: there is none yet */
} huffman_table;

typedef struct zstd {
  uint8_t *out;
  size_t size, done;
  huffman_table literals_code;
  fse codes[3]; /* of literal lengths, offsets, match lengths */
  uint32_t recent[3];
  size_t literal_count;
  uint8_t literals[BLOCK_MOST];
} zstd;

static int highest_bit(uint32_t value) {
  int bit = -1;
  for (; value; value >>= 1) bit++;
  return bit;
}

/* ---- backwards ---- */

/* The last byte's highest bit marks the end. */
static bool open_backwards(backwards *b, ktx2_bytes from) {
  if (from.size == 0 || from.data[from.size - 1] == 0) return false;
  *b = (backwards){from.data, (int64_t)(from.size - 1) * 8 + highest_bit(from.data[from.size - 1])};
  return true;
}

static uint32_t peek_back(const backwards *b, int count) {
  uint32_t value = 0;
  for (int i = 0; i < count; i++) {
    int64_t at = b->left - 1 - i;
    value = value << 1 | (at >= 0 ? (uint32_t)b->data[at / 8] >> (at % 8) & 1u : 0);
  }
  return value;
}

static uint32_t take_back(backwards *b, int count) {
  uint32_t value = peek_back(b, count);
  b->left -= count;
  return value;
}

/* ---- finite state entropy ---- */

static bool build_fse(fse *f, const int16_t *shares, int count, int log) {
  int size = 1 << log, high = size, at = 0, step = (size >> 1) + (size >> 3) + 3;
  uint16_t next[256];
  f->log = log;
  for (int s = 0; s < count; s++) {
    next[s] = (uint16_t)(shares[s] < 0 ? 1 : shares[s]);
    if (shares[s] < 0) f->symbols[--high] = (uint8_t)s;
  }
  for (int s = 0; s < count; s++)
    for (int i = 0; i < shares[s]; i++) {
      f->symbols[at] = (uint8_t)s;
      do at = (at + step) & (size - 1);
      while (at >= high);
    }
  for (int i = 0; i < size; i++) {
    int state = next[f->symbols[i]]++;
    f->bits[i] = (uint8_t)(log - highest_bit((uint32_t)state));
    f->bases[i] = (uint16_t)((state << f->bits[i]) - size);
  }
  return at == 0;
}

/* Returns the number of bytes read; 0 if they are broken. */
static size_t read_fse(fse *f, ktx2_bytes from, int most_log, int most_symbols) {
  bit_reader r = {.from = from};
  int16_t shares[256] = {0};
  int log = 5 + (int)bits_take(&r, 4), left = 1 << log, count = 0;
  if (log > most_log) return 0;
  while (left > 0 && count < most_symbols && !r.broken) {
    int bits = highest_bit((uint32_t)left + 1) + 1, low = (1 << (bits - 1)) - 1, threshold = (1 << bits) - 2 - left;
    int value = (int)bits_take(&r, bits - 1);
    if (value >= threshold) {
      value |= (int)bits_take(&r, 1) << (bits - 1);
      if (value > low) value -= threshold;
    }
    shares[count] = (int16_t)(value - 1);
    left -= value == 0 ? 1 : value - 1;
    count++;
    for (int zeros = value == 1 ? 3 : 0; zeros == 3;) {
      zeros = (int)bits_take(&r, 2);
      count += zeros;
    }
    if (count > most_symbols) return 0;
  }
  if (left != 0 || r.broken || !build_fse(f, shares, count, log)) return 0;
  return (r.at + 7) / 8;
}

static int step_fse(const fse *f, int state, backwards *b) {
  return f->bases[state] + (int)take_back(b, f->bits[state]);
}

/* ---- literals ---- */

/* Two states take turns until the bits end. */
static int read_packed_weights(ktx2_bytes from, uint8_t weights[255]) {
  fse code;
  backwards b;
  size_t head = read_fse(&code, from, 6, 12);
  int count = 0;
  if (head == 0 || !open_backwards(&b, (ktx2_bytes){from.data + head, from.size - head})) return 0;
  int states[2];
  for (int i = 0; i < 2; i++) states[i] = (int)take_back(&b, code.log);
  for (int turn = 0; count < 254 && b.left >= 0; turn ^= 1) {
    weights[count++] = code.symbols[states[turn]];
    states[turn] = step_fse(&code, states[turn], &b);
    if (b.left >= 0) continue;
    weights[count++] = code.symbols[states[turn ^ 1]];
  }
  return count;
}

static bool build_huffman(huffman_table *h, uint8_t *weights, int count) {
  uint32_t sum = 0, at = 0;
  for (int i = 0; i < count; i++) {
    if (weights[i] > HUFFMAN_MOST_BITS) return false;
    sum += weights[i] ? 1u << (weights[i] - 1) : 0;
  }
  int log = highest_bit(sum) + 1;
  uint32_t rest = (1u << log) - sum;
  if (sum == 0 || log > HUFFMAN_MOST_BITS || (rest & (rest - 1))) return false;
  weights[count++] = (uint8_t)(highest_bit(rest) + 1); /* the last one completes the code */
  for (int weight = 1; weight <= log; weight++)
    for (int s = 0; s < count; s++) {
      if (weights[s] != weight) continue;
      memset(h->symbols + at, s, (size_t)1 << (weight - 1));
      memset(h->bits + at, log + 1 - weight, (size_t)1 << (weight - 1));
      at += 1u << (weight - 1);
    }
  h->log = log;
  return true;
}

/* Returns the number of bytes read; 0 if they are broken. */
static size_t read_huffman(huffman_table *h, ktx2_bytes from) {
  uint8_t weights[256];
  if (from.size < 2) return 0;
  int head = from.data[0], count = head < 128 ? 0 : head - 127;
  size_t size = head < 128 ? (size_t)head : ((size_t)count + 1) / 2;
  if (size > from.size - 1) return 0;
  if (head < 128) count = read_packed_weights((ktx2_bytes){from.data + 1, size}, weights);
  else
    for (int i = 0; i < count; i++) weights[i] = from.data[1 + i / 2] >> (i % 2 ? 0 : 4) & 15;
  return count > 0 && build_huffman(h, weights, count) ? 1 + size : 0;
}

static bool read_stream(const huffman_table *h, ktx2_bytes from, uint8_t *to, size_t count) {
  backwards b;
  if (!open_backwards(&b, from)) return false;
  for (size_t i = 0; i < count && b.left >= 0; i++) {
    uint32_t at = peek_back(&b, h->log);
    to[i] = h->symbols[at];
    b.left -= h->bits[at];
  }
  return b.left == 0;
}

/* Four streams begin with the sizes of the first three. */
static bool read_streams(zstd *z, ktx2_bytes from, bool four) {
  if (!four) return read_stream(&z->literals_code, from, z->literals, z->literal_count);
  size_t part = (z->literal_count + 3) / 4, at = 6;
  if (from.size < 6 || 3 * part > z->literal_count) return false;
  for (size_t i = 0; i < 4; i++) {
    size_t size = i < 3 ? from.data[2 * i] | (size_t)from.data[2 * i + 1] << 8 : from.size - at;
    if (size > from.size - at) return false;
    if (!read_stream(&z->literals_code, (ktx2_bytes){from.data + at, size}, z->literals + i * part,
                     i < 3 ? part : z->literal_count - 3 * part))
      return false;
    at += size;
  }
  return true;
}

enum { LITERALS_RAW, LITERALS_ONE, LITERALS_PACKED, LITERALS_SAME_CODE };

static size_t read_packed_literals(zstd *z, ktx2_bytes from, int type) {
  int format = from.data[0] >> 2 & 3, bits = format < 2 ? 10 : format == 2 ? 14 : 18;
  bit_reader r = {.from = from, .at = 4};
  z->literal_count = bits_take(&r, bits);
  size_t size = bits_take(&r, bits), head = r.at / 8, code = 0;
  if (r.broken || z->literal_count > BLOCK_MOST || size > from.size - head) return 0;
  ktx2_bytes rest = {from.data + head, size};
  if (type == LITERALS_PACKED && (code = read_huffman(&z->literals_code, rest)) == 0) return 0;
  if (z->literals_code.log == 0) return 0;
  rest = (ktx2_bytes){rest.data + code, rest.size - code};
  return read_streams(z, rest, format != 0) ? head + size : 0;
}

/* Returns the number of bytes read; 0 if they are broken. */
static size_t read_literals(zstd *z, ktx2_bytes from) {
  if (from.size == 0) return 0;
  int type = from.data[0] & 3, format = from.data[0] >> 2 & 3;
  if (type >= LITERALS_PACKED) return read_packed_literals(z, from, type);
  bit_reader r = {.from = from, .at = format & 1 ? 4 : 3};
  z->literal_count = bits_take(&r, format & 1 ? format == 1 ? 12 : 20 : 5);
  size_t head = r.at / 8, size = type == LITERALS_ONE ? 1 : z->literal_count;
  if (r.broken || z->literal_count > BLOCK_MOST || size > from.size - head) return 0;
  if (type == LITERALS_RAW) memcpy(z->literals, from.data + head, size);
  else memset(z->literals, from.data[head], z->literal_count);
  return head + size;
}

/* ---- sequences ---- */

enum { LITERAL_LENGTHS, OFFSETS, MATCH_LENGTHS };

static const int16_t usual_literal_lengths[36] = {4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1,  1,  2,  2,
                                                  2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1};
static const int16_t usual_offsets[29] = {1, 1, 1, 1, 1, 1, 2, 2, 2, 1,  1,  1,  1,  1, 1,
                                          1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1};
static const int16_t usual_match_lengths[53] = {1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1,  1,  1,  1,  1,  1,  1, 1,
                                                1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,  1,  1,  1,  1,  1,  1, 1,
                                                1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1};

static const struct {
  const int16_t *usual;
  int count, usual_log, most_log;
} kinds[3] = {{usual_literal_lengths, 36, 6, 9}, {usual_offsets, 29, 5, 8}, {usual_match_lengths, 53, 6, 9}};

enum { CODE_USUAL, CODE_ONE, CODE_OWN, CODE_SAME };

/* False if it is broken; *at is advanced. */
static bool read_code(zstd *z, int kind, int way, ktx2_bytes from, size_t *at) {
  fse *code = z->codes + kind;
  if (way == CODE_SAME) return code->log >= 0;
  if (way == CODE_USUAL) return build_fse(code, kinds[kind].usual, kinds[kind].count, kinds[kind].usual_log);
  if (way == CODE_ONE) {
    if (*at >= from.size) return false;
    *code = (fse){.symbols = {from.data[(*at)++]}};
    return code->symbols[0] < (kind == OFFSETS ? 32 : kinds[kind].count);
  }
  size_t size = read_fse(code, (ktx2_bytes){from.data + *at, from.size - *at}, kinds[kind].most_log,
                         kind == OFFSETS ? 32 : kinds[kind].count);
  *at += size;
  return size > 0;
}

/* A length by its code: the first ones are themselves, the others a base and more bits. */
static uint32_t length_of(int kind, int code, backwards *b) {
  static const uint8_t literal_bits[20] = {1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  static const uint8_t match_bits[21] = {1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  int plain = kind == LITERAL_LENGTHS ? 16 : 32;
  const uint8_t *bits = kind == LITERAL_LENGTHS ? literal_bits : match_bits;
  uint32_t base = kind == LITERAL_LENGTHS ? 0 : 3;
  if (code < plain) return base + (uint32_t)code;
  base += (uint32_t)plain;
  for (int i = 0; i < code - plain; i++) base += 1u << bits[i];
  return base + take_back(b, bits[code - plain]);
}

/* The last three offsets have numbers of their own, which mean others after no literals. */
static uint32_t find_offset(zstd *z, uint32_t value, bool has_literals) {
  uint32_t *recent = z->recent, index = value - 1 + !has_literals;
  if (value > 3) index = 3;
  uint32_t offset = value > 3 ? value - 3 : index < 3 ? recent[index] : recent[0] - 1;
  if (index > 1) recent[2] = recent[1];
  if (index > 0) recent[1] = recent[0];
  recent[0] = offset;
  return offset;
}

static bool copy_literals(zstd *z, size_t *used, size_t count) {
  if (count > z->literal_count - *used || count > z->size - z->done) return false;
  memcpy(z->out + z->done, z->literals + *used, count);
  *used += count;
  z->done += count;
  return true;
}

static bool copy_match(zstd *z, uint32_t offset, uint32_t length) {
  if (offset == 0 || offset > z->done || length > z->size - z->done) return false;
  for (uint32_t i = 0; i < length; i++, z->done++) z->out[z->done] = z->out[z->done - offset];
  return true;
}

static bool run_sequences(zstd *z, ktx2_bytes from, int count, size_t *used) {
  backwards b;
  int states[3];
  if (!open_backwards(&b, from)) return false;
  for (int i = 0; i < 3; i++) states[i] = (int)take_back(&b, z->codes[i].log);
  for (int i = 0; i < count && b.left >= 0; i++) {
    int code = z->codes[OFFSETS].symbols[states[OFFSETS]];
    uint32_t value = (uint32_t)(((uint64_t)1 << code) + take_back(&b, code));
    uint32_t match = length_of(MATCH_LENGTHS, z->codes[MATCH_LENGTHS].symbols[states[MATCH_LENGTHS]], &b);
    uint32_t literals = length_of(LITERAL_LENGTHS, z->codes[LITERAL_LENGTHS].symbols[states[LITERAL_LENGTHS]], &b);
    if (!copy_literals(z, used, literals) || !copy_match(z, find_offset(z, value, literals > 0), match)) return false;
    static const int order[3] = {LITERAL_LENGTHS, MATCH_LENGTHS, OFFSETS};
    for (int k = 0; k < 3 && i + 1 < count; k++) states[order[k]] = step_fse(z->codes + order[k], states[order[k]], &b);
  }
  return b.left == 0;
}

static bool read_block(zstd *z, ktx2_bytes from) {
  size_t at = read_literals(z, from), used = 0;
  if (at == 0 || at >= from.size) return false;
  const uint8_t *head = from.data + at;
  int count = head[0], size = count == 0 ? 1 : count < 128 ? 2 : count < 255 ? 3 : 4;
  if ((size_t)size > from.size - at) return false;
  if (size == 3) count = (head[0] - 128) << 8 | head[1];
  if (size == 4) count = (head[1] | head[2] << 8) + 0x7F00;
  at += (size_t)size;
  if (count > 0) {
    for (int kind = 0; kind < 3; kind++)
      if (!read_code(z, kind, head[size - 1] >> (6 - 2 * kind) & 3, from, &at)) return false;
    if (!run_sequences(z, (ktx2_bytes){from.data + at, from.size - at}, count, &used)) return false;
  }
  return copy_literals(z, &used, z->literal_count - used);
}

/* ---- frames ---- */

/* The size of the frame's head, or 0 if it is broken or needs a dictionary. */
static size_t read_head(ktx2_bytes from) {
  if (from.size < 6 || memcmp(from.data, "\x28\xB5\x2F\xFD", 4) != 0) return 0;
  int flags = from.data[4], single = flags >> 5 & 1, known = flags >> 6;
  if (flags & 3 || flags & 8) return 0;
  size_t content = known == 0 ? (size_t)single : (size_t)1 << known;
  return 5 + (single ? 0u : 1u) + content;
}

static bool take_block(zstd *z, uint32_t type, size_t size, ktx2_bytes stored) {
  enum { RAW, ONE, PACKED };
  if (type == PACKED) return read_block(z, stored);
  if (type > PACKED || size > z->size - z->done) return false;
  if (type == RAW) memcpy(z->out + z->done, stored.data, size);
  else memset(z->out + z->done, stored.data[0], size);
  z->done += size;
  return true;
}

static bool read_blocks(zstd *z, ktx2_bytes from, size_t at) {
  for (bool last = false; !last;) {
    if (at > from.size || from.size - at < 3) return false;
    uint32_t head = from.data[at] | (uint32_t)from.data[at + 1] << 8 | (uint32_t)from.data[at + 2] << 16;
    size_t size = head >> 3, stored = (head >> 1 & 3) == 1 ? 1 : size;
    at += 3;
    last = head & 1;
    if (stored > from.size - at) return false;
    if (!take_block(z, head >> 1 & 3, size, (ktx2_bytes){from.data + at, stored})) return false;
    at += stored;
  }
  return z->done == z->size;
}

uint8_t *zstd_decode(ktx2_bytes from, size_t size) {
  size_t head = read_head(from);
  zstd *z = raw_loose_resize(NULL, sizeof *z);
  uint8_t *out = z ? raw_loose_resize(NULL, size + 1) : NULL;
  bool fine = out && head > 0;
  if (fine) {
    memset(z, 0, offsetof(zstd, literals));
    z->out = out;
    z->size = size;
    for (int i = 0; i < 3; i++) z->codes[i].log = -1;
    z->recent[0] = 1, z->recent[1] = 4, z->recent[2] = 8;
    fine = read_blocks(z, from, head);
  }
  if (z) raw_loose_free(z);
  if (out && !fine) raw_loose_free(out);
  return fine ? out : NULL;
}
