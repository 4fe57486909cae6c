#include "include/frame.glsl"

uniform float u_reach;  // metres

out vec3 v_world;

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  v_world = vec3(camera.x + corner.x * u_reach, 0.0, camera.z - corner.y * u_reach);
  gl_Position = view_projection * vec4(v_world, 1.0);
}
