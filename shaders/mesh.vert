#include "include/frame.glsl"
#include "include/item.glsl"

layout(location = 3) in vec2 a_uv;
layout(location = 14) in vec2 a_uv2;
layout(location = 4) in vec4 a_color;

uniform float u_outline;  // pixels by which it is larger all around; 0: none
uniform float u_side;  // -1 where transform and palette together mirror an odd number of axes

out vec3 v_world;
out vec3 v_normal;
out vec4 v_tangent;
out vec4 v_uv;
out vec4 v_color;
out float v_opacity;

// Along the normal, as it is seen.
vec2 outline(vec4 position) {
  vec4 normal = view_projection * vec4(v_normal, 0.0);
  vec2 side = (normal.xy * position.w - position.xy * normal.w) * viewport.xy;
  return length(side) > 0.0 ? normalize(side) * u_outline * 2.0 * viewport.zw * position.w : vec2(0.0);
}

void main() {
  Vertex vertex = skin();
  v_world = to_world(vertex.position);
  v_normal = normal_to_world(vertex.normal);
  v_tangent = vec4(direction_to_world(vertex.tangent.xyz), vertex.tangent.w * u_side);
  v_uv = vec4(a_uv, a_uv2);
  v_color = vec4(a_color.rgb * i_tint.rgb, a_color.a);
  v_opacity = i_tint.a;
  gl_Position = view_projection * vec4(v_world, 1.0);
  if (u_outline > 0.0) gl_Position.xy += outline(gl_Position);
}
