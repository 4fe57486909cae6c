#include "math/simd.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[SIMD_BACKEND_COUNT] = {"fused", "scalar", "sse2", "avx2", "neon"};

const char *simd_name(simd_backend backend) { return names[backend]; }

bool simd_is_available(simd_backend backend) {
  switch (backend) {
#if defined(SIMD_HAS_PLAIN)
  case SIMD_FUSED:
  case SIMD_SCALAR: return true;
#endif
#if defined(SIMD_HAS_SSE2)
  case SIMD_SSE2: return true;
#endif
#if defined(__x86_64__)
  case SIMD_AVX2: return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#elif defined(__aarch64__)
  case SIMD_NEON: return true;
#endif
  default: return false;
  }
}

bool simd_rounds_once(simd_backend backend) {
  return backend == SIMD_FUSED || backend == SIMD_AVX2 || backend == SIMD_NEON;
}

static simd_backend pick(void) {
  const char *wanted = getenv("SINEW_SIMD");
  for (int i = 0; wanted && i < SIMD_BACKEND_COUNT; i++)
    if (strcmp(wanted, names[i]) == 0 && simd_is_available((simd_backend)i)) return (simd_backend)i;
  for (int i = SIMD_BACKEND_COUNT - 1; i > SIMD_SCALAR; i--)
    if (simd_is_available((simd_backend)i)) return (simd_backend)i;
  return SIMD_SCALAR;
}

static atomic_int current = -1;

simd_backend simd_current(void) {
  int backend = atomic_load_explicit(&current, memory_order_relaxed);
  if (backend >= 0) return (simd_backend)backend;
  backend = (int)pick();
  atomic_store_explicit(&current, backend, memory_order_relaxed);
  return (simd_backend)backend;
}

bool simd_use(simd_backend backend) {
  if (!simd_is_available(backend)) return false;
  atomic_store_explicit(&current, (int)backend, memory_order_relaxed);
  return true;
}

void simd_use_rounding(bool once) {
  simd_backend best = once ? SIMD_FUSED : SIMD_SCALAR;
  if (simd_rounds_once(simd_current()) == once) return;
  for (int i = 0; i < SIMD_BACKEND_COUNT && !getenv("SINEW_SIMD"); i++)
    if (simd_is_available((simd_backend)i) && simd_rounds_once((simd_backend)i) == once) best = (simd_backend)i;
  simd_use(best);
}
