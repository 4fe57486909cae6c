/* Eight floats in an array, for processors without vectors. The results have the same bits as SSE2: a·b + c is rounded
 * twice, because a single rounding takes far longer without an instruction for it. With LANES_FUSED it is rounded once
 * nevertheless, for the bits of AVX2 and NEON. */
#ifndef SINEW_MATH_LANES_SCALAR_H
#define SINEW_MATH_LANES_SCALAR_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- a·b + c rounded once, in plain C ---- */

/* In double precision the product is exact, and the sum has more than twice a float's bits. If the sum is not exact, it
 * is rounded to the neighbour whose last bit is odd, so that the second rounding sees on which side of a float's
 * half-way point it lies (Boldo and Melquiond 2008). */
static inline float fused_multiply_add(float a, float b, float c) {
  double product = (double)a * (double)b, added = (double)c, sum = product + added, of_c = sum - product;
  double error = (product - (sum - of_c)) + (added - of_c);
  uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  if (error != 0 && bits % 2 == 0 && isfinite(sum)) {
    bits += (error > 0) == (sum > 0) ? 1 : UINT64_MAX;
    memcpy(&sum, &bits, sizeof sum);
  }
  return (float)sum;
}

#if defined(LANES_FUSED)
#include "math/lanes_scalar.h"
#define LANES_MULTIPLY_ADD fused_multiply_add
#else
static inline float lanes_multiply_add(float a, float b, float c) { return a * b + c; }
#define LANES_MULTIPLY_ADD lanes_multiply_add
#endif

typedef struct lanes {
  float v[8];
} lanes;

/* An operation: `value` for each lane i. */
/* clang-format off */
#define LANES_EACH(name, parameters, value)                                                                            \
  static inline lanes name parameters {                                                                                \
    lanes r;                                                                                                           \
    for (int i = 0; i < 8; i++) r.v[i] = value;                                                                        \
    return r;                                                                                                          \
  }
LANES_EACH(lanes_load, (const float *p), p[i])
LANES_EACH(lanes_load_twice, (const float *p), p[i % 4])
LANES_EACH(lanes_splat, (lanes a, int lane), a.v[i / 4 * 4 + lane])
#define LANES_SPLAT lanes_splat
LANES_EACH(lanes_set, (float x), x)
LANES_EACH(lanes_add, (lanes a, lanes b), a.v[i] + b.v[i])
LANES_EACH(lanes_sub, (lanes a, lanes b), a.v[i] - b.v[i])
LANES_EACH(lanes_mul, (lanes a, lanes b), a.v[i] * b.v[i])
LANES_EACH(lanes_div, (lanes a, lanes b), a.v[i] / b.v[i])
LANES_EACH(lanes_sqrt, (lanes a), sqrtf(a.v[i]))
LANES_EACH(lanes_fma, (lanes a, lanes b, lanes c), LANES_MULTIPLY_ADD(a.v[i], b.v[i], c.v[i]))
LANES_EACH(lanes_fnma, (lanes a, lanes b, lanes c), LANES_MULTIPLY_ADD(-a.v[i], b.v[i], c.v[i]))
LANES_EACH(lanes_fms, (lanes a, lanes b, lanes c), LANES_MULTIPLY_ADD(a.v[i], b.v[i], -c.v[i]))
LANES_EACH(lanes_min, (lanes a, lanes b), a.v[i] < b.v[i] ? a.v[i] : b.v[i])
LANES_EACH(lanes_max, (lanes a, lanes b), a.v[i] > b.v[i] ? a.v[i] : b.v[i])
LANES_EACH(lanes_sign, (lanes a), copysignf(0.0f, a.v[i]))
LANES_EACH(lanes_flip, (lanes a, lanes sign), a.v[i] * copysignf(1.0f, sign.v[i]))
/* A mask is 1 or 0. */
LANES_EACH(lanes_greater, (lanes a, lanes b), a.v[i] > b.v[i] ? 1.0f : 0.0f)
LANES_EACH(lanes_select, (lanes mask, lanes a, lanes b), mask.v[i] != 0.0f ? a.v[i] : b.v[i])
LANES_EACH(lanes_position, (lanes a, const int8_t *source, lanes other), source[i] < 0 ? other.v[i] : a.v[source[i]])
LANES_EACH(lanes_keep, (lanes a, const int8_t *source, lanes other), source[i] < 0 ? other.v[i] : a.v[i])
/* clang-format on */

static inline bool lanes_any(lanes mask) {
  bool any = false;
  for (int i = 0; i < 8; i++) any = any || mask.v[i] != 0.0f;
  return any;
}

typedef struct lanes_shorts {
  int16_t v[16];
} lanes_shorts;

static inline lanes_shorts lanes_load_shorts(const void *p) {
  lanes_shorts r;
  memcpy(r.v, p, sizeof r.v);
  return r;
}

static inline int16_t lanes_spread_short(const unsigned char *p, const uint8_t *spread) {
  unsigned low = spread[0] & 0x80 ? 0u : p[spread[0]], high = spread[1] & 0x80 ? 0u : p[spread[1]];
  return (int16_t)(uint16_t)(low | high << 8);
}

static inline lanes_shorts lanes_spread_shorts(const void *low, const void *high, const uint8_t *spread) {
  lanes_shorts r;
  for (int i = 0; i < 16; i++) r.v[i] = lanes_spread_short(i < 8 ? low : high, spread + 2 * i);
  return r;
}

static inline float lanes_lerp_short(int16_t a, int16_t b, int32_t weights) {
  return (float)(a * (int16_t)(weights & 0xFFFF) + b * (int16_t)(weights >> 16));
}

static inline void lanes_lerp_shorts(lanes_shorts a, lanes_shorts b, int32_t weights, lanes out[2]) {
  for (int i = 0; i < 16; i++) out[i / 4 % 2].v[i / 8 * 4 + i % 4] = lanes_lerp_short(a.v[i], b.v[i], weights);
}

static inline lanes lanes_load_upper(const uint16_t *p) {
  lanes r;
  for (int i = 0; i < 8; i++) {
    uint32_t bits = (uint32_t)p[i] << 16;
    memcpy(r.v + i, &bits, sizeof bits);
  }
  return r;
}

static inline void lanes_store(float *p, lanes a) { memcpy(p, a.v, sizeof a.v); }

static inline void lanes_store_rows(lanes a, lanes b, lanes c, lanes d, float *p, int stride) {
  for (int i = 0; i < 8; i++) {
    float row[4] = {a.v[i], b.v[i], c.v[i], d.v[i]};
    memcpy(p + i * stride, row, sizeof row);
  }
}

static inline void lanes_scatter_rows(lanes a, lanes b, lanes c, lanes d, float *const to[8], size_t offset) {
  for (int i = 0; i < 8; i++) {
    float row[4] = {a.v[i], b.v[i], c.v[i], d.v[i]};
    memcpy(to[i] + offset, row, sizeof row);
  }
}

static inline void lanes_store_pairs(lanes a, lanes b, lanes c, lanes d, float *p) {
  for (int i = 0; i < 8; i++) {
    float row[4] = {a.v[i], b.v[i], c.v[i], d.v[i]};
    memcpy(p + 8 * (i % 4) + i / 4 * 4, row, sizeof row);
  }
}

static inline void lanes_store_halves(lanes a, float *low, float *high) {
  memcpy(low, a.v, 4 * sizeof *a.v);
  memcpy(high, a.v + 4, 4 * sizeof *a.v);
}

static inline void lanes_load_rows(const float *p, int stride, lanes out[4]) {
  for (int i = 0; i < 8; i++)
    for (int c = 0; c < 4; c++) out[c].v[i] = p[i * stride + c];
}

static inline void lanes_gather_rows(const float *const from[8], size_t offset, lanes out[4]) {
  for (int i = 0; i < 8; i++)
    for (int c = 0; c < 4; c++) out[c].v[i] = from[i][offset + (size_t)c];
}

static inline void lanes_transpose(const lanes rows[4], lanes out[4]) {
  for (int c = 0; c < 4; c++)
    for (int i = 0; i < 8; i++) out[c].v[i] = rows[i % 4].v[i / 4 * 4 + c];
}

static inline void lanes_load_threes(const float *p, lanes out[3]) {
  for (int i = 0; i < 24; i++) out[i % 3].v[i / 3] = p[i];
}

static inline void lanes_store_threes(lanes a, lanes b, lanes c, float *p) {
  for (int i = 0; i < 8; i++) {
    float three[3] = {a.v[i], b.v[i], c.v[i]};
    memcpy(p + 3 * i, three, sizeof three);
  }
}

typedef struct lanes_affine {
  float v[12];
} lanes_affine;

static inline lanes_affine lanes_affine_mul(const float *m, lanes w) {
  lanes_affine r;
  for (int i = 0; i < 12; i++) r.v[i] = m[i] * w.v[0];
  return r;
}

static inline lanes_affine lanes_affine_fma(const float *m, lanes w, lanes_affine sum) {
  for (int i = 0; i < 12; i++) sum.v[i] = LANES_MULTIPLY_ADD(m[i], w.v[0], sum.v[i]);
  return sum;
}

static inline void lanes_affine_pair(lanes_affine a, lanes_affine b, lanes out[3]) {
  for (int i = 0; i < 12; i++) {
    out[i / 4].v[i % 4] = a.v[i];
    out[i / 4].v[i % 4 + 4] = b.v[i];
  }
}

static inline void lanes_multiply_affine(const float *a, const float *b, int stride, float *out) {
  for (int r = 0; r < 12; r += 4)
    for (int c = 0; c < 4; c++) {
      float last = c == 3 ? a[r + 3] : 0.0f;
#if defined(LANES_FUSED)
      float sum = fused_multiply_add(a[r + 1], b[stride + c], fused_multiply_add(a[r], b[c], last));
      out[r + c] = fused_multiply_add(a[r + 2], b[2 * stride + c], sum);
#else
      float xy = a[r] * b[c] + a[r + 1] * b[stride + c];
      out[r + c] = xy + (a[r + 2] * b[2 * stride + c] + last);
#endif
    }
}

#endif
