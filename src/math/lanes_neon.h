/* Eight floats in two NEON registers of a 64-bit Arm. */
#ifndef SINEW_MATH_LANES_NEON_H
#define SINEW_MATH_LANES_NEON_H

#include <arm_neon.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct lanes {
  float32x4_t lo, hi;
} lanes;

/* One operation on both halves. */
#define LANES_EACH(name, op)                                                                                           \
  static inline lanes name(lanes a, lanes b) { return (lanes){op(a.lo, b.lo), op(a.hi, b.hi)}; }
LANES_EACH(lanes_add, vaddq_f32)
LANES_EACH(lanes_sub, vsubq_f32)
LANES_EACH(lanes_mul, vmulq_f32)
LANES_EACH(lanes_div, vdivq_f32)
#undef LANES_EACH

static inline lanes lanes_load(const float *p) { return (lanes){vld1q_f32(p), vld1q_f32(p + 4)}; }
static inline void lanes_store(float *p, lanes a) {
  vst1q_f32(p, a.lo);
  vst1q_f32(p + 4, a.hi);
}
static inline lanes lanes_load_twice(const float *p) { return (lanes){vld1q_f32(p), vld1q_f32(p)}; }
#define LANES_SPLAT(a, lane) ((lanes){vdupq_laneq_f32((a).lo, lane), vdupq_laneq_f32((a).hi, lane)})
static inline lanes lanes_set(float x) { return (lanes){vdupq_n_f32(x), vdupq_n_f32(x)}; }
static inline lanes lanes_sqrt(lanes a) { return (lanes){vsqrtq_f32(a.lo), vsqrtq_f32(a.hi)}; }
static inline lanes lanes_fma(lanes a, lanes b, lanes c) {
  return (lanes){vfmaq_f32(c.lo, a.lo, b.lo), vfmaq_f32(c.hi, a.hi, b.hi)};
}
static inline lanes lanes_fnma(lanes a, lanes b, lanes c) {
  return (lanes){vfmsq_f32(c.lo, a.lo, b.lo), vfmsq_f32(c.hi, a.hi, b.hi)};
}

static inline lanes lanes_fms(lanes a, lanes b, lanes c) {
  return lanes_fma(a, b, (lanes){vnegq_f32(c.lo), vnegq_f32(c.hi)});
}

static inline float32x4_t lanes_and_half(float32x4_t a, uint32x4_t bits) {
  return vreinterpretq_f32_u32(vandq_u32(vreinterpretq_u32_f32(a), bits));
}
static inline lanes lanes_sign(lanes a) {
  uint32x4_t bit = vdupq_n_u32(0x80000000u);
  return (lanes){lanes_and_half(a.lo, bit), lanes_and_half(a.hi, bit)};
}
static inline float32x4_t lanes_flip_half(float32x4_t a, float32x4_t sign) {
  return vreinterpretq_f32_u32(veorq_u32(vreinterpretq_u32_f32(a), vreinterpretq_u32_f32(sign)));
}
static inline lanes lanes_flip(lanes a, lanes sign) {
  return (lanes){lanes_flip_half(a.lo, sign.lo), lanes_flip_half(a.hi, sign.hi)};
}
static inline lanes lanes_greater(lanes a, lanes b) {
  return (lanes){vreinterpretq_f32_u32(vcgtq_f32(a.lo, b.lo)), vreinterpretq_f32_u32(vcgtq_f32(a.hi, b.hi))};
}
static inline lanes lanes_select(lanes mask, lanes a, lanes b) {
  return (lanes){vbslq_f32(vreinterpretq_u32_f32(mask.lo), a.lo, b.lo),
                 vbslq_f32(vreinterpretq_u32_f32(mask.hi), a.hi, b.hi)};
}
static inline bool lanes_any(lanes mask) {
  return vmaxvq_u32(vorrq_u32(vreinterpretq_u32_f32(mask.lo), vreinterpretq_u32_f32(mask.hi))) != 0;
}
/* On x86, if either operand is NaN, the result is the second one; these do the same. */
static inline lanes lanes_min(lanes a, lanes b) { return lanes_select(lanes_greater(b, a), a, b); }
static inline lanes lanes_max(lanes a, lanes b) { return lanes_select(lanes_greater(a, b), a, b); }

static inline lanes lanes_position(lanes a, const int8_t *source, lanes other) {
  float from[8], to[8];
  lanes_store(from, a);
  lanes_store(to, other);
  for (int i = 0; i < 8; i++)
    if (source[i] >= 0) to[i] = from[source[i]];
  return lanes_load(to);
}

static inline lanes lanes_keep(lanes a, const int8_t *source, lanes other) {
  float from[8], to[8];
  lanes_store(from, a);
  lanes_store(to, other);
  for (int i = 0; i < 8; i++)
    if (source[i] >= 0) to[i] = from[i];
  return lanes_load(to);
}

typedef struct lanes_shorts {
  int16x8_t lo, hi;
} lanes_shorts;

static inline lanes_shorts lanes_load_shorts(const void *p) {
  return (lanes_shorts){vreinterpretq_s16_u8(vld1q_u8(p)), vreinterpretq_s16_u8(vld1q_u8((const uint8_t *)p + 16))};
}

static inline lanes_shorts lanes_spread_shorts(const void *low, const void *high, const uint8_t *spread) {
  return (lanes_shorts){vreinterpretq_s16_u8(vqtbl1q_u8(vld1q_u8(low), vld1q_u8(spread))),
                        vreinterpretq_s16_u8(vqtbl1q_u8(vld1q_u8(high), vld1q_u8(spread + 16)))};
}

static inline float32x4_t lanes_lerp_four(int16x4_t a, int16x4_t b, int32_t weights) {
  return vcvtq_f32_s32(vmlal_n_s16(vmull_n_s16(a, (int16_t)(weights & 0xFFFF)), b, (int16_t)(weights >> 16)));
}

static inline void lanes_lerp_shorts(lanes_shorts a, lanes_shorts b, int32_t weights, lanes out[2]) {
  out[0] = (lanes){lanes_lerp_four(vget_low_s16(a.lo), vget_low_s16(b.lo), weights),
                   lanes_lerp_four(vget_low_s16(a.hi), vget_low_s16(b.hi), weights)};
  out[1] = (lanes){lanes_lerp_four(vget_high_s16(a.lo), vget_high_s16(b.lo), weights),
                   lanes_lerp_four(vget_high_s16(a.hi), vget_high_s16(b.hi), weights)};
}

static inline lanes lanes_load_upper(const uint16_t *p) {
  uint16x8_t all = vld1q_u16(p);
  return (lanes){vreinterpretq_f32_u32(vshll_n_u16(vget_low_u16(all), 16)),
                 vreinterpretq_f32_u32(vshll_n_u16(vget_high_u16(all), 16))};
}

static inline void lanes_transpose_half(float32x4_t a, float32x4_t b, float32x4_t c, float32x4_t d,
                                        float32x4_t out[4]) {
  float32x4x2_t ab = vtrnq_f32(a, b), cd = vtrnq_f32(c, d);
  out[0] = vcombine_f32(vget_low_f32(ab.val[0]), vget_low_f32(cd.val[0]));
  out[1] = vcombine_f32(vget_low_f32(ab.val[1]), vget_low_f32(cd.val[1]));
  out[2] = vcombine_f32(vget_high_f32(ab.val[0]), vget_high_f32(cd.val[0]));
  out[3] = vcombine_f32(vget_high_f32(ab.val[1]), vget_high_f32(cd.val[1]));
}
static inline void lanes_transpose(const lanes rows[4], lanes out[4]) {
  float32x4_t lo[4], hi[4];
  lanes_transpose_half(rows[0].lo, rows[1].lo, rows[2].lo, rows[3].lo, lo);
  lanes_transpose_half(rows[0].hi, rows[1].hi, rows[2].hi, rows[3].hi, hi);
  for (int c = 0; c < 4; c++) out[c] = (lanes){lo[c], hi[c]};
}

static inline void lanes_store_half_rows(float32x4_t a, float32x4_t b, float32x4_t c, float32x4_t d, float *p,
                                         int stride) {
  float32x4_t rows[4];
  lanes_transpose_half(a, b, c, d, rows);
  for (int i = 0; i < 4; i++) vst1q_f32(p + i * stride, rows[i]);
}
static inline void lanes_store_rows(lanes a, lanes b, lanes c, lanes d, float *p, int stride) {
  lanes_store_half_rows(a.lo, b.lo, c.lo, d.lo, p, stride);
  lanes_store_half_rows(a.hi, b.hi, c.hi, d.hi, p + 4 * stride, stride);
}

static inline void lanes_scatter_rows(lanes a, lanes b, lanes c, lanes d, float *const to[8], size_t offset) {
  float32x4_t rows[8];
  lanes_transpose_half(a.lo, b.lo, c.lo, d.lo, rows);
  lanes_transpose_half(a.hi, b.hi, c.hi, d.hi, rows + 4);
  for (int i = 0; i < 8; i++) vst1q_f32(to[i] + offset, rows[i]);
}

static inline void lanes_store_pairs(lanes a, lanes b, lanes c, lanes d, float *p) {
  lanes_store_half_rows(a.lo, b.lo, c.lo, d.lo, p, 8);
  lanes_store_half_rows(a.hi, b.hi, c.hi, d.hi, p + 4, 8);
}

static inline void lanes_store_halves(lanes a, float *low, float *high) {
  vst1q_f32(low, a.lo);
  vst1q_f32(high, a.hi);
}

static inline void lanes_load_rows(const float *p, int stride, lanes out[4]) {
  float columns[4][8];
  for (int i = 0; i < 8; i++)
    for (int c = 0; c < 4; c++) columns[c][i] = p[i * stride + c];
  for (int c = 0; c < 4; c++) out[c] = lanes_load(columns[c]);
}

static inline void lanes_gather_rows(const float *const from[8], size_t offset, lanes out[4]) {
  float columns[4][8];
  for (int i = 0; i < 8; i++)
    for (int c = 0; c < 4; c++) columns[c][i] = from[i][offset + (size_t)c];
  for (int c = 0; c < 4; c++) out[c] = lanes_load(columns[c]);
}

static inline void lanes_load_threes(const float *p, lanes out[3]) {
  float32x4x3_t lo = vld3q_f32(p), hi = vld3q_f32(p + 12);
  for (int c = 0; c < 3; c++) out[c] = (lanes){lo.val[c], hi.val[c]};
}

static inline void lanes_store_threes(lanes a, lanes b, lanes c, float *p) {
  float32x4x3_t lo = {{a.lo, b.lo, c.lo}}, hi = {{a.hi, b.hi, c.hi}}; /* clang's vst3q_f32 is a macro */
  vst3q_f32(p, lo);
  vst3q_f32(p + 12, hi);
}

typedef struct lanes_affine {
  float32x4_t rows[3];
} lanes_affine;

static inline lanes_affine lanes_affine_mul(const float *m, lanes w) {
  return (lanes_affine){
      {vmulq_f32(vld1q_f32(m), w.lo), vmulq_f32(vld1q_f32(m + 4), w.lo), vmulq_f32(vld1q_f32(m + 8), w.lo)}};
}

static inline lanes_affine lanes_affine_fma(const float *m, lanes w, lanes_affine sum) {
  for (int i = 0; i < 3; i++) sum.rows[i] = vfmaq_f32(sum.rows[i], vld1q_f32(m + 4 * i), w.lo);
  return sum;
}

static inline void lanes_affine_pair(lanes_affine a, lanes_affine b, lanes out[3]) {
  for (int i = 0; i < 3; i++) out[i] = (lanes){a.rows[i], b.rows[i]};
}

static inline void lanes_multiply_affine(const float *a, const float *b, int stride, float *out) {
  float32x4_t b0 = vld1q_f32(b), b1 = vld1q_f32(b + stride), b2 = vld1q_f32(b + 2 * stride);
  for (int r = 0; r < 12; r += 4) {
    float32x4_t sum = vsetq_lane_f32(a[r + 3], vdupq_n_f32(0), 3);
    sum = vfmaq_n_f32(sum, b0, a[r]);
    sum = vfmaq_n_f32(sum, b1, a[r + 1]);
    sum = vfmaq_n_f32(sum, b2, a[r + 2]);
    vst1q_f32(out + r, sum);
  }
}

#endif
