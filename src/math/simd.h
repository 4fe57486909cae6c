/* simd – selects the backend of lanes.h on which the kernels run. */
#ifndef SINEW_MATH_SIMD_H
#define SINEW_MATH_SIMD_H

#include <sinew/base.h>

typedef enum simd_backend { SIMD_SCALAR, SIMD_SSE2, SIMD_AVX2, SIMD_NEON, SIMD_BACKEND_COUNT } simd_backend;

/* "scalar", "sse2", "avx2" or "neon". */
const char *simd_name(simd_backend backend);

/* Whether it is built into this program and the processor supports it. */
bool simd_is_available(simd_backend backend);

/* The backend in use: that named by $SINEW_SIMD if available, else the widest available one. Chosen at the first call,
 * from any thread. */
simd_backend simd_current(void);

/* Switches to another backend (for tests and benchmarks); false if it is not available. Not while jobs run. */
bool simd_use(simd_backend backend);

#endif
