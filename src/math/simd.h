/* simd – selects the backend of lanes.h on which the kernels run. */
#ifndef SINEW_MATH_SIMD_H
#define SINEW_MATH_SIMD_H

#include <sinew/base.h>

#if defined(__x86_64__) || defined(__EMSCRIPTEN__) /* whose compiler turns SSE2 into what every browser has */
#define SIMD_HAS_SSE2
#endif
#if !defined(__EMSCRIPTEN__) /* a page is small */
#define SIMD_HAS_PLAIN
#endif

/* Fused and scalar are in plain C. Fused does what AVX2 and NEON do, bit for bit, slowly: it is for repeating what
 * another machine has computed, and only chosen by name. */
typedef enum simd_backend { SIMD_FUSED, SIMD_SCALAR, SIMD_SSE2, SIMD_AVX2, SIMD_NEON, SIMD_BACKEND_COUNT } simd_backend;

/* "fused", "scalar", "sse2", "avx2" or "neon". */
const char *simd_name(simd_backend backend);

/* Whether a·b + c is rounded once, as by AVX2, NEON and fused; SSE2 and scalar round the product, too. Backends that
 * agree in this give the same bits. */
bool simd_rounds_once(simd_backend backend);

/* Whether it is built into this program and the processor supports it. */
bool simd_is_available(simd_backend backend);

/* The backend in use: that named by $SINEW_SIMD if available, else the widest available one. Chosen at the first call,
 * from any thread. */
simd_backend simd_current(void);

/* Switches to another backend (for tests and benchmarks); false if it is not available. Not while jobs run. */
bool simd_use(simd_backend backend);

/* Switches to a backend that rounds in this way, if the current one does not: the widest available, or, where
 * $SINEW_SIMD says what to use, the one in plain C. Not while jobs run. */
void simd_use_rounding(bool once);

/* Declares what each backend has of a kind, NAME_fused and so on, and lists them by backend: `take` is & for tables.
 * The definitions are compiled once for each backend (src/NAME/kernels). */
#if defined(__EMSCRIPTEN__)
#define SIMD_TABLE(type, table, name, take)                                                                            \
  extern type name##_sse2;                                                                                             \
  static type *const table[SIMD_BACKEND_COUNT] = {[SIMD_SSE2] = take name##_sse2}
#elif defined(__x86_64__)
#define SIMD_TABLE(type, table, name, take)                                                                            \
  extern type name##_fused, name##_scalar, name##_sse2, name##_avx2;                                                   \
  static type *const table[SIMD_BACKEND_COUNT] = {[SIMD_FUSED] = take name##_fused,                                    \
                                                  [SIMD_SCALAR] = take name##_scalar,                                  \
                                                  [SIMD_SSE2] = take name##_sse2,                                      \
                                                  [SIMD_AVX2] = take name##_avx2}
#elif defined(__aarch64__)
#define SIMD_TABLE(type, table, name, take)                                                                            \
  extern type name##_fused, name##_scalar, name##_neon;                                                                \
  static type *const table[SIMD_BACKEND_COUNT] = {                                                                     \
      [SIMD_FUSED] = take name##_fused, [SIMD_SCALAR] = take name##_scalar, [SIMD_NEON] = take name##_neon}
#else
#define SIMD_TABLE(type, table, name, take)                                                                            \
  extern type name##_fused, name##_scalar;                                                                             \
  static type *const table[SIMD_BACKEND_COUNT] = {[SIMD_FUSED] = take name##_fused, [SIMD_SCALAR] = take name##_scalar}
#endif

#endif
