#include "skin/kernels.h"

#include "math/simd.h"

extern const skin_kernels skin_kernels_fused, skin_kernels_scalar;
#if defined(__x86_64__)
extern const skin_kernels skin_kernels_sse2, skin_kernels_avx2;
#elif defined(__aarch64__)
extern const skin_kernels skin_kernels_neon;
#endif

static const skin_kernels *const tables[SIMD_BACKEND_COUNT] = {
    [SIMD_FUSED] = &skin_kernels_fused,
    [SIMD_SCALAR] = &skin_kernels_scalar,
#if defined(__x86_64__)
    [SIMD_SSE2] = &skin_kernels_sse2,
    [SIMD_AVX2] = &skin_kernels_avx2,
#elif defined(__aarch64__)
    [SIMD_NEON] = &skin_kernels_neon,
#endif
};

const skin_kernels *skin_kernels_current(void) { return tables[simd_current()]; }
