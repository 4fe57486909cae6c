/* simd – selects the backend of lanes.h on which the kernels run. */
#ifndef SINEW_MATH_SIMD_H
#define SINEW_MATH_SIMD_H

#include <sinew/base.h>

typedef enum simd_backend { SIMD_SCALAR, SIMD_SSE2, SIMD_AVX2, SIMD_NEON, SIMD_BACKEND_COUNT } simd_backend;

/* "scalar", "sse2", "avx2" or "neon". */
const char *simd_name(simd_backend backend);

/* Built into this program, and the processor can run it. */
bool simd_is_available(simd_backend backend);

/* The backend in use: what $SINEW_SIMD names where that is available, else the widest that is. Chosen at the first
 * call, which any thread may make. */
simd_backend simd_current(void);

/* Uses another backend from now on (tests, benchmarks); false where it is not available. Not while jobs run. */
bool simd_use(simd_backend backend);

#endif
