// One triangle that covers the picture, and the way from the camera to each corner on the far plane: it changes evenly
// over the picture, so pixels need no matrix.
#include "include/frame.glsl"

out vec3 v_ray;

void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  vec4 far = inverse_view_projection * vec4(corner, 1.0, 1.0);
  v_ray = far.xyz / far.w - camera.xyz;
  gl_Position = vec4(corner, 1.0, 1.0);
}
