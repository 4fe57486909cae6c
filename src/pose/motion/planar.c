#include "pose/motion/planar.h"

#include <math.h>

planar planar_multiply(planar a, planar b) {
  double s = sinew_sin(a.yaw), c = sinew_cos(a.yaw);
  return (planar){a.x + c * b.x + s * b.z, a.y + b.y, a.z - s * b.x + c * b.z, a.yaw + b.yaw};
}

planar planar_inverse(planar a) {
  double s = sinew_sin(a.yaw), c = sinew_cos(a.yaw);
  return (planar){-c * a.x + s * a.z, -a.y, -s * a.x - c * a.z, -a.yaw};
}

planar planar_power(planar a, int64_t n) {
  planar result = {0, 0, 0, 0}, power = n < 0 ? planar_inverse(a) : a;
  for (uint64_t left = n < 0 ? 0 - (uint64_t)n : (uint64_t)n; left; left >>= 1) {
    if (left & 1) result = planar_multiply(result, power);
    power = planar_multiply(power, power);
  }
  return result;
}

sinew_transform planar_transform(planar a) {
  return (sinew_transform){{(float)a.x, (float)a.y, (float)a.z},
                           {0, (float)sinew_sin(a.yaw / 2), 0, (float)sinew_cos(a.yaw / 2)},
                           {1, 1, 1}};
}

planar planar_add(planar a, planar b) { return (planar){a.x + b.x, a.y + b.y, a.z + b.z, a.yaw + b.yaw}; }

planar planar_scale(planar a, double s) { return (planar){a.x * s, a.y * s, a.z * s, a.yaw * s}; }

/* ∫ cos and ∫ sin of yaw · t for t from 0 to 1: the mean rotation. */
static void mean_turn(double yaw, double *c, double *s) {
  bool small = fabs(yaw) < 1e-4; /* the quotients lose precision, so their series are used */
  *c = small ? 1 - yaw * yaw / 6 : sinew_sin(yaw) / yaw;
  *s = small ? yaw / 2 : (1 - sinew_cos(yaw)) / yaw;
}

planar planar_exp(planar a) {
  double c, s;
  mean_turn(a.yaw, &c, &s);
  return (planar){c * a.x + s * a.z, a.y, c * a.z - s * a.x, a.yaw};
}

planar planar_log(planar a) {
  static const double turn = 6.28318530717958648;
  double c, s, yaw = a.yaw - turn * round(a.yaw / turn);
  mean_turn(yaw, &c, &s);
  double whole = c * c + s * s;
  return (planar){(c * a.x - s * a.z) / whole, a.y, (c * a.z + s * a.x) / whole, yaw};
}
