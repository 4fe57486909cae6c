// Into a shadow or contact map: u_view is the map's matrix.
#include "include/item.glsl"

layout(location = 3) in vec2 a_uv;
layout(location = 14) in vec2 a_uv2;

uniform mat4 u_view;

out float v_height;
out vec4 v_uv;
out float v_alpha;  // of the tint

void main() {
  vec3 world = to_world(skin().position);
  v_height = world.y;
  v_uv = vec4(a_uv, a_uv2);
  v_alpha = i_tint.a;
  gl_Position = u_view * vec4(world, 1.0);
  // A surface nearer to the sun than the map's box still casts its shadow into it.
  gl_Position.z = max(gl_Position.z, -gl_Position.w);
}
