#include "import/clip/rotations.h"

#include "math/simd.h"

rotations_check rotations_check_fused, rotations_check_scalar;
#if defined(__x86_64__)
rotations_check rotations_check_sse2, rotations_check_avx2;
#elif defined(__aarch64__)
rotations_check rotations_check_neon;
#endif

static rotations_check *const checks[SIMD_BACKEND_COUNT] = {
    [SIMD_FUSED] = rotations_check_fused,
    [SIMD_SCALAR] = rotations_check_scalar,
#if defined(__x86_64__)
    [SIMD_SSE2] = rotations_check_sse2,
    [SIMD_AVX2] = rotations_check_avx2,
#elif defined(__aarch64__)
    [SIMD_NEON] = rotations_check_neon,
#endif
};

rotations_check *rotations_check_current(void) { return checks[simd_current()]; }
