#include "frame.glsl"
#include "item.glsl"

layout(location = 3) in vec2 a_uv;
layout(location = 14) in vec2 a_uv2;
layout(location = 4) in vec4 a_color;

uniform float u_side;  // -1 where transform and palette together mirror an odd number of axes

out vec3 v_world;
out vec3 v_normal;
out vec4 v_tangent;
out vec4 v_uv;
out vec4 v_color;
out float v_opacity;

void main() {
  Vertex vertex = skin();
  v_world = to_world(vertex.position);
  v_normal = normal_to_world(vertex.normal);
  v_tangent = vec4(direction_to_world(vertex.tangent.xyz), vertex.tangent.w * u_side);
  v_uv = vec4(a_uv, a_uv2);
  v_color = vec4(a_color.rgb * i_tint.rgb, a_color.a);
  v_opacity = i_tint.a;
  gl_Position = view_projection * vec4(v_world, 1.0);
}
