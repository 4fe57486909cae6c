#include "pose/planar.h"

#include <math.h>

planar planar_multiply(planar a, planar b) {
  double s = sin(a.yaw), c = cos(a.yaw);
  return (planar){a.x + c * b.x + s * b.z, a.y + b.y, a.z - s * b.x + c * b.z, a.yaw + b.yaw};
}

planar planar_inverse(planar a) {
  double s = sin(a.yaw), c = cos(a.yaw);
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
  return (sinew_transform){
      {(float)a.x, (float)a.y, (float)a.z}, {0, (float)sin(a.yaw / 2), 0, (float)cos(a.yaw / 2)}, {1, 1, 1}};
}
