#include "host/past/packed_rotation.h"

#include <math.h>
#include <string.h>

/* The smaller components are within ±1/√2; 2¹⁴ − 1 steps on each side keep 0 exact. */
enum { STEPS = (1 << 14) - 1 };
static const float largest_small = 0.70710678f;

/* Selects the bits of a where `mask` is set, those of b elsewhere. */
static uint32_t either(uint32_t mask, uint32_t a, uint32_t b) { return (mask & a) | (~mask & b); }
static uint32_t is_greater(uint32_t a, uint32_t b) { return (uint32_t) - ((int32_t)a > (int32_t)b); }

/* The smaller components of one lane, with signs that make the largest one positive, and its index. Floats without
 * their sign compare like integers, so there is no branch, and eight lanes are computed side by side. */
static void choose(const uint32_t q[4], uint32_t small[3], uint32_t *index) {
  const uint32_t sign_bit = 0x80000000u;
  uint32_t size = q[3] & ~sign_bit, largest = q[3], over[3];
  for (int k = 0; k < 3; k++) {
    over[k] = is_greater(q[k] & ~sign_bit, size);
    size = either(over[k], q[k] & ~sign_bit, size);
    largest = either(over[k], q[k], largest);
  }
  uint32_t first = over[0] & ~over[1] & ~over[2], second = over[1] & ~over[2], third = over[2];
  small[0] = either(first, q[1], q[0]) ^ (largest & sign_bit);
  small[1] = either(first | second, q[2], q[1]) ^ (largest & sign_bit);
  small[2] = either(first | second | third, q[3], q[2]) ^ (largest & sign_bit);
  *index = (second & 1) | (third & 2) | (~(first | second | third) & 3);
}

void packed_rotations_of(const sinew_pose_group *group, uint16_t parts[3][SINEW_LANES]) {
  uint32_t q[4][SINEW_LANES], small[3][SINEW_LANES], index[SINEW_LANES];
  float values[3][SINEW_LANES];
  memcpy(q, group->rotation, sizeof q);
  for (int i = 0; i < SINEW_LANES; i++) {
    uint32_t of[3];
    choose((uint32_t[]){q[0][i], q[1][i], q[2][i], q[3][i]}, of, index + i);
    for (int k = 0; k < 3; k++) small[k][i] = of[k];
  }
  memcpy(values, small, sizeof values);
  for (int k = 0; k < 3; k++) {
    uint32_t shift = k == 0 ? 15 : 14, bit = k == 0 ? 1 : k == 1 ? 2 : 0;
    for (int i = 0; i < SINEW_LANES; i++) {
      float v = values[k][i] < largest_small ? values[k][i] : largest_small;
      v = v > -largest_small ? v : -largest_small;
      uint32_t step = (uint32_t)(int32_t)(v * ((float)STEPS / largest_small) + ((float)STEPS + 0.5f));
      parts[k][i] = (uint16_t)(step | (index[i] & bit) << shift);
    }
  }
}

sinew_quat packed_rotation_open(packed_rotation packed) {
  int largest = packed.parts[0] >> 15 | (packed.parts[1] >> 15) << 1, part = 0;
  float q[4], rest = 1;
  for (int i = 0; i < 4; i++) {
    if (i == largest) continue;
    q[i] = (float)((packed.parts[part++] & 0x7fff) - STEPS) / (float)STEPS * largest_small;
    rest -= q[i] * q[i];
  }
  q[largest] = sqrtf(rest > 0 ? rest : 0);
  return (sinew_quat){q[0], q[1], q[2], q[3]};
}
