#include "import/source/ktx2/ktx2.h"
#include "import/raw/raw.h"

#include <string.h>

enum {
  HEADER = 80,
  LEVEL = 24,
  ETC1S = 163,
  UASTC = 166,
  SCHEME_NONE = 0,
  SCHEME_BASIS_LZ = 1,
  SCHEME_ZSTD = 2,
  ALPHA = 15
};
static const char broken[] = "is a broken KTX2 file";

static uint32_t u32(const uint8_t *at) {
  return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint64_t u64(const uint8_t *at) { return u32(at) | (uint64_t)u32(at + 4) << 32; }

bool ktx2_is(const void *data, size_t size) {
  static const unsigned char magic[12] = {0xAB, 'K', 'T', 'X', ' ', '2', '0', 0xBB, '\r', '\n', 0x1A, '\n'};
  return size >= sizeof magic && memcmp(data, magic, sizeof magic) == 0;
}

static bool part(ktx2_bytes file, uint64_t offset, uint64_t size, ktx2_bytes *out) {
  if (offset > file.size || size > file.size - offset) return false;
  *out = (ktx2_bytes){file.data + offset, (size_t)size};
  return true;
}

typedef struct container {
  uint32_t width, height, depth, layers, faces, scheme;
  int model;
  bool second_is_alpha;
  ktx2_bytes global, level;
} container;

/* The data format descriptor: after its own size and a block's head of 24 bytes come samples of 16 bytes. */
static bool read_format(ktx2_bytes format, container *c) {
  enum { MODEL = 12, FIRST_SAMPLE = 28, SAMPLE = 16, CHANNEL = 3 };
  if (format.size < FIRST_SAMPLE + SAMPLE) return false;
  c->model = format.data[MODEL];
  const uint8_t *second = format.data + FIRST_SAMPLE + SAMPLE;
  c->second_is_alpha = format.size >= FIRST_SAMPLE + 2 * SAMPLE && (second[CHANNEL] & 15) == ALPHA;
  return true;
}

static bool read_container(const void *data, size_t size, container *c) {
  const ktx2_bytes file = {data, size};
  const uint8_t *head = data;
  ktx2_bytes format;
  if (size < HEADER + LEVEL) return false;
  *c = (container){u32(head + 20),
                   u32(head + 24),
                   u32(head + 28),
                   u32(head + 32),
                   u32(head + 36),
                   u32(head + 44),
                   0,
                   false,
                   {0},
                   {0}};
  return part(file, u32(head + 48), u32(head + 52), &format) && read_format(format, c) &&
         part(file, u64(head + 64), u64(head + 72), &c->global) &&
         part(file, u64(head + HEADER), u64(head + HEADER + 8), &c->level);
}

static const char *refuse(const container *c) {
  if (c->depth > 0 || c->layers > 1 || c->faces != 1) return "is not a two-dimensional picture";
  if (c->model != ETC1S && c->model != UASTC) return "is in KTX2, but not in Basis Universal";
  bool known = c->model == ETC1S ? c->scheme == SCHEME_BASIS_LZ : c->scheme == SCHEME_NONE || c->scheme == SCHEME_ZSTD;
  return known ? NULL : "is compressed once more, and not by zstd";
}

const char *ktx2_size(const void *data, size_t size, int *width, int *height) {
  container c;
  if (!read_container(data, size, &c) || c.width == 0 || c.width > 1 << 16 || c.height == 0 || c.height > 1 << 16)
    return broken;
  *width = (int)c.width;
  *height = (int)c.height;
  return refuse(&c);
}

static const char *decode_zstd(ktx2_bytes level, const ktx2_target *to) {
  size_t size = ((size_t)to->width + 3) / 4 * (((size_t)to->height + 3) / 4) * 16;
  uint8_t *blocks = zstd_decode(level, size);
  if (!blocks) return "is broken (zstd)";
  const char *why = uastc_decode((ktx2_bytes){blocks, size}, to);
  raw_loose_free(blocks);
  return why;
}

const char *ktx2_decode(const void *data, size_t size, int width, int height, uint8_t *rgba) {
  container c;
  const ktx2_target to = {rgba, width, height};
  if (!read_container(data, size, &c) || c.width != (uint32_t)width || c.height != (uint32_t)height) return broken;
  const char *why = refuse(&c);
  if (why) return why;
  if (c.model == ETC1S) return etc1s_decode(c.global, c.level, c.second_is_alpha, &to);
  return c.scheme == SCHEME_ZSTD ? decode_zstd(c.level, &to) : uastc_decode(c.level, &to);
}
