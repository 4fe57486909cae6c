/* Eight floats in two SSE registers. There is no fused multiply-add: a·b + c is rounded twice. */
#ifndef SINEW_MATH_LANES_SSE2_H
#define SINEW_MATH_LANES_SSE2_H

#include <emmintrin.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct lanes {
  __m128 lo, hi;
} lanes;

/* One operation on both halves. */
#define LANES_EACH(name, op)                                                                                           \
  static inline lanes name(lanes a, lanes b) { return (lanes){op(a.lo, b.lo), op(a.hi, b.hi)}; }
LANES_EACH(lanes_add, _mm_add_ps)
LANES_EACH(lanes_sub, _mm_sub_ps)
LANES_EACH(lanes_mul, _mm_mul_ps)
LANES_EACH(lanes_div, _mm_div_ps)
LANES_EACH(lanes_min, _mm_min_ps)
LANES_EACH(lanes_max, _mm_max_ps)
LANES_EACH(lanes_flip, _mm_xor_ps)
LANES_EACH(lanes_greater, _mm_cmpgt_ps)
#undef LANES_EACH

static inline lanes lanes_load(const float *p) { return (lanes){_mm_loadu_ps(p), _mm_loadu_ps(p + 4)}; }
static inline void lanes_store(float *p, lanes a) {
  _mm_storeu_ps(p, a.lo);
  _mm_storeu_ps(p + 4, a.hi);
}
static inline lanes lanes_load_twice(const float *p) { return (lanes){_mm_loadu_ps(p), _mm_loadu_ps(p)}; }
/* Uses the shuffle for integers, because the other one overwrites its operand. */
#define LANES_SPLAT_HALF(a, lane) _mm_castsi128_ps(_mm_shuffle_epi32(_mm_castps_si128(a), 0x55 * (lane)))
#define LANES_SPLAT(a, lane) ((lanes){LANES_SPLAT_HALF((a).lo, lane), LANES_SPLAT_HALF((a).hi, lane)})
static inline lanes lanes_set(float x) { return (lanes){_mm_set1_ps(x), _mm_set1_ps(x)}; }
static inline lanes lanes_sqrt(lanes a) { return (lanes){_mm_sqrt_ps(a.lo), _mm_sqrt_ps(a.hi)}; }
static inline lanes lanes_fma(lanes a, lanes b, lanes c) { return lanes_add(lanes_mul(a, b), c); }
static inline lanes lanes_fnma(lanes a, lanes b, lanes c) { return lanes_sub(c, lanes_mul(a, b)); }
static inline lanes lanes_fms(lanes a, lanes b, lanes c) { return lanes_sub(lanes_mul(a, b), c); }

static inline lanes lanes_sign(lanes a) {
  __m128 bit = _mm_set1_ps(-0.0f);
  return (lanes){_mm_and_ps(a.lo, bit), _mm_and_ps(a.hi, bit)};
}

static inline __m128 lanes_select_half(__m128 mask, __m128 a, __m128 b) {
  return _mm_or_ps(_mm_and_ps(mask, a), _mm_andnot_ps(mask, b));
}
static inline lanes lanes_select(lanes mask, lanes a, lanes b) {
  return (lanes){lanes_select_half(mask.lo, a.lo, b.lo), lanes_select_half(mask.hi, a.hi, b.hi)};
}
static inline bool lanes_any(lanes mask) { return _mm_movemask_ps(_mm_or_ps(mask.lo, mask.hi)) != 0; }

static inline lanes lanes_position(lanes a, const int8_t *source, lanes other) {
  float from[8], to[8];
  lanes_store(from, a);
  lanes_store(to, other);
  for (int i = 0; i < 8; i++)
    if (source[i] >= 0) to[i] = from[source[i]];
  return lanes_load(to);
}

/* All bits of the lanes where `source` is not negative. */
static inline lanes lanes_chosen(const int8_t *source) {
  __m128i bytes = _mm_loadl_epi64((const __m128i *)source), none = _mm_set1_epi32(-1);
  __m128i signs = _mm_unpacklo_epi8(bytes, bytes);
  return (lanes){_mm_castsi128_ps(_mm_cmpgt_epi32(_mm_unpacklo_epi16(signs, signs), none)),
                 _mm_castsi128_ps(_mm_cmpgt_epi32(_mm_unpackhi_epi16(signs, signs), none))};
}

static inline lanes lanes_keep(lanes a, const int8_t *source, lanes other) {
  return lanes_select(lanes_chosen(source), a, other);
}

typedef struct lanes_shorts {
  __m128i lo, hi;
} lanes_shorts;

static inline lanes_shorts lanes_load_shorts(const void *p) {
  return (lanes_shorts){_mm_loadu_si128(p), _mm_loadu_si128((const __m128i *)p + 1)};
}

/* SSE2 shuffles only by constants, so this works byte by byte, with a zero after the sixteen for "none". */
static inline __m128i lanes_spread_half(const void *p, const uint8_t *spread) {
  unsigned char from[0x81], to[16];
  _mm_storeu_si128((__m128i *)from, _mm_loadu_si128(p));
  from[0x80] = 0;
  for (int i = 0; i < 16; i++) to[i] = from[spread[i]];
  return _mm_loadu_si128((const __m128i *)to);
}

static inline lanes_shorts lanes_spread_shorts(const void *low, const void *high, const uint8_t *spread) {
  return (lanes_shorts){lanes_spread_half(low, spread), lanes_spread_half(high, spread + 16)};
}

static inline void lanes_lerp_half(__m128i a, __m128i b, __m128i both, __m128 out[2]) {
  out[0] = _mm_cvtepi32_ps(_mm_madd_epi16(_mm_unpacklo_epi16(a, b), both));
  out[1] = _mm_cvtepi32_ps(_mm_madd_epi16(_mm_unpackhi_epi16(a, b), both));
}

static inline void lanes_lerp_shorts(lanes_shorts a, lanes_shorts b, int32_t weights, lanes out[2]) {
  __m128i both = _mm_set1_epi32(weights);
  __m128 lo[2], hi[2];
  lanes_lerp_half(a.lo, b.lo, both, lo);
  lanes_lerp_half(a.hi, b.hi, both, hi);
  for (int i = 0; i < 2; i++) out[i] = (lanes){lo[i], hi[i]};
}

static inline lanes lanes_load_upper(const uint16_t *p) {
  __m128i all = _mm_loadu_si128((const __m128i *)p), zero = _mm_setzero_si128();
  return (lanes){_mm_castsi128_ps(_mm_unpacklo_epi16(zero, all)), _mm_castsi128_ps(_mm_unpackhi_epi16(zero, all))};
}

static inline void lanes_store_half_rows(__m128 a, __m128 b, __m128 c, __m128 d, float *p, int stride) {
  _MM_TRANSPOSE4_PS(a, b, c, d);
  _mm_storeu_ps(p, a);
  _mm_storeu_ps(p + stride, b);
  _mm_storeu_ps(p + 2 * stride, c);
  _mm_storeu_ps(p + 3 * stride, d);
}
static inline void lanes_store_rows(lanes a, lanes b, lanes c, lanes d, float *p, int stride) {
  lanes_store_half_rows(a.lo, b.lo, c.lo, d.lo, p, stride);
  lanes_store_half_rows(a.hi, b.hi, c.hi, d.hi, p + 4 * stride, stride);
}

static inline void lanes_scatter_half_rows(__m128 a, __m128 b, __m128 c, __m128 d, float *const to[4], size_t offset) {
  _MM_TRANSPOSE4_PS(a, b, c, d);
  _mm_storeu_ps(to[0] + offset, a);
  _mm_storeu_ps(to[1] + offset, b);
  _mm_storeu_ps(to[2] + offset, c);
  _mm_storeu_ps(to[3] + offset, d);
}
static inline void lanes_scatter_rows(lanes a, lanes b, lanes c, lanes d, float *const to[8], size_t offset) {
  lanes_scatter_half_rows(a.lo, b.lo, c.lo, d.lo, to, offset);
  lanes_scatter_half_rows(a.hi, b.hi, c.hi, d.hi, to + 4, offset);
}

static inline void lanes_store_pairs(lanes a, lanes b, lanes c, lanes d, float *p) {
  lanes_store_half_rows(a.lo, b.lo, c.lo, d.lo, p, 8);
  lanes_store_half_rows(a.hi, b.hi, c.hi, d.hi, p + 4, 8);
}

static inline void lanes_store_halves(lanes a, float *low, float *high) {
  _mm_storeu_ps(low, a.lo);
  _mm_storeu_ps(high, a.hi);
}

static inline void lanes_load_rows(const float *p, int stride, lanes out[4]) {
  __m128 r[8];
  for (int i = 0; i < 8; i++) r[i] = _mm_loadu_ps(p + i * stride);
  _MM_TRANSPOSE4_PS(r[0], r[1], r[2], r[3]);
  _MM_TRANSPOSE4_PS(r[4], r[5], r[6], r[7]);
  for (int c = 0; c < 4; c++) out[c] = (lanes){r[c], r[c + 4]};
}

static inline void lanes_gather_rows(const float *const from[8], size_t offset, lanes out[4]) {
  __m128 r[8];
  for (int i = 0; i < 8; i++) r[i] = _mm_loadu_ps(from[i] + offset);
  _MM_TRANSPOSE4_PS(r[0], r[1], r[2], r[3]);
  _MM_TRANSPOSE4_PS(r[4], r[5], r[6], r[7]);
  for (int c = 0; c < 4; c++) out[c] = (lanes){r[c], r[c + 4]};
}

static inline void lanes_transpose(const lanes rows[4], lanes out[4]) {
  __m128 lo[4], hi[4];
  for (int i = 0; i < 4; i++) lo[i] = rows[i].lo, hi[i] = rows[i].hi;
  _MM_TRANSPOSE4_PS(lo[0], lo[1], lo[2], lo[3]);
  _MM_TRANSPOSE4_PS(hi[0], hi[1], hi[2], hi[3]);
  for (int c = 0; c < 4; c++) out[c] = (lanes){lo[c], hi[c]};
}

static inline void lanes_load_half_threes(const float *p, __m128 out[3]) {
  __m128 a = _mm_loadu_ps(p), b = _mm_loadu_ps(p + 4), c = _mm_loadu_ps(p + 8);
  __m128 xy = _mm_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2)), yz = _mm_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1));
  out[0] = _mm_shuffle_ps(a, xy, _MM_SHUFFLE(2, 0, 3, 0));
  out[1] = _mm_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0));
  out[2] = _mm_shuffle_ps(yz, c, _MM_SHUFFLE(3, 0, 3, 1));
}
static inline void lanes_load_threes(const float *p, lanes out[3]) {
  __m128 lo[3], hi[3];
  lanes_load_half_threes(p, lo);
  lanes_load_half_threes(p + 12, hi);
  for (int c = 0; c < 3; c++) out[c] = (lanes){lo[c], hi[c]};
}

static inline void lanes_store_half_threes(__m128 a, __m128 b, __m128 c, float *p) {
  __m128 ab = _mm_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0)), bc = _mm_shuffle_ps(b, c, _MM_SHUFFLE(3, 1, 3, 1));
  __m128 ca = _mm_shuffle_ps(c, a, _MM_SHUFFLE(3, 1, 2, 0));
  _mm_storeu_ps(p, _mm_shuffle_ps(ab, ca, _MM_SHUFFLE(2, 0, 2, 0)));
  _mm_storeu_ps(p + 4, _mm_shuffle_ps(bc, ab, _MM_SHUFFLE(3, 1, 2, 0)));
  _mm_storeu_ps(p + 8, _mm_shuffle_ps(ca, bc, _MM_SHUFFLE(3, 1, 3, 1)));
}
static inline void lanes_store_threes(lanes a, lanes b, lanes c, float *p) {
  lanes_store_half_threes(a.lo, b.lo, c.lo, p);
  lanes_store_half_threes(a.hi, b.hi, c.hi, p + 12);
}

typedef struct lanes_affine {
  __m128 rows[3];
} lanes_affine;

static inline lanes_affine lanes_affine_mul(const float *m, lanes w) {
  lanes_affine r;
  for (int i = 0; i < 3; i++) r.rows[i] = _mm_mul_ps(_mm_loadu_ps(m + 4 * i), w.lo);
  return r;
}

static inline lanes_affine lanes_affine_fma(const float *m, lanes w, lanes_affine sum) {
  lanes_affine r = lanes_affine_mul(m, w);
  for (int i = 0; i < 3; i++) r.rows[i] = _mm_add_ps(r.rows[i], sum.rows[i]);
  return r;
}

static inline void lanes_affine_pair(lanes_affine a, lanes_affine b, lanes out[3]) {
  for (int i = 0; i < 3; i++) out[i] = (lanes){a.rows[i], b.rows[i]};
}

static inline void lanes_multiply_affine(const float *a, const float *b, int stride, float *out) {
  const __m128 last = _mm_castsi128_ps(_mm_setr_epi32(0, 0, 0, -1));
  __m128 b0 = _mm_loadu_ps(b), b1 = _mm_loadu_ps(b + stride), b2 = _mm_loadu_ps(b + 2 * stride);
  for (int r = 0; r < 12; r += 4) {
    __m128 row = _mm_loadu_ps(a + r);
    __m128 x = _mm_mul_ps(LANES_SPLAT_HALF(row, 0), b0), y = _mm_mul_ps(LANES_SPLAT_HALF(row, 1), b1);
    __m128 z = _mm_mul_ps(LANES_SPLAT_HALF(row, 2), b2);
    _mm_storeu_ps(out + r, _mm_add_ps(_mm_add_ps(x, y), _mm_add_ps(z, _mm_and_ps(row, last))));
  }
}

#endif
