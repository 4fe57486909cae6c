#include "pose/kernels.h"

#include "math/simd.h"

extern const pose_kernels pose_kernels_fused, pose_kernels_scalar, pose_kernels_sse2, pose_kernels_avx2,
    pose_kernels_neon;

static const pose_kernels *const tables[SIMD_BACKEND_COUNT] = {
#if defined(SIMD_HAS_PLAIN)
    [SIMD_FUSED] = &pose_kernels_fused,
    [SIMD_SCALAR] = &pose_kernels_scalar,
#endif
#if defined(SIMD_HAS_SSE2)
    [SIMD_SSE2] = &pose_kernels_sse2,
#endif
#if defined(__x86_64__)
    [SIMD_AVX2] = &pose_kernels_avx2,
#elif defined(__aarch64__)
    [SIMD_NEON] = &pose_kernels_neon,
#endif
};

const pose_kernels *pose_kernels_current(void) { return tables[simd_current()]; }
