// One instance: its place in the world.
#include "include/skinning.glsl"

vec3 to_world(vec3 p) {
  vec4 q = vec4(p, 1.0);
  return vec3(dot(i_transform_x, q), dot(i_transform_y, q), dot(i_transform_z, q));
}

vec3 direction_to_world(vec3 d) {
  return vec3(dot(i_transform_x.xyz, d), dot(i_transform_y.xyz, d), dot(i_transform_z.xyz, d));
}

vec3 normal_to_world(vec3 n) {
  vec3 x = i_transform_x.xyz, y = i_transform_y.xyz, z = i_transform_z.xyz;
  return float(i_places.w) * vec3(dot(cross(y, z), n), dot(cross(z, x), n), dot(cross(x, y), n));
}
