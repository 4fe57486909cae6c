/* float_modes – the floating-point environment of an application that has changed everything that it can. */
#ifndef SINEW_TESTS_FLOAT_MODES_H
#define SINEW_TESTS_FLOAT_MODES_H

#include "math/float_env.h"
#include "support/fixture.h"

#include <fenv.h>

/* The mathematics of mingw-w64 are the x87's, whose rounding is beyond the core's reach: it stays as it is there. */
#if defined(__MINGW32__)
enum { FLUSH = 0xC040 | FLOAT_ENV };
#define fesetround(mode) ((void)(mode))
#define fegetround() FE_UPWARD
#elif defined(__x86_64__)
enum { FLUSH = 0x8040 | FLOAT_ENV }; /* flush to zero, and denormals are zeros */
#else
enum { FLUSH = 1 << 24 };
#endif

/* Rounds upward and flushes to zero from now on; gives what leave_foreign_env takes. */
static inline uint64_t enter_foreign_env(void) {
  uint64_t usual = float_env_read();
  fesetround(FE_UPWARD);
  float_env_write(float_env_read() | FLUSH);
  return usual;
}

/* It must still be as it was set. */
static inline void leave_foreign_env(uint64_t usual) {
  uint64_t after = float_env_read();
  int rounding = fegetround();
  float_env_write(usual);
  fesetround(FE_TONEAREST);
  assert_true((after & FLUSH) == FLUSH);
  assert_int_equal(rounding, FE_UPWARD);
}

#endif
