#include "import/kernels.h"

#include "math/simd.h"

/* Eight moments of a joint side by side: the kernels that compare track groups with curves, compiled once for each
 * backend of math/lanes.h. */

extern const moments_kernels moments_kernels_fused, moments_kernels_scalar, moments_kernels_sse2, moments_kernels_avx2,
    moments_kernels_neon;

static const moments_kernels *const tables[SIMD_BACKEND_COUNT] = {
#if defined(SIMD_HAS_PLAIN)
    [SIMD_FUSED] = &moments_kernels_fused,
    [SIMD_SCALAR] = &moments_kernels_scalar,
#endif
#if defined(SIMD_HAS_SSE2)
    [SIMD_SSE2] = &moments_kernels_sse2,
#endif
#if defined(__x86_64__)
    [SIMD_AVX2] = &moments_kernels_avx2,
#elif defined(__aarch64__)
    [SIMD_NEON] = &moments_kernels_neon,
#endif
};

const moments_kernels *moments_kernels_current(void) { return tables[simd_current()]; }

void moments_fill(moments_transform *out, const sinew_transform *t) {
  const float values[10] = {t->translation.x, t->translation.y, t->translation.z, t->rotation.x, t->rotation.y,
                            t->rotation.z,    t->rotation.w,    t->scale.x,       t->scale.y,    t->scale.z};
  for (int c = 0; c < 10; c++)
    for (int i = 0; i < MOMENTS; i++) out->v[c][i] = values[c];
}

/* ---- rotations ---- */

/* Checks the assumptions that sampling makes about a clip's rotations; compiled once for each backend of math/lanes.h.
 */

rotations_check rotations_check_fused, rotations_check_scalar, rotations_check_sse2, rotations_check_avx2,
    rotations_check_neon;

static rotations_check *const checks[SIMD_BACKEND_COUNT] = {
#if defined(SIMD_HAS_PLAIN)
    [SIMD_FUSED] = rotations_check_fused,
    [SIMD_SCALAR] = rotations_check_scalar,
#endif
#if defined(SIMD_HAS_SSE2)
    [SIMD_SSE2] = rotations_check_sse2,
#endif
#if defined(__x86_64__)
    [SIMD_AVX2] = rotations_check_avx2,
#elif defined(__aarch64__)
    [SIMD_NEON] = rotations_check_neon,
#endif
};

rotations_check *rotations_check_current(void) { return checks[simd_current()]; }
