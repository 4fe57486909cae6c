/* lanes – eight floats side by side, on every machine. A kernel is written once over these operations and compiled once
 * for each backend; LANES_AVX2, LANES_SSE2, LANES_NEON, LANES_SCALAR or LANES_FUSED says which.
 *
 *   lanes_load(p) lanes_store(p, a) lanes_set(x)          8 floats, any alignment; one value in all lanes
 *   lanes_load_twice(p)                                    4 floats, in both halves
 *   LANES_SPLAT(a, lane)                                   within each half, one lane (0 .. 3, a constant) in all
 *   lanes_add lanes_sub lanes_mul lanes_div lanes_sqrt     each rounded once, as IEEE 754 says
 *   lanes_fma lanes_fnma lanes_fms (a, b, c)               a·b + c, c − a·b and a·b − c, rounded once; by SSE2
 *                                                          and scalar twice
 *   lanes_min lanes_max
 *   lanes_sign(a)  lanes_flip(a, sign)                     the sign bits; a with its sign flipped where `sign` has one
 *   lanes_greater(a, b)  lanes_select(mask, a, b)          mask ? a : b
 *   lanes_any(mask)                                        whether it has a lane
 *   lanes_store_rows(a, b, c, d, p, stride)                lane i goes to p[i·stride + 0..3] as a b c d, lane 0 first
 *   lanes_store_pairs(a, b, c, d, p)                       the same, with lanes i and i + 4 beside each other: lane i
 *                                                          goes to p[8·(i % 4) + 4·(i / 4) + 0..3]
 *   lanes_store_halves(a, low, high)                       the first four floats, and the others
 *   lanes_scatter_rows(a, b, c, d, to, offset)             the same, lane i to to[i][offset + 0..3]
 *   lanes_load_rows(p, stride, out)                        lanes_store_rows backwards: out[c], lane i, is
 *                                                          p[i·stride + c]
 *   lanes_gather_rows(from, offset, out)                   lanes_scatter_rows backwards
 *   lanes_load_threes(p, out) lanes_store_threes(a, b, c, p)
 *                                                          24 floats: lane i of out[c], of a b c, is p[3·i + c]
 *   lanes_place(a, source, other)                          lane i gets a's lane source[i] (8 bytes in 0..7), or other's
 *                                                          lane i where source[i] is negative
 *   lanes_keep(a, source, other)                           the same without moving: a's lane i, or other's
 *   lanes_load_shorts(p)                                   16 int16: a component of lanes 0..3, the next one's of these
 *                                                          lanes, then both of lanes 4..7
 *   lanes_spread_shorts(low, high, spread)                 the same from bytes: integer i of the first eight has the
 *                                                          bytes low[spread[2·i]] and low[spread[2·i + 1]], the lower
 *                                                          one first, and 0 for 0x80; the other eight alike from
 *                                                          `high`. Reads 16 bytes from each
 *   lanes_lerp_shorts(a, b, weights, out)                  −2^15 × (a + part × (b − a)), where `weights` is
 *                                                          lanes_weights(part × 2^15): out[0] and out[1] are the two
 *                                                          components
 *   lanes_load_upper(p)                                    eight floats of which these are the upper 16 bits
 *   lanes_multiply_affine(a, b, stride, out)               the product of two 3×4 matrices (row major): 12 floats; the
 *                                                          rows of b are `stride` floats apart
 *   lanes_multiply_pair(a, a4, b, stride, out, out4)       the same of two, whose rows of b are beside each other
 *   lanes_multiply_two(a, a2, b, b2, stride, out, out2)    the same of any two, neither of which is an output
 *   lanes_affine_sum(a0, b0, a1, b1, a2, b2, last)         an element of it: a0·b0 + a1·b1 + a2·b2 + last, rounded as
 *                                                          there; `last` is the fourth column's, else 0
 *   lanes_affine_mul(m, w) lanes_affine_fma(m, w, sum)     a lanes_affine, a 3×4 matrix: m, 12 floats, times w (the
 *                                                          same in all lanes); the same and a sum, rounded once
 *   lanes_affine_pair(a, b, out)                           out[r]: row r of a, then that of b
 *   lanes_transpose(rows, out)                             within each half: four rows become columns
 *
 * AVX2, NEON and fused do the same operations in the same order and give the same bits, and so do SSE2 and scalar. No
 * estimates (rcp, rsqrt): vendors differ. */
#ifndef SINEW_MATH_LANES_H
#define SINEW_MATH_LANES_H

#include <stddef.h>
#include <stdint.h>

/* Both factors in one number, as 16 bits each: the first integer's is the lower. They are negative, because an int16
 * reaches −2^15 and not 2^15, and add up to −2^15. */
static inline int32_t lanes_weights(int part) { return (int32_t)((uint32_t)-part << 16 | (uint32_t)(part ^ 1 << 15)); }

/* With these, lanes_lerp_shorts makes −2^14 × (b − a) instead. */
#define LANES_HALF_APART ((int32_t)((uint32_t) - (1 << 14) << 16 | 1u << 14))

#if defined(LANES_AVX2)
#include "math/lanes_avx2.h"
#elif defined(LANES_SSE2)
#include "math/lanes_sse2.h"
#elif defined(LANES_NEON)
#include "math/lanes_neon.h"
#elif defined(LANES_SCALAR) || defined(LANES_FUSED)
#include "math/lanes_scalar.h"
#else
#error "compile kernels with one of LANES_AVX2, LANES_SSE2, LANES_NEON, LANES_SCALAR, LANES_FUSED"
#endif

static inline lanes lanes_affine_sum(lanes a0, lanes b0, lanes a1, lanes b1, lanes a2, lanes b2, lanes last) {
#if defined(LANES_SSE2) || defined(LANES_SCALAR)
  return lanes_add(lanes_add(lanes_mul(a0, b0), lanes_mul(a1, b1)), lanes_add(lanes_mul(a2, b2), last));
#else
  return lanes_fma(a2, b2, lanes_fma(a1, b1, lanes_fma(a0, b0, last)));
#endif
}

#if !defined(LANES_AVX2)
static inline void lanes_multiply_pair(const float *a, const float *a4, const float *b, int stride, float *out,
                                       float *out4) {
  lanes_multiply_affine(a, b, stride, out);
  lanes_multiply_affine(a4, b + 4, stride, out4);
}

static inline void lanes_multiply_two(const float *a, const float *a2, const float *b, const float *b2, int stride,
                                      float *out, float *out2) {
  lanes_multiply_affine(a, b, stride, out);
  lanes_multiply_affine(a2, b2, stride, out2);
}
#endif

/* For functions over lanes: arguments stay in registers only if the function is inlined, however large. Plain C has no
 * such registers. */
#if defined(LANES_SCALAR) || defined(LANES_FUSED)
#define LANES_INLINE static inline
#else
#define LANES_INLINE static inline __attribute__((always_inline))
#endif

/* For larger functions that are worth inlining only if an operation is a single instruction. */
#if defined(LANES_AVX2)
#define LANES_COPIED LANES_INLINE
#else
#define LANES_COPIED static
#endif

/* For rarely called functions, so that they do not take registers from those called all the time. */
#define LANES_APART static __attribute__((noinline))

/* This backend's name of a symbol: LANES_NAME(pose_blend, LANES_SUFFIX) is pose_blend_avx2. */
#define LANES_JOIN(name, suffix) name##_##suffix
#define LANES_NAME(name, suffix) LANES_JOIN(name, suffix)

#endif
