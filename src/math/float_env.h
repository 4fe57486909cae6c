/* float_env – the floating-point environment for the core's calculations: round to nearest, keep denormal numbers, no
 * traps. An application may have set another one (flush to zero is common in games and audio), and gets it back. */
#ifndef SINEW_MATH_FLOAT_ENV_H
#define SINEW_MATH_FLOAT_ENV_H

#include <stdint.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
enum { FLOAT_ENV = 0x1F80, FLOAT_ENV_CONTROL = 0xFFC0 }; /* the other bits of MXCSR are status flags */
static inline uint64_t float_env_read(void) { return _mm_getcsr(); }
static inline void float_env_write(uint64_t env) { _mm_setcsr((uint32_t)env); }
#elif defined(__aarch64__)
enum { FLOAT_ENV = 0, FLOAT_ENV_CONTROL = 0x7FFFFFF };
static inline uint64_t float_env_read(void) {
  uint64_t env;
  __asm__ volatile("mrs %0, fpcr" : "=r"(env)::"memory");
  return env;
}
static inline void float_env_write(uint64_t env) { __asm__ volatile("msr fpcr, %0" ::"r"(env) : "memory"); }
#else
enum { FLOAT_ENV = 0, FLOAT_ENV_CONTROL = 0 };
static inline uint64_t float_env_read(void) { return 0; }
static inline void float_env_write(uint64_t env) { (void)env; }
#endif

/* Writing the register waits for running operations, reading does not, and usually nothing has to be written. */
static inline uint64_t float_env_enter(void) {
  uint64_t before = float_env_read();
  if ((before & FLOAT_ENV_CONTROL) != FLOAT_ENV) float_env_write(FLOAT_ENV);
  return before;
}

static inline void float_env_leave(uint64_t before) {
  if ((before & FLOAT_ENV_CONTROL) != FLOAT_ENV) float_env_write(before);
}

#endif
