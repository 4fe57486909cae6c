#include "skin/kernels.h"

#include "math/simd.h"

extern const skin_kernels skin_kernels_fused, skin_kernels_scalar, skin_kernels_sse2, skin_kernels_avx2,
    skin_kernels_neon;

static const skin_kernels *const tables[SIMD_BACKEND_COUNT] = {
#if defined(SIMD_HAS_PLAIN)
    [SIMD_FUSED] = &skin_kernels_fused,
    [SIMD_SCALAR] = &skin_kernels_scalar,
#endif
#if defined(SIMD_HAS_SSE2)
    [SIMD_SSE2] = &skin_kernels_sse2,
#endif
#if defined(__x86_64__)
    [SIMD_AVX2] = &skin_kernels_avx2,
#elif defined(__aarch64__)
    [SIMD_NEON] = &skin_kernels_neon,
#endif
};

const skin_kernels *skin_kernels_current(void) { return tables[simd_current()]; }
