// Skins without drawing: the vertices are captured by transform feedback.
#include "include/skinning.glsl"

out vec3 skinned_position;
out vec3 skinned_normal;
out vec4 skinned_tangent;

void main() {
  Vertex vertex = skin();
  skinned_position = vertex.position;
  skinned_normal = vertex.normal;
  skinned_tangent = vertex.tangent;
  gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
