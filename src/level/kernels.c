#include "level/kernels.h"

#include "math/simd.h"

extern const level_kernels level_kernels_fused, level_kernels_scalar;
#if defined(__x86_64__)
extern const level_kernels level_kernels_sse2, level_kernels_avx2;
#elif defined(__aarch64__)
extern const level_kernels level_kernels_neon;
#endif

static const level_kernels *const tables[SIMD_BACKEND_COUNT] = {
    [SIMD_FUSED] = &level_kernels_fused,
    [SIMD_SCALAR] = &level_kernels_scalar,
#if defined(__x86_64__)
    [SIMD_SSE2] = &level_kernels_sse2,
    [SIMD_AVX2] = &level_kernels_avx2,
#elif defined(__aarch64__)
    [SIMD_NEON] = &level_kernels_neon,
#endif
};

const level_kernels *level_kernels_current(void) { return tables[simd_current()]; }
