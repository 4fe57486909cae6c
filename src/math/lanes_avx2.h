/* Eight floats in one AVX register; FMA comes with every processor that has AVX2. */
#ifndef SINEW_MATH_LANES_AVX2_H
#define SINEW_MATH_LANES_AVX2_H

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>

typedef __m256 lanes;

static inline lanes lanes_load(const float *p) { return _mm256_loadu_ps(p); }
static inline void lanes_store(float *p, lanes a) { _mm256_storeu_ps(p, a); }
static inline lanes lanes_load_twice(const float *p) {
  lanes a = _mm256_broadcast_ps((const __m128 *)p);
#if defined(__clang__)
  __asm__("" : "+x"(a)); /* otherwise compilers load the argument of LANES_SPLAT again, one float at a time */
#endif
  return a;
}
#define LANES_SPLAT(a, lane) _mm256_permute_ps(a, 0x55 * (lane))
static inline lanes lanes_set(float x) { return _mm256_set1_ps(x); }
static inline lanes lanes_add(lanes a, lanes b) { return _mm256_add_ps(a, b); }
static inline lanes lanes_sub(lanes a, lanes b) { return _mm256_sub_ps(a, b); }
static inline lanes lanes_mul(lanes a, lanes b) { return _mm256_mul_ps(a, b); }
static inline lanes lanes_div(lanes a, lanes b) { return _mm256_div_ps(a, b); }
static inline lanes lanes_sqrt(lanes a) { return _mm256_sqrt_ps(a); }
static inline lanes lanes_fma(lanes a, lanes b, lanes c) { return _mm256_fmadd_ps(a, b, c); }
static inline lanes lanes_fnma(lanes a, lanes b, lanes c) { return _mm256_fnmadd_ps(a, b, c); }
static inline lanes lanes_fms(lanes a, lanes b, lanes c) { return _mm256_fmsub_ps(a, b, c); }
static inline lanes lanes_min(lanes a, lanes b) { return _mm256_min_ps(a, b); }
static inline lanes lanes_max(lanes a, lanes b) { return _mm256_max_ps(a, b); }
static inline lanes lanes_sign(lanes a) { return _mm256_and_ps(a, _mm256_set1_ps(-0.0f)); }
static inline lanes lanes_flip(lanes a, lanes sign) { return _mm256_xor_ps(a, sign); }
static inline lanes lanes_greater(lanes a, lanes b) { return _mm256_cmp_ps(a, b, _CMP_GT_OQ); }
static inline lanes lanes_select(lanes mask, lanes a, lanes b) { return _mm256_blendv_ps(b, a, mask); }
static inline bool lanes_any(lanes mask) { return _mm256_movemask_ps(mask) != 0; }

/* A permutation reads the low three bits of an index, a blend its sign. */
static inline lanes lanes_position(lanes a, const int8_t *source, lanes other) {
  __m256i index = _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)source));
  return _mm256_blendv_ps(_mm256_permutevar8x32_ps(a, index), other, _mm256_castsi256_ps(index));
}

static inline lanes lanes_keep(lanes a, const int8_t *source, lanes other) {
  __m256i index = _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)source));
  return _mm256_blendv_ps(a, other, _mm256_castsi256_ps(index));
}

typedef __m256i lanes_shorts;

static inline lanes_shorts lanes_load_shorts(const void *p) { return _mm256_loadu_si256(p); }

static inline lanes_shorts lanes_spread_shorts(const void *low, const void *high, const uint8_t *spread) {
  __m256i both = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(low)), _mm_loadu_si128(high), 1);
  return _mm256_shuffle_epi8(both, _mm256_loadu_si256((const void *)spread));
}

static inline void lanes_lerp_shorts(lanes_shorts a, lanes_shorts b, int32_t weights, lanes out[2]) {
  __m256i both = _mm256_set1_epi32(weights);
  out[0] = _mm256_cvtepi32_ps(_mm256_madd_epi16(_mm256_unpacklo_epi16(a, b), both));
  out[1] = _mm256_cvtepi32_ps(_mm256_madd_epi16(_mm256_unpackhi_epi16(a, b), both));
}

static inline lanes lanes_load_upper(const uint16_t *p) {
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p)), 16));
}

static inline void lanes_transpose(const lanes rows[4], lanes out[4]) {
  __m256 ab0 = _mm256_unpacklo_ps(rows[0], rows[1]), ab1 = _mm256_unpackhi_ps(rows[0], rows[1]);
  __m256 cd0 = _mm256_unpacklo_ps(rows[2], rows[3]), cd1 = _mm256_unpackhi_ps(rows[2], rows[3]);
  out[0] = _mm256_shuffle_ps(ab0, cd0, 0x44);
  out[1] = _mm256_shuffle_ps(ab0, cd0, 0xEE);
  out[2] = _mm256_shuffle_ps(ab1, cd1, 0x44);
  out[3] = _mm256_shuffle_ps(ab1, cd1, 0xEE);
}

static inline void lanes_store_rows(lanes a, lanes b, lanes c, lanes d, float *p, int stride) {
  lanes columns[4] = {a, b, c, d}, rows[4];
  lanes_transpose(columns, rows);
  for (int i = 0; i < 4; i++) _mm_storeu_ps(p + i * stride, _mm256_castps256_ps128(rows[i]));
  for (int i = 0; i < 4; i++) _mm_storeu_ps(p + (i + 4) * stride, _mm256_extractf128_ps(rows[i], 1));
}

static inline void lanes_scatter_rows(lanes a, lanes b, lanes c, lanes d, float *const to[8], size_t offset) {
  lanes columns[4] = {a, b, c, d}, rows[4];
  lanes_transpose(columns, rows);
  for (int i = 0; i < 4; i++) _mm_storeu_ps(to[i] + offset, _mm256_castps256_ps128(rows[i]));
  for (int i = 0; i < 4; i++) _mm_storeu_ps(to[i + 4] + offset, _mm256_extractf128_ps(rows[i], 1));
}

static inline void lanes_store_pairs(lanes a, lanes b, lanes c, lanes d, float *p) {
  lanes columns[4] = {a, b, c, d}, rows[4];
  lanes_transpose(columns, rows);
  for (int i = 0; i < 4; i++) _mm256_storeu_ps(p + 8 * i, rows[i]);
}

static inline void lanes_store_halves(lanes a, float *low, float *high) {
  _mm_storeu_ps(low, _mm256_castps256_ps128(a));
  _mm_storeu_ps(high, _mm256_extractf128_ps(a, 1));
}

static inline __m256 lanes_load_pair(const float *low, const float *high) {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high), 1);
}

static inline void lanes_load_rows(const float *p, int stride, lanes out[4]) {
  lanes rows[4];
  for (int i = 0; i < 4; i++) rows[i] = lanes_load_pair(p + i * stride, p + (i + 4) * stride);
  lanes_transpose(rows, out);
}

static inline void lanes_gather_rows(const float *const from[8], size_t offset, lanes out[4]) {
  lanes rows[4];
  for (int i = 0; i < 4; i++) rows[i] = lanes_load_pair(from[i] + offset, from[i + 4] + offset);
  lanes_transpose(rows, out);
}

/* Four threes in each half. */
static inline void lanes_load_threes(const float *p, lanes out[3]) {
  __m256 first = _mm256_loadu_ps(p), middle = _mm256_loadu_ps(p + 8), last = _mm256_loadu_ps(p + 16);
  lanes a = _mm256_blend_ps(first, middle, 0xF0), b = _mm256_permute2f128_ps(first, last, 0x21);
  lanes c = _mm256_blend_ps(middle, last, 0xF0);
  lanes xy = _mm256_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2)), yz = _mm256_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1));
  out[0] = _mm256_shuffle_ps(a, xy, _MM_SHUFFLE(2, 0, 3, 0));
  out[1] = _mm256_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0));
  out[2] = _mm256_shuffle_ps(yz, c, _MM_SHUFFLE(3, 0, 3, 1));
}

static inline void lanes_store_threes(lanes a, lanes b, lanes c, float *p) {
  lanes ab = _mm256_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0)), bc = _mm256_shuffle_ps(b, c, _MM_SHUFFLE(3, 1, 3, 1));
  lanes ca = _mm256_shuffle_ps(c, a, _MM_SHUFFLE(3, 1, 2, 0));
  lanes abca = _mm256_shuffle_ps(ab, ca, _MM_SHUFFLE(2, 0, 2, 0)),
        bcab = _mm256_shuffle_ps(bc, ab, _MM_SHUFFLE(3, 1, 2, 0));
  lanes cabc = _mm256_shuffle_ps(ca, bc, _MM_SHUFFLE(3, 1, 3, 1));
  _mm256_storeu_ps(p, _mm256_permute2f128_ps(abca, bcab, 0x20));
  _mm256_storeu_ps(p + 8, _mm256_blend_ps(cabc, abca, 0xF0));
  _mm256_storeu_ps(p + 16, _mm256_permute2f128_ps(bcab, cabc, 0x31));
}

/* a[0] · b[0] + a[1] · b[1] + a[2] · b[2] + (0, 0, 0, a[3]), of a row in each half. */
static inline __m256 lanes_multiply_rows(__m256 a, __m256 b0, __m256 b1, __m256 b2) {
  const __m256 last = _mm256_castsi256_ps(_mm256_setr_epi32(0, 0, 0, -1, 0, 0, 0, -1));
  __m256 sum = _mm256_fmadd_ps(_mm256_permute_ps(a, 0x00), b0, _mm256_and_ps(a, last));
  sum = _mm256_fmadd_ps(_mm256_permute_ps(a, 0x55), b1, sum);
  return _mm256_fmadd_ps(_mm256_permute_ps(a, 0xAA), b2, sum);
}

static inline __m128 lanes_multiply_row(__m128 a, __m128 b0, __m128 b1, __m128 b2) {
  const __m128 last = _mm_castsi128_ps(_mm_setr_epi32(0, 0, 0, -1));
  __m128 sum = _mm_fmadd_ps(_mm_permute_ps(a, 0x00), b0, _mm_and_ps(a, last));
  sum = _mm_fmadd_ps(_mm_permute_ps(a, 0x55), b1, sum);
  return _mm_fmadd_ps(_mm_permute_ps(a, 0xAA), b2, sum);
}

/* Reads rows as they were written, four floats at a time: a processor forwards a recent store to a load only if the
 * store contains all bytes of the load. */
static inline void lanes_multiply_affine(const float *a, const float *b, int stride, float *out) {
  __m256 a01 = lanes_load_pair(a, a + 4);
  __m128 a2 = _mm_loadu_ps(a + 8);
  __m256 b0 = _mm256_broadcast_ps((const __m128 *)b), b1 = _mm256_broadcast_ps((const __m128 *)(b + stride));
  __m256 b2 = _mm256_broadcast_ps((const __m128 *)(b + 2 * stride));
  _mm256_storeu_ps(out, lanes_multiply_rows(a01, b0, b1, b2));
  _mm_storeu_ps(out + 8, lanes_multiply_row(a2, _mm256_castps256_ps128(b0), _mm256_castps256_ps128(b1),
                                            _mm256_castps256_ps128(b2)));
}

static inline void lanes_multiply_both(const float *a, const float *a4, const __m256 b[3], float *out, float *out4) {
  __m256 rows[3] = {lanes_load_pair(a, a4), lanes_load_pair(a + 4, a4 + 4), lanes_load_pair(a + 8, a4 + 8)};
  for (int i = 0; i < 3; i++) {
    lanes_store_halves(lanes_multiply_rows(rows[i], b[0], b[1], b[2]), out + 4 * i, out4 + 4 * i);
  }
}

static inline void lanes_multiply_pair(const float *a, const float *a4, const float *b, int stride, float *out,
                                       float *out4) {
  __m256 rows[3] = {_mm256_loadu_ps(b), _mm256_loadu_ps(b + stride), _mm256_loadu_ps(b + 2 * stride)};
  lanes_multiply_both(a, a4, rows, out, out4);
}

static inline void lanes_multiply_two(const float *a, const float *a2, const float *b, const float *b2, int stride,
                                      float *out, float *out2) {
  __m256 rows[3];
  for (int i = 0; i < 3; i++) rows[i] = lanes_load_pair(b + i * stride, b2 + i * stride);
  lanes_multiply_both(a, a2, rows, out, out2);
}

typedef struct lanes_affine {
  __m256 top; /* two rows */
  __m128 last;
} lanes_affine;

static inline lanes_affine lanes_affine_mul(const float *m, lanes w) {
  return (lanes_affine){_mm256_mul_ps(_mm256_loadu_ps(m), w),
                        _mm_mul_ps(_mm_loadu_ps(m + 8), _mm256_castps256_ps128(w))};
}

static inline lanes_affine lanes_affine_fma(const float *m, lanes w, lanes_affine sum) {
  return (lanes_affine){_mm256_fmadd_ps(_mm256_loadu_ps(m), w, sum.top),
                        _mm_fmadd_ps(_mm_loadu_ps(m + 8), _mm256_castps256_ps128(w), sum.last)};
}

static inline void lanes_affine_pair(lanes_affine a, lanes_affine b, lanes out[3]) {
  out[0] = _mm256_permute2f128_ps(a.top, b.top, 0x20);
  out[1] = _mm256_permute2f128_ps(a.top, b.top, 0x31);
  out[2] = _mm256_insertf128_ps(_mm256_castps128_ps256(a.last), b.last, 1);
}

#endif
