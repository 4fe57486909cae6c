// The edges of triangles, a little nearer than the surfaces that they lie in.
#include "include/frame.glsl"
#include "include/item.glsl"

void main() {
  vec3 world = to_world(skin().position);
  vec4 at = view_projection * vec4(world, 1.0);
  vec4 nearer = view_projection * vec4(mix(world, camera.xyz, 0.002), 1.0);
  gl_Position = vec4(at.xy, nearer.z / nearer.w * at.w, at.w);
}
