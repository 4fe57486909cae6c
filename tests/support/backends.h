/* backends – runs a check on every SIMD backend that this machine has. */
#ifndef SINEW_TESTS_BACKENDS_H
#define SINEW_TESTS_BACKENDS_H

#include "support/fixture.h"

#include "math/simd.h"

static inline void on_every_backend(void (*check)(void)) {
  simd_backend before = simd_current();
  for (int b = 0; b < SIMD_BACKEND_COUNT; b++) {
    if (!simd_use((simd_backend)b)) continue;
    printf("# %s\n", simd_name((simd_backend)b));
    check();
  }
  assert_true(simd_use(before));
}

#endif
