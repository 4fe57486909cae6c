#include "pose/kernels.h"

#include "math/simd.h"

extern const pose_kernels pose_kernels_fused, pose_kernels_scalar;
#if defined(__x86_64__)
extern const pose_kernels pose_kernels_sse2, pose_kernels_avx2;
#elif defined(__aarch64__)
extern const pose_kernels pose_kernels_neon;
#endif

static const pose_kernels *const tables[SIMD_BACKEND_COUNT] = {
    [SIMD_FUSED] = &pose_kernels_fused,
    [SIMD_SCALAR] = &pose_kernels_scalar,
#if defined(__x86_64__)
    [SIMD_SSE2] = &pose_kernels_sse2,
    [SIMD_AVX2] = &pose_kernels_avx2,
#elif defined(__aarch64__)
    [SIMD_NEON] = &pose_kernels_neon,
#endif
};

const pose_kernels *pose_kernels_current(void) { return tables[simd_current()]; }
