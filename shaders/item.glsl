// One drawn item: its place in the world.
#include "skinning.glsl"

uniform vec4 u_transform[3];  // rows

vec3 to_world(vec3 p) {
  vec4 q = vec4(p, 1.0);
  return vec3(dot(u_transform[0], q), dot(u_transform[1], q), dot(u_transform[2], q));
}

vec3 direction_to_world(vec3 d) {
  return vec3(dot(u_transform[0].xyz, d), dot(u_transform[1].xyz, d), dot(u_transform[2].xyz, d));
}

vec3 normal_to_world(vec3 n) {
  vec3 x = u_transform[0].xyz, y = u_transform[1].xyz, z = u_transform[2].xyz;
  return vec3(dot(cross(y, z), n), dot(cross(z, x), n), dot(cross(x, y), n));
}
