/* feed – the bytes of a fuzzer as numbers, and what all fuzz targets share. An exhausted feed gives zeros. */
#ifndef SINEW_TESTS_FEED_H
#define SINEW_TESTS_FEED_H

#include "base/memory/memory.h"
#include "import/cook/cook.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct feed {
  const uint8_t *at;
  size_t left;
} feed;

static inline int feed_byte(feed *f) {
  if (f->left == 0) return 0;
  f->left--;
  return *f->at++;
}

/* 0 … limit − 1 */
static inline int feed_below(feed *f, int limit) { return feed_byte(f) % limit; }

/* Mostly an index below `count` or -1, at times anything. */
static inline int feed_index(feed *f, int count) {
  int byte = feed_byte(f);
  if (byte < 250) return byte % (count + 1) - 1;
  static const int odd[] = {INT32_MAX, INT32_MIN, -2, 65536, 1 << 24, 300};
  return byte == 255 ? count : odd[byte - 250];
}

/* Mostly tame, at times any bits. */
static inline float feed_float(feed *f) {
  static const float odd[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e16f, 1e15f, 1e-30f, 1e-45f, -0.0f, 9.9e14f};
  int byte = feed_byte(f);
  if (byte < 200) return (float)(byte - 100) / 16;
  if (byte < 240) return odd[byte % 10];
  uint32_t bits = 0;
  for (int i = 0; i < 4; i++) bits = bits << 8 | (uint32_t)feed_byte(f);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* ---- what every target does ---- */

static inline void *feed_reallocate(void *user, void *pointer, size_t size) {
  (void)user;
  if (size == 0) {
    free(pointer);
    return NULL;
  }
  return size > (size_t)256 << 20 ? NULL : realloc(pointer, size);
}

/* A small file that asks for much memory gets a sentence, as it would under the limits of sinew-import. */
static inline void feed_allocator(void) {
  static const sinew_allocator bounded = {feed_reallocate, NULL};
  sinew_set_allocator(&bounded);
}

/* A model that was built must be fit for another process: model_check finds no fault. */
static inline void feed_check_cooked(const sinew_model *model) {
  size_t size;
  sinew_error error = {""};
  void *bytes = cook_bytes(model, &size, &error);
  if (!bytes) return; /* no memory */
  sinew_model *again = cook_read(bytes, size, "fuzz.glb", &error);
  if (!again) {
    fprintf(stderr, "%s\n", error.message);
    abort();
  }
  sinew_model_release(again);
  mem_free(bytes);
}

#endif
