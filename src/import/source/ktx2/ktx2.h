/* ktx2 – pictures in Khronos' container, as glTF files have them (KHR_texture_basisu): two-dimensional, in Basis
 * Universal, either ETC1S packed by BasisLZ (KTX 2.0, appendices A and B) or UASTC. The largest level is read. */
#ifndef SINEW_IMPORT_KTX2_H
#define SINEW_IMPORT_KTX2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool ktx2_is(const void *data, size_t size);
/* NULL, or why the picture cannot be read: the end of a sentence that begins with its name. */
const char *ktx2_size(const void *data, size_t size, int *width, int *height);
/* Decodes into width × height × 4 bytes, RGBA. NULL, or why that failed. */
const char *ktx2_decode(const void *data, size_t size, int width, int height, uint8_t *rgba);

/* ---- shared by the files of this folder ---- */

typedef struct ktx2_bytes {
  const uint8_t *data;
  size_t size;
} ktx2_bytes;

/* Reads bits, the lowest of a byte first. Past the end they are 0 and `broken` is set. */
typedef struct bit_reader {
  ktx2_bytes from;
  size_t at; /* in bits */
  bool broken;
} bit_reader;
uint32_t bits_take(bit_reader *r, int count); /* 0 .. 32 */

/* A canonical Huffman code, as in RFC 1951, with lengths of up to 16 bits. */
typedef struct huffman {
  uint16_t *symbols; /* in the order of their codes; raw_loose_free */
  int counts[17];    /* of the codes of each length */
} huffman;
/* Reads a table of BasisLZ. An empty one has no symbols. */
void huffman_read(huffman *h, bit_reader *r);
int huffman_take(const huffman *h, bit_reader *r);
void huffman_free(huffman *h);

/* Where the texels of a block of 4 × 4 go. */
typedef struct ktx2_target {
  uint8_t *rgba;
  int width, height;
} ktx2_target;

/* `global` and `level` as in the file; `second_is_alpha`: a second slice holds the alpha. */
const char *etc1s_decode(ktx2_bytes global, ktx2_bytes level, bool second_is_alpha, const ktx2_target *to);
const char *uastc_decode(ktx2_bytes level, const ktx2_target *to);

/* Undoes Zstandard (RFC 8878). NULL if it is broken, does not give so many bytes, needs a dictionary, or memory runs
 * out; else raw_loose_free. */
uint8_t *zstd_decode(ktx2_bytes from, size_t size);

#endif
