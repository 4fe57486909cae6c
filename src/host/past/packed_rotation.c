#include "host/past/packed_rotation.h"

#include <math.h>

/* The smaller components lie within ±1/√2; 2¹⁴ − 1 steps to a side keep 0 exact. */
enum { STEPS = (1 << 14) - 1 };
static const float largest_small = 0.70710678f;

packed_rotation packed_rotation_of(sinew_quat turn) {
  const float q[4] = {turn.x, turn.y, turn.z, turn.w};
  int largest = 3, part = 0;
  packed_rotation packed = {{0}};
  for (int i = 0; i < 3; i++)
    if (fabsf(q[i]) > fabsf(q[largest])) largest = i;
  for (int i = 0; i < 4; i++) {
    if (i == largest) continue;
    float small = (q[largest] < 0 ? -q[i] : q[i]) / largest_small;
    small = small > 1 ? 1 : small >= -1 ? small : -1;
    packed.parts[part++] = (uint16_t)(lrintf(small * (float)STEPS) + STEPS);
  }
  packed.parts[0] = (uint16_t)(packed.parts[0] | (largest & 1) << 15);
  packed.parts[1] = (uint16_t)(packed.parts[1] | (largest >> 1) << 15);
  return packed;
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
