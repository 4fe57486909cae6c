/* lanes – eight floats side by side, on every machine. A kernel is written once over these operations and compiled once
 * for each backend; LANES_AVX2, LANES_SSE2, LANES_NEON or LANES_SCALAR says which.
 *
 *   lanes_load(p) lanes_store(p, a) lanes_set(x)          8 floats, any alignment; one value in all lanes
 *   lanes_add lanes_sub lanes_mul lanes_div lanes_sqrt     each rounded once, as IEEE 754 says
 *   lanes_fma lanes_fnma lanes_fms (a, b, c)               a·b + c, c − a·b and a·b − c, rounded once (SSE2 has no
 *                                                          such instruction and rounds twice)
 *   lanes_min lanes_max
 *   lanes_sign(a)  lanes_flip(a, sign)                     the sign bits; a with its sign flipped where `sign` has one
 *   lanes_greater(a, b)  lanes_select(mask, a, b)          mask ? a : b
 *   lanes_store_rows(a, b, c, d, p, stride)                lane i goes to p[i·stride + 0..3] as a b c d, lane 0 first
 *   lanes_load_rows(p, stride, out)                        the other way round: out[c], lane i, is p[i·stride + c]
 *   lanes_place(a, source, other)                          lane i gets a's lane source[i] (8 bytes in 0..7), or other's
 *                                                          lane i where source[i] is negative
 *   lanes_keep(a, source, other)                           the same without moving: a's lane i, or other's
 *   lanes_load_shorts(p)                                   8 int16
 *   lanes_multiply_affine(a, b, out)                       the product of two 3×4 matrices of 12 floats (row major)
 *
 * AVX2, NEON and scalar do the same operations in the same order and give the same bits. No estimates (rcp, rsqrt):
 * vendors differ. */
#ifndef SINEW_MATH_LANES_H
#define SINEW_MATH_LANES_H

#if defined(LANES_AVX2)
#include "math/lanes_avx2.h"
#elif defined(LANES_SSE2)
#include "math/lanes_sse2.h"
#elif defined(LANES_NEON)
#include "math/lanes_neon.h"
#elif defined(LANES_SCALAR)
#include "math/lanes_scalar.h"
#else
#error "compile kernels with one of LANES_AVX2, LANES_SSE2, LANES_NEON, LANES_SCALAR"
#endif

/* For functions over lanes: what is passed stays in registers only where they are inlined, however large. Plain C has
 * no such registers, and SSE2 so few of them that a compiler works for minutes. */
#if defined(LANES_SCALAR) || defined(LANES_SSE2)
#define LANES_INLINE static inline
#else
#define LANES_INLINE static inline __attribute__((always_inline))
#endif

/* For larger functions that are worth a copy at each call only where an operation is an instruction. */
#if defined(LANES_AVX2)
#define LANES_COPIED LANES_INLINE
#else
#define LANES_COPIED static
#endif

/* This backend's name of a symbol: LANES_NAME(pose_blend, LANES_SUFFIX) is pose_blend_avx2. */
#define LANES_JOIN(name, suffix) name##_##suffix
#define LANES_NAME(name, suffix) LANES_JOIN(name, suffix)

#endif
