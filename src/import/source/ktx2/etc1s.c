/* BasisLZ with ETC1S: codebooks of colours and of patterns, and for each block of 4 × 4 texels an index into both. */
#include "import/raw/raw.h"
#include "import/source/ktx2/ktx2.h"

#include <string.h>

typedef struct endpoint {
  uint8_t color[3], table; /* 5 bits; the index of a table of differences */
} endpoint;

typedef struct codebooks {
  endpoint *endpoints;
  uint32_t *selectors; /* 2 bits for each texel, the first in the lowest */
  int endpoint_count, selector_count, history_size;
  huffman predictions, deltas, selector_codes, runs;
} codebooks;

static const char broken[] = "is broken (BasisLZ)";

/* ---- codebooks ---- */

static void read_endpoints(codebooks *b, bit_reader *r) {
  huffman colors[3], tables;
  for (int i = 0; i < 3; i++) huffman_read(colors + i, r);
  huffman_read(&tables, r);
  int channels = bits_take(r, 1) ? 1 : 3;
  endpoint last = {{16, 16, 16}, 0};
  for (int i = 0; i < b->endpoint_count && !r->broken; i++) {
    last.table = (uint8_t)((last.table + huffman_take(&tables, r)) & 7);
    for (int c = 0; c < channels; c++) {
      int range = last.color[c] < 10 ? 0 : last.color[c] < 22 ? 1 : 2;
      last.color[c] = (uint8_t)((last.color[c] + huffman_take(colors + range, r)) & 31);
    }
    if (channels == 1) last.color[1] = last.color[2] = last.color[0];
    b->endpoints[i] = last;
  }
  for (int i = 0; i < 3; i++) huffman_free(colors + i);
  huffman_free(&tables);
}

static void read_selectors(codebooks *b, bit_reader *r) {
  huffman deltas = {0};
  r->broken = r->broken || bits_take(r, 2) != 0;
  bool plain = bits_take(r, 1);
  if (!plain) huffman_read(&deltas, r);
  for (int i = 0; i < b->selector_count && !r->broken; i++) {
    uint32_t before = i > 0 ? b->selectors[i - 1] : 0, now = 0;
    for (int row = 0; row < 32; row += 8)
      now |= (plain || i == 0 ? bits_take(r, 8) : ((uint32_t)huffman_take(&deltas, r) ^ before >> row) & 255) << row;
    b->selectors[i] = now;
  }
  huffman_free(&deltas);
}

static void read_codes(codebooks *b, bit_reader *r) {
  huffman_read(&b->predictions, r);
  huffman_read(&b->deltas, r);
  huffman_read(&b->selector_codes, r);
  huffman_read(&b->runs, r);
  b->history_size = (int)bits_take(r, 13);
}

static void free_codebooks(codebooks *b) {
  huffman *codes[] = {&b->predictions, &b->deltas, &b->selector_codes, &b->runs};
  for (int i = 0; i < 4; i++) huffman_free(codes[i]);
  if (b->endpoints) raw_loose_free(b->endpoints);
  if (b->selectors) raw_loose_free(b->selectors);
}

/* ---- a slice ---- */

/* The last patterns; those that are used again move to the front. */
typedef struct history {
  int *items;
  int size, next;
} history;

static void remember(history *h, int selector) {
  if (h->size == 0) return;
  h->items[h->next++] = selector;
  if (h->next == h->size) h->next = h->size / 2;
}

static int recall(history *h, int index, bit_reader *r) {
  if (index >= h->size) {
    r->broken = true;
    return 0;
  }
  int found = h->items[index];
  h->items[index] = h->items[index / 2];
  h->items[index / 2] = found;
  return found;
}

typedef struct slice {
  const codebooks *books;
  bit_reader r;
  int columns, rows;
  int *above;            /* the endpoints of the row above, up to this block those of this row */
  uint8_t *below;        /* predictions for the next row, of pairs of blocks */
  int prediction, again; /* of four blocks; for how many more it holds */
  int endpoint, upper_left;
  int selector_run;
  history history;
} slice;

static uint32_t take_chunks(bit_reader *r, int bits) {
  uint32_t value = 0;
  for (int at = 0; at < 32; at += bits) {
    uint32_t chunk = bits_take(r, bits + 1);
    value |= (chunk & ((1u << bits) - 1)) << at;
    if (!(chunk >> bits)) return value;
  }
  r->broken = true;
  return 0;
}

/* Two bits for each block of a square of 2 × 2. */
static int square_prediction(slice *s) {
  enum { REPEAT = 256, LEAST = 3 };
  if (s->again > 0) {
    s->again--;
    return s->prediction;
  }
  int symbol = huffman_take(&s->books->predictions, &s->r);
  if (symbol > REPEAT) s->r.broken = true;
  else if (symbol < REPEAT) s->prediction = symbol;
  else s->again = (int)(take_chunks(&s->r, 4) & INT32_MAX >> 1) + LEAST - 1;
  return s->prediction;
}

static int find_endpoint(slice *s, int prediction, int x, int y) {
  enum { LEFT, ABOVE, UPPER_LEFT };
  if ((prediction == LEFT && x == 0) || (prediction == ABOVE && y == 0) || (prediction == UPPER_LEFT && !(x && y)))
    s->r.broken = true;
  if (prediction == LEFT) return s->endpoint;
  if (prediction == ABOVE) return s->above[x];
  if (prediction == UPPER_LEFT) return s->upper_left;
  int index = s->endpoint + huffman_take(&s->books->deltas, &s->r);
  return index >= s->books->endpoint_count ? index - s->books->endpoint_count : index;
}

static int find_selector(slice *s) {
  enum { LONGEST = 63, LEAST = 3 };
  const int count = s->books->selector_count;
  int symbol = count;
  if (s->selector_run > 0) {
    s->selector_run--;
  } else if ((symbol = huffman_take(&s->books->selector_codes, &s->r)) == count + s->history.size) {
    int run = huffman_take(&s->books->runs, &s->r);
    if (run == LONGEST) run = (int)(take_chunks(&s->r, 7) & INT32_MAX >> 1);
    s->selector_run = run + LEAST - 1;
    symbol = count;
  }
  if (symbol >= count) return recall(&s->history, symbol - count, &s->r);
  remember(&s->history, symbol);
  return symbol;
}

/* ---- texels ---- */

static uint8_t clamped(int value) { return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value); }

/* Alpha is the green of its slice. */
static void write_block(const ktx2_target *to, int column, int row, const endpoint *e, uint32_t selectors, bool alpha) {
  static const int tables[8][2] = {{2, 8}, {5, 17}, {9, 29}, {13, 42}, {18, 60}, {24, 80}, {33, 106}, {47, 183}};
  for (int i = 0; i < 16; i++, selectors >>= 2) {
    static const int signs[4] = {-1, -1, 1, 1}, large[4] = {1, 0, 0, 1};
    int x = 4 * column + i % 4, y = 4 * row + i / 4, s = selectors & 3;
    if (x >= to->width || y >= to->height) continue;
    uint8_t *texel = to->rgba + 4 * ((size_t)y * (size_t)to->width + (size_t)x), color[3];
    int difference = signs[s] * tables[e->table][large[s]];
    for (int c = 0; c < 3; c++) color[c] = clamped((e->color[c] << 3 | e->color[c] >> 2) + difference);
    if (alpha) texel[3] = color[1];
    else memcpy(texel, color, 3), texel[3] = 255;
  }
}

static void read_row(slice *s, int y, const ktx2_target *to, bool alpha) {
  int predictions = 0;
  for (int x = 0; x < s->columns && !s->r.broken; x++) {
    if (x % 2 == 0) {
      predictions = y % 2 == 0 ? square_prediction(s) : s->below[x / 2];
      if (y % 2 == 0) s->below[x / 2] = (uint8_t)(predictions >> 4);
    }
    int found = find_endpoint(s, predictions & 3, x, y), selector = find_selector(s);
    predictions >>= 2;
    s->r.broken = s->r.broken || found >= s->books->endpoint_count || selector >= s->books->selector_count;
    if (s->r.broken) return;
    s->upper_left = s->above[x];
    s->above[x] = s->endpoint = found;
    write_block(to, x, y, s->books->endpoints + found, s->books->selectors[selector], alpha);
  }
}

static bool read_slice(const codebooks *b, ktx2_bytes bytes, bool alpha, const ktx2_target *to) {
  slice s = {.books = b, .r = {.from = bytes}, .columns = (to->width + 3) / 4, .rows = (to->height + 3) / 4};
  s.history = (history){NULL, b->history_size, b->history_size / 2};
  size_t columns = (size_t)s.columns, size = (columns + (size_t)b->history_size) * sizeof *s.above + columns;
  s.above = raw_loose_resize(NULL, size);
  if (!s.above) return false;
  memset(s.above, 0, size);
  s.history.items = s.above + columns;
  s.below = (uint8_t *)(s.history.items + b->history_size);
  for (int y = 0; y < s.rows && !s.r.broken; y++) read_row(&s, y, to, alpha);
  raw_loose_free(s.above);
  return !s.r.broken;
}

/* ---- all ---- */

static uint32_t u32(const uint8_t *at) {
  return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Takes the next bytes of a section. */
static ktx2_bytes cut(ktx2_bytes *from, size_t size, bool *fits) {
  ktx2_bytes taken = {from->data, size};
  *fits = *fits && size <= from->size;
  if (!*fits) return (ktx2_bytes){0};
  from->data += size;
  from->size -= size;
  return taken;
}

/* The first image is that of the largest level; each has 20 bytes, and its slices are in its level. */
static bool read_all(codebooks *b, ktx2_bytes global, ktx2_bytes level, bool second_is_alpha, const ktx2_target *to) {
  enum { HEAD = 20, IMAGE = 20 };
  bool fits = global.size >= HEAD + IMAGE;
  if (!fits) return false;
  const uint8_t *head = global.data, *image = head + HEAD;
  size_t sizes[3] = {u32(head + 4), u32(head + 8), u32(head + 12)};
  size_t books = sizes[0] + sizes[1] + sizes[2] + u32(head + 16);
  b->endpoint_count = head[0] | head[1] << 8;
  b->selector_count = head[2] | head[3] << 8;
  if (books > global.size - HEAD - IMAGE) return false;
  cut(&global, global.size - books, &fits);
  bit_reader readers[3] = {{.broken = false}};
  for (int i = 0; i < 3; i++) readers[i].from = cut(&global, sizes[i], &fits);
  b->endpoints = raw_loose_resize(NULL, (size_t)b->endpoint_count * sizeof *b->endpoints + 1);
  b->selectors = raw_loose_resize(NULL, (size_t)b->selector_count * sizeof *b->selectors + 1);
  if (!fits || !b->endpoints || !b->selectors) return false;
  read_endpoints(b, readers);
  read_selectors(b, readers + 1);
  read_codes(b, readers + 2);
  if (readers[0].broken || readers[1].broken || readers[2].broken) return false;
  for (int i = 0; i <= (second_is_alpha && u32(image + 16) > 0); i++) {
    ktx2_bytes rest = level;
    cut(&rest, u32(image + 4 + 8 * i), &fits);
    ktx2_bytes bytes = cut(&rest, u32(image + 8 + 8 * i), &fits);
    if (!fits || !read_slice(b, bytes, i > 0, to)) return false;
  }
  return true;
}

const char *etc1s_decode(ktx2_bytes global, ktx2_bytes level, bool second_is_alpha, const ktx2_target *to) {
  codebooks b = {0};
  bool read = read_all(&b, global, level, second_is_alpha, to);
  free_codebooks(&b);
  return read ? NULL : broken;
}
