/* packed_picture – PNG files of known texels, without compression, and a glTF that shows them. */
#ifndef SINEW_TESTS_PACKED_PICTURE_H
#define SINEW_TESTS_PACKED_PICTURE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct picture_bytes {
  unsigned char *data;
  size_t size;
} picture_bytes;

static inline void put_bytes(picture_bytes *p, const void *bytes, size_t size) {
  memcpy(p->data + p->size, bytes, size);
  p->size += size;
}

static inline void put_big_endian(picture_bytes *p, uint32_t number) {
  put_bytes(p,
            (unsigned char[4]){(unsigned char)(number >> 24), (unsigned char)(number >> 16),
                               (unsigned char)(number >> 8), (unsigned char)number},
            4);
}

/* PNG, "CRC algorithm". */
static inline uint32_t png_crc(const unsigned char *bytes, size_t size) {
  uint32_t crc = 0xffffffff;
  for (size_t i = 0; i < size; i++) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ crc >> 1 : crc >> 1;
  }
  return ~crc;
}

static inline size_t begin_chunk(picture_bytes *p, const char *type, size_t size) {
  put_big_endian(p, (uint32_t)size);
  put_bytes(p, type, 4);
  return p->size - 4;
}

static inline void end_chunk(picture_bytes *p, size_t begin) {
  put_big_endian(p, png_crc(p->data + begin, p->size - begin));
}

/* The colour of a picture's texel. */
static inline void picture_texel(int number, int x, int y, unsigned char rgba[4]) {
  rgba[0] = (unsigned char)(40 * number + x), rgba[1] = (unsigned char)(y * 3), rgba[2] = (unsigned char)(x ^ y);
  rgba[3] = 255;
}

/* A zlib stream of stored blocks, a row each; free `data`. */
static inline picture_bytes packed_png(int number, int width, int height) {
  size_t row = 1 + 4 * (size_t)width, stored = 2 + (size_t)height * (5 + row) + 4;
  picture_bytes p = {malloc(stored + 200), 0};
  put_bytes(&p, "\x89PNG\r\n\x1a\n", 8);
  size_t chunk = begin_chunk(&p, "IHDR", 13);
  put_big_endian(&p, (uint32_t)width), put_big_endian(&p, (uint32_t)height), put_bytes(&p, "\x08\x06\0\0\0", 5);
  end_chunk(&p, chunk);
  chunk = begin_chunk(&p, "IDAT", stored);
  put_bytes(&p, "\x78\x01", 2);
  uint32_t a = 1, b = 0;
  for (int y = 0; y < height; y++) {
    put_bytes(&p,
              (unsigned char[5]){y == height - 1, (unsigned char)row, (unsigned char)(row >> 8), (unsigned char)~row,
                                 (unsigned char)(~row >> 8)},
              5);
    unsigned char *begin = p.data + p.size;
    begin[0] = 0;
    for (int x = 0; x < width; x++) picture_texel(number, x, y, begin + 1 + 4 * x);
    for (size_t i = 0; i < row; i++) a = (a + begin[i]) % 65521, b = (b + a) % 65521;
    p.size += row;
  }
  put_big_endian(&p, b << 16 | a);
  end_chunk(&p, chunk);
  chunk = begin_chunk(&p, "IEND", 0);
  end_chunk(&p, chunk);
  return p;
}

/* Writes FOLDER/pictures.gltf: a square of one metre for each of FOLDER/0.png, 1.png …, side by side from x = 0 on,
 * facing +z. */
static inline void write_picture_gltf(const char *path, int count) {
  FILE *file = fopen(path, "w");
  fprintf(file,
          "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"buffers\":[{\"byteLength\":84,\"uri\":"
          "\"data:application/octet-stream;base64,"
          "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAACAPwAAgD8AAAAAAAAAAAAAgD8AAAAAAAAAAAAAgD8AAIA/AACAPwAAgD8AAAAAAAAAAAAA"
          "AAAAAAAA\"}],"
          "\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,\"byteLength\":32}],"
          "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
          "{\"bufferView\":1,\"componentType\":5126,\"count\":4,\"type\":\"VEC2\"}],\"scenes\":[{\"nodes\":[");
  for (int i = 0; i < count; i++) fprintf(file, "%s%d", i ? "," : "", i);
  fprintf(file, "]}],\"nodes\":[");
  for (int i = 0; i < count; i++) fprintf(file, "%s{\"mesh\":%d,\"translation\":[%d,0,0]}", i ? "," : "", i, i);
  fprintf(file, "],\"meshes\":[");
  for (int i = 0; i < count; i++)
    fprintf(file, "%s{\"primitives\":[{\"mode\":6,\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":1},\"material\":%d}]}",
            i ? "," : "", i);
  fprintf(file, "],\"materials\":[");
  for (int i = 0; i < count; i++)
    fprintf(file,
            "%s{\"extensions\":{\"KHR_materials_unlit\":{}},\"pbrMetallicRoughness\":{\"baseColorTexture\":"
            "{\"index\":%d}}}",
            i ? "," : "", i);
  fprintf(file, "],\"textures\":[");
  for (int i = 0; i < count; i++) fprintf(file, "%s{\"source\":%d}", i ? "," : "", i);
  fprintf(file, "],\"images\":[");
  for (int i = 0; i < count; i++) fprintf(file, "%s{\"uri\":\"%d.png\"}", i ? "," : "", i);
  fprintf(file, "]}");
  fclose(file);
}

static inline void write_picture(const char *path, const picture_bytes *p) {
  FILE *file = fopen(path, "wb");
  fwrite(p->data, p->size, 1, file);
  fclose(file);
}

#endif
