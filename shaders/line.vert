// One line as a quad that is a little wider than the line; instanced, corner by gl_VertexID.
#include "include/frame.glsl"

layout(location = 0) in vec3 a_from;
layout(location = 1) in vec3 a_to;
layout(location = 2) in vec4 a_color;

uniform float u_width;  // pixels

out vec4 v_color;
out float v_across;  // pixels from the middle

const float near_w = 1e-3;

// Moves an end that is behind the camera to the near plane.
vec4 clip_end(vec4 end, vec4 other) {
  if (end.w >= near_w || other.w <= near_w) return end;
  return mix(other, end, (other.w - near_w) / (other.w - end.w));
}

vec3 to_linear(vec3 srgb) {
  return mix(srgb / 12.92, pow((srgb + 0.055) / 1.055, vec3(2.4)), step(0.04045, srgb));
}

void main() {
  vec4 from = view_projection * vec4(a_from, 1.0), to = view_projection * vec4(a_to, 1.0);
  vec4 a = clip_end(from, to), b = clip_end(to, from);
  vec2 along = (b.xy / b.w - a.xy / a.w) * viewport.xy;
  along = dot(along, along) > 1e-12 ? normalize(along) : vec2(1.0, 0.0);
  float side = (gl_VertexID & 1) == 0 ? -1.0 : 1.0, half_width = 0.5 * u_width + 1.0;
  vec4 end = gl_VertexID < 2 ? a : b;
  end.xy += vec2(-along.y, along.x) * side * half_width * 2.0 * viewport.zw * end.w;
  v_across = side * half_width;
  v_color = vec4(to_linear(a_color.rgb), a_color.a);
  gl_Position = a.w <= near_w && b.w <= near_w ? vec4(0.0, 0.0, 2.0, 1.0) : end;
}
