/* UASTC: blocks of 16 bytes with 4 × 4 texels each, a subset of ASTC with another packing, in 19 modes. The names of
 * fields are those of its specification. */
#include "import/source/ktx2/ktx2.h"

#include <string.h>

enum {
  MODES = 19,
  SOLID = 8,
  TWO_OF_THREE = 7,
  LUMINANCE = 15,
  LUMINANCE_END = 17,
  ALPHA_BEGIN = 9,
  DUAL_LUMINANCE = 17
};

/* How endpoints are stored: bits, and a digit of base 3 or 5 above them (1: none). */
typedef struct mode {
  uint8_t code, code_bits;
  uint8_t weight_bits, endpoint_bits, base, subsets, planes, components;
  bool has_more_hints; /* of BC1 and ETC1 */
} mode;

static const mode modes[MODES] = {
    {0x01, 4, 4, 6, 3, 1, 1, 3, true},  {0x35, 6, 2, 8, 1, 1, 1, 3, true},  {0x1D, 5, 3, 4, 1, 2, 1, 3, true},
    {0x03, 5, 2, 2, 3, 3, 1, 3, true},  {0x13, 5, 2, 3, 5, 2, 1, 3, true},  {0x0B, 5, 3, 8, 1, 1, 1, 3, true},
    {0x1B, 5, 2, 5, 5, 1, 2, 3, true},  {0x07, 5, 2, 3, 5, 2, 1, 3, true},  {0x17, 5, 0, 0, 1, 0, 0, 4, false},
    {0x0F, 5, 2, 4, 1, 2, 1, 4, true},  {0x02, 3, 4, 4, 3, 1, 1, 4, false}, {0x00, 2, 2, 4, 3, 1, 2, 4, false},
    {0x06, 3, 3, 6, 3, 1, 1, 4, false}, {0x1F, 5, 1, 8, 1, 1, 2, 4, true},  {0x0D, 5, 2, 8, 1, 1, 1, 4, true},
    {0x05, 7, 4, 8, 1, 1, 1, 2, true},  {0x15, 6, 2, 8, 1, 2, 1, 2, true},  {0x25, 6, 2, 8, 1, 1, 2, 2, true},
    {0x09, 4, 5, 5, 1, 1, 1, 3, true}};

/* Which subset each texel belongs to: two bits each, the first in the lowest. */
static const uint32_t patterns_of_two[] = {0x50505050, 0x40404040, 0x01010101, 0x54505040, 0x05151555, 0x55545450,
                                           0x00010515, 0x01051555, 0x50400000, 0x00000105, 0x55544000, 0x01155555,
                                           0x00000115, 0x00005555, 0x55555500, 0x00555555, 0x55551501, 0x40545555,
                                           0x00405054, 0x00004050, 0x15050100, 0x50545555, 0x15050501, 0x00404050,
                                           0x50545455, 0x14141414, 0x55000055, 0x11111111, 0x00550055, 0x05145041};
static const uint32_t patterns_of_three[] = {0xa5a50000, 0xaa005555, 0xaa000055, 0x0000aa55, 0x25252525, 0x94949494,
                                             0x58585858, 0x56560202, 0x92929292, 0x55aa0055, 0xa05050a0};
static const uint32_t patterns_two_of_three[] = {0x00005500, 0x10101010, 0x00010505, 0x50504000, 0x55005555,
                                                 0x04040404, 0x55555040, 0x50505054, 0x05500005, 0x00005454,
                                                 0x15150000, 0x05000005, 0x00005054, 0x55554000, 0x14555555,
                                                 0x01050505, 0x01015555, 0x01051450, 0x00005455};

typedef struct block {
  const mode *mode;
  int number;
  uint32_t pattern;
  int component;         /* with two planes, the one that has the second */
  uint8_t ends[3][4][2]; /* of the subsets' components */
  uint8_t weights[16][2];
} block;

static int find_mode(uint8_t byte) {
  for (int i = 0; i < MODES; i++)
    if ((byte & ((1 << modes[i].code_bits) - 1)) == modes[i].code) return i;
  return -1;
}

static bool read_pattern(block *b, bit_reader *r) {
  const struct {
    const uint32_t *patterns;
    size_t count;
  } lists[] = {{patterns_of_two, sizeof patterns_of_two / 4},
               {patterns_of_three, sizeof patterns_of_three / 4},
               {patterns_two_of_three, sizeof patterns_two_of_three / 4}};
  int list = b->number == TWO_OF_THREE ? 2 : b->mode->subsets == 3 ? 1 : 0;
  b->pattern = 0;
  if (b->mode->subsets == 1) return true;
  size_t index = bits_take(r, list == 1 ? 4 : 5);
  if (index >= lists[list].count) return false;
  b->pattern = lists[list].patterns[index];
  return true;
}

/* ---- endpoints ---- */

/* Undoes the quantization of a digit above some bits (Khronos Data Format 1.3, 23.13). `masks`: where each bit of the
 * value but its lowest is in B, which has nine bits. */
static int unquantize_digits(int base, int bits, int digit, int low) {
  static const struct {
    uint8_t base, bits, factor;
    uint16_t masks[5];
  } ranges[] = {{3, 2, 93, {0x116}},
                {3, 4, 22, {0x041, 0x082, 0x104}},
                {3, 6, 5, {0x010, 0x020, 0x040, 0x080, 0x101}},
                {5, 3, 26, {0x082, 0x105}},
                {5, 5, 6, {0x020, 0x040, 0x080, 0x101}}};
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
    if (ranges[i].base != base || ranges[i].bits != bits) continue;
    int a = low & 1 ? 0x1FF : 0, b = 0;
    for (int k = 1; k < bits; k++)
      if (low >> k & 1) b |= ranges[i].masks[k - 1];
    int value = (digit * ranges[i].factor + b) ^ a;
    return (a & 0x80) | value >> 2;
  }
  return 0;
}

/* Repeats the bits until there are eight. */
static int unquantize_bits(int bits, int low) {
  int value = low << (8 - bits);
  for (int have = bits; have < 8; have += bits) value |= value >> have;
  return value & 255;
}

/* Five digits of base 3 are in 8 bits, three of base 5 in 7; fewer in as many as they need. */
static void read_digits(bit_reader *r, int base, int count, int *digits) {
  static const uint8_t of_three[6] = {0, 2, 4, 5, 7, 8}, of_five[4] = {0, 3, 5, 7};
  int group = base == 3 ? 5 : 3;
  for (int i = 0; i < count; i += group) {
    int here = count - i < group ? count - i : group;
    int packed = (int)bits_take(r, base == 3 ? of_three[here] : of_five[here]);
    for (int k = 0; k < here; k++, packed /= base) digits[i + k] = packed % base;
  }
}

static void read_endpoints(block *b, bit_reader *r) {
  const mode *m = b->mode;
  int digits[18] = {0}, count = 2 * m->components * m->subsets;
  if (m->base > 1) read_digits(r, m->base, count, digits);
  for (int i = 0; i < count; i++) {
    int low = (int)bits_take(r, m->endpoint_bits);
    int value = m->base > 1 ? unquantize_digits(m->base, m->endpoint_bits, digits[i], low)
                            : unquantize_bits(m->endpoint_bits, low);
    b->ends[i / 2 / m->components][i / 2 % m->components][i % 2] = (uint8_t)value;
  }
}

/* ---- weights ---- */

/* To 0 .. 64. */
static int unquantize_weight(int bits, int weight) {
  int value = weight << (6 - bits);
  for (int have = bits; have < 6; have += bits) value |= value >> have;
  return value > 32 ? value + 1 : value;
}

/* The highest bit of a subset's first weight is 0, and not stored. */
static void read_weights(block *b, bit_reader *r) {
  bool begun[4] = {false};
  for (int i = 0; i < 16; i++) {
    int subset = b->pattern >> (2 * i) & 3;
    for (int plane = 0; plane < b->mode->planes; plane++) {
      int weight = (int)bits_take(r, b->mode->weight_bits - (begun[subset] ? 0 : 1));
      b->weights[i][plane] = (uint8_t)unquantize_weight(b->mode->weight_bits, weight);
    }
    begun[subset] = true;
  }
}

/* ---- texels ---- */

static uint8_t between(const uint8_t ends[2], int weight) {
  int low = ends[0] * 257, high = ends[1] * 257;
  return (uint8_t)(((low * (64 - weight) + high * weight + 32) >> 6) >> 8);
}

static void texel_of(const block *b, int i, uint8_t rgba[4]) {
  const mode *m = b->mode;
  int subset = b->pattern >> (2 * i) & 3;
  uint8_t values[4] = {0, 0, 0, 255};
  for (int c = 0; c < m->components; c++) {
    int plane = m->planes == 2 && c == b->component;
    values[c] = between(b->ends[subset][c], b->weights[i][plane]);
  }
  memcpy(rgba, values, 4);
  if (m->components == 2) memset(rgba, values[0], 3), rgba[3] = values[1];
}

static bool unpack(const uint8_t *bytes, uint8_t texels[16][4]) {
  bit_reader r = {.from = {bytes, 16}};
  block b = {.number = find_mode(bytes[0])};
  if (b.number < 0) return false;
  b.mode = modes + b.number;
  bits_take(&r, b.mode->code_bits);
  if (b.number == SOLID) {
    for (int c = 0; c < 4; c++) texels[0][c] = (uint8_t)bits_take(&r, 8);
    for (int i = 1; i < 16; i++) memcpy(texels[i], texels[0], 4);
    return true;
  }
  bool alpha = b.number >= ALPHA_BEGIN && b.number <= LUMINANCE_END;
  bits_take(&r, 9 + (b.mode->has_more_hints ? 6 : 0) + (alpha ? 8 : 0)); /* for transcoders */
  if (!read_pattern(&b, &r)) return false;
  b.component = b.number == DUAL_LUMINANCE ? 1 : b.mode->planes == 2 ? (int)bits_take(&r, 2) : 0;
  read_endpoints(&b, &r);
  read_weights(&b, &r);
  for (int i = 0; i < 16; i++) texel_of(&b, i, texels[i]);
  return true;
}

const char *uastc_decode(ktx2_bytes level, const ktx2_target *to) {
  size_t columns = ((size_t)to->width + 3) / 4, rows = ((size_t)to->height + 3) / 4;
  if (level.size / 16 / columns < rows) return "is broken (UASTC): it ends too early";
  for (size_t at = 0; at < columns * rows; at++) {
    uint8_t texels[16][4];
    if (!unpack(level.data + 16 * at, texels)) return "is broken (UASTC)";
    for (int i = 0; i < 16; i++) {
      int x = 4 * (int)(at % columns) + i % 4, y = 4 * (int)(at / columns) + i / 4;
      if (x >= to->width || y >= to->height) continue;
      memcpy(to->rgba + 4 * ((size_t)y * (size_t)to->width + (size_t)x), texels[i], 4);
    }
  }
  return NULL;
}
