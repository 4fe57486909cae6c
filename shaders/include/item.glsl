// One instance: its place in the world.
#include "include/skinning.glsl"

vec3 to_world(vec3 p) {
  vec4 q = vec4(p, 1.0);
  return vec3(dot(i_transform[0], q), dot(i_transform[1], q), dot(i_transform[2], q));
}

vec3 direction_to_world(vec3 d) {
  return vec3(dot(i_transform[0].xyz, d), dot(i_transform[1].xyz, d), dot(i_transform[2].xyz, d));
}

vec3 normal_to_world(vec3 n) {
  vec3 x = i_transform[0].xyz, y = i_transform[1].xyz, z = i_transform[2].xyz;
  return float(i_places.w) * vec3(dot(cross(y, z), n), dot(cross(z, x), n), dot(cross(x, y), n));
}
